#!/bin/sh
# Compares the function names of two programs; those in renamed_functions.tsv under their new names.
# usage: tests/real/same_functions.sh OLD NEW      programs built without inlining, e.g.
#        make BUILD=build-reach CFLAGS="-O0 -ffunction-sections" PAGE= build-reach/kane
set -eu
table=$(dirname "$0")/renamed_functions.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

functions() { nm "$1" | awk '$2 ~ /^[tT]$/ { sub(/\..*/, "", $3); print $3 }' | LC_ALL=C sort -u; }

functions "$1" >"$work/old"
functions "$2" >"$work/new"
grep -v '^#' "$table" >"$work/table"
# The old list with new names; a name of the table that still exists is kept as well.
awk 'FILENAME ~ /new$/ { is_new[$1] = 1; next }
    FILENAME ~ /table$/ { renamed[$1] = renamed[$1] " " $2; next }
    { if (!($1 in renamed) || $1 in is_new) print $1; n = split(renamed[$1], to, " "); for (i = 1; i <= n; i++) print to[i] }' \
    "$work/new" "$work/table" "$work/old" | LC_ALL=C sort -u >"$work/expected"
LC_ALL=C diff "$work/expected" "$work/new" || { echo "same_functions: < only in $1, > only in $2"; exit 1; }
echo "same_functions: $(wc -l <"$work/new") functions, $(wc -l <"$work/table") renamed, the others as before"
