"""A clip as an armature with an action.

A bone's rest frame r looks along the bone; a joint that turns by q against its parent turns the bone by r* q r in its
own axes. Every pose bone gets the property kane_torque_nm_kg, keyed with the length of the joint's torque for each
kilogram of body; the root's is the residual."""
import bpy
import numpy as np

from .turns import conjugate, product, rotate, z_up, z_up_turn

TORQUE = "kane_torque_nm_kg"
SHORTEST = 1e-3  # m; Blender drops bones without length
LEAF = 0.05      # m, of a bone that ends nowhere
LINEAR = 1       # of an interpolation, as foreach_set wants it


def schedule(clip, scene, set_rate):
    """The scene's frame of each frame of the clip; with set_rate the scene takes the clip's rate and range."""
    if not set_rate:
        return (clip.time - clip.time[0]) * scene.render.fps / scene.render.fps_base
    whole = max(1, round(clip.rate))
    scene.render.fps, scene.render.fps_base = whole, whole / clip.rate
    scene.frame_start, scene.frame_end = 0, len(clip.time) - 1
    return np.arange(len(clip.time))


def build(clip, context, frames):
    """The armature object of a clip, linked, active, with its action, and the names of its bones in the order of the
    joints."""
    rig = bpy.data.objects.new(clip.title, bpy.data.armatures.new(clip.title))
    context.collection.objects.link(rig)
    names = add_bones(clip, context, rig)
    rig.animation_data_create().action = bpy.data.actions.new(clip.title)
    for j, name in enumerate(names):
        add_joint_keys(clip, rig, j, name, frames)
    rig["kane_first_time_s"] = float(clip.time[0])
    return rig, names


def rest_positions(clip):
    rest = np.array(clip.offset, dtype=float)
    for j in range(1, len(rest)):
        rest[j] += rest[clip.parent[j]]
    return z_up(rest)


def ends_of(clip, rest, j):
    """The joints that hang on joint j, or else its end sites."""
    children = [rest[c] for c in np.flatnonzero(clip.parent == j)]
    return children or [rest[j] + z_up(np.asarray(tip)) for tip in clip.tips.get(j, ())]


def tail_of(clip, rest, j):
    """Where a bone ends: in the middle of its ends, or a little further along."""
    ends = ends_of(clip, rest, j)
    if ends and np.linalg.norm(np.mean(ends, axis=0) - rest[j]) > SHORTEST:
        return np.mean(ends, axis=0)
    along = rest[j] - rest[clip.parent[j]] if clip.parent[j] >= 0 else np.zeros(3)
    length = np.linalg.norm(along)
    return rest[j] + (along / length * min(LEAF, length) if length > SHORTEST else np.array([0, 0, LEAF]))


def add_bones(clip, context, rig):
    context.view_layer.objects.active = rig
    rest, bones = rest_positions(clip), []
    bpy.ops.object.mode_set(mode="EDIT")
    for j, joint in enumerate(clip.joint):
        bone = rig.data.edit_bones.new(joint)
        bone.head, bone.tail = rest[j], tail_of(clip, rest, j)
        bone.parent = bones[clip.parent[j]] if j else None
        bones.append(bone)
    names = [bone.name for bone in bones]  # Blender may have cut or numbered them
    bpy.ops.object.mode_set(mode="OBJECT")
    return names


def add_joint_keys(clip, rig, j, name, frames):
    bone, action = rig.pose.bones[name], rig.animation_data.action
    path = 'pose.bones["%s"]' % bpy.utils.escape_identifier(name)
    bone.rotation_mode = "QUATERNION"
    bone["kane_role"] = clip.role[j]
    rest = np.array(bone.bone.matrix_local.to_quaternion(), dtype=float)
    turns = product(product(conjugate(rest), z_up_turn(clip.rotation[:, j])), rest)
    add_curves(action, name, path + ".rotation_quaternion", frames, turns)
    shift = shift_of(clip, j)
    if shift is not None:
        add_curves(action, name, path + ".location", frames, rotate(conjugate(rest), shift))
    if clip.torque is not None:
        add_torque_keys(clip, bone, action, j, path, frames)


def shift_of(clip, j):
    """How far a joint's centre leaves its place at rest, parent axes; None where it stays."""
    if j == 0:
        return z_up(clip.root_position - clip.offset[0])
    return None if clip.translation is None else z_up(clip.translation[:, j] - clip.offset[j])


def add_torque_keys(clip, bone, action, j, path, frames):
    bone[TORQUE] = float(clip.torque[0, j])
    what = "residual of the floating base" if clip.residual[j] else "net joint torque"
    bone.id_properties_ui(TORQUE).update(min=0.0, description="Length of the %s, Nm for each kg of body" % what)
    add_curves(action, bone.name, '%s["%s"]' % (path, TORQUE), frames, clip.torque[:, j:j + 1])


def add_curves(action, group, path, frames, values):
    """Linear keys; values[frame][index]."""
    for index in range(values.shape[1]):
        curve = action.fcurves.new(path, index=index, action_group=group)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values[:, index]], axis=1).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), LINEAR))
        curve.update()
