#!/bin/sh
# Cost of a growing library, as rows `name value unit`: docs/performance.md "How cost grows". Synthetic clips with the
# statistics of the sample clips, trimmed to 135 frames, each with a different load, in four indexes that are merged.
# usage: tests/bench/bench_library.sh KANE MADE_LIBRARY FOLDER [CLIPS...]   (default 1000 10000; 100000 takes 5 GB)
# FOLDER is kept: existing indexes are used again.
set -eu
kane=$(realpath "$1") made=$(realpath "$2") folder=$3
shift 3
[ $# -gt 0 ] || set -- 1000 10000
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/bench/timing.sh"
mkdir -p "$folder/takes"
cd "$folder"

for name in walk jump; do
    awk '/^Frames:/ {if ($2 > 135) $2 = 135} motion && n++ >= 135 {next} {print} /^Frame Time/ {motion = 1}' \
        "$top/data/$name.bvh" > "takes/$name.bvh"
done
"$kane" batch takes -o containers 2>/dev/null

# timed NAME COMMAND...: wall time, CPU time and peak memory of a command, whatever its output.
timed() {
    name=$1
    shift
    /usr/bin/time -o time.txt -f '%e %U %S %M' "$@" > /dev/null 2>&1 || true
    row "$name"_s "$(tail -n 1 time.txt | cut -d ' ' -f 1)" s
    row "$name"_cpu_s "$(tail -n 1 time.txt | awk '{print $2 + $3}')" s
    row "$name"_mb "$(tail -n 1 time.txt | awk '{print $4 / 1024}')" MB
}

# ask NAME QUESTION: the argument of a preset is a separate word.
ask() {
    name=$1 question=$2
    case $question in @*\ *) set -- "${question%% *}" "${question#* }" ;; *) set -- "$question" ;; esac
    "$kane" query "merged_$clips.db" "$@" --limit 10 > /dev/null 2>&1 || true # warm cache
    timed "query_${name}_$clips" "$kane" query "merged_$clips.db" "$@" --limit 10
}

for clips; do
    shards=
    for shard in 0 1 2 3; do
        [ -f "made_$clips.$shard.db" ] ||
            "$made" "made_$clips.$shard.db" $((clips / 4)) $((clips / 4 * shard)) containers/*.h5
        shards="$shards made_$clips.$shard.db"
    done
    rm -f "merged_$clips.db" "merged_$clips.db.batch"
    timed "merge_$clips" "$kane" merge "merged_$clips.db" $shards
    timed "merge_again_$clips" "$kane" merge "merged_$clips.db" $shards
    row "bytes_a_clip_$clips" $(($(stat -c %s "merged_$clips.db") / clips)) B
    timed "add_one_first_$clips" "$kane" index "merged_$clips.db" containers/jump.bvh.h5
    timed "remove_one_$clips" "$made" "merged_$clips.db" 0 2 containers/jump.bvh.h5
    for question in @hardest @peaks @jumps "@within left_knee=1,right_knee=1" "@over left_knee=3" \
        "@similar show001/take000001.bvh.h5" "left_knee_torque_peak_nm_kg > 3"; do
        name=$(echo "$question" | sed 's/^@//; s/ .*//; s/^left_knee.*/where/')
        ask "$name" "$question"
    done
done
