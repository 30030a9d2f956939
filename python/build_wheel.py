"""Build backend for pip (PEP 517) without dependencies: compiles libkane with make and packages it with the module
`kane`.

The wheel works on the build machine only, since libkane loads the system's HDF5, SQLite, SLEEF and other libraries.
KANE_BUILD sets the build folder (default build), like BUILD for make."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
SUMMARY = "Joint torques from BVH motion capture"


def version():
    return re.search(r'KANE_VERSION "(.*?)"', (TOP / "analysis/base/version.h").read_text()).group(1)


def soname():
    return re.search(r"^SONAME\s*:=\s*(\S+)", (TOP / "Makefile").read_text(), re.M).group(1)


def built(name):
    """Builds a file below the build folder if it is out of date and returns its path."""
    build = os.environ.get("KANE_BUILD", "build")
    target = f"{build}/{name}"
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["make", "-C", str(TOP), "-j", jobs, f"BUILD={build}", target], check=True)
    return TOP / target


def metadata():
    return (f"Metadata-Version: 2.1\nName: kane\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT\n"
            "Requires-Python: >=3.8\nProvides-Extra: clips\nRequires-Dist: numpy; extra == 'clips'\n"
            "Requires-Dist: xarray; extra == 'clips'\nRequires-Dist: h5py; extra == 'clips'\n"
            "Requires-Dist: pandas; extra == 'clips'\n")


def record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Hook called by pip: writes the wheel to wheel_directory and returns its file name."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    name = f"kane-{version()}-py3-none-{platform}.whl"
    about = f"kane-{version()}.dist-info"
    files = {f"kane/{p.name}": p.read_bytes() for p in sorted((HERE / "kane").glob("*.py"))}
    files["kane/libkane.so"] = built(f"package/{soname()}").read_bytes()
    files["kane/kane-scene"] = built("kane-scene").read_bytes()  # reads FBX files for the library beside it
    files[f"{about}/METADATA"] = metadata().encode()
    files[f"{about}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: kane\nRoot-Is-Purelib: false\n"
                               f"Tag: py3-none-{platform}\n").encode()
    files[f"{about}/RECORD"] = ("".join(record(n, d) for n, d in files.items()) + f"{about}/RECORD,,\n").encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if path == "kane/kane-scene" else 0o644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the wheel is built from a checkout of the project: pip install ./python")
