. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane import squat.bvh -o squat.h5 2>/dev/null
kane import "$TOP/data/walk.bvh" -o walk.h5 2>/dev/null
show 'kane retarget --to squat.bvh walk.h5 | kane info'
show 'kane retarget --to squat.h5 --no-plant --hands body walk.h5 -o no_plant.h5'
show 'kane info --json no_plant.h5 | grep -o "retarget_[a-z_]*"'
show 'kane retarget --to squat.bvh walk.h5 2>/dev/null | kane export --format bvh | head -n 3'

echo '# each joint keeps the channels of its file, in their order; a clip on another skeleton has those of that skeleton'
sed 's/Zrotation Xrotation Yrotation/Xrotation Yrotation Zrotation/' squat.bvh > order.bvh
channels() { grep -o 'CHANNELS.*rotation' "$1"; }
kane import order.bvh 2>/dev/null | kane export --format bvh -o same.bvh
kane retarget --to order.bvh walk.h5 2>/dev/null | kane export --format bvh -o moved.bvh
channels order.bvh > order.txt
show 'sort order.txt | uniq -c'
show 'channels same.bvh | cmp - order.txt && channels moved.bvh | cmp - order.txt'

echo '# the map, there and back'
show 'kane retarget --to squat.bvh --print-map walk.h5'
kane retarget --to squat.bvh --print-map walk.h5 > map.tsv
kane retarget --to squat.bvh walk.h5 2>/dev/null | kane export --format csv > auto.csv
kane retarget --to squat.bvh --map map.tsv walk.h5 2>/dev/null | kane export --format csv > mapped.csv
show 'cmp auto.csv mapped.csv'
printf 'target\tsource\tweight\nHips\tHips\t0\n' > zero.tsv
show 'kane retarget --to squat.bvh --map zero.tsv walk.h5 -o no.h5'
printf 'target\tsource\nWing\tHips\n' > wing.tsv
show 'kane retarget --to squat.bvh --map wing.tsv walk.h5 -o no.h5'

echo '# joint limits'
printf 'role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nleft_hip\t-180\t180\t-90\t90\t-5\t5\n' > limits.tsv
show 'kane retarget --to squat.bvh --limits limits.tsv walk.h5 | kane info | grep retarget'
sed 's/-5\t5/5\t-5/' limits.tsv > crossed.tsv
show 'kane retarget --to squat.bvh --limits crossed.tsv walk.h5 -o no.h5'
sed 's/left_hip/left_wing/' limits.tsv > wing.tsv
show 'kane retarget --to squat.bvh --limits wing.tsv walk.h5 -o no.h5'

echo '# what cannot be'
show 'kane retarget walk.h5 -o no.h5'
show 'kane retarget --to nothing.bvh walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --rest frame:9999 walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --rest standing walk.h5 -o no.h5'
show 'kane retarget --to "$TOP/data/pendulum.bvh" walk.h5 -o no.h5'
show 'ls no.h5'
