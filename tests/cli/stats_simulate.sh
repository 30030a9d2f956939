# Statistics of each dataset of kane simulate and kane track: scenes with all supported MJCF features, under options.
# For an intended change: tests/cli/run.sh --accept build/kane stats_simulate, then review the diff.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
start_stats
cp "$TOP"/data/scenes/*.xml .
cp "$TESTS/squat.bvh" .
table() { tr ' ' '\t'; }
cat > arm.xml <<'END'
<mujoco model="arm">
  <compiler angle="degree" autolimits="true" eulerseq="zyx"/>
  <option timestep="0.004" gravity="0.1 0 -9.7"/>
  <default>
    <joint damping="0.05" armature="0.01"/>
    <geom density="900" friction="0.7 0.01 0.001"/>
    <default class="stiff"><joint stiffness="4" springref="10"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="0 0 1" euler="0 2 0"/>
    <site name="wall" pos="0.6 0.5 1.3"/>
    <body name="upper" pos="0 0 1.2" euler="10 20 30">
      <joint name="turn" type="ball" range="0 60"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body name="lower" pos="0.3 0 0" quat="0.9 0.1 0.2 0.3">
        <joint name="bend" axis="0 1 0.2" range="-20 100" class="stiff"/>
        <joint name="twist" axis="1 0 0" frictionloss="0" ref="5"/>
        <geom type="box" size="0.1 0.02 0.03" pos="0.1 0 0" axisangle="0 0 1 15"/>
        <body name="hand" pos="0.25 0 0" zaxis="0.1 0 1">
          <inertial pos="0.02 0 0.01" mass="0.4" fullinertia="0.002 0.003 0.0025 0.0001 0.0002 -0.0001"/>
          <joint name="reach" type="slide" axis="1 0 0" range="-0.05 0.1" stiffness="80"/>
          <geom type="sphere" size="0.04"/>
          <site name="wrist" pos="0.02 0 0.02"/>
        </body>
      </body>
    </body>
    <body name="crate" pos="0.4 0.3 0.3" xyaxes="1 0.1 0 0 1 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.1" condim="3" priority="1"/>
    </body>
    <body name="roller" pos="0.38 0.32 0.6"><freejoint/><geom type="capsule" size="0.06 0.1" euler="0 80 0"/></body>
    <body name="ball" pos="-0.4 0 0.4"><freejoint/><geom size="0.08" mass="0.3" condim="1"/></body>
    <body name="bob" pos="-0.4 0 0.9"><freejoint/><geom size="0.05" mass="0.2" contype="0" conaffinity="0"/></body>
    <body name="door" pos="1 0 0.5"><joint name="hinge" axis="0 0 1" armature="0.02"/><geom type="box" size="0.2 0.02 0.3" pos="0.2 0 0"/>
      <body name="handle" pos="0.35 0 0"><joint name="latch" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 -0.08 0" size="0.01" mass="0.1"/></body>
    </body>
  </worldbody>
  <equality>
    <connect body1="bob" body2="ball" anchor="0 0 -0.25"/>
    <joint joint1="latch" joint2="hinge" polycoef="0 0.5 0 0 0"/>
  </equality>
  <tendon>
    <spatial name="cord" stiffness="30" damping="0.2" springlength="0.5"><site site="wall"/><site site="wrist"/></spatial>
  </tendon>
  <actuator>
    <motor joint="twist" gear="2" ctrlrange="-1 1" ctrllimited="true"/>
    <position joint="hinge" kp="6" kv="0.4"/>
    <velocity joint="reach" kv="2"/>
  </actuator>
  <contact><exclude body1="upper" body2="hand"/></contact>
  <keyframe>
    <key name="rest" ctrl="0.2 0.8 0.1"/>
    <key name="thrown" qvel="0 0 0 0 0 0 0.5 0 0 0 0 0 0 0 0 0 0 0 1 0 0.5 0 0 0 0 0 0 0 0 0 0.3 0" ctrl="0 0.5 0"/>
  </keyframe>
</mujoco>
END
table > hang.tsv <<'END'
name kind joint_a ax ay az joint_b bx by bz stiffness damping rest
hang axial world 0 0 1.5 ball 0 0 0.05 60 1 0.9
END
table > push.tsv <<'END'
time joint fx fy fz px py pz tx ty tz
0 crate 2 0 1 0.4 0.3 0.35 0 0.1 0
0.4 crate 0 3 0 0.4 0.3 0.35 0.2 0 0
END
table > twist.tsv <<'END'
time joint torque
0 bend 0
0.5 bend 0.8
0 reach 1
0.5 reach -2
END
table > hold.tsv <<'END'
joint stiffness damping target
bend 20 1 0.5
latch 5 0.2 -0.3
END
table > soft.tsv <<'END'
nx ny nz x y z spacing mass stiffness damping body face
3 2 3 0.3 0.5 0.4 0.05 0.004 50 0.02 door +z
END
run() { # OPTION...
    rm -f run.h5
    show "kane simulate $* -o run.h5"
    stats run.h5 | sed 1d
}
run arm.xml --duration 0.6
run arm.xml --key thrown --duration 0.5 --solver gauss-seidel --friction 0.4 --restitution 0.5
run arm.xml --duration 0.3 --contact-compliance 1e-5 --contact-time-constant 0.01 --fps 100 --dt 0.002 --springs hang.tsv
run arm.xml --duration 0.4 --forces push.tsv --torques twist.tsv --actuators hold.tsv --integrator implicit-euler
run arm.xml --duration 0.3 --friction-model box --gravity 0,1,-5 --particles soft.tsv
run double_pendulum.xml --duration 1 --integrator trapezoidal
run double_pendulum.xml --duration 1 --integrator bridson-marino
run rope.xml --duration 0.1
run stack.xml --duration 0.3
kane run squat.bvh -o squat.h5 2>/dev/null
run --torques squat.h5 --duration 0.3 --residual off
run --torques squat.h5 --duration 0.2 --dt 0.002
echo '# bodies under controllers'
kane run "$TOP/data/squat.bvh" -o person.h5 2>/dev/null
table > limits.tsv <<'END'
role roll_min roll_max pitch_min pitch_max yaw_min yaw_max
left_knee -180 180 -90 90 -20 20
right_knee -10 100 -90 90 -180 180
END
table > joints.tsv <<'END'
joint stiffness damping
left_knee 2000 100
left_ankle 9000 300
END
table > band.tsv <<'END'
name kind joint_a ax ay az joint_b bx by bz stiffness damping rest
band axial left_knee 0 -0.2 0.1 left_ankle 0 0 -0.05 800 20 0.1
END
track() { # OPTION...
    rm -f run.h5
    show "kane track $* -o run.h5"
    stats --unlike person.h5 run.h5 | sed 1d
}
track person.h5 --duration 0.5 --perturb 2,0.4,spine --perturb-time 0.05
track person.h5 --root prescribed-loads --controller kane-feedforward --springs band.tsv
track person.h5 --root free --controller kane-feedforward --duration 0.4
track person.h5 --controller kane --limits limits.tsv --soft-joints joints.tsv --duration 1
track person.h5 --controller pd-feedforward --follow 4 --acceleration current --duration 0.6
track person.h5 --controller pd --gains plain --stiffness 200 --damping 9 --velocity zero --dt 0.005 --duration 0.5
track --scene steady --duration 1
track --scene moving --duration 1 --controller bubble-up
kane track --scene-file two_links_moving.xml --duration 1 --series steps.tsv --table
stats steps.tsv
