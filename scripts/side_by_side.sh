#!/bin/sh
# Runs targets of the Makefile side by side, one more at once than there are processors, since browsers and programs that
# are killed wait as much as they work. Prints the output of each when it ends, and its seconds. Exit code 1 if one fails;
# a target that takes longer than $PART_LIMIT seconds fails.
# usage: scripts/side_by_side.sh MAKE TARGET...
set -u
MAKE=$1
shift
PART_LIMIT=${PART_LIMIT:-1800}
export MAKE PART_LIMIT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$@" | xargs -P $(($(nproc) + 1)) -I{} sh -c '
    began=$(date +%s)
    timeout -k 30 "$PART_LIMIT" $MAKE {} >"$0/{}" 2>&1 </dev/null
    code=$?
    took=$(($(date +%s) - began))
    [ $code -ne 124 ] || echo "make {}: stopped after $took s" >>"$0/{}"
    [ $code -eq 0 ] && verdict=passed || verdict=FAILED
    flock "$0" sh -c "cat \"\$0\"; echo \"make {}: $verdict, $took s\"" "$0/{}"
    [ $code -eq 0 ]' "$work"
