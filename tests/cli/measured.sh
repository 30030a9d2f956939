# A trial with force plates: joint moments from measured forces and segments, scored against the reference by its own
# script.
. "$TESTS/show.sh"
[ -d "$KANE_SHARED/groundtruth" ] || { echo "skipped: the measured trials are not here"; exit 0; }
trial=$KANE_SHARED/groundtruth/trials/walk_rajagopal
cp "$trial"/walk_rajagopal_lp6_*.bvh "$trial"/segments_*.tsv "$trial/external.tsv" .

# score MOMENTS KEY BOUND: whether the mean RMS over hips, knees and ankles is within the bound.
score() {
    /usr/bin/python3 "$KANE_SHARED/groundtruth/score.py" walk_rajagopal lp6 --moments "$1" --json score.json > score.log
    /usr/bin/python3 - "$2" "$3" <<'END'
import json, sys
key, bound = sys.argv[1], float(sys.argv[2])
score = json.load(open("score.json"))
moment = score["joint_vector_moment"]
joints = [moment[side + part] for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot")]
mean = sum(j[key] for j in joints) / 6
print("within" if mean <= bound else "%g is beyond" % mean, bound)
END
}

run() {
    kane run --smooth-method none --body-segments "segments_$1.tsv" --contact-external external.tsv \
        "walk_rajagopal_lp6_$1.bvh" -o "$1.h5" 2>/dev/null
    kane export --moments "$1.h5" --format tsv -o "$1.tsv"
}

run exact
show 'score exact.tsv rmse_Nm 0.2'
run std
show 'score std.tsv rmse_Nm_per_kg 0.01'
show 'kane export --grf exact.h5 | sed -n 2,3p | tr "\t" "\n" | head -n 4'

# A drop jump with noisy plates: noise of up to 5 N, a drift of -3 N.
jump=$KANE_SHARED/groundtruth/trials/dj1_ou
awk 'BEGIN { FS = OFS = "\t"; srand(1) } /^#/ || $1 == "time" { print; next }
     { $4 += 10 * rand() - 8; $3 += 4 * rand() - 2; print }' "$jump/external.tsv" > noisy.tsv
flight() {
    kane run --smooth-method none --body-segments "$jump/segments_std.tsv" "$@" "$jump"/dj1_ou_*_std.bvh -o jump.h5 &&
        kane index jump.db jump.h5 && kane query jump.db --sql 'SELECT round(flight_s, 3) AS flight_s FROM clip_summary'
} 2>/dev/null
show 'flight --contact-external "$jump/external.tsv"'
show 'flight --contact-external noisy.tsv'
show 'flight --contact-external noisy.tsv --contact-external-threshold 0'

# without measured forces there is no plate noise to remove
show 'kane run --contact-external-threshold 50 "$jump"/dj1_ou_*_std.bvh -o none.h5 2>&1 | tail -n 1 | sed "s|.*/||"; ls none.h5'
