"""Converts vectors and quaternions of kane to Blender's world, +Z up: (x, y, z) becomes (x, -z, y). Arrays end in xyz
or wxyz."""
import numpy as np


def z_up(vector):
    return np.stack([vector[..., 0], -vector[..., 2], vector[..., 1]], axis=-1)


def z_up_turn(q):
    """The rotation in the new axes: same angle, converted axis."""
    return np.concatenate([q[..., :1], z_up(q[..., 1:])], axis=-1)


def y_up(vector):
    """Back to kane's world."""
    return np.stack([vector[..., 0], vector[..., 2], -vector[..., 1]], axis=-1)


def y_up_turn(q):
    return np.concatenate([q[..., :1], y_up(q[..., 1:])], axis=-1)


def conjugate(q):
    return q * np.array([1, -1, -1, -1])


def product(a, b):
    """Hamilton product."""
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([aw * bw - np.sum(av * bv, axis=-1, keepdims=True),
                           aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def rotate(q, vector):
    """q v q*."""
    u = q[..., 1:]
    t = 2 * np.cross(u, vector)
    return vector + q[..., :1] * t + np.cross(u, t)
