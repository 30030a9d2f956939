# Segment masses of a subject from several clips: forces computed with one body, clips with another.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/squat.bvh" "$TOP/data/jump.bvh" .

# plates CLIP: force and couple at the hips that the motion requires, with noise of up to 5 N, as a table of measured
# forces.
plates() {
    kane run "$1.bvh" --contact-method none -o "$1.h5" 2>/dev/null && /usr/bin/python3 - "$1" <<'END'
import random, sys
import h5py
random.seed(1)
with h5py.File(sys.argv[1] + ".h5") as clip, open(sys.argv[1] + ".tsv", "w") as out:
    time, place = clip["time"][()], clip["kinematics/position"][:, 0]
    force, couple = clip["dynamics/residual_force"][()], clip["dynamics/torque"][:, 0]
    print("time joint fx fy fz px py pz tx ty tz".replace(" ", "\t"), file=out)
    for row in zip(time, force, place, couple):
        numbers = [x + random.uniform(-5, 5) for x in row[1]] + list(row[2]) + list(row[3])
        print(row[0], "Hips", *(repr(float(x)) for x in numbers), sep="\t", file=out)
END
}

# measured NAME OPTION...: the three clips with those forces and another body.
measured() {
    name=$1; shift
    for clip in walk squat jump; do
        kane run "$clip.bvh" --contact-external "$clip.tsv" "$@" -o "$clip.$name.h5" 2>/dev/null
    done
}
for clip in walk squat jump; do plates "$clip"; done

# shift SHARE: the segments of walk.h5 with thighs heavier by the fraction SHARE of their mass, and the trunk lighter by
# the same mass.
shifted() {
    /usr/bin/python3 - "$1" <<'END'
import sys
import h5py
with h5py.File("walk.h5") as clip:
    names = [n.decode() if isinstance(n, bytes) else n for n in clip["joint"][()]]
    mass, com, inertia = (clip["body/" + n][()] for n in ("mass", "com", "inertia"))
legs = [i for i, n in enumerate(names) if n in ("LeftUpLeg", "RightUpLeg")]
trunk = [i for i, n in enumerate(names) if n in ("Hips", "Spine", "Spine1", "Chest")]
factor = [1.0] * len(names)
for i in legs:
    factor[i] = 1 + float(sys.argv[1])
for i in trunk:
    factor[i] = 1 - float(sys.argv[1]) * sum(mass[legs]) / sum(mass[trunk])
print("joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz")
for i, name in enumerate(names):
    if mass[i] > 0:
        row = [mass[i] * factor[i], *com[i], *(x * factor[i] for x in inertia[i])]
        print(name, *(repr(float(x)) for x in row), sep="\t")
END
}
measured right
shifted 0.1 > heavy.tsv
measured heavy --body-segments heavy.tsv

echo '# the body that the forces were made with, and one whose thighs are 10 % too heavy'
show 'kane calibrate walk.right.h5 squat.right.h5 jump.right.h5 -o right.tsv'
show 'kane calibrate walk.heavy.h5 squat.heavy.h5 jump.heavy.h5 -o repaired.tsv'
show 'kane body --segments repaired.tsv walk.h5 | kane info | tail -n 1'

echo '# what finds nothing writes nothing'
kane run jump.bvh -o jump.h5 2>/dev/null
show 'kane calibrate walk.h5 squat.h5 jump.h5 -o none.tsv'
show 'kane calibrate walk.right.h5 squat.heavy.h5 -o none.tsv'
kane import walk.bvh > bare.h5 2>/dev/null
show 'kane calibrate bare.h5 walk.h5 -o none.tsv'
kane trim --from 0.2 --to 1 walk.heavy.h5 2>/dev/null | kane kinematics 2>/dev/null > part.h5
kane contact --external walk.tsv part.h5 -o part.measured.h5 2>/dev/null
show 'kane calibrate walk.heavy.h5 squat.heavy.h5 walk.heavy.h5 -o none.tsv'
show 'kane calibrate walk.heavy.h5 part.measured.h5 -o none.tsv'
kane run "$TOP/data/pendulum.bvh" -o pendulum.h5 2>/dev/null
show 'kane calibrate pendulum.h5 -o none.tsv'
sed 's/JOINT RightLeg/JOINT RightShin/' squat.bvh > renamed.bvh
kane run renamed.bvh --contact-external squat.tsv -o renamed.h5 2>/dev/null
show 'kane calibrate walk.right.h5 renamed.h5 -o none.tsv'
show 'ls right.tsv none.tsv'
