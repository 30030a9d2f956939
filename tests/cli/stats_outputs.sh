# Statistics of the outputs of other commands: tables, pages, pictures, plots, retargeted clips, query results. For an
# intended change: tests/cli/run.sh --accept build/kane stats_outputs, then review the diff.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
start_stats
cp "$TOP"/data/*.bvh .
cp "$TESTS/squat.bvh" small.bvh
echo '<!doctype html><script type="text/plain">@KANE-DATA@</script>' > page.html
table() { tr ' ' '\t'; }
made=
out() { # NAME COMMAND OPTION...: makes an output, whose content is printed at the end
    name=$1; shift
    messages=$(kane "$@" -o "$name" 2>&1) || echo "failed: $*"
    [ -z "$messages" ] || echo "$messages" | sed 's/ ([01]\(\.[0-9]*\)\{0,1\})//g'
    made="$made $name"
}
printed() { # NAME COMMAND OPTION...
    name=$1; shift
    kane "$@" > "$name" || echo "failed: $*"
    made="$made $name"
}
for clip in walk jump squat small; do kane run $clip.bvh --torque-uncertainty fast -o $clip.h5 2>/dev/null; done
kane import walk.bvh -o bare.h5 2>/dev/null
for end in bvh csv jsonl npz mot sto glb; do out of_walk.$end export walk.h5; out of_small.$end export small.h5; done
out jump.glb export --all-frames --color strength jump.h5
out local.tsv export --frame local jump.h5
out parent.tsv export --frame parent small.h5
out wide.tsv export --wide jump.h5
out moments.tsv export --moments jump.h5
out grf.tsv export --grf jump.h5
out zero.tsv export --grf --airborne-cop zero --format tsv jump.h5
out angles.mot export --angles --names opensim walk.h5
out opensim.sto export --names opensim walk.h5
out coordinates.tsv export --coordinates walk.h5
out like.bvh export --like small.bvh small.h5
out bare.csv export bare.h5
for name in strides steps curves; do printed $name.tsv gait --table $name walk.h5; done
printed all.json gait --all-frames --format json --normalize mass-height walk.h5
printf 'speed\tquantity\taxis\tpercent\tlow\thigh\nFree\tKneeAngles\tX\t0\t0\t10\nFree\tKneeAngles\tX\t100\t0\t12\n' > norms.tsv
kane gait walk.h5 --norms norms.tsv --figure gait.gp && made="$made gait.gp"
printed explain.tsv explain walk.h5 --joint left_knee
printed series.csv explain --series --format csv jump.h5 --joint right_hip
printed terms.jsonl explain --format jsonl --at 0.5 --all-frames small.h5 --joint left_ankle
for quantity in torque power angular-velocity contact-force angle moment utilization; do
    out $quantity.gp plot --quantity $quantity walk.h5
done
out knee.gp plot --coordinate left_knee_flexion,right_hip_adduction --per-kg walk.h5 jump.h5
out cycle.gp plot --cycle left --role left_knee --all-frames walk.h5
out force.gp plot --quantity contact-force --component y jump.h5 squat.h5 walk.h5
out one.html report --page page.html walk.h5
out two.html report --page page.html jump.h5 small.h5
out bare.html report --page page.html bare.h5
kane track --duration 0.5 small.h5 -o tracked.h5 >/dev/null 2>&1
out runs.html report --page page.html --controller stable-pd,kane tracked.h5
out sheet.png thumbnails jump.h5
out pair.png thumbnails --frames 5 --columns 3 --size 90 --angle 100 walk.h5 bare.h5
printed info.txt info walk.h5 jump.h5 bare.h5
printed info.json info --json walk.h5 small.h5
out slim.h5 retarget --to small.bvh walk.h5
out broad.h5 retarget --to walk.bvh --hands world --flight g jump.h5
out locked.h5 retarget --to squat.bvh --plant lock --hands body walk.h5
out copied.h5 retarget --to squat.bvh --plant none --hands rotation --rest frame:3 jump.h5
printf 'role\troll_min\troll_max\tpitch_min\tpitch_max\tyaw_min\tyaw_max\nleft_knee\t-180\t180\t-90\t90\t-20\t20\nright_shoulder\t-30\t30\t-40\t40\t-30\t30\n' > limits.tsv
out limited.h5 retarget --to squat.bvh --limits limits.tsv --plant-strength 0.6 --score motion jump.h5
printed map.tsv retarget --print-map --to small.bvh walk.h5
printed contacts.tsv retarget --print-contacts --to small.bvh walk.h5
stats $made

echo '# clips that are broken, repaired'
awk '/^Frame Time/ { print; rows = 1; next } rows { n++; if (n == 20) $4 += 90; if (n == 30) { $1 += 80 } if (n > 40 && n < 44) $0 = kept; kept = $0 } { print }' walk.bvh > faulty.bvh
kane check --json faulty.bvh walk.bvh > check.jsonl
kane check --repair faulty.bvh -o repaired.bvh > check.txt 2>&1
awk '/^Frames:/ { $2++ } { print } /^Frame Time/ { printf "0 95 0"; for (i = 0; i < 66; i++) printf " 0"; print "" }' \
    walk.bvh > rest.bvh
show 'kane check --json --repair rest.bvh -o rested.bvh | sed "s/confidence.*//"'
stats check.jsonl check.txt repaired.bvh repaired.bvh.log rested.bvh rested.bvh.log

echo '# an index: every column of the summary, and the presets'
mkdir takes
cp walk.bvh jump.bvh squat.bvh small.bvh takes
kane batch --torque-uncertainty fast takes -o lib -j 1 2>&1 | sed 's/ in [0-9.]* s.*//'
query() { # NAME ARGUMENT...
    name=$1; shift
    kane query lib/index.db "$@" --format tsv > "$name" || echo "none: $*"
    results="$results $name"
}
# without hashes, which a change of a last digit changes
columns() {
    kane query lib/index.db --format tsv --sql \
        "SELECT group_concat(name) AS names FROM pragma_table_info('$1') WHERE name <> 'checksum'" | tail -n 1
}
results=
for preset in hardest peaks jumps warnings; do query $preset.tsv @$preset; done
query like.tsv @similar lib/walk.bvh.h5
query stretch.tsv @similar lib/walk.bvh.h5@0.5-1.2 --by pose --mirror
query torque.tsv @similar lib/jump.bvh.h5@0.3-0.9 --by torque
query calmer.tsv @lower-torque lib/jump.bvh.h5@0.3-0.9
query within.tsv @within left_knee=1.5,right_knee=1.5 --min-seconds 0.2
query over.tsv @over left_knee=0.5 --min-seconds 0.1
query strength.tsv @over strength=0.5
query frames.tsv --sql "SELECT f.* FROM clip, kane_frames(clip.path) f WHERE frame % 9 = 2"
for table in $(kane query lib/index.db --sql "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'clip_text%' AND name NOT LIKE 'sqlite%' ORDER BY 1" --format tsv | tail -n +2); do
    query table_$table.tsv --sql "SELECT $(columns $table) FROM $table"
done
printf 'glob\ttag:actor\tbody-mass\nwalk*\tanna\t60\njump*\tbert\t80\n' > clips.tsv
kane batch --clips clips.tsv --retarget-to small.bvh takes -o other -j 1 2>&1 | sed 's/ in [0-9.]* s.*//'
for table in clip_summary tag joint joint_stat torque_peak foot_contact decision family warning window; do
    kane query other/index.db --sql "SELECT $(columns $table) FROM $table" --format tsv > other_$table.tsv && results="$results other_$table.tsv"
done
for format in table csv json jsonl; do
    kane query lib/index.db "duration_s > 1" --format $format > answer.$format && results="$results answer.$format"
done
stats $results
show 'kane report lib/index.db --page page.html --pages -o pages'
stats pages/index.html pages/clips/walk* pages/clips/jump*
