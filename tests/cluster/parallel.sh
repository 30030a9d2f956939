#!/bin/sh
# kane batch by GNU parallel: containers and index equal those of one call.
# usage: tests/cluster/parallel.sh KANE
set -u
KANE=$(realpath "$1")
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export KANE
parallel --version 2>/dev/null | grep -q GNU || { echo "parallel: skipped: no GNU parallel"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "parallel: FAILED: $1" >&2; exit 1; }

mkdir "$work/it's \$HOME; 5%" && cd "$work/it's \$HOME; 5%" || exit 1
mkdir takes
i=0
while [ $((i += 1)) -le 12 ]; do
    awk -v i="$i" 'motion {$1 += i} /^Frame Time/ {motion = 1} {print}' "$TOP/tests/cli/squat.bvh" >"takes/take $i.bvh"
done
sed 's/ 92 / nan /' "$TOP/tests/cli/squat.bvh" >takes/broken.bvh
"$KANE" batch takes -o one -j 1 2>/dev/null
PARALLEL_OPTIONS="-j 2" "$TOP/scripts/cluster/parallel.sh" takes -o "out \$(touch run)" -j 1 --chunks 4 >log 2>&1 || { cat log >&2; fail "exit code"; }
for file in one/*.h5; do cmp "$file" "out \$(touch run)/${file#one/}" || fail "containers differ"; done
[ ! -e run ] || fail "a path was run"
mv 'out $(touch run)' out
for side in one out; do
    "$KANE" query $side/index.db --format tsv --sql "SELECT * FROM clip_summary ORDER BY 1" >$side.dump
    "$KANE" query $side/index.db --format tsv --sql "SELECT * FROM failure" >>$side.dump
done
cmp one.dump out.dump || fail "the indexes differ"
[ "$(wc -l <out.dump)" -eq 15 ] || fail "$(wc -l <out.dump) rows"
echo "parallel: 13 files in 4 tasks and a merge: index and containers equal one call's, and one failure"
