# ASF and AMC: the skeleton beside the motion, stated, or missing; every command that reads motion.
. "$TESTS/show.sh"

D=$KANE_SHARED/doors/asfamc
[ -e "$D/02_01.amc" ] || { echo "skipped: $D is not here"; exit; }
awk '/^[0-9]+$/ && $1 > 60 { exit } { print }' "$D/02_01.amc" >02_01.amc
cp "$D/02.asf" "$TOP/data/walk.bvh" .

show 'kane info 02_01.amc --import-fps 120 | grep -E "^(source|detected|motion|skeleton)|hip |knee "'
show 'kane check 02_01.amc | sed "s/ [0-9.]* fps is a guess.*/ it is guessed/"'
show 'kane check 02_01.amc --fps 120'
show 'kane run 02_01.amc -o walk.h5 --import-fps 120 2>&1 | sed "s/, [0-9.]* % trusted.*//"'
show 'kane retarget 02_01.amc --import-fps 120 --to walk.bvh -o on_walk.h5 -q && kane info on_walk.h5 | grep ^skeleton'
show 'kane retarget walk.bvh --to walk.h5 -o on_amc.h5 -q && kane info on_amc.h5 | grep ^skeleton'

echo '# which skeleton'
show 'kane import --fps 120 -o pipe.h5 -q - <02_01.amc'
show 'kane import --fps 120 --skeleton 02.asf -o pipe.h5 -q - <02_01.amc && kane info pipe.h5 | grep ^history'
mkdir -p library/other && cp 02_01.amc library && cp 02.asf library/only.asf && cp 02.asf library/other/second.asf
show 'kane batch library -o out --import-fps 120 2>&1 | sed "s/ in [0-9.]* s, .*//"'
show 'kane batch library -o out --import-fps 120'
echo '# changed' >>library/only.asf
show 'kane batch library -o out --import-fps 120 2>&1 | sed "s/ in [0-9.]* s, .*//"'
cp 02.asf library/second.asf
show 'kane batch library -o two --import-fps 120 2>&1 | sed "s/ in [0-9.]* s, .*//"'
show 'kane batch library -o out --import-fps 120 --import-skeleton 02.asf 2>&1 | sed "s/ in [0-9.]* s, .*//"'

echo '# a skeleton per clip, in the table of clips'
mkdir -p stated apart && cp 02.asf apart/stated.asf
printf 'glob\timport-skeleton\n02_01.amc*\tapart/stated.asf\n' >clips.tsv
cp 02_01.amc stated
show 'kane batch stated -o three --import-fps 120 --clips clips.tsv 2>&1 | sed "s/ in [0-9.]* s, .*//"'
show 'kane batch stated -o three --import-fps 120 --clips clips.tsv'
echo '# changed' >>apart/stated.asf
show 'kane batch stated -o three --import-fps 120 --clips clips.tsv 2>&1 | sed "s/ in [0-9.]* s, .*//"'

echo '# errors'
show 'kane import 02.asf'
sed 's/^ltibia .*/ltibia 1 2/' 02_01.amc >cut.amc
show 'kane import cut.amc'
sed 's/length 7.28717/length 7,28717/' 02.asf >cut.asf
show 'kane import cut.amc'
show 'kane import 02_01.amc --skeleton none.asf'
