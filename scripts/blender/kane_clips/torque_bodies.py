"""Segments to look at: an octahedron a bone, whose object colour is keyed with the torque of its joint.

The scale is viridis from 0 to most Nm/kg, as in `kane export --format glb`. Frames that are not valid show no torque;
the root, which carries the residual, is grey. Object colours show in the solid view with Color: Object, and by the
material in rendered views."""
import bpy
import numpy as np

from .armature import add_curves

SCALE = np.array([(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]) / 255  # sRGB
GREY = (0.5, 0.5, 0.5, 1.0)
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
    material = material_of_object_colour()
    for j, name in enumerate(names):
        body = body_of_bone(rig, name, material)
        collection.objects.link(body)
        body.color = GREY
        if j > 0 and clip.coloured is not None:
            body.animation_data_create().action = bpy.data.actions.new("%s %s torque" % (rig.name, name))
            add_curves(body.animation_data.action, "torque", "color", frames, colours(clip.coloured[:, j], most))
    show_object_colours()


def body_of_bone(rig, name, material):
    """In the bone's axes: from its head, along y to its tail."""
    length = rig.data.bones[name].length
    waist, wide = 0.15 * length, 0.09 * length
    points = [(0, 0, 0), (wide, waist, 0), (0, waist, wide), (-wide, waist, 0), (0, waist, -wide), (0, length, 0)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], FACES)
    mesh.materials.append(material)
    body = bpy.data.objects.new(name, mesh)
    body.parent, body.parent_type, body.parent_bone = rig, "BONE", name
    body.location = (0, -length, 0)  # children of a bone start at its tail
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
