"""The mannequin of a clip, from `kane export --format glb`: one skinned mesh per segment; for a scene its shapes, and
springs, tendons and particles as separate moving meshes. Does not depend on Blender.

Reference: Khronos, glTF 2.0 specification, 3.6 (accessors), 3.7.3 (skins), 4.4 (the binary file)."""
import json
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .program import run_program

KINDS = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass
class Part:
    """Mesh of one segment in the bind pose."""
    joint: int
    position: np.ndarray  # [vertex][xyz] m, world
    normal: np.ndarray    # [vertex][xyz]
    bone: np.ndarray      # [vertex][4] joints of its skin weights
    share: np.ndarray     # [vertex][4] skin weights; sum 1
    face: np.ndarray      # [face][3] vertices
    colour: np.ndarray    # [rgb] linear, of the first vertex


@dataclass
class Mark:
    """A spring or tendon between two points, a particle, or a contact force; its axis is y."""
    kind: str             # "line", "dot" or "force"
    colour: list          # [rgba] linear
    place: np.ndarray     # [frame][xyz] m, world
    turn: np.ndarray      # [frame][wxyz]
    scale: np.ndarray     # [frame][xyz] scale of a mesh of radius and length 1; 0 hides it


@dataclass
class Skin:
    place: np.ndarray     # [joint][xyz] m: joint positions in the bind pose
    axes: np.ndarray      # [joint][3][3]: joint axes in the bind pose, as columns
    parts: list
    marks: list
    is_scene: bool        # True if it has the colours of a scene


def read_skin(program, path):
    """Raises ClipError if kane cannot build a body for the clip file."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "clip.glb"
        run_program(program, ["export", "--format", "glb", Path(path).absolute(), "-o", binary])
        return parse_skin(binary.read_bytes())


def parse_skin(data):
    length, = struct.unpack_from("<I", data, 12)
    tree, block = json.loads(data[20:20 + length]), memoryview(data)[28 + length:]
    array = lambda number: read_accessor(tree, block, number)
    inverse = array(tree["skins"][0]["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1).astype(float)
    axes = inverse[:, :3, :3].transpose(0, 2, 1)
    place = -np.einsum("jab,jb->ja", axes, inverse[:, :3, 3])
    joints = [tree["nodes"][j]["name"] for j in range(len(inverse))]
    parts, j = [], -1
    skinned = [mesh for mesh in tree["meshes"] if "JOINTS_0" in mesh["primitives"][0]["attributes"]]
    for mesh in skinned:  # in joint order, with the joint names
        j = joints.index(mesh["name"], j + 1)
        parts.append(read_part(j, mesh["primitives"][0], array))
    return Skin(place, axes, parts, read_marks(tree, len(skinned), array), tree["materials"][0]["name"] == "scene")


def read_marks(tree, skinned, array):
    keys, (animation,) = {}, tree["animations"]
    for channel in animation["channels"]:
        target = channel["target"]
        keys.setdefault(target["node"], {})[target["path"]] = animation["samplers"][channel["sampler"]]["output"]
    marks = []
    for number, node in enumerate(tree["nodes"]):
        if node.get("mesh", -1) >= skinned:
            mesh, own = tree["meshes"][node["mesh"]], {path: array(output) for path, output in keys[number].items()}
            colour = tree["materials"][mesh["primitives"][0]["material"]]["pbrMetallicRoughness"]["baseColorFactor"]
            still = np.tile([0.0, 0, 0, 1], (len(own["scale"]), 1))
            marks.append(Mark(mesh["name"], colour, own["translation"],
                              np.roll(own.get("rotation", still), 1, axis=1), own["scale"]))
    return marks


def read_accessor(tree, block, number):
    accessor = tree["accessors"][number]
    kind, width = KINDS[accessor["componentType"]], WIDTHS[accessor["type"]]
    start = tree["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
    values = np.frombuffer(block, kind, accessor["count"] * width, start)
    return values.reshape(-1, width) if width > 1 else values


def read_part(joint, primitive, array):
    named = primitive["attributes"]
    return Part(joint, array(named["POSITION"]), array(named["NORMAL"]), array(named["JOINTS_0"]),
                array(named["WEIGHTS_0"]), array(primitive["indices"]).reshape(-1, 3), array(named["COLOR_0"])[0])
