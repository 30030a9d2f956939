# An index without traces (--no-trace) stays without them, and queries that require traces report it.
. "$TESTS/show.sh"
mkdir in
cp "$TESTS/squat.bvh" in/squat.bvh
cp "$TOP/data/jump.bvh" in/jump.bvh
kane batch in -o out --no-trace 2>/dev/null
kane batch in -o full 2>/dev/null
echo "$(sqlite3 out/index.db 'SELECT count(*) FROM trace'), $(sqlite3 full/index.db 'SELECT count(*) FROM trace')"
show 'kane query out/index.db @within left_knee=1'
show 'kane query out/index.db full/index.db @over left_knee=1'
show 'kane query out/index.db --sql "SELECT count(*) FROM trace"'
show 'kane query out/index.db "clip_id IN (SELECT clip_id FROM trace)"'
# all other queries work as with traces
query() {
    for folder in out full; do
        (cd $folder && kane query index.db "$@" --limit 99 --format tsv 2>/dev/null) >$folder.tsv
    done
    cmp out.tsv full.tsv && echo "$*: $(($(wc -l <out.tsv) - 1)) rows"
}
query @hardest
query @peaks
query @jumps
query @over strength=0.5
query @similar jump.bvh.h5
query @similar squat.bvh.h5@0-1
query "torque_peak_nm > 0"
show 'kane check out/index.db'
# a later batch does not add traces; removing them requires a rebuild
sed 's/Frame Time: 0.0333333/Frame Time: 0.0166667/' in/squat.bvh >in/fast.bvh
kane batch in -o out 2>/dev/null
sqlite3 out/index.db 'SELECT (SELECT count(*) FROM clip), (SELECT count(*) FROM trace)'
show 'kane check out/index.db'
show 'kane batch in -o full --no-trace'
show 'kane merge all.db out/index.db full/index.db'
show 'kane merge all.db full/index.db out/index.db --force'
ls all.db 2>&1 | sed 's/.*: //'
show 'kane index --rebuild --no-trace full/index.db full'
show 'kane merge all.db out/index.db full/index.db'
show 'kane check all.db'
show 'kane query all.db @within left_knee=1'
show 'kane index --rebuild out/index.db out'
show 'kane query out/index.db @within left_knee=1 --limit 1 --columns path'
