#!/bin/sh
# Runs kane batch with GNU parallel, on this machine or on those of PARALLEL_OPTIONS ("-S node1,node2"), then merges.
# usage: parallel.sh DIR|FILE.bvh... -o OUT [OPTION of kane batch...]
#
# Runs one task per processor, so pass -j 1. Tasks take 30 s or more unless --chunks N sets their number. KANE is the
# program to run. An interrupted call resumes. Prints the number of clips and of failed clips at the end; exit code 1 if
# any failed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v parallel >/dev/null || { echo "parallel.sh: GNU parallel is not installed" >&2; exit 2; }
. "$here/list.sh"
# -q: parallel passes its arguments through a shell; this keeps paths as single words.
# shellcheck disable=SC2086 # options are split into words
seq "$TASKS" | parallel --will-cite -q ${PARALLEL_OPTIONS:-} --workdir "$PWD" "$here/task.sh" "$LIST" {}
[ -z "$MERGE" ] || "$here/task.sh" "$LIST" "$MERGE"
total=$("$KANE" query "$OUT/index.db" --format tsv --sql \
    "SELECT (SELECT count(*) FROM clip), (SELECT count(*) FROM failure)" | tail -n 1)
failed=${total#*"	"}
echo "parallel.sh: ${total%"	"*} clips, $failed failed"
[ "$failed" = 0 ]
