#!/usr/bin/env python3
"""Judges what kane says of files whose labels contradict the body, from its outputs alone.

usage: tests/evidence/table.py KANE [FOLDER]

FOLDER (default $KANE_SHARED/evidence) holds the files of ROWS. Each is read by `kane run`; a row passes if the value in
the clip file is right, or if a message names the cause. Prints one row per file; exit code 1 if a file is neither.
Requires h5py and numpy."""
import json
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SIDES = ("left", "right")


class Outcome:
    """The clip file and the messages of one run."""

    def __init__(self, kane, source, folder):
        self.kane, self.source, self.folder = kane, source, folder
        self.path = os.path.join(folder, os.path.basename(source) + ".h5")
        done = subprocess.run([kane, "run", source, "-o", self.path], capture_output=True, text=True, errors="replace")
        self.code, self.messages = done.returncode, done.stderr
        self.clip = h5py.File(self.path) if done.returncode == 0 else None

    def warns(self, pattern):
        return any(re.search(pattern, line) for line in self.messages.splitlines()
                   if "warning" in line or self.code)

    def attribute(self, name):
        value = self.clip.attrs[name]
        return value.decode() if isinstance(value, bytes) else value

    def roles(self):
        return [r.decode() if isinstance(r, bytes) else r for r in self.clip["skeleton/role"][:]]

    def joint(self, role):
        return self.roles().index(role)

    def peak(self, role):
        """Largest torque in trusted frames, N m; 0 without any."""
        joint, trust = self.joint(role), self.clip["trust"]
        torque = np.linalg.norm(self.clip["dynamics/torque"][:, joint], axis=1)
        sound = trust["reason"][:] == 0
        if "joint_reason" in trust:
            sound = sound & (trust["joint_reason"][:, joint] == 0)
        return float(np.nanmax(torque[sound], initial=0))

    def stature(self):
        """Height of the head's joint above the ankles in the middle frame, m."""
        position = self.clip["kinematics/position"]
        frame = position[position.shape[0] // 2]
        return float(frame[self.joint("head"), 1] - frame[self.joint("left_ankle"), 1])

    def trusted(self):
        return float(np.mean(self.clip["trust/trusted"][:]))

    def angle(self, name):
        done = subprocess.run([self.kane, "info", "--json", self.path], capture_output=True, text=True, check=True)
        return np.degrees(self.clip["angles/angle"][:, json.loads(done.stdout)["coordinates"].index(name)])

    def hands_load(self):
        """Mean vertical force on hands, body weights."""
        joints = self.clip["contact/point_joint"][:]
        hands = [i for i, j in enumerate(joints) if self.roles()[j].endswith("wrist")]
        weight = 9.80665 * np.nansum(self.clip["body/mass"][:])
        return float(np.nanmean(self.clip["contact/force"][:, hands, 1].sum(axis=1)) / weight)


def near(value, right, part):
    return abs(value - right) <= part * abs(right)


def push_ups(o):
    load = o.hands_load()
    return f"{o.attribute('up_axis')} up, hands {load:.2f} body weights", o.attribute("up_axis") == "Y" and near(load, 0.74, 0.12)


def knees(o):
    low, high = np.nanpercentile(o.angle("left_knee_flexion"), [1, 99])
    return f"knee flexion {low:.0f} to {high:.0f} degrees", low > 0


def rate(right):
    def judge(o):
        fps = 1 / float(o.attribute("frame_time"))
        return f"{fps:.4g} fps", near(fps, right, 0.01)
    return judge


def level(o):
    found = re.search(r"leans by (\d+) degrees", o.messages)
    return f"lean {found.group(1) if found else 'not named'}", False


def in_place(o):
    return f"{100 * o.trusted():.0f} % trusted", o.trusted() == 0


def mass(o):
    segments = float(np.nansum(o.clip["body/mass"][:]))
    return f"{segments:.1f} kg, knee {o.peak('left_knee'):.0f} N m", near(o.peak("left_knee"), 100, 0.15)


def seat(o):
    return ("a seat" if "seat" in o.messages else "no seat") + f", {100 * o.trusted():.0f} % trusted", False


def opened(o):
    return ("read" if o.code == 0 else "refused") + f", {len(o.messages.splitlines())} lines", False


def body_alone(o):
    """Torques of the body as without the object."""
    clean = Outcome(o.kane, os.path.join(os.path.dirname(o.source), "w00_base.bvh"), o.folder).peak("left_knee")
    return f"knee {o.peak('left_knee'):.3g} N m (without the object {clean:.3g})", near(o.peak("left_knee"), clean, 1e-3)


def stature(o):
    return f"head {o.stature():.2f} m above the ankles", 1.2 < o.stature() < 1.5


def marks(role):
    def judge(o):
        clean = Outcome(o.kane, os.path.join(os.path.dirname(o.source), "w00_base.bvh"), o.folder).peak(role)
        peak = o.peak(role)
        text = f"{peak:.3g} N m" if peak > 0 else "left out"
        return f"{role} peak {text} (clean {clean:.3g})", near(peak, clean, 0.1) or (peak == 0 and o.warns("."))
    return judge


def target_root(o):
    """Heights of root and hips of the target, retargeted from the plain walk."""
    walk = os.path.join(os.path.dirname(o.source), "w00_base.bvh")
    moved = os.path.join(o.folder, "moved.h5")
    subprocess.run([o.kane, "retarget", "--to", o.source, walk, "-o", moved], capture_output=True)
    if not os.path.exists(moved):
        return "not retargeted", False
    with h5py.File(moved) as clip:
        root = clip["motion/root_position"][:, 1]
        hips = [i for i, r in enumerate(clip["skeleton/role"][:]) if r in (b"hips", "hips")][0]
        height = clip["motion/translation"][:, hips, 1] if "translation" in clip["motion"] else np.zeros(len(root))
    text = f"root up to {100 * root.max():.0f} cm, hips {100 * np.median(height):.0f} cm above it"
    return text, root.max() < 0.2 and np.median(height) > 0.6


# file, case, measure (text, right?), message that names the cause
ROWS = [
    ("z27_pushups_planted", "push-ups", push_ups, r"up axis uncertain"),
    ("w18_left_handed_names_kept", "mirror image, names kept", knees, r"left and right are exchanged"),
    ("r4_left_right_names_exchanged", "names exchanged", knees, r"left and right are exchanged"),
    ("w05c_60fps_labelled_30", "60 frames/s labelled 30", rate(60), r"contradicts 30 fps: its rate is 60 fps"),
    ("x32b_walk_60fps_frame_time_0", "60 frames/s labelled 120", rate(60), r"contradicts 120 fps: its rate is 60 fps"),
    ("w09_world_pitched_20", "world pitched by 20 degrees", level, r"leans by (1[89]|2[012]) degrees"),
    ("w12_in_place_xz_constant", "x and z of the root constant", in_place, r"steps in place"),
    ("x45_legs_only", "pelvis and legs", mass, r"missing|without|trunk"),
    ("x44_no_feet", "legs end at the knees", seat, r"no (shanks and )?feet"),
    ("w06_nan_columns_end_effectors", "NaN rotations of leaves", opened, r"--(import-)?drop-joints"),
    ("w03_biped_names_with_blanks", "CMU scale, other names", stature, r"unit uncertain"),
    ("x14c_prop_second_root", "a prop as second ROOT", body_alone, r"--(import-)?root"),
    ("w15b_root_on_floor_motion", "root on the floor, as target", target_root, r"root on the floor"),
    ("r1_flicker_period_4", "elbow shakes, period 4", marks("left_elbow"), r"LeftForeArm|LeftArm"),
    ("r2_wrist_two_on_two_off", "wrist turns, period 4", marks("right_wrist"), r"RightHand"),
    ("r3_every_fourth_row_repeated", "every fourth row twice", marks("right_hip"), r"repeat|duplicate|lost|gap"),
]


def main():
    kane = os.path.abspath(sys.argv[1])
    shared = os.environ.get("KANE_SHARED", os.path.join("..", "shared"))
    source = sys.argv[2] if len(sys.argv) > 2 else os.path.join(shared, "evidence")
    failed = 0
    print("| file | case | kane | verdict |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, case, measure, cause in ROWS:
            outcome = Outcome(kane, os.path.join(source, name + ".bvh"), folder)
            try:
                text, is_right = measure(outcome) if outcome.clip or measure is opened else ("refused", False)
            except (KeyError, ValueError) as error:
                text, is_right = f"not measured: {error}", False
            verdict = "right" if is_right else "named" if outcome.warns(cause) else "silent and wrong"
            failed += verdict == "silent and wrong"
            print(f"| {name} | {case} | {text} | {verdict} |", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
