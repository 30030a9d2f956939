#!/bin/sh
# Completion of kane's verbs, options and their values, out of the tables of the program.
# usage: scripts/completions.sh bash|zsh KANE
set -eu
shell=$1 kane=$2
here=$(dirname "$0")

# Rows `verb summary` and `verb option argument help`, separated by tabs.
"$kane" --complete | while IFS="$(printf '\t')" read -r verb summary; do
    printf '%s\t%s\n' "$verb" "$summary"
    "$kane" "$verb" --complete | sed "s/^/$verb	/"
done | LC_ALL=C awk -v shell="$shell" -f "$here/completions.awk"
