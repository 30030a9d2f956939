#!/bin/sh
# Growth of cost with frames, clips and indexes, as rows `name value unit`: docs/performance.md "How cost grows". Takes
# are copies of one squat of 40 frames and 8 joints at different positions; longer takes repeat the frames of
# data/jump.bvh.
# usage: tests/bench/bench_growth.sh KANE [CLIPS]      (default 4000; works in memory, /dev/shm)
set -eu
kane=$(realpath "$1") clips=${2:-4000}
top=$(cd "$(dirname "$0")/../.." && pwd)
memory=$(mktemp -d /dev/shm/kane-growth.XXXXXX)
trap 'rm -rf "$memory"' EXIT
. "$top/tests/bench/timing.sh"

size() { stat -c %s "$1"; }

for times in 1 4 16 64; do
    awk -v times="$times" '/^Frames:/ {$2 *= times} {print} motion {row[n++] = $0} /^Frame Time/ {motion = 1}
        END {while (--times) for (i = 0; i < n; i++) print row[i]}' "$top/data/jump.bvh" > "$memory/long.bvh"
    frames=$(awk '/^Frames:/ {print $2}' "$memory/long.bvh")
    best 3 "$kane" run "$memory/long.bvh" -o "$memory/long.h5"
    row "run_${frames}_frames_s" "$best" s
    row "container_${frames}_frames_mb" "$(ratio "$(size "$memory/long.h5")" 1e6)" MB
done

for count in $((clips / 20)) $((clips / 4)) "$clips"; do
    mkdir -p "$memory/in"
    for i in $(seq "$count"); do
        [ -f "$memory/in/$i.bvh" ] || awk -v i="$i" 'motion {$1 += i} /^Frame Time/ {motion = 1} {print}' \
            "$top/tests/cli/squat.bvh" > "$memory/in/$i.bvh"
    done
    rm -rf "$memory/out"
    row "batch_${count}_clips_s" "$(seconds "$kane" batch "$memory/in" -o "$memory/out" -j 2)" s
    row "index_${count}_clips_mb" "$(ratio "$(size "$memory/out/index.db")" 1e6)" MB
done
best 3 "$kane" batch "$memory/in" -o "$memory/out" -j 2
row "batch_${clips}_unchanged_s" "$best" s
best 5 "$kane" query "$memory/out/index.db" "left_knee_torque_peak_nm_kg > 0.02" --limit 20
row "query_${clips}_clips_ms" "$(ratio "$best" 0.001)" ms
best 5 "$kane" query "$memory/out/index.db" @peaks
row "query_peaks_${clips}_clips_ms" "$(ratio "$best" 0.001)" ms

rm "$memory/out/index.db"
for shard in 1 2 3 4 5 6 7 8; do
    "$kane" batch "$memory/in" -o "$memory/out" --shard "$shard/8" -j 2 2>/dev/null
done
row "merge_8_indexes_${clips}_clips_s" "$(seconds "$kane" merge "$memory/out/merged.db" "$memory"/out/index.*-of-8.db)" s
