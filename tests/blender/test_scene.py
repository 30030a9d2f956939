"""A simulated scene: coloured shapes, and a spring between two bodies in each frame."""
import unittest
from pathlib import Path

import bpy
import h5py
import numpy as np

from support import FOLDER, bodies, empty_scene, points_of, y_up

SCENE = Path(FOLDER) / "scene.h5"


class SceneCase(unittest.TestCase):
    def setUp(self):
        empty_scene()
        self.assertEqual(bpy.ops.import_scene.kane(filepath=str(SCENE)), {"FINISHED"})
        with h5py.File(SCENE) as h:
            self.position = h["kinematics/position"][:]
            self.orientation = h["kinematics/orientation"][:]

    def test_boxes_are_where_they_are_in_their_colours(self):
        box = next(o for o in bodies() if o["kane_joint"] == "box")
        self.assertLess(np.abs(np.array(box.color) - (1, 0, 0, 1)).max(), 0.01)
        for frame in (0, 20):
            bpy.context.scene.frame_set(frame)
            off = y_up(points_of(box)) - self.position[frame, 1]
            self.assertAlmostEqual(np.linalg.norm(off, axis=1).max(), np.linalg.norm((0.1, 0.2, 0.05)), 4)
            self.assertLess(np.abs(off.mean(axis=0)).max(), 1e-4)

    def test_the_spring_ends_at_the_bodies(self):
        spring, = [o for o in bpy.data.objects if o.get("kane_mark") == "line"]
        for frame in (0, 10, 30):
            bpy.context.scene.frame_set(frame)
            points = y_up(points_of(spring))
            ends = [points[:12].mean(axis=0), points[-12:].mean(axis=0)]
            for end, joint in zip(ends, (1, 2)):
                self.assertLess(np.linalg.norm(end - self.position[frame, joint]), 1e-4)
