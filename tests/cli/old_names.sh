# Names of earlier versions: containers that have them, and what a person or a script still types.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
values() { kane export "$1" -o new.npz --force && /usr/bin/python3 "$TESTS/old_names.py" "$1" new.npz; }
for name in tracked scene; do gunzip -c "$TOP/tests/unit/container/${name}_0.1.h5.gz" > "$name.h5"; done

echo '# containers of 0.1: whole by their own checksums, the same values under new names'
show 'kane check tracked.h5 scene.h5'
show 'values tracked.h5'
show 'values scene.h5'
show 'kane info tracked.h5 | grep ^tracking'

echo '# a column of an earlier index'
show 'kane index clips.db tracked.h5 && kane query clips.db --columns path,root_residual_force_rms_bw'
show 'kane query clips.db --columns path,hand_force_rms_bw'
show 'kane query clips.db --sql "SELECT effort_j_kg FROM clip"'

echo '# commands and options of 0.1; a clip is made again from its history, whichever names that has'
cp "$TESTS/squat.bvh" .
show 'kane run --diff-scheme backward --anatomy-sex male squat.bvh -o old.h5 2>/dev/null'
show 'kane run --kinematics-scheme backward --angles-sex male squat.bvh -o new.h5 2>/dev/null; cmp old.h5 new.h5'
show 'kane diff old.h5 2>/dev/null | kane contact | kane torque | kane anatomy --sex male >again.h5; kane picture old.h5 -o old.png; ls *.png'
show 'kane run --anatomy none squat.bvh 2>/dev/null | kane info --json | grep groups'
show 'kane scale --factor 1.1 tracked.h5 2>/dev/null | kane info | grep -e --scheme -e --sex'
show 'kane help anatomy | head -n 1'
echo '# which help does not show, and suggestions take for the new ones'
show 'kane --help | grep -c -e diff -e anatomy -e picture; kane run --help | grep -c -e --diff -e --anatomy'
show 'kane dif old.h5'
show 'kane anatomie old.h5'
show 'kane run --diff-shceme backward squat.bvh -o no.h5'
show 'kane run --anatomy-sax male squat.bvh -o no.h5'
show 'kane run --diff-order 2 squat.bvh -o no.h5'
