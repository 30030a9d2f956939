#!/bin/sh
# Runs all stages on the clips of data/, then three queries of the index.
# usage: scripts/demo.sh [BUILD]      (from the top of the project; writes BUILD/demo)
set -eu
build=${1:-build}
kane=$build/kane
out=$build/demo
mkdir -p "$out"

title() { printf '\n== %s\n' "$*"; }
# Prints a command as typed in a shell, then runs it.
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

title "Process a folder of BVH files: one clip file per file, and one index"
show "$kane" batch data -o "$out"

title "Process one clip with one command, then stage by stage: the output is byte-identical"
show "$kane" run data/walk.bvh -o "$out/run.h5"
echo "\$ kane import data/walk.bvh | kane body | kane smooth | kane kinematics | kane contact | kane torque | kane angles > pipe.h5"
"$kane" import data/walk.bvh | "$kane" body | "$kane" smooth | "$kane" kinematics | "$kane" contact | "$kane" torque |
    "$kane" angles > "$out/pipe.h5"
show cmp "$out/pipe.h5" "$out/run.h5"
rm "$out/pipe.h5" "$out/run.h5"

title "Use your own segment inertias: the two cylinders of a pendulum"
show "$kane" run data/pendulum.bvh --body-segments data/pendulum_segments.tsv --smooth-method none -o "$out/pendulum.bvh.h5"
show "$kane" index "$out/index.db" "$out/pendulum.bvh.h5"

title "What does a clip file contain?"
show "$kane" info "$out/pendulum.bvh.h5"

title "Which clips load the knees most, in N m per kilogram of body mass?"
show "$kane" query "$out/index.db" "left_knee_torque_peak_nm_kg > 0" \
    --columns path,left_knee_torque_peak_nm_kg,right_knee_torque_peak_nm_kg --order "left_knee_torque_peak_nm_kg DESC"

title "Which clips have the highest torque, in which joint, and when?"
show "$kane" query "$out/index.db" @hardest

title "Where are the torque peaks?"
show "$kane" query "$out/index.db" @peaks --limit 5

if [ -e "$build/report.html" ]; then
    title "Report pages: every clip, coloured by torque; open the last line in a browser"
    show "$kane" report "$out/index.db" --pages -o "$out/pages"
    echo "$out/pages/index.html"
fi
printf '\n%s\n' "Next: export PATH=\$PWD/$build:\$PATH, then docs/tutorial.md"
