"""Containers of kane as numpy arrays: SI units, world axes +Y up, quaternions (w, x, y, z).

The program kane reads them where it is found: it opens foreign files in a process of its own with limits, so that a
damaged one cannot take Blender down. Else h5py does, where this Python has it. Knows nothing of Blender."""
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

GROUPS = {
    "joint": "joint", "time": "time", "parent": "skeleton/parent", "offset": "skeleton/offset",
    "role": "skeleton/role", "end_offset": "skeleton/end_offset", "end_parent": "skeleton/end_parent",
    "root_position": "motion/root_position", "rotation": "motion/rotation", "translation": "motion/translation",
    "mass": "body/mass", "torque": "dynamics/torque", "valid": "kinematics/valid",
    "reason": "trust/reason", "joint_reason": "trust/joint_reason",
}
NEEDED = ("joint", "time", "parent", "offset", "role", "root_position", "rotation")


class ClipError(Exception):
    """What is wrong with a file, in words for a person."""


@dataclass
class Clip:
    title: str
    joint: list                # names
    role: list                 # "" where a joint has none
    parent: np.ndarray         # [joint], the root's is -1
    offset: np.ndarray         # [joint][xyz] m, parent axes
    tips: dict                 # joint: [end sites][xyz] m, its axes
    time: np.ndarray           # [frame] s
    root_position: np.ndarray  # [frame][xyz] m
    rotation: np.ndarray       # [frame][joint][wxyz] child to parent
    translation: np.ndarray    # [frame][joint][xyz] m, or None
    torque: np.ndarray         # [frame][joint] Nm/kg, length of the torque, or None
    coloured: np.ndarray       # the same where a frame can be trusted, else 0; or None
    residual: np.ndarray       # [joint] True: carries the residual of the floating base; or None

    @property
    def rate(self):
        """Frames a second."""
        return (len(self.time) - 1) / (self.time[-1] - self.time[0]) if len(self.time) > 1 else 30.0


def read_clip(path, program=""):
    """The clip of a container; program: the kane to use, "" for the one on the PATH. Raises ClipError."""
    path = Path(path)
    if not path.is_file():
        raise ClipError("%s: there is no such file" % path)
    found = shutil.which(program or "kane")
    if program and not found:
        raise ClipError("%s: no such program; see the preferences of this add-on" % program)
    arrays = read_by_kane(path, found) if found else read_by_h5py(path)
    return clip_of_arrays(path, arrays)


def read_by_kane(path, program):
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "clip.npz"
        done = subprocess.run([program, "export", "--format", "npz", str(path.absolute()), "-o", str(archive)],
                              capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode:
            raise ClipError(done.stderr.strip() or "%s: kane export failed" % path)
        with np.load(archive) as arrays:
            return {name: arrays[name] for name in GROUPS if name in arrays.files}


def read_by_h5py(path):
    try:
        import h5py
    except ImportError:
        raise ClipError("neither the program kane nor the Python module h5py is here: name the program in the "
                        "preferences of this add-on") from None
    try:
        with h5py.File(path, "r") as container:
            names = {name: place for name, place in GROUPS.items() if place in container}
            return {name: container[place].asstr()[()] if name in ("joint", "role") else container[place][()]
                    for name, place in names.items()}
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        raise ClipError("%s: no container of kane: %s" % (path, error)) from None


def clip_of_arrays(path, arrays):
    missing = [GROUPS[name] for name in NEEDED if name not in arrays]
    if missing:
        raise ClipError("%s: no container of kane: it has no /%s" % (path, missing[0]))
    clip = Clip(title=Path(path).name.removesuffix(".h5").removesuffix(".bvh"),
                joint=[str(name) for name in arrays["joint"]], role=[str(role) for role in arrays["role"]],
                parent=arrays["parent"], offset=arrays["offset"], tips={}, time=arrays["time"],
                root_position=arrays["root_position"], rotation=arrays["rotation"],
                translation=arrays.get("translation"), torque=None, coloured=None, residual=None)
    check(path, clip)
    for parent, offset in zip(arrays.get("end_parent", ()), arrays.get("end_offset", ())):
        clip.tips.setdefault(int(parent), []).append(offset)
    mass = float(np.sum(arrays.get("mass", 0)))
    if "torque" in arrays and mass > 0:
        clip.torque = np.linalg.norm(arrays["torque"], axis=2) / mass
        clip.coloured = np.where(trusted(arrays, clip.torque.shape), clip.torque, 0)
        clip.residual = residual(clip.parent, arrays["mass"])
    return clip


def trusted(arrays, shape):
    """[frame][joint]: True where figures may rest on the joint in the frame."""
    counts = np.ones(shape, bool)
    if "valid" in arrays:
        counts &= arrays["valid"][:, None] > 0
    if "reason" in arrays:
        counts &= arrays["reason"][:, None] == 0
    if "joint_reason" in arrays:
        counts &= arrays["joint_reason"] == 0
    return counts


def residual(parent, mass):
    """[joint]: True where no mass lies outside of what hangs on the joint."""
    below = np.array(mass, float)
    for j in range(len(below) - 1, 0, -1):
        below[parent[j]] += below[j]
    carries = below >= below[0] * (1 - 1e-12)
    carries[0] = True
    return carries


def check(path, clip):
    frames, joints = len(clip.time), len(clip.joint)
    shapes = ((clip.parent, (joints,)), (clip.offset, (joints, 3)), (clip.root_position, (frames, 3)),
              (clip.rotation, (frames, joints, 4)))
    if not frames or not joints or any(array.shape != shape for array, shape in shapes):
        raise ClipError("%s: its arrays do not agree on %d frames and %d joints" % (path, frames, joints))
    if clip.parent[0] != -1 or any(not 0 <= p < j for j, p in enumerate(clip.parent[1:], 1)):
        raise ClipError("%s: its joints are no tree" % path)
    for array in (clip.offset, clip.root_position, clip.rotation, clip.time):
        if not np.isfinite(array).all():
            raise ClipError("%s: it holds numbers that are not finite" % path)
