#!/bin/sh
# Faults: runs each tests/faults/*.sh in its own folder; each prints what it did and exits with 0 if all checks passed.
# usage: tests/faults/run.sh [--long] KANE SHIMS [NAME...]
# Times of kills and noise bytes are random with a seed, which is printed: KANE_SEED=N repeats them. A test whose
# requirements are missing prints one line that begins with "skipped".
set -u
FAULTS_LONG='' LIMIT=900 # s for each test
[ "${1:-}" = --long ] && FAULTS_LONG=1 LIMIT=20000 && shift
[ $# -ge 2 ] || { echo "usage: tests/faults/run.sh [--long] KANE SHIMS [NAME...]" >&2; exit 2; }
KANE=$(realpath "$1") && SHIMS=$(realpath "$2") || exit 2
shift 2
FAULTS=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$FAULTS/../.." && pwd)
KANE_SEED=${KANE_SEED:-$(od -An -N2 -t u2 /dev/urandom | tr -d ' ')}
export KANE SHIMS FAULTS TOP FAULTS_LONG LIMIT KANE_SEED
echo "faults: KANE_SEED=$KANE_SEED"

work=$(mktemp -d)
chmod 755 "$work" # some tests run as another user
trap 'rm -rf "$work"' EXIT
failed=0
[ $# -gt 0 ] || set -- $(cd "$FAULTS" && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx -e run -e fault)
# In parallel; outputs are printed afterwards.
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c 'mkdir "$0/{}" && cd "$0/{}" && before=$(date +%s) &&
    timeout -k 10 "$LIMIT" sh "$FAULTS/{}.sh" >"$0/{}.messages" 2>&1 </dev/null || echo FAILED >>"$0/{}.messages"
    echo "$(($(date +%s) - before)) s" >>"$0/{}.messages"; rm -rf "${0:?}/{}"' "$work"
for name in "$@"; do
    sed "s/^/faults: $name: /" "$work/$name.messages"
    ! grep -qx FAILED "$work/$name.messages" || failed=$((failed + 1))
done
[ $failed -eq 0 ]
