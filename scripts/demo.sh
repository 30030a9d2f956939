#!/bin/sh
# The whole chain on the clips of data/, and three questions to the index.
# usage: scripts/demo.sh [BUILD]      (from the top of the project; writes BUILD/demo)
set -eu
build=${1:-build}
kane=$build/kane
out=$build/demo
mkdir -p "$out"

title() { printf '\n== %s\n' "$*"; }
# Shows a command as a person would type it, then runs it.
show() {
    printf '$'
    for word; do
        case $word in
        *[!A-Za-z0-9_./,@=-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    echo
    "$@"
}

title "A folder of BVH files in, a container for each and one index out"
show "$kane" batch data -o "$out"

title "One clip in one command, and as a pipe of stages: the bytes are equal"
show "$kane" run data/walk.bvh -o "$out/run.h5"
echo "\$ kane import data/walk.bvh | kane body | kane smooth | kane diff | kane contact | kane torque | kane anatomy > pipe.h5"
"$kane" import data/walk.bvh | "$kane" body | "$kane" smooth | "$kane" diff | "$kane" contact | "$kane" torque |
    "$kane" anatomy > "$out/pipe.h5"
show cmp "$out/pipe.h5" "$out/run.h5"
rm "$out/pipe.h5" "$out/run.h5"

title "A body of one's own: the two cylinders of the thesis's pendulum"
show "$kane" run data/pendulum.bvh --body-segments data/pendulum_segments.tsv --smooth-method none -o "$out/pendulum.bvh.h5"
show "$kane" index "$out/index.db" "$out/pendulum.bvh.h5"

title "What does a container hold?"
show "$kane" info "$out/pendulum.bvh.h5"

title "Which clips load a knee most, in newton metres for each kilogram of body?"
show "$kane" query "$out/index.db" "left_knee_torque_peak_nm_kg > 0" \
    --columns path,left_knee_torque_peak_nm_kg,right_knee_torque_peak_nm_kg --order "left_knee_torque_peak_nm_kg DESC"

title "Which clips are hardest, in which joint, and when?"
show "$kane" query "$out/index.db" @hardest

title "Where are the peaks of torque?"
show "$kane" query "$out/index.db" @peaks --limit 5

if [ -e "$build/page.html" ]; then
    title "Pages to look at: every clip moving, its joints coloured by torque; open the first in a browser"
    show "$kane" report "$out/index.db" --pages -o "$out/pages"
    echo "$out/pages/index.html"
fi
