#!/bin/bash
# For animators: the intervals with the largest torques of a library, each with half a second before and after, as glTF.
# usage: examples/shell/moments.sh INDEX.db FOLDER [COUNT]      writes FOLDER/1_walk_left_knee.glb ...; COUNT: 10
#
# kane query lists the peaks; GNU parallel trims the clips, one per core. Torques of the trimmed clips are recomputed.
set -euo pipefail
index=$1 folder=$2 count=${3:-10}
mkdir -p "$folder"

# parallel calls this script for each peak, with more arguments.
if [ "${4:-}" = cut ]; then
    rank=$5 clip=$6 role=$7 time=$8
    mass=$(kane info --json "$clip" | jq .total_mass)
    from=$(echo "$time" | awk '{print ($1 > 0.5) ? $1 - 0.5 : 0}') to=$(echo "$time" | awk '{print $1 + 0.5}')
    name=$(basename "$clip" .bvh.h5)
    kane trim --from "$from" --to "$to" "$clip" | kane body --mass "$mass" | kane kinematics | kane contact | kane torque |
        kane export --format glb - -o "$folder/${rank}_${name}_$role.glb"
    exit
fi

# The largest peak of each clip and role, except the root's, whose torque is the residual. Index paths are relative to
# its folder.
kane query "$index" --format tsv --sql "SELECT path, role, torque_peak_t FROM joint_stat JOIN clip ON clip.id = clip_id
    WHERE role IS NOT NULL AND role != 'hips' AND torque_peak_nm_kg > 0 ORDER BY torque_peak_nm_kg DESC LIMIT $count" |
    sed 1d | parallel --will-cite --colsep '\t' \
    "$0" "$index" "$folder" "$count" cut {#} "$(dirname "$index")"/{1} {2} {3}
