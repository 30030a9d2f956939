# Indexes of shards give the same results as their merged index: each preset, expressions, tags.
. "$TESTS/show.sh"
mkdir in
for i in 1 2 3 4 5 6; do sed "s/ 92 / 9$i /; s/ 40 / 4$i /" "$TESTS/squat.bvh" >in/$i.bvh; done
cp "$TOP/data/jump.bvh" "$TOP/data/walk.bvh" in
awk '/OFFSET/ && ++n == 3 {next} {print}' "$TOP/data/walk.bvh" >in/bare.bvh
echo nothing >in/broken.bvh
printf 'glob\ttag:actor\nwalk*\tAnna\n[1-3]*\tBen\n' >clips.tsv
for k in 1 2 3; do "$KANE" batch in -o out --clips clips.tsv --shard $k/3 2>messages; done
"$KANE" merge out/index.db out/index.1-of-3.db out/index.2-of-3.db out/index.3-of-3.db
"$KANE" query out/index.db --sql 'SELECT count(*) FROM clip' --format tsv | tail -n 1
same() {
    "$KANE" query out/index.db "$@" >merged 2>messages
    echo "code $?" >>merged
    "$KANE" query out/index.?-of-3.db "$@" >over 2>messages
    echo "code $?" >>over
    cmp merged over && echo "$*: $(($(wc -l <over) - 2)) rows"
}
for preset in @hardest @peaks @jumps @warnings @failed; do same $preset; done
same @peaks --limit 3
same @peaks "actor = 'Ben'" --limit 3
same @hardest "source LIKE '_.bvh'"
same @within left_knee=1000
same @over left_knee=0.1
same @similar walk.bvh.h5
same @similar out/walk.bvh.h5 "actor = 'Ben'"
same @similar walk.bvh.h5@0.2-0.7 --mirror
same @lower-torque walk.bvh.h5
same "left_knee_torque_peak_nm_kg > 0" --order "left_knee_torque_peak_nm_kg DESC" --limit 4
same "actor = 'Anna' OR actor = 'Ben'"
same 1 --columns "count(*) AS clips, round(sum(duration_s), 3) AS seconds"
same "path IN (SELECT path FROM clip_text WHERE clip_text MATCH 'walk')" --format json
same "fps < 0"
same "duraton_s > 1"
show 'kane query out/index.?-of-3.db --sql "SELECT 1"'
show 'kane query out/index.?-of-3.db missing.db'
