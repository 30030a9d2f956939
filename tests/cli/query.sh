. "$TESTS/show.sh"
mkdir takes
cp "$TESTS/squat.bvh" takes/slow.bvh
sed 's/Frame Time: 0.0333333/Frame Time: 0.0166667/' takes/slow.bvh > takes/fast.bvh
kane batch --contact-method none takes -o out 2>/dev/null
show 'kane query out/index.db'
show 'kane query out/index.db "duration_s < 1"'
show 'kane query out/index.db "duration_s > 100"'
for format in table tsv csv json jsonl; do
    show "kane query out/index.db --columns path,frames,fps --order 'fps DESC' --format $format"
done
show 'kane query out/index.db --limit 1 --columns path'
show 'kane query out/index.db "left_kne_torque_peak_nm > 1"'
show 'kane query out/index.db "1; DROP TABLE clip"'
show 'kane query out/index.db --sql "DELETE FROM clip"'
show 'kane query out/index.db --sql "SELECT count(*) AS clips FROM clip"'
show 'kane query out/index.db @hardest --columns path'
show 'kane query out/index.db @similar out/fast.bvh.h5'
# the feet of fast.bvh slide until 0.27 s
show 'kane query out/index.db @similar out/fast.bvh.h5@0.4-0.6 --by pose --mirror --columns path,mirrored'
show 'kane query out/index.db @similar out/fast.bvh.h5@0.4-0.1'
show 'kane query out/index.db @similar out/fast.bvh.h5@8-9'
show 'kane query out/index.db @similar out/fast.bvh.h5 --mirror'
show 'kane query out/index.db @hardest --by pose'
show 'kane query out/index.db @lower-torque out/fast.bvh.h5'
show 'kane query out/index.db @similar out/fast.bvh.h5 "torque_peak_utilization < 0.5" --columns path'
show 'kane query out/index.db @nonsense'
show 'kane query nothing.db'
show 'kane query takes/slow.bvh'
show 'kane query out/index.db --format xml'
show 'kane query'
mkdir jumps
cp "$TOP/data/jump.bvh" "$TESTS/squat.bvh" jumps
kane batch jumps -o leaps 2>/dev/null
rm leaps/*.h5
show 'kane query leaps/index.db @jumps'
show 'kane query leaps/index.db @jumps --columns path,frame0,frame1 --limit 1 --format jsonl'
show 'kane query leaps/index.db @jumps 3'
# a condition after each preset: its rows, for these clips only
sed '1,/^MOTION/!d' "$TOP/data/walk.bvh" >broken.bvh
kane batch jumps/jump.bvh "$TOP/data/walk.bvh" "$TOP/data/pendulum.bvh" broken.bvh -o more 2>/dev/null
for preset in @hardest @peaks @jumps @warnings "@over left_knee=0.2" "@over strength=0.1" "@within left_knee=9" \
    "@similar more/walk.bvh.h5" "@lower-torque more/jump.bvh.h5"; do
    kane query more/index.db $preset --limit 999 --format tsv 2>/dev/null | grep -v "walk.bvh.h5" >wanted
    kane query more/index.db $preset "source <> 'walk.bvh'" --limit 999 --format tsv >found 2>/dev/null
    cmp wanted found && echo "$preset: $(($(wc -l <found) - 1)) rows"
done
# another file of the clip is the clip, though its torques differ
kane run jumps/jump.bvh -q --smooth-cutoff 25 -o rough.h5
show 'kane query more/index.db @lower-torque rough.h5 --columns path,changed_role'
show 'kane query more/index.db @easier more/walk.bvh.h5 --columns path,factor_role'
show 'kane query more/index.db @easier more/walk.bvh.h5 "frames < 200" --columns path'
show 'kane query more/index.db @harder more/jump.bvh.h5 --columns path,factor_role'
# frames above a fraction of the strength: the same number as from the clip files
kane query more/index.db @over strength=0.1 --format tsv | awk 'NR > 1 {n += $6 - $5 + 1} END {print n}'
for clip in walk jump; do
    kane query more/index.db --format tsv --sql "SELECT count(DISTINCT frame) FROM kane_frames('$clip.bvh.h5') WHERE trusted AND
        max(coalesce(utilization_1, 0), coalesce(utilization_2, 0), coalesce(utilization_3, 0)) > 0.4" | tail -n 1
done
rm more/*.h5
show 'kane query more/index.db @over strength=1 --columns path,frame0,frame1,limiting_role'
show 'kane query more/index.db @hardest "trusted_fraction > 0.97" --columns path'
show "kane query more/index.db @failed \"path LIKE 'b%'\" --columns path"
show "kane query more/index.db @failed \"path LIKE 'a%'\" --columns path"
show 'kane query more/index.db @hardest "trusted_fracton > 0.97"'
show 'kane query more/index.db @hardest "trusted_fraction >"'
show 'kane query more/index.db @hardest "frames > 1" "frames > 2"'
