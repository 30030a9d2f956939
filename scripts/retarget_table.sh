#!/bin/sh
# How well every human clip of a folder goes onto three other skeletons: a table, one row a clip and target.
# usage: scripts/retarget_table.sh KANE FOLDER
#   contact      of the source's contact frames, those with the target's sole on its ground
#   estimated    of the source's foot contacts in time, what kane contact finds in the result
#   slide, way   cm/s and cm a contact, of the sole's stillest point on the ground; copied: the same with --no-plant
#   below        cm, deepest point of a sole below the ground
#   bones, legs  degrees between bones and the source's, means
#   acceleration largest angular one of a joint against its parent, over the source's
# In the folder the three characters are a CMU skeleton, a Mixamo-like one and MakeHuman's.
set -eu
[ $# -eq 2 ] || { echo "usage: scripts/retarget_table.sh KANE FOLDER" >&2; exit 2; }
kane=$(realpath "$1") folder=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmu=$folder/cmu_cgspeed__02_01.bvh mixamo=$folder/parser_fixture__test_freebvh.bvh makehuman=$folder/makehuman__mh_walk1.bvh

analyse() { "$kane" body | "$kane" diff | "$kane" contact -o "$1"; }

mkdir "$work/source"
for file in "$folder"/*.bvh; do
    name=$(basename "$file" .bvh)
    "$kane" import "$file" -o "$work/$name.h5" 2>/dev/null || continue
    "$kane" info --json "$work/$name.h5" | grep -q '"left_knee"' || continue
    "$kane" body "$work/$name.h5" | "$kane" smooth | "$kane" diff | "$kane" contact -o "$work/source/$name.h5" 2>/dev/null || continue
    for target in cmu mixamo makehuman; do
        mkdir -p "$work/$target" "$work/$target-copied"
        eval "to=\$$target"
        "$kane" retarget --to "$to" "$work/$name.h5" 2>/dev/null | analyse "$work/$target/$name.h5"
        "$kane" retarget --to "$to" --no-plant "$work/$name.h5" 2>/dev/null | analyse "$work/$target-copied/$name.h5"
    done
    "$kane" body "$work/$name.h5" | "$kane" diff -o "$work/source/$name.raw.h5"
done
"$kane" index "$work/index.db" "$work"/source/*.h5 "$work"/*/*.h5 2>/dev/null
"$kane" query "$work/index.db" --format "${FORMAT:-table}" --limit 1000 --sql "
WITH peak AS (SELECT clip_id, max(accel_peak) AS peak FROM joint_stat WHERE role IS NOT NULL GROUP BY clip_id),
     c AS (SELECT clip.*, peak, substr(path, 1, instr(path, '/') - 1) AS kind,
                  replace(substr(path, instr(path, '/') + 1), '.h5', '') AS name FROM clip LEFT JOIN peak ON clip_id = clip.id)
SELECT t.name AS clip, t.kind AS target, round(t.retarget_contact_kept, 3) AS contact,
       (SELECT round(sum(max(0, min(a.t1, b.t1) - max(a.t0, b.t0))) /
                     (SELECT sum(t1 - t0) FROM event WHERE clip_id = s.id AND kind = 'foot_contact'), 3)
        FROM event a JOIN event b ON a.role = b.role AND a.clip_id = s.id AND b.clip_id = t.id
             AND a.kind = 'foot_contact' AND b.kind = 'foot_contact') AS estimated,
       round(t.retarget_slide_cm_s, 2) AS slide, round(p.retarget_slide_cm_s, 2) AS slide_copied,
       round(t.retarget_slide_cm, 2) AS way, round(p.retarget_slide_cm, 2) AS way_copied,
       round(t.retarget_penetration_cm, 2) AS below, round(p.retarget_penetration_cm, 2) AS below_copied,
       round(t.retarget_direction_deg, 2) AS bones, round(t.retarget_leg_direction_deg, 2) AS legs,
       round(t.peak / r.peak, 2) AS acceleration
FROM c t JOIN c p ON p.kind = t.kind || '-copied' AND p.name = t.name JOIN c s ON s.kind = 'source' AND s.name = t.name
     JOIN c r ON r.kind = 'source' AND r.name = t.name || '.raw'
ORDER BY t.name, t.kind"
