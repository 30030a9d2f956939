"""What supports a body: the force on each foot, and on each other joint that ever touches the ground. Knows nothing of
Blender."""
from dataclasses import dataclass

import numpy as np

FEET = ("left_foot", "right_foot")
FOOT_SEGMENTS = ("ankle", "toe")  # of a side: their points are the foot's


@dataclass
class Support:
    name: str
    force: np.ndarray  # [frame][xyz] N on the body, world
    place: np.ndarray  # [frame][xyz] m, where it acts


def supports(arrays):
    """Of a container's arrays; none where it has no contact."""
    if "foot_force" not in arrays:
        return []
    found = [Support(name, arrays["foot_force"][:, i], arrays["foot_cop"][:, i]) for i, name in enumerate(FEET)]
    if all(name in arrays for name in ("contact_force", "point_joint", "point_position", "position", "orientation")):
        found += [support_of_joint(arrays, j) for j in np.unique(arrays["point_joint"]) if not is_foot(arrays, j)]
    return [support for support in found if np.any(support.force)]


def is_foot(arrays, joint):
    return str(arrays["segment_role"][joint]).split("_")[-1] in FOOT_SEGMENTS


def support_of_joint(arrays, joint):
    """The sum over its points, at their mean place weighted by what each carries."""
    of = np.flatnonzero(arrays["point_joint"] == joint)
    force = arrays["contact_force"][:, of]
    w, u = arrays["orientation"][:, joint, None, :1], arrays["orientation"][:, joint, None, 1:]
    point = np.broadcast_to(arrays["point_position"][of], force.shape)
    turn = 2 * np.cross(u, point)
    place = arrays["position"][:, joint, None] + point + w * turn + np.cross(u, turn)
    weight = np.linalg.norm(force, axis=2, keepdims=True)
    total = np.maximum(weight.sum(axis=1), 1e-9)
    return Support(str(arrays["joint"][joint]), force.sum(axis=1), (weight * place).sum(axis=1) / total)
