#!/bin/sh
# kane batch with GNU parallel: clip files and index equal those of one call.
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
PARALLEL_OPTIONS="-j 2" "$TOP/scripts/cluster/parallel.sh" takes -o "out \$(touch run)" -j 1 --chunks 4 >log 2>&1 && fail "a failed clip is no success"
grep -qx "parallel.sh: 12 clips, 1 failed" log || { cat log >&2; fail "total"; }
for file in one/*.h5; do cmp "$file" "out \$(touch run)/${file#one/}" || fail "containers differ"; done
[ ! -e run ] || fail "a path was run"
mv 'out $(touch run)' out
for side in one out; do
    "$TOP/tests/faults/index_dump.py" $side/index.db >$side.dump
done
cmp one.dump out.dump || fail "the indexes differ"
for count in "clip_summary 12" "failure 1"; do
    found=$("$KANE" query out/index.db --format tsv --sql "SELECT count(*) FROM ${count% *}" | tail -n 1)
    [ "$found" = "${count#* }" ] || fail "$found rows in ${count% *}"
done
echo "parallel: 13 files in 4 tasks and a merge: index and containers equal one call's, and one failure"
