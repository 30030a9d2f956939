#!/bin/sh
# tests/checks/check_calls.py finds planted circles of calls with their functions, and nothing else.
# usage: tests/checks/test_check_calls.sh   (from the top of the project)
set -u
check=$(realpath tests/checks/check_calls.py)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
cd "$work" || exit 2

# file NAME TEXT: an object of this source.
file() {
    mkdir -p "build/${1%/*}"
    echo "$2" | ${CC:-cc} -w -x c -c -o "build/$1.o" - || exit 2
}

# expect NAME TEXT...: the check prints these lines and no others, and fails; without text it passes. Then no objects.
expect() {
    name=$1 exit=0
    shift
    [ $# -eq 0 ] || exit=1
    found=$("$check" build $(find build -name '*.o')) && code=0 || code=$?
    [ "$code" -ne 0 ] || found=
    wanted=$(for line in "$@"; do printf '%s\n' "$line"; done)
    if [ "$code" -ne "$exit" ] || [ "$found" != "$wanted" ]; then
        printf '%s: exit %s, found:\n%s\n' "$name" "$code" "$found"
        failed=1
    fi
    rm -rf build
}

chain() {
    file a/top 'void middle(void); void top(void) { middle(); }'
    file a/middle 'void bottom(void); void middle(void) { bottom(); }'
}
chain
file b/bottom 'void puts(const char *); void bottom(void) { puts(""); bottom(); }'
expect chain

chain
file b/bottom 'void top(void); void bottom(void) { top(); }'
expect 'circle of three' 'circle of calls: a/middle a/top b/bottom' '    a/middle -> b/bottom: bottom' \
    '    a/top -> a/middle: middle' '    b/bottom -> a/top: top'

file a/table 'void apply(void); void (*const row)(void) = apply; int count = 1;'
file a/apply 'extern int count; extern void (*const row)(void); void apply(void) { if (count) row(); }'
expect 'data' 'circle of calls: a/apply a/table' '    a/apply -> a/table: count, row' '    a/table -> a/apply: apply'

file a/one 'static void same(void) {} void one(void) { same(); }'
file a/two 'void one(void); static void same(void) { one(); } void two(void) { same(); }'
expect 'static functions of one name'

file a/sum_kernel_wide 'void sum_narrow(void); void sum_wide(void) { sum_narrow(); }'
file a/sum_kernel_narrow 'void sum_wide(void); void sum_narrow(void) { sum_wide(); }'
file a/sum 'void sum_wide(void); void sum(void) { sum_wide(); }'
expect 'kernel of two widths'

file a/sum_kernel_wide 'void sum(void); void sum_wide(void) { sum(); }'
file a/sum 'void sum_wide(void); void sum(void) { sum_wide(); }'
expect 'kernel and its caller' 'circle of calls: a/sum a/sum_kernel' '    a/sum -> a/sum_kernel: sum_wide' \
    '    a/sum_kernel -> a/sum: sum'

[ "$failed" -eq 0 ] && echo "checks: calls: every planted circle is found"
exit $failed
