#!/bin/sh
# Presets of kane query on an index of many synthetic clips, made from the sample clips, as rows `name value unit`: the
# median of nine runs, with the least and the most; bytes a clip; the merge of eight shards.
# usage: tests/bench/bench_presets.sh KANE SYNTHETIC_LIBRARY [CLIPS]     (default 10000; writes to TMPDIR)
set -eu
kane=$(realpath "$1") library=$(realpath "$2") clips=${3:-10000}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/var/tmp}/kane-presets.XXXXXX")
trap 'rm -rf "$work"' EXIT
. "$top/tests/bench/timing.sh"

for name in walk squat jump; do "$kane" run -q "$top/data/$name.bvh" -o "$work/$name.h5"; done
"$library" "$work/index.db" "$clips" 0 "$work"/*.h5 >/dev/null
row "presets_${clips}_bytes_per_clip" "$(ratio "$(stat -c %s "$work/index.db")" "$clips")" B

for preset in '@hardest' '@peaks' '@jumps' '@within left_knee=2.5,right_knee=2.5' '@over left_knee=1' "@similar $work/walk.h5"; do
    for _ in 1 2 3 4 5 6 7 8 9; do
        # shellcheck disable=SC2086
        seconds "$kane" query "$work/index.db" $preset --limit 20
    done | sort -g >"$work/seconds"
    name=$(echo "${preset%% *}" | tr -d @)
    row "preset_${name}_${clips}_s" "$(sed -n 5p "$work/seconds")" s
    row "preset_${name}_${clips}_least_s" "$(sed -n 1p "$work/seconds")" s
    row "preset_${name}_${clips}_most_s" "$(sed -n 9p "$work/seconds")" s
done

for shard in 1 2 3 4 5 6 7 8; do
    "$library" "$work/index.$shard-of-8.db" $((clips / 8)) $((shard * clips / 8)) "$work"/*.h5 >/dev/null
done
row "merge_8_shards_${clips}_clips_s" "$(seconds "$kane" merge "$work/merged.db" "$work"/index.*-of-8.db)" s
