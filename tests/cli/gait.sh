# Steps, strides and curves of a walk at 1.2 m/s with strides of 1.1 s.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" "$TOP/data/squat.bvh" .
kane run walk.bvh -o walk.h5 2>/dev/null
kane run squat.bvh -o squat.h5 2>/dev/null
# rounded FILE: numbers to three digits
rounded() { awk -F '\t' -v OFS='\t' '{for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) $i = sprintf("%.3f", $i); print}'; }
show 'kane gait walk.h5 | rounded'
show 'kane gait --table steps walk.h5 | rounded'
show 'kane gait --table curves walk.h5 | wc -l'
echo '# the cycle ends as it began; 45 coordinates of three quantities'
show 'kane gait --table curves walk.h5 | awk -F "\t" "\$2 == \"left_hip_flexion\" && \$6 % 25 == 0" | rounded'
show 'kane gait --format json walk.h5 | jq -c ".clip, (.strides | length), (.curves | length), .curves[0].unit"'
echo '# without unit: N m/kg over g h'
show 'kane gait --table curves --normalize mass-height walk.h5 | awk "\$2 == \"left_ankle_dorsiflexion\" && \$6 == 50" | rounded'
echo '# a picture, with norms behind'
printf 'speed\tquantity\taxis\tpercent\tlow\thigh\nFree\tKneeAngles\tX\t0\t0\t10\nFree\tKneeAngles\tX\t100\t0\t10\n' > norms.tsv
show 'kane gait walk.h5 --norms norms.tsv --figure gait.gp && grep -e multiplot -e "set title" gait.gp && grep -o "title .norm, [a-zA-Z]*" gait.gp'
show 'kane gait walk.h5 squat.h5 --figure two.gp'
show 'kane gait walk.h5 --figure gait.pdf'
show 'kane gait walk.h5 --norms norms.tsv'
show 'kane gait walk.h5 --norms norms.tsv --normalize mass-height --figure no.gp'
show 'kane gait walk.h5 --norms norms.tsv --norms-speed Fast --figure no.gp'
if command -v gnuplot >/dev/null; then kane gait walk.h5 --figure gait.svg && grep -c "<path" gait.svg | awk '$1 > 20 {ok = 1} END {if (!ok) print "an empty picture"}'; fi
echo '# several clips are one table; what has no gait is told, the rest goes on'
show 'kane gait walk.h5 squat.h5 walk.h5 | wc -l'
show 'kane import walk.bvh 2>/dev/null | kane gait'
