#!/bin/sh
# Torques under other names, orders of joints and axes: three clips of three families, or with `all` ten clips under all
# changes (tests/evidence/rename_clips.py). Skipped without the shared files.
# usage: tests/evidence/renamed.sh KANE [all]
set -eu
mocap=${KANE_SHARED:-../shared}/mocap
compare() { python3 tests/evidence/rename_clips.py compare "$@"; }
if [ ! -d "$mocap" ]; then
    echo "skipped: no shared files"
elif [ "${2:-}" = all ]; then
    # The root of makehuman__mh_walk1 does not translate: no lean can be seen.
    set -- "$1" data/walk.bvh "$mocap/cmu_cgspeed__02_03.bvh" "$mocap/bandai__dataset-1_walk_normal_001.bvh" \
        "$mocap/games105__walk60.bvh" "$mocap/mass__mass_walk.bvh" "$mocap/cmu_iclone__007_12.bvh" \
        "$mocap/kinect_mae__ah_cut_01.bvh" "$mocap/parser_fixture__test_mocapbank.bvh" "$mocap/animdraw__dab.bvh"
    kane=$1
    shift
    compare "$kane" tilt "$@"
    compare "$kane" all "$@" "$mocap/makehuman__mh_walk1.bvh"
else
    compare "$1" german,chinese,random+shuffle+mirror+yaw,exchanged,mirror-kept,z-up,tilt "$mocap/cmu_cgspeed__02_03.bvh" \
        "$mocap/bandai__dataset-1_walk_normal_001.bvh" "$mocap/mass__mass_walk.bvh"
fi
