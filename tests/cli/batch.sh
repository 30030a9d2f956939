. "$TESTS/show.sh"

# The rate in the last line differs between runs.
batch() { "$KANE" batch "$@" 2>&1 | sed 's/;.*//'; }
# The content of an index.
dump() { python3 "$TESTS/../faults/index_dump.py" "$1"; }

mkdir -p takes/monday
cp "$TESTS/squat.bvh" takes
sed 's/Frame Time: 0.0333333/Frame Time: 0.0416667/' takes/squat.bvh > takes/monday/slow.BVH
sed 's/ 92 / nan /' takes/squat.bvh > takes/monday/broken.bvh
show 'batch takes -o out'
show '"$KANE" batch takes -o out 2>/dev/null'
show 'find out -name "*.h5" | sort'
show 'ls -A out'
show 'kane query out/index.db --sql "SELECT path, stage, message FROM failure" --format tsv'

echo '# nothing changed; then one was touched, one has other content, one was repaired'
show 'batch takes -o out'
touch takes/squat.bvh
sed 's/0.0416667/0.05/' takes/monday/slow.BVH > slower && mv slower takes/monday/slow.BVH
cp takes/squat.bvh takes/monday/broken.bvh
show 'batch takes -o out'
show 'batch takes -o out --body-mass 80'
show 'batch takes -o out'

echo '# any number of workers and shards: the same'
"$KANE" batch takes -o one -j 1 --store full 2>/dev/null
"$KANE" batch takes -o four -j 4 --store full 2>/dev/null
"$KANE" batch takes -o parts --shard 1/2 --store full 2>/dev/null
"$KANE" batch takes -o parts --shard 2/2 --store full 2>/dev/null
show 'ls -A parts'
show 'kane merge parts/index.db parts/index.1-of-2.db parts/index.2-of-2.db'
dump one/index.db > one.dump
dump four/index.db > four.dump
dump parts/index.db > parts.dump
show 'cmp one.dump four.dump && cmp one.dump parts.dump'
kane index one/again.db one
dump one/again.db > again.dump
show 'cmp one.dump again.dump'
(cd one && find . -name '*.h5') | while read -r file; do
    cmp "one/$file" "four/$file" && cmp "one/$file" "parts/$file"
done
show '"$KANE" run takes/squat.bvh 2>/dev/null | cmp - one/squat.bvh.h5'

echo '# what has lost its source leaves the index when its folder is covered, not when single files are given'
mkdir coming && cp takes/squat.bvh coming/a.bvh && : > coming/b.bvh
batch coming -o going > first
rm coming/a.bvh coming/b.bvh
cp takes/squat.bvh coming/c.bvh
show 'batch coming/c.bvh -o going'
show 'kane query going/index.db --columns path --format tsv'
show 'batch coming -o going'
batch coming -o fresh > second
dump going/index.db > going.dump
dump fresh/index.db > fresh.dump
show 'cmp going.dump fresh.dump'
show 'kane index takes/squat.bvh out'

echo '# wrong usage'
show 'batch takes'
show 'kane batch takes -o out --shard 3/2'
show 'kane batch takes takes/monday/squat.bvh -o out'
mkdir none more && cp takes/squat.bvh more
show 'kane batch none -o out'
show 'kane batch takes more -o out'

echo '# lean files are the default: a fraction of the bytes, the same index, and kane fill completes them'
"$KANE" batch takes -o thin -j 2 2>/dev/null
dump thin/index.db > thin.dump
show 'cmp one.dump thin.dump && kane check thin/index.db'
show 'kane info thin/squat.bvh.h5 | grep stored; kane info one/squat.bvh.h5 | grep stored'
show 'kane fill thin/squat.bvh.h5 -o filled.h5 && kane info filled.h5 | grep stored'
show 'kane fill filled.h5 -o again.h5 && cmp filled.h5 again.h5'
show 'kane check --again thin/squat.bvh.h5 takes/squat.bvh'
show 'for g in kinematics dynamics angles; do h5dump -a /$g/note thin/squat.bvh.h5 | grep -c "kane fill"; done'
show 'head -c 3000 thin/squat.bvh.h5 >cut.h5; kane fill cut.h5 -o never.h5'

echo '# IDs and the order of rows follow the plan, not the worker that is first'
mkdir uneven
for i in 1 2 3 4 5 6; do cp takes/squat.bvh uneven/$i.bvh; done
cp "$TOP/data/walk.bvh" uneven/0.bvh
sed 's/ 92 / nan /' takes/squat.bvh > uneven/4.bvh
for jobs in 1 2 5; do
    "$KANE" batch uneven -o jobs$jobs -j $jobs 2>/dev/null
    sqlite3 jobs$jobs/index.db .dump > jobs$jobs.dump
done
show 'cmp jobs1.dump jobs2.dump && cmp jobs1.dump jobs5.dump && grep -c "INTO trace" jobs1.dump'
