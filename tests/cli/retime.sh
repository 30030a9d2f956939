. "$TESTS/show.sh"
cp "$TOP/data/squat.bvh" "$TOP/data/jump.bvh" .
kane run -q squat.bvh -o squat.h5
echo '# within its limits: the same motion, bit for bit'
show 'kane retime squat.h5 -o same.h5'
datasets() { h5dump -d /motion/rotation -d /motion/root_position -d /time "$1" | tail -n +2; }
show 'datasets squat.h5 > a; datasets same.h5 | cmp - a'
kane import -q squat.bvh -o motion.h5
show 'kane retime motion.h5 -o unfiltered.h5; datasets motion.h5 > a; datasets unfiltered.h5 | cmp - a'

echo '# a jump twice as fast: the flight takes the time of gravity, and the knees are within their limits'
kane run -q --import-fps 200 jump.bvh -o fast.h5
printf 'joint\ttorque\nleft_knee\t160\nright_knee\t160\n' > limits.tsv
show 'kane retime fast.h5 --torque-limits limits.tsv -o slow.h5'
show 'kane info slow.h5 | grep -A9 ^history | grep -o "retime.*"'
knees() {
    kane export --moments "$1" --format csv | awk -F, '
        NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ /^(Left|Right)Leg_moment_world/) c[++n] = i; next}
        {for (k = 1; k <= n; k += 3) {m = sqrt($c[k]^2 + $c[k+1]^2 + $c[k+2]^2); if (m > max) max = m}}
        END {printf "%.0f N m\n", max}'
}
show 'knees slow.h5'
show 'kane retime --import-fps 200 jump.bvh --torque-limits limits.tsv -o slow.bvh; grep -c . slow.bvh'
show 'kane run slow.bvh -q -o again.h5; knees again.h5'
show 'kane retime slow.h5 --torque-limits limits.tsv -o twice.h5'

echo '# a band of error'
show 'kane retime fast.h5 --torque-limits limits.tsv --within low -o low.h5'

echo '# what gravity alone loads: listed, written, exit code 1'
printf 'joint\ttorque\nleft_knee\t20\n' > weak.tsv
show 'kane retime squat.h5 --torque-limits weak.tsv -o weak.h5'

echo '# wrong usage'
printf 'joint\ttorque\nwing\t20\n' > wing.tsv
show 'kane retime squat.h5 --torque-limits wing.tsv -o no.h5'
show 'kane retime squat.h5 --strength-share 0 -o no.h5'
show 'kane retime squat.h5 --within sure -o no.h5'
show 'kane run -q --angles none squat.bvh | kane retime -o no.h5'
show 'kane trim --to 0.02 squat.h5 2>/dev/null | kane retime -o no.h5'
show 'ls no.h5'
