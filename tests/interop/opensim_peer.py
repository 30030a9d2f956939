"""OpenSim models read a second time, with numpy: poses by homogeneous matrices, generalised forces by virtual power.

Shares no method with kane: partial velocities are differences of poses in the coordinates, velocities and angular
momenta are differences of poses in time, splines are solved as dense systems of values, slopes and ends."""
import xml.etree.ElementTree as ET

import numpy as np

STENCIL = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])  # first derivative, order 8
STEPS = np.arange(-4, 5)
SIMPLE = {
    "WeldJoint": "", "PinJoint": "rz", "SliderJoint": "tx", "UniversalJoint": "rxry", "BallJoint": "rxryrz",
    "GimbalJoint": "rxryrz", "PlanarJoint": "rztxty", "EllipsoidJoint": "rxryrz", "FreeJoint": "rxryrztxtytz",
}
AXES = np.eye(3)


def derivative(function, at, step):
    """Derivative of an array-valued function of one number."""
    return sum(c * function(at + k * step) for c, k in zip(STENCIL, STEPS) if c) / step


def numbers(text):
    return np.array([float(x) for x in (text or "").split()])


def turn(axis, angle):
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = np.eye(4)
    out[:3, :3] = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return out


def move(vector):
    out = np.eye(4)
    out[:3, 3] = vector
    return out


def frame(translation, angles):
    return move(translation) @ turn(AXES[0], angles[0]) @ turn(AXES[1], angles[1]) @ turn(AXES[2], angles[2])


class Spline:
    """A cubic per interval from one linear system: values, continuous slopes and curvatures, and at the ends the third
    derivatives of the cubics through four points."""

    def __init__(self, x, y):
        self.x, n = x, len(x) - 1
        rows, right = [], []

        def powers(i, at, order):
            row = np.zeros(4 * n)
            t = at - x[i]
            row[4 * i:4 * i + 4] = [[1, t, t**2, t**3], [0, 1, 2 * t, 3 * t**2], [0, 0, 2, 6 * t], [0, 0, 0, 6]][order]
            return row

        for i in range(n):
            rows += [powers(i, x[i], 0), powers(i, x[i + 1], 0)]
            right += [y[i], y[i + 1]]
        for i in range(n - 1):
            for order in (1, 2):
                rows.append(powers(i, x[i + 1], order) - powers(i + 1, x[i + 1], order))
                right.append(0)
        for i, at in ((0, slice(0, 4)), (n - 1, slice(-4, None))):
            rows.append(powers(i, x[i], 3))
            right.append(6 * np.polyfit(x[at] - x[at][0], y[at], 3)[0] if n > 2 else 0)
        self.c = np.linalg.solve(np.array(rows), np.array(right)).reshape(n, 4)

    def __call__(self, q):
        i = int(np.clip(np.searchsorted(self.x, q) - 1, 0, len(self.c) - 1))
        inside = min(max(q, self.x[0]), self.x[-1])
        t, c = inside - self.x[i], self.c[i]
        return c @ [1, t, t**2, t**3] + (q - inside) * (c @ [0, 1, 2 * t, 3 * t**2])


def function(e):
    if e.tag == "MultiplierFunction":
        inner, scale = function(e.find("function")[0]), float(e.findtext("scale") or 1)
        return lambda q: scale * inner(q)
    if e.tag == "Constant":
        value = float(e.findtext("value") or 0)
        return lambda q: value
    if e.tag in ("LinearFunction", "PolynomialFunction"):
        c = numbers(e.findtext("coefficients"))
        return lambda q: np.polyval(c, q)
    x, y = numbers(e.findtext("x")), numbers(e.findtext("y"))
    if e.tag == "PiecewiseLinearFunction":
        def piecewise(q):
            i = int(np.clip(np.searchsorted(x, q) - 1, 0, len(x) - 2))
            return y[i] + (y[i + 1] - y[i]) * (q - x[i]) / (x[i + 1] - x[i])
        return piecewise
    return Spline(x, y)


class Model:
    def __init__(self, path):
        model = ET.parse(path).getroot().find("Model")
        self.gravity = numbers(model.findtext("gravity"))
        self.body, self.coordinates, self.coupled, self.joint = {}, [], {}, {}
        version_3 = model.find("JointSet/objects") is None
        for e in model.find("BodySet/objects"):
            if e.get("name") != "ground":
                self.add_body(e)
            holder = e.find("Joint")
            if version_3 and holder is not None and len(holder):
                self.add_old_joint(holder[0], e.get("name"))
        if not version_3:
            for e in model.find("JointSet/objects"):
                self.add_joint(e)
        for e in model.findall("ConstraintSet/objects/CoordinateCouplerConstraint"):
            coupling = function(e.find("coupled_coordinates_function")[0])
            self.coupled[e.findtext("dependent_coordinate_name")] = (
                e.findtext("independent_coordinate_names"), coupling)

    def add_body(self, e):
        names = ["inertia_" + k for k in ("xx", "yy", "zz", "xy", "xz", "yz")]
        i = numbers(e.findtext("inertia"))
        if not len(i):
            i = [float(e.findtext(n) or 0) for n in names]
        inertia = np.array([[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]])
        self.body[e.get("name")] = (float(e.findtext("mass")), numbers(e.findtext("mass_center")), inertia)

    def offset(self, joint, socket):
        name = joint.findtext(socket).split("/")[-1]
        for f in joint.findall("frames/PhysicalOffsetFrame"):
            if f.get("name") == name:
                return f.findtext("socket_parent").split("/")[-1], frame(numbers(f.findtext("translation")),
                                                                         numbers(f.findtext("orientation")))
        return name, np.eye(4)

    def add_joint(self, e):
        parent, in_parent = self.offset(e, "socket_parent_frame")
        child, in_child = self.offset(e, "socket_child_frame")
        self.finish(e, parent, in_parent, child, in_child, e.findall("coordinates/Coordinate"))

    def add_old_joint(self, e, child):
        in_parent = frame(numbers(e.findtext("location_in_parent")), numbers(e.findtext("orientation_in_parent")))
        in_child = frame(numbers(e.findtext("location")), numbers(e.findtext("orientation")))
        self.finish(e, e.findtext("parent_body"), in_parent, child, in_child,
                    e.findall("CoordinateSet/objects/Coordinate"))

    def finish(self, e, parent, in_parent, child, in_child, coordinates):
        own = [c.get("name") for c in coordinates]
        self.coordinates += own
        axes = []  # kind, coordinate, axis, function
        if e.tag == "CustomJoint":
            for a in e.iter("TransformAxis"):
                f = [x for x in a if x.tag not in ("coordinates", "axis")]
                f = f[0][0] if f and f[0].tag == "function" else f[0] if f else None
                name = (a.findtext("coordinates") or "").strip()
                axes.append((a.get("name")[0], name, numbers(a.findtext("axis")),
                             function(f) if f is not None else (lambda q: q) if name else (lambda q: 0.0)))
        else:
            for k, name in enumerate(own):
                kind, axis = SIMPLE[e.tag][2 * k], "xyz".index(SIMPLE[e.tag][2 * k + 1])
                axes.append((kind, name, AXES[axis], lambda q: q))
        radii = numbers(e.findtext("radii_x_y_z")) if e.tag == "EllipsoidJoint" else np.zeros(3)
        self.joint[child] = (parent, in_parent, np.linalg.inv(in_child), axes, radii)

    def across(self, child, q):
        _, _, _, axes, radii = self.joint[child]
        at, turned = np.zeros(3), np.eye(4)
        for kind, name, axis, f in axes:
            value = f(q[name] if name else 0.0)
            if kind == "r":
                turned = turned @ turn(axis, value)
            else:
                at = at + value * axis / np.linalg.norm(axis)
        return move(at + radii * turned[:3, 2]) @ turned

    def poses(self, q):
        """Body frames in ground, and frames M of the joints."""
        bodies, centres = {"ground": np.eye(4)}, {}
        left = list(self.joint)
        while left:
            for child in list(left):
                parent, in_parent, back, _, _ = self.joint[child]
                if parent in bodies:
                    centres[child] = bodies[parent] @ in_parent @ self.across(child, q)
                    bodies[child] = centres[child] @ back
                    left.remove(child)
        return bodies, centres

    def forces(self, q_of_time, t, step=4e-3, loads=()):
        """Generalised force per coordinate at time t under gravity and loads (body, force, point, torque; ground)."""
        names = list(self.body)

        def state(q):
            bodies, _ = self.poses(q)
            return np.array([np.vstack([bodies[n][:3, :3], bodies[n][:3, :3] @ self.body[n][1] + bodies[n][:3, 3]])
                             for n in names])

        def spin(rate, pose):
            s = rate[:, :3] @ pose[:, :3].transpose(0, 2, 1)
            return np.stack([s[:, 2, 1], s[:, 0, 2], s[:, 1, 0]], 1)

        def momentum(at):
            pose, rate = state(q_of_time(at)), derivative(lambda x: state(q_of_time(x)), at, step)
            r = pose[:, :3]
            inertia = np.array([self.body[n][2] for n in names])
            angular = np.einsum("bij,bjk,blk,bl->bi", r, inertia, r, spin(rate, pose))
            mass = np.array([self.body[n][0] for n in names])
            return np.stack([mass[:, None] * rate[:, 3], angular])

        pose, change = state(q_of_time(t)), derivative(momentum, t, step)
        weight = np.array([self.body[n][0] * self.gravity for n in names])
        now, out = q_of_time(t), {}
        for c in self.coordinates:
            partial = derivative(lambda x: state({**now, c: x}), now[c], 1e-3)
            turns = spin(partial, pose)
            out[c] = float(np.sum((change[0] - weight) * partial[:, 3]) + np.sum(change[1] * turns))
            for body, force, point, torque in loads:
                b = names.index(body)
                moved = partial[b, 3] + np.cross(turns[b], point - pose[b, 3])
                out[c] -= float(force @ moved + torque @ turns[b])
        return out
