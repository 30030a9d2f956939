#!/bin/bash
# For researchers: positive and negative joint work of each step of a clip, J/kg, as a table.
# usage: examples/shell/work.sh CLIP.h5 [ROLE...] > work.tsv      roles: default hip knee ankle; both sides
#
# awk combines two outputs of kane, ground reaction forces and joint powers. A step is an interval with more than 20 N
# on its foot.
set -euo pipefail
clip=$1
shift
[ $# -gt 0 ] || set -- hip knee ankle
mass=$(kane info --json "$clip" | jq .total_mass)

{ kane export --grf --format tsv "$clip" -o -; kane export --format tsv "$clip" -o -; } |
    awk -F '\t' -v roles="$*" -v mass="$mass" '
    BEGIN { OFS = "\t"; n = split(roles, role, " "); split("left right", side, " "); least = 20 }
    /^#/ { next }                                             # comments with units and axes
    $1 == "time" {                                            # header: columns are found by name
        table++
        for (i = 1; i <= NF; i++) column[table, $i] = i
        next
    }
    table == 1 {                                              # ground reaction forces: the step of each frame
        time[frames] = $1
        for (s = 1; s <= 2; s++) {
            down = $(column[1, s == 1 ? "L_Fy" : "R_Fy"]) > least
            if (down && !was[s]) begin[s, ++steps[s]] = $1
            if (down) { step[frames, s] = steps[s]; end[s, steps[s]] = $1 }
            was[s] = down
        }
        frames++
        next
    }
    $(column[2, "valid"]) == 1 {                              # powers, one per frame
        f = $(column[2, "frame"]); dt = time[1] - time[0]
        for (s = 1; s <= 2; s++) for (r = 1; r <= n; r++)
            if ($(column[2, "role"]) == side[s] "_" role[r] && step[f, s]) {
                p = $(column[2, "power"]) * dt / mass
                if (p > 0) done[s, step[f, s], r] += p; else taken[s, step[f, s], r] += p
            }
    }
    END {
        print "side", "step", "from_s", "to_s", "role", "positive_j_kg", "negative_j_kg"
        for (s = 1; s <= 2; s++) for (k = 1; k <= steps[s]; k++) for (r = 1; r <= n; r++)
            printf "%s\t%d\t%.3f\t%.3f\t%s\t%.4f\t%.4f\n",
                side[s], k, begin[s, k], end[s, k], role[r], done[s, k, r], taken[s, k, r]
    }'
