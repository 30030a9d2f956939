"""Contact forces on the body: one per foot, and one per other joint that touches the ground. Does not depend on
Blender."""
from dataclasses import dataclass

import numpy as np

FEET = ("left_foot", "right_foot")
FOOT_SEGMENTS = ("ankle", "toe")  # of a side: their contact points belong to the foot


@dataclass
class Support:
    name: str
    force: np.ndarray  # [frame][xyz] N on the body, world
    place: np.ndarray  # [frame][xyz] m, point of application


def supports(arrays):
    """The supports from the arrays of a clip file; empty without contact data."""
    if "foot_force" not in arrays:
        return []
    found = [Support(name, arrays["foot_force"][:, i], arrays["foot_cop"][:, i]) for i, name in enumerate(FEET)]
    if all(name in arrays for name in ("contact_force", "point_joint", "point_position", "position", "orientation")):
        found += [support_of_joint(arrays, j) for j in np.unique(arrays["point_joint"]) if not is_foot(arrays, j)]
    return [support for support in found if np.any(support.force)]


def is_foot(arrays, joint):
    return str(arrays["segment_role"][joint]).split("_")[-1] in FOOT_SEGMENTS


def support_of_joint(arrays, joint):
    """Sum of the forces of its points, applied at their load-weighted mean position."""
    of = np.flatnonzero(arrays["point_joint"] == joint)
    force = arrays["contact_force"][:, of]
    w, u = arrays["orientation"][:, joint, None, :1], arrays["orientation"][:, joint, None, 1:]
    point = np.broadcast_to(arrays["point_position"][of], force.shape)
    turn = 2 * np.cross(u, point)
    place = arrays["position"][:, joint, None] + point + w * turn + np.cross(u, turn)
    weight = np.linalg.norm(force, axis=2, keepdims=True)
    total = np.maximum(weight.sum(axis=1), 1e-9)
    return Support(str(arrays["joint"][joint]), force.sum(axis=1), (weight * place).sum(axis=1) / total)
