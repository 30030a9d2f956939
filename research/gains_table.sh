#!/bin/sh
# Tunes each controller on a clip: the gains with the least mean orientation error, among runs that complete.
# usage: research/gains_table.sh KANE CLIP.h5
# Stiffness 1 to 3000; damping of PD controllers 0.1 to 1.4 of the critical 2 sqrt(stiffness); gains by inertia, 0.01 s.
set -eu
[ $# -eq 2 ] || { echo "usage: research/gains_table.sh KANE CLIP.h5" >&2; exit 2; }
kane=$1 clip=$2

# run CONTROLLER STIFFNESS [--damping D]: prints a table row that begins with the gains.
run() {
    name=$1 stiffness=$2
    shift 2
    "$kane" track --table --controller "$name" --stiffness "$stiffness" "$@" "$clip" |
        awk -F '\t' -v OFS='\t' -v k="$stiffness" -v d="${2:-critical}" 'NR == 2 { print $2, k, d, $3, $6, $10 }'
}

echo "controller	stiffness	damping	mean_deg	position_cm	stable_s	gains_that_stay"
for stiffness in 1 3 10 30 100 300 1000 3000; do
    for share in 0.1 0.3 0.5 0.7 1 1.4; do
        damping=$(awk -v k="$stiffness" -v s="$share" 'BEGIN { printf "%.4g", 2 * s * sqrt(k) }')
        for name in pd pd-feedforward bubble-up stable-pd; do
            run "$name" "$stiffness" --damping "$damping"
        done
    done
    run kane "$stiffness"
    run kane-feedforward "$stiffness"
done | awk -F '\t' -v OFS='\t' '
    { row[NR] = $0; if ($6 > end) end = $6 }
    END {
        for (i = 1; i <= NR; i++) {
            split(row[i], f, "\t")
            if (!(f[1] in stay)) { stay[f[1]] = 0; name[++names] = f[1] }
            if (f[6] < end) { if (!(f[1] in best) && f[6] > longest[f[1]]) longest[f[1]] = f[6]; continue }
            stay[f[1]]++
            if (!(f[1] in best) || f[4] < min[f[1]]) { best[f[1]] = row[i]; min[f[1]] = f[4] }
        }
        for (i = 1; i <= names; i++)
            if (stay[name[i]]) print best[name[i]], stay[name[i]]
            else print name[i], "-", "-", "-", "-", longest[name[i]], 0
    }'
