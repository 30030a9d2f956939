#!/bin/sh
# kane batch with Snakemake: clip files and index equal those of one call, and a failing clip does not stop the others.
# usage: tests/cluster/snakemake.sh KANE
set -u
KANE=$(realpath "$1")
TOP=$(cd "$(dirname "$0")/../.." && pwd)
command -v snakemake >/dev/null || { echo "snakemake: skipped: no snakemake"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "snakemake: FAILED: $1" >&2; exit 1; }

mkdir "$work/it's 5%" && cd "$work/it's 5%" || exit 1
mkdir takes
i=0
while [ $((i += 1)) -le 6 ]; do
    awk -v i="$i" 'motion {$1 += i} /^Frame Time/ {motion = 1} {print}' "$TOP/tests/cli/squat.bvh" >"takes/take $i.bvh"
done
sed 's/ 92 / nan /' "$TOP/tests/cli/squat.bvh" >takes/broken.bvh
"$KANE" batch takes -o one -j 1 --body-mass 62 2>/dev/null
run() { snakemake -s "$TOP/scripts/cluster/Snakefile" --cores 2 "$@" >log 2>&1 || { tail -n 20 log >&2; fail "snakemake"; }; }
run --config source=takes out="out 1" shards=3 kane="$KANE" options="--body-mass 62"
mv "out 1" out
for file in one/*.h5; do cmp "$file" "out/${file#one/}" || fail "clip files differ"; done
for side in one out; do "$TOP/tests/faults/index_dump.py" $side/index.db >$side.dump; done
cmp one.dump out.dump || fail "the indexes differ"
for count in "clip_summary 6" "failure 1"; do
    found=$("$KANE" query out/index.db --format tsv --sql "SELECT count(*) FROM ${count% *}" | tail -n 1)
    [ "$found" = "${count#* }" ] || fail "$found rows in ${count% *}"
done
# A batch that cannot run fails its shard.
snakemake -s "$TOP/scripts/cluster/Snakefile" --cores 1 --config source=none out=none shards=1 kane="$KANE" >log 2>&1 &&
    fail "it's 5% that does not exist is no success"
echo "snakemake: 7 files in 3 shards and a merge: index and clip files equal one call's, and one failure"
