# Inputs of a batch, when it processes files again, what it keeps and what it removes.
. "$TESTS/show.sh"
batch() { "$KANE" batch "$@" 2>&1 | sed 's/;.*//'; }
dump() { python3 "$TESTS/../faults/index_dump.py" "$1"; }
mkdir -p takes/a takes/b
for name in a/one a/two b/three; do cp "$TESTS/squat.bvh" takes/$name.bvh; done
printf 'resource fork' > takes/a/._one.bvh

echo '# --dry-run says why, and makes nothing'
show 'batch takes -o deep/er/out --dry-run | sort'
show 'ls deep 2>&1'
show 'batch takes -o deep/er/out'
show 'batch takes -o deep/er/out --dry-run'
sed 's/ 92 / 93 /' takes/a/one.bvh > changed && mv changed takes/a/one.bvh
cp "$TESTS/squat.bvh" takes/new.bvh
rm deep/er/out/b/three.bvh.h5
show 'batch takes -o deep/er/out --dry-run | sort'
show 'batch takes -o deep/er/out --dry-run --body-mass 80 | cut -f 1 | sort | uniq -c'
show 'batch takes -o deep/er/out --dry-run --redo | cut -f 1 | sort | uniq -c'
show 'batch takes -o deep/er/out'
show 'batch takes -o deep/er/out --redo'

echo '# which files'
show 'batch takes -o some --include "a/*,three*" --exclude two.bvh'
show 'find some -name "*.h5" | sort'
printf 'takes/a/two.bvh\r\ntakes/new.bvh\n' > list
show 'batch --files-from list -o listed'
show 'cut -d / -f 2- list | tr -d "\r" | "$KANE" batch --files-from - -o none 2>&1'
show 'kane batch -o none'
mkdir mixed && cp "$TESTS/squat.bvh" mixed/one.bvh && mkfifo mixed/pipe.bvh
show 'batch mixed -o regular'
show 'kane check mixed'

echo '# --prune removes containers that have lost their source, and nothing else'
cp "$TESTS/squat.bvh" deep/er/out/mine.bvh.h5
cp deep/er/out/new.bvh.h5 deep/er/out/kept.h5
rm takes/new.bvh
show 'batch takes -o deep/er/out'
show 'ls deep/er/out'
show 'batch takes/a/two.bvh -o deep/er/out --prune'
show 'batch takes -o deep/er/out --prune'
show 'ls deep/er/out'

echo '# --store: the index is the same, whatever is kept'
"$KANE" batch takes -o full 2>/dev/null
"$KANE" batch takes -o whole --store full 2>/dev/null
show 'batch takes -o lean --store dynamics'
show 'batch takes -o bare --store index'
show 'batch takes -o bare --store index'
for folder in full lean bare whole; do dump $folder/index.db > $folder.dump; done
show 'cmp full.dump lean.dump && cmp full.dump bare.dump'
show 'find bare -name "*.h5"'
show 'kane info --json lean/a/one.bvh.h5 > /dev/null'
kane_bytes() { find "$1" -name '*.h5' -exec cat {} + | wc -c; }
cmp full.dump whole.dump
[ "$(kane_bytes lean)" -lt "$(kane_bytes whole)" ] || echo "dynamics alone is as large"

echo '# another number of shards: nothing is computed again'
"$KANE" batch takes -o split --shard 1/2 2>/dev/null
"$KANE" batch takes -o split --shard 2/2 2>/dev/null
for shard in 1 2 3; do batch takes -o split --shard $shard/3; done | sed 's/[0-9]* clips are/N clips are/; s/[0-9]* unchanged/N unchanged/' | sort | uniq -c
show 'batch takes -o split'
dump split/index.db > split.dump
show 'cmp full.dump split.dump'

echo '# --summary'
sed 's/ 92 / nan /' "$TESTS/squat.bvh" > takes/b/broken.bvh
show 'batch takes -o full --summary written.json'
show 'sed "s/\"seconds\": [0-9.]*/\"seconds\": S/; s/\"\(written\|index\|free\)\": [0-9]*/\"\1\": N/g" written.json'
mkfifo unread read
show 'timeout 20 "$KANE" batch takes -o piped --summary unread; test -e piped || echo no folder'
cat read > through &
batch takes -o piped --summary read > messages
wait
show 'head -c 9 through; echo'
batch takes -o full --summary written.json > messages
batch takes -o full --summary written.json > messages
show 'grep -c . written.json; /usr/bin/python3 -c "import json; now = json.load(open(\"written.json\")); print(sorted(now)); last = now[\"last\"]; print(sorted(last), last[\"failed\"], last[\"failures\"][0][\"source\"])"'
# slowest clips, bytes on disk, clips with a missing or broken source: compared with the previous call
mkdir nights
for i in 1 2 3 4 5 6; do cp "$TESTS/squat.bvh" nights/$i.bvh; done
rows=$(grep -n MOTION "$TESTS/squat.bvh" | cut -d: -f1)
{ sed "s/^Frames: .*/Frames: 400/" "$TESTS/squat.bvh" | head -n $((rows + 2))
    for i in 1 2 3 4 5 6 7 8 9 10; do tail -n 40 "$TESTS/squat.bvh"; done; } >nights/long.bvh
batch nights -o dark --summary night.json > messages
rm nights/1.bvh nights/2.bvh
sed -i 's/ 92 / nan /' nights/3.bvh
batch nights -o dark --summary night.json --prune > messages
show '/usr/bin/python3 "$TESTS/summary.py" night.json dark'
mkdir warned
sed 's/^Frames: .*/Frames: 99/' "$TESTS/squat.bvh" > warned/long.bvh
show 'batch warned -o warned_out --summary written.json; grep -o "\"with_warnings\": [0-9]*" written.json | head -n 1; grep warnings\": written.json | sed -n 2p'

echo '# with --store index too, the last good rows of a source that has gone bad stay'
mkdir fragile
cp "$TESTS/squat.bvh" fragile/one.bvh
cp "$TESTS/squat.bvh" fragile/two.bvh
batch fragile -o rows --store index > written
sed -i 's/ 92 / nan /' fragile/two.bvh
show 'batch fragile -o rows --store index'
show 'batch fragile -o rows --store index'
show 'kane query rows/index.db 1 --columns path,duration_s --format tsv'
show 'kane query rows/index.db @warnings --columns path,kind,message --format tsv'
show 'kane query rows/index.db @failed --format tsv'
cp "$TESTS/squat.bvh" fragile/two.bvh
show 'batch fragile -o rows --store index; kane query rows/index.db @failed --format tsv'

echo '# failures of many clips stand at the end, by stage'
mkdir many
for k in 01 02 03 04 05 06 07 08 09 10 11 12; do sed 's/ 92 / nan /' "$TESTS/squat.bvh" > many/$k.bvh; done
: > many/empty.bvh
show 'kane batch many -o failing'
show 'kane query failing/index.db --sql "SELECT count(*) AS failures FROM failure"'

echo '# the output of a merge is no input'
cp rows/index.db same.db
ln same.db other_name.db
show 'kane merge same.db same.db'
show 'kane merge same.db rows/index.db other_name.db'

echo '# index --rebuild keeps failures and stale marks, and does not bring back what was removed'
mkdir sources
for name in one two three four; do cp "$TESTS/squat.bvh" sources/$name.bvh; done
sed -i 's/ 92 / nan /' sources/four.bvh
batch sources -o kept > written
sed -i 's/ 92 / nan /' sources/two.bvh
rm sources/three.bvh
batch sources -o kept > written
query() { kane query kept/index.db "$@" --format tsv; }
show 'ls kept; query 1 --columns path; query @failed --columns path,stage; query @warnings --columns path,kind'
show 'kane index --rebuild kept/index.db kept'
show 'query 1 --columns path; query @failed --columns path,stage; query @warnings --columns path,kind'
show 'batch sources -o kept --dry-run'
show 'kane index kept/index.db kept; query 1 --columns path; query @failed --columns path; query @warnings --columns path,kind'

echo '# a copy of an output, whose files have other times, is what it was; an edited clip file is not'
mkdir far
for name in one two three; do cp "$TESTS/squat.bvh" far/$name.bvh; done
batch far -o first > written
cp -r first second
cp -r far near
touch second/*.h5
show 'batch near -o second'
show 'batch near -o second --dry-run'
kane mirror second/two.bvh.h5 -q -o mirrored.h5 && cp mirrored.h5 second/two.bvh.h5
/usr/bin/python3 - second/three.bvh.h5 <<'END'
import os, sys
with open(sys.argv[1], "r+b") as file:
    file.seek(os.path.getsize(sys.argv[1]) // 2)
    some = file.read(4096)
    file.seek(-len(some), 1)
    file.write(bytes(byte ^ 1 for byte in some))
END
show 'batch near -o second'
show 'cmp first/two.bvh.h5 second/two.bvh.h5; cmp first/three.bvh.h5 second/three.bvh.h5'
