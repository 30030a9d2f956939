. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane import squat.bvh -o squat.h5 2>/dev/null
show 'kane trim --from 0.5 --to 1 squat.h5 | kane info | grep motion'
show 'kane trim --from 7 squat.h5 -o no.h5'
show 'kane resample --fps 60 squat.h5 | kane info | grep motion'
show 'kane resample squat.h5 -o no.h5'
kane export --format csv squat.h5 -o once.csv
show 'kane mirror squat.h5 | kane mirror | kane export --format csv | cmp - once.csv'
show 'kane mirror squat.h5 | kane export --format csv | cmp -s - once.csv'
show 'kane mirror squat.bvh 2>/dev/null | kane export --format csv >a.csv; kane mirror squat.h5 | kane export --format csv | cmp - a.csv'
show 'kane trim --from 0.1 --to 0.4 squat.bvh 2>/dev/null | kane resample --fps 30 - | kane info | grep motion'
show 'kane body --mass 62 --sex female squat.h5 | kane info | grep body'
show 'kane smooth --method savgol --window 7 squat.h5 | kane info | tail -n 1'
show 'kane smooth --cutoff auto squat.h5 | kane info | tail -n 1'
show 'kane kinematics --scheme backward squat.h5 | kane info | tail -n 1'
show 'kane contact --method none squat.h5 | kane info | tail -n 1'
show 'kane body squat.h5 | kane kinematics | kane contact | kane info | grep -o -e "[0-9]* points" -e "contact --.*"'

echo '# a stage says which one is missing'
show 'kane contact squat.h5 -o no.h5'
show 'kane torque squat.h5 -o no.h5'
show 'kane body squat.h5 | kane torque -o no.h5'

echo '# tables'
printf 'joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz\nSpine\t30\t0\t0.2\t0\t1\t1\t1\t0\t0\t0\n' > segments.tsv
show 'kane body --segments segments.tsv squat.h5 | kane info | grep body'
sed 's/Spine/Wing/' segments.tsv > wing.tsv
show 'kane body --segments wing.tsv squat.h5 -o no.h5'
show 'kane body --segments nothing.tsv squat.h5 -o no.h5'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n0\tLeftFoot\t0\t300\t0\t0.1\t0\t0.05\t0\t0\t0\n2\tLeftFoot\t0\t300\t0\t0.1\t0\t0.05\t0\t0\t0\n' > force.tsv
show 'kane body squat.h5 | kane kinematics | kane contact --external force.tsv | kane torque | kane info | tail -n 4'
show 'kane body squat.h5 | kane kinematics | kane torque --external force.tsv | kane info | tail -n 1'
show 'kane body squat.h5 | kane kinematics | kane contact --external force.tsv | kane torque --external force.tsv -o no.h5'
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nhip\trotational\tHips\t0\t0\t0\tLeftUpLeg\t0\t0\t0\t60\t2\t0\n' > springs.tsv
show 'kane body squat.h5 | kane kinematics | kane torque --springs springs.tsv | kane info | tail -n 1'
sed 's/turning/spiral/' springs.tsv > spiral.tsv
show 'kane body squat.h5 | kane kinematics | kane torque --springs spiral.tsv -o no.h5'
show 'kane contact --external force.tsv squat.h5 -o no.h5'
show 'kane contact --method external squat.h5 -o no.h5'
show 'kane body squat.h5 | kane kinematics | kane contact --external force.tsv --external-threshold -1 -o no.h5'
show 'kane body --model segments squat.h5 -o no.h5'

echo '# what is no container'
show 'kane body squat.bvh -o no.h5'
show 'kane body < /dev/null -o no.h5'
show 'head -c 3000 squat.h5 | kane body -o no.h5'
show 'cat squat.h5 squat.h5 | kane body -o both.h5'
show 'ls both.h5'
show 'cat squat.h5 squat.h5 | kane body | kane info | grep -c title'

echo '# history tells what holds: a stage run again replaces its line, a cut takes out what it dropped'
kane run "$TESTS/squat.bvh" --contact-method none -o whole.h5 2>/dev/null
show 'kane torque whole.h5 | kane info | sed -n "/^history/,\$p" | cut -c13- | cut -d" " -f1'
show 'kane trim --from 0.2 whole.h5 | kane info | sed -n "/^history/,\$p" | cut -c13- | cut -d" " -f1'
show 'kane body --mass 80 whole.h5 | kane info | sed -n "/^history/,\$p" | cut -c13- | cut -d" " -f1'
show 'kane trim whole.h5 -o cut.h5'
show 'kane smooth --cutoff 100 squat.h5 | kane info | tail -n 1'
show 'kane run squat.bvh --contact-method external -o no.h5'
show 'kane run squat.bvh --body-model segments -o no.h5'
show 'kane run --help | grep -e "the table of" -e "those of"'

echo '# sizes that nothing alive has'
show 'kane run squat.bvh --import-unit dm --contact-method none -o giant.h5'
show 'kane import squat.bvh --unit mm 2>/dev/null | kane body | kane info | grep ^body'

echo '# commands that require only motion take import options and write the motion alone to FILE.bvh'
show 'kane trim squat.bvh --from 0.1 --import-fps 50 -o cut.bvh'
show 'kane import cut.bvh -q | kane info | grep ^motion'
show 'kane body squat.h5 -o no.bvh'
