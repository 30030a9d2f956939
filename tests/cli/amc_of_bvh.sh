# A walk written as ASF and AMC is the walk.
. "$TESTS/show.sh"

/usr/bin/python3 "$TESTS/../support/amc_of_bvh.py" "$TOP/data/walk.bvh" 07.asf 07_01.amc
# Largest distance of joints from those of the same name in the BVH file.
same() {
    /usr/bin/python3 - <<'PYTHON'
import h5py, numpy
one, two = h5py.File("amc.h5"), h5py.File("bvh.h5")
names = [[b"root" if n == b"Hips" else n for n in clip["joint"][:]] for clip in (one, two)]
off = [abs(one["kinematics/position"][:, names[0].index(n)] - two["kinematics/position"][:, names[1].index(n)]).max()
       for n in names[1]]
print(f"{len(off)} joints within {1e6 * max(off):.0f} um")
PYTHON
}
show 'kane import 07_01.amc --fps 60 --unit cm -q | kane kinematics -o amc.h5 -q'
show 'kane import "$TOP/data/walk.bvh" -q 2>/dev/null | kane kinematics -o bvh.h5 -q; same'
