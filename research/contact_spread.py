#!/usr/bin/python3
"""Between-subject standard deviations of the contact constants: research/contact_spread.py KANE >
data/contact_spread.tsv

Reads walks, runs, squats and drop jumps of ../shared/groundtruth (or $KANE_SHARED) with measured forces. Each row is
the standard deviation over subjects of the subject's mean, for the constant of the same name in data/contact.tsv
fitted to one subject. `share` is the RMS deviation of a foot's fraction of the load from a straight line between
landing and take-off in double support. Requires python3-numpy and python3-h5py."""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from fit_contact import G, TRIALS, Trial, read_constants
from roll_over import Rows, left_out

MIN_LOAD = 0.05  # BW: a foot with more load is in contact
ON_PLATE = 20  # N


def unit(v):
    return v / max(np.linalg.norm(v), 1e-9)


class Motion:
    """One trial in body units: lengths in leg lengths, forces in body weights; feet in the order left, right."""

    def __init__(self, kane, trial, folder):
        path, where = os.path.join(folder, trial.name + ".h5"), TRIALS + trial.name + "/"
        command = trial.command(kane, "given", path)
        at = command.index("--contact-method")
        command[at:at + 2] = ["--contact-external", where + "external.tsv"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        with h5py.File(path) as clip:
            names = [n.decode() if isinstance(n, bytes) else n for n in clip["joint"][()]]
            position, self.com = clip["kinematics/position"][()], clip["kinematics/com"][()]
            self.force, self.cop = clip["contact/foot_force"][()], clip["contact/foot_cop"][()]
        joint = {n: position[:, names.index(n)] for n in names}
        leg = joint["LeftUpLeg"] - joint["LeftLeg"], joint["LeftLeg"] - joint["LeftFoot"]
        self.leg = sum(np.linalg.norm(x, axis=1).mean() for x in leg)
        self.force = self.force / (trial.mass * G)
        self.ankle, self.toe = (np.stack([joint[s + n] for s in ("Left", "Right")], 1) for n in ("Foot", "ToeBase"))
        self.trial, n = trial, min(len(trial.ok), len(self.com))
        self.ok, self.dt = trial.ok[:n], trial.dt
        for name in ("com", "force", "cop", "ankle", "toe"):
            setattr(self, name, getattr(self, name)[:n])
        ahead = (self.toe - self.ankle).mean((0, 1))
        self.forward = unit(np.array([ahead[0], 0, ahead[2]]))
        self.left = np.array([self.forward[2], 0, -self.forward[0]])
        self.down = (self.force[:, :, 1] > MIN_LOAD) & self.ok[:, None]

    def lean(self, axis):
        """Slope of the horizontal force in single support relative to the line from the centre of pressure to the
        centre of mass."""
        over, under = 0, 0
        for foot in range(2):
            alone = self.down[:, foot] & ~self.down[:, 1 - foot]
            way = (self.com - self.cop[:, foot])[alone]
            line = way @ axis / np.maximum(way[:, 1], 0.1) * self.force[alone, foot, 1]
            over += (self.force[alone, foot] @ axis * line).sum()
            under += (line ** 2).sum()
        return over / under

    def passes(self):
        """Yields double supports in which one foot lands and the other takes off: first frame, last frame, landing
        foot."""
        both = (self.force[:, :, 1] > ON_PLATE / (self.trial.mass * G)).all(1)
        edges = np.flatnonzero(np.diff(both.astype(int)))
        for a, b in zip(edges, edges[1:]):
            if both[a + 1] and self.ok[max(0, a - 3):b + 4].all() and b - a < 0.5 / self.dt:
                before, after = self.force[a, :, 1], self.force[b + 1, :, 1]
                if before.argmax() != after.argmax():
                    yield a, b + 1, after.argmax()

    def speed(self):
        """Mean forward speed of the centre of mass relative to the stance foot, in sqrt(g L)."""
        way = []
        for foot in range(2):
            alone = self.down[:, foot] & ~self.down[:, 1 - foot]
            alone[:-1] &= alone[1:]
            step = np.diff(self.com - self.toe[:, foot], axis=0)[alone[:-1]]
            way.append(step @ self.forward / self.dt)
        return np.concatenate(way).mean() / np.sqrt(G * self.leg)

    def pass_time(self, constants):
        unit_time = np.sqrt(self.leg / G)
        times = [(b - a) * self.dt / unit_time for a, b, _ in self.passes()]
        return np.mean(times) / (constants["pass_speed"] - self.speed()) if times else np.nan

    def share(self):
        """RMS deviation of the load fraction from a straight line in double support."""
        off = []
        for a, b, to in self.passes():
            load = self.force[a:b + 1, :, 1]
            off += list((load[:, to] / load.sum(1) - np.linspace(0, 1, b - a + 1))[1:-1] ** 2)
        return np.sqrt(np.mean(off)) if off else np.nan

    def pressure(self, axis, way):
        """Mean offset of the centre of pressure from the toe joint in single support, less `way` times the offset of
        the centre of mass, in leg lengths; sideways positive outward."""
        at = []
        for foot in range(2):
            alone = self.down[:, foot] & ~self.down[:, 1 - foot]
            sign = (-1 if foot else 1) if axis is self.left else 1
            off = (self.cop - self.toe)[alone, foot] @ axis - way * ((self.com - self.toe[:, foot])[alone] @ axis)
            at += list(sign * off / self.leg)
        return np.mean(at)

    def stand_push(self, half):
        """Lateral force of the two feet against each other in a wide stance; half of it at the step width `half`."""
        both = self.down.all(1)
        share = self.force[both, 0, 1] / self.force[both][:, :, 1].sum(1)
        push = (1 - share) * (self.force[both, 1] @ self.left) - share * (self.force[both, 0] @ self.left)
        feet = (0.5 * (self.toe + self.ankle))[both]
        width = (feet[:, 0] - feet[:, 1]) @ self.left / self.leg
        part = width / (half + np.abs(width)) * np.minimum(1, self.force[both][:, :, 1].sum(1))
        return (push * part).sum() / (part ** 2).sum() if both.sum() > 10 else np.nan


def measure_along(kane, motions, folder):
    """Mean deviation of the centre of pressure along the foot from the roll-over model of all other subjects
    (research/roll_over.py), weighted by load."""
    rows = [Rows(kane, m.trial, "default", folder) for m in motions]
    tables = left_out(rows, lambda r: r.person)
    for m, r in zip(motions, rows):
        m.along = np.average(r.place - r.terms @ tables[r.person], weights=r.load)


WALKS, RUNS = ("walk", "walk_fast"), ("run", "run_consistent")
ROWS = (
    ("pass_time", WALKS, "sqrt(L / g)", lambda m, c: m.pass_time(c)),
    ("share", WALKS, "1", lambda m, c: m.share()),
    ("walk_lean", WALKS, "1", lambda m, c: m.lean(m.forward)),
    ("walk_side_lean", WALKS, "1", lambda m, c: m.lean(m.left)),
    ("run_lean", RUNS, "1", lambda m, c: m.lean(m.forward)),
    ("run_side_lean", RUNS, "1", lambda m, c: m.lean(m.left)),
    ("stand_push", ("squat", "drop_jump"), "body weight", lambda m, c: m.stand_push(c["stand_push_width"])),
    ("pressure_at", WALKS + RUNS, "L", lambda m, c: m.along),
    ("pressure_side", WALKS + RUNS, "L", lambda m, c: m.pressure(m.left, c["pressure_side_com"])),
)


def main():
    kane, constants = sys.argv[1], read_constants("data/contact.tsv")
    names = [t for t in sorted(os.listdir(TRIALS)) if os.path.exists(TRIALS + t + "/info.json")]
    with tempfile.TemporaryDirectory() as folder:
        motions = [Motion(kane, Trial(t), folder) for t in names]
        measure_along(kane, [m for m in motions if m.trial.kind in WALKS + RUNS], folder)
    print("# Standard deviations between people of quantities that kane takes as equal in all (data/contact.tsv), "
          "measured by\n"
          "# research/contact_spread.py on trials with plates: standard deviation over people of each person's mean.\n"
          "# share is not a constant: RMS difference of a foot's share of the load from the line while the load passes.\n"
          "quantity\tspread\tunit\tmean\tpeople")
    for name, kinds, dimension, of in ROWS:
        people = {}
        for m in motions:
            if m.trial.kind in kinds and not np.isnan(value := of(m, constants)):
                people.setdefault(m.trial.person, []).append(value)
        each = np.array([np.mean(v) for v in people.values()])
        spread = np.sqrt((each ** 2).mean()) if name == "share" else each.std(ddof=1)
        print("%s\t%.3g\t%s\t%.3g\t%d" % (name, spread, dimension, each.mean(), len(each)))


if __name__ == "__main__":
    main()
