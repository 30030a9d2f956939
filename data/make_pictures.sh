#!/bin/sh
# Draws the pictures of the README and the documents into data/: data/make_pictures.sh KANE BUILD
# A picture whose program is not installed is kept. Each picture must be smaller than 200 kB.
set -eu
[ $# -eq 2 ] || { echo "usage: data/make_pictures.sh KANE BUILD" >&2; exit 2; }
data=$(cd "$(dirname "$0")" && pwd) top=$(realpath "$(dirname "$0")/..")
kane=$(realpath "$1") build=$(realpath "$2")
"$kane" run "$data/walk.bvh" -o "$build/walk.h5" 2>/dev/null

# keep NAME: copies the picture BUILD/NAME to data/.
keep() {
    [ "$(wc -c <"$build/$1")" -le 200000 ] || { echo "pictures: $1 is larger than 200 kB" >&2; exit 1; }
    cp "$build/$1" "$data/$1"
    echo "pictures: data/$1"
}

if command -v gnuplot >/dev/null; then
    "$kane" plot "$build/walk.h5" --role left_hip,left_knee,left_ankle --per-kg --size 960x420 \
        -o "$build/picture_plot.svg"
    keep picture_plot.svg
    "$kane" run "$data/jump.bvh" --body-mass 62 2>/dev/null | "$kane" plot --role left_hip,left_knee,left_ankle --per-kg \
        --size 960x420 -o "$build/picture_jump_leg.svg"
    keep picture_jump_leg.svg
    make -s -C "$top" BUILD="$build" "$build/tests/groundtruth/strength_curves"
    "$build/tests/groundtruth/strength_curves" >"$build/strength_curves.txt"
    gnuplot -e "curves='$build/strength_curves.txt'; picture='$build/picture_strength.svg'" "$data/strength_figure.gp"
    keep picture_strength.svg
else
    echo "pictures: picture_plot.svg, picture_jump_leg.svg, picture_strength.svg: skipped: gnuplot is not installed"
fi

if command -v blender >/dev/null; then
    blender -b --factory-startup --python-exit-code 1 --python "$data/render_picture.py" -- "$top/scripts/blender" "$kane" \
        "$build/walk.h5" "$build/picture_blender.png" >"$build/picture_blender.log" 2>&1
    keep picture_blender.png
else
    echo "pictures: picture_blender.png: skipped: Blender is not installed"
fi

if chromium=$("$top/tests/support/chromium.sh") && "$kane" run "$data/jump.bvh" 2>/dev/null | "$kane" report -o "$build/picture.html"; then
    sandbox=
    [ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
    "$chromium" --headless $sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --window-size=1200,700 \
        --virtual-time-budget=4000 --screenshot="$build/picture_report.png" \
        "file://$build/picture.html#t=0.84&joint=right_knee" >"$build/picture_report.log" 2>&1
    keep picture_report.png
else
    echo "pictures: picture_report.png: skipped: Chromium or the page (make page) is not there"
fi
