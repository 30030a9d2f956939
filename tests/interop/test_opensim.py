#!/usr/bin/python3
"""OpenSim models: tests/interop/test_opensim.py KANE

Joint centres and generalised forces against opensim_peer.py, on a model with every joint and function in either
version, and on the models of $KANE_SHARED/doors/opensim; inverse dynamics against OpenSim's own result."""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
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


def rotated(q, v):
    w, u = q[:, :1], q[:, 1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


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

    def test_soles_lie_under_the_feet(self):
        """Heel and ball lie along the foot and near the plane of shank and foot, also where the axes of calcn and talus differ."""
        for folder, motion in (("opencap_s5_dropjump", "DJ1.mot"), ("opencap_processing_walk", "walking1_videoAndMocap.mot"),
                               ("carmago_turn", "levelground_ccw_fast_01_01_ik.mot")):
            if not (SHARED / folder).exists():
                self.skipTest(f"{SHARED / folder} is not here")
            run("run", SHARED / folder / motion, "-o", self.at / "soles.h5", "--force")
            with h5py.File(self.at / "soles.h5") as clip:
                names = [n.decode() for n in clip["joint"]]
                place, turn = clip["kinematics/position"][:], clip["kinematics/orientation"][:]
                of, at = clip["contact/point_joint"][:], clip["contact/point_position"][:]
            for side in "lr":
                knee, ankle, toe = (place[:, names.index(f"{j}_{side}")] for j in ("tibia", "talus", "toes"))
                along = toe - ankle
                across = np.cross(along, knee - ankle)
                across /= np.linalg.norm(across, axis=1)[:, None]
                for i in np.flatnonzero(of == names.index(f"calcn_{side}")):
                    point = place[:, of[i]] + rotated(turn[:, of[i]], at[i]) - ankle
                    self.assertLess(np.median(np.abs((point * across).sum(1))), .09, (folder, side, i))
                    share = (point * along).sum(1) / (along ** 2).sum(1)
                    self.assertTrue(-1 < np.median(share) < 1.2, (folder, side, i, np.median(share)))

    def test_exported_set_repeats_the_forces(self):
        """A reading of the written files alone gives kane's generalised forces: of a model with coupled coordinates, and of a treadmill
        whose root moves along custom axes."""
        for folder, motion, belt in (("gait10dof_walk", "subject01_walk_IK.mot", True),
                                     ("opencap_processing_walk", "walking1_videoAndMocap.mot", False)):
            at = SHARED / folder
            if not at.exists():
                self.skipTest(f"{at} is not here")
            osim = next(at.glob("*.osim"))
            run("run", at / motion, "--import-model", osim, "--kinematics-scheme", "fivepoint", "--smooth-cutoff", "6",
                "-o", self.at / f"{folder}.h5")
            run("export", self.at / f"{folder}.h5", "--for", "opensim", "--model", osim, "-o", self.at / folder)
            with self.subTest(folder):
                self.check_set(self.at / folder, osim, at / motion, belt)

    def check_set(self, folder, osim, motion, belt):
        setup = ET.parse(folder / "id_setup.xml").getroot()[0]
        loads = ET.parse(folder / setup.findtext("external_loads_file")).getroot()[0]
        check_schema(self, setup), check_schema(self, loads)
        self.assertEqual(Path(setup.findtext("model_file")), osim.resolve())
        names, rows = read_storage(folder / setup.findtext("coordinates_file"))
        labels, forces = read_storage(folder / loads.findtext("datafile"))
        columns, wanted = read_storage(folder / "moments.sto")
        for table in (rows, forces, wanted):
            self.assertTrue(np.isfinite(table).all())
            np.testing.assert_array_equal(table[:, 0], rows[:, 0])
        self.assertEqual([float(x) for x in setup.findtext("time_range").split()], [rows[0, 0], rows[-1, 0]])
        for name in (c for c in columns if c.endswith("_sd")):
            self.assertGreater(wanted[:, columns.index(name)].min(), 0, name)
        self.assertIn("hip_flexion_r_moment_sd", columns)
        if belt:  # the body walks over the ground, and its feet are where the forces are
            travelled = rows[-1, names.index("pelvis_tx")] - rows[0, names.index("pelvis_tx")]
            self.assertGreater(abs(travelled), 2)
        self.check_forces(Model(osim), (names, rows), (labels, forces), (columns, wanted), loads)

    def check_forces(self, model, coordinates, plates, own, loads):
        """Within the difference between a filtered pose and the pose of filtered coordinates."""
        names, rows = coordinates
        times = rows[:, 0]
        fine = quintic(times, rows[:, 1:])
        at_rest = {c: 0.0 for c in model.coordinates}

        def q(t):
            return {**at_rest, **dict(zip(names[1:], fine(t)))}
        columns, wanted = own
        error, size = {}, {}
        for f in range(len(times) // 4, 3 * len(times) // 4, max(1, len(times) // 12)):
            got = model.forces(q, times[f], step=2e-3, loads=loads_at(loads, *plates, f))
            for c in names[1:]:
                if c.startswith("mtp"):  # kane's toes have forces of their own
                    continue
                k = [i for i, n in enumerate(columns) if n in (f"{c}_moment", f"{c}_force")][0]
                error[c] = max(error.get(c, 0), abs(got[c] - wanted[f, k]))
                size[c] = np.abs(wanted[:, k]).max()
        peak = max(size[c] for c in size if "pelvis_t" not in c)
        for c in error:
            scale = max(size[c], peak) if "pelvis" not in c else max(size[c], peak, 700)
            self.assertLess(error[c] / scale, .02, c)

    def test_inverse_dynamics_tool(self):
        """OpenSim's own tool, where it is installed, gives kane's moments of gait10dof."""
        try:
            import opensim
        except ImportError:
            self.skipTest("the Python package opensim is not here")
        at = SHARED / "gait10dof_walk"
        run("run", at / "subject01_walk_IK.mot", "-o", self.at / "a.h5")
        run("export", self.at / "a.h5", "--for", "opensim", "--model", at / "subject01.osim", "-o", self.at / "set")
        self.assertTrue(opensim.InverseDynamicsTool(str(self.at / "set/id_setup.xml")).run())
        names, rows = read_storage(self.at / "set/opensim_moments.sto")
        columns, wanted = read_storage(self.at / "set/moments.sto")
        for k, name in enumerate(names[1:], 1):
            own = wanted[:, columns.index(name)]
            self.assertLess(np.abs(rows[5:-5, k] - own[5:-5]).max(), .02 * max(np.abs(own).max(), 100), name)

    def write_plates(self, source, target):
        names, rows = read_storage(source)
        lines = ["time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz"]
        for row in rows:
            of = dict(zip(names, row))
            for joint, p in (("calcn_r", ""), ("calcn_l", "1_")):
                cells = [of[f"{p}ground_{what}{k}"] for what in ("force_v", "force_p", "torque_") for k in "xyz"]
                lines.append("\t".join([repr(float(of["time"])), joint, *(repr(float(c)) for c in cells)]))
        target.write_text("\n".join(lines) + "\n")


# Properties of classes of OpenSim 4; those of a tool include its bases DynamicsTool and Tool.
SCHEMA = {
    "InverseDynamicsTool": {
        "results_directory", "input_directory", "model_file", "time_range", "forces_to_exclude", "external_loads_file",
        "coordinates_file", "lowpass_cutoff_frequency_for_coordinates", "output_gen_force_file",
        "joints_to_report_body_forces", "output_body_forces_file"},
    "ExternalLoads": {"objects", "groups", "datafile"},
    "ExternalForce": {
        "appliesForce", "applied_to_body", "force_expressed_in_body", "point_expressed_in_body", "force_identifier",
        "point_identifier", "torque_identifier", "data_source_name"},
}


def check_schema(test, element):
    """Each element is one that OpenSim's class of this name reads; others it would pass over in silence."""
    for child in element:
        test.assertIn(child.tag, SCHEMA[element.tag])
    for force in element.findall("objects/*"):
        test.assertEqual(force.tag, "ExternalForce")
        check_schema(test, force)


def loads_at(loads, labels, rows, frame):
    """(body, force, point, torque) of each ExternalForce."""
    def vector(force, kind):
        stem = force.findtext(f"{kind}_identifier")
        return np.array([rows[frame, labels.index(stem + k)] for k in "xyz"])
    return [(f.findtext("applied_to_body"), *(vector(f, kind) for kind in ("force", "point", "torque")))
            for f in loads.findall("objects/ExternalForce")]


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


def bump(s):
    """Quintic B-spline of uniform knots."""
    s = np.abs(s)
    near = ((3 - s)**5 - 6 * np.clip(2 - s, 0, None)**5 + 15 * np.clip(1 - s, 0, None)**5) / 120
    return np.where(s < 3, near, 0)


def coefficients(x):
    n = len(x)
    matrix = sum(c * np.eye(n, k=k) for c, k in ((66, 0), (26, 1), (26, -1), (1, 2), (1, -2))) / 120
    return np.linalg.solve(matrix, x)


def quintic(times, values):
    """Quintic spline through samples, as a function of time; good away from the ends."""
    c, first, dt = coefficients(values), times[0], (times[-1] - times[0]) / (len(times) - 1)

    def at(t):
        u = (t - first) / dt
        k = np.arange(max(0, int(u) - 3), min(len(c), int(u) + 4))
        return bump(u - k) @ c[k]
    return at


def splined(padded, start, dt, fine):
    """Quintic splines through the padded samples, `fine` times as often, without the padding: B-spline coefficients
    from the collocation matrix of uniform knots (1, 26, 66, 26, 1)/120."""
    x, pad = padded
    n = len(x)
    c = coefficients(x)
    c = np.vstack([np.zeros((3, x.shape[1])), c, np.zeros((3, x.shape[1]))])
    frames = n - 2 * pad
    u = pad + np.arange((frames - 1) * fine + 1) / fine
    first = np.floor(u).astype(int)
    values = sum(bump(u - (first + k))[:, None] * c[first + k + 3] for k in range(-2, 4))
    return start + (u - pad) * dt, values


if __name__ == "__main__":
    KANE = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
