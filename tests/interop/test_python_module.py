#!/usr/bin/python3
"""python/kane against npz, the index and both reading engines: tests/interop/test_python_module.py KANE"""
import gzip
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "python"))
import kane  # noqa: E402

KANE = None


def run(*arguments):
    subprocess.run([KANE, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


class Module(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.keep.name)
        run("batch", TOP / "data/walk.bvh", TOP / "data/jump.bvh", "--store", "full", "-o", cls.folder / "out")
        cls.path, cls.index = cls.folder / "out/walk.bvh.h5", cls.folder / "out/index.db"
        run("export", cls.path, "-o", cls.folder / "walk.npz")
        cls.npz = np.load(cls.folder / "walk.npz")

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def check_arrays(self, arrays):
        self.assertEqual(set(arrays), set(self.npz.files))
        for name in self.npz.files:
            np.testing.assert_array_equal(arrays[name], self.npz[name])

    def test_arrays_are_those_of_npz(self):
        self.check_arrays(kane.read_arrays(self.path))
        run("run", "--contact-method", "none", "--angles", "none", TOP / "data/squat.bvh", "-o", self.folder / "bare.h5")
        run("export", self.folder / "bare.h5", "-o", self.folder / "bare.npz")
        self.assertEqual(set(kane.read_arrays(self.folder / "bare.h5")), set(np.load(self.folder / "bare.npz").files))

    def test_lean_clips_are_read_through_libkane(self):
        built = sorted((Path(KANE).parent / "package").glob("libkane.so.*"))
        if not built:
            self.skipTest("libkane is not built: make package")
        run("batch", TOP / "data/walk.bvh", TOP / "data/jump.bvh", "-o", self.folder / "lean")
        with mock.patch.dict(os.environ, {"KANE_LIBRARY": str(built[-1].resolve())}):
            arrays = kane.read_arrays(self.folder / "lean/walk.bvh.h5")
        self.assertEqual(set(arrays), set(self.npz.files))
        for name in (n for n in self.npz.files if self.npz[n].dtype.kind == "f" and self.npz[n].size):
            most = np.nanmax(np.abs(self.npz[name]))
            np.testing.assert_allclose(arrays[name], self.npz[name], rtol=0, atol=1e-6 * most, err_msg=name)

    def test_a_scene_has_the_arrays_of_npz(self):
        run("simulate", TOP / "data/scenes/six_axis_arm.xml", "--duration", "0.05", "-o", self.folder / "arm.h5")
        run("export", self.folder / "arm.h5", "-o", self.folder / "arm.npz")
        arrays, npz = kane.read_arrays(self.folder / "arm.h5"), np.load(self.folder / "arm.npz")
        self.assertEqual(set(arrays), set(npz.files))
        for name in npz.files:
            np.testing.assert_array_equal(arrays[name], npz[name])
        self.assertEqual(kane.open_clip(self.folder / "arm.h5").shapes_color.dims, ("shape", "rgba"))

    def test_xarray_alone_reads_the_same(self):
        with mock.patch.dict(sys.modules, {"h5py": None}):
            self.check_arrays(kane.read_arrays(self.path))

    def test_a_clip_has_labels(self):
        clip = kane.open_clip(self.path)
        knee = kane.joint(clip, "left_knee")
        self.assertEqual((knee, kane.joint(clip, "LeftLeg")), ("LeftLeg", "LeftLeg"))
        self.assertEqual(clip.torque.dims, ("time", "joint", "xyz"))
        self.assertEqual(clip.torque.attrs["units"], "N m")
        self.assertEqual((clip.attrs["title"], clip.attrs["body_total_mass"]), ("walk", 70))
        frame = 72
        one = clip.torque.sel(joint=knee).sel(time=float(clip.time[frame]) + 1e-4, method="nearest")
        place = list(clip.joint.values).index(knee)
        np.testing.assert_array_equal(one, self.npz["torque"][frame, place])
        flexion = clip.angles_moment.sel(coordinate="left_knee_flexion")
        column = list(self.npz["coordinate"]).index("left_knee_flexion")
        np.testing.assert_array_equal(flexion, self.npz["angles_moment"][:, column])
        with self.assertRaises(KeyError):
            kane.joint(clip, "tail")

    def test_old_names_are_found(self):
        import h5py
        old = self.folder / "anatomy.h5"
        old.write_bytes(gzip.decompress((TOP / "tests/unit/container/anatomy.h5.gz").read_bytes()))
        with h5py.File(old) as file:
            moment = file["anatomy/moment"][:]
        clip, arrays = kane.open_clip(old), kane.read_arrays(old)
        for found in (clip.angles_moment, clip.anatomy_moment, clip["anatomy_moment"], clip.copy().anatomy_moment,
                      arrays["angles_moment"], arrays["anatomy_moment"]):
            np.testing.assert_array_equal(found, moment)
        with mock.patch.dict(sys.modules, {"h5py": None}):
            np.testing.assert_array_equal(kane.read_arrays(old)["angles_moment"], moment)
        self.assertEqual(clip.attrs["angles_neutral"], "rest")
        self.assertNotIn("anatomy_moment", clip.variables)
        with self.assertRaises(KeyError):
            arrays["anatomy_colour"]
        with self.assertRaises(AttributeError):
            clip.anatomy_colour

    def test_the_index_is_a_table(self):
        table = kane.read_index(self.index, columns=["path", "left_knee_torque_peak_nm_kg"])
        clip = kane.open_clip(self.path)
        size = np.sqrt((clip.torque.sel(joint="LeftLeg") ** 2).sum("xyz")).where(clip.trusted == 1).max()
        found = table[table.path == "walk.bvh.h5"].left_knee_torque_peak_nm_kg.item()
        self.assertAlmostEqual(found, float(size) / 70, places=12)
        self.assertEqual(list(kane.read_index(self.index, "joints = 22 AND path LIKE 'jump%'").path), ["jump.bvh.h5"])
        with mock.patch.dict(sys.modules, {"pandas": None}):
            rows = kane.read_index(self.index, table="failure")
        self.assertEqual(rows, [])

    def test_a_joint_counts_where_no_flag_is_set(self):
        clip = kane.open_clip(self.path)
        flagged = clip.copy(deep=True)
        flagged["joint_reason"].loc[dict(joint="LeftLeg")][60] = 1
        before, after = (np.asarray(kane.trusted(c, "left_knee")) for c in (clip, flagged))
        self.assertEqual([i for i in range(len(before)) if before[i] != after[i]], [60])
        self.assertTrue(kane.trusted(flagged, "RightLeg")[60])
        np.testing.assert_array_equal(kane.trusted(clip.drop_vars("joint_reason"), "left_knee"), clip.trusted == 1)

    def test_what_is_no_container_is_refused(self):
        import h5py
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = [1.0]
        with self.assertRaises(ValueError):
            kane.open_clip(self.folder / "other.h5")

    def test_the_example_runs(self):
        done = subprocess.run([sys.executable, TOP / "examples/python/knee.py", self.path, self.index], check=True,
                              capture_output=True, text=True, env={"PYTHONPATH": str(TOP / "python")})
        self.assertRegex(done.stdout, r"walk: -?\d\.\d+ ± \d\.\d+ N m/kg at \d\.\d+ s")
        self.assertIn("jump.bvh.h5", done.stdout)


if __name__ == "__main__":
    KANE = sys.argv.pop(1)
    unittest.main()
