#!/bin/sh
# docs/formats/ lists each column of kane_frames and of the exports, each export format, the tables named by options and
# the flags of /trust. tests/docs/reference.py checks the generated parts.
# usage: tests/docs/formats.sh KANE
set -eu
kane=$(realpath "$1")
pages=$(realpath "$(dirname "$0")/../../docs/formats")
data=$(realpath "$(dirname "$0")/../../data")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "docs/formats/$1" | tee -a failed >&2; }

# told PAGE HEADING < names: checks that each is in backticks below the heading.
told() {
    awk -v heading="$2" '/^##/ {sub(/^#+ /, ""); here = $0 == heading} here' "$pages/$1" > part
    while read -r name; do grep -qF "\`$name\`" part || fail "$1: no column $name under \"$2\""; done
}
# header < CSV: the column names, one per line.
header() { head -n 1 | tr -d '\r' | tr , '\n'; }

"$kane" batch "$data/walk.bvh" -o out 2>/dev/null
cp out/*.h5 walk.h5
"$kane" query out/index.db --format csv --sql "SELECT * FROM kane_frames('$(basename out/*.h5)') LIMIT 1" | header > columns
[ -s columns ] || fail "index.md: kane_frames prints nothing"
told index.md "Frames as a table: kane_frames" < columns
long="Tables in long form: csv, tsv, jsonl"
"$kane" export --format csv walk.h5 -o - | header | told exports.md "$long"
"$kane" import "$data/walk.bvh" 2>/dev/null | "$kane" export --format csv - -o - | header | told exports.md "$long"
forces="Ground forces: --grf, and OpenSim's mot"
"$kane" export --grf --format csv walk.h5 -o - | header | told exports.md "$forces"
"$kane" export --format mot walk.h5 -o - | sed -n '/endheader/{n;p;q}' | tr '\t' '\n' | told exports.md "$forces"
for form in $("$kane" export --help | sed -n 's/.*--format=auto|\([a-z|]*\).*/\1/p' | tr '|' ' '); do
    grep -qiE "^##.*\b$form\b" "$pages/exports.md" || fail "exports.md: no heading names the form $form"
done

# Columns of user tables: those named by the help of the options.
for command in run query retarget torque; do "$kane" $command --help; done | tr -s '\n ' ' ' > help
for columns in "time joint fx fy fz px py pz tx ty tz" "name kind joint_a ax ay az joint_b bx by bz stiffness damping rest" \
    "role roll_min roll_max pitch_min pitch_max yaw_min yaw_max" "target source weight"; do
    grep -qF "$columns" help || fail "input_tables.md: no option has a table of the columns $columns"
    grep -qF "\`$columns\`" "$pages/input_tables.md" || fail "input_tables.md: no table has the columns $columns"
done

# Bits of /trust in order.
if command -v ncdump > ncdump; then
    "$(cat ncdump)" -h walk.h5 | sed -n 's/.*[^_]reason:flag_meanings = "\(.*\)" ;/\1/p' | tr ' ' '\n' > has
    awk -F ' *[|] *' '/^\| [0-9]+ \| [a-z_]+ \| / {print $3}' "$pages/clip_file.md" > flags
    cmp -s has flags || fail "clip_file.md: the flags are not those of /trust: $(diff has flags | tr '\n' ' ')"
fi
[ ! -e failed ] || exit 1
echo "docs/formats: exports, kane_frames, input tables and flags as they are"
