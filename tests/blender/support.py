"""Common to the tests of the add-on: blender -b ... -- ADDON.zip KANE FOLDER, see run.sh."""
import sys
from pathlib import Path

import bpy
import h5py
import numpy as np

ADDON, KANE, FOLDER = sys.argv[sys.argv.index("--") + 1:]
LIBRARY = Path(FOLDER) / "library"
WALK, JUMP = LIBRARY / "walk.bvh.h5", LIBRARY / "jump.bvh.h5"


def along_itself(torque, sd, correlation):
    """[frame][joint] N m: standard deviation of a torque in its own direction, u' C u with the covariance C."""
    xy, xz, yz = np.moveaxis(correlation, 2, 0)
    one = np.ones_like(xy)
    matrix = np.array([[one, xy, xz], [xy, one, yz], [xz, yz, one]])  # [3][3][frame][joint]
    u = torque / np.maximum(np.linalg.norm(torque, axis=2), 1e-12)[:, :, None] * sd
    return np.sqrt(np.maximum(0, np.einsum("fja,abfj,fjb->fj", u, matrix, u)))


class Truth:
    """Content of a clip file, read by h5py."""

    def __init__(self, path):
        with h5py.File(path) as h:
            self.joint = list(h["joint"].asstr()[:])
            self.time, self.position = h["time"][:], h["kinematics/position"][:]
            self.orientation = h["kinematics/orientation"][:]
            self.mass = h["body/mass"][:].sum()
            self.torque = np.linalg.norm(h["dynamics/torque"][:], axis=2) / self.mass
            self.torque_sd = along_itself(h["dynamics/torque"][:], h["dynamics/torque_sd"][:],
                                          h["dynamics/torque_correlation"][:]) / self.mass
            self.trusted, self.reason = h["trust/trusted"][:] > 0, h["trust/reason"][:]
            self.reason_names = h["trust/reason"].attrs["flag_meanings"].split()
            self.com = h["kinematics/com"][:]
            if "contact/foot_force" in h:
                self.foot_force, self.foot_cop = h["contact/foot_force"][:], h["contact/foot_cop"][:]


def empty_scene(program=KANE):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="kane_clips")
    bpy.context.preferences.addons["kane_clips"].preferences.program = program


def rigs():
    return [o for o in bpy.data.objects if o.type == "ARMATURE"]


def bodies():
    return [o for o in bpy.data.objects if "kane_joint" in o]


def body_of(joint):
    return next(o for o in bodies() if o["kane_joint"] == joint)


def points_of(body):
    """World positions of its vertices as drawn in this frame."""
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", points)
    matrix = np.array(evaluated.matrix_world)
    evaluated.to_mesh_clear()
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def y_up(vector):
    """Blender's world to kane's."""
    return np.stack([vector[..., 0], vector[..., 2], -vector[..., 1]], axis=-1)
