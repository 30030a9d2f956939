"""The body: the mannequin of pages and glTF, one object per segment, whose object colour is keyed with its torque.

Colour scale: viridis from 0 to `maximum` N m/kg, as in `kane export --format glb`. Frames whose recording is bad show
no torque, uncertain ones the lower end of the 90 % band; the floating base, which has the residual, is grey. Without a
mannequin (clip file read by h5py, not by the program kane), segments are octahedra between joints. Solid view and
Workbench are set to show object colours; rendered views show them through the material. Shapes of a scene have the
scene's colours."""
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from .armature import SHORTEST, Rest, add_curves, ends_of
from .skin import Skin
from .turns import z_up

# Linear RGB of #440154 #3b528b #21918c #5ec962 #fde725; same values as formats/gltf/gltf_clip.c
SCALE = np.array([(0.0578, 0.0003, 0.0887), (0.0437, 0.0844, 0.2582), (0.0152, 0.2831, 0.2623),
                  (0.1119, 0.5841, 0.1221), (0.9823, 0.7991, 0.0185)])
GREY = (0.3, 0.3, 0.3, 1.0)
FACES = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4)]


def colours(torque, maximum):
    """[frame][rgba] of torques in N m/kg, interpolated linearly."""
    place = np.clip(torque / maximum, 0, 1) * (len(SCALE) - 1)
    rgb = [np.interp(place, range(len(SCALE)), SCALE[:, k]) for k in range(3)]
    return np.stack(rgb + [np.ones_like(place)], axis=1)


@dataclass
class Look:
    rest: Rest
    skin: Skin   # None: octahedra
    maximum: float  # N m/kg at the end of the colour scale


def add(clip, context, rig, names, frames, look):
    """Makes one object per segment, in a collection below the armature's, and returns that collection."""
    collection = bpy.data.collections.new(rig.name + " body")
    context.collection.children.link(collection)
    material = material_of_object_colour()
    for j, body in segments(clip, rig, names, look.rest, look.skin):
        body.data.materials.append(material)
        collection.objects.link(body)
        body.color, body["kane_joint"] = GREY, names[j]
        if look.skin and look.skin.is_scene:
            body.color = (*next(part.colour for part in look.skin.parts if part.joint == j), 1.0)
        elif clip.coloured is not None and not clip.residual[j]:
            body.animation_data_create().action = bpy.data.actions.new("%s %s torque" % (rig.name, names[j]))
            key_colour(clip, body, j, frames, look.maximum)
    show_object_colours(context)
    return collection


def key_colour(clip, body, j, frames, maximum):
    add_curves(body.animation_data.action, "torque", "color", frames, colours(clip.coloured[:, j], maximum))


def update(clip, rig, names, frames, maximum):
    """Keys the colours of the body's segments again."""
    for body in (child for child in rig.children if "kane_joint" in child and child.animation_data):
        key_colour(clip, body, names.index(body["kane_joint"]), frames, maximum)


def segments(clip, rig, names, rest, skin):
    """Pairs of joint index and object."""
    if skin is None:
        return [(j, octahedra(rig, name, ends_of(clip, rest, j))) for j, name in enumerate(names)]
    return [(part.joint, skinned(rig, names, part)) for part in skin.parts]


def skinned(rig, names, part):
    mesh = bpy.data.meshes.new(names[part.joint])
    mesh.from_pydata(z_up(part.position).tolist(), [], part.face.tolist())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(part.face), bool))
    if hasattr(mesh, "use_auto_smooth"):  # before Blender 4.1
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(z_up(part.normal).tolist())  # parts join without a seam
    body = bpy.data.objects.new(mesh.name, mesh)
    body.parent = rig
    body.modifiers.new("armature", "ARMATURE").object = rig
    for j in np.unique(part.bone[part.share > 0]):
        group = body.vertex_groups.new(name=names[j])
        share = np.sum(part.share * (part.bone == j), axis=1)
        for v in np.flatnonzero(share):
            group.add([int(v)], float(share[v]), "REPLACE")
    return body


def octahedron(end):
    """Octahedron from the origin to end."""
    length, along = end.length, end.normalized()
    aside = along.orthogonal() * (0.09 * length / along.orthogonal().length)
    across, waist = along.cross(aside), 0.15 * end
    return [Vector(), waist + aside, waist + across, waist - aside, waist - across, end]


def octahedra(rig, name, ends):
    """In bone axes: from the head to each end, or along y to the tail."""
    bone = rig.data.bones[name]
    to_bone = bone.matrix_local.inverted()
    ends = [to_bone @ Vector(end) for end in ends]
    points, faces = [], []
    for end in [e for e in ends if e.length > SHORTEST] or [Vector((0, bone.length, 0))]:
        faces += [tuple(len(points) + corner for corner in face) for face in FACES]
        points += octahedron(end)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    body = bpy.data.objects.new(name, mesh)
    body.parent, body.parent_type, body.parent_bone = rig, "BONE", name
    body.location = (0, -bone.length, 0)  # child bones are relative to the tail
    return body


def material_of_object_colour():
    name = "kane torque"
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        nodes = material.node_tree.nodes
        info = nodes.new("ShaderNodeObjectInfo")
        shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        material.node_tree.links.new(info.outputs["Color"], shader.inputs["Base Color"])
    return material


def show_object_colours(context):
    context.scene.display.shading.color_type = "OBJECT"  # used by Workbench
    for screen in bpy.data.screens:
        for area in screen.areas:
            for space in (s for s in area.spaces if s.type == "VIEW_3D"):
                space.shading.color_type = "OBJECT"
