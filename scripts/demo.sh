#!/bin/sh
# The whole chain on the clips of data/, and three questions to the index.
# usage: scripts/demo.sh [BUILD]      (from the top of the project; writes BUILD/demo)
set -eu
build=${1:-build}
kane=$build/kane
out=$build/demo

say() { printf '\n$ %s\n' "$*"; }
ask() { say kane query "$out/index.db" "$@"; "$kane" query "$out/index.db" "$@"; }

say kane batch data -o "$out"
"$kane" batch data -o "$out"

echo
echo "Which clips load a knee most, in newton metres for each kilogram of body?"
ask --columns path,left_knee_torque_peak_nm_kg,right_knee_torque_peak_nm_kg \
    --order "left_knee_torque_peak_nm_kg DESC" "left_knee_torque_peak_nm_kg IS NOT NULL"

echo
echo "Which clips are hardest, and when?"
ask @hardest

echo
echo "Where are the peaks of torque?"
ask @peaks --limit 5

echo
echo "The containers lie in $out; look into one with: $kane info $out/$(ls "$out" | grep -m 1 'h5$')"
