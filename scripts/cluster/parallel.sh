#!/bin/sh
# kane batch by GNU parallel, on this machine or on those of PARALLEL_OPTIONS ("-S node1,node2"); then the merge.
# usage: parallel.sh DIR|FILE.bvh... -o OUT [OPTION of kane batch...]
#
# Tasks run one a processor, so give -j 1; they take 30 s or more unless --chunks N says how many there are. KANE names
# the program. A call that is stopped goes on where it was. At the end it says how many clips there are and how many
# failed, in all; exit code 1 where any did.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v parallel >/dev/null || { echo "parallel.sh: GNU parallel is not installed" >&2; exit 2; }
. "$here/list.sh"
# -q: parallel joins the words for a shell; paths must stay words.
# shellcheck disable=SC2086 # options are meant to fall into words
seq "$TASKS" | parallel --will-cite -q ${PARALLEL_OPTIONS:-} --workdir "$PWD" "$here/task.sh" "$LIST" {}
[ -z "$MERGE" ] || "$here/task.sh" "$LIST" "$MERGE"
total=$("$KANE" query "$OUT/index.db" --format tsv --sql \
    "SELECT (SELECT count(*) FROM clip), (SELECT count(*) FROM failure)" | tail -n 1)
failed=${total#*"	"}
echo "parallel.sh: ${total%"	"*} clips, $failed failed"
[ "$failed" = 0 ]
