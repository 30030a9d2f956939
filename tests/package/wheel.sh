#!/bin/sh
# `pip install ./python` into a new virtual environment without network: the module imports outside of the checkout,
# runs the stages with the wheel's library and writes the bytes of `kane run`; errors state file, line and column.
# usage: tests/package/wheel.sh BUILD      from the top of the project; requires Python 3 with venv and pip
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "wheel: FAILED: $1" >&2; exit 1; }
python=/usr/bin/python3
$python -c 'import venv, ensurepip' 2>/dev/null || { echo "wheel: skipped: Python has no venv with pip (Debian: python3-venv)"; exit 0; }

$python -m venv "$work/venv" || fail "no virtual environment"
KANE_BUILD=$build "$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check ./python >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log" >&2; fail "pip install ./python"; }
[ "$(find "$work/venv" -name libkane.so | wc -l)" -eq 1 ] || fail "the wheel has no library"
version=$("$build/kane" --version | sed 's/^kane //')
"$build/kane" run --body-mass 62 data/walk.bvh -o "$work/run.h5" 2>/dev/null
"$build/kane" index "$work/i.db" "$work/run.h5" 2>/dev/null
peak=$("$build/kane" query "$work/i.db" --format csv --columns torque_peak_all_nm_kg | tail -n 1)
[ "$(find "$work/venv" -name py.typed -path '*/kane/*' | wc -l)" -eq 1 ] || fail "the wheel has no py.typed"
cp data/walk.bvh "$work/walk.bvh"
printf 'HIERARCHY\nROOT Hips\n{\n    OFFSET 0 0\n' >"$work/broken.bvh"
cat >"$work/use.py" <<'PYTHON'
import sys
import typing

import kane

version, peak = sys.argv[1], float(sys.argv[2])

assert "venv/" in kane.__file__, kane.__file__
assert kane.version() == kane.__version__ == version, (kane.version(), kane.__version__)
assert typing.get_type_hints(kane.version)["return"] is str
with kane.run("walk.bvh", body_mass=62) as clip:
    torque = clip.array("/dynamics/torque")
    assert tuple(torque.shape) == (181, 22, 3) and clip.frame_count == 181, torque.shape
    assert clip.roles[clip.joints.index("LeftLeg")] == "left_knee" and clip.parents[0] == -1
    assert abs(clip.total_mass - 62) < 1e-9 and "--mass 62" in clip.history
    clip.save("own.h5")
    shown, first = clip._repr_html_(), kane.picture.peaks(clip)[0]
    assert abs(first[0] - peak) < 1e-6 * peak, (first, peak)
    assert shown.count("<path") == 21 and f"{peak:.2f} ± {first[1]:.2f}</td>" in shown and "62.0 kg" in shown, shown
assert "closed" in clip._repr_html_()
with kane.run("walk.bvh", torque_uncertainty="none") as plain:
    assert "±" not in plain._repr_html_() and "<svg" in plain._repr_html_()
    for wrong in ("/dynamics/none", "torque"):
        try:
            clip.array(wrong)
        except KeyError:
            continue
        raise AssertionError(wrong)
for call, line in ((lambda: kane.run("broken.bvh"), 5), (lambda: kane.run("walk.bvh", none=1), 0)):
    try:
        call()
    except kane.KaneError as error:
        assert error.line == line, (error.line, str(error))
    else:
        raise AssertionError("no error")
for wrong, said in (({"body_mas": 62}, "run: unknown option body_mas; did you mean body_mass?"),
                    ({"smooth_cutof": 8}, "run: unknown option smooth_cutof; did you mean smooth_cutoff?"),
                    ({"body_mass": -1}, 'run: body_mass: expected a positive number, found "-1"')):
    try:
        kane.run("walk.bvh", **wrong)
    except kane.KaneError as error:
        assert str(error) == said, str(error)
    else:
        raise AssertionError(wrong)
PYTHON
(cd "$work" && venv/bin/python use.py "$version" "$peak") || fail "the installed module"
cmp "$work/own.h5" "$work/run.h5" || fail "the clip file differs from that of kane run"
echo "wheel: installed by pip, imported, and the bytes of kane run"
