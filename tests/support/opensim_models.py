#!/usr/bin/python3
"""OpenSim models and motions for tests: opensim_models.py MODEL.osim MOTION.mot

The model has every kind of joint and of function that kane reads."""
import math
import sys
from pathlib import Path

import numpy as np


def write_motion(path, names, times, values):
    head = f"made\nversion=1\nnRows={len(times)}\nnColumns={len(names) + 1}\ninDegrees=no\nendheader\n"
    rows = ["\t".join(f"{x:.17g}" for x in (t, *row)) for t, row in zip(times, values)]
    path.write_text(head + "\t".join(["time", *names]) + "\n" + "\n".join(rows) + "\n")


JOINTS = """
<FreeJoint name="root"><socket_parent_frame>/ground</socket_parent_frame>
 <socket_child_frame>on_pelvis</socket_child_frame>{root}
 <frames><PhysicalOffsetFrame name="on_pelvis"><socket_parent>/bodyset/pelvis</socket_parent>
 <translation>.01 -.02 .03</translation><orientation>.1 .2 -.1</orientation></PhysicalOffsetFrame></frames></FreeJoint>
"""
SHAPES = [  # joint, child, parent, coordinates
    ("BallJoint", "thigh", "pelvis", 3), ("PinJoint", "shank", "thigh", 1), ("UniversalJoint", "foot", "shank", 2),
    ("WeldJoint", "toes", "foot", 0), ("PlanarJoint", "cart", "pelvis", 3), ("SliderJoint", "rod", "cart", 1),
    ("GimbalJoint", "trunk", "pelvis", 3), ("EllipsoidJoint", "scapula", "trunk", 3),
]


def coordinates(joint, count):
    return "<coordinates>" + "".join(f'<Coordinate name="{joint}_{k}"/>' for k in range(count)) + "</coordinates>"


def offset(name, body, draw):
    x, angles = (" ".join(map(repr, map(float, draw.uniform(-.3, .3, 3)))) for _ in range(2))
    return (f'<PhysicalOffsetFrame name="{name}"><socket_parent>/bodyset/{body}</socket_parent><translation>{x}'
            f"</translation><orientation>{angles}</orientation></PhysicalOffsetFrame>")


def axis(name, coordinate, direction, body):
    return (f'<TransformAxis name="{name}"><coordinates>{coordinate}</coordinates><axis>{direction}</axis>{body}'
            "</TransformAxis>")


def points(tag, xs, ys):
    return f"<{tag}><x>{' '.join(map(str, xs))}</x><y>{' '.join(map(str, ys))}</y></{tag}>"


def scaled(inner, scale):
    return f"<MultiplierFunction><function>{inner}</function><scale>{scale}</scale></MultiplierFunction>"


TRANSFORM = "<SpatialTransform>" + "".join([
    axis("rotation1", "arm_a", "0 0 2", "<LinearFunction><coefficients>-2 .1</coefficients></LinearFunction>"),
    axis("rotation2", "arm_b", "1 0 .5", points("SimmSpline", [-1, -.4, .1, .5, 1.1], [.2, -.1, .3, .1, .4])),
    axis("rotation3", "arm_a", "0 1 0",
         "<PolynomialFunction><coefficients>.3 -.2 .4 .05</coefficients></PolynomialFunction>"),
    axis("translation1", "arm_a", "1 0 0", scaled(points("NaturalCubicSpline", [-1, 0, 1], [0, .1, .05]), .7)),
    axis("translation2", "", "0 1 0", scaled("<Constant><value>.2</value></Constant>", 1.5)),
    axis("translation3", "arm_b", "0 .3 1", points("PiecewiseLinearFunction", [-3, 3], [-.2, .4])),
]) + "</SpatialTransform>"


def write_model(path, seed=3):
    draw = np.random.default_rng(seed)
    bodies, joints = ["pelvis"], [JOINTS.format(root=coordinates("root", 6))]
    for kind, child, parent, count in SHAPES:
        extra = "<radii_x_y_z>.1 .2 .15</radii_x_y_z>" if kind == "EllipsoidJoint" else ""
        joints.append(f'<{kind} name="{child}"><socket_parent_frame>p</socket_parent_frame><socket_child_frame>c'
                      f"</socket_child_frame>{coordinates(child, count)}<frames>{offset('p', parent, draw)}"
                      f"{offset('c', child, draw)}</frames>{extra}</{kind}>")
        bodies.append(child)
    joints.append('<CustomJoint name="arm"><socket_parent_frame>p</socket_parent_frame><socket_child_frame>c'
                  '</socket_child_frame><coordinates><Coordinate name="arm_a"/><Coordinate name="arm_b"/>'
                  f"</coordinates><frames>{offset('p', 'trunk', draw)}{offset('c', 'arm', draw)}</frames>{TRANSFORM}"
                  "</CustomJoint>")
    bodies.append("arm")
    text = "".join(f'<Body name="{b}"><mass>{draw.uniform(1, 5)}</mass><mass_center>'
                   f"{' '.join(map(str, draw.uniform(-.2, .2, 3)))}</mass_center>"
                   "<inertia>.3 .4 .35 .01 -.02 .03</inertia></Body>" for b in bodies)
    path.write_text('<OpenSimDocument Version="40000"><Model name="all joints"><gravity>0 -9.80665 0</gravity>'
                    f"<BodySet><objects>{text}</objects></BodySet><JointSet><objects>{''.join(joints)}</objects>"
                    "</JointSet></Model></OpenSimDocument>")


def write_old_model(path):
    """Version 30000, with gravity along -z and a coupled coordinate."""
    def body(name, parent, joint, joint_axes, names):
        own = "".join(f'<Coordinate name="{n}"/>' for n in names)
        return (f'<Body name="{name}"><mass>2.5</mass><mass_center>.02 -.1 .03</mass_center><inertia_xx>.1</inertia_xx>'
                "<inertia_yy>.2</inertia_yy><inertia_zz>.15</inertia_zz><inertia_xy>.01</inertia_xy><inertia_xz>0"
                f'</inertia_xz><inertia_yz>-.02</inertia_yz><Joint><CustomJoint name="{joint}"><parent_body>{parent}'
                "</parent_body><location_in_parent>.1 .2 -.3</location_in_parent><orientation_in_parent>.2 -.1 .3"
                "</orientation_in_parent><location>.05 0 .1</location><orientation>0 .3 0</orientation><CoordinateSet>"
                f"<objects>{own}</objects></CoordinateSet><SpatialTransform>{joint_axes}</SpatialTransform>"
                "</CustomJoint></Joint></Body>")
    line = "<function><LinearFunction><coefficients> 1 0</coefficients></LinearFunction></function>"
    curve = f"<function>{points('natCubicSpline', [-2, -1, 0, 1, 2], [-.5, -.1, .3, .2, .6])}</function>"
    first = axis("rotation1", "tilt", "0 0 1", line) + axis("translation1", "tx", "1 0 0", line)
    second = axis("rotation1", "knee", "0 1 0", line) + axis("translation2", "knee", "0 1 0", curve)
    third = axis("rotation2", "beta", "0 1 0", curve)
    coupling = ('<CoordinateCouplerConstraint name="c"><isDisabled>false</isDisabled><coupled_coordinates_function>'
                "<LinearFunction><coefficients>.8 .1</coefficients></LinearFunction></coupled_coordinates_function>"
                "<independent_coordinate_names>knee</independent_coordinate_names><dependent_coordinate_name>beta"
                "</dependent_coordinate_name></CoordinateCouplerConstraint>")
    path.write_text('<OpenSimDocument Version="30000"><Model name="old"><gravity>0 0 -9.80665</gravity><BodySet><objects>'
                    '<Body name="ground"><mass>0</mass></Body>' +
                    body("a", "ground", "ga", first, ["tilt", "tx"]) + body("b", "a", "ab", second, ["knee"]) +
                    body("c", "b", "bc", third, ["beta"]) +
                    f"</objects></BodySet><ConstraintSet><objects>{coupling}</objects></ConstraintSet></Model>"
                    "</OpenSimDocument>")


def main():
    model, motion = map(Path, sys.argv[1:3])
    write_model(model)
    names = [f"{joint}_{k}" for joint, count in [("root", 6), *((c, n) for _, c, _, n in SHAPES)] for k in range(count)]
    names += ["arm_a", "arm_b"]
    times = [i / 60 for i in range(90)]
    write_motion(motion, names, times, [[.2 * math.sin(3 * t + k) for k in range(len(names))] for t in times])


if __name__ == "__main__":
    main()
