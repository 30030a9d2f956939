"""Sends the poses of an armature to `kane edit` and shows what it computes: torques, bands and verdict on the curves.

What the scene shows is sent, with constraints and layers: the armature is evaluated in every frame of the clip. Joints
that are where the clip has them keep its numbers. The BVH file has the frames from the first that differs to the last.
"""
import tempfile
from contextlib import nullcontext
from pathlib import Path

import bpy
import numpy as np

from . import armature, bodies, marks
from .camera import active_rig
from .clip_file import read_clip
from .opening import MAXIMUM, MIRRORED, PATH, mirrored_file, program_of, read_verdict
from .program import ClipError, find_program, run_program
from .turns import conjugate, product, rotate, y_up, y_up_turn

SAME = 1e-4  # rad and m: curves have 32 bits


class SolveEdit(bpy.types.Operator):
    """Compute torques, bands and verdict of the poses as they are now"""
    bl_idname = "kane.solve_edit"
    bl_label = "Solve edited poses"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return active_rig(context) is not None

    def execute(self, context):
        try:
            self.report({"INFO"}, solve(context, active_rig(context), program_of(context)))
        except ClipError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def solve(context, rig, program):
    """Shows the results for the poses of an armature; returns a message. Raises ClipError."""
    found = find_program(program)
    if not found:
        raise ClipError("computing needs the program kane: name it in the preferences of this add-on")
    path = bpy.path.abspath(rig[PATH])
    with mirrored_file(path, program) if rig[MIRRORED] else nullcontext(Path(path).absolute()) as source:
        clip = read_clip(source, found)
        bones = bones_in_order(rig, clip)
        frames = (clip.time - rig[armature.FIRST]) * rig[armature.STEP]
        span = put_poses(clip, *sample(context, bones, rig, frames))
        with tempfile.TemporaryDirectory() as folder:
            result, changed = source, Path(folder) / "edited.bvh"
            if span:
                result = Path(folder) / (clip.title + ".h5")
                write_bvh(clip, span, changed)
                run_program(found, ["edit", "-q", source, changed, "--at", repr(float(clip.time[span[0]])), "-o", result])
            clip = read_clip(result, found)
            clip.verdict = read_verdict(found, result)
    show(clip, context, rig, [bone.name for bone in bones], frames)
    what = "frames %d to %d changed" % span if span else "no pose differs"
    return what + ("; " + marks.sentence(clip.verdict).replace("\n", "; ") if clip.verdict else "")


def bones_in_order(rig, clip):
    """Pose bones in the order of the clip's joints."""
    bones = sorted((bone for bone in rig.pose.bones if armature.REST in bone), key=lambda bone: bone[armature.JOINT])
    if [bone[armature.JOINT] for bone in bones] != list(range(len(clip.joint))):
        raise ClipError("%s: its bones are not those of the clip: open the clip again" % rig.name)
    return bones


def sample(context, bones, rig, frames):
    """Rotations [frame][joint][wxyz] and positions [frame][joint][xyz] of the joints in kane's world."""
    scene, now, shown = context.scene, context.scene.frame_current_final, []
    for child in rig.children:  # nothing is drawn: bodies need not follow
        shown.append((child, child.hide_viewport))
        child.hide_viewport = True
    turn, place = np.empty((len(frames), len(bones), 4)), np.empty((len(frames), len(bones), 3))
    try:
        for f, frame in enumerate(frames):
            scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
            for j, bone in enumerate(bones):
                turn[f, j], place[f, j] = bone.matrix.to_quaternion(), bone.head
    finally:
        for child, hidden in shown:
            child.hide_viewport = hidden
        scene.frame_set(int(np.floor(now)), subframe=now - np.floor(now))
    along = np.array([bone.bone.matrix_local.to_quaternion() for bone in bones], dtype=float)
    rest = np.array([bone[armature.REST] for bone in bones], dtype=float)
    return y_up_turn(product(product(turn, conjugate(along)), rest)), y_up(place)


def put_poses(clip, world, place):
    """Changes the motion of the clip where the bones are elsewhere. Returns the first and last frame that differ, or
    None."""
    parent = np.maximum(clip.parent, 0)
    local = product(conjugate(world[:, parent]), world)
    local[:, 0] = world[:, 0]
    apart = product(conjugate(clip.rotation), local)
    turned = 2 * np.linalg.norm(apart[..., 1:], axis=-1) > SAME
    clip.rotation = np.where(turned[..., None], local, clip.rotation)
    moved = np.linalg.norm(place[:, 0] - clip.root_position, axis=-1) > SAME
    clip.root_position = np.where(moved[:, None], place[:, 0], clip.root_position)
    differs = turned.any(axis=1) | moved
    if clip.translation is not None:
        shift = rotate(conjugate(world[:, parent]), place - place[:, parent])
        shifted = np.linalg.norm(shift - clip.translation, axis=-1) > SAME
        shifted[:, 0] = False
        clip.translation = np.where(shifted[..., None], shift, clip.translation)
        differs |= shifted.any(axis=1)
    at = np.flatnonzero(differs)
    return (int(at[0]), int(at[-1])) if len(at) else None


def show(clip, context, rig, names, frames):
    for j, name in enumerate(names):
        armature.add_result_keys(clip, rig, j, name, frames)
    bodies.update(clip, rig, names, frames, rig[MAXIMUM])
    marks.update(clip, context, rig, frames)
    context.scene.frame_set(context.scene.frame_current)


def euler_zxy(q):
    """Degrees about z, x, y of q = z x y."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    about_x = np.arcsin(np.clip(2 * (y * z + w * x), -1, 1))
    flat = np.abs(2 * (y * z + w * x)) > 1 - 1e-12
    about_z = np.where(flat, np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)),
                       np.arctan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z)))
    about_y = np.where(flat, 0, np.arctan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)))
    return np.degrees(np.stack([about_z, about_x, about_y], axis=-1))


def write_bvh(clip, span, path):
    """Frames of the clip as `kane export --format bvh` writes them: in cm, +Y up."""
    children = [[k for k, parent in enumerate(clip.parent) if parent == j] for j in range(len(clip.joint))]
    lines, order = ["HIERARCHY"], []

    def put(j, indent):
        moves = j == 0 or clip.translation is not None
        order.append(j)
        lines.append("%s%s %s" % (indent, "JOINT" if j else "ROOT", clip.joint[j]))
        lines.append(indent + "{")
        lines.append("%s\tOFFSET %.12g %.12g %.12g" % (indent, *(100 * clip.offset[j] if j else np.zeros(3))))
        lines.append("%s\tCHANNELS %s" % (indent, ("6 Xposition Yposition Zposition " if moves else "3 ") +
                                          "Zrotation Xrotation Yrotation"))
        for k in children[j]:
            put(k, indent + "\t")
        for tip in clip.tips.get(j, [] if children[j] else [np.zeros(3)]):
            lines.append("%s\tEnd Site\n%s\t{\n%s\t\tOFFSET %.12g %.12g %.12g\n%s\t}" % (
                indent, indent, indent, *(100 * np.asarray(tip)), indent))
        lines.append(indent + "}")

    put(0, "")
    rows, angles = slice(span[0], span[1] + 1), euler_zxy(clip.rotation[span[0]:span[1] + 1])
    columns = []
    for j in order:
        if j == 0:
            columns.append(100 * clip.root_position[rows])
        elif clip.translation is not None:
            columns.append(100 * clip.translation[rows, j])
        columns.append(angles[:, j])
    values = np.concatenate(columns, axis=1)
    lines += ["MOTION", "Frames: %d" % len(values), "Frame Time: %.12g" % (1 / clip.rate)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
        np.savetxt(out, values, fmt="%.9f")
