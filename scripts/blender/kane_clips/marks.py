"""Marks beside the body: arrows of contact forces, the centre of mass, springs, tendons and particles of a scene, and
timeline markers of intervals that are not trusted, with the reason."""
import bpy
import numpy as np
from mathutils import Vector

from .armature import CONSTANT, add_curves
from .bodies import material_of_object_colour
from .clip_file import words_of
from .supports import Support
from .turns import z_up, z_up_turn

REASON = "kane_reason"  # armature property: bits of /trust/reason, keyed
VERDICT = "kane_verdict"  # armature property: index in WORDS of the frame's verdict, keyed
FACTOR, BAND = "kane_verdict_factor", "kane_verdict_band"  # of the frame, keyed: times a strong person, 90 % half width
WHY = "kane_why"          # armature property: the verdict of the clip, two lines
WORDS = ("unknown", "possible", "hard", "impossible")
TRUSTED = "trusted"     # marker at the end of an untrusted interval
GRAVITY = 9.81          # m/s2
ARROW = 0.5             # m, arrow length of one body weight
SIDES = 12
ARC = np.linspace(-np.pi / 2, np.pi / 2, 7)
SHAPES = {"line": [(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)], "dot": [(abs(np.cos(a)), np.sin(a)) for a in ARC]}
FORCE_COLOUR, COM_COLOUR = (0.9, 0.16, 0.42, 1.0), (0.95, 0.95, 0.95, 1.0)


def add(clip, context, rig, frames, collection, skin=None):
    weight = clip.mass * GRAVITY if clip.mass > 0 else 700.0
    for support in clip.supports:
        add_arrow(rig, support, ARROW / weight, frames, collection)
    if clip.com is not None:
        add_centre(rig, clip, frames, collection)
    for i, mark in enumerate(mark for mark in (skin.marks if skin else []) if mark.kind in SHAPES):
        add_mark(rig, "%s %s %d" % (rig.name, mark.kind, i), mark, frames, collection)
    key_judgement(clip, context.scene, rig, frames)
    for time, name in clip.turns:
        context.scene.timeline_markers.new("%s: %s" % (rig.name, name),
                                           frame=round(float(np.interp(time, clip.time, frames))))


def update(clip, context, rig, frames):
    """Keys forces, centre of mass, flags and verdict again."""
    weight = clip.mass * GRAVITY if clip.mass > 0 else 700.0
    marks = {child["kane_support"]: child for child in rig.children if "kane_support" in child}
    centre = next((child for child in rig.children if child.name.startswith(rig.name + " centre of mass")), None)
    for name in set(marks) - {support.name for support in clip.supports}:
        none = np.zeros((len(frames), 3))
        key_arrow(marks[name], Support(name, none, none), ARROW / weight, frames)
    for support in clip.supports:
        if support.name in marks:
            key_arrow(marks[support.name], support, ARROW / weight, frames)
        else:
            add_arrow(rig, support, ARROW / weight, frames, centre.users_collection[0] if centre else context.collection)
    if centre and clip.com is not None:
        add_curves(centre.animation_data.action, "centre of mass", "location", frames, z_up(clip.com))
    key_judgement(clip, context.scene, rig, frames)


def key_judgement(clip, scene, rig, frames):
    """Flags and verdict of each frame as properties of the armature, and markers where frames are not trusted."""
    action = rig.animation_data.action
    rig[REASON] = int(clip.reason[0])
    add_curves(action, "trust", '["%s"]' % REASON, frames, clip.reason[:, None], CONSTANT)
    add_markers(scene, rig.name, clip.reason, frames)
    if not clip.verdict:
        return
    rig[WHY], rows = sentence(clip.verdict), clip.verdict["frames"]
    rig[VERDICT], rig[FACTOR], rig[BAND] = 0, 0.0, 0.0
    words = np.array([WORDS.index(row["verdict"]) for row in rows])
    add_curves(action, "verdict", '["%s"]' % VERDICT, frames, words[:, None], CONSTANT)
    for name, key in ((FACTOR, "factor"), (BAND, "band")):
        values = np.array([row[key] or 0.0 for row in rows])
        add_curves(action, "verdict", '["%s"]' % name, frames, values[:, None])


def sentence(verdict):
    """The word and why; in a second line the factor with its 90 % band, joint and frame."""
    text = "%s: %s" % (verdict["verdict"], verdict["why"])
    if verdict["factor"] is None:
        return text
    return "%s\nfactor %.2f \u00b1 %.2f, %s, frame %d" % (text, verdict["factor"], verdict["band"], verdict["joint"],
                                                        verdict["frame"])


def marked_object(rig, name, mesh, colour, collection):
    made = bpy.data.objects.new(name, mesh)
    mesh.materials.append(material_of_object_colour())
    made.color, made.parent = colour, rig
    made.animation_data_create().action = bpy.data.actions.new(name)
    collection.objects.link(made)
    return made


def add_arrow(rig, support, scale, frames, collection):
    """An arrow along z of length 1: its length is keyed as scale; zero force hides it."""
    name = "%s force %s" % (rig.name, support.name)
    arrow = marked_object(rig, name, lathe(name, [(0.013, 0), (0.013, 0.8), (0.035, 0.8), (0, 1)]), FORCE_COLOUR,
                          collection)
    arrow.rotation_mode = "QUATERNION"
    arrow["kane_support"] = support.name
    key_arrow(arrow, support, scale, frames)


def key_arrow(arrow, support, scale, frames):
    force, action = z_up(support.force), arrow.animation_data.action
    size = np.linalg.norm(force, axis=1)
    add_curves(action, "force", "location", frames, z_up(support.place))
    add_curves(action, "force", "rotation_quaternion", frames, turns_from_z(force, size))
    across = (size > 0).astype(float)
    add_curves(action, "force", "scale", frames, np.stack([across, across, size * scale], axis=1))
    arrow["kane_force_n"] = float(size[0])
    add_curves(action, "force", '["kane_force_n"]', frames, size[:, None])


def turns_from_z(vector, size):
    """[frame][wxyz]: the shortest rotations from z to the vectors, in Blender's world."""
    return np.array([Vector((0, 0, 1)).rotation_difference(Vector(v)) if length > 0 else (1, 0, 0, 0)
                     for v, length in zip(vector, size)])


def add_centre(rig, clip, frames, collection):
    name = rig.name + " centre of mass"
    angles = np.linspace(-np.pi / 2, np.pi / 2, 9)
    profile = [(max(0.035 * np.cos(a), 0), 0.035 * np.sin(a)) for a in angles]
    centre = marked_object(rig, name, lathe(name, profile), COM_COLOUR, collection)
    centre.show_in_front = True  # it is inside the body
    add_curves(centre.animation_data.action, "centre of mass", "location", frames, z_up(clip.com))


def add_mark(rig, name, mark, frames, collection):
    """The y axis of its mesh is z in Blender."""
    made = marked_object(rig, name, lathe(name, SHAPES[mark.kind]), mark.colour, collection)
    made.rotation_mode, made["kane_mark"] = "QUATERNION", mark.kind
    action = made.animation_data.action
    add_curves(action, "mark", "location", frames, z_up(mark.place))
    add_curves(action, "mark", "rotation_quaternion", frames, z_up_turn(mark.turn))
    add_curves(action, "mark", "scale", frames, mark.scale[:, [0, 2, 1]])


def lathe(name, profile):
    """Surface of revolution about z from pairs (radius, height)."""
    points = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile
              for a in np.arange(SIDES) * 2 * np.pi / SIDES]
    faces = [(i * SIDES + k, i * SIDES + (k + 1) % SIDES, (i + 1) * SIDES + (k + 1) % SIDES, (i + 1) * SIDES + k)
             for i in range(len(profile) - 1) for k in range(SIDES)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces + [tuple(range(SIDES))[::-1]])
    return mesh


def add_markers(scene, clip_name, reason, frames):
    """Adds a marker with all flags where an untrusted interval begins, and one where it ends."""
    for marker in [m for m in scene.timeline_markers if m.name.startswith(clip_name + ": ")]:
        scene.timeline_markers.remove(marker)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], reason != 0, [0]])))
    for first, end in zip(edges[::2], edges[1::2]):
        against = words_of(np.bitwise_or.reduce(reason[first:end]))
        scene.timeline_markers.new("%s: not trusted, %s" % (clip_name, against), frame=round(float(frames[first])))
        if end < len(reason):
            scene.timeline_markers.new("%s: %s" % (clip_name, TRUSTED), frame=round(float(frames[end])))
