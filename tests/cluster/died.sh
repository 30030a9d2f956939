#!/bin/sh
# A library in 64 shards, three of which are killed, repeated and merged twice: the index and the clip files are those of
# one call. Runs the shared recordings, else the sample clips.
# usage: tests/cluster/died.sh KANE [SHARDS]
set -u
KANE=$(realpath "$1")
shards=${2:-64}
TOP=$(cd "$(dirname "$0")/../.." && pwd)
clips=$(realpath "${KANE_SHARED:-$TOP/../shared}")/mocap
[ -d "$clips" ] || clips=$TOP/data
parallel --version 2>/dev/null | grep -q GNU || { echo "died: skipped: no GNU parallel"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "died: FAILED: $1" >&2; exit 1; }
cd "$work" || exit 1
mkdir takes
cp "$clips"/*.bvh takes
dump() { "$TOP/tests/faults/index_dump.py" "$1"; }

"$KANE" batch takes -o one 2>/dev/null
"$KANE" batch --list --chunks "$shards" takes -o out -j 1 >list 2>/dev/null
[ "$(wc -l <list)" -eq $((shards + 1)) ] || fail "no list of $shards shards and a merge"

# Killed as soon as a clip file is begun; without one, after a second.
killed=0
for number in $(seq "$shards"); do
    [ "$killed" -lt 3 ] || break
    sh -c "exec $(sed -n "${number}p" list)" 2>/dev/null &
    for _ in $(seq 50); do
        [ -n "$(find out -name '[0-9]*' -path '*.kane-batch*' -type f 2>/dev/null)" ] && break
        kill -0 $! 2>/dev/null || break
        sleep 0.02
    done
    kill -9 $! 2>/dev/null && killed=$((killed + 1))
    wait $! 2>/dev/null
done
[ "$killed" -eq 3 ] || fail "$killed shards were killed"

head -n "$shards" list | parallel --will-cite -j 2 2>/dev/null
merge=$(tail -n 1 list)
sh -c "$merge" 2>/dev/null || fail "the merge"
dump out/index.db >out.dump
dump one/index.db >one.dump
cmp one.dump out.dump || fail "the index differs from that of one call"
sh -c "$(head -n 1 list) --redo" 2>/dev/null
sh -c "$merge" 2>/dev/null && sh -c "$merge" 2>/dev/null || fail "merging again"
dump out/index.db | cmp one.dump - || fail "repeating a shard and merging twice changed the index"
for file in one/*.h5; do cmp "$file" "out/${file#one/}" || fail "clip files differ"; done
echo "died: $(find takes -name '*.bvh' | wc -l) clips in $shards shards, 3 of them killed: index and clip files equal one call's"
