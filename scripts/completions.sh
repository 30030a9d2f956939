#!/bin/sh
# Shell completion for kane's commands, options and values, from the program's tables.
# usage: scripts/completions.sh bash|zsh KANE      EMULATOR runs a program of another processor
# shellcheck disable=SC2086 # the emulator has arguments
set -eu
shell=$1 kane=$2
here=$(dirname "$0")

# Rows `command summary` and `command option argument help`, tab-separated.
${EMULATOR:-} "$kane" --complete | while IFS="$(printf '\t')" read -r command summary; do
    printf '%s\t%s\n' "$command" "$summary"
    ${EMULATOR:-} "$kane" "$command" --complete | sed "s/^/$command	/"
done | LC_ALL=C awk -v shell="$shell" -f "$here/completions.awk"
