. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" .
kane run -q walk.bvh -o walk.h5
kane export -q walk.h5 --format bvh -o walk_pose.bvh
datasets() { h5dump -d /motion/rotation -d /dynamics/torque -d /contact/foot_force "$1" | tail -n +2; }
echo '# nothing edited: the same clip, bit for bit'
show 'kane edit walk.h5 walk_pose.bvh -o same.h5; datasets walk.h5 > a; datasets same.h5 | cmp - a'
echo '# the right knee, turned from frame 60 to 100 by up to 40 degrees'
turn() {
    awk -v turn="$1" '
        $1 == "JOINT" || $1 == "ROOT" {joint = $2}
        $1 == "CHANNELS" {for (i = 3; i <= NF; i++) {n++; if (joint == "RightLeg" && $i == "Xrotation") at = n}}
        /^MOTION/ {row = -3}
        row != "" {row++; f = row - 1
            if (f >= 60 && f <= 100) $at += turn * (1 - cos(3.14159265 * (f - 60) / 20)) / 2}
        {print}' walk_pose.bvh
}
turn 40 > edited.bvh
show 'kane edit walk.h5 edited.bvh -o edited.h5'
show 'kane info edited.h5 | grep -o "  edit.*\|  smooth --method [a-z]*"'
peak() {
    kane export --moments "$1" --format csv | awk -F, -v joint="$2" '
        NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ "^" joint "_moment_world") c[++n] = i; next}
        NR > 62 && NR < 100 {m = 0; for (k in c) m += $c[k]^2; if (m > max) max = m}
        END {printf "%.0f N m\n", sqrt(max)}'
}
show 'peak walk.h5 RightLeg; peak edited.h5 RightLeg'
echo '# a part of it at its time: the same result'
(sed '/^MOTION/q' edited.bvh; echo 'Frames: 60'; sed -n '/^Frame Time/p' edited.bvh
    sed '1,/^Frame Time/d' edited.bvh | sed -n '51,110p') > part.bvh
show 'kane edit walk.h5 part.bvh --at 0.8333333 -o part.h5; datasets edited.h5 > a; datasets part.h5 | cmp - a'
echo '# the same as the stages on edited poses, bit for bit: forces of any frame follow from the whole clip'
kane import -q walk.bvh | kane body | kane smooth -o filtered.h5 2>/dev/null
kane edit -q filtered.h5 edited.bvh | kane kinematics | kane contact | kane torque | kane angles -o staged.h5 2>/dev/null
show 'datasets edited.h5 > a; datasets staged.h5 | cmp - a'
echo '# a clip without torques: poses alone'
kane import -q walk_pose.bvh -o motion.h5
show 'kane edit motion.h5 edited.bvh -o posed.h5; kane info posed.h5 | grep -c dynamics'
echo '# the verdict of each frame: that of the clip has the largest lower end'
show 'kane verdict --frames edited.h5 | sed -n 2p; kane verdict --frames edited.h5 | tail -n 1'
show 'kane verdict --frames edited.h5 | awk -F"\t" "NR > 2 && \$4 - \$5 > max {max = \$4 - \$5; at = \$1 \" \" \$7} END {print at}"'
show 'kane verdict edited.h5 | grep -o "[A-Za-z]*  frame [0-9]*"'
show 'kane verdict --json --frames edited.h5 | jq -c "[.frame, (.frames | length), .frames[.frame].factor == .factor]"'
echo '# wrong usage'
show 'kane edit walk.h5 part.bvh --at 9 -o no.h5'
show 'kane edit walk.h5 jump.bvh --import-fps 30 -o no.h5'
show 'sed s/RightLeg/Leg/ edited.bvh > other.bvh; kane edit walk.h5 other.bvh -o no.h5'
show 'kane edit walk.h5 -o no.h5; kane edit walk.h5 - -o no.h5; kane edit walk.h5 missing.bvh -o no.h5'
show 'ls no.h5'
