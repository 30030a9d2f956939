. "$TESTS/show.sh"
cp "$TESTS/squat.bvh" .
kane import squat.bvh -o squat.h5 2>/dev/null
kane import "$TOP/data/walk.bvh" -o walk.h5 2>/dev/null
show 'kane retarget --to squat.bvh walk.h5 | kane info'
show 'kane retarget --to squat.h5 --plant none --hands body walk.h5 -o no_plant.h5'
cp "$TOP/data/squat.bvh" arms.bvh
show 'kane retarget --plant none --to arms.bvh walk.h5 -o bones.h5'
show 'kane info --json no_plant.h5 | grep -o "retarget_[a-z_]*"'
show 'kane retarget --to squat.bvh walk.h5 2>/dev/null | kane export --format bvh | head -n 3'

echo '# each joint keeps the channels of its file, in their order; a clip on another skeleton has those of that skeleton'
sed 's/Zrotation Xrotation Yrotation/Xrotation Yrotation Zrotation/' squat.bvh > order.bvh
channels() { grep -o 'CHANNELS.*rotation' "$1"; }
kane import order.bvh 2>/dev/null | kane export --format bvh -o same.bvh
kane retarget --to order.bvh walk.h5 2>/dev/null | kane export --format bvh -o moved.bvh
channels order.bvh > order.txt
show 'sort order.txt | uniq -c'
show 'channels same.bvh | cmp - order.txt && channels moved.bvh | cmp - order.txt'

echo '# onto a giant of 2.2 m with longer shanks, given 150 kg, and back: root path in cm and angles in degrees'
awk '/JOINT/ {shank = $2 ~ /Foot/} /OFFSET/ {for (i = 2; i <= 4; i++) $i *= 1.27 * (shank ? 1.08 : 1)} {print}' \
    "$TOP/data/walk.bvh" > giant.bvh
# farthest COLUMNS A B: the largest difference between two motions in these columns
farthest() {
    awk -v columns="$1" 'FNR == 1 {file++; row = 0} NF < 9 || /CHANNELS/ {next} {row++}
        file == 1 {for (i = 1; i <= NF; i++) kept[row, i] = $i}
        file == 2 {n = split(columns, c, " "); for (k = 1; k <= n; k++) {d = $c[k] - kept[row, c[k]]; if (d < 0) d = -d
                   if (d > most) most = d}}
        END {printf "%.1f\n", most}' "$2" "$3"
}
kane export --format bvh walk.h5 -o here.bvh
back() { kane retarget $1 --to giant.bvh walk.h5 2>/dev/null | kane body --mass 150 |
    kane retarget $1 --to "$TOP/data/walk.bvh" 2>/dev/null | kane export --format bvh -o back.bvh; }
show 'back "--plant none"; farthest "1 2 3" here.bvh back.bvh; farthest "$(seq -s " " 4 66)" here.bvh back.bvh'
show 'back; farthest "1 3" here.bvh back.bvh; farthest "$(seq -s " " 4 42)" here.bvh back.bvh'
echo '# what planted feet change: height of the root, angles of the legs'
show 'farthest 2 here.bvh back.bvh; farthest "$(seq -s " " 43 66)" here.bvh back.bvh'

echo '# what is doubtful of the character: the same words from a stage, a run and a batch, and options of the character'
character_warnings() { "$@" 2>&1 | grep 'of the character)\|the character:\|--fps' | sed 's/^kane [a-z]*: //; s/person of [0-9.]* m/person of N m/'; }
awk '/JOINT/ {arm = $2 == "LeftForeArm"} /OFFSET/ && arm {$2 = 20; $3 = 15; $4 = 0} {print}' \
    "$TOP/data/walk.bvh" > crooked.bvh
awk '/OFFSET/ {for (i = 2; i <= 4; i++) $i *= 0.05} {print}' "$TOP/data/walk.bvh" > tiny.bvh
sed 's/^Frame Time:.*/Frame Time: 0.9/' "$TOP/data/walk.bvh" > slow.bvh
cp "$TOP/data/walk.bvh" walk.bvh
for other in crooked tiny slow; do
    show "character_warnings kane retarget --to $other.bvh walk.h5 -o no.h5"
    show "character_warnings kane run --retarget-to $other.bvh walk.bvh -o no.h5"
    show "character_warnings kane batch --retarget-to $other.bvh walk.bvh -o $other"
    rm -f no.h5
done
show 'kane query crooked/index.db @warnings --columns kind --format tsv'

echo '# in the space of the file: its HIERARCHY digit for digit, its unit and axis'
awk '/OFFSET/ {printf "%s %.6f %.6f %.6f\n", $1, $2 / 100, -$4 / 100, $3 / 100; next} {print}' squat.bvh > metres.bvh
head_of() { sed '/MOTION/,$d' "$1"; }
kane retarget --to metres.bvh --target-unit m --target-up Z walk.h5 -o metres.h5 2>/dev/null
show 'kane export --like metres.bvh metres.h5 -o there.bvh; head_of metres.bvh > wanted.txt; head_of there.bvh | cmp - wanted.txt'
show 'kane import --unit m --up Z there.bvh 2>/dev/null | kane export --format bvh > again.bvh; kane export --format bvh metres.h5 > first.bvh'
show 'farthest "$(seq -s " " 1 66)" first.bvh again.bvh'
show 'kane export --like squat.bvh walk.h5 -o no.bvh'
show 'kane retarget --to squat.bvh squat.bvh -o twice.h5'

echo '# the map, there and back'
show 'kane retarget --to squat.bvh --print-map walk.h5'
kane retarget --to squat.bvh --print-map walk.h5 > map.tsv
kane retarget --to squat.bvh walk.h5 2>/dev/null | kane export --format csv > auto.csv
kane retarget --to squat.bvh --map map.tsv walk.h5 2>/dev/null | kane export --format csv > mapped.csv
show 'cmp auto.csv mapped.csv'
printf 'target\tsource\tweight\nHips\tHips\t0\n' > zero.tsv
show 'kane retarget --to squat.bvh --map zero.tsv walk.h5 -o no.h5'
printf 'target\tsource\nWing\tHips\n' > wing.tsv
show 'kane retarget --to squat.bvh --map wing.tsv walk.h5 -o no.h5'

echo '# contacts, seen and edited'
show 'kane retarget --to squat.bvh --print-contacts walk.h5 2>/dev/null | head -n 4'
kane retarget --to squat.bvh --print-contacts walk.h5 > contacts.tsv 2>/dev/null
kane retarget --to squat.bvh --contacts contacts.tsv walk.h5 2>/dev/null | kane export --format csv > mapped.csv
show 'cmp auto.csv mapped.csv'
sed 's/keep/lock/' contacts.tsv > locked.tsv
show 'kane retarget --to squat.bvh --contacts locked.tsv walk.h5 | kane info | grep retarget'
show 'kane retarget --to squat.bvh --plant lock walk.h5 | kane info | grep retarget'
echo '# options that an earlier version had'
show 'kane retarget --no-plant --to squat.bvh walk.h5 -o no.h5'
show 'kane run --retarget-no-plant walk.bvh -o no.h5'
show 'kane kinematics --window=5 squat.h5 -o no.h5'
show 'kane run --kinematics-order 2 walk.bvh -o no.h5'
show 'kane kinematics --scheme savgol squat.h5 -o no.h5'
sed 's/keep/glue/' contacts.tsv > glued.tsv
show 'kane retarget --to squat.bvh --contacts glued.tsv walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --plant-strength 2 walk.h5 -o no.h5'

echo '# the scorecard, and bounds on it'
show 'kane retarget --to squat.bvh walk.h5 2>/dev/null | kane info | sed -n "/^retarget/,/^[a-qs-z]/p" | head -n 16'
show 'kane retarget --score all --to squat.bvh walk.h5 | kane info | sed -n "/^retarget/,/^[a-qs-z]/p"'
printf 'metric\tmax\nslide_added_cm_s\t0.3\nknee_acceleration\t1.3\n' > bounds.tsv
show 'kane retarget --to squat.bvh --score-limits bounds.tsv walk.h5 2>/dev/null | kane info | grep -c .'
printf 'metric\tmax\nslide_added_cm_s\t-1\n' > tight.tsv
show 'kane retarget --to squat.bvh --score-limits tight.tsv walk.h5 -o no.h5'
printf 'metric\tmax\nmirror_cm\t1\n' > even.tsv
show 'kane retarget --to squat.bvh --score-limits even.tsv walk.h5 -o no.h5'
printf 'metric\tmax\nbeauty\t1\n' > beauty.tsv
show 'kane retarget --to squat.bvh --score-limits beauty.tsv walk.h5 -o no.h5'

echo '# a container of 0.1.0, whose /retarget has 43 metrics: it is read, and what is damaged is found'
gunzip -c "$TOP/tests/unit/container/retargeted_0.1.h5.gz" > old.h5
show 'kane check old.h5; kane info old.h5 | grep -A9 ^retarget'
show 'kane trim --from 0.55 old.h5 | kane check -'
printf '\253' | dd of=old.h5 bs=1 seek=30001 conv=notrunc 2>/dev/null
show 'kane check old.h5'

echo '# joint limits'
printf 'role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nleft_hip\t-180\t180\t-90\t90\t-5\t5\n' > limits.tsv
show 'kane retarget --to squat.bvh --limits limits.tsv walk.h5 | kane info | grep retarget'
sed 's/-5\t5/5\t-5/' limits.tsv > crossed.tsv
show 'kane retarget --to squat.bvh --limits crossed.tsv walk.h5 -o no.h5'
sed 's/left_hip/left_wing/' limits.tsv > wing.tsv
show 'kane retarget --to squat.bvh --limits wing.tsv walk.h5 -o no.h5'

echo '# what cannot be'
show 'kane retarget --to - walk.h5 -o no.h5'
show 'kane retarget walk.h5 -o no.h5'
show 'kane retarget --to nothing.bvh walk.h5 -o no.h5'
mkfifo pipe.bvh
show 'kane retarget --to pipe.bvh walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --rest frame:9999 walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --rest standing walk.h5 -o no.h5'
cp "$TOP/data/pendulum.bvh" .
show 'kane retarget --to pendulum.bvh walk.h5 -o no.h5'
show 'ls no.h5'

echo '# a prop that is a second ROOT: in the hand that has it, and on a target without it'
armed() {
    sed '/^MOTION/,$d' "$1"
    printf 'ROOT Sword\n{\n\tOFFSET 0 0 0\n\tCHANNELS 3 Xposition Yposition Zposition\n\tEnd Site\n\t{\n\t\tOFFSET 0 60 0\n\t}\n}\nMOTION\n'
    sed '1,/^MOTION/d' "$1" | awk 'NF > 9 {print $0, 30, 80, 20; next} {print}'
}
armed walk.bvh > armed.bvh
armed squat.bvh > armed_squat.bvh
show 'kane retarget --to armed_squat.bvh --target-root all --import-root all armed.bvh 2>/dev/null | kane export --format bvh | grep -c Sword'
show 'kane retarget --to armed_squat.bvh --import-root all armed.bvh -o armed.h5 2>&1 | grep Sword'
show 'kane retarget --to squat.bvh --import-root all --hold LeftHand=Sword armed.bvh 2>/dev/null | kane info | grep -c .'
show 'kane retarget --to squat.bvh --hold LeftHnd=Sword walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --hold Hips=Head walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --hold LeftHand walk.h5 -o no.h5'
show 'kane retarget --to squat.bvh --hands rotation --hold LeftHand=Head walk.h5 -o no.h5'

echo '# presets: map and settings of a pair of skeletons, found again by them'
show 'kane retarget -q --to squat.bvh --target-rest frame:3 --hands body --save-map rigs.tsv walk.bvh; head -n 4 rigs.tsv'
show 'kane retarget -q --to squat.bvh --save-map rigs.tsv squat.bvh; cut -f1 rigs.tsv | sort | uniq -c | wc -l'
kane retarget -q --to squat.bvh --target-rest frame:3 --hands body walk.bvh 2>/dev/null | kane export --format csv > stated.csv
show 'kane retarget -q --to squat.bvh --map rigs.tsv walk.bvh 2>/dev/null | kane export --format csv | cmp - stated.csv'
show 'kane retarget --to squat.bvh --map rigs.tsv --import-root all armed.bvh -o other.h5 2>&1 | grep preset'
show 'kane retarget --to squat.bvh --map rigs.tsv walk.bvh 2>/dev/null | kane info | grep -o "[-]-hands body.*"'
sed 's/--hands/--wings/' rigs.tsv > wings.tsv
show 'kane retarget -q --to squat.bvh --map wings.tsv walk.bvh -o no.h5'
show 'kane retarget -q --to squat.bvh --save-map map.tsv walk.bvh'
