# Files whose labels contradict the motion, made from data/walk.bvh: what import says, and what the repairs restore.
. "$TESTS/show.sh"

make() { python3 "$TESTS/../evidence/make_clips.py" "$@" "$TOP/data/walk.bvh"; }
# Warnings of import, and the up axis where it is in doubt or another.
warnings() { "$KANE" import "$1" ${2:+"$2"} ${3:+"$3"} -o "$1.h5" --force 2>&1 | grep -e warning -e '[^Y] up' | sed 's/.*warning: //'; }

cp "$TOP/data/walk.bvh" walk.bvh
echo '# a sound walk is not doubted'
show 'warnings walk.bvh'

echo '# frame rate'
for factor in 0.25 0.4 0.5 0.6 2 4; do make rate --factor $factor > rate.bvh; show "warnings rate.bvh # $factor"; done
sed 's/^Frame Time:.*/Frame Time: 0/' walk.bvh > zero.bvh
sed '/^Frame Time:/d' walk.bvh > none.bvh
show 'warnings zero.bvh; warnings none.bvh; warnings none.bvh --fps 60'
show 'warnings rate.bvh --fps 60'

echo '# level'
for kind in pitch roll; do
    for angle in -10 5 10 20; do make $kind --angle=$angle > lean.bvh; show "warnings lean.bvh # $kind $angle"; done
done
show 'warnings lean.bvh --level auto'

echo '# sides'
make mirror > mirror.bvh
make swap > swap.bvh
show 'warnings mirror.bvh; warnings mirror.bvh --handedness left'
show 'warnings swap.bvh; warnings swap.bvh --swap-sides'
# Ranges of knee and elbow flexion, degrees.
flexion() {
    "$KANE" run --quiet "$1" -o flexion.h5 --force 2>/dev/null
    "$KANE" export --angles flexion.h5 | awk -F '\t' '
        $1 == "time" {for (i = 1; i <= NF; i++) if ($i ~ /(knee|elbow)_flexion/) {name[i] = $i; min[i] = 999; max[i] = -999}}
        $1 + 0 == $1 {for (i in name) if ($i + 0 == $i) {if ($i < min[i]) min[i] = $i; if ($i > max[i]) max[i] = $i}}
        END {for (i in name) printf "%s %.0f to %.0f\n", name[i], min[i], max[i]}' | sort
}
for clip in walk mirror swap; do show "flexion $clip.bvh"; done

echo '# roles under other names'
"$KANE" info walk.bvh > walk.info
"$KANE" import --print-map walk.bvh > roles.tsv
rename() { python3 "$TESTS/../evidence/rename_clips.py" write "$1" --roles walk.info walk.bvh; }
# Joints whose role differs from that of the joint at the same place of walk.bvh, and warnings.
roles() { "$KANE" import --print-map renamed.bvh | paste roles.tsv - | cut -f 2,4,5 | awk '$1 != $3'; warnings renamed.bvh; }
for names in german french chinese japanese random numbers misleading exchanged; do
    rename $names > renamed.bvh
    show "roles # $names"
done
rename misleading > renamed.bvh
show 'kane run renamed.bvh -o renamed.h5 2>&1 | grep -o "no angles.*"; kane info renamed.h5 | grep "^angles"'
show 'head -6 roles.tsv'
printf 'joint\trole\nLeftUpLeg\tright_hip\nRightUpLeg\tleft_hip\n' > crossed.tsv
show 'kane import walk.bvh --roles crossed.tsv --print-map | grep UpLeg'
printf 'joint\trole\nTail\tspine\n' > unknown.tsv
show 'kane run walk.bvh --import-roles unknown.tsv -o x.h5'

echo '# parts of the body that are missing'
make legs-only > legs_only.bvh
make one-shank > one_shank.bvh
# Warnings, the model and why, and the flags of frames and joints.
body() { "$KANE" run $1 -o body.h5 --force 2>&1 | grep -E 'lacks|wrote' | sed 's/.*warning: //'; "$KANE" info body.h5 | grep -E '^ +body +d|^body'; }
show 'body legs_only.bvh'
show 'body one_shank.bvh'

echo '# path and feet'
make treadmill > treadmill.bvh
make in-place > in_place.bvh
make no-feet > no_feet.bvh
show 'warnings treadmill.bvh; warnings treadmill.bvh --keep-belt'
show 'warnings in_place.bvh && kane info in_place.bvh.h5 | grep trusted'
show 'warnings no_feet.bvh'
make no-shanks > no_shanks.bvh
make cycling > cycling.bvh
for clip in no_shanks cycling; do show "kane run $clip.bvh -o $clip.h5 2>&1 | grep -o 'warning.*\|wrote.*'"; done

echo '# several at once'
make rate+roll+swap --angle 15 > all.bvh
show 'warnings all.bvh'

echo '# the up axis of floor work'
for kind in $(python3 "$TESTS/../evidence/make_clips.py" list | sed -n '/push-up/,$p'); do
    make "$kind" > floor.bvh
    "$KANE" import floor.bvh -o floor.h5 --force 2>&1 | sed -n "s/.*, \([-XYZ]* up\) (\(.*\) %), 60 fps.*/$kind: \1, \2 %/p; s/.*, \([-XYZ]* up\), .*/$kind: \1/p"
done

echo '# an ostrich with the names of a person'
python3 "$TESTS/../evidence/make_animal.py" ostrich > ostrich.bvh
show 'warnings ostrich.bvh; kane run -q ostrich.bvh -o ostrich.h5 2>/dev/null; kane info ostrich.h5 | grep -E "^ +(roles|body)  "'
