# An index of another version: older, newer, or with other tables. kane prints the version and the rebuild command;
# unless the rebuild completes, the file is unchanged.
. "$TESTS/show.sh"
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3"; exit 0; }
batch() { "$KANE" batch "$@" 2>&1 | sed 's/;.*//'; }
# same FILE: whether it equals the copy of keep FILE.
keep() { cp "$1" kept; }
same() { cmp "$1" kept && echo "as it was"; }
mkdir takes
cp "$TESTS/squat.bvh" takes
sed 's/Frame Time: 0.0333333/Frame Time: 0.0416667/' takes/squat.bvh > takes/slow.bvh
batch takes -o out >/dev/null
cp -rp out fresh

echo '# other tables under the same number, as between two releases'
sqlite3 out/index.db "ALTER TABLE clip ADD COLUMN shoe_size REAL; UPDATE meta SET value = 'fedcba9876543210'"
cp -rp out other
show 'kane query out/index.db'
show 'kane merge merged.db fresh/index.db out/index.db'
show 'kane index out/index.db out/squat.bvh.h5'
show 'kane query out/index.db --columns path,frames'
show 'batch takes -o other'
show 'kane query other/index.db --columns path,frames'

echo '# of a newer kane'
sqlite3 out/index.db 'PRAGMA user_version = 99'
keep out/index.db
show 'kane query out/index.db'
show 'kane index out/index.db out/squat.bvh.h5'
show 'kane batch takes -o out'
show 'same out/index.db'
show 'kane index --rebuild out/index.db out'
show 'kane query out/index.db --columns path,frames'

echo '# of version 0.1, its containers elsewhere'
mkdir old
sqlite3 old/index.db < "$TOP/tests/unit/index/older_index.sql"
keep old/index.db
show 'kane query old/index.db'
show 'kane index old/index.db out/squat.bvh.h5'
show 'kane merge old/index.db fresh/index.db'
show 'kane batch takes -o old'
show 'same old/index.db'
show 'ls old'
echo '# and there again'
mkdir old/b
for clip in a.bvh b/walkFast01.bvh c d e; do cp out/squat.bvh.h5 old/$clip.h5; done
show 'kane index old/index.db out/slow.bvh.h5'
show 'kane query old/index.db --columns path,frames'
show 'kane query old/index.db --sql "SELECT path, name, value FROM tag JOIN clip ON clip_id = id"'
show 'kane query old/index.db --sql "SELECT path, stage, message FROM failure"'
show 'ls old'
