#!/usr/bin/python3
"""Measures seams of loops and blends from the written BVH alone, with its own reader and forward kinematics.

usage: tests/real/seams.py KANE SHARED [--few]

Walks, runs and idles of SHARED/mocap become loops (--few: three of them), and pairs of one skeleton blends. One line
each: jumps of pose and velocity at the seam of the loop, or the largest of the blended interval, as fractions of the
99th percentile between neighbouring frames of the sources (bound 1); speed of standing feet in the loop minus that in
the same frames of the source, cm/s for a stature of 170 cm (bound 1). BOUNDS lists what exceeds these, with its value.
Exit code 1 if a bound is exceeded."""
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

AXES = {"X": 0, "Y": 1, "Z": 2}


def read(path):
    """names, parents, offsets, channels of each joint, frame time, rows."""
    names, parents, offsets, channels, above = [], [], [], [], []
    with open(path, encoding="utf-8", errors="replace") as stream:
        words = iter(stream.read().split())
    current, is_end = -1, False
    for word in words:
        if word in ("ROOT", "JOINT"):
            parents.append(current)
            names.append(next(words))
            offsets.append(np.zeros(3))
            channels.append([])
            above.append(current)
            current = len(names) - 1
        elif word == "End":
            is_end = True
        elif word == "OFFSET":
            value = np.array([float(next(words)) for _ in range(3)])
            if not is_end:
                offsets[current] = value
        elif word == "CHANNELS":
            channels[current] = [next(words) for _ in range(int(next(words)))]
        elif word == "}":
            if is_end:
                is_end = False
            else:
                current = parents[current]
        elif word == "Frames:":
            frames = int(next(words))
        elif word == "Time:":
            frame_time = float(next(words))
            break
    rows = np.array([float(w) for w in words]).reshape(frames, -1)
    return names, parents, offsets, channels, frame_time, rows


def turn(axis, degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out = np.zeros((len(degrees), 3, 3))
    i, k = (axis + 1) % 3, (axis + 2) % 3
    out[:, axis, axis] = 1
    out[:, i, i], out[:, i, k], out[:, k, i], out[:, k, k] = c, -s, s, c
    return out


def pose(path):
    """Frame time, names and positions [frame][joint][3] in the file's unit. kane writes ROOT OFFSET 0 and positions
    that replace offsets."""
    names, parents, offsets, channels, frame_time, rows = read(path)
    place, orientation, at = [], [], 0
    for j, parent in enumerate(parents):
        local, shift, given = np.tile(np.eye(3), (len(rows), 1, 1)), np.tile(offsets[j], (len(rows), 1)), False
        for name in channels[j]:
            value = rows[:, at]
            at += 1
            if name.endswith("rotation"):
                local = local @ turn(AXES[name[0]], value)
            else:
                if not given:
                    shift, given = shift.copy(), True
                shift[:, AXES[name[0]]] = value
        if parent < 0:
            place.append(shift)
            orientation.append(local)
        else:
            place.append(place[parent] + np.einsum("fij,fj->fi", orientation[parent], shift))
            orientation.append(orientation[parent] @ local)
    return frame_time, names, np.stack(place, 1)


def rms(x):
    return np.sqrt((x ** 2).sum(-1).mean(-1))


def jumps(x):
    """Displacements [frame] to the next frame, and their changes."""
    return rms(np.diff(x, axis=0)), rms(np.diff(x, n=2, axis=0))


def in_place(x):
    """Positions without the path along the ground of the root or, if that rests, of its first child."""
    flat = x[:, :1] if np.ptp(x[:, 0, [0, 2]], axis=0).max() > 1e-6 else x[:, 1:2]
    flat = flat.copy()
    flat[..., 1] = 0
    return x - flat


def loop_jumps(source, made):
    """At the seam of an in-place loop, from its last frame to its first."""
    x, y = (pose(path)[2] for path in (source, made))
    steps, changes = jumps(in_place(x))
    ring = in_place(y)
    step, change = jumps(np.concatenate([ring[-2:], ring[:2]]))
    return step[1] / np.percentile(steps, 99), change.max() / np.percentile(changes, 99)


def blend_jumps(sources, made, begin, over):
    """The largest in the blended interval."""
    dt, _, y = pose(made)
    usual = [[np.percentile(v, 99) for v in jumps(pose(path)[2])] for path in sources]
    step, change = jumps(y)
    first, last = round(begin / dt), round((begin + over) / dt)
    largest = step[first - 1:last + 1].max(), change[first - 2:last + 1].max()
    return tuple(largest[i] / max(u[i] for u in usual) for i in range(2))


def standing_speed(path, like):
    """Mean speed along the ground of the feet that stand, cm/s for a stature of 170 cm; the heights are those of
    another file. NaN: no foot stands."""
    dt, names, x = pose(path)
    other = pose(like)[2]
    feet = [j for j, n in enumerate(names) if any(w in n.lower() for w in ("toe", "foot", "ankle"))]
    low, size = np.percentile(other[:, feet, 1], 5, axis=0), np.ptp(other[..., 1])
    speed = np.linalg.norm(np.diff(x[:, feet][..., [0, 2]], axis=0), axis=-1) / dt
    stands = (x[:-1, feet, 1] < low + 0.02 * size) & (x[1:, feet, 1] < low + 0.02 * size) & (speed < 0.35 * size)
    return speed[stands].mean() / size * 170 if stands.any() else np.nan


LOOPS = {"walk": ["mass__mass_walk", "cmu_cgspeed__02_01", "cmu_cgspeed__07_01", "bandai__dataset-1_walk_normal_001",
                  "games105__walk60", "sfu_motionbuilder__MS2_8Walk_M"],
         "run": ["cmu_cgspeed__09_01", "cmu_cgspeed__02_03", "bandai__dataset-1_run_normal_001",
                 "games105__run_forward", "mass__mass_run"],
         "idle": ["xsens_style__mova_A_test", "axis_neuron__milad"]}
FEW = ["mass__mass_walk", "cmu_cgspeed__09_01", "xsens_style__mova_A_test"]
BLENDS = [("cmu_cgspeed__02_01", "cmu_cgspeed__02_03", 1.2, 0.5), ("cmu_cgspeed__02_01", "cmu_cgspeed__02_04", 1.2, 0.5),
          ("bandai__dataset-1_walk_normal_001", "bandai__dataset-1_kick_normal_001", 2.2, 0.5),
          ("bandai__dataset-1_walk_normal_001", "bandai__dataset-1_run_normal_001", 2.2, 0.5)]
# Clips of one stride whose ends differ, and a blend of unlike motions: pose, velocity, slide.
BOUNDS = {"mass__mass_run": (1.03, 1, 4),
          "bandai__dataset-1_walk_normal_001 bandai__dataset-1_run_normal_001": (1, 1.04, 1)}


class Maker:
    def __init__(self, kane, folder, work):
        self.kane, self.folder, self.work = kane, pathlib.Path(folder) / "mocap", pathlib.Path(work)

    def run(self, *words, out):
        path = self.work / out
        done = subprocess.run([self.kane, *map(str, words), "--force", "-o", str(path)], check=True, text=True,
                              capture_output=True)
        return path, done.stderr

    def source(self, name):
        """The clip as kane reads it, in its axes and unit."""
        return self.run("trim", self.folder / f"{name}.bvh", "--from", -1e9, out=f"{name}.bvh")[0]

    def loop(self, name):
        source = self.source(name)
        flat, _ = self.run("loop", source, "--root-motion", "in-place", out="flat.bvh")
        made, words = self.run("loop", source, out="loop.bvh")
        period, begin = map(float, re.search(r"period (\S+) s from (\S+) s on", words).groups())
        half = pose(source)[0] / 2
        same, _ = self.run("trim", source, "--from", begin - half, "--to", begin + period - half, out="same.bvh")
        slide = standing_speed(made, source) - standing_speed(same, source)
        return (*loop_jumps(source, flat), 0 if np.isnan(slide) else slide)

    def blend(self, a, b, begin, over):
        sources = self.source(a), self.source(b)
        made, _ = self.run("blend", *sources, "--at", begin, "--over", over, out="blend.bvh")
        return (*blend_jumps(sources, made, begin, over), 0)


def main(kane, folder, few):
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        maker = Maker(kane, folder, work)
        rows = [(n, maker.loop, (n,)) for kind in LOOPS.values() for n in kind if not few or n in FEW]
        rows += [(f"{a} {b}", maker.blend, (a, b, t, s)) for a, b, t, s in BLENDS[:1 if few else None]]
        for name, measure, words in rows:
            values, bounds = measure(*words), BOUNDS.get(name, (1, 1, 1))
            is_over = any(v > b for v, b in zip(values, bounds))
            failed |= is_over
            print(f"{'OVER' if is_over else 'ok':5}{name}: pose {values[0]:.2f}, velocity {values[1]:.2f}, "
                  f"slide {values[2]:+.1f}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--few" in sys.argv))
