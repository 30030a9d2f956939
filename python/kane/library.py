"""libkane through ctypes: runs the stages of `kane run` in the Python process. Wraps the functions of kane.h in
objects."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
import re
from typing import TYPE_CHECKING, Any

from . import picture

if TYPE_CHECKING:
    import numpy

_library: Any = None


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int), ("column", ctypes.c_int), ("text", ctypes.c_char * 512)]


class KaneError(Exception):
    """Raised when libkane fails. line and column are positions in a text file, from 1; 0 if unknown."""

    path: str
    line: int
    column: int
    text: str

    def __init__(self, path: str, error: Any, text: str | None = None):
        self.path, self.line, self.column = path, error.line, error.column
        self.text = text or error.text.decode(errors="replace")
        where = f"{path}:{self.line}:{self.column}: " if self.line else f"{path}: " if path else ""
        super().__init__(where + self.text)


def _load() -> Any:
    """Loads libkane: from $KANE_LIBRARY, else beside this file (in a wheel), else from the system."""
    global _library
    if _library is None:
        beside = pathlib.Path(__file__).with_name("libkane.so")
        name = os.environ.get("KANE_LIBRARY") or (str(beside) if beside.exists() else ctypes.util.find_library("kane"))
        if not name:
            raise OSError("libkane is not installed: pip install ./python, or make install and ldconfig")
        _library = _declare(ctypes.CDLL(name))
    return _library


def _declare(library):
    """Declares the argument and result types of kane.h."""
    text, pointer, number = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int
    error = ctypes.POINTER(_Error)
    functions = {
        "version": (text,), "options_create": (pointer,), "options_destroy": (None, pointer),
        "options_set": (number, pointer, text, text, error),
        "open": (number, text, pointer, ctypes.POINTER(pointer), error), "close": (None, pointer),
        "run": (number, pointer, pointer, error), "save": (number, pointer, text, error),
        "frame_count": (number, pointer), "joint_count": (number, pointer), "frame_time": (ctypes.c_double, pointer),
        "total_mass": (ctypes.c_double, pointer), "joint_name": (text, pointer, number),
        "joint_role": (text, pointer, number), "joint_parent": (number, pointer, number), "history": (text, pointer),
        "array": (ctypes.POINTER(ctypes.c_double), pointer, text, ctypes.POINTER(ctypes.c_size_t)),
    }
    for name, (result, *arguments) in functions.items():
        function = getattr(library, "kane_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def _check(code, error, path=""):
    if code:
        raise KaneError(path, error)


class Clip:
    """A clip in memory, returned by run(). Close it, or use it in a with statement."""

    def __init__(self, handle: int):
        self._handle = handle

    def __enter__(self) -> Clip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Frees the clip. Arrays returned before are copies and remain valid."""
        if self._handle:
            _load().kane_close(self._handle)
            self._handle = None

    def _open_handle(self):
        if not self._handle:
            raise ValueError("the clip is closed")
        return self._handle

    @property
    def frame_count(self) -> int:
        return _load().kane_frame_count(self._open_handle())

    @property
    def frame_time(self) -> float:
        """Time between frames, s."""
        return _load().kane_frame_time(self._open_handle())

    @property
    def total_mass(self) -> float:
        """Body mass, kg; 0 before the body stage."""
        return _load().kane_total_mass(self._open_handle())

    @property
    def history(self) -> str:
        """The stages that made the clip, with their options, one per line."""
        return _load().kane_history(self._open_handle()).decode()

    @property
    def joints(self) -> list[str]:
        """Joint names; parents before children."""
        return self._texts(_load().kane_joint_name)

    @property
    def roles(self) -> list[str]:
        """Role of each joint, such as "left_knee"; "" if none."""
        return self._texts(_load().kane_joint_role)

    @property
    def parents(self) -> list[int]:
        """Parent index of each joint; -1 for the root."""
        clip = self._open_handle()
        return [_load().kane_joint_parent(clip, j) for j in range(_load().kane_joint_count(clip))]

    def _texts(self, function):
        clip = self._open_handle()
        return [function(clip, j).decode() for j in range(_load().kane_joint_count(clip))]

    def array(self, path: str) -> numpy.ndarray | memoryview:
        """The float64 array at a path of the clip file, such as "/dynamics/torque": a numpy array, or without numpy a
        memoryview of the same shape. Trailing axes of length 1 are dropped. KeyError if the clip has no such array."""
        shape = (ctypes.c_size_t * 3)()
        values = _load().kane_array(self._open_handle(), path.encode(), shape)
        if not values:
            raise KeyError(f"the clip has no array {path!r}")
        size = shape[0] * shape[1] * shape[2]
        extent = list(shape)
        while len(extent) > 1 and extent[-1] == 1:
            extent.pop()
        copy = memoryview(bytearray(ctypes.string_at(values, 8 * size))).cast("d", extent)
        try:
            import numpy
        except ImportError:
            return copy
        return numpy.asarray(copy)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the clip file, with the same bytes as `kane run`."""
        error = _Error()
        _check(_load().kane_save(self._open_handle(), str(path).encode(), error), error, str(path))

    def _repr_html_(self) -> str:
        return picture.as_html(self) if self._handle else "<div><b>kane clip</b>: closed</div>"


def _as_written(text: str) -> str:
    """An error of libkane about an option with the names of Python: body_mass for body-mass."""
    if text.startswith("unknown option "):
        return "run: " + text.replace("-", "_")
    name, colon, rest = text.partition(":")
    if re.fullmatch(r"[a-z][a-z0-9-]*", name) and colon:
        return f"run: {name.replace('-', '_')}:{rest}"
    return "run: " + re.sub(r"^([a-z0-9-]+)( needs a value)", lambda m: m[1].replace("-", "_") + m[2], text)


class _Options:
    """Options of `kane run` as a handle of libkane, which close() frees."""

    def __init__(self, options: dict[str, Any]):
        self.handle = _load().kane_options_create()
        if not self.handle:
            raise MemoryError
        try:
            for name, value in options.items():
                self._set(name.replace("_", "-"), value)
        except BaseException:
            self.close()
            raise

    def _set(self, name: str, value: Any) -> None:
        if value is False:
            return
        error = _Error()
        text = None if value is True or value is None else str(value).encode()
        if _load().kane_options_set(self.handle, name.encode(), text, error):
            raise KaneError("", error, _as_written(error.text.decode(errors="replace")))

    def close(self) -> None:
        _load().kane_options_destroy(self.handle)


def run(path: str | os.PathLike[str], **options: Any) -> Clip:
    """Runs all stages on a BVH file or a clip file, like `kane run`, and returns a Clip.

    Options are those of `kane run` with underscores: body_mass=62, smooth_cutoff=10; True for an option without a
    value."""
    library, error, handle = _load(), _Error(), ctypes.c_void_p()
    chosen = _Options(options)
    try:
        _check(library.kane_open(str(path).encode(), chosen.handle, handle, error), error, str(path))
        clip = Clip(handle.value)
        _check(library.kane_run(clip._open_handle(), chosen.handle, error), error, str(path))
        return clip
    finally:
        chosen.close()


def fill(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    """Writes a clip file with all groups, of one that leaves some out (`kane batch --store lean`), like `kane fill`."""
    error, handle = _Error(), ctypes.c_void_p()
    _check(_load().kane_open(str(path).encode(), None, handle, error), error, str(path))
    with Clip(handle.value) as clip:
        clip.save(out)


def version() -> str:
    """Version of libkane."""
    return _load().kane_version().decode()
