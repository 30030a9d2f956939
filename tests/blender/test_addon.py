"""The add-on, installed as a user does it: blender -b --factory-startup --python test_addon.py -- ADDON.zip KANE FOLDER

FOLDER holds library/index.db with walk.bvh.h5 and jump.bvh.h5, bare.h5 without torques, and clips of any kind in
real/."""
import math
import sys
import unittest
from pathlib import Path

import bpy
import h5py
import numpy as np

ADDON, KANE, FOLDER = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.preferences.addon_install(filepath=ADDON)
bpy.ops.preferences.addon_enable(module="kane_clips")
from kane_clips import clip_file, torque_bodies  # noqa: E402

LIBRARY = Path(FOLDER) / "library"
worst = {"position": 0.0, "real position": 0.0, "torque": 0.0}


class Truth:
    """What a container says, read here by h5py alone."""

    def __init__(self, path):
        with h5py.File(path) as h:
            self.joint = h["joint"].asstr()[:]
            self.time, self.position = h["time"][:], h["kinematics/position"][:]
            self.torque = np.linalg.norm(h["dynamics/torque"][:], axis=2) / h["body/mass"][:].sum()
            self.trusted = h["trust/trusted"][:] > 0


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="kane_clips")
    bpy.context.preferences.addons["kane_clips"].preferences.program = KANE


def rigs():
    return [o for o in bpy.data.objects if o.type == "ARMATURE"]


class Addon(unittest.TestCase):
    def setUp(self):
        empty_scene()

    def assert_positions(self, rig, truth, frame_of, kind="position"):
        for f in np.linspace(0, len(truth.time) - 1, 9).astype(int):
            frame = frame_of(f)
            bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
            for j, joint in enumerate(truth.joint):
                x, y, z = rig.matrix_world @ rig.pose.bones[joint].head
                off = math.dist((x, z, -y), truth.position[f, j])
                worst[kind] = max(worst[kind], off)
                self.assertLess(off, 1e-4, "%s at frame %d" % (joint, f))

    def assert_torques(self, rig, truth):
        action = rig.animation_data.action
        for j, joint in enumerate(truth.joint):
            curve = action.fcurves.find('pose.bones["%s"]["kane_torque_nm_kg"]' % joint)
            off = max(abs(curve.evaluate(f) - t) for f, t in enumerate(truth.torque[:, j]))
            worst["torque"] = max(worst["torque"], off)
            self.assertLess(off, 1e-5)

    def test_a_container_becomes_an_armature_that_moves_and_tells_torque(self):
        for name in ("walk", "jump"):
            empty_scene()
            path = LIBRARY / (name + ".bvh.h5")
            truth = Truth(path)
            self.assertEqual(bpy.ops.import_scene.kane(filepath=str(path)), {"FINISHED"})
            (rig,) = rigs()
            scene = bpy.context.scene
            self.assertAlmostEqual(scene.render.fps / scene.render.fps_base, 1 / (truth.time[1] - truth.time[0]), 3)
            self.assertEqual((scene.frame_start, scene.frame_end), (0, len(truth.time) - 1))
            self.assert_positions(rig, truth, lambda f: f)
            self.assert_torques(rig, truth)
            scene.frame_set(40)
            knee = rig.pose.bones["LeftLeg"]
            self.assertEqual(knee["kane_role"], "left_knee")
            self.assertAlmostEqual(knee["kane_torque_nm_kg"], truth.torque[40, list(truth.joint).index("LeftLeg")], 5)

    def test_real_clips_stand_where_they_stood(self):
        for path in sorted((Path(FOLDER) / "real").glob("*.h5")):
            with self.subTest(path.name):
                empty_scene()
                bpy.ops.import_scene.kane(filepath=str(path))
                self.assert_positions(rigs()[0], Truth(path), lambda f: f, "real position")

    def test_a_scene_may_keep_its_rate(self):
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = 24, 1
        path = LIBRARY / "walk.bvh.h5"
        truth = Truth(path)
        bpy.ops.import_scene.kane(filepath=str(path), set_rate=False)
        self.assertEqual(scene.render.fps, 24)
        self.assert_positions(rigs()[0], truth, lambda f: 24 * (truth.time[f] - truth.time[0]))

    def test_colours_follow_torque(self):
        path = LIBRARY / "walk.bvh.h5"
        truth = Truth(path)
        bpy.ops.import_scene.kane(filepath=str(path), most=1.5)
        j = list(truth.joint).index("LeftFoot")
        body = next(o for o in bpy.data.objects if o.type == "MESH" and o.parent_bone == "LeftFoot")
        seen = set()
        for f in range(0, len(truth.time), 7):
            bpy.context.scene.frame_set(f)
            shown = tuple(body.evaluated_get(bpy.context.evaluated_depsgraph_get()).color)
            torque = truth.torque[f, j] if truth.trusted[f] else 0
            np.testing.assert_allclose(shown, torque_bodies.colours(np.array([torque]), 1.5)[0], atol=1e-5)
            seen.add(tuple(round(c, 2) for c in shown))
        self.assertGreater(len(seen), 10)
        root = next(o for o in bpy.data.objects if o.type == "MESH" and o.parent_bone == truth.joint[0])
        np.testing.assert_allclose(root.color, torque_bodies.GREY, atol=1e-6)
        self.assertIsNone(root.animation_data)

    def test_bodies_reach_from_joint_to_joint(self):
        bpy.ops.import_scene.kane(filepath=str(LIBRARY / "jump.bvh.h5"))
        (rig,) = rigs()
        bpy.context.scene.frame_set(120)
        for body in (o for o in bpy.data.objects if o.type == "MESH"):
            bone = rig.pose.bones[body.parent_bone]
            points = [body.matrix_world @ v.co for v in body.data.vertices]
            for joint in [bone] + list(bone.children):
                self.assertLess(min((rig.matrix_world @ joint.head - p).length for p in points), 1e-5)

    def test_a_clip_without_torques_moves(self):
        bpy.ops.import_scene.kane(filepath=str(Path(FOLDER) / "bare.h5"))
        (rig,) = rigs()
        self.assertNotIn("kane_torque_nm_kg", rig.pose.bones["LeftLeg"])

    def test_the_index_gives_clips(self):
        asked = bpy.context.scene.kane_library
        asked.index, asked.where = str(LIBRARY / "index.db"), "duration_s > 0"
        self.assertEqual(bpy.ops.kane.list_clips(), {"FINISHED"})
        self.assertEqual({Path(c.name).name for c in asked.clips}, {"jump.bvh.h5", "walk.bvh.h5"})
        self.assertGreater(asked.clips[0].peak, asked.clips[1].peak)
        asked.where = "left_knee_torque_peak_nm_kg < 2"
        bpy.ops.kane.list_clips()
        self.assertEqual([Path(c.name).name for c in asked.clips], ["walk.bvh.h5"])
        self.assertEqual(bpy.ops.kane.open_clip(), {"FINISHED"})
        self.assertEqual(rigs()[0].name, "walk")

    def assert_error(self, words, operator, **arguments):
        with self.assertRaises(RuntimeError) as caught:
            operator(**arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(len(bpy.data.objects), 0)

    def test_bad_files_are_told_and_leave_nothing(self):
        junk = Path(FOLDER) / "junk.h5"
        junk.write_bytes(b"no HDF5 at all")
        whole = (LIBRARY / "walk.bvh.h5").read_bytes()
        half = Path(FOLDER) / "half.h5"
        half.write_bytes(whole[:len(whole) // 2])
        for path in (junk, half):
            self.assert_error(path.name, bpy.ops.import_scene.kane, filepath=str(path))
        self.assert_error("no such file", bpy.ops.import_scene.kane, filepath=str(Path(FOLDER) / "none.h5"))
        bpy.context.preferences.addons["kane_clips"].preferences.program = "/no/kane"
        self.assert_error("no such program", bpy.ops.import_scene.kane, filepath=str(LIBRARY / "walk.bvh.h5"))

    def test_wrong_questions_are_told_and_change_nothing(self):
        asked = bpy.context.scene.kane_library
        asked.index = str(LIBRARY / "index.db")
        before = (LIBRARY / "index.db").read_bytes()
        for where, words in (("left_kneee > 1", "no such column"), ("1); DELETE FROM clip; --", ""), ("1", None)):
            asked.where = where
            if words is None:
                asked.index = str(Path(FOLDER) / "none.db")
                words = "no such file"
            self.assert_error(words, bpy.ops.kane.list_clips)
        self.assertEqual((LIBRARY / "index.db").read_bytes(), before)

    def test_both_readers_agree(self):
        for name in (LIBRARY / "walk.bvh.h5", Path(FOLDER) / "bare.h5"):
            by_kane, by_h5py = clip_file.read_by_kane(name, KANE), clip_file.read_by_h5py(name)
            self.assertEqual(set(by_kane), set(by_h5py))
            for key, array in by_kane.items():
                np.testing.assert_array_equal(array, by_h5py[key])
        with self.assertRaises(clip_file.ClipError):
            clip_file.read_by_h5py(Path(FOLDER) / "library" / "index.db")


result = unittest.main(argv=["test_addon"], exit=False).result
real = len(list((Path(FOLDER) / "real").glob("*.h5")))
print("blender add-on: Blender %s, %d tests, %d failed: joints within %.1e m, of %d real clips %.1e m, "
      "torque curves within %.1e Nm/kg" % (bpy.app.version_string, result.testsRun,
                                           len(result.failures) + len(result.errors), worst["position"], real,
                                           worst["real position"], worst["torque"]))
sys.exit(0 if result.wasSuccessful() else 1)
