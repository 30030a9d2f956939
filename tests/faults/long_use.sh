# Long use of a library: a batch killed repeatedly, a disk that becomes full, sources that disappear (--prune), and two
# shards with different options. In the end clip files and indexes equal those of undisturbed runs, and 42 files of
# others, of all kinds that kane writes, are unchanged. 3,000 clips and 20 kills with --long.
. "$FAULTS/fault.sh"
clips=$(long_or_short 3000 60)
kills=$(long_or_short 10 3) # kills of the batch, half as many with --prune, a quarter per shard

# Short clips, all different.
mkdir -p in/sub
rows=$(grep -n '^Frame Time' "$TOP/tests/cli/squat.bvh" | cut -d: -f1)
sed 's/^Frames: .*/Frames: 12/' "$TOP/tests/cli/squat.bvh" | head -n $((rows + 12)) >short.bvh
for i in $(seq "$clips"); do
    sed "s/ 92 / 92.$i /" short.bvh >"in/$([ $((i % 3)) -eq 0 ] && echo sub/)clip$i.bvh"
done
gone=$(cd in && ls clip*7.bvh sub/clip*5.bvh)
cp -r in kept

# foreign FOLDER: makes twenty files, of each kind that kane writes, with other commands.
foreign() {
    mkdir -p "$1"
    "$KANE" run -q "$TOP/data/jump.bvh" -o "$1/mine.h5"
    cp "$1/mine.h5" "$1/copy.bvh.h5"                      # with names of batch outputs
    "$KANE" trim -q "$1/mine.h5" --from 0.2 --to 1 -o "$1/trimmed.bvh.h5"
    for end in bvh csv tsv jsonl npz mot sto glb; do "$KANE" export "$1/mine.h5" -o "$1/mine.$end"; done
    "$KANE" check --repair "$TOP/data/walk.bvh" -o "$1/repaired.bvh" >/dev/null # and repaired.bvh.log
    "$KANE" thumbnails -q "$1/mine.h5" -o "$1/mine.png"
    "$KANE" plot "$1/mine.h5" --quantity torque -o "$1/mine.gp"
    "$KANE" gait --all-frames --format json "$1/mine.h5" >"$1/gait.json"
    "$KANE" report --page page.html "$1/mine.h5" -o "$1/mine.html"
    "$KANE" index "$1/other.db" "$1/mine.h5"
    "$KANE" simulate -q "$TOP/data/scenes/double_pendulum.xml" --duration 0.1 -o "$1/scene.h5"
    "$KANE" export "$1/mine.h5" --angles --names opensim -o "$1/angles.mot"
} 2>>made
echo '<!doctype html><script type="text/plain">@KANE-DATA@</script>' >page.html
foreign theirs
cp -r theirs/. seen
put=$(find theirs -type f | wc -l)
[ "$put" -eq 21 ] || fail "$put kinds of files instead of 21: $(cat made)"

# Undisturbed runs. The duration of the first one limits the time of kills.
began=$(date +%s%N)
"$KANE" batch in -o whole -j 2 2>messages || fail "the undisturbed batch: $(cat messages)"
most=$(($(date +%s%N) - began))
for name in $gone; do rm "in/$name"; done
"$KANE" batch in -o whole -j 2 --prune 2>messages || fail "the undisturbed --prune: $(cat messages)"
rm -r in && cp -r kept in
for shard in 1 2; do
    "$KANE" batch in -o pair --shard $shard/2 --body-mass $((30 + 30 * shard)) --store index 2>messages || fail "$(cat messages)"
done
"$KANE" merge --force pair/index.db pair/index.1-of-2.db pair/index.2-of-2.db 2>messages || fail "$(cat messages)"

# disturb COUNT NANOSECONDS COMMAND...: kills it that often within that time, alternately itself and its first worker.
# If it completes earlier, the next run recreates all clips.
hit=0
disturb() {
    wanted=$((hit + $1)) most_here=$2 redo=
    shift 2
    for round in $(seq $((20 * (wanted - hit)))); do
        "$@" $redo 2>messages &
        job=$!
        draw 1000
        sleep "$(echo "$moment $most_here" | awk '{printf "%.3f", $1 / 1000 * $2 / 1e9}')"
        victim=$job
        [ $((round % 2)) -eq 0 ] || victim=$(cut -d ' ' -f 1 "/proc/$job/task/$job/children" 2>/dev/null)
        kill -9 "${victim:-$job}" 2>/dev/null
        wait $job 2>/dev/null
        code=$?
        case $code in
        0) redo=--redo ;;
        1 | 137) hit=$((hit + 1)) ;;
        *) fail "$*: exit code $code: $(cat messages)" ;;
        esac
        [ $hit -lt $wanted ] || break
    done
}
# Night 1: kills, and a disk that is full from one write on; night 2: missing sources.
mkdir -p out/sub && cp -r theirs/. out && cp -r theirs/. out/sub
(cd out && find . -type f -exec sha256sum {} +) | sort -k 2 >foreign.sums
[ "$(wc -l <foreign.sums)" -eq 42 ] || fail "not 42 foreign files"
disturb "$kills" "$most" "$KANE" batch in -o out -j 2
head -c 8 /dev/zero >state
env FAIL_IO_STATE="$PWD/state" FAIL_IO_AT=$((clips / 2)) FAIL_IO_FROM=1 LD_PRELOAD="$SHIMS/fail_io.so" \
    "$KANE" batch in -o out -j 2 --redo --summary full.json 2>messages
code=$?
expect_code $code 1 "the batch on a full disk"
grep -q 'No space left\|full' messages || fail "no word of a full disk: $(tail -n 1 messages)"
"$KANE" batch in -o out -j 2 2>messages || fail "night 1 does not finish: $(cat messages)"
for name in $gone; do rm "in/$name"; done
disturb $((kills / 2)) "$most" "$KANE" batch in -o out -j 2 --prune
"$KANE" batch in -o out -j 2 --prune 2>messages || fail "night 2 does not finish: $(cat messages)"

# Two shards with different options are only merged with --force.
rm -r in && cp -r kept in
for shard in 1 2; do
    disturb $((kills / 4 + 1)) $((most / 2)) "$KANE" batch in -o parts --shard $shard/2 \
        --body-mass $((30 + 30 * shard)) --store index -j 2
    "$KANE" batch in -o parts --shard $shard/2 --body-mass $((30 + 30 * shard)) --store index -j 2 2>messages ||
        fail "shard $shard does not finish: $(cat messages)"
done
"$KANE" merge parts/index.db parts/index.1-of-2.db parts/index.2-of-2.db 2>messages
expect_code $? 1 "merge of 60 and 90 kg"
grep -q 'body --mass differs' messages || fail "merge does not name the option: $(cat messages)"
[ ! -e parts/index.db ] || fail "a merge that was refused left an index"
"$KANE" merge --force parts/index.db parts/index.1-of-2.db parts/index.2-of-2.db 2>messages || fail "merge: $(cat messages)"

# Content equals that of undisturbed runs, and foreign files are unchanged.
(cd out && sha256sum -c --quiet) <foreign.sums >changed 2>&1 || fail "foreign files: $(head -n 3 changed)"
cut -c 67- foreign.sums | sort >foreign.names
(cd out && find . -type f ! -name 'index.db' ! -name 'index.db.batch' | sort) | comm -23 - foreign.names >names.out
(cd whole && find . -type f ! -name 'index.db' ! -name 'index.db.batch' | sort) >names.whole
cmp -s names.whole names.out || fail "other files: $(diff names.whole names.out | head -n 4 | tr '\n' ' ')"
while read -r name; do
    cmp -s "whole/$name" "out/$name" || fail "out/$name has other bytes"
done <names.whole
for pair in whole:out pair:parts; do
    for folder in "${pair%:*}" "${pair#*:}"; do dump_index "$folder/index.db" >"$folder.dump"; done
    cmp -s "${pair%:*}.dump" "${pair#*:}.dump" ||
        fail "the index of ${pair#*:} differs: $(diff "${pair%:*}.dump" "${pair#*:}.dump" | head -n 2 | cut -c 1-200)"
    "$KANE" check "${pair#*:}/index.db" --ignore index-absent >messages || fail "kane check: $(head -n 2 messages)"
done
[ $hit -ge $((2 * kills)) ] || fail "$hit kills came in time, $((2 * kills)) are wanted"
finish "long use: $clips clips, $hit kills in the middle of the work, $(wc -l <names.out) clip files and 42 foreign files"
