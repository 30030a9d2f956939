# User files are not overwritten by accident: one rule for all commands.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/jump.bvh" .
kane run walk.bvh -o walk.h5 2>messages
kane run jump.bvh -o jump.h5 2>messages
kane batch walk.bvh -o lib 2>messages
cp walk.h5 keep.h5
cp walk.h5 other.h5
echo 'not of kane' >notes.md
sha256sum walk.bvh jump.bvh walk.h5 jump.h5 keep.h5 lib/index.db notes.md >before

echo '## an output of another kind'
show 'kane export --format tsv walk.h5 -o keep.h5'
show 'kane export --format tsv walk.h5 -o lib/index.db'
show 'kane export --format tsv walk.h5 -o jump.bvh'
show 'kane plot --format svg walk.h5 -o keep.h5'
show 'kane run walk.bvh -o lib/index.db'
show 'kane check --repair walk.bvh -o keep.h5'
cp keep.h5 page.html
show 'kane report --page /dev/null walk.h5 -o page.html'
echo 'HIERARCHY' >steps.tsv
show 'kane track --scene steady --duration 0.1 --table --series steps.tsv'

echo '## an input, by any name'
ln walk.h5 hard.h5
show 'kane body walk.h5 -o walk.h5'
show 'kane body walk.h5 -o ./hard.h5'
show 'kane body < walk.h5 -o walk.h5'
show 'kane plot --format svg walk.h5 -o walk.h5'
show 'kane check --repair walk.bvh -o ./walk.bvh'
printf 'joint\tsegment\n' >segments.h5
show 'kane export --format tsv walk.h5 -o walk.h5'
show 'kane run --body-segments=segments.h5 walk.bvh -o ./segments.h5'

echo '## another source, and the source itself'
show 'kane run jump.bvh -o keep.h5'
show 'kane export walk.h5 -o walk.bvh'
show 'kane export jump.h5 -o walk.bvh'
show 'kane check --repair jump.bvh -o walk.bvh'
mkdir a b
cp walk.bvh a/take.bvh
cp jump.bvh b/take.bvh
kane batch a -o both 2>messages
show 'kane batch b -o both'

mkdir c d
cp walk.bvh c/take.bvh
kane run jump.bvh -o d/take.bvh.h5 2>messages
show 'kane batch c -o d'

echo '## a symbolic link'
ln -s walk.h5 link.h5
ln -s nowhere.h5 dangling.h5
show 'kane run walk.bvh -o link.h5'
show 'kane run walk.bvh --force -o dangling.h5'

echo '## a text or a JSON file of a person'
printf 'what I think of this walk\n' >thoughts.csv
printf '{"what": "I think"}\n' >thoughts.jsonl
show 'kane export walk.h5 -o thoughts.csv; cat thoughts.csv'
show 'kane export walk.h5 -o thoughts.jsonl; cat thoughts.jsonl'

echo '## a table edited by a program that writes it anew, without a mark'
kane track walk.h5 --controller pd --table --series series.tsv >messages 2>&1
kane export walk.h5 -o edited.csv && kane export walk.h5 -o edited.tsv && kane export walk.h5 -o edited.jsonl
sed -i s/LeftLeg/MyLeg/ edited.csv edited.tsv edited.jsonl series.tsv
show 'kane export walk.h5 -o edited.csv'
show 'kane export walk.h5 -o edited.tsv'
show 'kane export walk.h5 -o edited.jsonl'
show 'kane track walk.h5 --controller pd --table --series series.tsv 2>&1 >/dev/null | grep series.tsv'

echo '## a table, picture or page of another clip'
for format in csv tsv jsonl npz sto mot glb; do
    kane export walk.h5 -o of.$format -q
    show "kane export jump.h5 -o of.$format"
done
echo '<!DOCTYPE html><script type="text/plain">@KANE-DATA@</script>' >template
kane plot walk.h5 -o of.gp -q && kane thumbnails walk.h5 -o of.png -q
kane report --page template walk.h5 -o of.html -q
kane track walk.h5 --controller pd --table --series of_series.tsv >messages 2>&1
show 'kane plot jump.h5 -o of.gp'
show 'kane plot walk.h5 jump.h5 -o of.gp'
show 'kane report --page template jump.h5 -o of.html'
show 'kane thumbnails jump.h5 -o of.png'
show 'kane track jump.h5 --controller pd --table --series of_series.tsv 2>&1 >/dev/null | grep series.tsv'

echo '## a richer clip of the same source, and a read-only file'
kane track walk.h5 -o tracked.h5 >messages 2>&1
show 'kane run walk.bvh -o tracked.h5'
show 'kane body walk.h5 -o tracked.h5'
mkdir rich && kane batch walk.bvh -o rich 2>messages && cp tracked.h5 rich/walk.bvh.h5
show 'kane batch walk.bvh -o rich 2>&1 | sed "s/;.*frames.*//"'
cp walk.h5 locked.h5 && chmod 444 locked.h5
show 'kane run walk.bvh -o locked.h5'
show 'kane run --force walk.bvh -o locked.h5'
cp lib/index.db locked.db && chmod 444 locked.db
show 'kane index locked.db walk.h5'

echo '## an index through a link to nothing'
ln -s nowhere.db dangling.db
show 'kane index dangling.db walk.h5; test -e nowhere.db || echo nothing there'
show 'kane index --rebuild dangling.db walk.h5; test -e nowhere.db || echo nothing there'
show 'kane merge dangling.db lib/index.db; test -e nowhere.db || echo nothing there'
cp lib/index.db there.db
ln -s there.db leads.db
show 'kane index leads.db walk.h5 && kane query there.db --columns path'

echo '## a pipe that nobody reads can be given up'
mkfifo waiting
show 'timeout -k 10 1 "$KANE" run walk.bvh -o waiting 2>/dev/null'

echo '## an ending that nobody knows'
show 'kane export walk.h5 -o walk.fbx'
show 'kane export walk.h5 -o walk.h5'
show 'kane run walk.bvh -o walk.mp4'
show 'kane plot walk.h5 -o walk.pdf'
show 'kane report --page /dev/null walk.h5 -o walk.xml'
show 'kane check --repair walk.bvh -o walk.txt'
show 'kane track --scene steady --series steps.xls --table'

echo '## all of it is as it was'
show 'sha256sum --quiet -c before && ls | grep -c XXXXXX'

echo '## what is replaced as ever'
show 'kane run walk.bvh -o other.h5'
kane export walk.h5 -o moved.bvh
show 'kane export walk.h5 -o moved.bvh'
show 'kane export walk.h5 -o table.tsv && kane export --force jump.h5 -o table.tsv'
show 'kane plot walk.h5 -o knees.gp && kane plot walk.h5 --quantity power -o knees.gp'
: >empty.h5
show 'kane run jump.bvh -o empty.h5'

echo '## devices and linked folders'
mkdir real
ln -s real linked
mkfifo pipe
cat pipe >piped &
show 'kane export walk.h5 -o pipe && wait && wc -l < piped'
show 'kane run walk.bvh -o linked/walk.h5 && kane run jump.bvh -o linked && ls real'
show 'echo first >both.tsv; kane export walk.h5 -o /dev/stdout >>both.tsv; head -n 1 both.tsv'
show 'kane export walk.h5 -o /dev/null'

echo '## --force'
show 'kane body --force walk.h5 -o hard.h5'
show 'kane run --force jump.bvh -o keep.h5'
show 'kane body --force walk.h5 -o walk.h5'
show 'kane export --force --format tsv jump.h5 -o notes.md && head -c 4 notes.md'
show 'kane batch b -o both --force 2>&1 | sed "s/;.*//"'
