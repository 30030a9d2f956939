. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
show 'kane check squat.bvh'
sed 's/^Frames: 40/Frames: 41/; s/RightFoot/LeftFoot/' squat.bvh > odd.bvh
show 'kane check squat.bvh odd.bvh'
sed 's/-41/nan/' squat.bvh > nan.bvh
show 'kane check nan.bvh nothing.bvh'
kane run squat.bvh -o squat.h5 2>/dev/null
show 'kane check squat.h5'
head -c 20000 squat.h5 > cut.h5
show 'kane check cut.h5'
show 'kane check - < squat.h5'
show 'kane check'
