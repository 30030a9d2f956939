# C3D beside a motion: delay, turn and shift are found and printed; tables of other programs are read.
. "$TESTS/show.sh"

# The estimated forces of walk.bvh as plates: one per foot, or one under both, behind the motion, turned and shifted.
cp "$TOP/data/walk.bvh" .
kane run walk.bvh -o walk.h5 -q && kane export walk.h5 -o forces.mot -q
plates() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$TESTS/../support/c3d_of_forces.py" forces.mot "$@"; }
run() { kane run walk.bvh -o measured.h5 --force "$@" 2>&1 | grep -E 'plates|error|wrote' | sed "s|.*: plates|plates|"; }

plates late.c3d 0.137 90
show 'run --contact-external late.c3d'
show 'kane export measured.h5 -o markers.trc --force -q && sed -n "3,7p" markers.trc'
show 'kane info measured.h5 | grep "contact --method"'
plates ahead.c3d -0.09 -90
show 'run --contact-external ahead.c3d'
show 'run --contact-external ahead.c3d --contact-lag 0'
plates one.c3d 0.02 180 both
plates reversed.c3d 0 0 reversed
show 'run --contact-external one.c3d'
show 'run --contact-external one.c3d --contact-align none'
show 'kane check walk.h5 --external late.c3d'
show 'run --contact-external reversed.c3d'

echo '# plates that read 30 N too much, in each way of zeroing'
plates level.c3d 0.05 0 level=30
plates even.c3d 0.05 0
kane run walk.bvh --contact-external even.c3d -o even.h5 -q 2>/dev/null
for zero in file unloaded none; do
    kane run walk.bvh --contact-external level.c3d --contact-plate-zero $zero -o $zero.h5 -q 2>messages
    grep -o 'plates: .* reads .*' messages
    /usr/bin/python3 - $zero <<'PYTHON'
import sys, h5py, numpy
with h5py.File(sys.argv[1] + ".h5") as a, h5py.File("even.h5") as b:
    up, even = a["contact/foot_force"][..., 1], b["contact/foot_force"][..., 1]
    print(sys.argv[1], "%.0f N" % abs(numpy.median((up - even)[even > 200])))
PYTHON
done
show 'kane run walk.bvh --contact-external level.c3d --contact-plate-zero twice -o x.h5'

echo '# tables with a column per component'
for table in forces.mot grf.csv grf.tsv grf.sto; do
    [ $table = forces.mot ] || kane export walk.h5 --grf -o $table -q
    show "run --contact-external $table"
done
sed 's/ground_force_r_/ground_force_1_/g; s/ground_force_l_/2_ground_force_/g; s/ground_torque_r_/ground_torque_1_/g; s/ground_torque_l_/2_ground_torque_/g' forces.mot >numbered.mot
show 'run --contact-external numbered.mot'
add_plate() { # with this vertical force
    names=$(printf '\t3_ground_force_v%s' x y z; printf '\t3_ground_force_p%s' x y z; printf '\t3_ground_torque_%s' x y z)
    awk -v names="$names" -v row="\t0\t$1\t0\t0\t0\t0\t0\t0\t0" '/^time/ { $0 = $0 names } /^-?[0-9]/ { $0 = $0 row }
        /^nColumns/ { $0 = "nColumns=28" } { print }' forces.mot
}
add_plate 0 >idle.mot
show 'run --contact-external idle.mot'
add_plate 300 >third.mot
show 'kane run walk.bvh --contact-external third.mot -o x.h5 -q'
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $1 += 0.06 } { print }' forces.mot >late.mot
show 'run --contact-external late.mot'
show 'run --contact-external late.mot --contact-lag auto'
sed 's/ground_force_l_py/height/' forces.mot >without.mot
show 'kane run walk.bvh --contact-external without.mot -o x.h5 -q'
sed '9s/^\([^\t]*\t\)[^\t]*/\1x/' forces.mot >word.mot
show 'kane run walk.bvh --contact-external word.mot -o x.h5 -q'
