# Presets of data/rigs on skeletons with the joints that each program publishes: names alone give the same roles, and a
# motion arrives on each rig. A table outranks the names.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: h5py is not installed"; exit; }
# The roles of a map without the joints that have none.
roles() { cut -f1,2 | grep -v -e '-$' | sort; }
# Whether bones and hands point and face as the clip's.
angle() {
    /usr/bin/python3 -c 'import h5py, sys
score = h5py.File(sys.argv[1])["retarget"].attrs
print("bones and hands within 3 degrees" if max(score[name] for name in ("leg_direction_deg", "bone_direction_deg", "facing_hand_deg")) < 3 else dict(score))' "$1"
}
for preset in "$TOP"/data/rigs/*.tsv; do
    rig=$(basename "$preset" .tsv)
    echo "# $rig"
    /usr/bin/python3 "$TESTS/rigs.py" "$rig" > "$rig.bvh"
    grep -v '^#' "$preset" | roles > stated
    "$KANE" import --force --keep-first-frame "$rig.bvh" -o hero.h5 2>&1 | grep -o 'joint names of .*'
    "$KANE" import -q --print-map "$rig.bvh" | roles | cmp - stated && echo "$(($(wc -l < stated) - 1)) roles"
    "$KANE" import -q --force --keep-first-frame --roles "$preset" "$rig.bvh" -o hero.h5 2>&1
    "$KANE" retarget -q --force --to hero.h5 "$TOP/data/walk.bvh" -o moved.h5 2>&1
    angle moved.h5
done
sed 's/left_shoulder/-/; s/left_elbow/left_shoulder/; s/-$/left_elbow/' "$TOP/data/rigs/vrm.tsv" > exchanged.tsv
show 'kane import -q --keep-first-frame --roles exchanged.tsv --print-map vrm.bvh | grep left_elbow'
echo '# known by its joint names, whatever number or separator the namespace has; names of MotionBuilder alone are of no rig'
for space in mixamorig1: mixamorig_ mixamorig 'Man:mixamorig:' ''; do
    sed "s/mixamorig:/$space/" mixamo.bvh > spaced.bvh
    echo "\"$space\" $("$KANE" import --force --keep-first-frame spaced.bvh -o hero.h5 2>&1 | grep -o 'joint names of .*')"
done
show 'kane retarget --to vrm.bvh spaced.bvh -o moved.h5 --force 2>&1 | grep -o "^[^,]*detected\|joint names of .*"'
show 'kane import --keep-first-frame --roles exchanged.tsv vrm.bvh -o hero.h5 --force 2>&1 | grep -o "joint names of .*"'
