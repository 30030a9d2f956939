# What the files of one skeleton decide together, and how uncertain detections are reported.
. "$TESTS/show.sh"
walk=$TOP/data/walk.bvh
# The walk with six channels per joint: positions of the first $1 joints below the root are zero, relative to the
# OFFSET; those of the others equal the OFFSET.
with_positions() {
    awk -v added="$1" '
        /OFFSET/ { offset = $2 " " $3 " " $4 }
        /CHANNELS/ { place[joints++] = offset
                     if (joints > 1) sub(/CHANNELS 3/, "CHANNELS 6 Xposition Yposition Zposition") }
        NF > 9 && !/[a-z]/ { row = $1 " " $2 " " $3 " " $4 " " $5 " " $6
            for (j = 1; j < joints; j++)
                row = row " " (j <= added ? "0 0 0" : place[j]) " " $(3 * j + 4) " " $(3 * j + 5) " " $(3 * j + 6)
            print row; next }
        { print }' "$walk" >"$2"
}
# The walk at 0.45 of its size, where inch and cm are both plausible; $1 times as fast.
scaled() {
    awk -v fast="$1" '
        /OFFSET/ { printf "OFFSET %.6g %.6g %.6g\n", .45 * $2, .45 * $3, .45 * $4; next }
        /Frame Time/ { print "Frame Time: " $3 / fast; next }
        NF > 9 && !/[a-z]/ { $1 *= .45 * fast; $2 *= .45; $3 *= .45 * fast }
        { print }' "$walk" >"$2"
}
without_time() { sed 's/; [0-9]* frames in .*//'; }
decided() {
    kane query "$1" --sql "SELECT path, what, value, round(d.confidence, 3) AS confidence FROM decision d JOIN clip c
        ON c.id = d.clip_id WHERE what = '$2' ORDER BY path"
}

echo '# half the files of one skeleton pull the positions the other way, one of them surely'
mkdir in
for i in 1 2 3 4; do
    with_positions $((i - 1)) in/local$i.bvh
    with_positions $((13 + (i + 1) / 2)) in/added$i.bvh
done
with_positions 19 in/own.bvh
show 'kane import in/added3.bvh 2>&1 >alone.h5 | grep -o "positions.*"'
show 'kane batch in -o one -j 1 --summary summary.json 2>&1 | without_time'
show 'sed "s/, .seconds.*//; /slowest/,/disk/d" summary.json'
show 'decided one/index.db positions'
family='SELECT skeleton, what, substr(value, 1, 20) AS value, confidence, clips, kane FROM family'
show 'kane query one/index.db --sql "$family"'
show "kane info one/added3.bvh.h5 | grep -o 'import .*'"
show 'kane query one/index.db @warnings'
show 'kane batch in -o one --strict 2>&1 | without_time'

echo '# workers and shards make the same bytes'
kane batch in -o four -j 4 2>messages
for i in 1 2 3; do kane batch in -o parts --shard $i/3 2>messages; done
kane merge parts/index.db parts/index.*-of-3.db
for d in one four parts; do (cd $d && sha256sum *.h5) >$d.sums; done
show 'cmp one.sums four.sums; cmp one.sums parts.sums'
show "for d in one four parts; do kane query \$d/index.db --sql 'SELECT * FROM family' | sha256sum; done | sort -u | wc -l"

echo '# a file of which the decision is made, and the same file when the index has the decision'
cp -r one kept && rm kept/*.h5
kane batch in -o kept 2>messages
(cd kept && sha256sum *.h5) >kept.sums
show 'cmp one.sums kept.sums'

echo '# files that come later go by the decision that the index keeps'
for i in 1 2 3 4 5 6 7 8 9; do with_positions 15 in/0later$i.bvh; done
show 'kane batch in -o one 2>&1 | without_time | tail -n 1'
show 'decided one/index.db positions | grep later1'
kane index --rebuild one/index.db one 2>messages
show "kane query one/index.db --sql 'SELECT count(*) FROM family'"
show 'kane batch in -o again 2>&1 | without_time | tail -n 1'

echo '# the unit likewise; an option decides before all'
mkdir units
for i in 1 2 3; do scaled 1 units/slow$i.bvh; scaled 4 units/fast$i.bvh; done
show 'kane import units/fast1.bvh 2>&1 >alone.h5 | grep -o "unit [a-z]*"'
show 'kane batch units -o units.out 2>&1 | without_time | tail -n 1'
show 'decided units.out/index.db unit'
kane batch units -o inches --import-unit cm 2>messages
show "kane query inches/index.db --sql \"SELECT DISTINCT value, d.confidence FROM decision d WHERE what = 'unit'\""
show "kane query inches/index.db --sql 'SELECT what FROM family'"

echo '# one neutral pose: feet tilted a little go by it, feet tilted far keep their own; by hand it is an option of body'
# The walk with both feet tilted by $1 degrees.
tilted() { awk -v by="$1" 'NF > 9 && !/[a-z]/ { $53 += by; $65 += by } { print }' "$walk" >"$2"; }
mkdir poses
cp "$walk" "$TOP/data/squat.bvh" poses
tilted 8 poses/near.bvh
tilted 60 poses/tilted.bvh
# The body options in the history of each clip.
bodies() { for f in "$1"/*.h5; do kane info "$f" | grep -o 'body --model.*' | cut -c 1-72; done; }
show 'kane batch poses -o posed -j 1 --store full 2>&1 | without_time'
show 'bodies posed'
pose=$(kane query posed/index.db --sql "SELECT value FROM family WHERE what = 'neutral_pose'" | tail -n 1)
kane run poses/near.bvh --body-neutral-pose $pose -o hand.h5 2>messages
show 'cmp hand.h5 posed/near.bvh.h5'
show 'kane run poses/near.bvh --body-neutral-pose 1,2,3/4,5,6 -o hand.h5 2>&1 | tail -n 1'
show 'kane run poses/near.bvh --body-neutral-pose 1,2,3/4,5 -o hand.h5 2>&1 | head -n 1'
for i in 1 2 3; do kane batch poses -o shards --store full --shard $i/3 2>messages; done
kane batch poses -o workers -j 4 --store full 2>messages
cp -r posed kept.poses && rm kept.poses/*.h5
kane batch poses -o kept.poses --store full 2>messages
for d in posed shards workers kept.poses; do (cd $d && sha256sum *.h5) >$d.sums; done
show 'cmp posed.sums shards.sums; cmp posed.sums workers.sums; cmp posed.sums kept.poses.sums'
kane batch poses -o own --body-neutral-pose $pose 2>messages
show 'bodies own | uniq -c'

echo '# every preset has a column for what is unsure'
for preset in @hardest @peaks @jumps @warnings @failed '@within left_knee=2' '@over left_knee=.1' \
    '@similar one/local1.bvh.h5' '@similar one/local1.bvh.h5@1-2' '@lower-torque one/local1.bvh.h5' \
    '@lower-torque one/local1.bvh.h5@1-2'; do
    kane query one/index.db $preset --limit 1 2>/dev/null | head -n 1 | grep -c unsure
done
