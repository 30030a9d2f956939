# kane check --again: runs the history of a clip file on its source again and compares byte by byte.
. "$TESTS/show.sh"
mkdir in
cp "$TESTS/squat.bvh" in/squat.bvh
cp "$TOP/data/jump.bvh" in/jump.bvh
kane run -q in/jump.bvh -o jump.h5
show 'kane check --again jump.h5 in/jump.bvh'
kane run -q in/squat.bvh --import-unit cm --body-mass 61.3 --smooth-cutoff 7.1 --float32 --compress 3 -o squat.h5
show 'kane check --again squat.h5 in/squat.bvh'
# further stages, a target beside the source, clips of a batch without kinematics and of one with shared detections
kane trim jump.h5 --from 0.5 --to 2 -q | kane mirror -q | kane resample --fps 30 -q >other.h5
show 'kane check --again other.h5 in/jump.bvh'
kane run -q in/jump.bvh --retarget-to in/squat.bvh -o character.h5
show 'kane check --again character.h5 in/jump.bvh'
for name in two three; do cp in/squat.bvh in/$name.bvh; done
sed -i '57,$s/ 92 / 91.5 /' in/two.bvh
kane batch in -o out --store dynamics 2>/dev/null
for name in squat two jump; do show "kane check --again out/$name.bvh.h5 in/$name.bvh"; done
# not reproducible
show 'kane check --again jump.h5 in/squat.bvh'
show 'kane check --again jump.h5'
show 'kane check --again in/jump.bvh in/jump.bvh'
mkdir alone && cp in/jump.bvh alone
show 'kane check --again character.h5 alone/jump.bvh'
cp in/two.bvh alone/squat.bvh
show 'kane check --again character.h5 alone/jump.bvh'
kane simulate "$TOP/data/scenes/double_pendulum.xml" --duration 0.2 -o scene.h5 -q 2>/dev/null
show 'kane check --again scene.h5 in/jump.bvh'
# different content: each dataset and attribute
/usr/bin/python3 - <<'END'
import h5py
with h5py.File("jump.h5", "a") as file:
    file["dynamics/torque"][7, 3, 1] += 0.5
    file["body"].attrs["total_mass"] = 70.5
    del file.attrs["checksum"]
END
show 'kane check --again jump.h5 in/jump.bvh'
show 'kane check --again jump.h5 in/jump.bvh --json | wc -l'
