#!/bin/sh
# Makes the Python source archive of a release from the source archive, and builds a wheel of it with pip, without
# network: the module gives the bytes of KANE.
# usage: tests/release/sdist.sh KANE SOURCE.tar.xz RELEASE      from the top of the project
set -eu
kane=$(realpath "$1") source=$(realpath "$2") release=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: sdist: FAILED: $1" >&2; exit 1; }
tar -xf "$source" -C "$work"
name=$(cd "$work"/kane-*/python && python3 -c 'import build_wheel, sys; print(build_wheel.build_sdist(sys.argv[1]))' "$release")
/usr/bin/python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "release: sdist: skipped: Python has no venv with pip (python3-venv)"; exit 0; }
/usr/bin/python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$release/$name" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "pip install $name"; }
cp data/walk.bvh "$work/"
(cd "$work" && venv/bin/python -c 'import kane; assert kane.__version__ == kane.version(); kane.run("walk.bvh").save("own.h5")') || fail "the module"
(cd "$work" && "$kane" run walk.bvh -o walk.h5 2>/dev/null)
cmp "$work/walk.h5" "$work/own.h5" || fail "another clip file than that of kane run"
echo "release: sdist: $name builds with pip: the bytes of kane run"
