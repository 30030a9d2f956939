# kane blend: two clips of one skeleton, output as BVH and clip file, warnings, errors.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" "$TOP/data/squat.bvh" .
show 'kane blend walk.bvh squat.bvh --at 1 --over 0.6 -o stop.bvh'
show 'kane blend walk.bvh --with jump.bvh --at 0.8 -q -o jump.h5; kane info jump.h5 | grep -E "^(motion|history)|blend"'

echo '# with itself: the clip'
show 'kane blend walk.bvh walk.bvh --at 1 -o same.bvh 2>&1 | tail -n 2'

echo '# errors'
show 'kane blend walk.bvh --at 1 -o no.bvh'
show 'kane blend walk.bvh squat.bvh -o no.bvh'
show 'kane blend walk.bvh - --at 1 -o no.bvh'
show 'kane blend -q walk.bvh squat.bvh --at 5 -o no.bvh'
show 'kane blend -q walk.bvh squat.bvh --at 2.8 --over 0.5 -o no.bvh'
show 'kane blend -q walk.bvh squat.bvh --at 0 --over 2.9 -o no.bvh'
show 'kane blend -q walk.bvh squat.bvh --at 1 --root-motion in-place -o no.bvh'
show 'kane blend -q walk.bvh squat.bvh --at 1 -o squat.bvh'
sed 's/LeftLeg/LeftShin/' squat.bvh > shin.bvh
show 'kane blend -q walk.bvh shin.bvh --at 1 -o no.bvh'
show 'kane blend -q walk.bvh none.bvh --at 1 -o no.bvh'
