#!/bin/sh
# Tests the pages of kane report in Debian's headless Chromium.
# usage: tests/page/run.sh KANE MADE_LIBRARY
# KANE_PAGE_TESTS=PATTERN runs the tests with matching names; KANE_SHOTS=DIR keeps pictures;
# KANE_PAGE_LONG=1 runs the long tests too and asserts the bounds of speed.
set -eu
fail() { echo "page-tests: FAILED: $1"; exit 1; }
kane=$(realpath "$1") made=$(realpath "$2")
top=$(cd "$(dirname "$0")/../.." && pwd)
for program in node npm; do
    command -v $program >/dev/null || fail "no $program (scripts/setup.sh ci installs it)"
done
CHROMIUM=$("$top/tests/support/chromium.sh") || fail "no Chromium (scripts/setup.sh ci installs it)"
export CHROMIUM
"$top/web/report/packages.sh" || fail "npm ci"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
quietly() { "$@" >log 2>&1 || { cat log >&2; fail "$*"; }; }
quietly node "$top/web/report/build.mjs" "$work/page.html"
report() { quietly "$kane" report --page "$work/page.html" "$@"; }

quietly "$kane" run "$top/data/walk.bvh" -o walk.h5
quietly "$kane" run --torque-error-limit 1 "$top/data/jump.bvh" -o jump.h5 # peaks are trusted
quietly "$kane" run --torque-uncertainty fast "$top/data/walk.bvh" -o banded.h5
report banded.h5 -o banded.html
quietly "$kane" run --torque-uncertainty none "$top/data/walk.bvh" -o plain.h5
report plain.h5 -o plain.html
quietly "$kane" export --coordinates banded.h5 -o banded.csv
quietly "$kane" track jump.h5 -o track.h5
quietly "$kane" import "$top/data/jump.bvh" -o bare.h5
report walk.h5 -o walk.html
quietly "$kane" export --camera follow walk.h5 -o camera.csv
report jump.h5 -o jump.html
report bare.h5 -o bare.html
quietly "$kane" run --import-fps 300 "$top/data/jump.bvh" -o fast.h5
report fast.h5 -o fast.html
quietly sh -c '"$0" verdict --json --frames fast.h5 >fast.json' "$kane"
report jump.h5 walk.h5 -o two.html
quietly "$kane" retarget --to "$top/data/walk.bvh" jump.h5 -o moved.h5
report jump.h5 moved.h5 -o moved.html
report moved.h5 jump.h5 -o moved_first.html
quietly "$kane" trim --from 1 jump.h5 -o late.h5
report late.h5 walk.h5 -o late.html
quietly "$kane" trim --from 0.5 --to 0.501 bare.h5 -o frame.h5
quietly sh -c '"$0" body frame.h5 | "$0" smooth --method none | "$0" kinematics | "$0" contact | "$0" torque >one.h5' "$kane"
report one.h5 -o one.html
sed 's/JOINT Lower/JOINT b_lower/' "$top/data/pendulum.bvh" >lower.bvh
quietly "$kane" run lower.bvh -o lower.h5
report lower.h5 -o lower.html
report track.h5 --controller stable-pd,kane -o controllers.html
report track.h5 --controller kane -o six.html
quietly "$kane" run --body-mass 7000000 "$top/data/walk.bvh" -o heavy.h5
report heavy.h5 -o heavy.html

# Names that would be code if the page inserted them as HTML.
mkdir takes
sed 's/JOINT LeftLeg/JOINT <img_src=x_onerror=alert(1)><\/script>/' "$top/data/jump.bvh" >'takes/<img src=x onerror=alert(1)>.bvh'
cp "$top/data/walk.bvh" "$top/data/squat.bvh" takes
quietly "$kane" batch takes -o library
report library/index.db --pages -o pages
answer() { quietly "$kane" query library/index.db --page page.html "$@"; }
answer @peaks --limit 40 -o pages/answer.html
answer "duration_s > 0" -o apart.html
quietly sh -c '"$0" query library/index.db --page page.html "duration_s < 0" -o none.html || [ $? = 1 ]' "$kane"

# A large library of synthetic clips.
quietly "$made" many.db 3076 0 library/squat.bvh.h5 walk.h5 jump.h5
report many.db -o many

if [ "${KANE_PAGE_LONG:-}" = 1 ]; then
    # A non-human rig of many joints: more points than the maximum number of function arguments.
    node "$top/tests/page/long_clip.mjs" "$top/data/jump.bvh" joints.bvh 400 500
    awk '/^[ \t]*(JOINT|ROOT)/ { $2 = "part" ++n } 1' joints.bvh >rig.bvh
    quietly "$kane" import rig.bvh -o rig.h5
    report rig.h5 -o rig.html
    report rig.h5 walk.h5 -o rigs.html

    # Ten minutes of 31 joints at 120 Hz.
    node "$top/tests/page/long_clip.mjs" "$top/data/jump.bvh" long.bvh
    quietly "$kane" run --float32 long.bvh -o long.h5
    rm long.bvh
    report long.h5 -o long.html
    rm long.h5
fi

cd "$top"
PAGES=$work KANE_SHOTS=${KANE_SHOTS:-} node --test ${KANE_PAGE_TESTS:+"--test-name-pattern=$KANE_PAGE_TESTS"} --test-concurrency=1 --test-reporter=spec tests/page/*.test.mjs
