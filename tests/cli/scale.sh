# Scaling to another body size: options, output, errors.
. "$TESTS/show.sh"
kane run "$TOP/data/walk.bvh" -o walk.h5 2>/dev/null
show 'kane scale --stature 2.1 --mass 120 walk.h5 -o giant.h5'
show 'kane info giant.h5 | grep -E "size|body|history|scale|kinematics|contact|torque"'
show 'kane scale --factor 0.5 --time similar < walk.h5 | kane info | grep -E "motion|body|ground"'

echo '# a giant that moves at the old pace: no frame of it can be explained, which is told'
show 'kane scale --factor 10 walk.h5 -o fast.h5'

echo '# without a body nothing is known of its size; a clip that is only smoothed has no torques to tell of'
show 'kane import "$TOP/data/walk.bvh" 2>/dev/null | kane scale --factor 2 -o no.h5'
show 'kane import "$TOP/data/walk.bvh" 2>/dev/null | kane body | kane scale --factor 2 | kane info | grep body'
show 'kane scale walk.h5 -o no.h5'
show 'kane scale --factor 2 --stature 2 walk.h5 -o no.h5'
show 'kane scale --factor -1 walk.h5 -o no.h5'

echo '# measured forces are kept and scaled; a table of springs is not in the clip'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n' > forces.tsv
printf '%s\tLeftFoot\t0\t600\t0\t0\t0\t0\t0\t0\t0\n' 0 9 >> forces.tsv
kane run --contact-external forces.tsv "$TOP/data/walk.bvh" -o measured.h5 2>/dev/null
show 'kane scale --factor 1.1 --mass 77 measured.h5 -o no.h5 2>&1 | cut -c 1-150; kane info no.h5 | grep external'
cp no.h5 forced.h5
echo 'name kind joint_a ax ay az joint_b bx by bz stiffness damping rest' | tr ' ' '\t' > springs.tsv
printf 'band\taxial\tHips\t0\t0\t0\tSpine\t0\t0\t0\t10\t0\t0.1\n' >> springs.tsv
kane run --torque-springs springs.tsv "$TOP/data/walk.bvh" -o springs.h5 2>/dev/null
show 'kane scale --factor 1.1 --force springs.h5 -o no.h5; kane info no.h5 | grep -E "scale|dynamics"'

echo '# so they are at another frame rate'
show 'kane resample --fps 30 measured.h5 -o no.h5; kane info no.h5 | grep external'
show 'kane resample --fps 30 --force springs.h5 -o no.h5'

echo '# warnings of scaling and mirroring stay with the clip'
sed 's/OFFSET 9 -5 0/OFFSET 10 -5 0/' "$TESTS/squat.bvh" >uneven.bvh
kane import uneven.bvh 2>/dev/null | kane mirror - 2>/dev/null | kane body | kane kinematics | kane torque >uneven.h5
kane index warned.db forced.h5 no.h5 uneven.h5
show 'kane query warned.db --sql "SELECT path, kind FROM warning JOIN clip ON id = clip_id ORDER BY 1, 2" --format tsv'
