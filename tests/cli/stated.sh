# What a user states is held against the motion: a warning each with the value that fits, an error under --strict.
. "$TESTS/show.sh"

cp "$TOP/data/walk.bvh" walk.bvh
warnings() { "$KANE" run walk.bvh -o walk.h5 --force "$@" 2>&1 | grep -e warning -e strict | sed 's/^kane run: walk.bvh: //'; }

echo '# values that fit'
show 'warnings --body-mass 62 --contact-ground 0 --smooth-cutoff 6 --import-fps 60 --strict'

echo '# mass'
show 'warnings --body-mass 700; warnings --body-mass 190; warnings --body-mass 7'

echo '# ground'
show 'warnings --contact-ground 0.5'

echo '# cutoff'
show 'warnings --smooth-cutoff 0.5; warnings --smooth-cutoff 50'

echo '# frame rate'
show 'warnings --import-fps 30'
show 'warnings --import-fps 120'

echo '# --strict writes nothing'
rm walk.h5
for given in '--body-mass 700' '--contact-ground 0.5' '--smooth-cutoff 0.5' '--import-fps 30'; do
    show "\"\$KANE\" run walk.bvh -q -o walk.h5 --strict $given 2>&1 | grep refuses | cut -c1-90"
done
show '"$KANE" import walk.bvh -q --strict --fps 30 -o walk.h5 2>/dev/null'
show 'ls *.h5 2>/dev/null | wc -l'
