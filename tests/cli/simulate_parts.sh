# kane simulate: springs with force laws, rotated frames and rest lengths from the start; driven joints and bodies;
# attachments of hinges, and to several bodies by weights; particles.
. "$TESTS/show.sh"
# The last frame: time, joint, position, orientation.
last() { kane export "$1" -o last.csv --force -q && grep ",$2," last.csv | tail -1 | awk -F, '{ printf "%s %s", $1, $3; for (i = 5; i <= 11; i++) printf " %.5f", $i == 0 ? 0 : ($i < 1e-9 && $i > -1e-9 ? 0 : $i); print "" }'; }

echo '# a bob on a spring whose force is a cubic of its length, and one that is damped when it grows alone'
cat > bob.xml <<'END'
<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody>
<body name="bob" pos="0.3 0 0"><joint name="x" type="slide" axis="1 0 0"/><geom size="0.05" mass="2" contype="0" conaffinity="0"/></body>
<body name="wing" pos="0 1 0" quat="0.92388 0 0 0.38268"><joint name="turn" type="ball"/><geom type="box" size="0.1 0.2 0.05" mass="1" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>
END
H='name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\tlaw\trotation_bz\n'
awk 'BEGIN { print "law\tlength\trate\tforce"; for (i = 0; i <= 80; i++) { x = i / 100; y = x - 0.2
    print "cubic\t" x "\t0\t" 400 * y + 3000 * y * y * y
    for (r = -2; r <= 2; r++) print "brake\t" x "\t" r "\t" 400 * y + (r > 0 ? 20 * r : 0) } }' > laws.tsv
printf "$H"'band\taxial\tworld\t0\t0\t0\tbob\t0\t0\t0\t0\t0\t0\tcubic\t\n' > cubic.tsv
show 'kane simulate bob.xml --springs cubic.tsv --spring-laws laws.tsv --integrator trapezoidal --duration 2 -o cubic.h5; last cubic.h5 bob'
sed 's/cubic/brake/' cubic.tsv > brake.tsv
show 'kane simulate bob.xml --springs brake.tsv --spring-laws laws.tsv --duration 2 -o brake.h5; last brake.h5 bob'
show 'kane simulate bob.xml --springs cubic.tsv -o none.h5'
show 'kane simulate bob.xml --spring-laws laws.tsv -o none.h5'
sed 's/cubic//' cubic.tsv > plain.tsv
show 'kane simulate bob.xml --springs plain.tsv --spring-laws laws.tsv -o none.h5'
printf 'law\tlength\trate\tforce\ncubic\t0\t0\t1\ncubic\t1\t1\t1\n' > half.tsv
show 'kane simulate bob.xml --springs cubic.tsv --spring-laws half.tsv -o none.h5'

echo '# a wing at 45 degrees: it swings about the axes of the world, rests as it stands, and about a frame turned back'
printf "$H"'hold\trotational\tworld\t0\t0\t0\twing\t0\t0\t0\t10\t0\t0\t\t\n' > hold.tsv
show 'kane simulate bob.xml --springs hold.tsv --duration 0.5 -o hold.h5; last hold.h5 wing'
sed 's/10\t0\t0/10\t0\tstart/' hold.tsv > start.tsv
show 'kane simulate bob.xml --springs start.tsv --duration 0.5 -o start.h5; last start.h5 wing'
printf "$H"'hold\trotational\tworld\t0\t0\t0\twing\t0\t0\t0\t10\t0\t0\t\t-0.7\n' > turned.tsv
show 'kane simulate bob.xml --springs turned.tsv --duration 0.5 -o turned.h5; last turned.h5 wing'
sed 's/rotational/axial/' turned.tsv > none.tsv
show 'kane simulate bob.xml --springs none.tsv -o none.h5'

echo '# a hinge, a slide, a free body and a mocap body that are driven; what that takes is stored'
cat > driven.xml <<'END'
<mujoco><option timestep="0.002"/><worldbody>
<body name="arm" pos="0 0 1"><joint name="hip" axis="0 -1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="2" contype="0" conaffinity="0"/></body>
<body name="lift" pos="2 0 0"><joint name="z" type="slide" axis="0 0 1"/><geom size="0.05" mass="3" contype="0" conaffinity="0"/></body>
<body name="paddle" mocap="true" pos="0 3 0.5"><geom type="box" size="0.3 0.3 0.02"/></body>
<body name="ball" pos="0 3 0.62"><freejoint/><geom size="0.1" mass="0.3"/></body>
<body name="stand" pos="0 5 0"><body name="top" pos="0 0 1"><geom size="0.1"/></body></body>
</worldbody></mujoco>
END
awk 'BEGIN { print "joint\ttime\tposition"; for (i = 0; i <= 50; i++) print "hip\t" i / 50 "\t" 0.4 * cos(3 * i / 50)
    for (i = 0; i <= 50; i++) print "z\t" i / 50 "\t" 0.1 * sin(5 * i / 50) }' > joints.tsv
awk 'BEGIN { print "body\ttime\tx\ty\tz\trotation_z"; for (i = 0; i <= 50; i++) print "paddle\t" i / 50 "\t0\t3\t" 0.5 + 0.05 * sin(4 * i / 50) "\t" i / 50 }' > bodies.tsv
show 'kane simulate driven.xml --joint-paths joints.tsv --body-paths bodies.tsv --duration 1 -o driven.h5; last driven.h5 paddle; last driven.h5 ball'
show 'kane export driven.h5 -o driven.npz; grep -aoE "simulation_constraint_[a-z_]+" driven.npz | sort -u'
show 'kane simulate driven.xml --joint-paths bodies.tsv -o none.h5'
sed 's/^hip/arm/' joints.tsv > none.tsv
show 'kane simulate driven.xml --joint-paths none.tsv -o none.h5'
printf 'body\ttime\tx\ty\tz\nlift\t0\t0\t0\t0\n' > none.tsv
show 'kane simulate driven.xml --body-paths none.tsv -o none.h5'
printf 'body\ttime\tx\ty\tz\ntop\t0\t0\t0\t0\n' > none.tsv
show 'kane simulate driven.xml --body-paths none.tsv -o none.h5'
printf 'body\ttime\tx\ty\tz\nball\t1\t0\t0\t0\nball\t1\t0\t0\t0\n' > none.tsv
show 'kane simulate driven.xml --body-paths none.tsv -o none.h5'

echo '# what hangs on a hinge is attached, and a bob that two carriers share'
cat > arms.xml <<'END'
<mujoco><option timestep="0.002"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body name="rod"><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="0.5"/></body>
<body name="rig" pos="1 0 0"><joint name="far" axis="0 1 0" stiffness="20"/><geom type="capsule" fromto="0 0 0 -0.4 0 0" size="0.02" mass="0.5"/></body>
<body name="bob" pos="0.5 0 0"><freejoint/><geom size="0.05" mass="0.8"/></body>
</worldbody></mujoco>
END
printf 'body\tto\tkind\nrod\tbob\trigid\n' > carried.tsv
show 'kane simulate arms.xml --attachments carried.tsv --integrator trapezoidal --duration 0.5 -o carried.h5; last carried.h5 bob'
printf 'body\tto\tkind\nbob\trod\trigid\n' > carried.tsv
show 'kane simulate arms.xml --attachments carried.tsv --integrator trapezoidal --duration 0.5 -o carried.h5 --force; last carried.h5 bob'
printf 'body\tto\tkind\tweight\nbob\trod\tpoint\t0.3\nbob\trig\tpoint\t0.7\n' > shared.tsv
show 'kane simulate arms.xml --attachments shared.tsv --duration 0.5 -o shared.h5; last shared.h5 bob'
sed 's/point/rigid/' shared.tsv > none.tsv
show 'kane simulate arms.xml --attachments none.tsv -o none.h5'
printf 'body\tto\tkind\nbob\trod\trigid\nbob\trig\tpoint\n' > none.tsv
show 'kane simulate arms.xml --attachments none.tsv -o none.h5'
printf 'body\tto\tkind\tweight\nbob\trod\tpoint\t0\n' > none.tsv
show 'kane simulate arms.xml --attachments none.tsv -o none.h5'

echo '# a soft block and a bead under a bar, in long implicit steps, held by springs of a table'
printf '<mujoco><option timestep="0.004"/><worldbody><body name="bar" pos="0 0 2"><joint type="slide" axis="1 0 0" stiffness="200"/><geom type="box" size="0.2 0.2 0.02" mass="0.3"/></body></worldbody><keyframe><key qvel="0.5"/></keyframe></mujoco>\n' > bar.xml
printf 'nx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\tbody\tface\tname\n3\t3\t4\t-0.05\t-0.05\t1.83\t0.05\t0.02\t400\t0.5\tbar\t+z\tsoft\n1\t1\t1\t0\t0\t1.6\t1\t0.1\t0\t0\t\t\tbead\n' > soft.tsv
S='name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\n'
printf "$S"'a\taxial\tsoft:1,1,0\t0\t0\t0\tbead\t0\t0\t0\t80\t0.2\tstart\nb\tligament\tbar\t0.2\t0\t0\tbead\t0\t0\t0\t40\t0.1\t0.3\nc\taxial\tworld\t0.3\t0\t1.4\tbead\t0\t0\t0\t30\t0\t0\n' > bonds.tsv
for i in symplectic-euler implicit-euler trapezoidal; do show "kane simulate bar.xml --particles soft.tsv --springs bonds.tsv --integrator $i --duration 0.4 -o soft.h5 --force; last soft.h5 bar"; done
sed 's/soft:1,1,0/soft:1,1,4/' bonds.tsv > none.tsv
show 'kane simulate bar.xml --particles soft.tsv --springs none.tsv -o none.h5'
sed 's/^c\taxial/c\ttranslation/; s/\t30\t0\t0$/\t30\t0\tstart/' bonds.tsv > none.tsv
show 'kane simulate bar.xml --particles soft.tsv --springs none.tsv -o none.h5'
sed 's/bead\t0/bead\t0.1/' bonds.tsv > none.tsv
show 'kane simulate bar.xml --particles soft.tsv --springs none.tsv -o none.h5'
