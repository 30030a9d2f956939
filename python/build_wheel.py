"""Build backend for pip (PEP 517) without dependencies: compiles libkane with make and packages it with the module
`kane`.

The wheel that pip builds works on the build machine, since libkane loads the system's HDF5, SQLite, SLEEF and other
libraries; scripts/release/wheel.py puts them into the wheel of a release. KANE_BUILD sets the build folder (default
build), like BUILD for make."""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
SUMMARY = "Joint torques from motion capture"
# Folders and files of a checkout that a build of libkane and its helper reads; generated/ is in source archives.
SOURCES = ("LICENSE", "Makefile", "README.md", "analysis", "data", "formats", "generated", "library", "needs.mk", "pipeline",
           "python", "release.mk", "scene_helper", "scripts", "tests/links.mk", "web/build.mk")
LEFT_OUT = re.compile(r"__pycache__|^data/picture")


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


def module_files():
    """The Python files of the module: {path in the wheel: bytes}."""
    return {f"kane/{p.name}": p.read_bytes() for p in sorted((HERE / "kane").iterdir()) if p.suffix in (".py", ".typed")}


def write_wheel(directory, platform, files):
    """Writes a wheel of files for a platform tag and returns its name."""
    name = f"kane-{version()}-py3-none-{platform}.whl"
    about = f"kane-{version()}.dist-info"
    files = dict(files)
    files[f"{about}/METADATA"] = metadata().encode()
    files[f"{about}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: kane\nRoot-Is-Purelib: false\n"
                               f"Tag: py3-none-{platform}\n").encode()
    files[f"{about}/RECORD"] = ("".join(record(n, d) for n, d in files.items()) + f"{about}/RECORD,,\n").encode()
    with zipfile.ZipFile(pathlib.Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, date_time=(2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if path == "kane/kane-scene" else 0o644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Hook called by pip: writes the wheel to wheel_directory and returns its file name."""
    files = module_files()
    files["kane/libkane.so"] = built(f"package/{soname()}").read_bytes()
    files["kane/kane-scene"] = built("kane-scene").read_bytes()  # reads FBX files for the library beside it
    return write_wheel(wheel_directory, re.sub(r"[-.]", "_", sysconfig.get_platform()), files)


def source_files():
    for name in SOURCES:
        path = TOP / name
        yield from [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())


def build_sdist(sdist_directory, config_settings=None):
    """Hook called by pip and build: the sources that a wheel is built from, with its own pyproject.toml at the top."""
    name = f"kane-{version()}"
    files = {str(p.relative_to(TOP)): p for p in source_files() if not LEFT_OUT.search(str(p.relative_to(TOP)))}
    texts = {"PKG-INFO": metadata().encode(),
             "pyproject.toml": (HERE / "pyproject.toml").read_bytes().replace(b'["."]', b'["python"]')}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted([*files, *texts]):
            content = texts.get(path) or files[path].read_bytes()
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode = len(content), 0o755 if path in files and os.access(files[path], os.X_OK) else 0o644
            archive.addfile(entry, io.BytesIO(content))
    target = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    target.write_bytes(gzip.compress(data.getvalue(), mtime=0))
    return target.name
