#!/bin/sh
# Checks that two builds of the program (gcc and clang, -O0 and -O3, with sanitizers, x86-64 and arm64) write identical
# clip files. The second takes each vector width in turn, unless KANE_LANES is set.
# usage: tests/real/same_bits.sh [--frames N] KANE_A KANE_B      (from the top of the project)
# With --frames, clips end after N frames.
set -eu
frames=0
[ "$1" != --frames ] || { frames=$2; shift 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shared=${KANE_SHARED:-../shared}
[ -d "$shared/mocap" ] || echo "same bits: skipped the shared clips, which are not here"
find data "$shared/mocap" -maxdepth 1 -name '*.bvh' 2>/dev/null | sort |
    awk -v lanes="${KANE_LANES:-}" '{ print lanes ? lanes : 2 ^ (NR % 4); print }' >"$work/clips"
[ -s "$work/clips" ] || { echo "same bits: no clips" >&2; exit 1; }

# Each clip in its own folder, in parallel.
xargs -d '\n' -P "$(nproc)" -n 2 sh -c '
    own=$(mktemp -d "$0/XXXXXX")
    clip=$own/$(basename "$5")
    if [ "$3" -eq 0 ]; then cp "$5" "$clip"; else
        LC_ALL=C awk -v max="$3" "/^[ \t]*Frames:/ && \$2 + 0 > max + 0 { print \"Frames: \" max; next } !rows || rows++ <= max { print }
            /^[ \t]*Frame Time:/ { rows = 1 }" "$5" >"$clip"
    fi
    "$1" run --force "$clip" -o "$own/a.h5" 2>/dev/null
    KANE_LANES=$4 "$2" run --force "$clip" -o "$own/b.h5" 2>"$own/said" || ! grep -E "Sanitizer|runtime error" "$own/said" >&2 || exit 255
    cmp "$own/a.h5" "$own/b.h5" || { echo "same bits: $5 differs between $1 and $2 with KANE_LANES=$4" >&2; exit 255; }
    rm -r "$own"' "$work" "$1" "$2" "$frames" <"$work/clips"
echo "same bits: $(($(wc -l <"$work/clips") / 2)) clips are equal byte for byte"
