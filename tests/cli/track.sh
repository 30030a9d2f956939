# kane track: the thesis's scenes and a clip of the project; the table, the clip file, wrong usage.
. "$TESTS/show.sh"
show 'kane track --scene steady --stiffness 300 --controller kane --perturb 1,1,B --perturb-time 2.5 -o steady.h5'
show 'kane info steady.h5 | tail -n 2'
show 'kane track --scene steady --stiffness 50 --damping 3 --gains plain --controller pd --table | cut -f 2-5'
show 'kane track --scene moving --stiffness 30 --controller kane-feedforward --duration 2 --table --series moving.tsv | cut -f 2-5'
show 'head -n 2 moving.tsv; wc -l < moving.tsv'

echo '# the same scenes from files, and one of three links'
cp "$TOP"/data/scenes/two_links_*.xml .
for name in steady moving; do
    show "kane track --scene $name --table | cut -f 2- > built.tsv; kane track --scene-file two_links_$name.xml --table | cut -f 2- | cmp - built.tsv"
done
link='<geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/>'
printf '<mujoco><worldbody><body name="a" pos="0 0 1"><joint type="ball"/>%s<body name="b" pos="0 0 -0.3"><joint axis="0 1 0"/>%s<body name="c" pos="0 0 -0.3"><joint axis="1 0 0"/>%s</body></body></body></worldbody><keyframe><key/><key time="1" qpos="0.9 0.3 0.3 0.1 1 0.5"/><key time="2" qpos="1 0 0 0 0 0"/></keyframe></mujoco>' "$link" "$link" "$link" > three.xml
show 'kane track --scene-file three.xml --controller kane-feedforward --stiffness 300 -o three.h5 && kane info three.h5 | tail -n 2'
show 'kane track --scene-file three.xml --scene steady --table'
show 'kane track --scene-file absent.xml --table'
cp "$TOP/data/squat.bvh" .
kane import squat.bvh 2>/dev/null | kane body > body.h5
kane kinematics body.h5 2>/dev/null | kane contact > stood.h5 2>/dev/null
show 'kane track --controller kane-feedforward body.h5 2>/dev/null | kane info --json | grep groups'
show 'kane track --controller kane-feedforward --dt 0.02 body.h5 2>/dev/null > one.h5; kane track --controller kane-feedforward --dt 0.02 body.h5 2>/dev/null | cmp - one.h5'
show 'kane track --controller kane --follow 4 --perturb 1,0.5,chest stood.h5 2>/dev/null | kane info | tail -n 1'

echo '# a root under known loads, and on its own feet; what was simulated as a motion'
kane torque stood.h5 -o posed.h5 2>/dev/null
show 'kane track --root prescribed-loads --controller kane-feedforward posed.h5 -o loads.h5 2>/dev/null | cut -f 2,3,6,8,10'
show 'kane track --root free --duration 10 posed.h5 --table 2>/dev/null | cut -f 2,3,8,10'
show 'kane export --controller kane-feedforward loads.h5 -o moved.bvh && kane import moved.bvh 2>/dev/null | kane info | grep ^motion'
show 'kane index loads.db loads.h5 2>/dev/null; kane query loads.db --columns path,root_residual_force_rms_bw'
show 'kane export --controller pd loads.h5 -o no.bvh'
show 'kane export --controller none loads.h5 -o no.bvh'

echo '# a run that flies apart is a warning, which stays'
show 'kane track --controller pd --stiffness 100000 --damping 1 body.h5 -o apart.h5 2>&1 | sed "/clip\tcontroller/,\$d"'
show 'kane index apart.db apart.h5 2>/dev/null; kane query apart.db @warnings --columns kind --format tsv'
show 'kane track --controller kane body.h5 --table 2>&1 | grep -c "flies apart"'

echo '# pushes on the moving body and thrown balls'
for push in chest,200,forward,1,0.2 chest,200,back,1,0.2,0,0.2,0 chest,200,-X,1,0.2; do
    show "kane track --controller kane --push $push body.h5 --table 2>/dev/null | cut -f 2-4"
done
printf 'joint\tnewton\tdirection\tstart\tseconds\nchest\t200\tforward\t1\t0.2\n' > pushes.tsv
show 'kane track --controller kane --pushes pushes.tsv body.h5 --table 2>/dev/null | cut -f 2-4'
show 'kane track --controller kane --throw 3,8,left,chest,1.5 body.h5 --table 2>/dev/null | cut -f 2-4'
show 'kane track --push chest,200,aside,1,0.2 body.h5 --table'
show 'kane track --push chest,-200,up,1,0.2 body.h5 --table'
show 'kane track --push chst,200,up,1,0.2 body.h5 --table'
show 'kane track --push chest,200,up,9,0.2 body.h5 --table'
show 'kane track --throw 3,8,left,chest body.h5 --table'
show 'kane track --throw 3,8,left,chest,1 --perturb 1,1,chest body.h5 --table'
show 'kane track --scene moving --controller kane --push B,20,forward,1,0.2 --table'
sed 's/200/0/' pushes.tsv > bad.tsv
show 'kane track --pushes bad.tsv body.h5 --table'

echo '# of all controllers, those that cannot hold the step are left out by name; poor gains are said to be poor; no integral'
show 'kane track --duration 0.5 body.h5 --table 2>&1 | cut -f 1,2'
show 'kane track --controller pd --search-gains --duration 0.5 body.h5 --table 2>&1 | grep warning'
show 'kane track --scene steady --controller stable-pd --table > none; kane track --scene steady --controller stable-pd --integral 0 --table | cmp - none'
show 'kane track --scene steady --controller stable-pd --integral=-1 --table 2>&1 | head -n 1'

echo '# what became of a body on its own feet: in the note, the table, kane info, the index; its forces as those of a clip'
show 'kane track --root free --controller kane-feedforward --push chest,600,forward,1,0.2 posed.h5 -o fallen.h5 | cut -f 2,11-13'
show 'kane info fallen.h5 | grep ^tracking; kane info --json fallen.h5 | grep outcome'
show 'kane index fallen.db fallen.h5 2>/dev/null; kane query fallen.db --columns path,outcome,lost_s,rest_s'
show 'kane export --controller kane-feedforward fallen.h5 --grf --format tsv | sed -n "4,5p" | cut -f 1-4,8-10'
show 'kane export --controller kane-feedforward fallen.h5 -o fallen.glb && grep -ao "\"extras\":{\"outcome\"[^}]*}" fallen.glb; grep -ac "\"force 1\"" fallen.glb'

echo '# angles and torques of hinges about their own axes, with their sign, from the scene on'
sed 's/axis="0 1 0"/axis="0 0.6 -0.8"/' three.xml > tilted.xml
show 'kane track --scene-file tilted.xml --controller kane-feedforward --stiffness 3000 --table --series tilted.tsv >/dev/null; for j in b c; do awk -F "\t" -v j=$j "\$4 == j { print \$6, \$9 }" tilted.tsv | sed -n "101p"; done'

echo '# one page of the clip and all controllers'
echo '<!doctype html><script type="text/plain">@KANE-DATA@</script>' > template.html
show 'kane track --duration 0.5 --dt 0.002 body.h5 --table --compare page.html --page template.html 2>&1 >/dev/null | tail -n 1; wc -l < page.html'
show 'kane track body.h5 --table --page template.html'
show 'kane track body.h5 --table --compare page.txt'
show 'kane track body.h5 --table --compare -'

echo '# joint limits: knees that bend by 20 degrees at most'
printf 'role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\n' > limits.tsv
printf '%s_knee\t-180\t180\t-90\t90\t-20\t20\n' left right >> limits.tsv
show 'kane track --limits limits.tsv --controller kane body.h5 --table 2>/dev/null | cut -f 2-4'
show 'kane track --limits absent.tsv body.h5 --table'
printf '<mujoco><worldbody><body name="arm" pos="0 0 1"><joint name="shoulder" type="ball"/><inertial pos="0.3 0 0" mass="2" diaginertia="0.01 0.05 0.05"/></body></worldbody><keyframe><key time="0" qpos="1 0 0 0"/><key time="1" qpos="0.8 0 0.6 0"/><key time="2" qpos="0.8 0 0.6 0"/></keyframe></mujoco>' > ball_arm.xml
printf 'joint\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nshoulder\t-180\t180\t-90\t30\t-180\t180\n' > ball_limits.tsv
show 'kane track --scene-file ball_arm.xml --controller kane-feedforward --stiffness 100 --table | cut -f 1,2,5'
show 'kane track --scene-file ball_arm.xml --limits ball_limits.tsv --controller kane-feedforward --stiffness 100 --table | cut -f 1,2,5'
show 'kane track --scene-file ball_arm.xml --limits limits.tsv --controller kane --table'
show 'kane track --limits limits.tsv --scene steady --table'
printf 'joint\tstiffness\tdamping\nleft_knee\t2000\t100\n' > soft.tsv
show 'kane track --soft-joints soft.tsv --controller kane body.h5 --table 2>/dev/null | cut -f 2,6'
sed 's/2000/-1/' soft.tsv > bad.tsv
show 'kane track --soft-joints bad.tsv body.h5 --table'
sed 's/left_knee/LeftToeBase/' soft.tsv > bad.tsv
show 'kane track --soft-joints bad.tsv body.h5 --table'
sed 's/left_knee/hips/; /right_knee/d' limits.tsv > bad.tsv
show 'kane track --limits bad.tsv body.h5 --table'
sed 's/left_knee/Wing/' soft.tsv > bad.tsv
show 'kane track --soft-joints bad.tsv body.h5 --table'

echo '# PID; gains by joint and by mass; gains after a hit; torques of inverse dynamics'
show 'kane track --scene steady --controller stable-pd --integral 600 --table | cut -f 2-5'
show 'kane track --scene steady --controller stable-pd --integral 600 --integral-max 0.01 --table | cut -f 2-5'
show 'kane track --controller stable-pd --gains mass --stiffness 10 body.h5 --table 2>/dev/null | cut -f 2-5'
show 'kane track --controller pd-inverse body.h5 --table 2>/dev/null | cut -f 2-5'
printf 'joint\tstiffness\tdamping\ttorque_max_nm\nleft_knee\t3000\t\t\nright_hip\t\t\t20\n' > gains.tsv
show 'kane track --controller stable-pd --joint-gains gains.tsv body.h5 --table --series steps.tsv 2>/dev/null | cut -f 2-5'
show 'awk "\$5 == \"right_hip\" && \$9 > m { m = \$9 } END { print m }" steps.tsv'
show 'kane track --controller kane --perturb 3,1,chest --hit-stiffness 0.2 --hit-time 1 body.h5 --table 2>/dev/null | cut -f 2-5'
sed 's/right_hip/LeftToeBase/' gains.tsv > bad.tsv
show 'kane track --joint-gains bad.tsv body.h5 --table'
sed 's/3000/0/' gains.tsv > bad.tsv
show 'kane track --joint-gains bad.tsv body.h5 --table'
show 'kane track --integral-max 2 body.h5 --table'
show 'kane track --hit-stiffness 2 body.h5 --table'
show 'kane track --hit-time 2 --perturb 1,1,chest body.h5 --table'

echo '# gains that the program finds, torques that it learns'
show 'kane track --controller stable-pd --search-gains --duration 1 body.h5 --table 2>&1 | cut -f 2-5'
show 'kane track --controller stable-pd --learn 6 --duration 1 body.h5 --table 2>&1 | cut -f 2-5'
show 'kane track --controller kane --damping-ratio 0.5 --duration 1 body.h5 --table | cut -f 2-5'
show 'kane track --controller kane --learn 2 body.h5 --table'
show 'kane track --search-gains --stiffness 100 body.h5 --table'
show 'kane track --damping 3 --damping-ratio 2 body.h5 --table'

echo '# balance: a weak knee is relieved by the other leg; weights'
printf 'joint\tstiffness\tdamping\ttorque_max_nm\nleft_knee\t\t\t40\n' > weak.tsv
for table in '' '--joint-gains weak.tsv'; do
    show "kane track --root free --controller kane-feedforward $table --series steps.tsv posed.h5 --table 2>/dev/null | cut -f 2,3,6,10"
    show 'for k in left_knee right_knee; do awk -v k=$k "\$5 == k && \$9 > m { m = \$9 } END { printf \"%s %.1f\n\", k, m }" steps.tsv; done'
done
show 'kane track --root free --controller kane-feedforward --balance-weights 1,0.3,0.001,10 posed.h5 --table 2>/dev/null | cut -f 2,3,6,7'
show 'kane track --root free --balance-weights 1,2 posed.h5 --table'
show 'kane track --balance-weights 1,0.3,0.001,1 posed.h5 --table'

echo '# end effectors that reach targets before joints are tracked'
printf 'time\tjoint\tx\ty\tz\n1\tleft_wrist\t0.45\t1.2\t0.25\n2\tleft_wrist\t0.45\t1.5\t0.25\n' > targets.tsv
show 'kane track --controller kane-feedforward --targets targets.tsv body.h5 --table | cut -f 2-4'
sed 's/1.5/3/' targets.tsv > far.tsv
show 'kane track --controller kane-feedforward --targets far.tsv body.h5 --table | cut -f 2-4'
sed 's/left_wrist/hips/' targets.tsv > bad.tsv
show 'kane track --targets bad.tsv body.h5 --table'
sed 's/left_wrist/Wing/' targets.tsv > bad.tsv
show 'kane track --targets bad.tsv body.h5 --table'

echo '# the ground under a character: a slope, a step, what is no ground'
show 'kane track --root free --slope 8 --controller kane-feedforward posed.h5 --table 2>/dev/null | cut -f 2,3,6,11'
show 'kane track --root free --slope 15 --friction 0.1 --controller kane-feedforward posed.h5 --table 2>/dev/null | cut -f 2,11'
plane='<geom type="plane" size="0 0 1"/>'
printf '<mujoco><worldbody>%s<geom type="box" pos="0 0 0.03" euler="4 2 0" size="0.6 0.6 0.05"/></worldbody></mujoco>' "$plane" > box.xml
show 'kane track --root free --ground box.xml --controller kane-feedforward posed.h5 -o boxed.h5 2>/dev/null | cut -f 2,3,6,11; kane info boxed.h5 | grep -o "ground box.xml@"'
printf '<mujoco><worldbody>%s<geom name="ball" type="sphere" size="0.1"/></worldbody></mujoco>' "$plane" > ball.xml
printf '<mujoco><worldbody>%s<body><freejoint/><geom name="crate" type="box" size="1 1 1"/></body></worldbody></mujoco>' "$plane" > crate.xml
printf '<mujoco><worldbody><geom type="box" size="1 1 1"/></worldbody></mujoco>' > edge.xml
for scene in ball crate edge absent; do
    show "kane track --root free --ground $scene.xml posed.h5 --table"
done
show 'kane track --root free --ground box.xml --slope 3 posed.h5 --table'
show 'kane track --root free --slope 60 posed.h5 --table'
show 'kane track --slope 5 posed.h5 --table'

echo '# a root on springs: what they bear, a slippery ground; forces over time, known or not'
show 'kane track --root compliant --duration 1 --controller kane-feedforward posed.h5 --table 2>/dev/null | cut -f 2,3,6,8,10'
kane run "$TOP/data/walk.bvh" -o walk.h5 >/dev/null 2>&1
show 'kane track --root compliant --controller pd-inverse --dt 0.005 walk.h5 --table 2>/dev/null | cut -f 2,3,6,8'
show 'kane track --root compliant --controller pd-inverse --dt 0.005 --friction 0.1 walk.h5 --table 2>/dev/null | cut -f 2,3,6,8'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n' > forces.tsv
printf '%s\tSpine2\t0\t-200\t0\t0\t1.3\t0\t0\t0\t0\n' 0.5 2 >> forces.tsv
show 'kane track --controller kane-feedforward --forces forces.tsv body.h5 --table 2>/dev/null | cut -f 2-4'
show 'kane track --controller kane-feedforward --forces forces.tsv --forces-known body.h5 --table 2>/dev/null | cut -f 2-4'
show 'kane track --controller kane-feedforward body.h5 --table 2>/dev/null | cut -f 2-4'
sed 's/^0.5/50/; s/^2/60/' forces.tsv > bad.tsv
show 'kane track --forces bad.tsv body.h5 --table'
show 'kane track --forces-known body.h5 --table'
show 'kane track --root-stiffness 100 posed.h5 --table'

echo '# wrong usage'
show 'kane track --root prescribed-loads body.h5 --table'
show 'kane track --root free --controller pd posed.h5 --table'
show 'kane track --root prescribed-loads --contact on posed.h5 --table'
show 'kane track --controller kane --damping 3 body.h5 --table'
show 'kane track --controller kane --gains plain body.h5 --table'
show 'kane track --controller pd --acceleration current body.h5 --table'
show 'kane track --friction 0.5 body.h5 --table'
show 'kane track --scene steady --root free --table'
show 'kane track --scene steady --velocity zero --table'
show 'kane track --scene steady --follow 3 --table'
show 'kane track --root free --gains plain posed.h5 --table'
show 'kane track --controller bang body.h5 --table'
show 'kane track --perturb 1,B body.h5 --table'
show 'kane track --perturb 1,1,Wing body.h5 --table'
show 'kane track --scene steady body.h5 --table'
show 'kane import squat.bvh 2>/dev/null | kane track --table'
show 'kane track --perturb 1,1e9,chest body.h5 --table'
show 'kane track --perturb 1,1,chest --perturb-time 60 body.h5 --table'
show 'kane track --perturb-time 2 body.h5 --table'
show 'kane track --dt 60 body.h5 --table'
show 'kane track --root free body.h5 --table'
show 'kane track --contact on stood.h5 --table'
show 'kane track --table -o tracked.h5 body.h5'
show 'kane track --scene steady --contact on --table'
show 'kane track --series - body.h5 --table'
show 'kane track --series absent/steps.tsv -o tracked.h5 body.h5; test -e tracked.h5 || echo nothing written'

echo '# a clip that cannot be tracked does not take the others with it, nor a table of steps that was there'
printf 'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 50 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n' > one.bvh
kane import --unit cm one.bvh 2>/dev/null | kane body > instant.h5
show 'kane track --controller kane --dt 0.02 instant.h5 body.h5 -o tracked/ | cut -f 1-3; ls tracked'
show 'kane track --controller kane --perturb 1,50,Hips body.h5 --table'
show 'kane track --controller kane --series moving.tsv instant.h5 --table; wc -l < moving.tsv'
