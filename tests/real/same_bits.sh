#!/bin/sh
# Two builds of the program (gcc and clang, -O0 and -O3) must make the same containers.
# usage: tests/real/same_bits.sh KANE_A KANE_B      (from the top of the project)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for clip in data/*.bvh "${KANE_SHARED:-../shared}"/mocap/*.bvh; do
    [ -e "$clip" ] || continue
    "$1" run --force "$clip" -o "$work/a.h5" 2>/dev/null
    "$2" run --force "$clip" -o "$work/b.h5" 2>/dev/null
    cmp "$work/a.h5" "$work/b.h5" || { echo "same bits: $clip differs between $1 and $2" >&2; exit 1; }
    count=$((count + 1))
done
[ -d "${KANE_SHARED:-../shared}/mocap" ] || echo "same bits: skipped the shared clips, which are not here"
echo "same bits: $count clips are equal byte for byte"
