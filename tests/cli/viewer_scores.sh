# Scores of what a viewer sees, against a measurement of the written BVH; each sees a fault that is planted there.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null || { echo "skipped: h5py and numpy are not installed"; exit; }
measure() { /usr/bin/python3 "$TESTS/viewer_scores.py" moved.bvh clip.bvh moved.h5 "$floor" "$@"; }

# Longer toes and thighs, wider shoulders.
sed 's/-2.0000 6.0000/-4.0000 15.0000/; s/-42.5000/-47.0000/; s/OFFSET \(-*\)15.0000 0.0000/OFFSET \119.0000 0.0000/' \
    "$TOP/data/squat.bvh" > hero.bvh
/usr/bin/python3 "$TESTS/viewer_scores.py" --clap "$TOP/data/squat.bvh" > clap.bvh
for name in "$TOP/data/walk" "$TOP/data/jump" clap; do
    cp "$name.bvh" clip.bvh
    "$KANE" run clip.bvh -q --force -o clip.h5 2>/dev/null
    floor=$("$KANE" info clip.h5 | sed -n 's/.*ground at \([-0-9.]*\) m.*/\1/p')
    "$KANE" retarget -q --force --to hero.bvh clip.bvh -o moved.h5 2>/dev/null
    "$KANE" export -q --force moved.h5 -o moved.bvh 2>/dev/null
    echo "# $(basename "$name")"
    show 'measure'
    for fault in sink turn root slide hand; do
        show "measure $fault | grep -v equal | sed 's/ seen.*//'"
    done
done

echo '# a toe joint beside the ankle, which cannot bend: the foot stays above the floor as a whole'
sed 's/OFFSET 0.0000 -6.0000 14.0000/OFFSET 0.0000 -0.5000 0.5000/; s/OFFSET 0.0000 -2.0000 6.0000/OFFSET 0.0000 -12.0000 19.5000/' \
    "$TOP/data/squat.bvh" > hero.bvh
sink() {
    /usr/bin/python3 -c 'import h5py
sink = h5py.File("moved.h5")["retarget"].attrs["sink_increase_cm"][()]
print("at most 1 cm" if sink <= 1 else sink)'
}
for name in walk jump squat; do
    "$KANE" retarget -q --force --to hero.bvh "$TOP/data/$name.bvh" -o moved.h5 2>/dev/null
    echo "$name: sink $(sink)"
done
