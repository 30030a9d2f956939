# The messages of the style sheet: one command each, in the order of its table.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" .
kane run walk.bvh -q -o walk.h5
kane run jump.bvh -q -o jump.h5
kane import walk.bvh -q -o imported.h5
kane index index.db walk.h5
option() { "$KANE" "$1" --help | tr -s '\n ' ' ' | grep -o -e "--$2[=[ ].*" | sed 's/ --[a-z].*//; s/ -[a-z?],.*//' | head -n 1; }
last() { "$@" 2>&1 | tail -n 1; }

echo '## option texts'
for pair in 'run force' 'run output' 'import fps' 'retarget flight' 'torque uncertainty' 'check ignore' 'retarget score'; do
    show "option $pair"
done
show 'kane import --help | sed -n 2,4p'

echo '## run'
show 'kane run walk.bvh -o walk.h5'
cp "$TOP/data/pendulum.bvh" .
show 'kane run pendulum.bvh --angles none --contact-method none -o none.h5 2>&1 | grep uncertain | sed "s/([A-Za-z]*, [0-9]* %)/(VALUE, N %)/g"'
awk 'row && ++n == 60 {$1 += 80} {print} /^Frame Time/ {row = 1}' walk.bvh >teleport.bvh
show 'kane run teleport.bvh -o teleport.h5'
awk 'row {$1 = 0; $2 = 95; $3 = 0} {print} /^Frame Time/ {row = 1}' walk.bvh >still.bvh
show 'kane run still.bvh -o still.h5'

echo '## check'
show 'kane check teleport.bvh | grep "teleport:"'
awk 'row && ++n > 60 && n < 100 {print kept; next} {kept = $0; print} /^Frame Time/ {row = 1}' walk.bvh >frozen.bvh
show 'kane check frozen.bvh | grep "frozen:"'
sed 's/^Frames:.*/Frames: 500/' walk.bvh >count.bvh
show 'last kane import count.bvh -q -o count.h5'
awk 'row && ++n == 60 {print $1, $2, $3; next} {print} /^Frame Time/ {row = 1}' walk.bvh >row.bvh
show 'kane check row.bvh | grep "row:"'
sed '0,/JOINT RightFoot/s//JOINT LeftFoot/' walk.bvh >twins.bvh
show 'kane check twins.bvh | grep "  name:"'

echo '## files'
show 'kane run jump.bvh -q -o walk.h5'
show 'kane export walk.h5 -o walk.fbx'
printf '\002P' | cat - /dev/zero | head -c 515 >walk.c3d && printf T >>walk.c3d && head -c 600 /dev/zero >>walk.c3d
show 'kane run walk.c3d -o no.h5'
show 'kane run walk.h5 -o no.h5'
show 'kane info index.db'
show 'kane query walk.h5 @hardest'
show 'kane info nothing.h5'

echo '## names'
show 'kane run walk.bvh --mass 60'
show 'kane plot walk.h5 --role left_nee'
show 'kane explain walk.h5 --joint left_nee'
show 'kane query index.db "duration_s >"'
show 'kane query index.db @over left_knee'

echo '## what is missing'
show 'kane plot imported.h5'
show 'kane gait jump.h5'
show 'kane calibrate walk.h5 jump.h5 -o masses.tsv'
show 'kane explain walk.h5 --joint hips'

echo '## simulation'
show 'kane simulate --torques walk.h5 --duration 0.4 -o played.h5 2>&1 | grep drift'
printf '<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody><keyframe><key/><key time="1"/></keyframe></mujoco>' >slide.xml
show 'kane track --scene-file slide.xml --table'

echo '## info and retarget'
show 'kane info walk.h5 | grep "detected\|kinematics\|trusted"'
show 'kane retarget walk.h5 --to jump.bvh -o small.h5 2>&1 | grep "foot slide"'
