# Causes of a joint torque: terms that sum to the torque, for several clips and each joint.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/squat.bvh" "$TOP/data/jump.bvh" .
for clip in walk squat jump; do kane run $clip.bvh -o $clip.h5 2>/dev/null; done
# rounded: numbers to two digits, without negative zero
rounded() {
    awk -F '\t' -v OFS='\t' '{for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) {
        $i = sprintf("%.2f", $i); if ($i + 0 == 0) $i = "0.00"} print}'
}
show 'kane explain walk.h5 --joint left_knee | rounded'
echo '# every joint of every clip and frame: the largest difference of the sum of terms to the torque is below 1e-9 N m'
worst() {
    for joint in $(kane info --json $1 | jq -r '.joint_names[]'); do
        kane explain $1 --joint "$joint" --at 0.5 --series
    done | awk -F '\t' '
        /^#/ {next}
        $1 == "time_s" {
            for (i = 3; i <= NF; i++) {
                axis[i] = $i ~ /^(passive|active)_/ ? 0 : $i ~ /_x_nm$/ ? 1 : $i ~ /_y_nm$/ ? 2 : $i ~ /_z_nm$/ ? 3 : 0
                sign[i] = $i ~ /^torque_/ ? -1 : 1
            }
            next
        }
        {
            sum[1] = sum[2] = sum[3] = 0
            for (i = 3; i <= NF; i++) sum[axis[i]] += sign[i] * $i
            for (k = 1; k <= 3; k++) worst = sum[k] > worst ? sum[k] : -sum[k] > worst ? -sum[k] : worst
            rows++
        }
        END {print rows, "rows,", worst < 1e-9 ? "below 1e-9" : worst}'
}
show 'worst walk.h5; worst squat.h5; worst jump.h5'
echo '# what tissues and what muscles exert sum to the torque, in every frame that has an angle'
parts() {
    kane explain $1 --joint $2 --series --format jsonl | jq -s -r '
        map(select(.passive_x_nm)) | [length, (map([.torque_x_nm - .passive_x_nm - .active_x_nm,
        .torque_y_nm - .passive_y_nm - .active_y_nm, .torque_z_nm - .passive_z_nm - .active_z_nm] | map(fabs) | max)
        | max < 1e-9), (map(.passive_x_nm | fabs) | max | . * 10 | round / 10)] | @tsv'
}
show 'for joint in left_hip right_knee left_ankle; do parts walk.h5 $joint; done'
show 'kane explain squat.h5 --joint left_hip --at 1 | rounded | grep -e ^torque -e ^passive -e ^active'
echo '# none without strength, or where there are no curves; a table of one person is named again'
rows() { grep -c -e ^passive -e ^active || true; }
show 'kane angles --strength none walk.h5 | kane explain --joint left_knee --at 1 | rows; kane explain walk.h5 --joint head --at 1 | rows'
printf 'motion\ttorque_max\tspeed_max\tangle\twidth\teccentric\thalf\tpassive_zero\tpassive_one\nknee_extension\t200\t15\t1\t0.6\t1.2\t0.2\t0.2\t3\n' > own.tsv
kane angles --strength own.tsv squat.h5 -o own.h5
show 'kane explain own.h5 --joint left_knee --at 1 | rows; kane explain own.h5 --strength own.tsv --joint left_knee --at 1 | rounded | grep -e ^passive -e ^active'
echo '# the axes of the angles are not in the clip, and are those that its moment is about'
show 'kane angles --axes walk.h5 -o axes.h5; kane explain axes.h5 --at 1 > a; kane explain walk.h5 --at 1 | cmp - a'
echo '# a step of the cutoff, of an elbow, where no force of the ground jumps: as runs at other cutoffs give it'
for cutoff in 7.5 8 8.5; do kane run --smooth-cutoff $cutoff walk.bvh -o walk$cutoff.h5 2>/dev/null; done
elbow() { kane explain walk$1.h5 --joint left_elbow --at 2.1 --format jsonl | jq -c "$2"; }
predicted() { elbow 8 'select(.input == "cutoff").change_x_nm'; }
torque() { elbow $1 'select(.term == "torque").moment_x_nm'; }
show 'echo $(predicted) $(torque 8.5) $(torque 7.5) | awk "{printf \"%.1f times\\n\", (\$2 - \$3) / \$1}"'
echo '# measured forces stay where they are, and masses do not change them: no runs of ground and mass'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n0\tLeftFoot\t0\t700\t0\t0.1\t0\t0\t0\t0\t0\n9\tLeftFoot\t0\t700\t0\t0.1\t0\t0\t0\t0\t0\n' > forces.tsv
show 'kane run --contact-external forces.tsv squat.bvh -o measured.h5 2>/dev/null; kane explain measured.h5 --joint left_knee --at 1 | rounded | cut -f1-6,9'
echo '# what torque read is not in the clip'
show 'kane run --angles none --contact-method none --torque-external forces.tsv squat.bvh -o table.h5 2>/dev/null; kane explain table.h5 --joint left_knee --at 1'
show 'kane explain table.h5 --external forces.tsv --joint left_knee --at 1 | rounded | cut -f1-6'
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nband\taxial\tleft_knee\t0\t-0.2\t0.1\tleft_ankle\t0\t0\t-0.05\t3000\t0\t0.1\n' > band.tsv
show 'kane run --torque-springs band.tsv squat.bvh -o band.h5 2>/dev/null; kane explain band.h5 --springs band.tsv --joint left_ankle --at 1 | rounded | grep -e ^springs -e ^torque'
echo '# other masses than those of the torque'
show 'sed "s/3000/9000/" band.tsv > other.tsv; kane explain band.h5 --springs other.tsv --joint left_ankle --at 1'
show 'kane explain walk.h5 --joint nose'
show 'kane explain walk.h5 --joint hips'
show 'kane explain walk.h5 --at 99'
show 'kane import walk.bvh 2>/dev/null | kane explain'
show 'kane explain --format csv walk.h5 | head -n 1'
show 'kane explain --format jsonl walk.h5 | jq -c "keys | length" | sort | uniq -c'
echo "# Kane's equations: the tables 3.1 and 3.2 of the thesis, F_r + F*_r = 0, T = M u' - E, chosen speeds"
cp "$TOP/data/scenes/seven_bodies.xml" "$TOP/data/scenes/double_pendulum.xml" .
for scene in seven_bodies double_pendulum; do kane simulate $scene.xml --duration 1 -o $scene.h5 2>/dev/null; done
show "kane explain --equations seven_bodies.h5 --at 0.5 --speeds absolute | awk -F '\t' '\$1 ~ /_.x\$/ && NF == 9 && \$3 != \"0\" {print \$1, \$2, \$3, \$7 \$8 \$9 == \"100\" ? \"Nx\" : 0}'"
residuals() { awk '/^# largest/ {print ($5 < 1e-12 * (1 + $NF * 1e3)) ($10 < 1e-12 * (1 + $NF * 1e3))}'; }
show 'for speeds in absolute relative dof; do kane explain --equations seven_bodies.h5 --at 0.5 --speeds $speeds | residuals; done'
show 'for speeds in absolute relative; do kane explain --equations walk.h5 --speeds $speeds | residuals; done'
show 'kane explain --equations double_pendulum.h5 --at 0.5 | rounded | sed 2d'

echo '# forces of the solver against the motion: the residual is that of the step, a quarter with half of it; passive joints report nothing'
cp "$TOP/data/scenes/double_pendulum.xml" .
for dt in 0.001 0.0005; do
    kane simulate double_pendulum.xml --dt $dt --duration 1 2>/dev/null > coarse.h5
    kane explain --equations coarse.h5 --at 0.5 | sed -n 's/.*needs: up to //p'
done > residuals
show 'tr "\n" " " < residuals | awk "{ print (\$1 > 0 && \$1 < 1e-3), (\$1 / \$2 > 3.8 && \$1 / \$2 < 4.2) }"'
show 'kane export coarse.h5 --moments -o - | cut -f 5,6 | sort -u | tail -n 2'
printf 'speed\tof\tcoefficient\nlower_rate\tshoulder\t1\nlower_rate\telbow\t1\nelbow_rate\telbow\t1\n' > speeds.tsv
show 'kane explain --equations double_pendulum.h5 --at 0.5 --speeds speeds.tsv --format csv | cut -d, -f 1-5 | head -n 3 | sed "s/\([.][0-9]\{6\}\)[0-9]*/\1/g"'
show 'kane explain --equations double_pendulum.h5 --at 0.5 --format jsonl | jq -c "keys | length" | sort | uniq -c'
echo '# speeds that are none, and options without effect'
show 'sed "s/elbow/wrist/" speeds.tsv > bad.tsv; kane explain --equations double_pendulum.h5 --at 0.5 --speeds bad.tsv'
show 'sed 4d speeds.tsv > bad.tsv; kane explain --equations double_pendulum.h5 --at 0.5 --speeds bad.tsv'
show 'sed "s/elbow_rate\telbow\t1/elbow_rate\tshoulder\t0/" speeds.tsv > bad.tsv; kane explain --equations double_pendulum.h5 --at 0.5 --speeds bad.tsv'
show 'kane explain --equations walk.h5 --at 1 --speeds dof'
show 'kane explain walk.h5 --speeds relative'
show 'kane explain --equations walk.h5 --series'
show 'kane explain --equations walk.h5 --strength own.tsv'
show 'kane explain --equations walk.h5 --at 1 --joint left_knee'
show 'kane explain --equations walk.h5 --at 99'
echo '# spatial inertia of every body: closed forms against numbers; those with mass have an inverse'
show 'kane explain --inertia left_knee walk.h5 | rounded | sed 2d'
bodies() { for joint in $(kane info --json $1 | jq -r '.joint_names[]'); do kane explain --inertia "$joint" $1; done; }
show "bodies jump.h5 | awk '/residuals/ {n += \$5 + 0 < 1e-12 && \$13 + 0 < 1e-12; all++} END {print n, \"of\", all}'"
show 'kane import walk.bvh 2>/dev/null | kane explain --inertia hips'
show 'kane explain --inertia left_kne walk.h5'
show 'kane explain --inertia hips --at 1 walk.h5'
show 'kane explain --inertia hips --format jsonl walk.h5 | jq -c ".matrix" | sort | uniq -c'
