#!/usr/bin/python3
"""Ground forces for other programs: tests/interop/test_ground_forces.py KANE

Compares `kane export --grf`, as a table and as an OpenSim .mot, with /contact of the clip file, and checks the
identities between the parts of /contact."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

KANE = None
RIGHT_LEFT = (1, 0)  # indices of the foot dimension in the order of the exports


def run(*arguments):
    subprocess.run([KANE, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


def table(path, head):
    """Names and rows of a table after `head` header lines."""
    lines = path.read_text().splitlines()[head:]
    return lines[0].split("\t"), np.array([[float(x) for x in line.split("\t")] for line in lines[1:]])


class GroundForces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name)
        cls.clip, cls.tsv, cls.mot = folder / "jump.h5", folder / "grf.tsv", folder / "grf.mot"
        run("run", Path(__file__).parents[2] / "data/jump.bvh", "-o", cls.clip)
        run("export", "--grf", cls.clip, "--format", "tsv", "-o", cls.tsv)
        run("export", "--grf", cls.clip, "--format", "mot", "-o", cls.mot)
        with h5py.File(cls.clip) as h:
            cls.time = h["time"][:]
            cls.contact = {name: h["contact/" + name][:] for name in h["contact"] if name.startswith("foot_")}
            cls.force, cls.state = h["contact/force"][:], h["contact/state"][:]
            cls.normal = h["contact"].attrs["ground_normal"]
            cls.confidence = h["contact/confidence"][:]
            cls.residual, cls.com = h["dynamics/residual_force"][:], h["kinematics/com"][:]
            cls.mass, cls.valid = h["body/mass"][:].sum(), h["kinematics/valid"][:] > 0

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_table_has_the_columns_of_the_container(self):
        names, rows = table(self.tsv, 1)
        self.assertEqual(names, ["time"] + ["%s_%s%s" % (side, what, axis) for side in "RL" for what in ("F", "COP", "T")
                                            for axis in "xyz"] + ["confidence", "trusted"])
        np.testing.assert_array_equal(rows[:, 0], self.time)
        for i, foot in enumerate(RIGHT_LEFT):
            force, cop, moment = (rows[:, 1 + 9 * i + 3 * k:4 + 9 * i + 3 * k] for k in range(3))
            borne = self.contact["foot_force"][:, foot] @ self.normal >= 1
            self.assertTrue(borne.any() and not borne.all())
            np.testing.assert_array_equal(force, self.contact["foot_force"][:, foot])
            np.testing.assert_array_equal(cop[borne], self.contact["foot_cop"][borne, foot])
            self.assertTrue(np.isnan(cop[~borne]).all())
            np.testing.assert_array_equal(moment, self.contact["foot_free_moment"][:, foot])

    def test_the_motion_file_has_the_names_of_opensim(self):
        head = self.mot.read_text().splitlines().index("endheader") + 1
        names, rows = table(self.mot, head)
        expected = ["time"]
        for side in "rl":
            expected += ["ground_force_%s_v%s" % (side, axis) for axis in "xyz"]
            expected += ["ground_force_%s_p%s" % (side, axis) for axis in "xyz"]
            expected += ["ground_torque_%s_%s" % (side, axis) for axis in "xyz"]
        self.assertEqual(names, expected)
        for i, foot in enumerate(RIGHT_LEFT):
            borne = self.contact["foot_force"][:, foot] @ self.normal >= 1
            for k, part in enumerate(("foot_force", "foot_cop", "foot_free_moment")):
                at = 1 + 9 * i + 3 * k
                known = borne if part == "foot_cop" else slice(None)
                np.testing.assert_array_equal(rows[known, at:at + 3], self.contact[part][known, foot])
            self.assertTrue(np.isnan(rows[~borne, 4 + 9 * i:7 + 9 * i]).all())

    def test_opensim_may_multiply_the_pressure_centre_of_a_foot_in_the_air(self):
        path = self.mot.with_name("zero.mot")
        run("export", "--grf", self.clip, "--airborne-cop", "zero", "-o", path)
        rows = table(path, path.read_text().splitlines().index("endheader") + 1)[1]
        with_nan = table(self.mot, self.mot.read_text().splitlines().index("endheader") + 1)[1]
        self.assertTrue(np.isnan(with_nan).any())
        np.testing.assert_array_equal(rows, np.nan_to_num(with_nan))

    def test_feet_and_points_carry_the_same(self):
        np.testing.assert_allclose(self.contact["foot_force"].sum(1), self.force.sum(1), atol=1e-9 * self.mass * 9.81)

    def test_force_and_residual_are_mass_times_acceleration(self):
        total = (self.force.sum(1) + self.residual)[:, 1]
        step = self.time[1] - self.time[0]
        rise = np.diff(self.com[:, 1], 2) / step ** 2
        inner = self.valid[1:-1] & self.valid[2:] & self.valid[:-2]
        self.assertLess(np.abs(total[1:-1] / self.mass - 9.80665 - rise)[inner].max(), 0.5)

    def test_free_points_carry_nothing_and_confidence_is_a_share(self):
        self.assertEqual(np.abs(self.force[self.state == 0]).max(), 0)
        self.assertTrue(((self.state >= 0) & (self.state <= 1)).all())
        self.assertTrue(((self.confidence > 0) & (self.confidence <= 1)).all())


if __name__ == "__main__":
    KANE = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
    unittest.main(verbosity=0)
