# The same input and options give the same bytes: in a pipe, in one process, at any time, at any vector width.
. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane run squat.bvh -o run.h5 2>/dev/null
kane import squat.bvh 2>/dev/null | kane body | kane smooth | kane kinematics | kane contact |
    kane torque | kane angles > pipe.h5
show 'cmp run.h5 pipe.h5'
kane run --body-mass 62 --smooth-method none --kinematics-scheme fivepoint squat.bvh -o run2.h5 2>/dev/null
kane import squat.bvh 2>/dev/null | kane body --mass 62 | kane smooth --method none | kane kinematics --scheme fivepoint |
    kane contact | kane torque | kane angles > pipe2.h5
show 'cmp run2.h5 pipe2.h5'
show 'cmp -s run.h5 run2.h5'

echo '# the uncertainty of torques: in a pipe, at any width, from any worker'
kane run --torque-uncertainty fast squat.bvh -o sure.h5 2>/dev/null
kane import squat.bvh 2>/dev/null | kane body | kane smooth | kane kinematics | kane contact |
    kane torque --uncertainty fast | kane angles > sure_pipe.h5
show 'cmp sure.h5 sure_pipe.h5'
show 'KANE_LANES=1 kane run --torque-uncertainty fast squat.bvh 2>/dev/null | cmp - sure.h5'
mkdir one
cp squat.bvh one
show 'kane batch one -o out --store full --torque-uncertainty fast 2>/dev/null; cmp out/squat.bvh.h5 sure.h5'
show 'kane query out/index.db "left_knee_torque_peak_sd_nm_kg > 0" --columns path'

echo '# another day, another place, another time zone'
mkdir away
cp squat.bvh away
touch -d 2001-02-03 away/squat.bvh
(cd away && TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$KANE" run squat.bvh > ../away.h5 2>/dev/null)
show 'cmp run.h5 away.h5'
for lanes in 1 2 4 8; do
    KANE_LANES=$lanes "$KANE" run squat.bvh -o lanes.h5 2>/dev/null
    show "cmp run.h5 lanes.h5 # $lanes lanes"
done
show 'KANE_LANES=3 kane run squat.bvh -o no.h5 2>&1 | tail -n 1'

echo '# archives hold the same clip in less'
kane run --compress 9 squat.bvh -o small.h5 2>/dev/null
kane run --float32 squat.bvh -o single.h5 2>/dev/null
show 'kane export run.h5 > run.tsv; kane export small.h5 | cmp - run.tsv'
show 'test $(wc -c < single.h5) -lt $(wc -c < run.h5)'
