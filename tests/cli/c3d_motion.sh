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

echo '# tables with a column per component'
for table in forces.mot grf.csv grf.tsv grf.sto; do
    [ $table = forces.mot ] || kane export walk.h5 --grf -o $table -q
    show "run --contact-external $table"
done
sed 's/ground_force_r_/ground_force_1_/g; s/ground_force_l_/2_ground_force_/g; s/ground_torque_r_/ground_torque_1_/g; s/ground_torque_l_/2_ground_torque_/g' forces.mot >numbered.mot
show 'run --contact-external numbered.mot'
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $1 += 0.06 } { print }' forces.mot >late.mot
show 'run --contact-external late.mot'
show 'run --contact-external late.mot --contact-lag auto'
sed 's/ground_force_l_py/height/' forces.mot >without.mot
show 'kane run walk.bvh --contact-external without.mot -o x.h5 -q'
sed '9s/^\([^\t]*\t\)[^\t]*/\1x/' forces.mot >word.mot
show 'kane run walk.bvh --contact-external word.mot -o x.h5 -q'
