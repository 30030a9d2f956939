#!/usr/bin/env python3
"""Writes Collada files of a body whose nodes turn by matrices or by channels of their own, in several units and axes,
and compares clips of kane with an independent reading of such a file.
usage: tests/support/scene_dae.py write DIR
       tests/support/scene_dae.py compare FILE CLIP.h5    prints the largest distance of a joint at a key, mm"""
import os
import sys
import xml.etree.ElementTree as ET

import numpy as np

from scene_gltf import BODY, matrix_of, multiply_first, quat_of, rotate

RATE, FRAMES = 24, 20
UPRIGHT = {"Y_UP": np.eye(3), "Z_UP": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),  # +Y up to the file's axes
           "X_UP": np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])}


def offset(name):
    parent, at = BODY[name]
    return np.array(at) - (BODY[parent][1] if parent else 0)


def angle(name, frame):
    """Degrees about z of the body."""
    phase = 7 * list(BODY).index(name)
    return 0 if name.endswith("_end") else 25 * np.sin(2 * np.pi * frame / FRAMES + phase) - 25 * np.sin(phase)


def local(name, frame, unit, up):
    out, turn = np.eye(4), UPRIGHT[up]
    out[:3, :3] = turn @ matrix_of(quat_of((0, 0, 1), np.radians(angle(name, frame)))) @ turn.T
    out[:3, 3] = turn @ offset(name) / unit
    if name == "Hips":
        out[:3, 3] += turn @ np.array([.02 * frame, 0, 0]) / unit
    return out


def numbers(values):
    return " ".join("%.9g" % v for v in np.ravel(values))


def source(kind, name, values, width, param):
    array = "Name_array" if kind == "Name" else "float_array"
    text = " ".join(values) if kind == "Name" else numbers(values)
    count = len(values) if kind == "Name" else np.size(values)
    return (f'<source id="{name}"><{array} id="{name}-array" count="{count}">{text}</{array}><technique_common>'
            f'<accessor source="#{name}-array" count="{count // width}" stride="{width}"><param name="{param}" '
            f'type="{"name" if kind == "Name" else "float4x4" if width == 16 else "float"}"/></accessor>'
            "</technique_common></source>")


def animation(target, values, width):
    stem = target.replace("/", "-").replace(".", "-")
    times = np.arange(FRAMES) / RATE
    return (f'<animation id="{stem}">{source("float", stem + "-in", times, 1, "TIME")}'
            f'{source("float", stem + "-out", values, width, "TRANSFORM")}'
            f'{source("Name", stem + "-way", ["LINEAR"] * FRAMES, 1, "INTERPOLATION")}'
            f'<sampler id="{stem}-s"><input semantic="INPUT" source="#{stem}-in"/><input semantic="OUTPUT" '
            f'source="#{stem}-out"/><input semantic="INTERPOLATION" source="#{stem}-way"/></sampler>'
            f'<channel source="#{stem}-s" target="{target}"/></animation>')


def document(unit=1, up="Y_UP", channels=False, label=lambda n: n):
    """label: the attribute name of a node, beside its id."""
    moving = [n for n in BODY if not n.endswith("_end")]

    def node(name):
        own = local(name, 0, unit, up)
        body = f'<matrix sid="transform">{numbers(own)}</matrix>'
        if channels:
            body = (f'<translate sid="place">{numbers(own[:3, 3])}</translate><rotate sid="bend">'
                    f'{numbers(UPRIGHT[up][:, 2])} 0</rotate>')
        children = "".join(node(n) for n in BODY if BODY[n][0] == name)
        return f'<node id="{name}" name="{label(name)}" sid="{name}" type="JOINT">{body}{children}</node>'
    if channels:
        animations = [animation(f"{n}/bend.ANGLE", [angle(n, f) for f in range(FRAMES)], 1) for n in moving]
        animations += [animation(f"Hips/place.{axis}", [local("Hips", f, unit, up)[k, 3] for f in range(FRAMES)], 1)
                       for k, axis in enumerate("XYZ")]
    else:
        animations = [animation(f"{n}/transform", [local(n, f, unit, up) for f in range(FRAMES)], 16) for n in moving]
    return (f'<?xml version="1.0" encoding="utf-8"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
            f'version="1.4.1"><asset><unit name="unit" meter="{unit}"/><up_axis>{up}</up_axis></asset>'
            f'<library_animations>{"".join(animations)}</library_animations><library_visual_scenes>'
            f'<visual_scene id="scene">{node("Hips")}</visual_scene></library_visual_scenes><scene>'
            '<instance_visual_scene url="#scene"/></scene></COLLADA>')


def write(folder):
    names = list(BODY)
    cases = {"plain": {}, "cm": {"unit": .01}, "z_up": {"up": "Z_UP"}, "x_up_inches": {"up": "X_UP", "unit": .0254},
             "channels": {"channels": True},
             "namesakes": {"label": lambda n: names[(names.index(n) + 1) % len(names)]}}
    for name, options in cases.items():
        with open(os.path.join(folder, name + ".dae"), "w") as f:
            f.write(document(**options))


class Reading:
    """Nodes and channels by id, with ElementTree."""
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        for e in self.root.iter():
            e.tag = e.tag.split("}")[1]
        self.unit = float(self.root.find("asset/unit").get("meter"))
        self.up = UPRIGHT[self.root.findtext("asset/up_axis")]
        self.values, self.times = {}, None
        for e in self.root.iter("animation"):
            inputs = {i.get("semantic"): i.get("source")[1:] for i in e.iter("input")}
            arrays = {s.get("id"): [float(x) for x in s.findtext("float_array").split()]
                      for s in e.iter("source") if s.find("float_array") is not None}
            self.times = np.array(arrays[inputs["INPUT"]])
            self.values[e.find("channel").get("target")] = np.reshape(arrays[inputs["OUTPUT"]], (len(self.times), -1))

    def transform(self, node, frame):
        out, name = np.eye(4), node.get("id")
        for e in node:
            own, value = np.eye(4), [float(x) for x in (e.text or "").split()] if e.tag != "node" else []
            key = f"{name}/{e.get('sid')}"
            if e.tag == "matrix":
                own = np.reshape(self.values.get(key, np.tile(value, (frame + 1, 1)))[frame], (4, 4))
            elif e.tag == "translate":
                for k, axis in enumerate("XYZ"):
                    own[k, 3] = self.values[f"{key}.{axis}"][frame, 0] if f"{key}.{axis}" in self.values else value[k]
            elif e.tag == "rotate":
                by = self.values[key + ".ANGLE"][frame, 0] if key + ".ANGLE" in self.values else value[3]
                own[:3, :3] = matrix_of(quat_of(value[:3], np.radians(by)))
            out = out @ own
        return out

    def places(self, frame):
        """m, +Y up."""
        out = {}

        def visit(node, above):
            here = above @ self.transform(node, frame)
            out[node.get("id")] = self.unit * self.up.T @ here[:3, 3]
            for child in node.findall("node"):
                visit(child, here)
        for node in self.root.findall("library_visual_scenes/visual_scene/node"):
            visit(node, np.eye(4))
        return out


def compare(path, clip):
    import h5py
    reading, worst = Reading(path), 0.0
    with h5py.File(clip) as h:
        names, parent = [n.decode() for n in h["joint"][:]], h["skeleton/parent"][:]
        offsets, motion = h["skeleton/offset"][:], h["motion"]
        root, rotation = motion["root_position"][:], motion["rotation"][:]
        translation = motion["translation"][:] if "translation" in motion else None
    for f in range(len(root)):
        wanted, at, turn = reading.places(f), [], []
        for j, p in enumerate(parent):
            here = offsets[j] if translation is None else translation[f, j]
            at.append(root[f] if p < 0 else at[p] + rotate(turn[p], here))
            turn.append(rotation[f, j] if p < 0 else multiply_first(turn[p], rotation[f, j]))
            worst = max(worst, np.linalg.norm(at[j] - wanted[names[j]]))
    print("%d frames, %d joints: within %.3f mm" % (len(root), len(names), 1000 * worst))
    return len(root) == len(reading.times) and worst < 1e-4


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        sys.exit(not compare(sys.argv[2], sys.argv[3]))
