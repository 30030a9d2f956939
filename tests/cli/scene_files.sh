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

echo '# the model of a file with a motion that was moved to it: an animation more, and the rest as it was'
for name in skin mirror scale groups; do
    kane retarget walk.bvh --to cases/$name.glb -o on_model.h5 --force -q 2>/dev/null
    kane export on_model.h5 -o moved.glb --skin cases/$name.glb --force -q
    echo "$name: $(/usr/bin/python3 "$CASES" compare moved.glb on_model.h5 2)"
done
/usr/bin/python3 - <<'PYTHON'
import json, struct
def read(path):
    data = open(path, "rb").read()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]
(a, old), (b, new) = read("cases/groups.glb"), read("moved.glb")
kept = [k for k in a if k not in ("animations", "accessors", "bufferViews", "buffers")]
print("nodes kept", all(a[k] == b[k] for k in kept), "binary kept", new.startswith(old),
      "animation kept", b["animations"][0] == a["animations"][0], "length", b["buffers"][0]["byteLength"] == len(new))
PYTHON
kane import walk.bvh -o walk.h5 --force -q
show 'kane export walk.h5 -o never.glb --skin cases/groups.glb'
show 'kane export made/takes#1.h5 -o never.glb --skin cases/inside.gltf'
show 'kane export walk.h5 -o never.glb --skin walk.bvh'
show 'kane export walk.h5 -o never.csv --skin cases/skin.glb'
show 'kane export on_model.h5 -o cases/groups.glb --skin cases/groups.glb'

echo '# a VRM animation has the joints from the hips on, and the same motion'
kane export walk.h5 -o walk.vrma -q && kane import walk.vrma -o of_vrma.h5 -q
/usr/bin/python3 - <<'PYTHON'
import h5py, numpy as np
with h5py.File("walk.h5") as a, h5py.File("of_vrma.h5") as b:
    names, own = list(a["joint"][:]), list(b["joint"][:])
    rotation = max(np.abs(a["motion/rotation"][:, names.index(n)] - b["motion/rotation"][:, own.index(n)]).max() for n in own)
    root = np.abs(a["motion/root_position"][:] - b["motion/root_position"][:]).max()
    print(len(names), len(own), "same" if max(rotation, root) < 1e-6 else (rotation, root))
PYTHON
awk '/JOINT LeftForeArm/ { arm = 1 } arm && /OFFSET/ { print "OFFSET 0 -25 0"; arm = 0; next } { print }' walk.bvh >bent.bvh
kane import bent.bvh -o bent.h5 -q 2>/dev/null
show 'kane export bent.h5 -o never.vrma'

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
acme = {"extensionsUsed": ["ACME_packed"], "extensionsRequired": ["ACME_packed"]}
marked = [{**v, "extensions": {"ACME_packed": {}}} for v in gltf["bufferViews"]]
json.dump({**gltf, "bufferViews": marked}, open("optional.gltf", "w"))
json.dump({**gltf, **acme, "bufferViews": marked}, open("acme.gltf", "w"))
marked = [{**a, "extensions": {"ACME_packed": {}}} for a in gltf["accessors"]]
json.dump({**gltf, **acme, "accessors": marked}, open("acme_accessor.gltf", "w"))
marked = [{**a, "extensions": {"ACME_packed": {}}} for a in gltf["animations"]]
json.dump({**gltf, **acme, "animations": marked}, open("acme_animation.gltf", "w"))
draco = {"bufferView": 0, "attributes": {"POSITION": 0}}
mesh = {"primitives": [{"attributes": {"POSITION": 0}, "extensions": {"KHR_draco_mesh_compression": draco}}]}
json.dump({**gltf, "extensionsUsed": ["KHR_draco_mesh_compression"],
           "extensionsRequired": ["KHR_draco_mesh_compression"], "meshes": [mesh]}, open("draco.gltf", "w"))
def pointed(target):  # KHR_animation_pointer
    pointer = {"pointer": f"/nodes/{target['node']}/{target['path']}"}
    return {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}}
moved = [{**a, "channels": [{**c, "target": pointed(c["target"])} for c in a["channels"]]} for a in gltf["animations"]]
glow = {**moved[0]["channels"][0], "target": pointed({"node": "0/extensions/KHR_node_visibility", "path": "visible"})}
moved[0]["channels"].append(glow)
json.dump({**gltf, "extensionsRequired": ["KHR_animation_pointer"], "animations": moved}, open("pointer.gltf", "w"))
gltf["bufferViews"][-1]["byteLength"] = 8
json.dump(gltf, open("short.gltf", "w"))
gltf["nodes"][5]["children"] = [0]
json.dump(gltf, open("circle.gltf", "w"))
open("cut.glb", "wb").write(open("cases/plain.glb", "rb").read()[:5000])
open("bytes.glb", "wb").write(b"\x8f,1\n2,3\n" * 40)
open("text.gltf", "w").write('{"asset": {"version": "2.0"},\n "nodes": [1 2]}')
PYTHON
show 'kane retarget walk.bvh --to model.gltf -o on_model.h5 -q && kane info on_model.h5 | grep ^skeleton'
for file in draco.gltf optional.gltf; do
    kane import $file -o clip.h5 --force -q 2>/dev/null && echo "$file: $(/usr/bin/python3 "$CASES" compare $file clip.h5)"
done
kane import pointer.gltf -o clip.h5 --force -q 2>/dev/null
echo "pointer.gltf: $(/usr/bin/python3 "$CASES" compare cases/inside.gltf clip.h5)"
for file in model.gltf old.gltf gone.gltf empty.gltf packed.gltf acme.gltf acme_accessor.gltf acme_animation.gltf short.gltf circle.gltf cut.glb bytes.glb text.gltf; do
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
