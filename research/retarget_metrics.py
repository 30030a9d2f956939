#!/usr/bin/python3
"""Independent metrics of retargeting, from exported BVH files with a separate implementation of forward kinematics.

usage: research/retarget_metrics.py KANE FOLDER [--part I/N] [--only WORD[,WORD...]] [--residual]
                                   [--options "--plant lock"] [--work DIR]

Retargets each human clip of FOLDER to six of its characters (--part: every Nth pair; --only: clips with one of the
words in their names). Prints one row per pair, then how many pairs satisfy each of BOUNDS; lengths in cm, scaled to
the target. Motion of joints and soles is computed here. Inputs from kane: joint roles, the position of the soles in
joint coordinates (/contact/point_position of the clip and of the character), the ground height of the clip, and when
its heels and balls are in contact (--print-contacts). Column toes is a slide metric without these inputs: of toe
joints and toe tips that are low and slow. The last lines compare with kane's own metrics in /retarget."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

TARGETS = {"cmu": "cmu_cgspeed__02_01", "mixamo": "parser_fixture__test_freebvh", "makehuman": "makehuman__mh_walk1",
           "rokoko": "rokoko__jesse_dance", "games": "games105__walk60", "daz": "cmu_daz__salsa_03"}
# name, bound that 90 % of the pairs must satisfy
BOUNDS = {"slide": 0.3, "toes": 0.3, "depth": 0.3, "wrist": 1.0, "legs": 5.0, "bones": 3.0, "knee": 1.3, "jerk": 1.5, "drop": 4.0,
          "residual": 0.0}
SIDES = ("left", "right")
LOW = 0.03        # leg lengths above its lowest position: a toe below this is low
SLOW = 0.5        # leg lengths per second: a low toe slower than this is in stance, or slides
TIP = 0.7         # fraction of the toe length at which its tip contacts the ground
NO_TOE = 0.02     # leg lengths: a shorter toe counts as missing,
TOE = 0.08        # and this length is used
UNLIKE = 0.15     # rad: a larger difference between the soles of one body is a detection error
CUTOFF = 12.0     # Hz, low-pass before differentiation of knees and hips
# column, metric of /retarget that should agree within 10 % or 0.1
AGREE = {"slide": "slide_increase_cm_s", "depth": "penetration_increase_cm", "wrist": "wrist_depth_increase_cm",
         "legs": "leg_direction_deg", "bones": "bone_direction_deg", "knee": "knee_acceleration", "jerk": "hip_jerk",
         "drop": "hip_drop_cm", "before": "residual_before_bw", "after": "residual_after_bw"}


class Bvh:
    """Joints of a BVH file with offsets, and their world positions per frame, cm."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as stream:
            head, rows = stream.read().split("MOTION", 1)
        self.names, self.parents, self.offsets, self.channels = [], [], [], []
        stack, words = [], head.split()
        for i, word in enumerate(words):
            if word in ("ROOT", "JOINT", "End"):
                self.names.append("" if word == "End" else words[i + 1])
                self.parents.append(stack[-1] if stack else -1)
                self.channels.append([])
            elif word == "{":
                stack.append(len(self.names) - 1)
            elif word == "}":
                stack.pop()
            elif word == "OFFSET":
                self.offsets.append([float(x) for x in words[i + 1:i + 4]])
            elif word == "CHANNELS":
                self.channels[-1] = words[i + 2:i + 2 + int(words[i + 1])]
        lines = rows.split("\n", 3)
        self.frame_time = float(lines[2].split(":")[1])
        self.values = np.array(lines[3].split(), dtype=float).reshape(int(lines[1].split(":")[1]), -1)
        self.pose()

    def pose(self):
        frames, at = len(self.values), 0
        self.position, self.turn = [], []
        for joint, parent in enumerate(self.parents):
            turn, place = np.broadcast_to(np.eye(3), (frames, 3, 3)), np.tile(self.offsets[joint], (frames, 1))
            for channel in self.channels[joint]:
                axis, value = "XYZ".index(channel[0]), self.values[:, at]
                at += 1
                if channel.endswith("position"):
                    place[:, axis] = value
                else:
                    turn = turn @ about(axis, np.radians(value))
            if parent >= 0:
                place = self.position[parent] + np.einsum("fij,fj->fi", self.turn[parent], place)
                turn = self.turn[parent] @ turn
            self.position.append(place)
            self.turn.append(turn)
        self.position = np.array(self.position)


def about(axis, angle):
    a, b = (axis + 1) % 3, (axis + 2) % 3
    turn = np.zeros((len(angle), 3, 3))
    turn[:, axis, axis] = 1
    turn[:, a, a] = turn[:, b, b] = np.cos(angle)
    turn[:, b, a] = np.sin(angle)
    turn[:, a, b] = -turn[:, b, a]
    return turn


def rolling_edge(heel, ball):
    """Contact point of the tip for a foot without toe joint: kane's ball is at 0.68 of the distance from ankle to tip,
    and the point at TIP of the rest."""
    forward = (ball - heel) / np.linalg.norm(ball - heel)
    return ball + TIP * (1 / 0.68 - 1) * (ball @ forward) * forward


def turned(v, axis, angle):
    """Rodrigues' formula."""
    axis = unit(axis)
    return v * np.cos(angle) + np.cross(axis, v) * np.sin(angle) + axis * (axis @ v) * (1 - np.cos(angle))


def cut_alike(soles):
    """Corrects soles detected from a motion in which one foot is flatter: rotates the heels until both slopes are
    equal."""
    lines = {side: (ball[1] - heel[1], ball[1]) for side, (heel, ball, _) in soles.items()}
    slope = {side: np.arccos(np.clip(unit(a) @ unit(b), -1, 1)) for side, (a, b) in lines.items()}
    if len(slope) < 2 or abs(slope["left"] - slope["right"]) < UNLIKE:
        return
    for side, (line, ball) in lines.items():
        turn = slope[side] - np.mean(list(slope.values()))
        soles[side][0] = (soles[side][0][0], ball - turned(line, np.cross(line, ball), turn))


class Body:
    """A motion with world positions of its roles."""

    def __init__(self, bvh, roles, soles):
        self.bvh, self.dt = bvh, bvh.frame_time
        self.role = {role: bvh.position[bvh.names.index(name)] for role, name in roles.items() if name in bvh.names}
        self.tip = {}
        for side in SIDES:
            toe = bvh.names.index(roles.get(side + "_toe", roles.get(side + "_ankle", bvh.names[0])))
            ends = [j for j, parent in enumerate(bvh.parents) if parent == toe and not bvh.names[j]]
            self.tip[side] = bvh.position[ends[0]] if ends else bvh.position[toe]
        self.leg = np.mean([np.median(np.linalg.norm(self.role[s + "_hip"] - self.role[s + "_knee"], axis=1)) +
                            np.median(np.linalg.norm(self.role[s + "_knee"] - self.role[s + "_ankle"], axis=1))
                            for s in SIDES])
        self.sole = {side: [self.point(*p) for p in points] for side, points in soles.items()}
        self.hips = (self.role["left_hip"] + self.role["right_hip"]) / 2
        self.ground = np.percentile(np.minimum(*[self.foot(s)[..., 1].min(axis=0) for s in SIDES]), 5)

    def point(self, joint, place, is_tip=False):
        """World positions over all frames of a point in joint coordinates. is_tip: TIP of the way to the end site, or
        in the direction of the point if there is none."""
        j = self.bvh.names.index(joint)
        if is_tip:
            ends = [np.array(self.bvh.offsets[e]) for e, parent in enumerate(self.bvh.parents) if parent == j]
            end = max(ends, key=np.linalg.norm, default=np.zeros(3))
            known = np.linalg.norm(end) >= NO_TOE * self.leg
            place = TIP * (end if known else TOE * self.leg * unit(place))
        return self.bvh.position[j] + np.einsum("fij,j->fi", self.bvh.turn[j], place)

    def foot(self, side):
        return np.array([self.role.get(side + "_toe", self.role[side + "_ankle"]), self.tip[side]])

    def knee(self, side):
        thigh = unit(self.role[side + "_knee"] - self.role[side + "_hip"])
        shank = unit(self.role[side + "_ankle"] - self.role[side + "_knee"])
        return np.arccos(np.clip((thigh * shank).sum(1), -1, 1))


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def low_pass(x, dt):
    """Zero-phase low-pass with the gain of a fourth-order Butterworth filter run forwards and backwards; ends
    reflected."""
    n = len(x)
    if n < 8 or 0.5 / dt <= CUTOFF:
        return x
    line = np.linspace(x[0], x[-1], n)
    wave = np.concatenate([x - line, -(x - line)[::-1]])
    frequency = np.fft.rfftfreq(2 * n, dt)
    return np.fft.irfft(np.fft.rfft(wave) / (1 + (frequency / CUTOFF) ** 8), 2 * n)[:n] + line


def peak(x, dt, order):
    rate = np.abs(np.diff(low_pass(x, dt), order)) / dt ** order
    return np.percentile(rate, 99) if len(rate) else np.nan


def trunk(body):
    """Adds the trunk, from mid-hip to mid-shoulder, as pseudo-roles."""
    if {"left_shoulder", "right_shoulder"} <= body.role.keys():
        body.role["shoulders"] = (body.role["left_shoulder"] + body.role["right_shoulder"]) / 2
        body.role["between"] = body.hips


def directions(a, b, bones):
    angle = [np.degrees(np.arccos(np.clip((unit(a.role[q] - a.role[p]) * unit(b.role[q] - b.role[p])).sum(1), -1, 1)))
             for p, q in bones if {p, q} <= a.role.keys() & b.role.keys()]
    return np.mean(angle) if angle else np.nan


LEGS = [(s + a, s + b) for s in SIDES for a, b in (("_hip", "_knee"), ("_knee", "_ankle"))]
OTHERS = [(s + a, s + b) for s in SIDES for a, b in (("_clavicle", "_shoulder"), ("_shoulder", "_elbow"),
                                                     ("_elbow", "_wrist"))] + [("neck", "head"), ("between", "shoulders")]


def slide(t, s, scale, contacts):
    """Mean increase of the horizontal speed of the slowest contact point (heel, ball, tip) over the source, cm/s."""
    added = []
    for side in t.sole.keys() & s.sole.keys():
        down = contacts[side][[0, 1, 1]]
        speed = []
        for body in (t, s):
            way = [np.linalg.norm(np.diff(p, axis=0)[:, [0, 2]], axis=1) / s.dt for p in body.sole[side]]
            speed.append(np.min(np.where(down[:, :-1] | ~down.any(axis=0)[:-1], way, np.inf), axis=0))
        both = down.any(axis=0)
        both = both[:-1] & both[1:]
        added.append((speed[0] - scale * speed[1])[both])
    added = np.concatenate(added) if added else np.array([])
    return added.mean() if len(added) else np.nan


def toe_slide(t, s, scale):
    """Mean increase of the horizontal speed of the slower of toe joint and tip over the source, in contact, cm/s."""
    added = []
    for side in SIDES:
        foot, other = s.foot(side), t.foot(side)
        low = foot[..., 1].min(axis=0)
        speed = [np.linalg.norm(np.diff(x, axis=1)[..., [0, 2]], axis=-1).min(axis=0) / s.dt for x in (other, foot)]
        down = (low[1:] < np.percentile(low, 5) + LOW * s.leg) & (speed[1] < SLOW * s.leg)
        added.append((speed[0] - scale * speed[1])[down])
    added = np.concatenate(added)
    return added.mean() if len(added) else np.nan


def below(ground, points):
    return max([0.0] + [ground - p[:, 1].min() for p in points])


def compare(t, s, ground, contacts):
    scale = t.leg / s.leg
    row = {"scale": scale, "slide": slide(t, s, scale, contacts), "toes": toe_slide(t, s, scale)}
    row["depth"] = (below(scale * ground, [p for x in t.sole.values() for p in x]) -
                    scale * below(ground, [p for x in s.sole.values() for p in x]))
    wrists = [x + "_wrist" for x in SIDES if {x + "_wrist"} <= t.role.keys() & s.role.keys()]
    row["wrist"] = (below(scale * ground, [t.role[w] for w in wrists]) -
                    scale * below(ground, [s.role[w] for w in wrists]))
    for body in (t, s):
        trunk(body)
    row["legs"], row["bones"] = directions(t, s, LEGS), directions(t, s, OTHERS)
    row["knee"] = max(peak(t.knee(x), t.dt, 2) / peak(s.knee(x), s.dt, 2) for x in SIDES)
    row["jerk"] = peak(t.hips[:, 1], t.dt, 3) / (scale * peak(s.hips[:, 1], s.dt, 3))
    sink = scale * s.hips[:, 1] - t.hips[:, 1]
    row["drop"] = sink.max() - np.median(sink)
    return row


class Chain:
    """Runs kane's commands and caches their outputs."""

    def __init__(self, kane, folder, work, options):
        self.kane, self.folder, self.work, self.options = os.path.realpath(kane), folder, work, options
        self.bodies = {}

    def run(self, command):
        done = subprocess.run(command, shell=True, cwd=self.work, env={**os.environ, "kane": self.kane},
                              stderr=subprocess.PIPE, text=True, executable="/bin/bash", check=False)
        return done.returncode == 0

    def source(self, name):
        """Makes a clip file with contacts of a human clip. Returns false if the clip is not a usable human."""
        path = f"{name}.source.h5"
        if not os.path.exists(os.path.join(self.work, path)) and not self.run(
                f"set -o pipefail; $kane import '{self.folder}/{name}.bvh' -o {name}.raw.h5 && $kane body {name}.raw.h5 |"
                f" $kane smooth | $kane kinematics | $kane contact -o {path}"):
            return 0
        with h5py.File(os.path.join(self.work, path)) as clip:
            roles = {r for r in clip["skeleton/role"].asstr()[:]}
            if clip["motion/root_position"].shape[0] < 20:
                return 0
        return {"hips", "left_knee", "right_ankle", "left_ankle"} <= roles

    def soles(self, path):
        """Joint and position (cm) of heel, ball and tip of each foot, from the contact points of a clip file."""
        made = {}
        with h5py.File(os.path.join(self.work, path)) as clip:
            if "point_joint" not in clip["contact"]:
                return made
            names, roles = clip["joint"].asstr()[:], clip["skeleton/role"].asstr()[:]
            parents, count = clip["skeleton/parent"][:], clip["contact/point_joint"].shape[0]
            points = list(zip(clip["contact/point_joint"][:], 100 * clip["contact/point_position"][:]))
        for side in SIDES:
            foot = [j for j in range(len(names)) if roles[j] in (side + "_ankle", side + "_toe")]
            mine = [points[i] for i in range(min(count, 10)) if points[i][0] in foot or parents[points[i][0]] in foot]
            if len(mine) == 5:
                made[side] = [(names[mine[i][0]], (mine[i][1] + mine[k][1]) / 2) for i, k in ((0, 1), (2, 3), (4, 4))]
                if made[side][2][0] == made[side][1][0]:
                    made[side][1:] = [(made[side][1][0], rolling_edge(made[side][0][1], made[side][1][1]))] * 2
                else:
                    made[side][2] += (True,)
        cut_alike(made)
        return made

    def sole_file(self, name, out):
        """A clip file with contact points of a body: from its own unsmoothed motion, else from the retargeted one."""
        own = f"{name}.own.h5"
        if self.source(name) and (os.path.exists(os.path.join(self.work, own)) or self.run(
                f"set -o pipefail; $kane body {name}.raw.h5 | $kane kinematics | $kane contact -o {own}")) and self.soles(own):
            return own
        self.run(f"set -o pipefail; rm -f {out}.sole.h5; $kane body {out} | $kane kinematics | $kane contact -o {out}.sole.h5")
        return out + ".sole.h5"

    def contacts(self, name, target):
        """Contact state of each foot: [heel, ball][frame]."""
        with h5py.File(os.path.join(self.work, f"{name}.raw.h5")) as clip:
            times = clip["time"][:]
        text = subprocess.run(f"$kane retarget --print-contacts --to '{self.folder}/{target}.bvh' {name}.raw.h5",
                              shell=True, cwd=self.work, capture_output=True, text=True, check=False,
                              env={**os.environ, "kane": self.kane}).stdout
        down = {side: np.zeros((2, len(times)), bool) for side in SIDES}
        half = (times[1] - times[0]) / 2
        for line in text.splitlines()[1:]:
            foot, part, begin, end, _ = line.split("\t")
            down[foot][int(part == "ball")] |= (times > float(begin) - half) & (times < float(end) - half)
        return down

    def score(self, path):
        with h5py.File(os.path.join(self.work, path)) as clip:
            return {k: float(v) for k, v in clip["retarget"].attrs.items() if np.ndim(v) == 0}

    def body(self, path, soles=None):
        if path not in self.bodies:
            self.run(f"rm -f {path}.bvh; $kane export --format bvh {path} > {path}.bvh")
            with h5py.File(os.path.join(self.work, path)) as clip:
                names = clip["joint"].asstr()[:]
                roles = {r: n for r, n in zip(clip["skeleton/role"].asstr()[:], names) if r}
            self.bodies[path] = Body(Bvh(os.path.join(self.work, path + ".bvh")), roles,
                                     self.soles(soles) if soles else {})
        return self.bodies[path]

    def unexplained(self, path):
        """Residual force per frame, BW, and which frames are trusted."""
        done = f"{path}.torque.h5"
        if not self.run(f"set -o pipefail; rm -f {done}; $kane body {path} | $kane smooth | $kane kinematics | $kane contact | $kane torque -o {done}"):
            return None
        with h5py.File(os.path.join(self.work, done)) as clip:
            weight = 9.80665 * clip["body/mass"][:].sum()
            return (np.linalg.norm(clip["dynamics/residual_force"][:], axis=1) / weight,
                    clip["trust/trusted"][:].astype(bool) & clip["kinematics/valid"][:].astype(bool))

    def residual(self, path, moved):
        """RMS residual before and after, over frames that are trusted before."""
        before, after = self.unexplained(path), self.unexplained(moved)
        if before is None or after is None or not before[1].any():
            return np.nan, np.nan
        return tuple(np.sqrt(np.mean(size[before[1]] ** 2)) for size, _ in (before, after))

    def retarget(self, name, target, out):
        """Retargets the imported, unsmoothed clip; kane detects contacts in the smoothed one."""
        return self.run(f"rm -f {out}; $kane retarget {self.options} --to '{self.folder}/{target}.bvh' {name}.raw.h5 -o {out}")


def local_turns(bvh):
    turn = np.array(bvh.turn)
    return [turn[j] if p < 0 else np.swapaxes(turn[p], 1, 2) @ turn[j] for j, p in enumerate(bvh.parents)]


def farther(a, b):
    """Largest rotation difference over the joints (99th percentile, degrees), and of root positions (cm)."""
    worst = 0.0
    for x, y in zip(local_turns(a.bvh), local_turns(b.bvh)):
        sine = np.linalg.norm(x - y, axis=(1, 2)) / np.sqrt(8)
        worst = max(worst, np.percentile(np.degrees(2 * np.arcsin(np.clip(sine, 0, 1))), 99))
    return worst, np.linalg.norm(a.bvh.position[0] - b.bvh.position[0], axis=1).max()


def grow(path, out, height, shank):
    """Scales the body of a BVH file, shanks by an additional factor; only the root keeps translation channels."""
    bvh, kept = Bvh(path), []
    for joint, channels in enumerate(bvh.channels):
        kept += [c if joint == 0 or c.endswith("rotation") else "" for c in channels]
    factor = np.array([height if c.endswith("position") else 1 for c in kept if c])
    rows = bvh.values[:, [i for i, c in enumerate(kept) if c]] * factor
    with open(path, encoding="utf-8", errors="replace") as stream, open(out, "w", encoding="utf-8") as made:
        shin, below = False, False
        for line in stream:
            words = line.split()
            if words[:1] == ["JOINT"]:
                shin, below = any(w in words[1].lower() for w in ("foot", "ankle")), True
            if words[:1] == ["OFFSET"]:
                line = "OFFSET " + " ".join(str(float(w) * height * (shank if shin else 1)) for w in words[1:4]) + "\n"
            if words[:1] == ["CHANNELS"] and below:
                turns = [w for w in words[2:] if w.endswith("rotation")]
                line = f"CHANNELS {len(turns)} " + " ".join(turns) + "\n"
            made.write(line)
            if words[:2] == ["Frame", "Time:"]:
                break
        made.writelines(" ".join(f"{x:.6f}" for x in row) + "\n" for row in rows)


def returns(chain, part):
    """Retargets each clip to itself, and to a giant and a child and back."""
    index, count = (int(x) for x in part.split("/"))
    names = sorted(f[:-4] for f in os.listdir(chain.folder) if f.endswith(".bvh"))
    print("clip\titself deg\tcm\tgiant deg\tcm\tchild deg\tcm")
    for name in [n for i, n in enumerate(names) if i % count == index - 1 and chain.source(n)]:
        own, row = chain.body(f"{name}.raw.h5"), []
        chain.run(f"rm -f {name}.self.h5; $kane retarget {chain.options} --to {name}.raw.h5 {name}.raw.h5 -o {name}.self.h5")
        row += farther(own, chain.body(f"{name}.self.h5"))
        height = 1.75
        for other, shank in ((2.2, 1.08), (1.1, 0.95)):
            grow(os.path.join(chain.work, f"{name}.raw.h5.bvh"), os.path.join(chain.work, "other.bvh"), other / height, shank)
            done = chain.run(f"rm -f there.h5 {name}.back.h5; $kane retarget {chain.options} --to other.bvh {name}.raw.h5 -o there.h5 && $kane retarget "
                             f"{chain.options} --to {name}.raw.h5 there.h5 -o {name}.back.h5")
            row += farther(own, chain.body(f"{name}.back.h5")) if done else (np.nan, np.nan)
            chain.bodies.clear()
            chain.bodies[f"{name}.raw.h5"] = own
        print(name + "\t" + "\t".join(f"{x:.3f}" for x in row), flush=True)


def pairs_of(chain, part, words):
    names = sorted(f[:-4] for f in os.listdir(chain.folder) if f.endswith(".bvh"))
    names = [n for n in names if any(w in n for w in words)]
    humans = [n for n in names if chain.source(n)]
    all_pairs = [(n, t) for n in humans for t in TARGETS]
    index, count = (int(x) for x in part.split("/"))
    return [p for i, p in enumerate(all_pairs) if i % count == index - 1]


def measure(chain, name, key, residual):
    out = f"{name}.{key}.h5"
    if not chain.retarget(name, TARGETS[key], out):
        return None
    source = chain.body(f"{name}.raw.h5", chain.sole_file(name, out))
    with h5py.File(os.path.join(chain.work, f"{name}.source.h5")) as clip:
        ground = 100 * float(clip["contact"].attrs["ground_height"])
    row = compare(chain.body(out, chain.sole_file(TARGETS[key], out)), source, ground,
                  chain.contacts(name, TARGETS[key]))
    if residual:
        before, after = chain.residual(f"{name}.raw.h5", out)
        row["before"], row["after"] = before, after
        row["residual"] = after - max(1.3 * before, before + 0.02)
    score = chain.score(out)
    row.update({"kane_" + k: score.get(metric, np.nan) for k, metric in AGREE.items() if k in row})
    del chain.bodies[out]
    return row


def print_agreement(rows):
    for key in AGREE:
        pairs = [(r[key], r["kane_" + key]) for r in rows if "kane_" + key in r]
        pairs = [p for p in pairs if np.isfinite(p).all()]
        if pairs:
            tolerance = 0.005 if key in ("before", "after") else 0.1 # BW; other metrics in cm, degrees, ratios
            off = [abs(a - b) <= max(tolerance, 0.1 * abs(a)) for a, b in pairs]
            print(f"scorecard, {key}: {100 * np.mean(off):.0f} % of {len(off)} agree, "
                  f"largest difference {max(abs(a - b) for a, b in pairs):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kane")
    parser.add_argument("folder")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--only", default="")
    parser.add_argument("--residual", action="store_true")
    parser.add_argument("--options", default="")
    parser.add_argument("--work")
    parser.add_argument("--returns", action="store_true")
    given = parser.parse_args()
    work = given.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    options = given.options + (" --score all" if given.residual else "")
    chain = Chain(given.kane, os.path.realpath(given.folder), work, options)
    if given.returns:
        returns(chain, given.part)
        return 0
    rows, keys = [], None
    for name, key in pairs_of(chain, given.part, given.only.split(",")):
        row = measure(chain, name, key, given.residual)
        if row is None:
            print(f"{name}\t{key}\tfailed")
            continue
        if keys is None:
            keys = list(row)
            print("clip\ttarget\t" + "\t".join(keys))
        print(f"{name}\t{key}\t" + "\t".join(f"{row[k]:.3f}" for k in keys), flush=True)
        rows.append(row)
    for key in keys or ():
        values = np.array([r[key] for r in rows])
        values = values[np.isfinite(values)]
        if key in BOUNDS and len(values):
            print(f"{key}: {100 * np.mean(values <= BOUNDS[key]):.0f} % of {len(values)} within {BOUNDS[key]}, "
                  f"mean {values.mean():.3f}, max {values.max():.3f}")
    print_agreement(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
