#!/usr/bin/env python3
"""Prints statistics of outputs for transcripts: one line per dataset, and one per other file.

usage: stats.py [--unlike FILE.h5] FILE...
       stats.py --serve ANSWER       answers requests, lines of these arguments separated by tabs, each in the file
                                       ANSWER, and prints a line when it is written

A line has the count of finite numbers, their RMS, the maximum and a mean with position-dependent weights, so that
permuted numbers change the line; nine digits each. A single number is printed unchanged. For text, the line ends with
a checksum of its words. --unlike leaves out datasets that are equal in that clip file. Numeric attributes of clip
files are printed too; for a glb the JSON and the numbers, for a PNG the pixels, for a page its data."""
import base64
import json
import math
import os
import re
import struct
import sys
import zlib

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
SMALL = 1e-8  # less is rounding
MINUS_ZERO = re.compile(rb"(?<![\w.])-0(?![\w.])")  # the sign of some zeros in pages depends on the compiler
DATA = re.compile(r"[A-Za-z0-9+/]{100,}={0,2}")


def rounded(number):
    return "%.9g" % (number if abs(number) >= SMALL else 0)


def stats(numbers):
    finite = [float(x) for x in numbers if math.isfinite(x)]
    if len(finite) < 2:
        return "\t".join(map(rounded, finite)) or "none"
    rms = math.sqrt(math.fsum(x * x for x in finite) / len(finite))
    weighted = math.fsum(x * (i * 37 % 101 + 1) for i, x in enumerate(finite)) / len(finite) / 101
    return "\t".join(["%d" % len(finite)] + [rounded(x) for x in (rms, max(finite, key=abs), weighted)])


def of_text(text):
    """Separates numbers and words."""
    words = NUMBER.sub("#", text)
    return "%s\t%d lines, words %08x" % (stats(map(float, NUMBER.findall(text))), text.count("\n"),
                                         zlib.crc32(words.encode()))


def of_dataset(data):
    values = data[()]
    if values.dtype.kind in "OS":
        return "words %08x" % zlib.crc32(b"\n".join(values.ravel().tolist()))
    if values.dtype.names:
        values = values[values.dtype.names[0]]
    return stats(values.ravel().tolist())


def attributes(name, thing):
    for key, value in thing.attrs.items():
        if not isinstance(value, (str, bytes)) and getattr(value, "dtype", None) is not None and value.dtype.kind in "fiu":
            yield "%s@%s" % (name, key), stats(value.ravel().tolist())


def of_container(path):
    import h5py
    found = {}
    with h5py.File(path, "r") as file:
        found.update(attributes("", file))

        def visit(name, thing):
            if isinstance(thing, h5py.Dataset):
                if not name.endswith("time"):
                    found[name] = of_dataset(thing)
            else:
                found.update(attributes(name, thing))
        file.visititems(visit)
        if "time" in file:
            found["time"] = of_dataset(file["time"])
    return found


def of_glb(content):
    length = struct.unpack_from("<I", content, 12)[0]
    document = json.loads(content[20:20 + length])
    numbers = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        kind = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
        count = accessor["count"] * {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        start = 28 + length + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        if "byteStride" not in view:
            numbers += struct.unpack_from("<%d%s" % (count, kind), content, start)
    yield "json", of_text(json.dumps(document, sort_keys=True))
    yield "numbers", stats(numbers)


def of_png(content):
    at, packed = 8, b""
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        packed += content[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    yield "size %dx%d" % struct.unpack_from(">II", content, 16), stats(zlib.decompress(packed))


def of_page(text):
    for i, block in enumerate(DATA.findall(text)):
        data = base64.b64decode(block + "=" * (-len(block) % 4))
        for bits in (31, 15, -15):  # gzip, zlib, deflate
            try:
                data = zlib.decompress(data, bits)
                break
            except zlib.error:
                pass
        yield "data %d" % i, stats(MINUS_ZERO.sub(b"0", data))
    yield "page", of_text(DATA.sub("DATA", text))


def of_file(path):
    """{name: statistics} of any output."""
    if path.endswith(".h5"):
        return of_container(path)
    with open(path, "rb") as stream:
        content = stream.read()
    if content[:4] == b"glTF":
        return dict(of_glb(content))
    if content[:4] == b"\x89PNG":
        return dict(of_png(content))
    if content[:2] == b"PK":
        return {"bytes": stats(content)}
    text = content.decode()
    return dict(of_page(text)) if path.endswith(".html") else {"text": of_text(text)}


known = {}  # {(path, size, time): statistics} of --unlike


def of_base(path):
    state = os.stat(path)
    key = path, state.st_size, state.st_mtime_ns
    if key not in known:
        known[key] = of_file(path)
    return known[key]


def answer(paths, stream):
    base = {}
    if paths[0] == "--unlike":
        base, paths = of_base(paths[1]), paths[2:]
    for path in paths:
        print("== %s" % path, file=stream)
        if not os.path.exists(path):
            print("nothing written", file=stream)
            continue
        for name, printed in of_file(path).items():
            if base.get(name) != printed:
                print("%s\t%s" % (name, printed), file=stream)


def main():
    if sys.argv[1] != "--serve":
        answer(sys.argv[1:], sys.stdout)
        return
    for line in sys.stdin:
        with open(sys.argv[2], "w", encoding="utf-8") as stream:
            answer(line.rstrip("\n").split("\t"), stream)
        print("written", flush=True)


main()
