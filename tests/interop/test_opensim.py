#!/usr/bin/python3
"""OpenSim models: tests/interop/test_opensim.py KANE

Joint centres and generalised forces against opensim_peer.py, on a model with every joint and function in either
version, and on the models of $KANE_SHARED/doors/opensim; inverse dynamics against OpenSim's own result."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]
from opensim_models import write_model, write_motion, write_old_model  # noqa: E402
from opensim_peer import Model, numbers  # noqa: E402

KANE = None
SHARED = Path(os.environ.get("KANE_SHARED", "../shared")) / "doors/opensim"
RATE = 1000
FRAMES = 40
CHECKED = (12, 20, 27)


def run(*arguments):
    subprocess.run([KANE, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


def read_storage(path):
    lines = path.read_text().splitlines()
    head = [line.strip() for line in lines].index("endheader")
    rows = [numbers(line) for line in lines[head + 2:] if line.strip()]
    return lines[head + 1].split(), np.array(rows)


def waves(model, seed, middle=None):
    """Smooth coordinates over time, as a function, and what follows them."""
    draw = np.random.default_rng(seed)
    free = [c for c in model.coordinates if c not in model.coupled]
    centre = {c: middle[c] if middle else draw.uniform(-.3, .3) for c in free}
    size, rate, phase = ({c: draw.uniform(*span) for c in free} for span in ((.05, .3), (2, 7), (0, 6)))

    def at(t):
        q = {c: centre[c] + size[c] * np.sin(rate[c] * t + phase[c]) for c in free}
        for c, (of, coupling) in model.coupled.items():
            q[c] = coupling(q[of])
        return q
    return free, at


class OpenSim(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def compare(self, path, seed, middle=None, upright=np.eye(3)):
        """kane's joint centres and generalised forces are the peer's for smooth coordinates."""
        model = Model(path)
        names, q_of_time = waves(model, seed, middle)
        times = 3 + np.arange(FRAMES) / RATE
        write_motion(self.at / "made.mot", names, times, [[q_of_time(t)[n] for n in names] for t in times])
        run("run", self.at / "made.mot", "--import-model", path, "--smooth-method", "none", "--kinematics-scheme",
            "fivepoint", "--contact-method", "none", "-o", self.at / "made.h5")
        with h5py.File(self.at / "made.h5") as clip:
            joints = [n.decode() for n in clip["joint"]]
            dofs = [n.decode() for n in clip["dof/dof"]]
            position, effort = clip["kinematics/position"][:], clip["dof/effort"][:]
            self.assertAlmostEqual(clip["time"][0], 3, 9)
        self.assertEqual(sorted(dofs), sorted(model.coordinates))
        for f in CHECKED:
            _, centres = model.poses(q_of_time(times[f]))
            for j, name in enumerate(joints):
                np.testing.assert_allclose(position[f, j], upright @ centres[name][:3, 3], atol=1e-9)
        wanted = np.array([[w[c] for c in dofs] for w in (model.forces(q_of_time, times[f]) for f in CHECKED)])
        np.testing.assert_allclose(effort[list(CHECKED)], wanted, atol=1e-6 * np.abs(wanted).max(), rtol=0)

    def test_every_joint_and_function(self):
        write_model(self.at / "all.osim")
        self.compare(self.at / "all.osim", 1)

    def test_version_3_with_another_up_axis(self):
        write_old_model(self.at / "old.osim")
        self.compare(self.at / "old.osim", 2, upright=np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))

    def test_models_of_people(self):
        paths = sorted(SHARED.glob("*/*.osim"))
        if not paths:
            self.skipTest(f"{SHARED} is not here")
        read = 0
        for path in paths:
            if "ConstantCurvatureJoint" in path.read_text():
                continue
            motion = [m for m in path.parent.glob("*.mot") if "pelvis_ty" in m.read_text()[:3000]][0]
            names, rows = read_storage(motion)
            model = Model(path)
            degrees = "inDegrees=yes" in motion.read_text()[:400]
            free = [c for c in model.coordinates if c not in model.coupled]
            middle = {n: rows[40, names.index(n)] * (np.pi / 180 if degrees and not n.startswith("pelvis_t") else 1)
                      if n in names else 0.0 for n in free}
            with self.subTest(path.name):
                self.compare(path, 5, middle)
            read += 1
        self.assertGreaterEqual(read, 4)

    def test_inverse_dynamics_of_opensim(self):
        """With OpenSim's filter (third-order Butterworth at 6 Hz forward and back, ends mirrored) and its quintic
        splines, as ten times the frames."""
        folder = SHARED / "gait10dof_walk"
        if not folder.exists():
            self.skipTest(f"{folder} is not here")
        names, rows = read_storage(folder / "subject01_walk_IK.mot")
        fine = 10
        times, values = splined(filtered(rows), rows[0, 0], (rows[-1, 0] - rows[0, 0]) / (len(rows) - 1), fine)
        moving = np.array([n.startswith(("pelvis_tx", "pelvis_ty")) for n in names[1:]])
        write_motion(self.at / "walk.mot", names[1:], times, np.where(moving, values, np.radians(values)))
        self.write_plates(folder / "subject01_walk_grf.mot", self.at / "plates.tsv")
        run("run", self.at / "walk.mot", "--import-model", folder / "subject01.osim", "--import-keep-belt",
            "--smooth-method", "none", "--kinematics-scheme", "fivepoint", "--contact-external", self.at / "plates.tsv",
            "--contact-external-threshold", "0", "-o", self.at / "walk.h5")
        with h5py.File(self.at / "walk.h5") as clip:
            dofs = [n.decode() for n in clip["dof/dof"]]
            effort = clip["dof/effort"][::fine]
        labels, wanted = read_storage(folder / "subject01_walk_ID.sto")
        for k, label in enumerate(labels[1:], 1):
            own = effort[:, dofs.index(label.rsplit("_", 1)[0])]
            error = np.nanmax(np.abs(own - wanted[:, k])[3:-3]) / np.abs(wanted[:, k]).max()
            self.assertLess(error, .015 if label.startswith("pelvis") else .003, label)

    def write_plates(self, source, target):
        names, rows = read_storage(source)
        lines = ["time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz"]
        for row in rows:
            of = dict(zip(names, row))
            for joint, p in (("calcn_r", ""), ("calcn_l", "1_")):
                cells = [of[f"{p}ground_{what}{k}"] for what in ("force_v", "force_p", "torque_") for k in "xyz"]
                lines.append("\t".join([repr(float(of["time"])), joint, *(repr(float(c)) for c in cells)]))
        target.write_text("\n".join(lines) + "\n")


def filtered(rows, cutoff=6):
    """Third-order Butterworth, forward and back, on the coordinates with both ends reflected through themselves."""
    x, dt = rows[:, 1:], (rows[-1, 0] - rows[0, 0]) / (len(rows) - 1)
    pad = len(x) // 2
    x = np.vstack([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2:-pad - 2:-1]])
    w = np.tan(np.pi * cutoff * dt)
    b = w**3 * np.array([1, 3, 3, 1])
    a = np.array([1 + 2 * w + 2 * w**2 + w**3, -3 - 2 * w + 2 * w**2 + 3 * w**3, 3 - 2 * w - 2 * w**2 + 3 * w**3,
                  -1 + 2 * w - 2 * w**2 + w**3])
    for _ in range(2):
        y = np.zeros_like(x)
        for i in range(len(x)):
            for k in range(min(i, 3) + 1):
                y[i] += b[k] * x[i - k] - (a[k] * y[i - k] if k else 0)
            y[i] /= a[0]
        x = y[::-1]
    return x, pad


def splined(padded, start, dt, fine):
    """Quintic splines through the padded samples, `fine` times as often, without the padding: B-spline coefficients
    from the collocation matrix of uniform knots (1, 26, 66, 26, 1)/120."""
    x, pad = padded
    n = len(x)
    matrix = sum(c * np.eye(n, k=k) for c, k in ((66, 0), (26, 1), (26, -1), (1, 2), (1, -2))) / 120
    c = np.linalg.solve(matrix, x)
    c = np.vstack([np.zeros((3, x.shape[1])), c, np.zeros((3, x.shape[1]))])
    frames = n - 2 * pad
    u = pad + np.arange((frames - 1) * fine + 1) / fine

    def basis(s):
        s = np.abs(s)
        near = ((3 - s)**5 - 6 * np.clip(2 - s, 0, None)**5 + 15 * np.clip(1 - s, 0, None)**5) / 120
        return np.where(s < 3, near, 0)
    first = np.floor(u).astype(int)
    values = sum(basis(u - (first + k))[:, None] * c[first + k + 3] for k in range(-2, 4))
    return start + (u - pad) * dt, values


if __name__ == "__main__":
    KANE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
