# kane simulate: options without effect, diverging scenes, bodies that overlap at the start, sweeps that do not
# converge.
. "$TESTS/show.sh"
cp "$TOP"/data/scenes/double_pendulum.xml "$TOP"/data/scenes/stack.xml .
printf '<mujoco>\n<worldbody><geom type="plane" size="0 0 1"/>\n<body name="ball" pos="0 0 0.05"><freejoint/><geom size="0.1"/></body></worldbody>\n<keyframe><key name="deep"/><key name="high" qpos="0 0 5.1 1 0 0 0"/></keyframe></mujoco>\n' > ball.xml
printf '<mujoco><worldbody><body name="bar" pos="0 0 2"><joint type="slide" axis="1 0 0"/><geom type="box" size="0.2 0.2 0.02" mass="2"/></body></worldbody></mujoco>\n' > bar.xml
printf 'nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\n3\t3\t4\t-0.05\t-0.05\t1.83\t0.05\t0.002\t40\t0.01\tbar\t+z\n' > soft.tsv
printf '<mujoco><worldbody><body><joint axis="0 1 0" limited="true" range="-90 90"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>\n' > stop.xml
printf '<mujoco><worldbody><geom type="plane" size="0 0 1"/></worldbody></mujoco>\n' > empty.xml

echo '# an option without effect is an error'
show 'kane simulate bar.xml --particles soft.tsv --integrator bridson-marino -o none.h5'
show 'kane simulate stop.xml --contact-compliance 1e-4 -o none.h5'
show 'kane simulate stack.xml --contact-time-constant 0.1 -o none.h5'
show 'kane simulate stack.xml --damping-ratio 1 -o none.h5'
show 'kane simulate stack.xml --solver gauss-seidel --friction-model box -o none.h5'
sed 's/<geom /<geom condim="1" /g' ball.xml > smooth.xml
show 'kane simulate smooth.xml --friction-model box -o none.h5'
show 'kane simulate double_pendulum.xml --friction 0.5 -o none.h5'
show 'kane simulate double_pendulum.xml --solver gauss-seidel -o none.h5'
show 'kane simulate empty.xml --gravity 0,0,-1 -o none.h5'
printf 'joint\tstiffness\tdamping\ttarget\n' > none.tsv
show 'kane simulate double_pendulum.xml --actuators none.tsv -o none.h5'
printf 'time\tjoint\ttorque\n0.1\telbow\t5\n' > once.tsv
show 'kane simulate double_pendulum.xml --torques once.tsv -o none.h5; test -e none.h5 || echo nothing written'
show 'kane simulate stop.xml --solver gauss-seidel --duration 0.1 -o stop.h5'
show 'kane simulate bar.xml --particles soft.tsv --integrator symplectic-euler --duration 0.1 -o bar.h5'

echo '# a run that blows up: which body, when, why, what to do; the clip has what came before'
printf 'name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\nhang\taxial\tworld\t0\t0\t6\tball\t0\t0\t0\t3e6\t0\t1\n' > hard.tsv
show 'kane simulate ball.xml --key high --springs hard.tsv --dt 0.01 --duration 1 -o wild.h5; kane info wild.h5 | grep ^motion'
show 'kane simulate ball.xml --key high --springs hard.tsv --dt 0.0001 --duration 0.2 -o tame.h5'
sed 's/3e6/3e12/' hard.tsv > harder.tsv
show 'kane simulate ball.xml --key high --springs harder.tsv --dt 0.01 -o none.h5; test -e none.h5 || echo nothing written'

printf '<mujoco><worldbody><body name="top"><joint type="ball"/><inertial pos="0 0 0.1" mass="0.5" diaginertia="0.002 0.002 0.001"/></body></worldbody><keyframe><key qpos="0.98 0.19899748742132398 0 0" qvel="0.5 0 30"/></keyframe></mujoco>' > top.xml
show 'kane simulate top.xml --integrator symplectic-euler --dt 0.001 -o top.h5'
show 'kane simulate top.xml --dt 0.001 -o top.h5'

echo '# energy that nothing takes'
printf '<mujoco><worldbody><body name="rod"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="0.5" contype="0"/></body><body name="bob" pos="0.5 0 0.1"><freejoint/><geom type="box" size="0.05 0.03 0.04" mass="0.8" contype="0"/></body></worldbody></mujoco>' > carried.xml
printf 'body\tto\tkind\nbob\trod\trigid\n' > carried.tsv
show 'kane simulate carried.xml --attachments carried.tsv --integrator implicit-euler --dt 0.005 --duration 2 -o carried.h5'
show 'kane simulate carried.xml --attachments carried.tsv --dt 0.005 --duration 2 -o carried.h5'

echo '# overlap at the start'
show 'kane simulate ball.xml --key deep --duration 0.5 -o deep.h5; kane index w.db deep.h5 2>/dev/null; kane query w.db --sql "SELECT kind FROM warning"'
show 'kane simulate ball.xml --key deep --duration 0.5 --contact-compliance 1e-3 --contact-time-constant 0.1 -o deep.h5 --force'
/usr/bin/python3 -c 'print("<mujoco><worldbody>" + "<body><freejoint/><geom type=\"box\" size=\".1 .1 .1\"/></body>" * 400 + "</worldbody></mujoco>")' > heap.xml
show 'timeout 30 "$KANE" simulate heap.xml -o heap.h5'
show 'timeout 30 "$KANE" simulate /dev/zero -o zero.h5'


# between a floor and a ceiling closer together than the ball's diameter
printf '<mujoco><worldbody><geom type="plane" size="0 0 1"/><geom type="plane" size="0 0 1" pos="0 0 0.25" euler="180 0 0"/><body name="ball" pos="0 0 HEIGHT"><freejoint/><geom size="0.2"/></body></worldbody></mujoco>\n' > between.xml
for height in 0.1 0.125; do
    sed "s/HEIGHT/$height/" between.xml > "at_$height.xml"
    show "kane simulate at_$height.xml --duration 0.1 -o deep.h5 --force"
done

sed 's/<joint /<joint name="hip" /; s|</mujoco>|<keyframe><key qpos="2"/></keyframe></mujoco>|' stop.xml > beyond.xml
show 'kane simulate beyond.xml --gravity 0,0,0 --duration 0.5 -o beyond.h5'

echo '# sweeps that do not settle'
printf '<mujoco><worldbody><geom type="plane" size="0 0 1"/>' > heavy.xml
for k in 0 1 2 3 4 5; do printf '<body pos="0 0 %s"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="%s"/></body>' "0.$((k))5" $((k == 5 ? 1000 : 1)); done >> heavy.xml
printf '</worldbody></mujoco>\n' >> heavy.xml
show 'kane simulate heavy.xml --solver gauss-seidel --duration 0.05 -o heavy.h5'

echo '# the torques of a clip without its residual, in steps that are too long'
cp "$TOP/data/squat.bvh" .
kane run squat.bvh -o squat.h5 2>/dev/null
show 'kane simulate --torques squat.h5 --residual off --dt 0.02 --integrator symplectic-euler -o fell.h5 2>&1 | grep flies; kane info fell.h5 | grep ^motion'
show 'kane simulate --torques squat.h5 --residual off --dt 0.02 --integrator symplectic-euler -o fell.h5 2>/dev/null'

echo '# contacts that rebound by solref are refused by name; dry friction damps a scene; hardly any energy is no warning'
for ref in '-5000 -5' '0.02 0.1' '0.02 1'; do
    printf '<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 1"><freejoint/><geom size="0.1" solref="%s"/></body></worldbody></mujoco>' "$ref" > rebound.xml
    show 'kane simulate rebound.xml --duration 0.1 2>&1 > rebound.h5 | grep -v "1 body"'
done
show 'kane simulate rebound.xml --leave-out solref --duration 0.1 2>&1 > rebound.h5 | grep -v "1 body"'
joint='<joint axis="0 1 0" frictionloss="0.05"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>'
printf '<mujoco><worldbody><body>%s</body></worldbody></mujoco>' "$joint" > dry.xml
show 'kane simulate dry.xml --duration 2 2>&1 > dry.h5 | grep -c warning'
printf '<mujoco><option gravity="0 0 0"/><worldbody><body><joint axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/><site name="a" pos="1 0 0"/></body><site name="b" pos="2 0 0"/></worldbody><tendon><spatial stiffness="1" springlength="0"><site site="a"/><site site="b"/></spatial></tendon><keyframe><key qvel="3e-5"/></keyframe></mujoco>' > still.xml
show 'kane simulate still.xml --integrator implicit-euler --dt 0.1 --duration 20 2>&1 > still.h5 | grep -c warning'
