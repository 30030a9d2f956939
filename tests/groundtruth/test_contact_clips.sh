#!/bin/sh
# Estimated contact on real clips of many origins: tests/groundtruth/contact_table.py --check over ../shared/mocap.
# usage: tests/groundtruth/test_contact_clips.sh KANE
set -u
shared=${KANE_SHARED:-../shared}
[ -d "$shared/mocap" ] || { echo "contact on real clips: skipped, no $shared/mocap"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" batch "$shared"/mocap/*.bvh --store full -o "$work" 2>"$work/messages" || { cat "$work/messages"; exit 1; }
find "$work" -name '*.h5' | sort | xargs "$(dirname "$0")/contact_table.py" --check
