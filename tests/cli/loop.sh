# kane loop: found and given periods, root motion, output as BVH and clip file, warnings, errors.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" "$TOP/data/pendulum.bvh" .
show 'kane loop walk.bvh -o cycle.bvh'
show 'kane loop walk.bvh --root-motion in-place --over 0.2 -q -o cycle.h5; kane info cycle.h5 | grep -E "^(motion|history)|loop"'

echo '# a loop is a loop: its period is the whole clip'
kane loop walk.bvh --from 0.5 --to 1.6 -q -o once.h5
show 'kane loop walk.bvh --from 0.5 --to 2.7 -o twice.bvh'

echo '# computed groups are dropped; a period that does not return is warned of'
kane run walk.bvh -q -o walk.h5
show 'kane loop walk.h5 --from 0.5 --to 1.2 --over 0.1 -o half.h5'

echo '# import options apply'
show 'kane loop walk.bvh --import-fps 30 --root-motion hips -o slow.bvh'

echo '# errors'
show 'kane loop walk.bvh --from 2 --to 1 -o no.bvh'
show 'kane loop walk.bvh --from 9 -o no.bvh'
show 'kane loop walk.bvh --over -1 -o no.bvh'
show 'kane loop walk.bvh --root-motion away -o no.bvh'
show 'kane trim walk.bvh --to 0.2 -q | kane loop -o no.bvh'
