#!/bin/sh
# Golden transcripts: runs each tests/cli/*.sh in its own folder and compares its output with *.expected.
# usage: tests/cli/run.sh [--accept] KANE [NAME...]
# A test whose requirements are missing prints one line that begins with "skipped"; one that takes longer than ten
# minutes is stopped.
set -u
accept=
[ "${1:-}" = --accept ] && accept=1 && shift
[ $# -ge 1 ] || { echo "usage: tests/cli/run.sh [--accept] KANE [NAME...]" >&2; exit 2; }
KANE=$(realpath "$1") || exit 2
shift
TESTS=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$TESTS/../.." && pwd)
KANE_SHARED=${KANE_SHARED:-$TOP/../shared}
export KANE TESTS TOP KANE_SHARED
unset KANE_LANES

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0 skipped=0
[ $# -gt 0 ] || set -- $(cd "$TESTS" && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx -e run -e show)
# In parallel; outputs are compared afterwards.
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c 'mkdir "$0/{}" && cd "$0/{}" &&
    TMPDIR=$0 timeout -k 10 600 sh "$TESTS/{}.sh" >"$0/{}.actual" 2>&1 </dev/null
    [ $? -lt 124 ] || echo "stopped after ten minutes" >>"$0/{}.actual"; rm -rf "${0:?}/{}"' "$work"
for name in "$@"; do
    if head -n 1 "$work/$name.actual" | grep -q '^skipped'; then
        echo "cli: $name: $(head -n 1 "$work/$name.actual")"
        skipped=$((skipped + 1))
    elif [ -n "$accept" ]; then
        cp "$work/$name.actual" "$TESTS/$name.expected"
    elif diff -u "$TESTS/$name.expected" "$work/$name.actual"; then
        passed=$((passed + 1))
    else
        echo "cli: $name: FAILED"
        failed=$((failed + 1))
    fi
done
echo "cli: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
