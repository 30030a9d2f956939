#!/bin/sh
# Runs targets of the Makefile side by side, one more at once than there are processors, since browsers and programs that
# are killed wait as much as they work. Prints the output of each when it ends, its seconds, and its processor time in
# user code and in the kernel. Exit code 1 if one fails; a target that takes longer than $PART_LIMIT seconds fails.
# usage: tests/checks/side_by_side.sh MAKE TARGET...
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
    times >"$0/{}.times" # second line: of its children
    took=$(($(date +%s) - began))
    case $code in
    0) verdict=passed ;;
    124 | 137) verdict=STOPPED ;;
    *) verdict=FAILED ;;
    esac
    echo "$MAKE {}: $verdict, $took s ($(tail -n 1 "$0/{}.times"))" >>"$0/{}"
    flock "$0" cat "$0/{}"
    [ $code -eq 0 ]' "$work" || exit 1
