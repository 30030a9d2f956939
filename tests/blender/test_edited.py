"""Edited poses: what kane computes of them, on the curves."""
import math
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

import bpy
import h5py
import numpy as np

from kane_clips import armature, edited, library, marks, panel
from mathutils import Quaternion
from support import FOLDER, JUMP, KANE, WALK, Truth, empty_scene, rigs

worst = {"edited": 0.0, "seconds": 0.0}


def curve_of(rig, path):
    return rig.animation_data.action.fcurves.find(path)


def values_of(rig, joint, name, frames):
    curve = curve_of(rig, 'pose.bones["%s"]["%s"]' % (joint, name))
    return np.array([curve.evaluate(f) for f in range(frames)])


def turn(rig, joint, first, last, degrees):
    """Turns the bone of a joint about its own x axis, most in the middle frame."""
    path = 'pose.bones["%s"].rotation_quaternion' % joint
    curves = [rig.animation_data.action.fcurves.find(path, index=i) for i in range(4)]
    for f in range(first, last + 1):
        angle = math.radians(degrees) * (0.5 - 0.5 * math.cos(2 * math.pi * (f - first) / (last - first)))
        q = Quaternion([curve.evaluate(f) for curve in curves]) @ Quaternion((1, 0, 0), angle)
        for curve, value in zip(curves, q):
            curve.keyframe_points[f].co.y = value
    for curve in curves:
        curve.update()


class Edited(unittest.TestCase):
    def setUp(self):
        empty_scene()

    def opened(self, path=WALK, **options):
        bpy.ops.import_scene.kane(filepath=str(path), **options)
        return next(rig for rig in rigs())

    def solve(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(bpy.ops.kane.solve_edit(), {"FINISHED"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_a_turned_bone_reads_another_torque(self):
        rig, truth = self.opened(), Truth(WALK)
        joint, count = "RightUpLeg", len(truth.time)
        turn(rig, joint, 60, 100, 30)
        worst["seconds"] = self.solve()
        self.assertLess(worst["seconds"], 1)
        torque = values_of(rig, joint, armature.TORQUE, count)
        before = truth.torque[:, truth.joint.index(joint)]
        self.assertGreater(np.abs(torque - before)[60:101].max(), 0.2)
        self.assertLess(np.abs(torque - before)[:20].max(), 0.1)
        self.assertGreater(values_of(rig, joint, armature.USE, count)[60:101].max(), 0)
        self.assertGreater(values_of(rig, joint, armature.TORQUE_SD, count)[70:90].min(), 0)

    def test_the_curves_have_what_kane_computes_of_the_whole_edited_clip(self):
        rig, truth = self.opened(), Truth(WALK)
        turn(rig, "RightLeg", 60, 100, 30)
        self.solve()
        with tempfile.TemporaryDirectory() as folder:
            clip = edited.read_clip(WALK, KANE)
            frames = np.arange(len(clip.time))
            bones = edited.bones_in_order(rig, clip)
            self.assertEqual(edited.put_poses(clip, *edited.sample(bpy.context, bones, rig, frames))[0] in (60, 61, 62),
                             True)
            whole, result = Path(folder) / "whole.bvh", Path(folder) / "whole.h5"
            edited.write_bvh(clip, (0, len(clip.time) - 1), whole)
            subprocess.run([KANE, "edit", "-q", WALK, whole, "-o", result], check=True)
            again = Truth(result)
            with h5py.File(WALK) as h, h5py.File(result) as r:
                same = np.abs(h["motion/rotation"][:] - r["motion/rotation"][:]).max(axis=(1, 2))
        self.assertEqual(same[:58].max(), 0)
        self.assertGreater(same[60:101].max(), 0.01)
        peak = again.torque.max()
        for j, joint in enumerate(truth.joint):
            off = np.abs(values_of(rig, joint, armature.TORQUE, len(frames)) - again.torque[:, j]).max() / peak
            worst["edited"] = max(worst["edited"], off)
            self.assertLess(off, 1e-6, joint)

    def test_poses_sent_back_unchanged_change_nothing(self):
        for path, options in ((WALK, {}), (JUMP, {}), (WALK, {"set_rate": False}), (WALK, {"mirrored": True})):
            empty_scene()
            rig = self.opened(path, **options)
            before = {c.data_path + str(c.array_index): [p.co.y for p in c.keyframe_points]
                      for c in rig.animation_data.action.fcurves}
            self.solve()
            after = {c.data_path + str(c.array_index): [p.co.y for p in c.keyframe_points]
                     for c in rig.animation_data.action.fcurves}
            self.assertEqual(before, after, (path, options))

    def test_an_undone_edit_has_the_torques_of_the_clip(self):
        rig, truth = self.opened(), Truth(WALK)
        turn(rig, "RightUpLeg", 60, 100, 30)
        self.solve()
        turn(rig, "RightUpLeg", 60, 100, -30)
        self.solve()
        torque = values_of(rig, "RightUpLeg", armature.TORQUE, len(truth.time))
        self.assertLess(np.abs(torque - truth.torque[:, truth.joint.index("RightUpLeg")]).max(), 1e-4)

    def test_a_constraint_is_sent_as_seen(self):
        rig, truth = self.opened(), Truth(WALK)
        bone = rig.pose.bones["RightForeArm"]
        limit = bone.constraints.new("COPY_ROTATION")
        limit.target, limit.subtarget = rig, "Head"
        self.solve()
        torque = values_of(rig, "RightForeArm", armature.TORQUE, len(truth.time))
        self.assertGreater(np.abs(torque - truth.torque[:, truth.joint.index("RightForeArm")]).max(), 0.01)

    def test_an_impossible_edit_is_told_in_the_panel_with_its_band(self):
        rig = self.opened()
        self.assertIn("possible", panel.verdict_lines(rig)[0])
        turn(rig, "RightUpLeg", 80, 90, 160)
        self.solve()
        lines = panel.verdict_lines(rig)
        self.assertTrue(lines[0].startswith("impossible: "), lines)
        self.assertTrue(any(line.startswith("factor ") and "\u00b1" in line for line in lines), lines)
        verdict = curve_of(rig, '["%s"]' % marks.VERDICT)
        factor, band = curve_of(rig, '["%s"]' % marks.FACTOR), curve_of(rig, '["%s"]' % marks.BAND)
        bad = [f for f in range(181) if verdict.evaluate(f) == marks.WORDS.index("impossible")]
        self.assertTrue(bad and 70 < min(bad) and max(bad) < 105, bad)
        for f in bad:
            self.assertGreater(factor.evaluate(f) - band.evaluate(f), 1)
        bpy.context.scene.frame_set(bad[0])
        self.assertTrue(panel.verdict_lines(rig)[-1].startswith("this frame: impossible, "))
        bpy.context.scene.frame_set(20)
        self.assertTrue(panel.verdict_lines(rig)[-1].startswith("this frame: possible, "))

    def test_a_deleted_bone_is_told(self):
        rig = self.opened()
        bpy.ops.object.mode_set(mode="EDIT")
        rig.data.edit_bones.remove(rig.data.edit_bones["Head"])
        bpy.ops.object.mode_set(mode="OBJECT")
        with self.assertRaisesRegex(RuntimeError, "open the clip again"):
            bpy.ops.kane.solve_edit()

    def test_any_rotation_survives_its_angles(self):
        q = np.random.default_rng(5).normal(size=(500, 4))
        q[:5] = [(1, 1, 0, 0), (1, -1, 0, 0), (0, 0, 1, 1), (1, 1, 1, 1), (1, 0, 0, 0)]
        q /= np.linalg.norm(q, axis=1)[:, None]
        angle = np.radians(edited.euler_zxy(q)) / 2
        turned = [np.stack([np.cos(angle[:, k])] + [np.sin(angle[:, k]) * (axis == a) for a in range(3)], axis=1)
                  for k, axis in enumerate((2, 0, 1))]
        again = edited.product(edited.product(turned[0], turned[1]), turned[2])
        self.assertLess((1 - np.abs(np.sum(q * again, axis=1))).max(), 1e-9)
