#!/bin/sh
# Checks glTF files of kane with Khronos's validator, in three.js and in Blender: tests/gltf/run.sh KANE BUILD
# The validator is installed by npm from the lockfile beside this script into BUILD/gltf. Clips: the samples of data/,
# one frame, no torques, translating joints, and the clips of $KANE_SHARED/mocap if available.
set -eu
[ $# -eq 2 ] || { echo "usage: tests/gltf/run.sh KANE BUILD" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${KANE_SHARED:-$top/../shared}
kane=$(realpath "$1")
mkdir -p "$2/gltf"
modules=$(realpath "$2/gltf")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# glb NAME CONTAINER: exports it twice and checks that the bytes are equal.
glb() {
    "$kane" export --format glb "$2" -o "$work/$1.glb"
    "$kane" export --format glb "$2" | cmp - "$work/$1.glb"
}

for clip in walk jump; do
    "$kane" run "$top/data/$clip.bvh" -o "$work/$clip.h5" 2>/dev/null
    glb "$clip" "$work/$clip.h5"
done
"$kane" import "$top/data/walk.bvh" -o "$work/bare.h5" 2>/dev/null
glb bare "$work/bare.h5"
"$kane" trim --from 0.5 --to 0.51 "$work/bare.h5" -o "$work/frame.h5" 2>/dev/null
glb frame "$work/frame.h5"
for scene in stack rope; do
    "$kane" simulate "$top/data/scenes/$scene.xml" --duration 0.2 -o "$work/$scene.h5" 2>/dev/null
    glb "$scene" "$work/$scene.h5"
done
for clip in "$shared"/mocap/*.bvh; do
    [ -e "$clip" ] || { echo "gltf: real clips: skipped: no $shared/mocap"; break; }
    name=$(basename "$clip" .bvh)
    if "$kane" run "$clip" -o "$work/real.h5" 2>/dev/null; then glb "$name" "$work/real.h5"; fi
done

if command -v npm >/dev/null && command -v node >/dev/null; then
    cp "$here/package.json" "$here/package-lock.json" "$modules/"
    [ -d "$modules/node_modules/gltf-validator" ] || (cd "$modules" && npm ci --silent --no-audit --no-fund)
    node "$here/validate.cjs" "$modules" "$work"/*.glb > "$work/report" && code=0 || code=$?
    [ "$code" -eq 0 ] || { grep -v ' 0 errors, 0 warnings, .* 0 other notes' "$work/report"; exit 1; }
    echo "gltf: $(grep -c '^gltf:' "$work/report") files without error or warning"
    if CHROMIUM=$("$top/tests/support/chromium.sh"); then
        export CHROMIUM
        "$top/web/report/packages.sh"
        "$kane" export --format glb --all-frames "$work/jump.h5" -o "$work/loaded.glb"
        node "$here/viewer.mjs" "$work/loaded.glb" 0.1 0.84 # the right knee's peak, which is uncertain
    else
        echo "gltf: three.js: skipped: no Chromium"
    fi
else
    echo "gltf: validator: skipped: no node and npm"
fi

if command -v blender >/dev/null; then
    blender -b --factory-startup --python-exit-code 1 --python "$here/open_in_blender.py" -- "$work" walk jump \
        > "$work/log" 2>&1 && code=0 || code=$?
    grep '^gltf:' "$work/log" || tail -n 20 "$work/log"
    exit "$code"
fi
echo "gltf: Blender: skipped: it is not installed"
