"""Opened clip files: positions of joints, skin, forces and markers, and messages for unreadable files."""
import math
import unittest
from pathlib import Path

import bpy
import numpy as np

from kane_clips import bodies as bodies_module
from kane_clips import clip_file, opening, skin, supports
from mathutils import Vector
from support import FOLDER, JUMP, KANE, LIBRARY, WALK, Truth, bodies, body_of, empty_scene, points_of, rigs, y_up

worst = {"position": 0.0, "real position": 0.0, "torque": 0.0, "skin": 0.0}


def turned(q, vector):
    """q v q* with rows of (w, x, y, z)."""
    t = 2 * np.cross(q[..., 1:], vector)
    return vector + q[..., :1] * t + np.cross(q[..., 1:], t)


class Clips(unittest.TestCase):
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

    def test_bones_without_a_body_are_hidden(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        rig, = rigs()
        self.assertFalse([b.name for b in rig.data.bones if b.hide])
        clip, body = opening.read(str(WALK), KANE)
        arm = [j for j, name in enumerate(clip.joint) if rig.data.bones[name] in (
            [rig.data.bones["LeftArm"]] + rig.data.bones["LeftArm"].children_recursive)]
        body.parts = [part for part in body.parts if not set(part.bone[part.share > 0].tolist()) & set(arm)]
        opening.armature.hide_helpers(clip, rig, clip.joint, body)
        hidden = {b.name for b in rig.data.bones if b.hide}
        self.assertEqual(hidden, {clip.joint[j] for j in arm})
        self.assertGreater(len(hidden), 1)

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
            joint = truth.joint.index("LeftLeg")
            self.assertAlmostEqual(knee["kane_torque_nm_kg"], truth.torque[40, joint], 5)
            self.assertAlmostEqual(knee["kane_torque_sd_nm_kg"], truth.torque_sd[40, joint], 5)
            self.assertGreater(knee["kane_torque_sd_nm_kg"], 0.01)
            self.assertNotIn("kane_torque_sd_nm_kg", rig.pose.bones["Hips"])  # its torque is the residual

    def test_real_clips_stand_where_they_stood(self):
        for path in sorted((Path(FOLDER) / "real").glob("*.h5")):
            with self.subTest(path.name):
                empty_scene()
                bpy.ops.import_scene.kane(filepath=str(path))
                self.assert_positions(rigs()[0], Truth(path), lambda f: f, "real position")

    def test_a_scene_may_keep_its_rate(self):
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = 24, 1
        truth = Truth(WALK)
        bpy.ops.import_scene.kane(filepath=str(WALK), set_rate=False)
        self.assertEqual(scene.render.fps, 24)
        self.assert_positions(rigs()[0], truth, lambda f: 24 * (truth.time[f] - truth.time[0]))

    def test_colours_follow_torque(self):
        truth = Truth(WALK)
        bpy.ops.import_scene.kane(filepath=str(WALK), maximum=1.5)
        j, body = truth.joint.index("LeftFoot"), body_of("LeftFoot")
        seen = set()
        for f in range(0, len(truth.time), 7):
            bpy.context.scene.frame_set(f)
            shown = tuple(body.evaluated_get(bpy.context.evaluated_depsgraph_get()).color)
            flags, low = int(truth.reason[f]), truth.torque[f, j] - 1.645 * truth.torque_sd[f, j]
            torque = max(0, low) if flags & clip_file.ESTIMATE else truth.torque[f, j]
            if flags & ~(clip_file.ESTIMATE | clip_file.BODY):
                torque = 0
            np.testing.assert_allclose(shown, bodies_module.colours(np.array([torque]), 1.5)[0], atol=1e-5)
            seen.add(tuple(round(c, 2) for c in shown))
        self.assertGreater(len(seen), 10)
        root = body_of(truth.joint[0])
        np.testing.assert_allclose(root.color, bodies_module.GREY, atol=1e-6)
        self.assertIsNone(root.animation_data)

    def test_colours_show_without_a_switch(self):
        bpy.ops.wm.read_factory_settings()
        bpy.ops.preferences.addon_enable(module="kane_clips")
        bpy.context.preferences.addons["kane_clips"].preferences.program = KANE
        bpy.ops.import_scene.kane(filepath=str(WALK))
        views = [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces
                 if space.type == "VIEW_3D"]
        self.assertGreater(len(views), 3)
        self.assertEqual({view.shading.color_type for view in views}, {"OBJECT"})
        self.assertEqual(bpy.context.scene.display.shading.color_type, "OBJECT")  # Workbench
        for body in bodies():
            (link,) = body.data.materials[0].node_tree.nodes["Principled BSDF"].inputs["Base Color"].links
            self.assertEqual(link.from_node.bl_idname, "ShaderNodeObjectInfo")

    def test_the_skin_bends_as_it_was_made(self):
        for path in (WALK, JUMP):
            empty_scene()
            bpy.ops.import_scene.kane(filepath=str(path))
            truth, made = Truth(path), skin.read_skin(KANE, path)
            self.assertEqual({b["kane_joint"] for b in bodies()}, {truth.joint[part.joint] for part in made.parts})
            for f in (0, 70, 130):
                bpy.context.scene.frame_set(f)
                for part in made.parts:
                    own = np.einsum("jba,vjb->vja", made.axes, part.position[:, None] - made.place)
                    there = truth.position[f] + turned(truth.orientation[f], own)
                    expected = sum(part.share[:, k, None] * there[np.arange(len(own)), part.bone[:, k]]
                                   for k in range(4))
                    off = np.abs(y_up(points_of(body_of(truth.joint[part.joint]))) - expected).max()
                    worst["skin"] = max(worst["skin"], off)
                    self.assertLess(off, 1e-4)

    def test_a_body_stands_on_its_ground(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        bpy.context.scene.frame_set(60)
        lowest = min(points_of(body)[:, 2].min() for body in bodies())
        highest = max(points_of(body)[:, 2].max() for body in bodies())
        self.assertAlmostEqual(lowest, 0.02, delta=0.02)  # ground height of the clip: 0.020 m
        self.assertAlmostEqual(highest - lowest, 1.76, delta=0.08)

    def test_without_the_program_octahedra_reach_from_joint_to_joint(self):
        arrays = clip_file.read_by_h5py(JUMP)
        clip = clip_file.clip_of_arrays(JUMP, arrays)
        rig = opening.build(clip, None, bpy.context, np.arange(len(clip.time)), 3.0)
        bpy.context.scene.frame_set(120)
        self.assert_positions(rig, Truth(JUMP), lambda f: f)
        self.assertEqual(len(bodies()), len(clip.joint))
        for body in bodies():
            bone, points = rig.pose.bones[body["kane_joint"]], points_of(body)
            for joint in [bone] + list(bone.children):
                self.assertLess(np.linalg.norm(points - rig.matrix_world @ joint.head, axis=1).min(), 1e-5)

    def test_arrows_are_the_ground_forces(self):
        bpy.ops.import_scene.kane(filepath=str(JUMP))
        truth = Truth(JUMP)
        arrows = [o for o in bpy.data.objects if "kane_support" in o]
        self.assertEqual([a["kane_support"] for a in arrows], ["left_foot", "right_foot"])
        for f in (40, 84, 140, 200):  # crouching, at the peak, in flight, landing
            bpy.context.scene.frame_set(f)
            for foot, arrow in enumerate(arrows):
                matrix = arrow.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
                along = y_up(np.array(matrix.to_3x3() @ Vector((0, 0, 1))))
                np.testing.assert_allclose(along, truth.foot_force[f, foot] * 0.5 / (truth.mass * 9.81), atol=1e-5)
                self.assertAlmostEqual(arrow["kane_force_n"], np.linalg.norm(truth.foot_force[f, foot]), 2)
                np.testing.assert_allclose(y_up(np.array(matrix.translation)), truth.foot_cop[f, foot], atol=1e-5)
        self.assertEqual(np.abs(truth.foot_force[140]).max(), 0)

    def test_hands_that_bear_have_an_arrow(self):
        half = np.sqrt(0.5)
        arrays = {"joint": ["Hips", "Hand"], "segment_role": ["hips", "left_wrist"], "foot_force": np.zeros((1, 2, 3)),
                  "foot_cop": np.zeros((1, 2, 3)), "point_joint": np.array([1, 1]),
                  "contact_force": np.array([[[0, 30.0, 0], [0, 10.0, 0]]]),
                  "point_position": np.array([[0.1, 0, 0], [-0.1, 0, 0]]), "position": np.array([[[0, 1, 0], [1, 0, 0]]]),
                  "orientation": np.array([[[1, 0, 0, 0], [half, 0, half, 0]]])}  # the hand at 90 degrees about y
        (hand,) = supports.supports(arrays)
        self.assertEqual(hand.name, "Hand")
        np.testing.assert_allclose(hand.force, [[0, 40, 0]])
        np.testing.assert_allclose(hand.place, [[1, 0, -0.05]], atol=1e-12)

    def test_the_centre_of_mass_moves(self):
        bpy.ops.import_scene.kane(filepath=str(JUMP))
        truth = Truth(JUMP)
        for f in (0, 84, 140):
            bpy.context.scene.frame_set(f)
            place = bpy.data.objects["jump centre of mass"].matrix_world.translation
            np.testing.assert_allclose(y_up(np.array(place)), truth.com[f], atol=1e-5)

    def test_markers_tell_what_not_to_trust(self):
        truth = Truth(WALK)
        names = [word.replace(" ", "_") for word in clip_file.REASONS]
        self.assertEqual(names[:len(truth.reason_names)], truth.reason_names)  # older clip files have fewer
        bpy.ops.import_scene.kane(filepath=str(WALK))
        (rig,) = rigs()
        for f in range(len(truth.time)):
            before = [m for m in bpy.context.scene.timeline_markers if m.frame <= f]
            last = max(before, key=lambda m: m.frame).name if before else "walk: trusted"
            self.assertEqual(last == "walk: trusted", truth.trusted[f], "frame %d: %s" % (f, last))
        self.assertIn("walk: not trusted, edge", {m.name for m in bpy.context.scene.timeline_markers})
        for f in (0, 90):
            bpy.context.scene.frame_set(f)
            self.assertEqual(rig["kane_reason"], truth.reason[f])

    def test_a_mirrored_clip_has_the_other_side(self):
        bpy.ops.import_scene.kane(filepath=str(WALK), mirrored=True)
        truth, (rig,) = Truth(WALK), rigs()
        self.assertEqual(rig.name, "walk mirrored")
        right, left = truth.joint.index("RightFoot"), truth.joint.index("LeftFoot")
        for f in (30, 90, 150):
            bpy.context.scene.frame_set(f)
            for joint, other in (("LeftFoot", right), ("RightFoot", left)):
                bone = rig.pose.bones[joint]
                off = (y_up(np.array(rig.matrix_world @ bone.head)) - truth.position[f, other])[1]
                self.assertLess(abs(off), 1e-4)  # as high as the other foot was
                self.assertAlmostEqual(bone["kane_torque_nm_kg"], truth.torque[f, other], delta=0.02)

    def test_mirroring_again_is_the_clip(self):
        bpy.ops.import_scene.kane(filepath=str(WALK), mirrored=True)
        self.assertEqual(bpy.ops.kane.mirror(), {"FINISHED"})
        self.assertEqual(sorted(rig.name for rig in rigs()), ["walk", "walk mirrored"])

    def test_a_clip_without_torques_moves(self):
        bpy.ops.import_scene.kane(filepath=str(Path(FOLDER) / "bare.h5"))
        (rig,) = rigs()
        self.assertNotIn("kane_torque_nm_kg", rig.pose.bones["LeftLeg"])
        self.assertGreater(len(bodies()), 15)
        self.assertEqual([o for o in bpy.data.objects if "kane_support" in o], [])

    def assert_error(self, words, operator, **arguments):
        with self.assertRaises(RuntimeError) as caught:
            operator(**arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(len(bpy.data.objects), 0)

    def test_bad_files_are_told_and_leave_nothing(self):
        junk = Path(FOLDER) / "junk.h5"
        junk.write_bytes(b"no HDF5 at all")
        whole = WALK.read_bytes()
        half = Path(FOLDER) / "half.h5"
        half.write_bytes(whole[:len(whole) // 2])
        for path in (junk, half):
            self.assert_error(path.name, bpy.ops.import_scene.kane, filepath=str(path))
        self.assert_error("no such file", bpy.ops.import_scene.kane, filepath=str(Path(FOLDER) / "none.h5"))
        bpy.context.preferences.addons["kane_clips"].preferences.program = "/no/kane"
        self.assert_error("no such program", bpy.ops.import_scene.kane, filepath=str(WALK))

    def test_both_readers_agree(self):
        for name in (WALK, Path(FOLDER) / "bare.h5"):
            by_kane, by_h5py = clip_file.read_by_kane(name, KANE), clip_file.read_by_h5py(name)
            self.assertEqual(set(by_kane), set(by_h5py))
            for key, array in by_kane.items():
                np.testing.assert_array_equal(array, by_h5py[key])
        with self.assertRaises(clip_file.ClipError):
            clip_file.read_by_h5py(Path(FOLDER) / "library" / "index.db")

    def test_a_clip_with_names_of_version_01_is_read(self):
        import h5py
        old = Path(FOLDER) / "old_names.h5"
        old.write_bytes(WALK.read_bytes())
        with h5py.File(old, "r+") as file:
            file.move("skeleton/segment_role", "skeleton/segment")
        np.testing.assert_array_equal(clip_file.read_by_h5py(old)["segment_role"],
                                      clip_file.read_by_h5py(WALK)["segment_role"])
