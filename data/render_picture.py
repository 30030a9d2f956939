"""Renders a picture of a clip with Blender's Cycles, which requires no display: the body at several times, coloured by
torque.

blender -b --factory-startup --python-exit-code 1 --python render_picture.py -- ADDONS KANE CLIP.h5 PICTURE.png"""
import struct
import sys
import zlib

import bpy
import numpy as np
from mathutils import Vector

MOMENTS, WIDTH, HEIGHT, SAMPLES, MOST, STEP = 6, 960, 380, 32, 1.5, 4

ADDONS, KANE, CLIP, PICTURE = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, ADDONS)


def load():
    import addon_utils
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("kane_clips", default_set=True)
    bpy.context.preferences.addons["kane_clips"].preferences.program = KANE
    bpy.ops.import_scene.kane(filepath=CLIP, most=MOST)


def freeze(frame):
    """Duplicates the body and its ground force arrows in their state at a frame. Returns their positions."""
    scene, places = bpy.context.scene, []
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    for drawn in [o for o in bpy.data.objects if "kane_joint" in o or "kane_support" in o]:
        seen = drawn.evaluated_get(graph)
        copy = bpy.data.objects.new(drawn.name, bpy.data.meshes.new_from_object(seen))
        copy.matrix_world, copy.color = seen.matrix_world, seen.color
        scene.collection.objects.link(copy)
        places += [seen.matrix_world @ Vector(corner) for corner in seen.bound_box]
    return places


def moments():
    scene = bpy.context.scene
    places = []
    for frame in np.linspace(0.1, 0.9, MOMENTS) * scene.frame_end:
        places += freeze(int(frame))
    for moving in [o for o in bpy.data.objects if o.type == "ARMATURE" or o.parent]:
        bpy.data.objects.remove(moving)
    return np.array(places)


def add_sun(direction, strength):
    bpy.ops.object.light_add(type="SUN", rotation=direction)
    bpy.context.object.data.energy, bpy.context.object.data.angle = strength, 0


def glow(material, colour, strength):
    """Makes materials emit their colour (of a node, or grey), which keeps shadowed sides visible. A second light or
    gloss would add grain."""
    tree = material.node_tree
    node = {n.type: n for n in tree.nodes}
    shader = node["BSDF_PRINCIPLED"]
    shader.inputs["Specular"].default_value = 0
    shader.inputs["Emission"].default_value = (0.6, 0.6, 0.6, 1)
    if colour:
        tree.links.new(node[colour].outputs["Color"], shader.inputs["Emission"])
    shader.inputs["Emission Strength"].default_value = strength
    material.cycles.sample_as_light = False


def surround(places):
    """Adds the ground, a light and a camera that shows all bodies from the side."""
    scene = bpy.context.scene
    centre, size = (places.min(0) + places.max(0)) / 2, np.ptp(places, axis=0)
    bpy.ops.mesh.primitive_plane_add(size=60, location=(centre[0], centre[1], places[:, 2].min()))
    scene.world = bpy.data.worlds.new("sky")
    scene.world.color = (0.8, 0.84, 0.9)
    scene.world.cycles_visibility.diffuse = False  # sun only: no grain, a small file
    add_sun((0.7, 0.3, 0.6), 2)
    ground = bpy.data.materials.new("ground")
    ground.use_nodes = True
    bpy.data.objects["Plane"].data.materials.append(ground)
    glow(ground, None, 0.35)
    glow(bpy.data.materials["kane torque"], "OBJECT_INFO", 0.35)
    along = 0 if size[0] > size[1] else 1
    aside = Vector((0, 0, 0))
    aside[1 - along] = 1 if along else -1
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.data.lens = 50
    wide = max(size[along] + 0.4, (size[2] + 0.3) * WIDTH / HEIGHT)
    distance = wide * camera.data.lens / camera.data.sensor_width
    camera.location = Vector(centre) + aside * distance + Vector((0, 0, 0.7))
    camera.rotation_euler = (Vector(centre) - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera


def render():
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.seed, scene.cycles.max_bounces = SAMPLES, 1, 0
    scene.cycles.use_denoising, scene.render.dither_intensity = False, 0
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
    scene.render.image_settings.compression = 100
    scene.render.filepath = PICTURE
    bpy.ops.render.render(write_still=True)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def thin_out():
    """Quantizes colours to STEP, which removes grain and halves the size; without a date, so that the file is
    reproducible."""
    image = bpy.data.images.load(PICTURE)
    values = np.array(image.pixels[:]).reshape(HEIGHT, WIDTH, 4)[::-1, :, :3] * 255
    values = np.clip(np.round(values / STEP) * STEP, 0, 255).astype(np.uint8).reshape(HEIGHT, -1)
    rows = np.hstack([np.zeros((HEIGHT, 1), np.uint8), values])  # each row begins with its filter type: none
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    with open(PICTURE, "wb") as png:
        png.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) +
                  chunk(b"IEND", b""))


load()
surround(moments())
render()
thin_out()
