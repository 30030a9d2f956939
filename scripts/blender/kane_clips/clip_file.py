"""Reads clip files as numpy arrays: SI units, world axes +Y up, quaternions (w, x, y, z).

Uses the program kane if found: it reads untrusted files in a separate, limited process, so that a damaged file cannot
crash Blender. Else uses h5py if this Python has it. Does not depend on Blender."""
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .program import ClipError, find_program, run_program
from .supports import supports

GROUPS = {
    "joint": "joint", "time": "time", "parent": "skeleton/parent", "offset": "skeleton/offset",
    "role": "skeleton/role", "segment_role": "skeleton/segment_role",
    "end_offset": "skeleton/end_offset", "end_parent": "skeleton/end_parent",
    "root_position": "motion/root_position", "rotation": "motion/rotation", "translation": "motion/translation",
    "mass": "body/mass", "torque": "dynamics/torque",
    "torque_sd": "dynamics/torque_sd", "torque_correlation": "dynamics/torque_correlation",
    "angles_joint_index": "angles/joint_index", "angles_utilization": "angles/utilization",
    "angles_utilization_sd": "angles/utilization_sd", "valid": "kinematics/valid",
    "reason": "trust/reason", "joint_reason": "trust/joint_reason",
    "position": "kinematics/position", "orientation": "kinematics/orientation", "kinematics_com": "kinematics/com",
    "foot_force": "contact/foot_force", "foot_cop": "contact/foot_cop", "contact_force": "contact/force",
    "point_joint": "contact/point_joint", "point_position": "contact/point_position",
}
NEEDED = ("joint", "time", "parent", "offset", "role", "root_position", "rotation")
TEXTS = ("joint", "role", "segment_role")
OLD_PLACES = {"segment_role": "skeleton/segment"}  # in clips of earlier versions
REASONS = ("edge", "teleport", "flip", "frozen", "interpolated", "unexplained", "lost contact", "airborne support",
           "no root path", "adjacent joint", "presumed support", "off plates", "plates doubted", "flicker",
           "drift", "sliding", "swapped", "repeated", "uncertain", "missing part",
           "lost row")  # bits of /trust/reason, docs/formats/clip_file.md
# The estimate is uncertain, or the body could not do it; all other flags: the recording is bad.
ESTIMATE = sum(1 << REASONS.index(word) for word in ("uncertain", "presumed support", "airborne support"))
BODY = sum(1 << REASONS.index(word) for word in ("unexplained", "lost contact"))
BAND_90 = 1.645  # half-width of the 90 % band in standard deviations


@dataclass
class Clip:
    title: str
    joint: list                # names
    role: list                 # "" if none
    parent: np.ndarray         # [joint]; -1 for the root
    offset: np.ndarray         # [joint][xyz] m, parent axes
    tips: dict                 # joint: [end sites][xyz] m, in joint axes
    time: np.ndarray           # [frame] s
    root_position: np.ndarray  # [frame][xyz] m
    rotation: np.ndarray       # [frame][joint][wxyz] child to parent
    translation: np.ndarray    # [frame][joint][xyz] m, or None
    torque: np.ndarray         # [frame][joint] N m/kg, magnitude of the torque, or None
    coloured: np.ndarray       # the same; where the estimate is uncertain, the lower end of the 90 % band; where the
                               # recording is bad, 0; or None
    sd: np.ndarray             # [frame][joint] N m/kg, standard deviation of torque; or None
    residual: np.ndarray       # [joint] True if its torque is the residual of the floating base; or None
    mass: float = 0.0          # kg, of the whole body; 0 if unknown
    reason: np.ndarray = None  # [frame] quality flags; 0: none
    utilization: np.ndarray = None     # [frame][joint] torque over an average person's strength, of the axis with the
                                       # largest; NaN: unknown
    utilization_sd: np.ndarray = None  # [frame][joint] its standard deviation
    verdict: dict = None       # of kane verdict --frames; None without the program
    com: np.ndarray = None     # [frame][xyz] m, centre of mass of the whole body; None if unknown
    supports: list = field(default_factory=list)  # contacts that support the body, and pushes of a simulation
    turns: list = field(default_factory=list)     # (time, "balance lost") of a simulation

    @property
    def rate(self):
        """Frame rate, Hz."""
        return (len(self.time) - 1) / (self.time[-1] - self.time[0]) if len(self.time) > 1 else 30.0


def read_clip(path, program="", controller=""):
    """Reads a clip file; program: path of kane, "" to search the PATH; controller: of the simulated motion to read in
    place of the clip's. Raises ClipError."""
    path = Path(path)
    if not path.is_file():
        raise ClipError("%s: there is no such file" % path)
    found = find_program(program)
    if controller and not found:
        raise ClipError("simulated motions need the program kane: name it in the preferences of this add-on")
    arrays = read_by_kane(path, found, controller) if found else read_by_h5py(path)
    clip = clip_of_arrays(path, arrays)
    if controller:
        clip.title += " " + controller
        clip.turns = read_turns(path, found, controller)
    return clip


def read_turns(path, program, controller):
    """When the balance of a simulated body was lost, and when it came to rest."""
    runs = json.loads(run_program(program, ["info", "--json", path.absolute()])).get("tracking") or []
    names = {"lost_s": "balance lost", "rest_s": "at rest"}
    return [(run[key], name) for run in runs if run["controller"] == controller
            for key, name in names.items() if run[key] is not None]


def read_by_kane(path, program, controller=""):
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "clip.npz"
        of_run = ["--controller", controller] if controller else []
        run_program(program, ["export", "--format", "npz", *of_run, path.absolute(), "-o", archive])
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
            places = {name: [place, OLD_PLACES.get(name, place)] for name, place in GROUPS.items()}
            names = {name: at for name, either in places.items() for at in either if at in container}
            return {name: container[place].asstr()[()] if name in TEXTS else container[place][()]
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
                translation=arrays.get("translation"), torque=None, coloured=None, sd=None, residual=None)
    check(path, clip)
    for parent, offset in zip(arrays.get("end_parent", ()), arrays.get("end_offset", ())):
        clip.tips.setdefault(int(parent), []).append(offset)
    clip.mass = float(np.sum(arrays.get("mass", 0)))
    clip.reason = reasons(arrays, len(clip.time))
    clip.com, clip.supports = arrays.get("kinematics_com"), supports(arrays)
    clip.utilization, clip.utilization_sd = utilizations(arrays, len(clip.joint))
    if "torque" in arrays and clip.mass > 0:
        clip.torque = np.linalg.norm(arrays["torque"], axis=2) / clip.mass
        clip.sd = sd_of_length(arrays) / clip.mass if "torque_sd" in arrays else None
        flags, valid = flags_of_joints(arrays, clip.torque.shape)
        low = clip.torque if clip.sd is None else np.maximum(0, clip.torque - BAND_90 * clip.sd)
        shown = np.where(flags & ESTIMATE, low, clip.torque)
        shown = np.where(valid & (flags & ~(ESTIMATE | BODY) == 0), shown, 0)
        clip.coloured = shown[:, colour_sources(clip, arrays["mass"])]
        clip.residual = residual(clip.parent, arrays["mass"])
    return clip


def colour_sources(clip, mass):
    """[joint]: the joint whose torque colours it: itself, or for a massless joint without role the one that it moves
    with."""
    source = list(range(len(mass)))
    for j in range(1, len(mass)):
        if mass[j] == 0 and not clip.role[j]:
            source[j] = source[clip.parent[j]]
    return source


def reasons(arrays, frames):
    """[frame]: bits of /trust/reason; for a clip without /trust, 1 at the edges of its kinematics."""
    if "reason" in arrays:
        return arrays["reason"].astype(int)
    return 1 - arrays["valid"].astype(int) if "valid" in arrays else np.zeros(frames, int)


def words_of(reason):
    """Names of the bits of a reason."""
    return ", ".join(word for bit, word in enumerate(REASONS) if int(reason) >> bit & 1)


def flags_of_joints(arrays, shape):
    """[frame][joint]: flags of frame and joint, and whether kinematics are valid there."""
    flags, valid = np.zeros(shape, int), np.ones(shape, bool)
    for name in ("reason", "joint_reason"):
        if name in arrays:
            flags |= arrays[name].astype(int).reshape(len(flags), -1)
    if "valid" in arrays:
        valid &= arrays["valid"][:, None] > 0
    return flags, valid


def sd_of_length(arrays):
    """[frame][joint] N m: standard deviation of the torque in its own direction."""
    along = arrays["torque"] / np.maximum(np.linalg.norm(arrays["torque"], axis=2), 1e-12)[:, :, None]
    x, y, z = np.moveaxis(arrays["torque_sd"] * along, 2, 0)
    xy, xz, yz = np.moveaxis(arrays["torque_correlation"], 2, 0)
    square = x * x + y * y + z * z + 2 * (xy * x * y + xz * x * z + yz * y * z)
    return np.sqrt(np.maximum(square, 0))


def utilizations(arrays, joints):
    """[frame][joint] utilization and its standard deviation, of the axis with the largest; None without strength."""
    if "angles_utilization" not in arrays:
        return None, None
    of, value = np.asarray(arrays["angles_joint_index"]), arrays["angles_utilization"]
    spread = arrays.get("angles_utilization_sd", np.full(value.shape, np.nan))
    largest, sd = np.full((2, len(value), joints), np.nan)
    for axis in range(value.shape[1]):
        j = of[axis]
        larger = ~(value[:, axis] <= largest[:, j]) & np.isfinite(value[:, axis])
        largest[larger, j], sd[larger, j] = value[larger, axis], spread[larger, axis]
    return largest, sd


def residual(parent, mass):
    """[joint]: True if all mass is in the joint's subtree, so that its torque is the residual."""
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
