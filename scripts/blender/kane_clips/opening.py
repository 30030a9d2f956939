"""Opens a clip file as an armature with body, forces, centre of mass and markers."""
import json
import shlex
import tempfile
from contextlib import contextmanager
from pathlib import Path

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

from . import armature, bodies, marks
from .clip_file import read_clip
from .program import ClipError, find_program, run_program
from .skin import read_skin

COMPUTED = ("body", "kinematics", "contact", "torque")
OLD_NAMES = {"diff": "kinematics"}  # stage names in clips of earlier versions
PATH, MIRRORED, MAXIMUM = "kane_path", "kane_mirrored", "kane_maximum"  # armature properties


class ClipOptions:
    set_rate: BoolProperty(name="Set scene rate", default=True,
                           description="Scene rate and range become the clip's, and scene frames its frames")
    maximum: FloatProperty(name="Colour up to", default=3.0, min=0.01, description="N m/kg at the end of the colour scale")
    controller: StringProperty(name="Controller", default="",
                               description="Simulated motion of a controller of kane track, such as kane-feedforward, "
                                           "with its contact forces and pushes; empty: the clip's own")
    mirrored: BoolProperty(name="Mirrored", default=False,
                           description="Left and right exchanged; forces and torques are computed again")


def program_of(context):
    addon = context.preferences.addons.get(__package__)
    return bpy.path.abspath(addon.preferences.program) if addon and addon.preferences.program else ""


def open_clip(operator, context, path, time=None):
    """time: time of the clip to go to, s. Creates nothing if the file cannot be read."""
    path = bpy.path.abspath(path)
    try:
        if operator.mirrored and operator.controller:
            raise ClipError("a simulated motion cannot be mirrored: clear one of the two options")
        clip, skin = read_mirrored(path, program_of(context)) if operator.mirrored else \
            read(path, program_of(context), operator.controller)
    except ClipError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    frames = armature.schedule(clip, context.scene, operator.set_rate)
    rig = build(clip, skin, context, frames, operator.maximum)
    rig[PATH], rig[MIRRORED], rig[MAXIMUM] = path, operator.mirrored, operator.maximum
    go_to(context.scene, clip, frames, time)
    operator.report({"INFO"}, as_text(clip))
    return {"FINISHED"}


def read(path, program, controller=""):
    """Clip and skin; no skin without the program. controller: of the simulated motion to show."""
    clip, found = read_clip(path, program, controller), find_program(program)
    if found and not controller:
        clip.verdict = read_verdict(found, path)
    return clip, read_skin(found, path) if found else None


def read_verdict(program, path):
    """The verdict of kane with its frames; None for a scene, which is no person."""
    return next(map(json.loads, run_program(program, ["verdict", "--json", "--frames", path]).splitlines()), None)


def read_mirrored(path, program):
    with mirrored_file(path, program) as step:
        return read(step, program)


@contextmanager
def mirrored_file(path, program):
    """A clip file with left and right exchanged, for as long as it is needed."""
    found = find_program(program)
    if not found:
        raise ClipError("mirroring needs the program kane: name it in the preferences of this add-on")
    path, name = Path(path).absolute(), Path(path).name.removesuffix(".h5").removesuffix(".bvh")
    with tempfile.TemporaryDirectory() as folder:
        step = path
        for i, words in enumerate([["mirror"]] + stages_behind_motion(found, path)):
            done = Path(folder) / str(i) / (name + " mirrored.h5")
            done.parent.mkdir()
            run_program(found, words + [step, "-o", done], path.parent)
            step = done
        yield step


def stages_behind_motion(program, path):
    """The command lines of the stages after the motion, from the history of the clip."""
    history = json.loads(run_program(program, ["info", "--json", path]))["history"]
    lines = {line.split()[0]: shlex.split(line, comments=True) for line in history}
    if "--external" in lines.get("contact", ()):
        raise ClipError("%s: its ground forces were measured; mirroring would replace them by estimates" % path)
    lines = {OLD_NAMES.get(stage, stage): line for stage, line in lines.items()}
    return [lines[stage] for stage in COMPUTED if stage in lines]


def build(clip, skin, context, frames, maximum):
    rest = armature.rest_of(clip, skin)
    rig, names = armature.build(clip, context, frames, rest)
    if skin:
        armature.hide_helpers(clip, rig, names, skin)
    collection = bodies.add(clip, context, rig, names, frames, bodies.Look(rest, skin, maximum))
    marks.add(clip, context, rig, frames, collection, skin)
    context.view_layer.objects.active = rig
    return rig


def go_to(scene, clip, frames, time):
    frame = scene.frame_current if time is None else frames[abs(clip.time - time).argmin()]
    scene.frame_set(round(float(frame)))


def as_text(clip):
    torque = "without torques" if clip.torque is None else \
        "torque up to %.2f N m/kg" % clip.coloured[:, ~clip.residual].max(initial=0)
    return "%s: %d joints, %d frames, %d of them trusted, %s" % (
        clip.title, len(clip.joint), len(clip.time), (clip.reason == 0).sum(), torque)
