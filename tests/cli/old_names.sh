# Names of earlier versions: clip files that contain them, and commands and options still in use.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
values() { kane export "$1" -o new.npz --force && /usr/bin/python3 "$TESTS/old_names.py" "$1" new.npz; }
for name in tracked scene; do gunzip -c "$TOP/tests/unit/container/${name}_0.1.h5.gz" > "$name.h5"; done
gunzip -c "$TOP/tests/unit/container/anatomy.h5.gz" > anatomy.h5

echo '# containers of 0.1: whole by their own checksums, the same values under new names'
show 'kane check tracked.h5 scene.h5'
show 'values tracked.h5'
show 'values scene.h5'
show 'kane info tracked.h5 | grep ^tracking'
echo '# /angles was /anatomy'
show 'kane check anatomy.h5'
show 'values anatomy.h5'
show 'kane info --json anatomy.h5 | grep -e groups -e neutral'
show 'kane index anatomy.db anatomy.h5 && kane query anatomy.db --columns path,left_knee_utilization_peak'
show 'kane export --anatomy anatomy.h5 -o old.tsv && kane export --coordinates anatomy.h5 -o new.tsv && cmp old.tsv new.tsv'

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

echo '# attributes of 0.1, options and values of options, presets, tables'
show 'kane info --json tracked.h5 | grep -e per_unit -e increase'
show 'for c in options tags use_peak left_knee_use_peak trusted_share metres_per_unit retarget_slide_added_cm_s retarget_direction_deg; do kane query clips.db --columns path,$c 2>&1; done'
show 'kane query clips.db @like tracked.h5 --columns path; kane query clips.db @calmer tracked.h5@0.5-0.6 --columns path; kane query clips.db @lik x'
show 'kane track --root loads --acceleration coming --controller kane-feedforward --duration 0.1 squat.bvh 2>/dev/null | kane info | tail -n 1'
kane run squat.bvh -o torques.h5 2>/dev/null
show 'kane track --root loads --acceleration present --controller kane-feedforward --duration 0.1 torques.h5 2>/dev/null >moved.h5; kane info moved.h5 | tail -n 1; kane export --run kane-feedforward moved.h5 -o moved.bvh'
show 'kane export --colour strength torques.h5 -o a.glb && kane export --color strength torques.h5 -o b.glb && cmp a.glb b.glb'
show 'kane plot --quantity use --role left_knee torques.h5 -o a.gp && kane plot --quantity utilization --role left_knee torques.h5 -o b.gp && cmp a.gp b.gp'
cp "$TOP/data/scenes/stack.xml" .
printf 'joint\tstiffness\tdamping\ttarget\nshoulder\t60\t0\t0.5\n' > hold.tsv
show 'kane simulate --softness 1e-4 --softness-damping 0.05 stack.xml --duration 0.05 2>/dev/null | kane info | tail -n 1 | cut -c 1-200'
show 'kane simulate --controllers hold.tsv "$TOP/data/scenes/double_pendulum.xml" --duration 0.05 2>/dev/null | kane info | tail -n 1 | grep -o "actuators.*"'
show 'kane simulate --contact-complience 1e-4 stack.xml; kane simulate --softnes 1e-4 stack.xml'
printf 'figure\tmost\nslide_added_cm_s\t-5\n' > tight.tsv
show 'kane retarget --to squat.bvh --score-limits tight.tsv squat.bvh -o no.h5 2>&1 | tail -n 1'
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nhip\tturning\tHips\t0\t0\t0\tLeftUpLeg\t0\t0\t0\t10\t1\t0\n' > springs.tsv
show 'kane torque --springs springs.tsv torques.h5 2>/dev/null | kane info | tail -n 1'
echo '# flags of frames and kinds of findings'
awk 'row && ++n > 20 && n < 40 {print kept; next} {kept = $0; print} /^Frame Time/ {row = 1}' squat.bvh > frozen.bvh
show 'kane check frozen.bvh --ignore euler-flip | cut -d " " -f 1-9; kane check frozen.bvh --ignore held,euler-flip; kane check frozen.bvh --ignore frozen,euler-flip'
show 'kane check frozen.bvh --json | grep -o "\"kind.*severity"; kane check frozen.bvh --json | grep -c "\"repaired\": false"'
kane import frozen.bvh -o frozen.h5 2>/dev/null
show '/usr/bin/python3 -c "import h5py; a = h5py.File(\"frozen.h5\")[\"trust/reason\"].attrs; print(a[\"standard_name\"], *a[\"flag_meanings\"].split()[:10])"'
echo '# an abbreviation is expanded to, and ambiguous among, names in use'
show 'kane simulate --cont 1e-4 stack.xml; kane export --co x; kane import --u cm; kane simulate --contr hold.tsv stack.xml 2>&1 | head -n 1'
show 'kane retarget --sc 1 squat.bvh'
echo '# check names the options that it has'
sed 's/Frame Time:.*/Frame Time: 900/' squat.bvh > slow.bvh
show 'kane check slow.bvh; kane check --fps 1e9 squat.bvh'
