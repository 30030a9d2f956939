#!/usr/bin/python3
"""Table of the estimated ground contact of containers: scripts/contact_table.py FILE.h5...

One row a clip, one column a claim that can be checked without force plates:
  impulse    vertical impulse / (body weight x time) over the longest stretch whose ends have the same vertical speed
  needed     the same of the force that the motion itself asks for (1 where nothing is lost)
  flight     largest force, in body weights, in frames where every contact point is 5 cm clear of the ground plane
  pinned     share of the frames with a foot at rest on the ground that are in contact
  force, moment   RMS of what the contacts leave unexplained, in body weights and Nm/kg
  confidence mean over the clip
Ends with 1 when a number is not finite. Needs python3-h5py and python3-numpy."""
import sys

import h5py
import numpy as np

G = 9.80665
REST_SPEED, REST_HEIGHT = 0.05, 0.02  # m/s, m


def rotate(q, v):
    u = q[..., 1:]
    t = 2 * np.cross(u, v)
    return v + q[..., :1] * t + np.cross(u, t)


def longest_even_stretch(speed, valid):
    """First and last frame of the longest stretch whose ends move at the same vertical speed (2 cm/s)."""
    frames = np.nonzero(valid)[0]
    best = (0, 0)
    for a in frames[: len(frames) // 2]:
        same = frames[(frames > a) & (np.abs(speed[frames] - speed[a]) < 0.02)]
        if len(same) and same[-1] - a > best[1] - best[0]:
            best = (a, same[-1])
    return best


def row(path):
    with h5py.File(path) as h:
        mass, dt = h["body/mass"][:].sum(), float(h["time"][1] - h["time"][0])
        com, valid = h["kinematics/com"][:], h["kinematics/valid"][:] > 0
        residual, moment = h["dynamics/residual_force"][:], h["dynamics/residual_torque"][:]
        confidence = h["contact/confidence"][:]
        finite = all(np.isfinite(h["dynamics/" + n][:]).all() for n in ("torque", "force", "power"))
        if "contact/force" not in h:
            return finite, None
        force, joint, local = h["contact/force"][:], h["contact/point_joint"][:], h["contact/point_position"][:]
        height, normal = h["contact"].attrs["ground_height"], h["contact"].attrs["ground_normal"]
        foot = h["contact/foot_force"][:]
        position = h["kinematics/position"][:][:, joint] + rotate(h["kinematics/orientation"][:][:, joint], local[None])
        roles = [r.decode() if isinstance(r, bytes) else r for r in h["skeleton/segment"][:]]
    weight = mass * G
    speed = np.gradient(com[:, 1], dt)
    clear = (position - [0, height, 0]) @ normal
    velocity = np.linalg.norm(np.gradient(position, dt, axis=0), axis=2)
    total = force.sum(1)
    a, b = longest_even_stretch(speed, valid)
    span = slice(a, b + 1)
    flying = valid & (clear.min(1) > 0.05)
    pinned, held = 0, 0
    for side, name in enumerate(("left", "right")):
        own = [i for i, j in enumerate(joint) if roles[j] in (name + "_ankle", name + "_toe")]
        if not own:
            continue
        low = np.percentile(clear[:, own], 5, axis=0)
        rest = valid & ((velocity[:, own] < REST_SPEED) & (clear[:, own] < low + REST_HEIGHT)).all(1)
        pinned += rest.sum()
        held += (rest & (foot[:, side] @ normal > 0)).sum()
    finite = finite and np.isfinite(force).all()
    rms = lambda x: np.sqrt((x[valid] ** 2).sum(1).mean()) if valid.any() else np.nan
    return finite, (total[span, 1].mean() / weight, (total + residual)[span, 1].mean() / weight,
                    np.linalg.norm(total[flying], axis=1).max() / weight if flying.any() else 0.0,
                    held / pinned if pinned else np.nan, rms(residual) / weight, rms(moment) / mass, confidence.mean())


def main(paths):
    ok = True
    print("clip\timpulse\tneeded\tflight\tpinned\tforce\tmoment\tconfidence")
    for path in paths:
        finite, numbers = row(path)
        ok = ok and finite
        name = path.rsplit("/", 1)[-1]
        print(name + "\t" + ("no contact points" if numbers is None else "\t".join("%.3f" % n for n in numbers)) +
              ("" if finite else "\tNOT FINITE"))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
