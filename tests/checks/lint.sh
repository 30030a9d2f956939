#!/bin/sh
# Static analysis: function structure, gcc -fanalyzer, clang-tidy with .clang-tidy, cppcheck. Exit code 1 on any
# finding.
# usage: tests/checks/lint.sh BUILD      a separate folder: -fanalyzer changes the objects
# LINT_QUICK=1 leaves cppcheck alone, a tenth of the time; BUILD is then the program's build folder.
# Checks disabled for all files, with reasons:
#   -Wno-analyzer-malloc-leak  gcc 12 loses track of pointers stored in arrays; tests/faults/test_allocation.c under
#                              AddressSanitizer finds real leaks
#   invalidPointerCast         field tables access double members through byte offsets
#   objectIndex                rows of a matrix, structs of three doubles, are read as arrays of three
set -u
[ $# -eq 1 ] || { echo "usage: tests/checks/lint.sh BUILD" >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 2
build=$1 jobs=$(nproc) failed=0
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# report NAME: prints and counts the findings in $found.
report() {
    count=$(grep -cE '(warning|error|portability|performance|style):' "$found")
    echo "lint: $1: $count findings"
    [ "$count" -eq 0 ] && return
    cat "$found"
    failed=1
}

if [ -z "${LINT_QUICK:-}" ]; then
    tests/checks/test_check_functions.sh >/dev/null && tests/checks/check_functions.py || failed=1
    MAKEFLAGS= make -s -k -j"$jobs" BUILD="$build" CC=gcc OPT="-O1 -g -fanalyzer -Wno-analyzer-malloc-leak" all package >/dev/null 2>"$found" || failed=1
    report 'gcc -fanalyzer'

    ls analysis/*/*.c formats/*/*.c pipeline/*/*.c pipeline/cli/*/*.c library/*.c | grep -v '_kernel\.c$' | xargs -P "$jobs" -n 12 sh -c '
    clang-tidy --quiet "$@" -- -std=c17 -D_GNU_SOURCE -DLANES_BUILT=15 -I. -I"$0" -I/usr/include/hdf5/serial 2>/dev/null' "$build" >"$found"
    report clang-tidy
fi

cppcheck -j "$jobs" --std=c11 --quiet --inline-suppr --enable=warning,performance,portability --error-exitcode=1 \
    --suppress=invalidPointerCast --suppress=objectIndex --suppress=missingIncludeSystem \
    -D_GNU_SOURCE -D__GNUC__ -DLANES=2 -DLANES_BUILT=15 -I. -I"$build" analysis formats pipeline library 2>"$found" || failed=1
report cppcheck
exit $failed
