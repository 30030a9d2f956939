"""A camera on damped springs that follows the body of a clip, computed by `kane export --camera`."""
import csv
import tempfile
from pathlib import Path

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty

from . import armature
from .opening import MIRRORED, PATH, program_of
from .program import ClipError, find_program, run_program
from .turns import product, z_up

UPRIGHT = np.array([np.sqrt(0.5), np.sqrt(0.5), 0, 0])  # kane's world to Blender's: 90 degrees about x


class CameraOptions:
    kind: EnumProperty(name="Kind", items=(("follow", "Follow", "Behind the body"),
                                           ("fixed", "Fixed", "At its first position, turning with the body")))
    distance: FloatProperty(name="Distance", default=4, min=0.1, unit="LENGTH",
                            description="From the root joint, at rest")
    pitch: FloatProperty(name="Pitch", default=15, min=-80, max=80, description="Degrees above the horizontal, at rest")
    yaw: FloatProperty(name="Yaw", default=0, min=-180, max=180, description="Degrees from straight behind, at rest")
    frequency: FloatProperty(name="Frequency", default=1, min=0.01, max=100, description="Of the springs, undamped, Hz")
    damping_ratio: FloatProperty(name="Damping ratio", default=1, min=0, max=100,
                                 description="Of the springs: below 1 they overshoot; 1 is critical")


def words_of(options):
    """Options of kane export."""
    numbers = ("distance", "pitch", "yaw", "frequency", "damping_ratio")
    return ["--camera", options.kind] + ["--camera-%s=%r" % (name.replace("_", "-"), round(getattr(options, name), 6))
                                         for name in numbers]


def read_path(program, path, mirrored, options):
    """Time (s), position [frame][xyz] and orientation [frame][wxyz] in kane's world."""
    with tempfile.TemporaryDirectory() as folder:
        clip, table = Path(path).absolute(), Path(folder) / "camera.tsv"
        if mirrored:
            run_program(program, ["mirror", clip, "-o", Path(folder) / "mirrored.h5"])
            clip = Path(folder) / "mirrored.h5"
        run_program(program, ["export", clip, "-o", table] + words_of(options))
        lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))

    def columns(names):
        return np.array([[float(row[name]) for name in names] for row in rows])
    return (columns(["time_s"])[:, 0], columns(["position_%s_m" % axis for axis in "xyz"]),
            columns(["orientation_%s" % axis for axis in "wxyz"]))


def add(context, rig, program, options):
    """Makes the keyed camera beside the armature and activates it in the scene."""
    time, position, orientation = read_path(program, rig[PATH], rig[MIRRORED], options)
    name = rig.name + " camera"
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    rig.users_collection[0].objects.link(camera)
    camera.rotation_mode = "QUATERNION"
    camera.animation_data_create().action = action = bpy.data.actions.new(name)
    frames = (time - rig[armature.FIRST]) * rig[armature.STEP]
    armature.add_curves(action, "camera", "location", frames, z_up(position))
    armature.add_curves(action, "camera", "rotation_quaternion", frames, product(UPRIGHT, orientation))
    context.scene.camera = camera
    return camera


class AddCamera(bpy.types.Operator, CameraOptions):
    """Add a camera that follows the active clip on damped springs"""
    bl_idname = "kane.camera"
    bl_label = "Follow camera"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return active_rig(context) is not None

    def execute(self, context):
        try:
            program = find_program(program_of(context))
            if not program:
                raise ClipError("a camera needs the program kane: name it in the preferences of this add-on")
            add(context, active_rig(context), program, self)
        except ClipError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def active_rig(context):
    """The armature of kane that is active, or parent of the active object."""
    rig = context.view_layer.objects.active
    while rig and PATH not in rig:
        rig = rig.parent
    return rig
