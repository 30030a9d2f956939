#!/usr/bin/python3
"""Table of the estimated ground contact of clip files: tests/groundtruth/contact_table.py [--check] FILE.h5...

One row per clip, one column per property that can be checked without force plates:
  impulse    vertical impulse / (body weight x time) over the longest interval with equal vertical speed at both ends
  needed     same for the force that the motion requires: 1 up to the difference of speeds
  flight     largest vertical contact force, BW, while the centre of mass is in free fall for 0.08 s or more
  pinned     fraction of the frames with a foot at rest on the ground that have contact
  force, moment   RMS of the residual, BW and N m/kg
  confidence mean over the clip
and, in % of the needed impulse, what no contact of this body with the ground can provide:
  pull       downward force: accelerations beyond free fall (wrong frame rate, noise)
  hover      upward force while all skin is 0.15 m or more above the lowest point within a second (a machine, a suit
             that drifts)

A clip with more than 3 % of either, or less than 0.25 s of trusted frames, gets a remark with the reason. For all
others, --check requires: impulse within 3 % of needed, no force in flight, contact in 99 % of the pinned frames. Exit
code 1 if a check fails or a value is not finite. Requires python3-h5py and python3-numpy."""
import sys

import h5py
import numpy as np

G = 9.80665
REST_SPEED, REST_HEIGHT = 0.05, 0.02  # m/s, m
FALL, FALL_TIME = 0.05, 0.08          # BW and s: a body in free fall needs less than this force for at least this long
HOVER, HOVER_TIME = 0.15, 1.0         # m, s
UNPHYSICAL = 0.03
IMPULSE, PINNED = 0.03, 0.99


def rotate(q, v):
    u = q[..., 1:]
    t = 2 * np.cross(u, v)
    return v + q[..., :1] * t + np.cross(u, t)


def text(values):
    return [v.decode() if isinstance(v, bytes) else v for v in values]


def longest_even_stretch(speed, valid):
    """First and last frame of the longest interval with equal vertical speed (2 cm/s) at both ends."""
    frames = np.nonzero(valid)[0]
    best = (0, 0)
    for a in frames[: len(frames) // 2]:
        same = frames[(frames > a) & (np.abs(speed[frames] - speed[a]) < 0.02)]
        if len(same) and same[-1] - a > best[1] - best[0]:
            best = (a, same[-1])
    return best


def rest_frames(clear, velocity, own, valid):
    """Frames in which all points of a foot rest near their lowest position."""
    low = np.percentile(clear[:, own], 5, axis=0)
    return valid & ((velocity[:, own] < REST_SPEED) & (clear[:, own] < low + REST_HEIGHT)).all(1)


def above_support(lowest, frames):
    """Height of the lowest point above its minimum within `frames` before and after."""
    padded = np.pad(lowest, (frames, frames), mode="edge")
    low = np.lib.stride_tricks.sliding_window_view(padded, frames + 1).min(1)
    return lowest - np.maximum(low[: len(lowest)], low[frames:])


def long_runs(flags, low):
    """Keeps only the runs of at least `least` set flags."""
    out = np.zeros_like(flags)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    for a, b in zip(edges[::2], edges[1::2]):
        out[a:b] = b - a >= low
    return out


class Clip:
    def __init__(self, path):
        with h5py.File(path) as h:
            self.mass, self.dt = h["body/mass"][:].sum(), float(np.diff(h["time"][:2]).sum())
            self.com, self.valid = h["kinematics/com"][:], h["kinematics/valid"][:] > 0
            self.residual, self.moment = h["dynamics/residual_force"][:], h["dynamics/residual_torque"][:]
            self.finite = all(np.isfinite(h["dynamics/" + n][:]).all() for n in ("torque", "force", "power"))
            self.has_points = "contact/force" in h
            if not self.has_points:
                return
            self.force, self.joint = h["contact/force"][:], h["contact/point_joint"][:]
            height, normal = h["contact"].attrs["ground_height"], h["contact"].attrs["ground_normal"]
            self.foot, self.confidence = h["contact/foot_force"][:] @ normal, h["contact/confidence"][:]
            self.position = h["kinematics/position"][:][:, self.joint] + rotate(
                h["kinematics/orientation"][:][:, self.joint], h["contact/point_position"][:][None])
            self.segment = text(h["skeleton/segment_role"][:])
        self.clear = (self.position - [0, height, 0]) @ normal
        self.finite = self.finite and np.isfinite(self.force).all()

    def pinned(self):
        velocity = np.linalg.norm(np.gradient(self.position, self.dt, axis=0), axis=2)
        pinned = kept = 0
        for side, name in enumerate(("left", "right")):
            own = [i for i, j in enumerate(self.joint) if self.segment[j] in (name + "_ankle", name + "_toe")]
            rest = rest_frames(self.clear, velocity, own, self.valid) if own else np.zeros(0, bool)
            pinned += rest.sum()
            kept += (rest & (self.foot[:, side] > 0)).sum() if own else 0
        return kept / pinned if pinned else np.nan

    def scores(self):
        weight, valid = self.mass * G, self.valid
        total = self.force.sum(1)
        needed = (total + self.residual)[:, 1] / weight
        a, b = longest_even_stretch(np.gradient(self.com[:, 1], self.dt), valid)
        mean = lambda x: (x[a:b + 1].sum() - 0.5 * (x[a] + x[b])) / (b - a) if b > a else np.nan
        falling = long_runs(valid & (np.abs(needed) < FALL), FALL_TIME / self.dt)
        hovering = valid & (above_support(self.clear.min(1), max(1, int(HOVER_TIME / self.dt))) > HOVER)
        rms = lambda x: np.sqrt((x[valid] ** 2).sum(1).mean())
        return {"impulse": mean(total[:, 1]) / weight, "needed": mean(needed),
                "flight": total[falling, 1].max() / weight if falling.any() else 0, "pinned": self.pinned(),
                "force": rms(self.residual) / weight, "moment": rms(self.moment) / self.mass,
                "confidence": self.confidence.mean(),
                "pull": np.maximum(0, -needed[valid]).sum() / needed[valid].sum(),
                "hover": np.maximum(0, needed[hovering]).sum() / needed[valid].sum()}

    def excuse(self, f):
        """Why a clip is exempt from the checks; "" if it is not."""
        if self.valid.sum() * self.dt < 0.25:
            return "too short"
        if f["pull"] > UNPHYSICAL:
            return "falls faster than free"
        return "hovers under load" if f["hover"] > UNPHYSICAL else ""


def misses(f):
    out = []
    if abs(f["impulse"] / f["needed"] - 1) > IMPULSE:
        out.append("impulse")
    if f["flight"] > 2 * FALL:
        out.append("flight")
    if f["pinned"] < PINNED:
        out.append("pinned")
    return out


def main(arguments):
    check = "--check" in arguments
    ok, first = True, True
    for path in (a for a in arguments if a != "--check"):
        clip, name = Clip(path), path.rsplit("/", 1)[-1]
        ok = ok and clip.finite
        if not clip.has_points or not clip.valid.any():
            print(name + "\tno contact points" + ("" if clip.finite else "\tNOT FINITE"))
            continue
        f = clip.scores()
        if first:
            print("clip\t" + "\t".join(f) + "\tremark")
            first = False
        remark = clip.excuse(f)
        missed = [] if remark or not check else misses(f)
        ok = ok and not missed
        numbers = ("%.1f" % (100 * v) if k in ("pull", "hover") else "%.3f" % v for k, v in f.items())
        print(name + "\t" + "\t".join(numbers) + "\t" + (remark or " ".join("MISSED " + m for m in missed)) +
              ("" if clip.finite else "\tNOT FINITE"))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
