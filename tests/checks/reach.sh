#!/bin/sh
# Checks that each function of analysis/ is reachable from a command of kane, or listed with a reason in
# tests/checks/unreached.tsv. Built without inlining and with one section per function, so that the linker discards
# unreferenced functions.
# usage: LIBS=... tests/checks/reach.sh BUILD [CC]   (from the top of the project; BUILD by `make reach`)
set -u
build=$1
cc=${2:-cc}
exceptions=tests/checks/unreached.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An unreferenced function, to check that such are found.
mkdir -p "$work/analysis"
printf 'int planted_nowhere(void);\nint planted_nowhere(void) { return 1; }\n' >"$work/analysis/planted.c"
$cc -O0 -ffunction-sections -c -o "$work/analysis/planted.o" "$work/analysis/planted.c" || exit 2

# shellcheck disable=SC2046,SC2086 # objects and flags are words
$cc -o "$work/kane" $(find "$build/analysis" "$build/formats" "$build/pipeline" "$build/data" -name '*.o') \
    "$work/analysis/planted.o" -Wl,--gc-sections,--print-gc-sections $LIBS 2>"$work/removed" || {
    grep -v 'removing unused section' "$work/removed" | head -n 20
    exit 2
}

# "file function" of each function defined in a .c file itself, not in a header.
sed -n "s/.*removing unused section '\.text\.\([A-Za-z0-9_]*\)' in file '.*\(analysis\/.*\)\.o'.*/\2 \1/p" "$work/removed" |
    sed 's/_kernel_[a-z0-9]* /_kernel /' | sort -u >"$work/sections"
while read -r file name; do
    source=$file.c
    [ "$file" = analysis/planted ] && source=$work/analysis/planted.c
    grep -qE "^[A-Za-z].*[ *]$name\\(" "$source" && ! grep -qE "^static .*[ *]$name\\(" "$source" && echo "$name $file"
done <"$work/sections" | sort >"$work/unreached"
grep -v '^planted_nowhere ' "$work/unreached" >"$work/found"
if [ "$(wc -l <"$work/found")" -eq "$(wc -l <"$work/unreached")" ]; then
    echo "reach: a planted error is not found: the check does not work"
    exit 2
fi

sed 1d "$exceptions" | cut -f 1 | sort >"$work/argued"
cut -d ' ' -f 1 "$work/found" | sort >"$work/names"
status=0
for name in $(comm -23 "$work/names" "$work/argued"); do
    echo "reach: $(grep "^$name " "$work/found" | cut -d ' ' -f 2).c: no command reaches $name"
    status=1
done
for name in $(comm -13 "$work/names" "$work/argued"); do
    echo "reach: $exceptions: $name is reached or no longer exists"
    status=1
done
[ $status -eq 0 ] && echo "reach: every function of analysis/ is reached by a command, except $(wc -l <"$work/argued") with a stated reason"
exit $status
