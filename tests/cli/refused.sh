# Errors and warnings: one command per line, with its message and exit code. Names and numbers in a message are those of
# the wrong file or option.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" "$TOP/data/pendulum.bvh" "$TOP/data/scenes/double_pendulum.xml" .
kane run walk.bvh -q -o walk.h5
kane run jump.bvh -q -o jump.h5
kane import walk.bvh -q -o bare.h5
kane run pendulum.bvh -q --angles none --contact-method none -o pendulum.h5 2>messages
kane batch walk.bvh -q -o lib 2>messages
table() { printf '%b' "$2" >"$1.tsv"; }
# each LINE...: runs each line of standard input as a command.
each() { while IFS= read -r line; do [ -z "$line" ] || show "$line"; done; }

echo '## numbers of options'
each <<'LINES'
kane trim walk.h5 --from 2 --to 1 -o no.h5
kane resample walk.h5 --fps 0 -o no.h5
kane resample walk.h5 --fps 1e12 -o no.h5
kane import walk.bvh --fps 1e9 -o no.h5
kane smooth walk.h5 --method savgol --window 4 -o no.h5
kane smooth walk.h5 --method savgol --window 5 --order 5 -o no.h5
kane smooth walk.h5 --cutoff 0 -o no.h5
kane smooth walk.h5 --compress 10 -o no.h5
kane smooth walk.h5 --method nearest -o no.h5
kane kinematics walk.h5 --scheme none -o no.h5
kane body walk.h5 --mass 0 -o no.h5
kane body walk.h5 --neutral-pose 0,0,0/1,2,3 -o no.h5
kane batch walk.bvh -j 0 -o no
kane track walk.h5 --stiffness 0 --table
kane track walk.h5 --dt 0 --table
kane track walk.h5 --perturb 1,1,Nose --table
kane simulate double_pendulum.xml --dt 0 -o no.h5
kane simulate --torques walk.h5 --dt 0 -o no.h5
kane export walk.h5 --camera follow --camera-distance 0 -o no.glb
kane export walk.h5 --camera follow --camera-yaw 181 -o no.glb
kane export walk.h5 --camera follow --camera-frequency 101 -o no.glb
kane contact walk.h5 --ground 3 -o high.h5
kane contact walk.h5 --method external -o no.h5
kane contact walk.h5 --external-threshold 5 -o no.h5
kane contact walk.h5 --reduce-residual --method none -o no.h5
kane plot walk.h5 --size 1x1 -o no.svg
kane query lib/index.db "duration_s > 0" --timeout 0
kane check walk.bvh --ignore euler-flop
LINES

echo '## what a clip file lacks'
each <<'LINES'
kane contact bare.h5 -o no.h5
kane contact bare.h5 --reduce-residual -o no.h5
kane explain pendulum.h5 --joint left_knee
kane explain walk.h5 --joint left_knee --at 1000
kane explain walk.h5 --joint Hips
kane gait pendulum.h5
kane gait bare.h5
kane plot bare.h5 --per-kg --joint LeftLeg -o no.gp
kane plot walk.h5 --per-kg --joint LeftLeg --quantity angular-velocity -o no.gp
kane plot pendulum.h5 --coordinate left_knee_flexion -o no.gp
kane plot walk.h5 jump.h5 --coordinate left_knee_dance -o no.gp
kane export pendulum.h5 -o no.mot
kane export bare.h5 -o no.sto
kane scale pendulum.h5 --stature 1.8 -o no.h5
kane mirror pendulum.h5 -o mirrored.h5
kane calibrate walk.h5 pendulum.h5
kane calibrate walk.h5 walk.h5
kane calibrate pendulum.h5
kane retarget pendulum.h5 --to walk.h5 -o no.h5
kane body pendulum.h5 --model deleva -o no.h5
kane body pendulum.h5 --model segments -o no.h5
kane track pendulum.h5 --contact on --root free --table
LINES

echo '## names of files'
each <<'LINES'
cat walk.h5 walk.h5 | kane info - | grep -c "^motion      181 frames"
printf "\\211HDF" | kane info -
kane index walk.h5
: >empty.db && kane query empty.db "duration_s > 0"
sqlite3 other.db 'CREATE TABLE t(a)' && kane query other.db "duration_s > 0"
kane query none.db "duration_s > 0"
kane import . -o no.h5
kane export walk.h5 --format nothing -o no.x
kane batch lib -o no
kane merge no.db none.db
kane merge no.db lib/index.db other.db
LINES

echo '## questions to an index'
each <<'LINES'
kane query lib/index.db @hardest "duration_s >"
kane query lib/index.db @hardest walk.h5
kane query lib/index.db @similar
kane query lib/index.db @similar walk.h5@0.0-0.1
kane query lib/index.db @similar walk.h5@5-9
kane query lib/index.db @similar pendulum.h5
kane query lib/index.db @lower-torque pendulum.h5
kane query lib/index.db --sql "SELECT 1; SELECT 2"
kane query lib/index.db --sql "SELECT 1" --limit 3 --order path
kane query lib/index.db "duration_s > 1000"
kane query lib/index.db @over strength=0
kane query lib/index.db @over strength=-1
kane query lib/index.db @within left_knee=0
kane query lib/index.db @within left_knee=1,left_kne=2
kane query lib/index.db @within left_knee
LINES

echo '## tables'
table role 'joint\ttorque_nm\nleft_knee\t1\n'
table column 'role\ttorque\nleft_knee\t1\n'
table limit 'role\ttorque_nm\n\nleft_knee\t-1\n'
table name 'role\ttorque_nm\nleft_hip\t1\nleft_nee\t1\n'
table wide 'role\ttorque_nm\nleft_knee\t1\t2\n'
table word 'role\ttorque_nm_kg\nleft_knee\tmuch\n'
table empty ''
table head 'role\ttorque_nm\n'
printf 'role\ttorque_nm\nleft\000knee\t1\n' >nul.tsv
for t in role column limit name wide word empty head nul; do show "kane query lib/index.db @within $t.tsv"; done
table map 'source\ttarget\tweight\nHips\tHips\t0\n'
table nobody 'source\ttarget\nHips\tHip\n'
show 'kane retarget walk.h5 --to jump.h5 --map map.tsv -o no.h5'
show 'kane retarget walk.h5 --to jump.h5 --map nobody.tsv -o no.h5'
grid='body\tface\tnx\tny\tnz\tx\ty\tz\tspacing\tmass\tstiffness\tdamping\n'
table count "${grid}\t\t0\t1\t1\t0\t0\t1\t0.1\t1\t0\t0\n"
table spacing "${grid}\t\t1\t1\t1\t0\t0\t1\t0\t1\t0\t0\n"
table face "${grid}\tup\t1\t1\t1\t0\t0\t1\t0.1\t1\t0\t0\n"
for t in count spacing face; do show "kane simulate double_pendulum.xml --particles $t.tsv -o no.h5"; done

echo '## rows of a table of clips, and of kane_frames'
table twice 'glob\tbody-mass\tbody-mass\nwalk*\t60\t70\n'
table bare 'glob\tbody-mass\n\t60\n'
table odd 'glob\tbody-mas\nwalk*\t60\n'
table heavy 'glob\tbody-mass\nwalk*\theavy\n'
table other 'glob\tbody-mass\njump*\t60\n'
for t in twice bare odd heavy other; do show "kane batch walk.bvh --clips $t.tsv -o rows 2>&1 | sed 's/;.*//'"; done
sql() { show "kane query lib/index.db --sql \"SELECT $1\""; }
sql 'count(*) FROM kane_frames'
sql "count(*) FROM kane_frames('')"
sql "count(*) FROM kane_frames('nothing.h5')"
sql "count(*), min(time), max(time) FROM kane_frames('walk.bvh.h5') WHERE joint = 'LeftLeg' AND time >= 1 AND time <= 1.5"
sql "count(*), min(frame), max(frame) FROM kane_frames('walk.bvh.h5') WHERE role = 'left_knee' AND frame > 10 AND frame < 20"
sql "count(*), sum(frame) FROM kane_frames('walk.bvh.h5') WHERE joint = 'Nose' OR frame = 12.5"
sql "count(*), sum(frame) FROM kane_frames('walk.bvh.h5') WHERE frame = 12 AND time < 0.3"
sql "count(*) FROM kane_frames('walk.bvh.h5') WHERE time = 0.5 AND valid"

echo '## files of BVH'
# edit NAME AWK: rewrites walk.bvh
edit() { awk "$2" walk.bvh >"$1.bvh"; show "kane import $1.bvh -q -o $1.h5"; }
edit rotation '/CHANNELS 3/ && ++n == 2 {sub("Xrotation", "Zrotation")} {print}'
edit channels '{print} /CHANNELS 3/ && ++n == 2'
edit second '{print} /OFFSET/ && ++n == 3'
edit offset '/OFFSET/ && ++n == 3 {$4 = "far"} {print}'
edit wide '/OFFSET/ && ++n == 3 {$2 = "1e9"} {print}'
edit rate '/^Frame Time/ {$3 = "1e9"} {print}'
edit none '/^Frame Time/ {$3 = 0} {print}'
edit large 'row && ++n == 7 {$5 = "1e300"} {print} /^Frame Time/ {row = 1}'
edit word 'row && ++n == 7 {$5 = "abc"} {print} /^Frame Time/ {row = 1}'
edit rows 'row && ++n > 3 {exit} {print} /^Frame Time/ {row = 1}'
edit brace '/^}/ {next} {print}'
edit names '/JOINT LeftLeg/ {sub("LeftLeg", "LeftFoot")} {print}'
edit root '/^ROOT/ {$1 = "JOINT"} {print}'
edit head '/^MOTION/ {print "MOTIONS"; next} {print}'
edit tiny '/OFFSET/ {$2 *= 1e-6; $3 *= 1e-6; $4 *= 1e-6} {print}'
show 'kane check walk.bvh --like jump.bvh'
sed 's/JOINT LeftToeBase/JOINT LeftBall/' walk.bvh >renamed.bvh
show 'kane check renamed.bvh --like walk.bvh'
show 'kane check walk.bvh --like missing.bvh'
show 'kane import walk.bvh --max-joints 21 -o no.h5'
show 'kane import walk.bvh --max-joints 22 -q -o most.h5'
show 'kane import walk.bvh --max-frames 180 -o no.h5'
show 'kane import walk.bvh --max-frames 181 -q -o most.h5'
show 'kane import walk.bvh --max-depth 7 -q -o most.h5'
show 'kane import walk.bvh --max-depth 3 -q -o no.h5'
show 'kane import walk.bvh --max-depth 20 -q -o deep.h5; kane info deep.h5 | grep history'
show "printf '\377\376H\0I\0' >wide.bvh; kane import wide.bvh -o no.h5"

echo '## gait cycles of two clips in one figure'
show "kane plot walk.h5 walk.h5 --cycle left --role left_knee -o two.gp; grep -o \"title '[^']*'\\|xlabel '[^']*'\" two.gp"

echo '## what a floating base supports is named for loads alone'
for quantity in torque power angular-velocity; do
    show "kane plot walk.h5 --joint Hips --quantity $quantity --format gnuplot | grep -o \"title 'Hips[^']*'\""
done
