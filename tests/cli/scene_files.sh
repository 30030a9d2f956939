# glTF: bodies below scales, mirrors and groups, with curves of every kind, against an independent reading; takes; every
# command that reads motion; what is refused.
. "$TESTS/show.sh"

CASES="$TOP/tests/support/scene_gltf.py"
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: Python has no numpy, h5py"; exit; }
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" .
mkdir cases && /usr/bin/python3 "$CASES" write cases

echo '# positions of joints and ends against the independent reading'
for file in cases/*.gl*; do
    [ "$file" != cases/takes.glb ] || continue
    kane import "$file" -o clip.h5 --force -q 2>/dev/null && echo "$(basename "$file"): $(/usr/bin/python3 "$CASES" compare "$file" clip.h5)"
done
for take in 1 2 3; do
    kane import "cases/takes.glb#$take" -o clip.h5 --force -q 2>/dev/null && /usr/bin/python3 "$CASES" compare cases/takes.glb clip.h5 $take
done

echo '# takes'
show 'kane import cases/takes.glb -o made/ -q 2>/dev/null && ls made'
show 'kane import cases/takes.glb --take "take 2" -o named.h5 -q && cmp named.h5 "made/takes#2.h5"'
show 'kane import cases/takes.glb --take 3 -o third.h5 -q && cmp third.h5 "made/takes#3.h5"'
show 'kane import cases/takes.glb --take run -o run.h5'
show 'kane retarget made/takes#1.h5 --to cases/takes.glb -o on.h5'
mkdir library && cp cases/takes.glb cases/plain.glb walk.bvh library
show 'kane batch library -o out 2>/dev/null; ls out/*.h5'
show 'kane batch library -o out'
show 'kane batch library -o second --import-take 2 2>/dev/null; ls second/*.h5'

echo '# commands that read motion'
show 'kane info cases/groups.glb 2>/dev/null | grep -E "^(source|detected|motion|skeleton)|hips|left_knee"'
show 'kane check cases/irregular.glb --ignore sliding,sides,locomotion | grep keys'
show 'kane run cases/plain.glb -o run.h5 -q 2>/dev/null && kane info run.h5 | grep ^motion'
show 'kane thumbnails cases/plain.glb -o picture.png -q 2>/dev/null && test -s picture.png'
show 'kane retarget cases/plain.glb --to walk.bvh -o on_walk.h5 -q 2>/dev/null && kane info on_walk.h5 | grep ^skeleton'
show 'kane retarget walk.bvh --to cases/scale.glb -o on_scale.h5 -q 2>/dev/null && kane info on_scale.h5 | grep ^skeleton'
show 'kane import - -o piped.h5 -q 2>/dev/null < cases/plain.glb && kane info piped.h5 | grep ^source'

echo '# a file that kane writes has the same motion when read back'
for name in walk jump; do
    kane import $name.bvh -o $name.h5 -q && kane export $name.h5 -o $name.glb -q
    kane run $name.bvh -o of_bvh.h5 --force -q 2>/dev/null && kane run $name.glb -o of_glb.h5 --force -q
    /usr/bin/python3 - $name <<'PYTHON'
import sys, h5py, numpy as np
with h5py.File("of_bvh.h5") as a, h5py.File("of_glb.h5") as b:
    for path, bound in (("kinematics/position", 1e-5), ("dynamics/torque", 1e-6)):
        x, y = a[path][:], b[path][:]
        scale = 1 if "position" in path else np.nanmax(np.abs(x))
        print(sys.argv[1], path, "same" if x.shape == y.shape and np.nanmax(np.abs(x - y)) < bound * scale else "differs")
PYTHON
done

echo '# a model without motion is a target, no motion'
/usr/bin/python3 - <<'PYTHON'
import json
gltf = json.load(open("cases/inside.gltf"))
json.dump({**gltf, "animations": []}, open("model.gltf", "w"))
json.dump({**gltf, "asset": {"version": "1.0"}}, open("old.gltf", "w"))
json.dump({**gltf, "buffers": [{"uri": "gone.bin", "byteLength": 9}]}, open("gone.gltf", "w"))
json.dump({**gltf, "buffers": [{"byteLength": 9}]}, open("empty.gltf", "w"))
packed = [{**v, "extensions": {"EXT_meshopt_compression": {"buffer": 0}}} for v in gltf["bufferViews"]]
json.dump({**gltf, "bufferViews": packed}, open("packed.gltf", "w"))
gltf["bufferViews"][-1]["byteLength"] = 8
json.dump(gltf, open("short.gltf", "w"))
gltf["nodes"][5]["children"] = [0]
json.dump(gltf, open("circle.gltf", "w"))
open("cut.glb", "wb").write(open("cases/plain.glb", "rb").read()[:5000])
open("text.gltf", "w").write('{"asset": {"version": "2.0"},\n "nodes": [1 2]}')
PYTHON
show 'kane retarget walk.bvh --to model.gltf -o on_model.h5 -q && kane info on_model.h5 | grep ^skeleton'
for file in model.gltf old.gltf gone.gltf empty.gltf packed.gltf short.gltf circle.gltf cut.glb text.gltf; do
    show "kane import $file -o never.h5"
done
ls never.h5 2>/dev/null

echo '# without the helper program'
mkdir alone && cp "$KANE" alone/kane
printf 'Kaydara FBX Binary  ' > any.fbx
printf '<COLLADA version="1.4.1">' > any.dae
show 'KANE_LIBEXEC=/nowhere alone/kane import any.dae -o never.h5'
show 'kane import any.fbx -o never.h5'
show 'kane import any.dae -o never.h5'
