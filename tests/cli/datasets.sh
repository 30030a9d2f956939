# Datasets that a clip file may lack: each is removed in turn, with the checksums, and the rest is read.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
kane run --torque-uncertainty fast --angles-axes "$TESTS/squat.bvh" -o ran.h5 2>/dev/null
kane track --controller kane --duration 0.4 --perturb 1,0.1,Spine --perturb-time 0.05 ran.h5 -o tracked.h5 >/dev/null 2>&1
kane simulate "$TOP/data/scenes/stack.xml" --duration 0.05 -o simulated.h5 2>/dev/null
show '/usr/bin/python3 "$TESTS/datasets.py" "$KANE" ran.h5 tracked.h5 simulated.h5'
