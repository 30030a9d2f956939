#!/bin/sh
# Runs one line of the output of `kane batch --list`, for a scheduler.
# usage: task.sh LIST NUMBER|array      (array: the task ID of a Slurm array)
# Failed clips are recorded in the index and do not fail the task: only an incomplete batch does.
set -u
number=$2
[ "$number" = array ] && number=$SLURM_ARRAY_TASK_ID
line=$(sed -n "${number}p" "$1")
[ -n "$line" ] || { echo "task.sh: $1 has no line $number" >&2; exit 2; }
report=$(mktemp)
trap 'rm -f "$report"' EXIT
{ sh -c "$line" 2>&1; echo "exit code $?"; } | tee "$report"
code=$(sed -n '$s/^exit code //p' "$report")
[ "$code" = 1 ] && grep -q '^kane batch: [0-9]* done, ' "$report" &&
    ! grep -q '^kane batch: stopped by ' "$report" && code=0
exit "${code:-3}"
