# Force plates compared with the motion: no reports for sound trials, planted errors reported by kind.
. "$TESTS/show.sh"
[ -d "$KANE_SHARED/groundtruth" ] || { echo "skipped: the measured trials are not here"; exit 0; }
trials=$KANE_SHARED/groundtruth/trials

# trial NAME: sets its motion and mass.
trial() {
    set -- "$1" "$trials/$1/$1"_*_std.bvh
    motion=$2
    mass=$(awk 'match($0, /"(total_mass|mass_kg)": *[0-9.]+/) {
        found = substr($0, RSTART, RLENGTH); sub(/.*: */, "", found); if (!mass || /total_mass/) mass = found }
        END { print mass }' "$trials/$1/info.json")
}
# words NAME TABLE: prints the kinds that kane check reports.
words() {
    trial "$1"
    kane check --external "$2" --body-mass "$mass" --unit cm --up Y --json "$motion" |
        sed -n 's/.*"kind": "\(plates-[a-z-]*\)".*/\1/p' | tr '\n' ' '
}

echo '# sound trials'
count=0
for folder in "$trials"/*/; do
    name=$(basename "$folder")
    found=$(words "$name" "$folder/external.tsv")
    [ -z "$found" ] || echo "$name: $found"
    count=$((count + 1))
done
echo "$count trials"

# plant PROGRAM: columns are time joint fx fy fz px py pz tx ty tz.
plant() {
    awk 'BEGIN { FS = OFS = "\t" } /^#/ || $1 == "time" { print; next } { left = $2 ~ /^Left/ } '"$1"' { print }' \
        "$trials/$name/external.tsv"
}
exchange='{ side = left ? "Right" : "Left"; sub(/^(Left|Right)/, side, $2) }'
turn='{ x = $3; $3 = $5; $5 = -x; x = $6; $6 = $8; $8 = -x }'
for name in walk_a01 walkF_m14004 run3_h01 dj4_ou squats1_s4 stairdown_addb; do
    echo "# $name"
    while IFS='|' read -r fault program; do
        plant "$program" > plates.tsv
        echo "$fault: $(words "$name" plates.tsv)"
    done <<END
side force, sign|{ \$5 = -\$5 }
side force, sign, left|left { \$5 = -\$5 }
fore-aft force, sign|{ \$3 = -\$3 }
fore-aft force, sign, right|!left { \$3 = -\$3 }
forces on the plates|{ \$3 = -\$3; \$4 = -\$4; \$5 = -\$5 }
pressure 6 cm forward|{ \$6 += 0.06 }
pressure 6 cm forward, right|!left { \$6 += 0.06 }
pressure 6 cm back|{ \$6 -= 0.06 }
30 ms late|{ \$1 += 0.03 }
30 ms early|{ \$1 -= 0.03 }
30 ms late, left|left { \$1 += 0.03 }
forces .9|{ \$3 *= .9; \$4 *= .9; \$5 *= .9 }
forces 1.1|{ \$3 *= 1.1; \$4 *= 1.1; \$5 *= 1.1 }
forces .9, left|left { \$3 *= .9; \$4 *= .9; \$5 *= .9 }
forces turned by 90|{ x = \$3; \$3 = \$5; \$5 = -x }
forces turned by 180|{ \$3 = -\$3; \$5 = -\$5 }
frame turned by 90|$turn
offset of 15 N, left|left { \$4 += 15 }
offset of 40 N, right|!left { \$4 += 40 }
feet exchanged|$exchange
metres as millimetres|{ \$6 *= 1000; \$8 *= 1000 }
forces in kN|{ \$3 /= 1000; \$4 /= 1000; \$5 /= 1000 }
forces in kN, left|left { \$3 /= 1000; \$4 /= 1000; \$5 /= 1000 }
Z up|{ y = \$4; \$4 = -\$5; \$5 = y; y = \$7; \$7 = -\$8; \$8 = y }
END
done

echo '# words, trust, usage'
name=walk_a01
plant '{ $5 = -$5 }' > side.tsv
trial walk_a01
show 'kane run --body-mass "$mass" --import-unit cm --import-up Y --contact-external side.tsv "$motion" -o side.h5 2>&1 | grep -o "plates: .*"'
show 'kane info --json side.h5 | grep -E "untrusted_reason|\"plates"'
plant '{ $4 *= .9 }' > scaled.tsv
show 'kane check --external scaled.tsv --body-mass "$mass" --unit cm "$motion" | sed "s|.*/||"'
plant '{ $3 /= 1000; $4 /= 1000; $5 /= 1000 }' > kilo.tsv
show 'kane check --external kilo.tsv --body-mass "$mass" --unit cm "$motion" | sed "s|.*/||"'
plant '{ y = $4; $4 = -$5; $5 = y; y = $7; $7 = -$8; $8 = y }' > upright.tsv
show 'kane check --external upright.tsv --body-mass "$mass" --unit cm "$motion" | sed "s|.*/||"'
show 'kane check --external scaled.tsv --ignore plates-scale --body-mass "$mass" --unit cm "$motion"'
show 'kane check --external scaled.tsv side.h5 "$motion"'
show 'kane run --angles none --contact-method none --body-mass "$mass" --import-unit cm --import-up Y --torque-external side.tsv "$motion" -o torque.h5 2>&1 | grep -o "plates: .*"'
show 'kane contact side.h5 2>/dev/null | kane info --json - | grep -c "plates[:-]"'
