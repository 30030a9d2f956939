#!/bin/sh
# Benchmark of the whole program, as rows `name value unit`: kane run on one long clip, kane batch on a thousand short
# ones, a query of three thousand. Clips are synthetic: a swaying skeleton of 31 joints.
# usage: tests/bench/bench_run.sh KANE      (writes to /dev/shm and to a temporary folder on disk)
set -eu
kane=$(realpath "$1")
memory=$(mktemp -d /dev/shm/kane-bench.XXXXXX)
disk=$(mktemp -d "${TMPDIR:-/var/tmp}/kane-bench.XXXXXX")
trap 'rm -rf "$memory" "$disk"' EXIT

# clip FRAMES SEED: a chain of limbs with 31 joints; each joint rotates by its own sines.
clip() {
    awk -v frames="$1" -v seed="$2" '
    function joint(name, x, y, z) { printf "%s %s\n{\nOFFSET %g %g %g\n", open ? "JOINT" : "ROOT", name, x, y, z
        print open ? "CHANNELS 3 Zrotation Yrotation Xrotation" : "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
        open++ }
    function tip() { print "End Site\n{\nOFFSET 0 -4 8\n}" }
    function close_joints(n) { while (n-- > 0) print "}" }
    BEGIN {
        print "HIERARCHY"; joint("Hips", 0, 0, 0)
        split("Left Right", side, " ")
        for (s = 1; s <= 2; s++) {
            x = s == 1 ? 9 : -9
            joint(side[s] "UpLeg", x, -5, 0); joint(side[s] "Leg", 0, -41, 0); joint(side[s] "Foot", 0, -40, 0)
            joint(side[s] "ToeBase", 0, -6, 13); tip(); close_joints(4)
        }
        joint("Spine", 0, 10, 0); joint("Spine1", 0, 24, 0)
        joint("Neck", 0, 20, 0); joint("Head", 0, 9, 0); tip(); close_joints(2)
        for (s = 1; s <= 2; s++) {
            x = s == 1 ? 1 : -1
            joint(side[s] "Shoulder", 4 * x, 15, 0); joint(side[s] "Arm", 13 * x, 0, 0); joint(side[s] "ForeArm", 28 * x, 0, 0)
            joint(side[s] "Hand", 25 * x, 0, 0); tip()
            for (f = 1; f <= 5; f++) { joint(side[s] "Finger" f, (8 + f) * x, 0, f - 3); tip(); close_joints(1) }
            close_joints(4)
        }
        close_joints(3)
        printf "MOTION\nFrames: %d\nFrame Time: 0.00833333\n", frames
        for (f = 0; f < frames; f++) {
            t = (f + 977 * seed) / 120
            printf "%.4f %.4f %.4f", 20 * sin(t), 93 + 2 * sin(6 * t), 10 * sin(0.7 * t)
            for (j = 0; j < 31; j++)
                printf " %.4f %.4f %.4f", 12 * sin(t * (1 + j % 5) + j), 9 * sin(1.3 * t + 2 * j), 15 * sin(0.9 * t * (1 + j % 3) + 3 * j)
            print ""
        }
    }'
}

. "$(dirname "$0")/timing.sh"

clip 50000 1 > "$memory/long.bvh"
best 5 "$kane" run --contact-method none "$memory/long.bvh" -o "$memory/long.h5"
row run_frames_per_s "$(ratio 50000 "$best")" 1/s
best 2 "$kane" run --contact-method none "$memory/long.bvh" -o "$disk/long.h5"
row run_to_disk_frames_per_s "$(ratio 50000 "$best")" 1/s
# peak resident size of the process, read while it runs
peak=$(sh -c '"$0" run --contact-method none "$1" -o "$2" 2>/dev/null & pid=$!; peak=0
    while size=$(awk "/VmHWM/ {print \$2}" /proc/$pid/status 2>/dev/null) && [ -n "$size" ]; do
        [ "$size" -gt $peak ] && peak=$size
    done; echo $peak' "$kane" "$memory/long.bvh" "$memory/long.h5")
row run_peak_memory_ratio "$(ratio "$((peak * 1024))" "$(wc -c < "$memory/long.h5")")" 1
rm "$memory/long.bvh" "$memory/long.h5" "$disk/long.h5"

mkdir "$memory/in"
for i in $(seq 1000); do clip $((115 + i * 37 % 41)) "$i" > "$memory/in/clip$i.bvh"; done
frames=$(cat "$memory"/in/*.bvh | awk '/^Frames:/ {n += $2} END {print n}')
batch() { rm -rf "$2" && "$kane" batch --contact-method "${3:-none}" "$memory/in" -o "$2" -j "$1"; }
# alternating, so that other load affects both
for _ in 1 2 3 4 5; do
    seconds batch 1 "$memory/one" >> "$memory/one.seconds"
    seconds batch 2 "$memory/two" >> "$memory/two.seconds"
done
one=$(sort -g "$memory/one.seconds" | head -n 1)
two=$(sort -g "$memory/two.seconds" | head -n 1)
row batch_1_worker_frames_per_s "$(ratio "$frames" "$one")" 1/s
row batch_2_workers_frames_per_s "$(ratio "$frames" "$two")" 1/s
row batch_2_workers_over_1 "$(ratio "$one" "$two")" 1
best 1 batch 2 "$disk/two"
row batch_to_disk_frames_per_s "$(ratio "$frames" "$best")" 1/s
best 3 "$kane" batch --contact-method none "$memory/in" -o "$memory/two" -j 2
row batch_unchanged_ms_per_clip "$best" ms # for a thousand clips: seconds are milliseconds per clip
rm -rf "$memory/one" "$disk/two"
best 1 batch 2 "$memory/estimate" estimate
row batch_with_contact_frames_per_s "$(ratio "$frames" "$best")" 1/s
rm -rf "$memory/estimate"

# three thousand clips: the same clip files under three names
mkdir "$memory/library"
for part in a b c; do cp -r "$memory/two" "$memory/library/$part"; rm "$memory/library/$part"/index.db*; done
"$kane" index "$memory/library/index.db" "$memory/library" 2>/dev/null
best 10 "$kane" query "$memory/library/index.db" \
    "left_knee_torque_peak_nm_kg > 0.02" --order "left_knee_torque_peak_nm_kg DESC" --limit 20
row query_where_3000_clips_ms "$(ratio "$best" 0.001)" ms
