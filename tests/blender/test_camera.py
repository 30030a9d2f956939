"""The camera that follows a clip: position and target, compared with joint positions."""
import unittest

import bpy
import numpy as np
from mathutils import Vector

from support import JUMP, WALK, Truth, empty_scene, rigs


def camera_at(frame):
    bpy.context.scene.frame_set(frame)
    return bpy.context.scene.camera.matrix_world


class CameraCase(unittest.TestCase):
    def setUp(self):
        empty_scene()

    def root(self, truth, frame):
        x, y, z = truth.position[frame, 0]
        return Vector((x, -z, y))

    def test_it_stands_behind_at_rest_and_looks_at_the_root(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        rig, truth = rigs()[0], Truth(WALK)
        self.assertEqual(bpy.ops.kane.camera(distance=3, pitch=20), {"FINISHED"})
        self.assertEqual(bpy.context.scene.camera.name, rig.name + " camera")
        matrix = camera_at(0)
        arm = matrix.translation - self.root(truth, 0)
        self.assertAlmostEqual(arm.length, 3, 5)
        self.assertAlmostEqual(np.degrees(np.arcsin(arm.z / arm.length)), 20, 3)
        view, up = matrix.to_3x3() @ Vector((0, 0, -1)), matrix.to_3x3() @ Vector((0, 1, 0))
        self.assertLess((view + arm.normalized()).length, 1e-5)
        self.assertGreater(up.z, 0.9)
        ahead = self.root(truth, len(truth.time) - 1) - self.root(truth, 0)
        self.assertGreater(view.xy.normalized().dot(ahead.xy.normalized()), 0.95)

    def test_it_follows_a_walk_with_the_lag_of_its_springs(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        truth = Truth(WALK)
        bpy.ops.kane.camera(pitch=0, frequency=1, damping_ratio=1)
        last = len(truth.time) - 1
        arm = camera_at(last).translation - self.root(truth, last)
        way = (self.root(truth, last) - self.root(truth, last - 60)).length
        speed = way / (truth.time[last] - truth.time[last - 60])
        self.assertAlmostEqual(arm.xy.length - 4, 2 * speed / (2 * np.pi), delta=0.1 * speed)

    def test_a_fixed_camera_turns_alone(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        self.assertEqual(bpy.ops.kane.camera(kind="fixed"), {"FINISHED"})
        first, last = camera_at(0).copy(), camera_at(150).copy()
        self.assertLess((first.translation - last.translation).length, 1e-6)
        self.assertGreater(first.to_quaternion().rotation_difference(last.to_quaternion()).angle, 0.01)

    def test_of_a_mirrored_clip_it_is_the_mirror_image(self):
        bpy.ops.import_scene.kane(filepath=str(JUMP))
        bpy.ops.kane.camera(yaw=40)
        plain = camera_at(200).translation.copy()
        empty_scene()
        bpy.ops.import_scene.kane(filepath=str(JUMP), mirrored=True)
        bpy.ops.kane.camera(yaw=-40)
        mirrored = camera_at(200).translation
        self.assertLess((plain - Vector((-mirrored.x, mirrored.y, mirrored.z))).length, 1e-3)

    def test_without_a_program_it_says_so(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        bpy.context.preferences.addons["kane_clips"].preferences.program = "/nowhere/kane"
        with self.assertRaises(RuntimeError) as caught:
            bpy.ops.kane.camera()
        self.assertIn("no such program", str(caught.exception))
