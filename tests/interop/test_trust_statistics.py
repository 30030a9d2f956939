#!/usr/bin/python3
"""One clip with planted artifacts: the index, the page, the plot, glTF and the Blender add-on report the same peaks,
from trusted frames, which are those of the clean clip.

usage: test_trust_statistics.py KANE"""
import base64
import importlib
import json
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import types
import zlib
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
KANE = str(Path(sys.argv[1]).resolve())
ROLES = ["left_knee", "right_knee", "left_hip", "right_hip", "left_ankle", "right_elbow", "left_shoulder"]


def plant(source, target):
    """A walk in which the body jumps by 1 m for one frame, a thigh flips for three, and the pose freezes for 0.3 s."""
    head, rows = source.read_text().split("Frame Time:")
    rate, *lines = rows.strip().split("\n")
    rows = [line.split() for line in lines]
    channels = re.findall(r"CHANNELS\s+\d+\s+([^\n]+)", head)
    names = re.findall(r"(?:ROOT|JOINT)\s+(\S+)", head)
    first = dict(zip(names, [sum(len(c.split()) for c in channels[:i]) for i in range(len(channels))]))
    rows[40][0] = "%g" % (float(rows[40][0]) + 100)
    for f in range(70, 73):
        column = first["LeftUpLeg"]
        rows[f][column] = "%g" % (float(rows[f][column]) + 120)
    for f in range(110, 128):
        rows[f] = list(rows[109])
    target.write_text(head + "Frame Time: " + rate.strip() + "\n" + "\n".join(" ".join(row) for row in rows) + "\n")


def kane(*arguments):
    return subprocess.run([KANE, *map(str, arguments)], check=True, capture_output=True).stdout


def from_index(folder, clip):
    index = folder / (clip.stem + ".db")
    kane("index", index, clip)
    with sqlite3.connect(index) as db:
        row = db.execute("SELECT %s FROM clip_summary" % ", ".join(
            "%s_torque_peak_nm_kg, %s_torque_peak_all_nm_kg" % (role, role) for role in ROLES)).fetchone()
        share, hips = db.execute("SELECT trusted_fraction, hips_torque_peak_nm_kg FROM clip_summary").fetchone()
    assert hips is None, "the floating base has a torque"
    return dict(zip(ROLES, row[0::2])), dict(zip(ROLES, row[1::2])), share


def from_page(folder, clip):
    stub, page = folder / "stub.html", folder / "page.html"
    stub.write_text('<script type="text/plain">@KANE-DATA@</script>')
    kane("report", "--page", stub, clip, "-o", page)
    packed = zlib.decompress(base64.b64decode(re.search(r">([A-Za-z0-9+/=]{100,})<", page.read_text()).group(1)))
    head = json.loads(packed[4:4 + struct.unpack("<I", packed[:4])[0]])["clips"][0]
    reasons = {reason for _, _, text in head["untrusted"] for reason in text.split(", ")}
    assert {"teleport", "flip", "frozen", "edge"} <= reasons, reasons
    return {joint["role"]: joint["peak_nm_kg"] for joint in head["joints"] if joint["role"]}


def from_plot(clip):
    peaks = {}
    for role in ROLES:
        script = kane("plot", "--per-kg", "--format", "gnuplot", "--role", role, clip).decode()
        rows = script.split("<< END\n", 1)[1].split("END\n", 1)[0].split("\n")
        peaks[role] = max(float(row.split()[1]) for row in rows if row and row.split()[1].lower() != "nan")
    return peaks


def from_gltf(folder, clip):
    kane("export", clip, "-o", folder / "clip.glb")
    data = (folder / "clip.glb").read_bytes()
    head = json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])
    return {node["extras"]["role"]: node["extras"].get("torque_peak_nm_kg") for node in head["nodes"]
            if node.get("extras", {}).get("role")}


def from_blender(clip):
    package = types.ModuleType("kane_clips")  # its own __init__ requires Blender
    package.__path__ = [str(TOP / "scripts/blender/kane_clips")]
    sys.modules["kane_clips"] = package
    read = importlib.import_module("kane_clips.clip_file").read_clip(clip, KANE)
    return {role: float(read.coloured[:, j].max()) for j, role in enumerate(read.role) if role}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plant(TOP / "data/walk.bvh", folder / "faulty.bvh")
        for bvh in (TOP / "data/walk.bvh", folder / "faulty.bvh"):
            kane("run", bvh, "-o", folder / (bvh.stem + ".h5"))
        sound, _, _ = from_index(folder, folder / "walk.h5")
        clip = folder / "faulty.h5"
        index, everything, share = from_index(folder, clip)
        others = {"page": from_page(folder, clip), "plot": from_plot(clip), "glTF": from_gltf(folder, clip),
                  "Blender": from_blender(clip)}
    for role in ROLES:
        for where, peaks in others.items():
            assert abs(peaks[role] - index[role]) < 1e-5 * index[role], (role, where, peaks[role], index[role])
        assert index[role] <= 1.05 * sound[role], (role, index[role], sound[role])
        assert everything[role] >= index[role] * (1 - 1e-12)
    assert 0.3 < share < 0.9, share
    print("trust: %d peaks of a clip with planted faults, %.0f %% of it trusted: the same in index, page, plot, glTF "
          "and Blender" % (len(ROLES), 100 * share))


main()
