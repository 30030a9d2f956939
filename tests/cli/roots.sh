# Several ROOTs, cells that are no numbers, scale channels: one sentence each, and what the options do about it.
. "$TESTS/show.sh"

make() { python3 "$TESTS/../evidence/make_clips.py" "$1" "$TOP/data/walk.bvh" > "$1.bvh"; }
# Messages of run without the decisions and what the estimate of errors makes of the frames.
run() { "$KANE" run "$@" -o run.h5 --force 2>&1 | grep -v detected | sed 's/, [0-9.]* % trusted.*//'; }
# Largest difference of the torques of run.h5 from those of another clip, by joint name; both have the same frames.
same() {
    /usr/bin/python3 - "$1" <<'PYTHON'
import h5py, numpy, sys
one, two = h5py.File("run.h5"), h5py.File(sys.argv[1])
names = [list(clip["joint"][:]) for clip in (one, two)]
both = [n for n in names[0] if n in names[1]]
off = [numpy.nanmax(abs(one["dynamics/torque"][:, names[0].index(n)] - two["dynamics/torque"][:, names[1].index(n)])) for n in both]
print(f"{len(both)} joints, torques within {10.0 ** numpy.ceil(numpy.log10(max(max(off), 1e-9))):.0e} N m")
PYTHON
}
"$KANE" run "$TOP/data/walk.bvh" -o walk.h5 2>/dev/null

echo '# cells that are no numbers'
for kind in nan-leaves nan-leaf nan-joint nan-gaps large text; do make $kind; show "run $kind.bvh"; done
show 'kane check nan-gaps.bvh'
show 'run nan-leaves.bvh --import-drop-joints auto; same walk.h5'
show 'run nan-leaf.bvh --import-drop-joints RightToeBse'
show 'kane import nan-leaf.bvh --drop-joints auto -o leaf.h5 2>/dev/null && kane info leaf.h5 | grep "^history"'
show 'kane check nan-leaves.bvh --repair -o rest.bvh >&2; run rest.bvh; same walk.h5'
show 'kane check nan-joint.bvh --repair -o rest.bvh --force >&2; run rest.bvh'

echo '# several ROOTs'
for kind in prop prop-first three-roots; do make $kind; show "run $kind.bvh; same walk.h5"; done
show 'run prop.bvh --import-root all; same walk.h5'
show 'run prop-first.bvh --import-root all; same walk.h5'
show 'kane import prop.bvh --root all -o all.h5 2>/dev/null && kane info all.h5 | grep "^history"'
show 'run prop.bvh --import-root Sword'
show 'kane check prop.bvh'
show 'kane check prop.bvh --root Hips'
mkdir several && mv prop*.bvh three-roots.bvh nan-leaf.bvh several
show 'kane batch several -o clips 2>&1 | sed "s/ in [0-9.]* s, .*//"'
show 'kane batch several -o clips --import-root all --import-drop-joints auto 2>&1 | sed "s/ in [0-9.]* s, .*//"'
show 'kane info several/prop.bvh | grep title'
show 'kane retarget walk.h5 --to several/prop.bvh -o moved.h5 2>&1 | grep roots'

echo '# a root above the body, and scale channels'
for kind in armature floor-root reference scale-one; do make $kind; show "run $kind.bvh; same walk.h5"; done
make floor-root+armature
show 'run floor-root+armature.bvh; same walk.h5'
for kind in scale-constant scale; do make $kind; show "run $kind.bvh"; done
show 'kane check scale.bvh'

echo '# rows that a recorder lost'
make no-tenth-row
show 'run no-tenth-row.bvh'
interpolated() {
    /usr/bin/python3 - <<'PYTHON'
import h5py, numpy
flags = h5py.File("run.h5")["trust/reason"][:]
lost = numpy.flatnonzero(flags & 16)
beside = numpy.unique(numpy.concatenate([lost - 1, lost + 1]))
print(f"{len(lost)} frames interpolated, {numpy.mean((flags[beside] & 1) != 0):.0%} of those beside them flagged")
now, then = (numpy.linalg.norm(h5py.File(name)["dynamics/torque"][:170], axis=2).max(axis=0) for name in ("run.h5", "walk.h5"))
print(f"peaks {(now[then > 5] / then[then > 5]).min():.2f} to {(now[then > 5] / then[then > 5]).max():.2f} of those of all rows")
PYTHON
}
show interpolated

echo '# a target takes the travel as its own root does'
# Where root and hips of a clip are in the world, cm: range along the ground, range of heights.
places() {
    /usr/bin/python3 - "$1" <<'PYTHON'
import h5py, numpy, sys
clip = h5py.File(sys.argv[1])
roles = [r.decode() for r in clip["skeleton/role"][:]]
root, hips = clip["kinematics/position"][:, 0], clip["kinematics/position"][:, roles.index("hips")]
for name, at in (("root", root), ("hips", hips)):
    path = numpy.hypot(*(100 * numpy.ptp(at[:, [0, 2]], axis=0)))
    low, high = (round(100 * height) for height in (at[:, 1].min(), at[:, 1].max()))
    print(f"{name} travels {path:.0f}, height {low} to {high}", end="; ")
print()
PYTHON
}
cp "$TOP/data/walk.bvh" hips-root.bvh
for from in hips-root floor-root armature reference; do
    for to in hips-root floor-root armature reference; do
        show "kane retarget $from.bvh --to $to.bvh -q 2>/dev/null | kane kinematics -o moved.h5 --force -q; places moved.h5 # $from to $to"
    done
done
for kind in keep travel in-place hips; do
    show "kane retarget walk.h5 --to floor-root.bvh --root-motion $kind -q 2>/dev/null | kane kinematics -o moved.h5 --force -q; places moved.h5"
done

echo '# exports place the root, too'
"$KANE" import floor-root.bvh -o floor.h5 -q
for kind in travel hips in-place; do
    show "kane export floor.h5 --root-motion $kind -o $kind.bvh --force; kane import $kind.bvh -q | kane kinematics -o moved.h5 --force -q; places moved.h5"
done
show 'kane export floor.h5 --root-motion hips -o hips.glb'
show 'kane export floor.h5 --root-motion hips -o hips.csv'
show 'kane info several/prop.bvh --import-root all | grep ^skeleton'
