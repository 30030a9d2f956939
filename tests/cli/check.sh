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

echo '# what --repair writes, and what it says it did'
awk 'NR > 56 && NR % 10 == 0 {$2 = "nan"} NR == 75 {$0 = $1 " " $2} {print}' odd.bvh > bad.bvh
show 'kane check bad.bvh --repair -o repaired.bvh > bad.txt'
show 'cat repaired.bvh.log'
show 'kane check repaired.bvh'
show 'kane check bad.bvh --json | head -n 1'
show 'kane check bad.bvh squat.bvh --repair -o repaired/ > bad.txt'
show 'ls repaired && cmp repaired/bad.bvh repaired.bvh'
sed 's/Frame Time: .*/Frame Time: 0/' squat.bvh > timeless.bvh
show 'kane check timeless.bvh --repair -o timed.bvh'
show 'kane check timeless.bvh --repair -o timed.bvh --fps 30 > bad.txt'
show 'grep Time: timed.bvh'
show 'kane check squat.bvh --repair -o inch.bvh --unit inch --up Z'
show 'grep -m 3 -e OFFSET -e CHANNELS inch.bvh'

echo '# what a file does not say'
sed 's/Frame Time: .*/Frame Time: 1/' squat.bvh > slides.bvh
show 'kane check slides.bvh'
show 'kane run slides.bvh -o no.h5'
show 'kane import --fps 30 slides.bvh -o slides.h5'
awk 'NR > 56 {$1 = 0; $2 = 90; $3 = 0} {print}' squat.bvh > placeless.bvh
show 'kane check placeless.bvh'
show 'kane run placeless.bvh -o placeless.h5 && kane info placeless.h5 | grep -e "^contact" -e contact.*method'
show 'kane index placeless.db placeless.h5 && kane query placeless.db --columns untrusted_reason,trusted_fraction,left_knee_torque_peak_nm_kg'
show 'kane import --positions around placeless.bvh -o no.h5'

awk '/^ROOT/ {print "ROOT Ground\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"; sub("ROOT", "JOINT")}
    /^MOTION/ {print "}"} NR > 56 {$0 = "0 0 0 " $0; $4 += NR} {print}' squat.bvh > ground.bvh
show 'kane check ground.bvh'

echo '# limits name their flags'
show 'kane check --max-joints 4 squat.bvh'
show 'kane run --max-frames 39 squat.bvh -o no.h5'
show 'kane batch --max-depth 2 squat.bvh -o none 2>&1 | sed "s/;.*//"'

echo '# wrong usage'
show 'kane check squat.bvh --repair'
show 'kane check squat.bvh --repair -o squat.bvh'
show 'kane check squat.bvh bad.bvh --repair -o one.bvh'
