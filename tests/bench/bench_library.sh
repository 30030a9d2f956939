#!/bin/sh
# The headline of README.md on the sample clips: `kane batch`, with contact, error bars and index, on COPIES of each of
# walk, squat and jump, written to disk, by two workers. Prints rows `name value unit`.
# usage: tests/bench/bench_library.sh KANE [COPIES]     from the top of the project
set -eu
kane=$(realpath "$1") copies=${2:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/clips"
for i in $(seq "$copies"); do
    for name in walk squat jump; do cp "data/$name.bvh" "$work/clips/$name$i.bvh"; done
done
said=$("$kane" batch "$work/clips" -j 2 -o "$work/out" 2>&1 | tail -n 1)
echo "$said" | sed -n 's/.* \([0-9]*\) frames in \([0-9.]*\) s, \([0-9]*\) frames\/s.*/batch_sample_frames \1 1\nbatch_sample_s \2 s\nbatch_sample_frames_per_s \3 1\/s/p'
