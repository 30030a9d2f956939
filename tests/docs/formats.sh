#!/bin/sh
# docs/formats.md names every table and column of an index, of kane_frames and of the exports, and no others of an index.
# usage: tests/docs/formats.sh KANE      (containers: tests/docs/test_formats.c)
set -eu
kane=$(realpath "$1")
top=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "docs/formats.md: $1" | tee -a failed >&2; }

# rows HEADING: the names in backticks that begin the rows under "### HEADING" or "## HEADING", a line each.
rows() {
    awk -v heading="$1" '/^##/ {sub(/^#+ /, ""); here = $0 == heading; next} here && /^\| `/ {split($0, part, "`"); print part[2]}' \
        "$top/docs/formats.md"
}
# same HEADING WHAT < names: the rows are these names, in any order.
same() {
    sort > has
    rows "$1" | sort > told
    for name in $(comm -23 has told); do fail "$2 $name has no row under \"$1\""; done
    for name in $(comm -13 has told); do fail "\"$1\": there is no $2 $name"; done
}
# told HEADING WHAT < names: each has a row, or stands in backticks in one.
told() {
    awk -v heading="$1" '/^##/ {sub(/^#+ /, ""); here = $0 == heading} here' "$top/docs/formats.md" > part
    while read -r name; do grep -qF "\`$name\`" part || fail "$2 $name is not under \"$1\""; done
}
# header < CSV: the names of its columns, a line each.
header() { head -n 1 | tr -d '\r' | tr , '\n'; }

"$kane" batch "$top/data/walk.bvh" -o out 2>/dev/null
clip=$(echo out/*.h5)
sqlite3 out/index.db "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'clip_text_%' AND name NOT LIKE 'sqlite%'" > tables
roles=$(sqlite3 out/index.db "SELECT group_concat(DISTINCT substr(meaning, 1, instr(meaning, ': ') - 1)) FROM column_doc
    WHERE table_name = 'window' AND meaning LIKE '%: %'" | tr ',' '|')
# Unit and meaning are those of column_doc, and no column is without.
sqlite3 -separator '|' out/index.db "SELECT '| \`' || column_name || '\` | ' || unit || iif(unit = '', '', ' ') || '| ' ||
    meaning || ' |' FROM column_doc WHERE table_name <> 'clip_summary' AND meaning NOT LIKE '%: largest%'
    AND NOT (table_name = 'window' AND meaning LIKE '%: %')" | while read -r row; do
    grep -qF -- "$row" "$top/docs/formats.md" || fail "no row $row"
done
sqlite3 out/index.db "SELECT l.name || '.' || i.name FROM pragma_table_list l, pragma_table_info(l.name) i WHERE
    l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite%' AND NOT EXISTS (SELECT 1 FROM column_doc WHERE
    table_name = l.name AND column_name = i.name AND meaning <> '')" > mute
while read -r column; do fail "column_doc says nothing of $column"; done < mute
while read -r table; do
    columns=$(sqlite3 out/index.db "SELECT name FROM pragma_table_info('$table')")
    if [ "$table" = clip_summary ]; then
        # figures of clip stand there, and those of joint_stat once a role
        figures=$(rows joint_stat | grep _)
        for column in $columns; do
            case $column in torque_*) echo "$column"; continue ;; esac
            rows clip | grep -qx "$column" && [ "$(rows clip_summary | grep -cx "$column")" -eq 0 ] && continue
            is_figure=0
            for figure in $figures; do [ "${column%_"$figure"}" = "$column" ] || is_figure=1; done
            [ "$is_figure" -eq 1 ] || echo "$column"
        done | { cat; echo '<role>_<figure>'; } | same clip_summary column
    elif [ "$table" = window ]; then
        echo "$columns" | sed -E "s/^($roles)_/<role>_/" | awk '!seen[$0]++' | same window column
    else
        echo "$columns" | same "$table" column
    fi
done < tables
grep -qx clip_summary tables || fail "the index has no table clip_summary"

"$kane" query out/index.db --format csv --sql "SELECT * FROM kane_frames('${clip#out/}') LIMIT 1" | header |
    told "Frames as a table: kane_frames" column
long="Tables in long form: csv, tsv, jsonl"
"$kane" export --format csv "$clip" -o - | header | told "$long" column
"$kane" import "$top/data/walk.bvh" 2>/dev/null | "$kane" export --format csv - -o - | header | told "$long" column
forces="Ground forces: --grf, and OpenSim's mot"
"$kane" export --grf --format csv "$clip" -o - | header | told "$forces" column
"$kane" export --format mot "$clip" -o - | sed -n '/endheader/{n;p;q}' | tr '\t' '\n' | told "$forces" column
for form in $("$kane" export --help | sed -n 's/.*--format=auto|\([a-z|]*\).*/\1/p' | tr '|' ' '); do
    grep -qE "^###.*\b($form|$(echo "$form" | tr '[:lower:]' '[:upper:]'))\b" "$top/docs/formats.md" || fail "no heading names the form $form"
done

# Columns of tables that a person writes: those that the help of the options names.
for verb in run query retarget torque; do "$kane" $verb --help; done | tr -s '\n ' ' ' > help
for columns in "time joint fx fy fz px py pz tx ty tz" "name kind joint_a ax ay az joint_b bx by bz stiffness damping rest" \
    "role roll_min roll_max pitch_min pitch_max yaw_min yaw_max" "target source weight"; do
    grep -qF "$columns" help || fail "no option has a table of the columns $columns"
    grep -qF "\`$columns\`" "$top/docs/formats.md" || fail "no table has the columns $columns"
done
[ ! -e failed ] || exit 1
echo "docs/formats.md: index, kane_frames, exports and tables as they are"
