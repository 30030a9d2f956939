#!/bin/sh
# The wheel of a release: auditwheel's rules, and in a bare root with Python alone it imports, has the version, and runs a
# clip with the bytes of KANE; it has type hints, a picture for notebooks and "did you mean" for options. Planted faults in
# the wheel are found.
# usage: tests/release/wheel.sh KANE WHEEL BUILD      from the top of the project
set -eu
kane=$(realpath "$1") wheel=$2 build=$3
. tests/release/root.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: wheel: FAILED: $1" >&2; exit 1; }

scripts/release/check_wheel.py "$wheel" || fail "auditwheel's rules"
mkdir "$work/bad" "$work/open"
python3 -m zipfile -e "$wheel" "$work/open"
rm "$work"/open/kane.libs/libsleef*
echo '# changed' >>"$work/open/kane/__init__.py"
(cd "$work/open" && python3 -m zipfile -c "$work/bad/$(basename "$wheel")" kane* )
scripts/release/check_wheel.py "$work/bad/$(basename "$wheel")" >"$work/found" && fail "a wheel without libsleef is accepted"
grep -q 'libkane.so: needs libsleef' "$work/found" || fail "the missing library is not named"
grep -q '^kane/__init__.py: RECORD' "$work/found" || fail "the changed file is not named"

make_root "$work/bare" python3-venv || exit 0
cp "$wheel" data/walk.bvh "$work/bare/tmp/"
cat >"$work/bare/tmp/use.py" <<'PYTHON'
import pathlib
import typing
import kane
assert kane.__version__ == kane.version(), (kane.__version__, kane.version())
with kane.run("walk.bvh") as clip:
    clip.save("walk.h5")
    picture = clip._repr_html_()
assert "<svg" in picture and "N m/kg" in picture
try:
    kane.run("walk.bvh", body_mas=62)
except kane.KaneError as error:
    assert "did you mean body_mass?" in str(error), error
else:
    raise AssertionError("body_mas is taken")
assert typing.get_type_hints(kane.run)["return"] is kane.Clip
assert (pathlib.Path(kane.__file__).parent / "py.typed").is_file()
PYTHON
in_root "$work/bare" sh -c 'python3 -m venv venv && venv/bin/pip install --quiet --no-index ./*.whl && venv/bin/python use.py' || fail "the installed module"
(cd "$work" && cp root/tmp/walk.bvh . && "$kane" run walk.bvh -o walk.h5 2>/dev/null)
cmp "$work/walk.h5" "$work/bare/tmp/walk.h5" || fail "another clip file than that of kane run"
echo "release: wheel: imported in a bare root with Python alone: the bytes of kane run"
