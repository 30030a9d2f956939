#!/bin/sh
# Torques under other names, orders of joints, axes and headings: three clips of three families, or with `all` ten clips
# under all changes (tests/evidence/rename_clips.py). Turned about up: also clips without a path, on hands and on a
# saddle (tests/evidence/make_clips.py). Skipped without the shared files.
# usage: tests/evidence/renamed.sh KANE [all]
set -eu
mocap=${KANE_SHARED:-../shared}/mocap
if [ ! -d "$mocap" ]; then
    echo "skipped: no shared files"
    exit
fi
kane=$1
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
compare() { python3 tests/evidence/rename_clips.py compare "$kane" "$@"; }

# make_turned BASE KIND...: a clip of each kind.
make_turned() {
    base=$1
    shift
    for kind in "$@"; do
        python3 tests/evidence/make_clips.py "$kind" "$mocap/$base.bvh" > "$made/$base-$kind.bvh"
    done
}

make_turned cmu_cgspeed__02_03 treadmill in-place
make_turned xsens_style__mova_A_test bear cycling
if [ "${2:-}" = all ]; then
    make_turned xsens_style__mova_A_test push-up crab handstand side-plank bicycle
    make_turned mass__mass_walk treadmill in-place bear cycling sitting
    make_turned axis_neuron__milad bear cycling push-up crab sitting
    make_turned cmu_cgspeed__02_03 bear cycling push-up kneeling
    compare yaw,yaw-90,yaw-211.5 "$made"/*.bvh "$mocap"/*.bvh
    # The root of makehuman__mh_walk1 does not translate: no lean can be seen.
    set -- data/walk.bvh "$mocap/cmu_cgspeed__02_03.bvh" "$mocap/bandai__dataset-1_walk_normal_001.bvh" \
        "$mocap/games105__walk60.bvh" "$mocap/mass__mass_walk.bvh" "$mocap/cmu_iclone__007_12.bvh" \
        "$mocap/kinect_mae__ah_cut_01.bvh" "$mocap/parser_fixture__test_mocapbank.bvh" "$mocap/animdraw__dab.bvh"
    compare tilt "$@"
    compare all "$@" "$mocap/makehuman__mh_walk1.bvh"
else
    set -- "$mocap/cmu_cgspeed__02_03.bvh" "$mocap/bandai__dataset-1_walk_normal_001.bvh" "$mocap/mass__mass_walk.bvh"
    compare yaw-211.5 "$@" "$made"/*.bvh
    compare german,chinese,random+shuffle+mirror+yaw,exchanged,mirror-kept,z-up,tilt "$@"
fi
