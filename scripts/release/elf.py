"""What ELF files need, as `readelf` shows it."""
import pathlib
import re
import subprocess

# Of the C library, which every Linux system has in the right version or a later one.
GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1",
         "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def is_elf(path):
    path = pathlib.Path(path)
    return path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, str(path)], capture_output=True, text=True, check=True).stdout


def dynamic(path):
    """(sonames that a file needs, its search path as a list)"""
    text = readelf(path, "-d")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    search = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", text)
    return needed, [part for line in search for part in line.split(":")]


def versions(path):
    """Versions of other libraries' symbols that a file needs: {"GLIBC": (2, 34), ...}, the largest of each."""
    text = readelf(path, "-V")
    found, on = {}, False
    for line in text.splitlines():
        on = (on or line.startswith("Version needs")) and not line.startswith("Version definition")
        for name, number in re.findall(r"Name: ([A-Z]+)_(\d[\d.]*)", line) if on else ():
            found[name] = max(found.get(name, ()), tuple(int(part) for part in number.split(".")))
    return found


def machine(path):
    return {"Advanced Micro Devices X86-64": "x86_64"}.get(name := re.search(r"Machine:\s+(.*)", readelf(path, "-h")).group(1), name.lower())
