#!/bin/sh
# Runs a benchmark and appends its rows `name value unit` to a table, all or none: date, commit, machine, name, value,
# unit. A machine with other load is recorded as busy: its results are too low.
# usage: tests/bench/record.sh TABLE COMMAND...      from the top of the project
set -eu
table=$1
shift
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
date=$(date -u +%Y-%m-%d)
commit=$(git describe --always --abbrev=7 --dirty --match ' ' 2>/dev/null || echo none)
cores=$(nproc)
machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1 | tr -s '\t ' ' '), $cores cores"
load=$(cut -d ' ' -f 1 /proc/loadavg)
if awk -v load="$load" -v cores="$cores" 'BEGIN { exit !(load > cores / 2) }'; then
    machine="$machine, busy"
    echo "record: the machine is busy (load $load): figures will be too low" >&2
fi

"$@" > "$rows"
awk -v date="$date" -v commit="$commit" -v machine="$machine" -v OFS='\t' '
    NF != 3 || $2 + 0 != $2 { print "record: no row `name value unit`: " $0 > "/dev/stderr"; bad = 1; next }
    { print date, commit, machine, $1, $2, $3 }
    END { exit bad || NR == 0 }' "$rows" > "$rows.table" || { rm -f "$rows.table"; exit 1; }
cat "$rows.table" >> "$table"
echo "record: $(wc -l < "$rows.table") rows appended to $table"
rm -f "$rows.table"
