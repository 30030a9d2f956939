"""Segments to look at: octahedra from a joint to the next ones, whose object colour is keyed with its torque.

The scale is viridis from 0 to most Nm/kg, as in `kane export --format glb`. Frames that are not trusted show no torque;
the floating base, which carries the residual, is grey. Object colours show in the solid view with Color: Object, and by the
material in rendered views."""
import bpy
import numpy as np
from mathutils import Vector

from .armature import SHORTEST, add_curves, ends_of, rest_positions

# Linear RGB of #440154 #3b528b #21918c #5ec962 #fde725, the numbers of formats/gltf/torque_colour.c
SCALE = np.array([(0.0578, 0.0003, 0.0887), (0.0437, 0.0844, 0.2582), (0.0152, 0.2831, 0.2623),
                  (0.1119, 0.5841, 0.1221), (0.9823, 0.7991, 0.0185)])
GREY = (0.3, 0.3, 0.3, 1.0)
FACES = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4)]


def colours(torque, most):
    """[frame][rgba] of torques in Nm/kg, linear between the stops."""
    place = np.clip(torque / most, 0, 1) * (len(SCALE) - 1)
    rgb = [np.interp(place, range(len(SCALE)), SCALE[:, k]) for k in range(3)]
    return np.stack(rgb + [np.ones_like(place)], axis=1)


def add(clip, context, rig, names, frames, most):
    """One object a bone, in a collection of their own below the armature's."""
    collection = bpy.data.collections.new(rig.name + " torque")
    context.collection.children.link(collection)
    material, rest = material_of_object_colour(), rest_positions(clip)
    for j, name in enumerate(names):
        body = body_of_bone(rig, name, ends_of(clip, rest, j), material)
        collection.objects.link(body)
        body.color = GREY
        if clip.coloured is not None and not clip.residual[j]:
            body.animation_data_create().action = bpy.data.actions.new("%s %s torque" % (rig.name, name))
            add_curves(body.animation_data.action, "torque", "color", frames, colours(clip.coloured[:, j], most))
    show_object_colours()


def octahedron(end):
    """From the origin to end, with a waist."""
    length, along = end.length, end.normalized()
    aside = along.orthogonal() * (0.09 * length / along.orthogonal().length)
    across, waist = along.cross(aside), 0.15 * end
    return [Vector(), waist + aside, waist + across, waist - aside, waist - across, end]


def body_of_bone(rig, name, ends, material):
    """In the bone's axes: from its head to each end, or along y to its tail."""
    bone = rig.data.bones[name]
    to_bone = bone.matrix_local.inverted()
    ends = [to_bone @ Vector(end) for end in ends]
    points, faces = [], []
    for end in [e for e in ends if e.length > SHORTEST] or [Vector((0, bone.length, 0))]:
        faces += [tuple(len(points) + corner for corner in face) for face in FACES]
        points += octahedron(end)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(material)
    body = bpy.data.objects.new(name, mesh)
    body.parent, body.parent_type, body.parent_bone = rig, "BONE", name
    body.location = (0, -bone.length, 0)  # children of a bone start at its tail
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


def show_object_colours():
    for screen in bpy.data.screens:
        for area in screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.shading.color_type = "OBJECT"
