#!/usr/bin/env python3
"""Writes glTF files that put a body below scales, mirrors, groups and curves of every kind, and compares clips of kane
with an independent reading of such a file.
usage: tests/support/scene_gltf.py write DIR
       tests/support/scene_gltf.py compare FILE CLIP.h5 [TAKE]    prints the largest distance of a joint or end, mm"""
import base64
import json
import os
import struct
import sys

import numpy as np

# Joints of a person, m, +Y up: parent, rest position. Toes and heads end in end bones; hands have a bone without keys.
BODY = {"Hips": (None, (0, .95, 0)), "Spine": ("Hips", (0, 1.1, 0)), "Chest": ("Spine", (0, 1.3, 0)),
        "Neck": ("Chest", (0, 1.5, 0)), "Head": ("Neck", (0, 1.58, .02)), "Head_end": ("Head", (0, 1.76, .02))}
for side, x in (("Left", 1), ("Right", -1)):
    BODY.update({
        side + "Shoulder": ("Chest", (.05 * x, 1.42, 0)), side + "Arm": (side + "Shoulder", (.18 * x, 1.42, 0)),
        side + "ForeArm": (side + "Arm", (.45 * x, 1.42, 0)), side + "Hand": (side + "ForeArm", (.70 * x, 1.42, 0)),
        side + "HandMiddle1": (side + "Hand", (.80 * x, 1.42, 0)), side + "UpLeg": ("Hips", (.1 * x, .92, 0)),
        side + "Leg": (side + "UpLeg", (.1 * x, .50, 0)), side + "Foot": (side + "Leg", (.1 * x, .09, -.02)),
        side + "ToeBase": (side + "Foot", (.1 * x, .02, .10)), side + "Toe_end": (side + "ToeBase", (.1 * x, .02, .17))})
WITHOUT_KEYS = [n for n in BODY if n.endswith(("_end", "Middle1", "Shoulder"))]


def matrix_of(q):
    x, y, z, w = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quat_of(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.array([*(np.sin(angle / 2) * axis), np.cos(angle / 2)])


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array([aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                     aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz])


class Writer:
    def __init__(self):
        self.binary = b""
        self.gltf = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [],
                     "animations": [], "accessors": [], "bufferViews": []}

    def view(self, data):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        return len(self.gltf["bufferViews"]) - 1

    def accessor(self, values, kind, form="float"):
        values = np.asarray(values, float)
        about = {"count": len(values), "type": kind, "componentType": 5126}
        if form == "int16":
            about.update(componentType=5122, normalized=True,
                         bufferView=self.view(np.round(values * 32767).astype("<i2").tobytes()))
        elif form == "sparse":  # the first values for all, and the others by their indices
            base = np.repeat(values[:1], len(values), 0)
            changed = np.arange(1, len(values), dtype="<u2")
            about["bufferView"] = self.view(base.astype("<f4").tobytes())
            about["sparse"] = {"count": len(changed), "indices": {"bufferView": self.view(changed.tobytes()),
                                                                 "componentType": 5123},
                               "values": {"bufferView": self.view(values[1:].astype("<f4").tobytes())}}
        else:
            about["bufferView"] = self.view(values.astype("<f4").tobytes())
        self.gltf["accessors"].append(about)
        return len(self.gltf["accessors"]) - 1

    def save(self, path, buffer="glb"):
        if buffer == "glb":
            self.gltf["buffers"] = [{"byteLength": len(self.binary)}]
            text = json.dumps(self.gltf).encode()
            text += b" " * (-len(text) % 4)
            binary = self.binary + b"\0" * (-len(self.binary) % 4)
            with open(path, "wb") as file:
                file.write(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(binary)))
                file.write(struct.pack("<I4s", len(text), b"JSON") + text)
                file.write(struct.pack("<I4s", len(binary), b"BIN\0") + binary)
            return
        name = os.path.basename(path).rsplit(".", 1)[0] + " numbers.bin"
        uri = name.replace(" ", "%20")
        if buffer == "data":
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        else:
            with open(os.path.join(os.path.dirname(path), name), "wb") as file:
                file.write(self.binary)
        self.gltf["buffers"] = [{"byteLength": len(self.binary), "uri": uri}]
        with open(path, "w") as file:
            json.dump(self.gltf, file)


def build(scale=None, above=(), curve="LINEAR", times=None, form="float", takes=1, skin=False, drop=0):
    """scale: {name: (x, y, z)}; above: groups above the hips (name, members of the node, animated or not)."""
    rng = np.random.default_rng(7)
    w, scale = Writer(), scale or {}
    world, index = {None: (np.eye(3), np.zeros(3))}, {}
    for _, members, _ in above:
        linear, origin = world[None]
        own = np.array(members.get("matrix", np.eye(4).ravel()), float).reshape(4, 4).T
        world[None] = (linear @ own[:3, :3] * members.get("scale", (1, 1, 1)), origin + linear @ own[:3, 3])
    for name, members, _ in above:
        node = {"name": name, **members, "children": []}
        if index:
            w.gltf["nodes"][-1]["children"].append(len(w.gltf["nodes"]))
        index[name] = len(w.gltf["nodes"])
        w.gltf["nodes"].append(node)
    first = {}
    for name, (parent, place) in BODY.items():
        turned = quat_of(rng.normal(size=3), rng.uniform(0, 3))
        linear, origin = world[parent]
        s = np.array(scale.get(name, (1, 1, 1)), float)
        local = np.linalg.solve(linear, np.array(place) - origin)
        node = {"name": name, "translation": local.tolist(), "rotation": turned.tolist(), "scale": s.tolist()}
        world[name] = (linear @ matrix_of(turned) * s, np.array(place, float))
        index[name] = len(w.gltf["nodes"])
        first[name] = (local, turned)
        holder = index[parent] if parent else index[above[-1][0]] if above else None
        if holder is not None:
            w.gltf["nodes"][holder].setdefault("children", []).append(index[name])
        w.gltf["nodes"].append(node)
    w.gltf["scenes"][0]["nodes"] = [0, len(w.gltf["nodes"])]
    w.gltf["nodes"].append({"name": "eye", "camera": 0})
    w.gltf["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": .1}}]
    if skin:
        w.gltf["skins"] = [{"joints": [index[n] for n in BODY]}]
    times = np.arange(46) / 30 if times is None else np.asarray(times)
    for take in range(takes):
        animate(w, index, first, above, np.float32(times), curve, form, take)
    return w


def animate(w, index, first, above, times, curve, form, take):
    animation = {"name": "take %d" % (take + 1), "channels": [], "samplers": []}
    clock = w.accessor(times, "SCALAR")

    def channel(node, path, values):
        values = np.asarray(values)
        if curve == "CUBICSPLINE":
            slopes = np.gradient(values, times, axis=0)
            values = np.stack([slopes, values, slopes], 1).reshape(-1, values.shape[1])
        small = form if path == "rotation" and form == "int16" or form == "sparse" else "float"
        output = w.accessor(values, "VEC%d" % values.shape[1], small)
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
        animation["samplers"].append({"input": clock, "output": output, "interpolation": curve})

    for name, _, moves in above:
        if moves:
            channel(index[name], "translation", [[0.1 * t, 0, 0.8 * t] for t in times])
    for i, (name, (local, turned)) in enumerate(first.items()):
        if name in WITHOUT_KEYS:
            continue
        angles = .25 * np.sin(2 * np.pi * times * (1 + take) + i) * (0.3 if name == "Hips" else 1)
        channel(index[name], "rotation", [multiply(turned, quat_of((1, .3, .2 * (i % 3)), a)) for a in angles])
    if not any(moves for _, _, moves in above):
        local = first["Hips"][0]
        channel(index["Hips"], "translation", [local * (1 + .02 * np.sin(6 * t)) for t in times])
    w.gltf["animations"].append(animation)


def write(folder):
    armature = ("Armature", {"scale": [.01, .01, .01]}, 0)
    irregular = np.sort(np.random.default_rng(3).uniform(0, 1.5, 40))
    cases = {
        "plain": build(), "skin": build(skin=True),
        "scale": build(scale={"Spine": (1.2, 1.2, 1.2), "LeftArm": (1, 2, .7), "RightLeg": (.8, .8, 1.1)},
                       above=[armature]),
        "mirror": build(above=[("Mirror", {"scale": [-1, 1, 1]}, 0)], scale={"LeftUpLeg": (-1, -1, -1)}),
        "groups": build(above=[("Armature", {"matrix": [0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 1, 0, 3, 1]}, 0),
                               ("Reference", {}, 1)]),
        "cubic": build(curve="CUBICSPLINE", times=np.arange(16) / 10), "step": build(curve="STEP"),
        "irregular": build(curve="CUBICSPLINE", times=irregular), "sparse": build(form="sparse"),
        "integers": build(form="int16"), "takes": build(takes=3)}
    for name, w in cases.items():
        w.save("%s/%s.glb" % (folder, name))
    build().save(folder + "/beside.gltf", "file")
    build().save(folder + "/inside.gltf", "data")


# ---- An independent reading ----

class Reading:
    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            self.gltf, self.buffer = json.loads(data[20:20 + size]), data[28 + size:]
        else:
            self.gltf = json.loads(data)
            uri = self.gltf["buffers"][0]["uri"]
            beside = os.path.join(os.path.dirname(path), uri.replace("%20", " "))
            self.buffer = base64.b64decode(uri.split(",")[1]) if uri.startswith("data:") else open(beside, "rb").read()

    def raw(self, view, offset, kind, count, width):
        view = self.gltf["bufferViews"][view]
        return np.frombuffer(self.buffer, kind, count * width, view.get("byteOffset", 0) + offset).reshape(count, width)

    def accessor(self, number):
        a = self.gltf["accessors"][number]
        kind = {5126: "<f4", 5122: "<i2", 5123: "<u2"}[a["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        values = self.raw(a["bufferView"], a.get("byteOffset", 0), kind, a["count"], width).astype(float)
        if a["componentType"] == 5122:
            values = np.maximum(values / 32767, -1)
        if "sparse" in a:
            s = a["sparse"]
            which = self.raw(s["indices"]["bufferView"], 0, "<u2", s["count"], 1)[:, 0]
            values[which] = self.raw(s["values"]["bufferView"], 0, kind, s["count"], width)
        return values

    def sample(self, sampler, t):
        times = self.accessor(sampler["input"])[:, 0]
        values = self.accessor(sampler["output"])
        curve, width = sampler.get("interpolation", "LINEAR"), values.shape[1]
        t = min(max(t, times[0]), times[-1])
        near = np.abs(times - t)
        k = int(near.argmin()) if near.min() < 1e-5 else max(int(np.searchsorted(times, t)) - 1, 0)
        at_key = near.min() < 1e-5 or k + 1 == len(times)
        if curve == "CUBICSPLINE":
            values = values.reshape(-1, 3, width)
            if at_key:
                return values[k, 1]
            h, step = (t - times[k]) / (times[k + 1] - times[k]), times[k + 1] - times[k]
            return ((1 + 2 * h) * (1 - h) ** 2 * values[k, 1] + h * (1 - h) ** 2 * step * values[k, 2] +
                    h * h * (3 - 2 * h) * values[k + 1, 1] + h * h * (h - 1) * step * values[k + 1, 0])
        if at_key or curve == "STEP":
            return values[k]
        h = (t - times[k]) / (times[k + 1] - times[k])
        a, b = values[k], values[k + 1]
        if width == 3:
            return a + h * (b - a)
        b = b * np.sign(a @ b)
        angle = np.arccos(min(a @ b, 1))
        return a if angle < 1e-9 else (np.sin((1 - h) * angle) * a + np.sin(h * angle) * b) / np.sin(angle)

    def begin(self, take):
        return min(self.accessor(s["input"])[0, 0] for s in self.gltf["animations"][take]["samplers"])

    def places(self, take, t):
        animation, changed = self.gltf["animations"][take], {}
        for c in animation["channels"]:
            changed[c["target"]["node"], c["target"]["path"]] = self.sample(animation["samplers"][c["sampler"]], t)
        out = {}

        def visit(node, above):
            n = self.gltf["nodes"][node]
            local = np.eye(4)
            if "matrix" in n:
                local = np.array(n["matrix"], float).reshape(4, 4).T
            def get(path, default):
                return np.asarray(changed.get((node, path), n.get(path, default)), float)
            if "matrix" not in n or any((node, p) in changed for p in ("translation", "rotation", "scale")):
                local[:3, :3] = matrix_of(get("rotation", (0, 0, 0, 1))) * get("scale", (1, 1, 1))
                local[:3, 3] = get("translation", (0, 0, 0))
            world = above @ local
            out[n["name"]] = world[:3, 3]
            for child in n.get("children", []):
                visit(child, world)
        for root in self.gltf["scenes"][0]["nodes"]:
            visit(root, np.eye(4))
        return out


def rotate(q, v):
    u = q[1:]
    t = 2 * np.cross(u, v)
    return v + q[0] * t + np.cross(u, t)


def compare(path, clip, take):
    import h5py
    reading, worst = Reading(path), 0.0
    with h5py.File(clip) as h:
        names = [n.decode() for n in h["joint"][:]]
        parent, offset = h["skeleton/parent"][:], h["skeleton/offset"][:]
        ends = list(zip(h["skeleton/end_parent"][:], h["skeleton/end_offset"][:])) if "end_parent" in h["skeleton"] else []
        motion = h["motion"]
        time, root, rotation = motion["time"][:], motion["root_position"][:], motion["rotation"][:]
        translation = motion["translation"][:] if "translation" in motion else None
    for f, t in enumerate(time):
        wanted = reading.places(take, reading.begin(take) + t)
        at, turn = [], []
        for j, p in enumerate(parent):
            q = rotation[f, j]
            here = offset[j] if translation is None else translation[f, j]
            at.append(root[f] if p < 0 else at[p] + rotate(turn[p], here))
            turn.append(q if p < 0 else multiply_first(turn[p], q))
            worst = max(worst, np.linalg.norm(at[j] - wanted[names[j]]))
        for p, end in ends:
            tip = at[p] + rotate(turn[p], end)
            worst = max(worst, min(np.linalg.norm(tip - w) for n, w in wanted.items() if n.endswith("_end")))
    print("%d frames, %d joints, %d ends: within %.4f mm" % (len(time), len(names), len(ends), 1000 * worst))
    return worst < 1e-5


def multiply_first(a, b):
    """Product of quaternions w, x, y, z."""
    return np.roll(multiply(np.roll(a, -1), np.roll(b, -1)), 1)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        sys.exit(not compare(sys.argv[2], sys.argv[3], int(sys.argv[4]) - 1 if len(sys.argv) > 4 else 0))
