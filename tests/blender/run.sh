#!/bin/sh
# Tests the add-on of scripts/blender in Blender without a window: tests/blender/run.sh KANE ADDON.zip
set -eu
[ $# -eq 2 ] || { echo "usage: tests/blender/run.sh KANE ADDON.zip" >&2; exit 2; }
command -v blender >/dev/null || { echo "blender add-on: skipped: Blender is not installed"; exit 0; }
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
kane=$(realpath "$1") addon=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/clips"
cp "$top/data/walk.bvh" "$top/data/jump.bvh" "$work/clips/"
"$kane" batch "$work/clips" -o "$work/library" 2>/dev/null
"$kane" import "$top/data/walk.bvh" -o "$work/bare.h5" 2>/dev/null
cat > "$work/scene.xml" <<'END'
<mujoco><worldbody><geom type="plane" size="0 0 1"/>
<body name="box" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.05" rgba="1 0 0 1"/></body>
<body name="ball" pos="0.6 0 1"><freejoint/><geom type="sphere" size="0.1"/></body></worldbody></mujoco>
END
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\ns\taxial\tbox\t0\t0\t0\tball\t0\t0\t0\t50\t0\t0.4\n' > "$work/spring.tsv"
"$kane" simulate "$work/scene.xml" --springs "$work/spring.tsv" --duration 1 --fps 50 -o "$work/scene.h5" -q
mkdir "$work/real"
for clip in "${KANE_SHARED:-$top/../shared}"/mocap/*.bvh; do
    [ -e "$clip" ] || { echo "blender add-on: real clips: skipped: there are none"; break; }
    "$kane" run --contact-method none "$clip" -o "$work/real/$(basename "$clip" .bvh).h5" 2>/dev/null || true
done
BLENDER_USER_SCRIPTS=$work/user blender -b --factory-startup --python-exit-code 1 \
    --python "$here/test_addon.py" -- "$addon" "$kane" "$work" > "$work/log" 2>&1 && code=0 || code=$?
grep '^blender add-on:' "$work/log" || tail -n 80 "$work/log"
[ "$code" -eq 0 ] || sed -n '/^FAIL\|^ERROR/,$p' "$work/log"
exit "$code"
