"""Writes C3D files in each coding and with plates of types 1 to 4, from forces in laboratory axes (C3D user guide).

An independent counterpart of formats/c3d: it goes from force and moment to the channels, kane from the channels back.
"""
import struct

import numpy as np

PROCESSORS = {"pc": 84, "dec": 85, "sgi": 86}


def vax(values):
    """IEEE numbers as VAX F_floating: four times as large, words exchanged."""
    bits = (np.asarray(values, "<f4") * np.float32(4)).view("<u4")
    bits = np.where(np.asarray(values, "<f4") == 0, 0, bits).astype("<u4")
    return ((bits >> 16) | (bits << 16)).astype("<u4").tobytes()


class Coding:
    def __init__(self, name):
        self.machine, kind = name.split("_")
        self.is_float = kind == "real"
        self.order = ">" if self.machine == "sgi" else "<"

    def words(self, values):
        return (np.asarray(values).astype(np.int64) & 0xFFFF).astype(self.order + "u2").tobytes()

    def reals(self, values):
        return vax(values) if self.machine == "dec" else np.asarray(values, self.order + "f4").tobytes()


def parameter(coding, group, name, values, last=False):
    """One record. Arrays are given with the first index varying slowest, and stored the other way round."""
    if isinstance(values, str):
        shape, kind, data = [len(values)], -1, values.encode()
    elif isinstance(values, list) and values and isinstance(values[0], str):
        width = max(map(len, values))
        shape, kind, data = [width, len(values)], -1, "".join(v.ljust(width) for v in values).encode()
    else:
        array = np.asarray(values)
        shape, real = list(array.shape[::-1]), array.dtype.kind == "f"
        kind, data = (4, coding.reals(array.ravel())) if real else (2, coding.words(array.ravel()))
    body = struct.pack("b", kind) + bytes([len(shape)] + shape) + data + b"\0"
    link = coding.words([0 if last else len(body) + 2])
    return struct.pack("bb", len(name), group) + name.encode() + link + body


def group(coding, number, name, last=False):
    return struct.pack("bb", len(name), -number) + name.encode() + coding.words([0 if last else 3]) + b"\0"


def axes(corners):
    """Axes of a plate, as columns: x from corner 2 to 1, y from 4 to 1, z into the surface."""
    x = corners[0] - corners[1]
    x /= np.linalg.norm(x)
    z = np.cross(x, corners[0] - corners[3])
    z /= np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


def channels(plate):
    """Channels [sample][6 or 8] of a plate from `force` [sample][3] and `moment` about the origin of the laboratory."""
    corners, origin = np.asarray(plate["corners"], float), np.asarray(plate["origin"], float)
    R, centre = axes(corners), corners.mean(0)
    force = plate["force"] @ R
    moment = (plate["moment"] - np.cross(centre, plate["force"])) @ R  # about the centre of the surface
    kind = plate["type"]
    if kind == 1:
        up = np.where(np.abs(force[:, 2]) > 1e-9, force[:, 2], 1)
        point = np.column_stack([-moment[:, 1] / up, moment[:, 0] / up])
        free = moment[:, 2] - (point[:, 0] * force[:, 1] - point[:, 1] * force[:, 0])
        return np.column_stack([force, point + origin[:2], free])
    if kind == 3:
        a, b, depth = abs(origin[0]), abs(origin[1]), -abs(origin[2])
        moment = moment + np.cross([0, 0, depth], force)
        fx12 = (force[:, 0] - (moment[:, 2] - a * 0) / b) / 2
        fx34 = force[:, 0] - fx12
        fy14 = fy23 = force[:, 1] / 2
        along, across = moment[:, 0] / b, moment[:, 1] / a  # z1+z2-z3-z4 and -z1+z2+z3-z4
        z = [(force[:, 2] + along - across) / 4, (force[:, 2] + along + across) / 4,
             (force[:, 2] - along + across) / 4, (force[:, 2] - along - across) / 4]
        return np.column_stack([fx12, fx34, fy14, fy23] + z)
    sign = -1 if origin[2] > 0 else 1
    moment = moment + np.cross(sign * origin, force)
    wrench = np.column_stack([force, moment])
    return wrench if kind == 2 else np.linalg.solve(plate["matrix"], wrench.T).T


def write(path, coding, points, labels, rate, per_frame, plates, zero=(1, 0), unit="mm", moment_unit="Nmm",
          extra=None, type_word=None):
    """points: [frame][point][3], NaN where not seen, in `unit`. Lengths of the plates are in `unit`, too."""
    coding = Coding(coding)
    frames, count = points.shape[:2]
    columns = np.column_stack([channels(p) for p in plates]) if plates else np.zeros((frames * per_frame, 0))
    used = columns.shape[1]
    scale = 1.0 if coding.is_float else max(1e-6, float(np.nanmax(np.abs(points))) / 32000) if count else 1.0
    size = np.maximum(np.abs(columns).max(0), 1e-6) if used else np.zeros(0)
    steps = np.ones(used) if coding.is_float else size / 30000
    offsets = np.zeros(used, int) if coding.is_float else np.arange(used) % 5 * 100
    gain = 0.5
    width = [8 if p["type"] == 3 else 6 for p in plates]
    names = [n for w in width for n in (["N", "N", "N", moment_unit, moment_unit, moment_unit] if w == 6 else ["N"] * 8)]
    groups = [("POINT", [("USED", count), ("SCALE", -scale if coding.is_float else scale), ("RATE", float(rate)),
                         ("FRAMES", frames), ("UNITS", unit), ("DATA_START", 0)] +
               ([("LABELS", labels[:255])] if labels else []) +
               ([("LABELS2", labels[255:])] if len(labels) > 255 else []))]
    if used:
        groups.append(("ANALOG", [("USED", used), ("GEN_SCALE", gain), ("SCALE", (steps / gain)[:255]),
                                  ("OFFSET", offsets[:255]), ("UNITS", names), ("RATE", float(rate * per_frame))]))
    if plates:
        first = np.cumsum([0] + width)[:-1] + 1
        numbers = np.array([[f + i if i < w else 0 for i in range(max(width))] for f, w in zip(first, width)])
        matrices = np.array([np.asarray(p.get("matrix", np.zeros((6, 6)))).T for p in plates], float)
        groups.append(("FORCE_PLATFORM", [
            ("USED", len(plates)), ("TYPE", np.array([type_word or p["type"] for p in plates])),
            ("CORNERS", np.array([p["corners"] for p in plates], float)),
            ("ORIGIN", np.array([p["origin"] for p in plates], float)), ("CHANNEL", numbers),
            ("ZERO", np.array(zero)), ("CAL_MATRIX", matrices)]))
    for name, values in (extra or {}).items():
        groups.append((name, values))

    def section(start):
        records = b""
        for number, (name, values) in enumerate(groups, 1):
            records += group(coding, number, name)
            for i, (key, value) in enumerate(values):
                value = start if key == "DATA_START" else value
                value = value if isinstance(value, (str, list)) else np.asarray(value)
                records += parameter(coding, number, key, value,
                                     last=number == len(groups) and i == len(values) - 1)
        blocks = -(-(len(records) + 4) // 512)
        return (bytes([1, 0x50, blocks, PROCESSORS[coding.machine]]) + records).ljust(512 * blocks, b"\0"), blocks

    start = 2 + section(0)[1]
    parameters = section(start)[0]
    header = bytes([2, 0x50]) + coding.words([count, used * per_frame, 1, min(frames, 65535), 10])
    header += coding.reals([-scale if coding.is_float else scale]) + coding.words([start, per_frame if used else 0])
    header += coding.reals([rate])
    values = columns / steps + offsets if used else columns
    seen = np.isfinite(points).all(2)
    stored = np.where(seen[..., None], points, 0) / (1 if coding.is_float else scale)
    stored = np.concatenate([stored, np.where(seen, 0, -1)[..., None]], 2).reshape(frames, -1)
    rows = np.concatenate([stored, values.reshape(frames, -1)], 1) if used else stored
    data = coding.reals(rows.ravel()) if coding.is_float else coding.words(np.rint(rows.ravel()))
    with open(path, "wb") as file:
        file.write(header.ljust(512, b"\0") + parameters + data.ljust(-(-len(data) // 512) * 512, b"\0"))
