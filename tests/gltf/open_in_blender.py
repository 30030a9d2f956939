"""Opens FOLDER/NAME.glb in Blender and compares it with the clip file FOLDER/NAME.h5: blender -b --factory-startup
--python-exit-code 1 --python open_in_blender.py -- FOLDER NAME...

Flat shading: for others Debian's importer uses numpy.bool, which numpy 1.24 removed."""
import math
import sys

import bpy
import h5py
import numpy as np

SCALE = (0, 0.75, 1.5, 2.25, 3)  # N m/kg at the colour stops
RECORDING = 0x3fb1f  # TRUST_RECORDING: frames without colour


def imported(path, frame_time):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(1 / frame_time)
    bpy.ops.import_scene.gltf(filepath=path, import_shading="FLAT")
    return next(o for o in bpy.data.objects if o.type == "ARMATURE")


def go_to(seconds):
    frame = seconds * bpy.context.scene.render.fps
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))


def torque_shown(name):
    """N m/kg encoded by the colour weights of a joint."""
    mesh = next(o for o in bpy.data.objects if o.type == "MESH" and o.data.name == name)
    if not mesh.data.shape_keys:
        return None
    keys = mesh.data.shape_keys.key_blocks
    return sum((b - a) * keys["torque to %g N m/kg" % b].value for a, b in zip(SCALE, SCALE[1:]))


def compare(folder, name):
    with h5py.File("%s/%s.h5" % (folder, name)) as h:
        joints = [j.decode() for j in h["joint"][:]]
        time, position = h["time"][:], h["kinematics/position"][:]
        torque = np.linalg.norm(h["dynamics/torque"][:], axis=2) / h["body/mass"][:].sum()
        of_joint = h["trust/joint_reason"][:] if "trust/joint_reason" in h else np.zeros(torque.shape, np.uint32)
        reason = h["trust/reason"][:][:, None] | of_joint
        shown_as = np.where(reason & RECORDING == 0, torque, 0)
        shown_as[h["kinematics/valid"][:] == 0] = 0
        uncertain = reason & 1 << 18 != 0  # any colour up to that of the torque
    rig = imported("%s/%s.glb" % (folder, name), time[1] - time[0])
    off, colour_off, coloured = 0.0, 0.0, 0
    for f in np.linspace(0, len(time) - 1, 9).astype(int):
        go_to(time[f])
        for j, joint in enumerate(joints):
            x, y, z = rig.matrix_world @ rig.pose.bones[joint].head
            off = max(off, math.dist((x, z, -y), position[f, j]))
            shown = torque_shown(joint)
            if shown is not None:
                coloured += 1
                if uncertain[f, j] and shown <= torque[f, j]:
                    continue
                colour_off = max(colour_off, abs(shown - min(shown_as[f, j], SCALE[-1])))
    print("gltf: %s in Blender %s: joints within %.1e m, colours of %d torques within %.1e N m/kg" %
          (name, bpy.app.version_string, off, coloured, colour_off))
    return off < 1e-4 and coloured == 9 * (len(joints) - 1) and colour_off < 1e-4


arguments = sys.argv[sys.argv.index("--") + 1:]
sys.exit(0 if all([compare(arguments[0], name) for name in arguments[1:]]) else 1)
