#!/bin/sh
# docs/troubleshooting.md has a row for each flag of /trust, each kind of warning and each kind of finding.
# usage: tests/docs/troubleshooting.sh      from the top of the project
set -eu
page=docs/troubleshooting.md
kinds=$(mktemp)
trap 'rm -f "$kinds"' EXIT
awk -F '|' '$2 ~ /^ [0-9]+ $/ && $3 ~ /^ [a-z_]+ $/ {gsub(/ /, "", $3); print $3}' docs/formats/clip_file.md >"$kinds"
[ "$(wc -l <"$kinds")" -ge 18 ] || { echo "$page: no flags in docs/formats/clip_file.md" >&2; exit 1; }
# The row `kind` of the table warning.
awk '/^### warning/ {on = 1} on && /^\| `kind`/ {print; exit}' docs/formats/index.md | grep -o '`[a-z-]*`' | tr -d '`' | grep -vx 'kind' >>"$kinds"
grep -hoE '(\[FINDING_[A-Z_]*\]|OWN\([A-Z_]*\)) = \{"[a-z-]*"' analysis/*/*.c formats/*/*.c | sed 's/.*"\(.*\)"/\1/' >>"$kinds"
grep -hoE '\{\.name = "plates-[a-z-]*"' pipeline/cli/*.c pipeline/cli/*/*.c | sed 's/.*"\(.*\)"/\1/' >>"$kinds"
[ "$(wc -l <"$kinds")" -ge 80 ] || { echo "$page: only $(wc -l <"$kinds") kinds in the sources" >&2; exit 1; }
failed=0
for kind in $(sort -u "$kinds"); do
    grep -q "^|.*\`$kind\`" "$page" || { echo "$page: no row for \`$kind\`" >&2; failed=1; }
done
[ "$failed" -eq 0 ]
echo "$page: $(sort -u "$kinds" | wc -l) flags, warnings and findings have a row"
