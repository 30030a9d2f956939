#!/bin/sh
# Faults: runs every tests/faults/*.sh in a folder of its own; each says what it did and ends with 0 where all held.
# usage: tests/faults/run.sh [--long] KANE SHIMS [NAME...]
# Moments of kills and bytes of noise are drawn by a seed, which is printed: KANE_SEED=N repeats them.
# A test that has not what it needs prints one line that begins with "skipped".
set -u
FAULTS_LONG=
[ "${1:-}" = --long ] && FAULTS_LONG=1 && shift
[ $# -ge 2 ] || { echo "usage: tests/faults/run.sh [--long] KANE SHIMS [NAME...]" >&2; exit 2; }
KANE=$(realpath "$1") && SHIMS=$(realpath "$2") || exit 2
shift 2
FAULTS=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$FAULTS/../.." && pwd)
KANE_SEED=${KANE_SEED:-$(od -An -N2 -t u2 /dev/urandom | tr -d ' ')}
export KANE SHIMS FAULTS TOP FAULTS_LONG KANE_SEED
echo "faults: KANE_SEED=$KANE_SEED"

work=$(mktemp -d)
chmod 755 "$work" # some tests are somebody else
trap 'rm -rf "$work"' EXIT
failed=0
[ $# -gt 0 ] || set -- $(cd "$FAULTS" && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx -e run -e fault)
# Side by side; what they said is shown after.
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c 'mkdir "$0/{}" && cd "$0/{}" && before=$(date +%s) &&
    sh "$FAULTS/{}.sh" >"$0/{}.said" 2>&1 </dev/null || echo FAILED >>"$0/{}.said"
    echo "$(($(date +%s) - before)) s" >>"$0/{}.said"; rm -rf "${0:?}/{}"' "$work"
for name in "$@"; do
    sed "s/^/faults: $name: /" "$work/$name.said"
    ! grep -qx FAILED "$work/$name.said" || failed=$((failed + 1))
done
[ $failed -eq 0 ]
