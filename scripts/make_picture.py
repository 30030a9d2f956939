#!/usr/bin/python3
"""The picture of the README from a container: scripts/make_picture.py KANE CLIP.h5 > picture.svg

Above, the body at eight moments with the ground forces: of each segment of the mannequin the outline, coloured by the
torque of its joint. Below, the torque of both knees over time, with the stretches in which each foot carries load.
Needs python3-h5py and python3-numpy."""
import importlib
import pathlib
import sys
import types

import h5py
import numpy as np

WIDTH, TOP, BOTTOM, MARGIN = 960, 300, 170, 46
SCALE = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]  # viridis
MOST = 1.5  # Nm/kg at the end of the colour scale
FORCE = 0.0009  # m of arrow per N
STEP = 0.6  # of a pixel: closer corners of an outline are one
GREY = "#9a9a9a"  # the floating base, whose torque is the residual
KNEES = (("left_knee", "#d95f02", 0), ("right_knee", "#1b6ca8", 1))


def colour(torque):
    x = min(max(torque / MOST, 0), 1) * (len(SCALE) - 1)
    i = min(int(x), len(SCALE) - 2)
    return "rgb(%d,%d,%d)" % tuple(round(a + (b - a) * (x - i)) for a, b in zip(SCALE[i], SCALE[i + 1]))


def text(x, y, words, anchor="start", size=13):
    return '<text x="%.0f" y="%.0f" text-anchor="%s" font-size="%d">%s</text>' % (x, y, anchor, size, words)


def read_skin(kane, path):
    """By the reader of the add-on for Blender, whose own __init__ wants Blender."""
    package = types.ModuleType("kane_clips")
    package.__path__ = [str(pathlib.Path(__file__).parent / "blender/kane_clips")]
    sys.modules["kane_clips"] = package
    return importlib.import_module("kane_clips.skin").read_skin(kane, path)


def turned(q, vector):
    """q v q* with rows of (w, x, y, z)."""
    t = 2 * np.cross(q[..., 1:], vector)
    return vector + q[..., :1] * t + np.cross(q[..., 1:], t)


def posed(part, skin, clip, f):
    """[vertex][xyz]: linear blend skinning."""
    own = np.einsum("jba,vjb->vja", skin.axes, part.position[:, None] - skin.place)
    there = clip["position"][f] + turned(clip["orientation"][f], own)
    return sum(part.share[:, k, None] * there[np.arange(len(own)), part.bone[:, k]] for k in range(4))


def outline(points):
    """The convex hull of [point][xy] in the plane (Andrew's monotone chain), without what lies closer than STEP."""
    ordered, hull = sorted(map(tuple, points)), []
    for way in (ordered, ordered[::-1]):
        chain = []
        for p in way:
            while len(chain) > 1 and np.cross(np.subtract(chain[-1], chain[-2]), np.subtract(p, chain[-2])) <= 0:
                chain.pop()
            chain.append(p)
        hull += chain[:-1]
    kept = [hull[0]]
    for p in hull[1:]:
        if np.hypot(*np.subtract(p, kept[-1])) > STEP:
            kept.append(p)
    return kept


def figure(clip, f, place, depth, out):
    """The segments from the far side to the near one."""
    parts = [(part, posed(part, clip["skin"], clip, f)) for part in clip["skin"].parts]
    for part, points in sorted(parts, key=lambda each: np.mean(each[1] @ depth)):
        corners = outline(np.stack(place(points), axis=1))
        fill = colour(clip["torque"][f, part.joint]) if part.joint else GREY
        out.append('<polygon points="%s" fill="%s"/>' % (" ".join("%.1f,%.1f" % tuple(c) for c in corners), fill))


def bodies(clip, out):
    position = clip["position"]
    along = position[-1, 0] - position[0, 0]
    forward = np.array([along[0], 0, along[2]]) / np.hypot(along[0], along[2])
    frames = np.linspace(clip["first"], clip["last"], 8).round().astype(int)
    unit, depth = (TOP - 70) / 1.9, np.cross(forward, (0, 1, 0))
    out.append('<line class="ground" x1="%d" y1="%d" x2="%d" y2="%d"/>' % (MARGIN, TOP - 24, WIDTH - MARGIN, TOP - 24))
    for n, f in enumerate(frames):
        centre = MARGIN + (n + 0.5) * (WIDTH - 2 * MARGIN) / len(frames)
        place = lambda p: (centre + unit * ((p - clip["position"][f, 0]) @ forward),
                           TOP - 24 - unit * (p[..., 1] - clip["ground"]))
        figure(clip, f, place, depth, out)
        for foot in range(2):
            if clip["foot_force"][f, foot, 1] > 0:
                (x0, y0), (x1, y1) = (place(clip["cop"][f, foot]),
                                      place(clip["cop"][f, foot] + FORCE * clip["foot_force"][f, foot]))
                out.append('<line class="force" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>' % (x0, y0, x1, y1))
        out.append(text(centre, TOP - 4, "%.2f s" % clip["time"][f], "middle", 11))
    for i in range(60):
        out.append('<rect x="%.1f" y="12" width="3.2" height="10" fill="%s"/>' %
                   (WIDTH - MARGIN - 190 + 3 * i, colour(MOST * i / 59)))
    out.append(text(WIDTH - MARGIN - 198, 22, "joint torque 0", "end", 11))
    out.append(text(WIDTH - MARGIN, 34, "%.1f Nm/kg" % MOST, "end", 11))


def curves(clip, out):
    span = slice(clip["first"], clip["last"] + 1)
    time = clip["time"][span]
    knee = {name: clip["torque"][span, clip["roles"].index(name)] for name, _, _ in KNEES}
    most = max(k.max() for k in knee.values())
    x = lambda t: MARGIN + (t - time[0]) / (time[-1] - time[0]) * (WIDTH - 2 * MARGIN)
    y = lambda v: TOP + BOTTOM - 26 - v / most * (BOTTOM - 60)
    for name, stroke, foot in KNEES:
        down = clip["foot_force"][span, foot, 1] > 0
        edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
        for a, b in zip(edges[::2], edges[1::2]):
            out.append('<rect x="%.1f" y="%d" width="%.1f" height="6" fill="%s" opacity="0.5"/>' %
                       (x(time[a]), TOP + BOTTOM - 22 + 8 * foot, x(time[b - 1]) - x(time[a]), stroke))
        points = " ".join("%.1f,%.1f" % (x(t), y(v)) for t, v in zip(time, knee[name]))
        out.append('<polyline points="%s" stroke="%s"/>' % (points, stroke))
        out.append(text(MARGIN + 110 * foot, TOP + 18, name.replace("_", " "), size=12).replace(
            "<text", '<text fill="%s"' % stroke))
    out.append(text(WIDTH - MARGIN, TOP + 18, "torque, Nm/kg; peak %.2f; bars: foot carries load" % most, "end", 12))


def main(kane, path):
    with h5py.File(path) as h:
        mass, valid = h["body/mass"][:].sum(), np.flatnonzero(h["kinematics/valid"][:])
        clip = {"time": h["time"][:], "position": h["kinematics/position"][:],
                "orientation": h["kinematics/orientation"][:], "ground": h["contact"].attrs["ground_height"],
                "torque": np.linalg.norm(h["dynamics/torque"][:], axis=2) / mass, "cop": h["contact/foot_cop"][:],
                "foot_force": h["contact/foot_force"][:], "first": valid[0], "last": valid[-1],
                "roles": [r.decode() if isinstance(r, bytes) else r for r in h["skeleton/role"][:]],
                "skin": read_skin(kane, path)}
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">' %
           (WIDTH, TOP + BOTTOM),
           "<style>line{stroke-linecap:round}polygon{stroke:#fff;stroke-width:0.5}.force{stroke:#c0392b;stroke-width:2}"
           ".ground{stroke:#999;stroke-width:1}polyline{fill:none;stroke-width:2}</style>",
           '<rect width="100%" height="100%" fill="white"/>']
    bodies(clip, out)
    curves(clip, out)
    print("\n".join(out + ["</svg>"]))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 3 else sys.exit(__doc__)
