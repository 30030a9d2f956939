#!/usr/bin/python3
"""Clip files and exports read by other programs: h5py, xarray with two engines, ncdump, numpy.

usage: test_netcdf.py WRITE_SAMPLE   (the program built from tests/interop/write_sample.c)"""
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
import xarray as xr

FRAMES, JOINTS, POINTS = 12, 5, 3
NAMES = ["J \u00e9 a.a", "J \u00e9 b.a", "J \u00e9 c.a", "J \u00e9 d.a", "J \u00e9 e.a"]
ROLES = ["hips", "spine", "chest", "neck", "head"]
GROUPS = ["skeleton", "motion", "body", "kinematics", "contact", "dynamics"]
TORQUE = np.array([[[f, j, f * j + 0.1] for j in range(JOINTS)] for f in range(FRAMES)], dtype=float)

folder = None


def moments_with_residual():
    """Torques [frame][joint][axis]; for the root the residual about the centre of mass, as in tables."""
    moment = TORQUE.copy()
    with h5py.File(folder / "clip.h5", "r") as container:
        moment[:, 0] = container["dynamics/residual_torque"]
    return moment


class Hdf5(unittest.TestCase):
    def setUp(self):
        self.file = h5py.File(folder / "clip.h5", "r")
        self.addCleanup(self.file.close)

    def datasets(self):
        found = []
        self.file.visititems(lambda name, item: found.append(item) if isinstance(item, h5py.Dataset) else None)
        return found

    def test_every_dataset_has_units_and_a_long_name(self):
        self.assertGreater(len(self.datasets()), 30)
        for dataset in self.datasets():
            self.assertIsInstance(dataset.attrs["units"], str, dataset.name)
            self.assertTrue(dataset.attrs["long_name"], dataset.name)
        self.assertEqual(self.file["time"].attrs["units"], "s")
        self.assertEqual(self.file["dynamics/torque"].attrs["units"], "N m")

    def test_dimensions_are_named(self):
        for name, expected in [("dynamics/torque", ["dynamics/time", "joint", "xyz"]),
                               ("motion/rotation", ["motion/time", "joint", "wxyz"]),
                               ("body/inertia", ["joint", "inertia_entry"]),
                               ("contact/force", ["contact/time", "point", "xyz"]),
                               ("contact/foot_cop", ["contact/time", "foot", "xyz"]),
                               ("skeleton/end_offset", ["end", "xyz"])]:
            self.assertEqual([d[0].name.lstrip("/") for d in self.file[name].dims], expected)

    def test_scales_list_what_uses_them(self):
        uses = self.file["xyz"].attrs["REFERENCE_LIST"]
        names = {self.file[use[0]].name for use in uses}
        self.assertIn("/dynamics/torque", names)
        self.assertEqual(len(names), sum(1 for d in self.datasets() if any(
            len(dim) and dim[0].name == "/xyz" for dim in d.dims)))

    def test_text_is_text(self):
        self.assertEqual([name.decode() for name in self.file["joint"]], NAMES)
        self.assertEqual([role.decode() for role in self.file["skeleton/role"]], ROLES)
        self.assertEqual(self.file.attrs["Conventions"], "kane-1")
        self.assertEqual(self.file.attrs["history"].split("\n"), ["import --unit cm", "body --mass 70"])
        self.assertEqual(self.file.attrs["up_axis"], "-Z")

    def test_groups_keep_their_order(self):
        order = []
        self.file.id.links.iterate(lambda name: order.append(name.decode()), idx_type=h5py.h5.INDEX_CRT_ORDER)
        self.assertEqual(order[:3], ["joint", "xyz", "wxyz"])
        self.assertEqual([name for name in order if name in GROUPS], GROUPS)

    def test_trajectories_are_plain(self):
        for name in ("motion/rotation", "kinematics/position", "dynamics/torque"):
            self.assertEqual(self.file[name].dtype, np.dtype("<f8"))
            self.assertIsNone(self.file[name].chunks)
            self.assertIsNone(self.file[name].compression)
        with h5py.File(folder / "archive.h5", "r") as archive:
            self.assertEqual(archive["dynamics/torque"].dtype, np.dtype("<f4"))
            self.assertEqual(archive["dynamics/torque"].compression, "gzip")
            np.testing.assert_array_equal(archive["dynamics/torque"], TORQUE.astype("<f4"))


class Libhdf5(unittest.TestCase):
    """Files of kane's encoder against those of libhdf5, with the tools of HDF5."""
    def run_tool(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    def description(self, path):
        """Output of h5dump without file offsets, compressed sizes, the file name, and breaks of lines, which depend on the
        digits of offsets."""
        text = self.run_tool("h5dump", "-p", "-A", path).split("\n", 1)[1]
        text = re.sub(r"OFFSET \d+|SIZE \d+ \(.*\)|DATASET \d+ ", "", text)
        return re.sub(r",\s+\(\d+\): ", ", ", text)

    @unittest.skipUnless(shutil.which("h5diff"), "no hdf5-tools")
    def test_same_objects_types_layouts_and_values(self):
        for name in ("clip.h5", "archive.h5", "bare.h5"):
            ours, theirs = folder / name, folder / f"libhdf5_{name}"
            self.run_tool("h5diff", "-q", ours, theirs)
            self.assertGreater(self.description(ours).count("DATASET"), 30)
            self.assertEqual(self.description(ours), self.description(theirs))
            self.assertLess(ours.stat().st_size, theirs.stat().st_size)

    @unittest.skipUnless(shutil.which("h5diff"), "no hdf5-tools")
    def test_a_copy_that_libhdf5_rewrites_has_the_same_content(self):
        for name in ("clip.h5", "archive.h5"):
            self.run_tool("h5repack", folder / name, folder / "again.h5")
            self.run_tool("h5diff", "-q", folder / name, folder / "again.h5")

    def test_libhdf5_can_add_to_a_file(self):
        path = folder / "longer.h5"
        shutil.copy(folder / "clip.h5", path)
        with h5py.File(path, "r+") as file:
            for i in range(40):
                file["dynamics/torque"].attrs[f"note {i}"] = "x" * i
                file["dynamics"].create_dataset(f"more {i}", data=np.arange(i))
            del file["dynamics/torque"].attrs["note 3"]
        with h5py.File(path, "r") as file:
            np.testing.assert_array_equal(file["dynamics/torque"], TORQUE)
            self.assertEqual(file["dynamics/torque"].attrs["note 39"], "x" * 39)
            self.assertEqual(file["dynamics/torque"].attrs["units"], "N m")
            np.testing.assert_array_equal(file["dynamics/more 39"], np.arange(39))


class Xarray(unittest.TestCase):
    def check(self, engine):
        root = xr.open_dataset(folder / "clip.h5", engine=engine)
        self.assertEqual(dict(root.sizes)["time"], FRAMES)
        self.assertEqual(list(root.joint.values), NAMES)
        self.assertEqual(list(root.xyz.values), ["x", "y", "z"])
        self.assertEqual(root.time.dims, ("time",))
        np.testing.assert_array_equal(root.time, np.arange(FRAMES) * (1 / 120))
        dynamics = xr.open_dataset(folder / "clip.h5", engine=engine, group="dynamics")
        self.assertEqual(dynamics.torque.dims, ("time", "joint", "xyz"))
        np.testing.assert_array_equal(dynamics.torque, TORQUE)
        np.testing.assert_array_equal(dynamics.torque.sel(time=4 / 120, method="nearest"), TORQUE[4])
        np.testing.assert_array_equal(dynamics.torque.sel(time=slice(2.5 / 120, 5.5 / 120)), TORQUE[3:6])
        both = xr.merge([root, dynamics])
        self.assertEqual(float(both.torque.sel(joint=NAMES[2], xyz="z")[4]), 4 * 2 + 0.1)
        contact = xr.open_dataset(folder / "clip.h5", engine=engine, group="contact")
        self.assertEqual(contact.force.dims, ("time", "point", "xyz"))
        self.assertEqual(contact.attrs["ground_height"], -0.03)
        np.testing.assert_array_equal(contact.attrs["ground_normal"], [0, 1, 0])

    def test_netcdf4(self):
        self.check("netcdf4")

    def test_h5netcdf(self):
        self.check("h5netcdf")

    def test_what_is_empty_stays_away(self):
        for engine in ("netcdf4", "h5netcdf"):
            contact = xr.open_dataset(folder / "bare.h5", engine=engine, group="contact")
            self.assertIn("confidence", contact)
            self.assertNotIn("force", contact)
            self.assertNotIn("point", contact.sizes)
            skeleton = xr.open_dataset(folder / "bare.h5", engine=engine, group="skeleton")
            self.assertNotIn("end_offset", skeleton)


class Ncdump(unittest.TestCase):
    def dump(self, name):
        done = subprocess.run(["ncdump", folder / name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_header_and_data(self):
        text = self.dump("clip.h5")
        for part in ("time = 12 ;", "joint = 5 ;", "point = 3 ;", "double torque(time, joint, xyz) ;", NAMES[0],
                     'torque:units = "N m" ;', ':Conventions = "kane-1" ;'):
            self.assertIn(part, text)
        self.dump("archive.h5")
        self.dump("bare.h5")


class Exports(unittest.TestCase):
    def test_npz(self):
        arrays = np.load(folder / "clip.npz")
        np.testing.assert_array_equal(arrays["torque"], TORQUE)
        self.assertEqual(list(arrays["joint"]), NAMES)
        self.assertEqual(list(arrays["role"]), ROLES)
        with h5py.File(folder / "clip.h5", "r") as container:
            np.testing.assert_array_equal(arrays["rotation"], container["motion/rotation"])
            np.testing.assert_array_equal(arrays["contact_force"], container["contact/force"])
            np.testing.assert_array_equal(arrays["parent"], container["skeleton/parent"])
            np.testing.assert_array_equal(arrays["valid"], container["kinematics/valid"])
            self.assertEqual(len(arrays.files), 51)

    def test_long_tables(self):
        with open(folder / "clip.csv", newline="") as stream:
            rows = list(csv.DictReader(stream))
        with open(folder / "clip.jsonl") as stream:
            lines = [json.loads(line) for line in stream]
        self.assertEqual(len(rows), FRAMES * JOINTS)
        moment = moments_with_residual()
        for i, (row, line) in enumerate(zip(rows, lines)):
            f, j = divmod(i, JOINTS)
            self.assertEqual(row["joint"], NAMES[j])
            column, absent = ("residual_torque", "torque") if j == 0 else ("torque", "residual_torque")
            for k, axis in enumerate(("_world_x_nm", "_world_y_nm", "_world_z_nm")):
                self.assertEqual(float(row[column + axis]), moment[f, j, k])
                self.assertEqual(line[column + axis], moment[f, j, k])
                self.assertEqual((row[absent + axis], line[absent + axis]), ("", None))
            self.assertEqual((line["frame"], line["role"]), (f, ROLES[j]))

    def test_moments(self):
        with open(folder / "moments.tsv") as stream:
            self.assertIn("N m; moment of the parent", stream.readline())
            header = stream.readline().rstrip("\n").split("\t")
            values = np.loadtxt(stream, delimiter="\t")
        self.assertEqual(header[:4], ["time"] + [NAMES[0] + "_residual_M" + axis for axis in "xyz"])
        self.assertEqual(header[-1], "confidence")
        np.testing.assert_array_equal(values[:, 1:-1], moments_with_residual().reshape(FRAMES, -1))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.argv.pop(1), name], check=True)
        unittest.main()
