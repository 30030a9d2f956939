# kane batch --prune removes only unmodified clip files that the batch wrote, and only if there is no error.
. "$TESTS/show.sh"
mkdir takes
for name in one two three four; do cp "$TESTS/squat.bvh" takes/$name.bvh; done
batch() { "$KANE" batch "$@" 2>&1 | sed "s/;.*//"; }
batch takes -o lib -j 1 >/dev/null
rm takes/one.bvh takes/two.bvh takes/three.bvh

echo '# what a person put there: a trimmed clip in place of the batch'"'"'s own, a copy under another name'
"$KANE" trim lib/one.bvh.h5 --from 0 --to 0.2 -o trimmed.h5 2>/dev/null && cp trimmed.h5 lib/one.bvh.h5
cp lib/two.bvh.h5 lib/copy.bvh.h5
show 'batch takes -o lib --prune --dry-run'
show 'ls lib | grep h5'

echo '# nothing is removed where the call is refused'
show 'batch takes/four.bvh -o lib --prune'
show 'batch takes -o lib --prune --clips absent.tsv'
mkdir -p other && cp "$TESTS/squat.bvh" other/four.bvh
show 'batch other -o lib --prune'
echo '{"a": "person wrote this"}' > notes.json
show 'batch takes -o lib --prune --summary notes.json; cat notes.json'
show 'ls lib | grep h5'

echo '# a call without --prune takes them out of the index; the next one still knows them'
show 'batch takes -o lib'
show 'batch takes -o lib'
show 'batch takes -o lib --prune --dry-run'
show 'batch takes -o lib --prune'
show 'ls lib | grep h5'
show 'batch takes -o lib --prune'

echo '# a source that comes back is made again'
cp "$TESTS/squat.bvh" takes/two.bvh
show 'batch takes -o lib --prune; ls lib | grep h5'
