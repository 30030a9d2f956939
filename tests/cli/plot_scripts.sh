# The scripts that `kane plot` has gnuplot draw: titles, axes, colours, dashes, shades and every 40th row of the numbers.
. "$TESTS/show.sh"
kane run "$TOP/data/walk.bvh" -q --torque-uncertainty fast -o walk.h5
kane run "$TOP/data/jump.bvh" -q -o jump.h5
kane trim walk.h5 -q --from 0.5 --to 2 -o part.h5
# script OPTION...: the text, of the numbers every 40th row of a block and its last.
script() {
    kane plot "$@" --format gnuplot | awk '/^\$curve.*<</ {print; n = 0; block = 1; next}
        block && /^[^0-9.-]/ {print last; block = 0} !block {print; next} n++ % 40 == 0 {print} {last = $0}'
}
each() { while IFS= read -r line; do show "$line"; done; }
each <<'LINES'
script walk.h5 --role left_knee
script walk.h5 --role left_knee,right_knee --component x --per-kg --all-frames
script walk.h5 jump.h5 --quantity power --role left_hip
script walk.h5 part.h5 --quantity angular-velocity --role left_hip,right_ankle --component z --size 400x300
script jump.h5 --quantity contact-force --component y
script walk.h5 --cycle left --quantity moment --coordinate left_knee_flexion
script walk.h5 part.h5 --cycle right --role right_ankle --all-frames
script walk.h5 --quantity utilization --role left_ankle
script walk.h5 --joint Hips
LINES
