. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
show 'kane import squat.bvh -o squat.h5'
show 'kane info squat.h5'
show 'kane info --json squat.h5'
show 'kane import --unit inch --up Z --fps 120 squat.bvh -o inch.h5'
show 'kane info inch.h5 | grep -e decided -e import'
show 'kane import --unit parsec squat.bvh -o no.h5'
show 'kane import < squat.bvh - | kane info | head -n 2'
show 'kane import squat.bvh nothing.bvh -o both/'
show 'ls both'
show 'kane import squat.bvh squat.bvh -o both/'
show 'kane import squat.bvh inch.h5 -o one.h5'
show 'ls'

echo '# bad input: one line, exit code 1, no output'
: > empty.bvh
show 'kane import empty.bvh -o no.h5'
show 'kane import . -o no.h5'
sed 's/OFFSET 0 -41 0/OFFSET 0 -41 x/' squat.bvh > letter.bvh
show 'kane import letter.bvh -o no.h5'
sed '$s/ [^ ]*$//' squat.bvh > short.bvh
show 'kane import short.bvh -o no.h5'
sed 's/^Frames: 40/Frames: 99999999999999999999/' squat.bvh > huge.bvh
show 'kane import huge.bvh -o huge.h5'
show 'kane import --max-joints 4 squat.bvh -o no.h5'
show 'kane import squat.bvh -o nowhere/no.h5'
show 'kane import squat.bvh > /dev/full'
show 'ls no.h5'
