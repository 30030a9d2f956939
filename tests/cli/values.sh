# All numbers behind pictures and results: a wrong sign, bound or index changes one of them.
. "$TESTS/show.sh"
kane run --torque-uncertainty none "$TOP/data/walk.bvh" -q -o walk.h5
cp "$TESTS/squat.bvh" .
kane run --torque-uncertainty none squat.bvh -q -o squat.h5
# values OPTION...: for each curve of a plot its title, number of points, first and last row, and the extremes of each
# column; the script lines with ranges, ticks and labels.
values() {
    kane plot --format gnuplot "$@" > plot.gp
    grep -E '^set (xrange|yrange|ytics|xlabel|ylabel|title)' plot.gp
    awk '/^\$curve[0-9]+ <</ { name = $1; rows = 0; next }
         /^END$/ && name { printf "%s %d rows; %s; %s;", name, rows, first, last
                           for (c = 2; c <= fields; c++) printf " %s to %s", low[c], high[c]
                           print ""; name = "" }
         name { if (!rows++) { first = $0; fields = NF; for (c = 2; c <= NF; c++) low[c] = high[c] = $c }
                last = $0
                for (c = 2; c <= NF; c++) if ($c != "nan") { if (low[c] == "nan" || $c < low[c]) low[c] = $c
                                                             if (high[c] == "nan" || $c > high[c]) high[c] = $c } }' plot.gp
    grep -o "title '[^']*'" plot.gp | sort | uniq -c | sed 's/^ *//'
}
echo '# joints'
for quantity in torque power angular-velocity contact-force; do
    show "values --quantity $quantity --joint Hips --role left_knee,right_toe walk.h5"
done
for component in x y z; do show "values --component $component --role left_knee --per-kg walk.h5"; done
echo '# anatomical coordinates: each has its own joint'
show 'values --coordinate left_knee_flexion,right_hip_adduction walk.h5'
for quantity in angle moment utilization; do
    show "values --quantity $quantity --coordinate right_elbow_flexion --joint LeftLeg walk.h5"
done
show 'values --coordinate left_knee_flexion --per-kg walk.h5'
echo '# several clips, cycles, all frames'
show 'values --role left_knee,right_hip walk.h5 squat.h5'
show 'values --cycle left --role left_knee walk.h5'
show 'values --all-frames --role left_knee squat.h5'

echo '# frames of a clip without angles have none, and the rest of it'
kane run --angles none --torque-uncertainty none squat.bvh -q -o bare.h5
kane index bare.db bare.h5 -j 1 2>/dev/null
show "kane query bare.db --format tsv --sql \"SELECT count(*), count(angle_1), count(moment_1), count(utilization_1), count(torque) FROM kane_frames('bare.h5')\""
show "kane query bare.db --format tsv --sql \"SELECT joint, count(*), round(max(torque), 6) FROM kane_frames('bare.h5') GROUP BY joint\""

echo '# clips that meet in one frame are two; those that share an interval are refused'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n' > plates.tsv
for t in 0 0.5 1 1.5 2 2.5 3; do printf '%s\tLeftFoot\t0\t300\t0\t0\t0\t0\t0\t0\t0\n' $t; done >> plates.tsv
measured_interval() { kane trim --from "$1" --to "$2" walk.h5 2>/dev/null | kane kinematics 2>/dev/null |
         kane contact --external plates.tsv -o "$3" 2>/dev/null; }
measured_interval 0 1 early.h5
measured_interval 1 2 late.h5
measured_interval 0.9833 2 overlap.h5
for other in late overlap; do show "kane calibrate early.h5 $other.h5 -o none.tsv"; done
