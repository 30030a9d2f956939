# A batch prints all notes of import, and files damaged afterwards are found.
. "$TESTS/show.sh"
mkdir in
walk=$TOP/data/walk.bvh
cp "$walk" in/walk.bvh
sed 's/^Frames:.*/Frames: 543/' "$walk" >in/cut.bvh
head -n 136 "$walk" | sed 's/^Frames:.*/Frames: 3/' >in/short.bvh
for i in $(seq 12); do awk '/OFFSET/ && ++n == 3 {next} {print}' "$walk" >"in/bare$i.bvh"; done
echo nothing >in/broken.bvh
without_time() { sed 's/; [0-9]* frames in .*//'; }
show 'kane batch in -o lib -j 2 2>&1 | without_time'
show 'kane query lib/index.db @warnings'
show 'kane query lib/index.db @failed'
show "kane query lib/index.db --sql \"SELECT what, value FROM decision d JOIN clip c ON c.id = d.clip_id WHERE path = 'walk.bvh.h5'\""

echo '## the same from containers, and from shards'
for i in 1 2; do kane batch in -o parts --shard $i/2 2>messages; done
kane merge parts/index.db parts/index.*-of-2.db
kane index --rebuild again.db lib 2>messages
for table in decision warning; do
    for db in lib/index.db parts/index.db again.db; do
        kane query $db --format tsv --sql \
            "SELECT replace(path, 'lib/', '') AS p, t.* FROM $table t JOIN clip c ON c.id = t.clip_id ORDER BY p, 3" |
            cut -f 1,3- | sha256sum
    done | sort -u | wc -l
done

echo '## --strict'
show 'kane batch in -o lib --strict 2>&1 | without_time'
mkdir sound && cp "$walk" sound
show 'kane batch sound -o sound.out --strict 2>&1 | without_time'

echo '## a source that has gone bad keeps its last good container'
before=$(sha256sum <lib/walk.bvh.h5)
echo nothing >in/walk.bvh
show 'kane batch in -o lib 2>&1 | without_time'
[ "$(sha256sum <lib/walk.bvh.h5)" = "$before" ] && echo 'the container stands'
show 'kane query lib/index.db @warnings | grep walk'
show 'kane query lib/index.db "path LIKE '"'walk%'"'" --columns path,frames'
cp "$walk" in/walk.bvh
kane batch in -o lib 2>messages
show 'kane query lib/index.db @warnings | grep walk'

echo '## damage'
touch -r lib/cut.bvh.h5 then
at=$(($(stat -c %s lib/cut.bvh.h5) * 3 / 4))
byte=$(od -An -t u1 -j $at -N 1 lib/cut.bvh.h5)
printf "\\$(printf %o $((byte ^ 1)))" | dd of=lib/cut.bvh.h5 bs=1 seek=$at conv=notrunc 2>messages
touch -r then lib/cut.bvh.h5
show 'kane check -j 3 lib'
show 'kane info lib/cut.bvh.h5 | head -n 1'
show 'kane batch in -o lib 2>&1 | without_time'
show 'kane batch in -o lib --check-outputs -j 2 2>&1 | without_time'
show 'kane check -j 2 lib'

echo '## severity'
show 'kane check --severity error in/cut.bvh | head -n 1'
show 'kane check --severity warning in/cut.bvh >messages'
show 'kane check --severity error in/cut.bvh >messages'
show 'kane check --ignore offset,frame-count in/cut.bvh in/bare1.bvh'
show 'kane check --ignore nonsense in/cut.bvh'
show 'kane check --severity error in/broken.bvh >messages'
