#!/bin/sh
# A retargeted clip, exported as BVH and opened in Blender, has the same joint positions as in kane:
# tests/interop/test_blender.sh KANE CLIP.bvh TARGET.bvh
# Debian's importer opens files in mode "rU", which Python 3.11 removed: a copy of it is patched.
set -eu
[ $# -eq 3 ] || { echo "usage: tests/interop/test_blender.sh KANE CLIP.bvh TARGET.bvh" >&2; exit 2; }
command -v blender >/dev/null || { echo "blender: skipped: it is not installed"; exit 0; }
kane=$(realpath "$1") clip=$(realpath "$2") target=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$kane" import "$clip" 2>/dev/null | "$kane" retarget --to "$target" -o "$work/clip.h5" 2>/dev/null
"$kane" export --format bvh -o "$work/clip.bvh" "$work/clip.h5"
"$kane" kinematics "$work/clip.h5" | "$kane" export --format csv -o "$work/clip.csv"
importer=$(find /usr/share/blender /usr/lib/blender -name import_bvh.py 2>/dev/null | head -n 1)
[ -n "$importer" ] || { echo "blender: skipped: its BVH importer is not installed"; exit 0; }
sed "s/'rU'/'r'/" "$importer" > "$work/bvh_importer.py"
cat > "$work/compare.py" <<'EOF'
import csv, math, sys
sys.path.insert(0, sys.argv[-1])
import bpy
import bvh_importer
from mathutils import Matrix

work = sys.argv[-1]
nodes, frame_time, _ = bvh_importer.read_bvh(bpy.context, work + "/clip.bvh", rotate_mode="NATIVE", global_scale=1.0)
rig = bvh_importer.bvh_node_dict2armature(bpy.context, "clip", nodes, frame_time, rotate_mode="NATIVE", frame_start=1,
                                          IMPORT_LOOP=False, global_matrix=Matrix.Identity(4))
worst, count, frame = 0.0, 0, None
with open(work + "/clip.csv", newline="") as stream:
    for row in csv.DictReader(stream):
        if row["frame"] != frame:
            frame = row["frame"]
            bpy.context.scene.frame_set(int(frame) + 1)
            bpy.context.view_layer.update()
        bone = rig.pose.bones.get(row["joint"])
        if bone is None:
            continue
        here = rig.matrix_world @ bone.head
        p = [100 * float(row["position_world_%s_m" % axis]) for axis in "xyz"]
        off = math.dist(here, p) / (1e-4 + 1e-6 * math.hypot(*p))
        worst, count = max(worst, off), count + 1
print("blender: %d positions, the worst off by %.2f of 1e-4 cm + 1e-6 |p|" % (count, worst))
sys.exit(0 if count and worst <= 1 else 1)
EOF
blender -b --factory-startup --python-exit-code 1 --python "$work/compare.py" -- "$work" > "$work/log" 2>&1 && code=0 || code=$?
grep '^blender:' "$work/log" || tail -n 20 "$work/log"
exit "$code"
