# kane simulate: scenes of the project and small ones; output, errors, and other commands on the result.
. "$TESTS/show.sh"
cp "$TOP"/data/scenes/*.xml .
show 'kane simulate double_pendulum.xml --duration 1 --integrator trapezoidal -o swing.h5'
show 'kane info swing.h5'
show 'kane simulate double_pendulum.xml --duration 1 --integrator trapezoidal 2>/dev/null | cmp - swing.h5'
show 'kane simulate stack.xml --duration 0.5 -o stack.h5; kane info --json stack.h5 | grep groups'
show 'kane simulate rope.xml --duration 0.1 -o rope.h5'
show 'kane simulate stack.xml double_pendulum.xml --duration 0.1 -o out/; ls out'
show 'for kind in bvh glb csv npz; do kane export swing.h5 -o swing.$kind && echo $kind; done'
show 'kane torque swing.h5 2>/dev/null | kane info | grep dynamics'
show 'kane index moved.db swing.h5 stack.h5; kane query moved.db --columns path,frames'

echo '# a ball that bounces, springs in a table, a keyframe by name'
printf '<mujoco>\n<worldbody><geom type="plane" size="0 0 1"/>\n<body name="ball" pos="0 0 1.1"><freejoint/><geom size="0.1"/></body>\n</worldbody>\n<keyframe><key name="low" qpos="0 0 0.1 1 0 0 0"/><key name="high" qpos="0 0 5.1 1 0 0 0"/></keyframe></mujoco>\n' > ball.xml
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nhang\taxial\tworld\t0\t0\t6\tball\t0\t0\t0\t500\t5\t1\n' > hang.tsv
show 'kane simulate ball.xml --key high --restitution 0.8 --duration 1.5 -o ball.h5'
show 'kane simulate ball.xml --key high --springs hang.tsv --gravity 0,0,-1.62 --duration 0.5 -o hung.h5'


echo '# cylinders and ellipsoids collide; what is not supported is refused, or left out'
printf '<mujoco>\n<worldbody><geom type="plane" size="0 0 1"/>\n<body name="can" pos="0 0 1"><freejoint/><geom type="cylinder" size="0.1 0.1"/></body>\n<body name="egg" pos="0 0 2"><freejoint/><geom type="ellipsoid" size="0.1 0.1 0.2" condim="6" shellinertia="true"/></body>\n</worldbody></mujoco>\n' > shapes.xml
show 'kane simulate shapes.xml --duration 0.2 -o shapes.h5'
show 'kane simulate shapes.xml --leave-out shellinertia,mesh --duration 0.2 -o shapes.h5; kane info shapes.h5 | grep history'
show 'kane simulate shapes.xml --leave-out cylindr -o shapes.h5'

echo '# forces and torques over time, drives by joint'
printf 'time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n0\tball\t60\t0\t0\t0\t0\t0.1\t0\t0\t0\n0.2\tball\t60\t0\t0\t0\t0\t0.1\t0\t0\t0\n' > push.tsv
printf 'time\tjoint\ttorque\n0\telbow\t0\n1\telbow\t0.5\n' > twist.tsv
printf 'joint\tstiffness\tdamping\ttarget\nshoulder\t60\t0\t0.5\nelbow\t60\t0\t-0.5\n' > hold.tsv
show 'kane simulate ball.xml --key low --forces push.tsv --duration 0.5 -o pushed.h5'
show 'kane simulate double_pendulum.xml --torques twist.tsv --duration 0.5 -o twisted.h5'
show 'kane simulate double_pendulum.xml --actuators hold.tsv --damping-ratio 1 --duration 2 -o held.h5'
show 'kane simulate double_pendulum.xml --torques hold.tsv -o none.h5'
printf 'time\tjoint\ttorque\n1\telbow\t0\n1\telbow\t0.5\n' > twist.tsv
show 'kane simulate double_pendulum.xml --torques twist.tsv -o none.h5'
printf 'joint\tstiffness\tdamping\ttarget\nhip\t60\t0\t0.5\n' > hold.tsv
show 'kane simulate double_pendulum.xml --actuators hold.tsv -o none.h5'


echo '# a ball joint with limits and drives by roll, pitch and yaw'
printf 'joint\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nshoulder\t-20\t20\t-30\t25\t-10\t10\n' > ball_limits.tsv
printf 'joint\tangle\tstiffness\tdamping\ttarget\nshoulder\troll\t60\t5\t0.5\nshoulder\tpitch\t80\t5\t0\nshoulder\tyaw\t10\t1\t0.2\n' > ball_drives.tsv
show 'kane simulate ball_arm.xml --limits ball_limits.tsv --duration 1 -o limited.h5; kane export limited.h5 --angles -o - | awk -F "\t" "END { printf \"%.6f %.6f %.6f\\n\", \$2, \$3, \$4 }"'
show 'kane simulate ball_arm.xml --actuators ball_drives.tsv --damping-ratio 1 --duration 1 -o driven.h5; kane export driven.h5 -o driven.npz; grep -aoE "simulation_actuator[a-z_]*" driven.npz | sort -u'
show 'kane simulate ball_arm.xml --actuators hold.tsv -o none.h5'
sed 's/roll/tilt/' ball_drives.tsv > bad.tsv
show 'kane simulate ball_arm.xml --actuators bad.tsv -o none.h5'
sed 's/roll//' ball_drives.tsv > bad.tsv
show 'kane simulate ball_arm.xml --actuators bad.tsv -o none.h5'
sed 's/shoulder/elbow/' ball_limits.tsv > bad.tsv
show 'kane simulate double_pendulum.xml --limits bad.tsv -o none.h5'

echo '# equalities, limits and contacts that give way: by a table, by solref and solimp'
cp "$TOP/tests/sources/scenes/soft_slides.xml" "$TOP/tests/sources/scenes/soft_rows.tsv" .
show 'kane simulate soft_slides.xml --compliance soft_rows.tsv --duration 1 -o gives.h5'
sed 's/name="spring"/solref="0.1 1" &/; s/limited="true"/& solreflimit="-500 -20"/' soft_slides.xml > soft_file.xml
show 'kane simulate soft_file.xml --duration 1 -o file.h5'
show 'kane simulate soft_file.xml --leave-out solref,solreflimit --duration 1 -o file.h5 --force'
sed 's/solref="0.1 1"/solref="0.1 -1"/' soft_file.xml > bad.xml
show 'kane simulate bad.xml -o none.h5'
for row in 'hinge held' 'limit held' 'equality absent' 'geom g'; do
    printf 'kind\tname\tcompliance\ttime_constant\n%s\t%s\t1e-3\t0\n' $row > bad.tsv
    show 'kane simulate soft_slides.xml --compliance bad.tsv -o none.h5'
done
printf 'kind\tname\taxis\tcompliance\ttime_constant\nequality\tspring\troll\t1e-3\t0\n' > bad.tsv
show 'kane simulate soft_slides.xml --compliance bad.tsv -o none.h5'
sed 's/roll/rx/' bad.tsv > worse.tsv
show 'kane simulate soft_slides.xml --compliance worse.tsv -o none.h5'

echo '# a skate on a slope, a wheel that rolls down one'
printf '<mujoco><option gravity="4 0 0" timestep="0.001"/><worldbody><body name="skate"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><joint name="turn" axis="0 0 1"/><inertial pos="0 0 0" mass="3" diaginertia="1 1 0.2"/></body></worldbody><keyframe><key qvel="0 0 2"/></keyframe></mujoco>' > skate.xml
printf 'kind\tbody\tx\ty\tz\tax\tay\taz\nedge\tskate\t0\t0\t0\t0\t1\t0\n' > edge.tsv
show 'kane simulate skate.xml --speed-constraints edge.tsv --duration 1.5 -o skate.h5; kane export skate.h5 --angles -o - | awk -F "\t" "END { printf \"%.4f %.4f %.4f\\n\", \$2, \$3, \$4 }"'
printf '<mujoco><option gravity="3 0 -9"/><worldbody><body name="hoop" pos="0 0 0.3"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.045 0.09 0.045"/></body></worldbody></mujoco>' > hoop.xml
printf 'kind\tbody\tx\ty\tz\tax\tay\taz\tradius\tnx\tny\tnz\nwheel\thoop\t0\t0\t0\t0\t1\t0\t0.3\t0\t0\t1\n' > roll.tsv
show 'kane simulate hoop.xml --speed-constraints roll.tsv --duration 1 -o hoop.h5; kane export hoop.h5 -o hoop.npz; grep -aoE "simulation_constraint[a-z_]*" hoop.npz | sort -u'
for row in 'sledge skate 1 0.3' 'edge sled 1 0.3' 'edge skate 0 ' 'edge skate 1 0.3' 'wheel skate 1 ' 'wheel skate 1 0'; do
    printf '%s\t%s\t0\t0\t0\t0\t%s\t0\t%s\n' $row | cat - > row.tsv
    { printf 'kind\tbody\tx\ty\tz\tax\tay\taz\tradius\n'; cat row.tsv; } > bad.tsv
    show 'kane simulate skate.xml --speed-constraints bad.tsv -o none.h5'
done

echo '# a soft grid under a bar'
printf '<mujoco><worldbody><body name="bar" pos="0 0 2"><joint type="slide" axis="1 0 0" stiffness="200" springref="0.1"/><geom type="box" size="0.2 0.2 0.02" mass="2"/></body></worldbody></mujoco>\n' > bar.xml
printf 'nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n3\t3\t4\t-0.05\t-0.05\t1.83\t0.05\t0.002\t40\t0.01\tbar\t+z\n1\t1\t1\t1\t0\t5\t1\t0.1\t0\t0\t\t\n' > soft.tsv
show 'kane simulate bar.xml --particles soft.tsv --duration 0.5 -o soft.h5; kane info --json soft.h5 | grep groups'
printf 'nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n3\t3\t4\t0\t0\t0\t0.05\t0.002\t40\t0.01\tbar\tup\n' > soft.tsv
show 'kane simulate bar.xml --particles soft.tsv -o none.h5'

echo '# a bob that a rod carries, and a box on that; what holds them is stored'
printf '<mujoco><worldbody><body name="rod"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02"/></body><body name="bob" pos="0.5 0 0"><freejoint/><geom size="0.05"/></body><body name="box" pos="0.5 0 0.1"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body></worldbody></mujoco>' > rod.xml
printf 'body\tto\tkind\nbox\tbob\trigid\nbob\trod\trigid\n' > carried.tsv
show 'kane simulate rod.xml --attachments carried.tsv --duration 0.5 -o carried.h5; kane export carried.h5 -o carried.npz; grep -aoE "(simulation_constraint|dof)_[a-z_]+" carried.npz | sort -u'
printf 'body\tto\tkind\nrod\tbob\trigid\n' > carried.tsv
show 'kane simulate rod.xml --attachments carried.tsv --duration 0.5 -o turned.h5'
printf 'body\tto\tkind\nbob\trod\tglued\n' > carried.tsv
show 'kane simulate rod.xml --attachments carried.tsv -o none.h5'

echo '# a model of three hinges: what each command makes of its axes and masses'
printf '<mujoco><compiler angle="radian"/><worldbody><body name="upper" pos="0 0 1.5"><joint name="shoulder" axis="0 1 0" range="-1 2" limited="true"/><inertial pos="0.15 0 0" mass="2" diaginertia="0.01 0.02 0.02"/><body name="fore" pos="0.3 0 0"><joint name="elbow" axis="0 1 0" armature="0.05"/><inertial pos="0.12 0 0" mass="1" diaginertia="0.005 0.01 0.01"/><body name="hand" pos="0.25 0 0"><joint name="wrist" axis="0 0 1" stiffness="2" springref="0.1"/><inertial pos="0.05 0 0" mass="0.4" diaginertia="0.001 0.002 0.002"/></body></body></body></worldbody><keyframe><key qpos="0.3 0.5 0.2" qvel="1 -2 0.5"/></keyframe></mujoco>' > arm.xml
show 'kane simulate arm.xml --duration 0.5 -o arm.h5'
show 'kane body arm.h5 -o body.h5; kane info body.h5 | grep ^body'
show 'kane body arm.h5 --mass 5 -o none.h5'
show 'kane body arm.h5 --model capsules -o capsules.h5; kane info capsules.h5 | grep ^body'
show 'kane smooth arm.h5 2>/dev/null | kane body | kane kinematics | kane torque > again.h5; kane info again.h5 | grep -E "^(body|dynamics)"'
show 'kane export again.h5 --moments -o moments.csv; head -n 1 moments.csv | tr , "\n"'
show 'kane export again.h5 --moments -o moments.sto; grep -n ^time moments.sto'
show 'kane export again.h5 --angles -o angles.csv; head -n 1 angles.csv; sed -n 16p angles.csv | cut -d, -f 1-4 | tr , "\n" | cut -c 1-6'
show 'kane index arms.db again.h5 arm.h5; kane query arms.db --columns path,frames,mass_kg'
show 'kane query arms.db --sql "SELECT clip_id AS clip, name, kind, round(position_min, 3) AS least, round(position_max, 3) AS most, round(speed_peak, 2) AS speed, round(effort_peak, 3) AS effort, round(range_fraction_max, 3) AS of_range FROM dof_stat"'
show 'kane trim --from 0.1 --to 0.3 arm.h5 2>/dev/null | kane resample --fps 30 2>/dev/null | kane export --angles -o - | cut -f 1-4 | sed -n -E "2,3s,([.][0-9]{3})[0-9]*,\1,gp"'
show 'kane scale --factor 2 --time similar arm.h5 -o giant.h5 2>/dev/null; kane info giant.h5 | grep ^body'
show 'kane mirror arm.h5 -o none.h5; test -e none.h5 || echo nothing written'
cp "$TOP/data/squat.bvh" .
show 'kane retarget squat.bvh --to arm.h5 -o none.h5'

echo '# hinges and slides as version 0.1 stored them'
gunzip -c "$TOP/tests/unit/container/scene_0.1.h5.gz" > hinges.h5
show 'kane check hinges.h5; kane export hinges.h5 -o hinges.npz; grep -aoE "(simulation|dof)_[a-z_]+" hinges.npz | sort -u | grep -E "hinge|dof"'
show 'kane export hinges.h5 --moments -o - | cut -f 1-5 | sed -n 2p'
show 'kane trim --from 0 --to 0.02 hinges.h5 2>/dev/null | kane info --json | grep -A 12 groups | grep -E "dof|simulation"'
show 'kane smooth hinges.h5 2>/dev/null | kane info --json | grep -A 12 groups | grep -E "dof|simulation" || echo gone'

echo '# refusals'
show 'kane simulate -o none.h5'
show 'kane simulate absent.xml -o none.h5'
show 'kane simulate ball.xml --key middle -o none.h5'
show 'kane simulate ball.xml --key none --duration 0.1 -o none.h5; rm none.h5'
show 'kane simulate ball.xml --gravity down -o none.h5'
show 'kane simulate ball.xml --duration 1e12 -o none.h5'
printf '<mujoco>\n<worldbody><body><joint type="ball"/></body></worldbody></mujoco>\n' > light.xml
show 'kane simulate light.xml -o none.h5'
printf '<mujoco>\n<worldbody><body>\n<joint springdamper="1 1"/><geom size="1"/></body></worldbody></mujoco>\n' > dry.xml
show 'kane simulate dry.xml -o none.h5; test -e none.h5 || echo nothing written'

echo '# work that cannot be meant'
show 'kane simulate ball.xml --restitution 1.2 -o none.h5'
show 'kane simulate ball.xml --restitution -0.1 -o none.h5'
show 'kane simulate ball.xml --friction -0.5 -o none.h5'
show 'kane simulate ball.xml --dt 1 --duration 0.5 -o none.h5'
show 'kane simulate ball.xml --dt 1e-12 -o none.h5'
sed 's/<mujoco>/<mujoco><option timestep="1e-12"\/>/' ball.xml > slow.xml
show 'kane simulate slow.xml -o none.h5'
awk 'BEGIN { print "<mujoco><worldbody>"; for (b = 0; b < 2; b++) { print "<body pos=\"" b " 0 1\"><freejoint/>"; for (i = 0; i < 20000; i++) print "<geom size=\".01\"/>"; print "</body>" } print "</worldbody></mujoco>" }' > many.xml
show 'kane simulate many.xml -o none.h5'

printf '<robot name="r">\n<link name="base"/></robot>\n' > robot.urdf
show 'kane simulate robot.urdf -o none.h5'

echo '# meshes beside the file; each that is missing is named once'
mkdir -p parts
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n' > parts/block.obj
printf '<mujoco><compiler meshdir="parts"/><asset><mesh file="block.obj" scale=".2 .2 .1"/>\n<mesh name="gone" file="gone.stl"/>\n<mesh name="shown" file="shown.stl"/></asset>\n<worldbody><geom type="plane" size="0 0 1"/>\n<body name="block" pos="0 0 .5"><freejoint/><geom type="mesh" mesh="block"/></body>\n<body pos="1 0 .5"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="shown" contype="0" conaffinity="0"/><geom type="mesh" mesh="gone"/><geom type="mesh" mesh="gone"/><geom type="sphere" size=".1"/></body>\n</worldbody></mujoco>\n' > meshes.xml
show 'kane simulate meshes.xml --duration 0.5 -o meshes.h5'
printf '<mujoco><compiler meshdir="parts"/><asset><mesh name="gone" file="gone.stl"/></asset>\n<worldbody>\n<body><freejoint/><geom type="mesh" mesh="gone"/></body></worldbody></mujoco>\n' > weightless.xml
show 'kane simulate weightless.xml -o none.h5'
printf 'v 0 0 0\nf 1 2 3\n' > parts/gone.obj
sed s/stl/obj/ weightless.xml > broken.xml
show 'kane simulate broken.xml -o none.h5'

echo '# the torques of a clip forward on a free base'
cp "$TOP/data/squat.bvh" .
kane run squat.bvh -o squat.h5 2>/dev/null
show 'kane simulate --torques squat.h5 --duration 0.3 -o forward.h5; kane info forward.h5 | grep -A9 ^history | tail -n 1 | sed "s/@[0-9a-f]*//"'
show 'kane simulate --torques squat.h5 --duration 0.3 --residual off --dt 0.002 -o fallen.h5'
show 'kane kinematics forward.h5 2>/dev/null | kane info | grep motion'
show 'kane simulate --torques squat.h5 --friction 0.5 -o none.h5'
show 'kane simulate --torques squat.h5 --duration 0.1 --integrator symplectic-euler -o euler.h5'
show 'kane simulate --torques squat.h5 -o forward.h5 --force'
show 'kane simulate --torques squat.h5 --hold left_knee,right_knee,left_ankle,right_ankle -o legs.h5'
show 'kane simulate --torques squat.h5 --hold hips -o none.h5'
show 'kane simulate --torques squat.h5 --hold left_kneee -o none.h5'
show 'kane simulate double_pendulum.xml --hold hinge -o none.h5'
show 'kane simulate double_pendulum.xml --residual off -o none.h5'
show 'kane import squat.bvh 2>/dev/null > bare.h5; kane simulate --torques bare.h5 -o none.h5'
