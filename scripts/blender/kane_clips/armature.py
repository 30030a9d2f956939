"""A clip as an armature with an action.

The rest pose is that of the skin, which Blender deforms from there; without a skin all joint rotations are identity.
In the rest pose, joint j has the world rotation s, its parent t, and the bone (whose y axis points along it) r. A
joint rotation q relative to the parent becomes the bone rotation r* t q s* r in bone axes. Each pose bone gets the
keyed property kane_torque_nm_kg, the magnitude of the joint torque per body mass (the residual for the root),
kane_utilization, the torque over an average person's strength, and their standard deviations (..._sd) if the clip has
error bars."""
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from .turns import conjugate, product, rotate, z_up, z_up_turn

TORQUE = "kane_torque_nm_kg"
TORQUE_SD = "kane_torque_sd_nm_kg"
USE = "kane_utilization"
USE_SD = "kane_utilization_sd"
JOINT = "kane_joint"         # bone property: index in the clip
REST = "kane_rest"           # bone property: rotation of the joint in the rest pose, wxyz
FIRST = "kane_first_time_s"  # armature property: time of the clip at scene frame 0, s
STEP = "kane_frames_per_s"   # scene frames per second of the clip
SHORTEST = 1e-3  # m; Blender removes zero-length bones
LEAF = 0.05      # m, length of a bone without end site
LINEAR = 1       # interpolation codes of foreach_set
CONSTANT = 0
STILL = 1e-7     # m


@dataclass
class Rest:
    """Rest pose of all joints in Blender's world."""
    place: np.ndarray  # [joint][xyz] m
    turn: np.ndarray   # [joint][wxyz] joint to world


def rest_of(clip, skin):
    if skin is None:
        return Rest(unturned_positions(clip), np.tile((1.0, 0, 0, 0), (len(clip.joint), 1)))
    turn = np.array([Matrix(axes).to_quaternion() for axes in skin.axes])
    return Rest(z_up(skin.place), z_up_turn(turn))


def schedule(clip, scene, set_rate):
    """The scene frame of each frame of the clip; set_rate sets the scene to the clip's rate and range."""
    if not set_rate:
        return (clip.time - clip.time[0]) * scene.render.fps / scene.render.fps_base
    whole = max(1, round(clip.rate))
    scene.render.fps, scene.render.fps_base = whole, whole / clip.rate
    scene.frame_start, scene.frame_end = 0, len(clip.time) - 1
    return np.arange(len(clip.time))


def build(clip, context, frames, rest):
    """Makes the armature object of a clip, linked and active, with its action. Returns it with the bone names in joint
    order."""
    rig = bpy.data.objects.new(clip.title, bpy.data.armatures.new(clip.title))
    context.collection.objects.link(rig)
    names = add_bones(clip, context, rig, rest)
    rig.animation_data_create().action = bpy.data.actions.new(clip.title)
    for j, name in enumerate(names):
        add_joint_keys(clip, rig, j, name, frames, rest)
    rig.data.display_type, rig.show_in_front = "STICK", True  # bones can be selected, and the body stays visible
    rig[FIRST], rig[STEP] = float(clip.time[0]), float(frames[1] - frames[0]) * clip.rate if len(frames) > 1 else 1.0
    return rig, names


def seconds_of_range(rig, scene):
    """First and last time of the scene's range, in s of the clip."""
    ends = (scene.frame_preview_start, scene.frame_preview_end) if scene.use_preview_range else \
        (scene.frame_start, scene.frame_end)
    return tuple(rig[FIRST] + frame / rig[STEP] for frame in ends)


def unturned_positions(clip):
    place = np.array(clip.offset, dtype=float)
    for j in range(1, len(place)):
        place[j] += place[clip.parent[j]]
    return z_up(place)


def ends_of(clip, rest, j):
    """World positions of the children of joint j, or else of its end sites."""
    children = [rest.place[c] for c in np.flatnonzero(clip.parent == j)]
    return children or [rest.place[j] + rotate(rest.turn[j], z_up(np.asarray(tip))) for tip in clip.tips.get(j, ())]


def tail_of(clip, rest, j):
    """Tail of a bone: the mean of its ends, or a point further along."""
    here, ends = rest.place[j], ends_of(clip, rest, j)
    if ends and np.linalg.norm(np.mean(ends, axis=0) - here) > SHORTEST:
        return np.mean(ends, axis=0)
    along = here - rest.place[clip.parent[j]] if clip.parent[j] >= 0 else np.zeros(3)
    length = np.linalg.norm(along)
    return here + (along / length * min(LEAF, length) if length > SHORTEST else np.array([0, 0, LEAF]))


def add_bones(clip, context, rig, rest):
    context.view_layer.objects.active = rig
    bones = []
    bpy.ops.object.mode_set(mode="EDIT")
    for j, joint in enumerate(clip.joint):
        bone = rig.data.edit_bones.new(joint)
        bone.head, bone.tail = rest.place[j], tail_of(clip, rest, j)
        bone.parent = bones[clip.parent[j]] if j else None
        bones.append(bone)
    names = [bone.name for bone in bones]  # Blender truncates and numbers names
    bpy.ops.object.mode_set(mode="OBJECT")
    return names


def add_joint_keys(clip, rig, j, name, frames, rest):
    bone, action = rig.pose.bones[name], rig.animation_data.action
    path = 'pose.bones["%s"]' % bpy.utils.escape_identifier(name)
    bone.rotation_mode = "QUATERNION"
    bone["kane_role"], bone[JOINT], bone[REST] = clip.role[j], j, list(map(float, rest.turn[j]))
    along = np.array(bone.bone.matrix_local.to_quaternion(), dtype=float)
    above = rest.turn[clip.parent[j]] if j else np.array([1.0, 0, 0, 0])
    own = product(conjugate(rest.turn[j]), along)
    turns = product(conjugate(along), product(above, product(z_up_turn(clip.rotation[:, j]), own)))
    add_curves(action, name, path + ".rotation_quaternion", frames, turns)
    shift = rotate(above, from_parent(clip, j)) - (rest.place[j] - (rest.place[clip.parent[j]] if j else 0))
    if j == 0 or np.max(np.abs(shift)) > STILL:
        add_curves(action, name, path + ".location", frames, rotate(conjugate(along), shift))
    add_result_keys(clip, rig, j, name, frames)


def from_parent(clip, j):
    """[frame][xyz] m: position of the joint in parent axes; of the root in the world."""
    if j == 0:
        return z_up(clip.root_position)
    still = np.broadcast_to(clip.offset[j], (len(clip.time), 3))
    return z_up(still if clip.translation is None else clip.translation[:, j])


def add_result_keys(clip, rig, j, name, frames):
    """Keys the torque of a joint and its utilization."""
    bone, action = rig.pose.bones[name], rig.animation_data.action
    path = 'pose.bones["%s"]' % bpy.utils.escape_identifier(name)
    if clip.torque is not None:
        add_torque_keys(clip, bone, action, j, path, frames)
    if clip.utilization is not None and np.isfinite(clip.utilization[:, j]).any():
        about = "Torque over an average person's strength, of the axis with the largest"
        add_property(bone, action, USE, np.nan_to_num(clip.utilization[:, j]), about, path, frames)
        if np.isfinite(clip.utilization_sd[:, j]).any():
            add_property(bone, action, USE_SD, np.nan_to_num(clip.utilization_sd[:, j]),
                         "Standard deviation of the utilization", path, frames)


def add_torque_keys(clip, bone, action, j, path, frames):
    what = "residual of the floating base" if clip.residual[j] else "net joint torque"
    add_property(bone, action, TORQUE, clip.torque[:, j], "Magnitude of the %s, N m per kg of body" % what, path, frames)
    if clip.sd is not None and not clip.residual[j]:
        add_property(bone, action, TORQUE_SD, clip.sd[:, j], "Standard deviation of the torque, N m per kg of body", path,
                     frames)


def add_property(bone, action, name, values, description, path, frames):
    bone[name] = float(values[0])
    bone.id_properties_ui(name).update(min=0.0, description=description)
    add_curves(action, bone.name, '%s["%s"]' % (path, name), frames, values[:, None])


def add_curves(action, group, path, frames, values, interpolation=LINEAR):
    """values[frame][index]; replaces curves of that path."""
    for index in range(values.shape[1]):
        old = action.fcurves.find(path, index=index)
        if old:
            action.fcurves.remove(old)
        curve = action.fcurves.new(path, index=index, action_group=group)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values[:, index]], axis=1).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), interpolation))
        curve.update()


def hide_helpers(clip, rig, names, skin):
    """Hides bones that neither move a part of the body nor have a descendant that does: poles, markers, targets. They
    remain animated."""
    shown = {j for part in skin.parts for j in part.bone[part.share > 0]}
    for j in reversed(range(len(names))):
        if j in shown:
            shown.add(clip.parent[j])
    for j, name in enumerate(names):
        rig.data.bones[name].hide = j not in shown
