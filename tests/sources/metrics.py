"""Metrics of tests/sources/items.tsv: each function reads output files in the current folder."""
import csv
import io
import pathlib
import re

import h5py
import numpy as np

G = 9.81


# ---- Reading ----

def h5(path, name):
    """A dataset of a clip file."""
    with h5py.File(path, "r") as file:
        return file[name][()]


def names(path, name):
    return [n.decode() if isinstance(n, bytes) else str(n) for n in h5(path, name)]


def time(path):
    return h5(path, "time")


def dof(path, column=0, name="position"):
    return h5(path, "dof/" + name)[:, column]


def place(path, joint):
    """World positions of a joint by name, MJCF axes (z up)."""
    x = h5(path, "kinematics/position")[:, names(path, "joint").index(joint)]
    return np.stack([x[:, 0], -x[:, 2], x[:, 1]], 1)


def rows(path="stdout"):
    """Rows of a table with a header; lines that begin with # are skipped."""
    text = "".join(line for line in open(path, encoding="utf-8") if not line.startswith("#"))
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def column(path, name, **where):
    """Numbers of a column, in rows where other columns have these values."""
    return np.array([float(r[name]) for r in rows(path) if all(r[k] == v for k, v in where.items())])


def message(pattern, path="stderr"):
    """The number in a message, captured by the group of a pattern."""
    return float(re.search(pattern, open(path, encoding="utf-8").read()).group(1))


def rms(x):
    return np.sqrt(np.mean(np.square(x)))


# ---- Springs ----

def damped(t, omega, zeta, x0=1.0, v0=0.0):
    """x'' = -omega^2 x - 2 zeta omega x' in closed form, by complex roots."""
    if abs(zeta - 1) < 1e-9:
        return (x0 + (v0 + omega * x0) * t) * np.exp(-omega * t)
    root = omega * np.sqrt(complex(zeta * zeta - 1))
    a, b = -zeta * omega + root, -zeta * omega - root
    return np.real(((v0 - b * x0) * np.exp(a * t) - (v0 - a * x0) * np.exp(b * t)) / (a - b))


def slide_error(path, omega, zeta, x0=1.0, v0=0.0):
    """Largest error of the first degree of freedom against the closed form."""
    return np.abs(dof(path) - damped(time(path), omega, zeta, x0, v0)).max()


def pair_error(path, omega, zeta):
    """Two bodies from 1.2 m at rest length 1: the distance oscillates about 1."""
    length = place(path, "b")[:, 0] - place(path, "a")[:, 0]
    return np.abs(length - 1 - damped(time(path), omega, zeta, 0.2)).max()


def turn_degrees(q):
    """Angle about z of quaternions (w, x, y, z), degrees."""
    return np.degrees(2 * np.arctan2(q[:, 3], q[:, 0]))


def followed(path, controller="kane-feedforward"):
    return turn_degrees(h5(path, f"tracking/{controller}/orientation")[:, 1])


def follow_error(path, zeta, hertz=1.0, by=90.0):
    """Largest error of a follower against the closed form, relative to the jump; the spring starts one frame before."""
    t = h5(path, "tracking/time")
    s = np.clip(t - 0.5 + t[1], 0, None)
    return np.abs(followed(path) - by * (1 - damped(s, 2 * np.pi * hertz, zeta))).max() / abs(by)


def camera_error(path, zeta, hertz=1.0):
    """Radius of a camera behind a root that moves 1 m ahead within a frame, in steps of 1/480 s, against the closed
    form."""
    t, radius = column(path, "time_s"), column(path, "radius_m")
    steps = round(480 * t[1])
    s = t[:, None] - (0.5 - t[1] + np.arange(steps) / 480)[None, :]
    excess = damped(np.clip(s, 0, None), 2 * np.pi * hertz, zeta).mean(1)
    return np.abs(radius - 4 - np.where(t >= 0.5 - 1e-9, excess, 0)).max()


def same_curve(*paths):
    """Largest difference of radius between camera tables of several frame rates, at common times after the jump."""
    tables = [dict(zip(np.round(column(p, "time_s"), 6), column(p, "radius_m"))) for p in paths]
    shared = sorted(set.intersection(*(set(x) for x in tables)))
    return max(abs(x[t] - tables[0][t]) for x in tables for t in shared)


def nine_motions():
    """For damped_slides.xml: drawn.h5, pushed.h5 and both.h5, each with damping ratios 0, 0.5, 1 and 2."""
    starts = {"drawn": (1, 0), "pushed": (0, 1), "both": (1, -2)}
    return max(np.abs(dof(f"{s}.h5", k) - damped(time(f"{s}.h5"), 1, z, *starts[s])).max()
               for k, z in enumerate((0, 0.5, 1, 2)) for s in starts)


# ---- Notes ----

def spread(path, name):
    """Largest change of a quantity from its start, relative to its largest magnitude."""
    x = h5(path, name).reshape(len(time(path)), -1)
    return np.abs(x - x[0]).max() / np.abs(x).max()


def energy(path):
    return sum(h5(path, f"simulation/{kind}_energy") for kind in ("kinetic", "potential", "spring"))


def energy_spread(path):
    e = energy(path)
    return np.abs(e - e[0]).max() / np.abs(e).max()


def order(*paths):
    """Order of convergence of the final joint positions, from runs with steps h, h / 2 and h / 4."""
    last = [h5(path, "kinematics/position")[-1] for path in paths]
    return np.log2(np.abs(last[0] - last[1]).max() / np.abs(last[1] - last[2]).max())


def bob_on_law(path):
    """Largest relative energy change of 2 kg on F = 400 y + 3000 y^3, y = l - 0.2, from rest at l = 0.3."""
    y, v = dof(path) + 0.1, dof(path, 0, "velocity")
    e = v**2 + 200 * y**2 + 750 * y**4
    return np.abs(e / e[0] - 1).max()


def soft_order(*paths):
    """Same as order, for particles."""
    last = [h5(path, "particles/position")[-1] for path in paths]
    return np.log2(np.abs(last[0] - last[1]).max() / np.abs(last[1] - last[2]).max())


def weighted_error(path):
    """For 2 and 3 kg that support 5 kg with weights 1/4 and 3/4, and 1 N on the first: velocities after 1 s minus the
    source's."""
    mass = np.array([[2 + 5 / 16, 5 * 3 / 16], [5 * 3 / 16, 3 + 5 * 9 / 16]])
    expected = np.linalg.solve(mass, [1, 0])
    last = [h5(path, "kinematics/velocity")[-1, names(path, "joint").index(joint), 2] for joint in ("one", "two")]
    return np.abs(-np.array(last) / expected - 1).max()


def skate_error(path, pull=4.0, turn=2.0):
    """Largest error against the cycloid x = a sin(wt)^2, y = a (wt - sin(2wt) / 2), a = g / (2w^2), m."""
    phase, a = turn * time(path), pull / (2 * turn**2)
    x, y = dof(path, 0), dof(path, 1)
    return np.hypot(x - a * np.sin(phase) ** 2, y - a * (phase - np.sin(2 * phase) / 2)).max()


def driven_error(path):
    """For 3 kg on a slide with path 0.1 sin 5 t, and 1.2 kg at 0.1 m from a frame that rotates at 2 rad/s with path 0.2
    sin 3 t: the stored force minus Newton's, relative to the largest of both; a frame has the mean of the steps
    before it."""
    t, far = time(path)[2:] - time(path)[1] / 2, 0
    joints = [names(path, "joint")[j] for j in h5(path, "simulation/constraint_joint")]
    up, ahead = 3 * (G - 2.5 * np.sin(5 * t)), 1.2 * (-1.8 * np.sin(3 * t) - 0.4 * np.cos(2 * t))
    for joint, axis, expected in (("lift", 1, up), ("fly", 0, ahead)):
        force = h5(path, "simulation/constraint_force")[2:, joints.index(joint), axis]
        far = max(far, np.abs(force - expected).max() / np.abs(expected).max())
    return far


def spin_error(path, rate):
    """Largest error of the quaternion of a uniformly rotating body against exp(omega t / 2), in world and body axes."""
    q, t = h5(path, "kinematics/orientation")[:, 1], time(path)
    rate = np.array([rate[0], rate[2], -rate[1]])  # y up
    half = np.linalg.norm(rate) * t / 2
    start = q[0]
    turn = np.concatenate([np.cos(half)[:, None], np.sin(half)[:, None] * rate / np.linalg.norm(rate)], 1)
    expected = multiply(turn, start)
    return np.minimum(np.abs(q - expected).max(1), np.abs(q + expected).max(1)).max()


def multiply(a, b):
    w, v = a[..., :1], a[..., 1:]
    s, u = b[..., :1], b[..., 1:]
    return np.concatenate([w * s - (v * u).sum(-1, keepdims=True), w * u + s * v + np.cross(v, u)], -1)


def recursion_error(path, kind, k, d, h):
    """Largest error of a slide on a spring (x'' = -k x - d x') against the formula of an integrator, step by step."""
    a, b = np.array([[0, 1], [-k, -d]]), np.eye(2)
    if kind == "symplectic-euler":
        step = np.array([[1 - h * h * k, h * (1 - h * d)], [-h * k, 1 - h * d]])
    elif kind == "implicit-euler":
        step = np.linalg.inv(b - h * a)
    elif kind == "trapezoidal":
        step = np.linalg.inv(b - h / 2 * a) @ (b + h / 2 * a)
    else:  # Bridson-Marino: v to the midpoint with implicit damping, x, then v by the trapezoidal rule
        half = np.array([[1, 0], [-h / 2 * k / (1 + h / 2 * d), 1 / (1 + h / 2 * d)]])
        moved = np.array([[1, 0], [0, 0]]) + h * np.array([[0, 1], [0, 0]]) @ half
        first = moved.copy()
        first[1] = 0
        v = np.linalg.inv(np.eye(1) * (1 + h / 2 * d)) @ (np.array([[0, 1 - h / 2 * d]]) - h / 2 * k * (b[:1] + moved[:1]))
        step = np.vstack([moved[:1], v])
    x, far = np.array([dof(path)[0], dof(path, 0, "velocity")[0]]), 0
    for frame in range(1, len(time(path))):
        x = step @ x
        far = max(far, abs(x[0] - dof(path)[frame]))
    return far


def highest_after_bounce(path, radius=0.1):
    z = place(path, "ball")[:, 2]
    low = np.argmin(z)
    return z[low:].max() - radius


def acceleration(path, joint, axis=0):
    """Final velocity over time of a body from rest with constant acceleration."""
    v = h5(path, "kinematics/velocity")[-1, names(path, "joint").index(joint)]
    return (v[0], -v[2], v[1])[axis] / time(path)[-1]


def swing(path, omega, start):
    """Largest error of a degree of freedom against start (1 - cos omega t)."""
    return np.abs(dof(path) - start * (1 - np.cos(omega * time(path)))).max()


def lowest_on_ligament(mass=1.5, stiffness=200.0, slack=0.05):
    """A mass that falls through the slack of a ligament and oscillates on it."""
    hang = mass * G / stiffness
    return -(slack + hang + np.sqrt(hang**2 + 2 * G * slack * mass / stiffness))


def lowest_on_quadratic(mass=1.5, stiffness=60.0, rest=0.9, start=1.0):
    """A mass from rest on a spring with quadratic strain, energy k (l^2 - r^2)^2 / (8 r^2)."""
    def total(l):
        return stiffness * (l * l - rest * rest) ** 2 / (8 * rest * rest) - mass * G * l
    low, high = start + 0.05, start + 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if total(middle) < total(start) else (low, middle)
    return start - low


def inertia_error(path):
    """Of a closed-form inverse from the numeric one, and of G G' from M, relative to the largest entry."""
    m, inverse, g = (np.array([[float(r[c]) for c in ("vx", "vy", "vz", "wx", "wy", "wz")]
                               for r in rows(path) if r["matrix"] == name]) for name in ("M", "inverse", "G"))
    numeric = np.linalg.inv(m)
    return max(abs(inverse - numeric).max() / abs(numeric).max(), abs(g @ g.T - m).max() / abs(m).max())


# ---- Thesis ----

LINK_MASS, LINK_LENGTH, LINK_RADIUS, THESIS_G = 1.54, 0.3, 0.035, 9.80665
ACROSS = LINK_MASS * (3 * LINK_RADIUS**2 + LINK_LENGTH**2) / 12  # about a link's COM, across its length


def link(name, what="angle_deg", path="run.tsv", controller=None):
    """A column of a table of steps for link A or B."""
    where = {"joint": name}
    if controller:
        where["controller"] = controller
    return column(path, what, **where)


def mean_error(path="run.tsv"):
    return column(path, "orientation_error_deg").mean()


def two_link_terms(a, b, va=0.0, vb=0.0):
    """M and the generalised gravity and centrifugal forces of the two links, angles in rad; B relative to A."""
    half, m = LINK_LENGTH / 2, LINK_MASS
    one = ACROSS + m * half**2
    cross = m * LINK_LENGTH * half * np.cos(b)
    mass = np.array([[2 * one + m * LINK_LENGTH**2 + 2 * cross - 0, one + cross], [one + cross, one]])
    fall_b = m * THESIS_G * half * np.cos(a + b)
    fall_a = m * THESIS_G * (half + LINK_LENGTH) * np.cos(a) + fall_b
    turn = m * LINK_LENGTH * half * np.sin(b)
    return mass, np.array([fall_a - turn * (2 * va * vb + vb**2), fall_b + turn * va**2])


def stable_pd_torques(kp, kd, dt):
    """(2.4) to (2.8) for the two links in their first step, from rest, straight, to 45 and 90 degrees."""
    target = np.radians([45, 90])
    mass, other = two_link_terms(0, 0)
    # M q'' + other = kp (target - dt 0) - kd (0 + dt q'')
    acceleration = np.linalg.solve(mass + np.diag([kd * dt, kd * dt]), kp * target - other)
    return kp * target - kd * dt * acceleration


def critical_curve(path, joint, target, stiffness):
    t = column(path, "time", joint=joint)
    w = np.sqrt(stiffness)
    return np.abs(column(path, "angle_deg", joint=joint) - target * (1 - (1 + w * t) * np.exp(-w * t))).max()


def world_inertia(path):
    """Inertia of each body about its COM, world axes, [frame][joint][3][3], and the rotation matrices."""
    q = h5(path, "kinematics/orientation")
    w, x, y, z = np.moveaxis(q, -1, 0)
    r = np.stack([np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
                  np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
                  np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)
    xx, yy, zz, xy, xz, yz = h5(path, "body/inertia").T
    body = np.stack([np.stack([xx, xy, xz], -1), np.stack([xy, yy, yz], -1), np.stack([xz, yz, zz], -1)], -2)
    return r @ body @ np.swapaxes(r, -1, -2), r


def newton_euler(path, gyroscopic=True):
    """Joint torques by the recursion (3.41), (3.46) with ground reaction forces on the feet, world axes."""
    with h5py.File(path, "r") as file:
        k = {n: file["kinematics/" + n][()] for n in ("position", "acceleration", "angular_velocity", "angular_acceleration")}
        parent, mass, com = file["skeleton/parent"][()], file["body/mass"][()], file["body/com"][()]
        ground = {n: file["contact/" + n][()] for n in ("force", "moment", "point_joint", "point_position")}
    inertia, r = world_inertia(path)
    arm = np.einsum("fjab,jb->fja", r, com)
    w, alpha = k["angular_velocity"], k["angular_acceleration"]
    a = k["acceleration"] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
    force = mass[None, :, None] * (a + np.array([0, THESIS_G, 0]))
    spin = np.einsum("fjab,fjb->fja", inertia, alpha)
    if gyroscopic:
        spin = spin + np.cross(w, np.einsum("fjab,fjb->fja", inertia, w))
    torque = spin + np.cross(arm, force)
    for c, joint in enumerate(ground["point_joint"]):
        lever = np.einsum("fab,b->fa", r[:, joint], ground["point_position"][c])
        force[:, joint] -= ground["force"][:, c]
        torque[:, joint] -= ground["moment"][:, c] + np.cross(lever, ground["force"][:, c])
    for joint in range(len(parent) - 1, 0, -1):
        p = parent[joint]
        torque[:, p] += torque[:, joint] + np.cross(k["position"][:, joint] - k["position"][:, p], force[:, joint])
        force[:, p] += force[:, joint]
    return torque


def newton_euler_error(path, gyroscopic=True):
    """Largest difference from the stored torques except the root's, N m, in frames with torques."""
    stored = h5(path, "dynamics/torque")[:, 1:]
    difference = np.abs(newton_euler(path, gyroscopic)[:, 1:] - stored)
    return np.nanmax(difference[np.isfinite(stored)])


def rigid_error(path):
    """(3.2), (3.6) between the ends of each bone: largest error of velocity (m/s) plus acceleration (m/s2), valid
    frames."""
    with h5py.File(path, "r") as file:
        k = {n: file["kinematics/" + n][()] for n in ("position", "velocity", "acceleration", "angular_velocity",
                                                      "angular_acceleration", "valid")}
        parent = file["skeleton/parent"][()]
    j = np.arange(1, len(parent))
    p = parent[1:]
    arm = k["position"][:, j] - k["position"][:, p]
    w, alpha = k["angular_velocity"][:, p], k["angular_acceleration"][:, p]
    v = k["velocity"][:, j] - k["velocity"][:, p] - np.cross(w, arm)
    a = k["acceleration"][:, j] - k["acceleration"][:, p] - np.cross(alpha, arm) - np.cross(w, np.cross(w, arm))
    valid = k["valid"].astype(bool)
    return max(np.abs(v[valid]).max(), np.abs(a[valid]).max())


def terms_error(path):
    """Largest difference between the sum of an explanation's terms and its torque, N m, over all frames."""
    table = rows(path)
    far = 0.0
    for axis in "xyz":
        terms = [c for c in table[0] if c.endswith(f"_{axis}_nm") and not c.startswith(("torque", "passive", "active"))]
        for r in table:
            if r[f"torque_{axis}_nm"] not in ("", "nan"):
                far = max(far, abs(sum(float(r[c]) for c in terms) - float(r[f"torque_{axis}_nm"])))
    return far


def cpu_seconds(path):
    """User time of the children of a shell, second line of `times`."""
    minutes, seconds = re.match(r"(\d+)m([\d.]+)s", open(path, encoding="utf-8").read().splitlines()[1]).groups()
    return 60 * float(minutes) + float(seconds)


# ---- Ball joints ----

def roll_pitch_yaw(path):
    """Angles of the first ball joint, rad, of the rotation vectors in dof/position (notes 0.4)."""
    v = h5(path, "dof/position")[:, :3]
    angle = np.maximum(np.linalg.norm(v, axis=1), 1e-300)
    w, (x, y, z) = np.cos(angle / 2), (v * (np.sin(angle / 2) / angle)[:, None]).T
    return np.stack([np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), np.arcsin(2 * (w * y - x * z)),
                     np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))], 1)


def beyond_pitch(path, limit):
    """Overshoot of the pitch limit, degrees."""
    pitch = np.degrees(roll_pitch_yaw(path)[:, 1])
    return max(pitch.max() - limit, limit - pitch[-1])


def angle_error(path, inertia):
    """Largest error of the driven angle against a spring of 60 N m/rad to 0.4 rad with damping ratio 0.5."""
    x = h5(path, "simulation/actuator_position")[:, 0]
    return np.abs(x - 0.4 - damped(time(path), np.sqrt(60 / inertia), 0.5, -0.4)).max()


def off_limit(path):
    """Largest difference of the pitch from its limit of 20 degrees after 0.7 s, rad."""
    return np.abs(roll_pitch_yaw(path)[time(path) > 0.7, 1] - np.radians(20)).max()


# ---- Kane's equations ----

def sections(path):
    """Tables of a file, separated by empty lines, each a list of rows."""
    found = []
    for part in open(path, encoding="utf-8").read().split("\n\n"):
        text = "\n".join(line for line in part.split("\n") if not line.startswith("#"))
        found.append(list(csv.DictReader(io.StringIO(text), delimiter="\t")))
    return found


def of_equations(path, name):
    return np.array([float(r[name]) for r in sections(path)[0]])


def mass_matrix(path):
    table = sections(path)[2]
    return np.array([[float(r[c]) for c in r if c != "speed"] for r in table])


def force_residual(path):
    """F_r + F*_r, relative to the largest F_r."""
    return np.abs(of_equations(path, "active_force") + of_equations(path, "inertia_force")).max() \
        / np.abs(of_equations(path, "active_force")).max()


def torque_residual(path):
    """T - (M u' - E) with the printed M, u', E, relative to the largest M u'."""
    moved = mass_matrix(path) @ of_equations(path, "u_rate")
    return np.abs(of_equations(path, "torque") - (moved - of_equations(path, "rest_force"))).max() / np.abs(moved).max()


def forward_residual(path):
    """M^-1 (T + E) against u', relative to the largest u'."""
    rate = of_equations(path, "u_rate")
    solved = np.linalg.solve(mass_matrix(path), of_equations(path, "torque") + of_equations(path, "rest_force"))
    return np.abs(solved - rate).max() / np.abs(rate).max()


def form_residual(path, usual):
    """(3.8): u of lower_rate and elbow_rate against shoulder + elbow and elbow; the power T u is the same."""
    u, old = of_equations(path, "u"), of_equations(usual, "u")
    power = of_equations(path, "torque") @ u - of_equations(usual, "torque") @ old
    return np.abs(np.append(u - [old[0] + old[1], old[1]], power)).max()


TABLE_3_1 = {"R": {"A": "p_A", **dict.fromkeys("CDEGH", "p_C")}, "A": {"A": "r_A"},
             "C": {"C": "r_C", "D": "r_C + p_D", "E": "r_C + p_D", "G": "r_C + p_G", "H": "r_C + p_G"},
             "D": {"D": "r_D", "E": "r_D + p_E"}, "E": {"E": "r_E"}, "G": {"G": "r_G", "H": "r_G + p_H"}, "H": {"H": "r_H"}}


def bodies_of(clip, at):
    """Joint and COM positions by name, and the parent's name, in the frame nearest to a time."""
    f = np.abs(time(clip) - at).argmin()
    joint, parent = names(clip, "joint"), h5(clip, "skeleton/parent")
    position = h5(clip, "kinematics/position")[f]
    com = position + np.einsum("jab,jb->ja", world_inertia(clip)[1][f], h5(clip, "body/com"))
    return {n: (position[i], com[i], joint[parent[i]]) for i, n in enumerate(joint)}


def table_residual(path, clip, at):
    """Tables 3.1 and 3.2 of system S: printed forms, vectors N_i x (r + p) and N_i from the clip's positions."""
    body, far, seen = bodies_of(clip, at), 0.0, 0
    for r in sections(path)[1]:
        name, axis = r["speed"].split("_")
        n = np.eye(3)["xyz".index(axis[1])]
        v = np.array([float(r["velocity_" + a]) for a in "xyz"])
        w = np.array([float(r["angular_velocity_" + a]) for a in "xyz"])
        if axis[0] == "v":
            far = max(far, np.abs(v - n).max(), np.abs(w).max())
            continue
        arm = TABLE_3_1[name].get(r["body"])
        if (r["form"] != f"N{axis[1]} x ({arm})") if arm else (r["form"] != "0"):
            return np.inf
        seen += arm is not None
        lever = np.zeros(3)
        for term in arm.split(" + ") if arm else []:
            joint, com, parent = body[term[2:]]
            lever += com - joint if term[0] == "r" else joint - body[parent][1]
        far = max(far, np.abs(v - np.cross(n, lever)).max(), np.abs(w - n * (name == r["body"])).max())
    return far if seen == 3 * sum(len(x) for x in TABLE_3_1.values()) else np.inf


def last_torque_residual(path, clip, at, last="H"):
    """(3.35) with the gyroscopic moment: T of the last body's speeds from its weight and inertia, N m."""
    f, j = np.abs(time(clip) - at).argmin(), names(clip, "joint").index(last)
    k = {n: h5(clip, "kinematics/" + n)[f, j] for n in ("acceleration", "angular_velocity", "angular_acceleration")}
    joint, com, _ = bodies_of(clip, at)[last]
    mass, inertia = h5(clip, "body/mass")[j], world_inertia(clip)[0][f, j]
    r, w, alpha = com - joint, k["angular_velocity"], k["angular_acceleration"]
    a = k["acceleration"] + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
    torque = np.cross(r, mass * (a + [0, G, 0])) + inertia @ alpha + np.cross(w, inertia @ w)
    printed = [float(row["torque"]) for row in sections(path)[0] if row["joint"] == last]
    return np.abs(torque - printed).max() / np.abs(torque).max()


# ---- Pictures and the humanoid ----

def pictures(folder):
    """Number of non-empty pictures."""
    return sum(p.stat().st_size > 1000 for p in pathlib.Path(folder).iterdir())


def min_lead(kane, *others):
    """Least ratio of the mean orientation error of other controllers to that of kane, over all bodies."""
    def means(path):
        bodies = {r["joint"] for r in rows(path)}
        return {b: column(path, "orientation_error_deg", joint=b).mean() for b in bodies}
    own = means(kane)
    return min(mean / own[b] for path in others for b, mean in means(path).items() if own[b] > 0)


# ---- Constraints ----

def error_between(path, exact):
    """Largest difference of all degrees of freedom between two runs, rad or m."""
    return np.abs(h5(path, "dof/position") - h5(exact, "dof/position")).max()


def soft_row_error(path, column, one_sided, mass=2.0, alpha=2e-3, beta=0.03, h=0.004):
    """Largest error of each step against a soft constraint (0.9), (0.10); beta does not act before a limit."""
    x, v = dof(path, column), dof(path, column, "velocity")
    gamma = 1 / (0.5 + np.where(one_sided & (x[:-1] > 0), 0, beta) / h)
    impulse = (-gamma * x[:-1] / h - v[:-1]) / (gamma * alpha / h**2 + 1 / mass)
    after = v[:-1] + (np.maximum(impulse, 0) if one_sided else impulse) / mass
    return max(np.abs(v[1:] - after).max() * h, np.abs(x[1:] - x[:-1] - h * after).max())
