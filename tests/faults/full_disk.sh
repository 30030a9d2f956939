# A disk that becomes full during the work, at many sizes: no partial output, one line, exit code 1; with space
# available again the batch completes.
. "$FAULTS/fault.sh"
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root can mount a small disk"; exit 0; }
mkdir disk
mount -t tmpfs -o size=64k kane-test disk 2>/dev/null || { echo "skipped: mounting is not allowed here"; exit 0; }
trap 'umount disk' EXIT
make_clips in 4
"$KANE" batch --store full in -o whole -j 1 2>/dev/null || fail "the undisturbed batch"
"$KANE" run in/clip1.bvh -o whole.h5 2>/dev/null || fail "the undisturbed run"
"$KANE" export whole.h5 --format tsv -o whole.tsv || fail "the undisturbed export"
need=$(du -sk whole | cut -f 1)
step=$(long_or_short 16 256)

room() { mount -o "remount,size=$1k" disk; }

# reported SAID JSON: the last line states the reason; if work had begun, counts precede it and are in the summary, and
# the clips that did not fit are failures of the index.
reported() {
    tail -n 1 "$1" | grep -q '^kane batch: .*\(No space left\|full\|cannot\)' || fail "no reason: $(cat "$1")"
    grep -q 'done, .* unchanged, .* failed' "$1" || return
    begun=$((begun + 1))
    grep -q 'stopped by an error: [0-9]* of [0-9]* not done' "$1" || fail "$(cat "$1")"
    failed=$(grep -o '[0-9]* failed' "$1" | tail -n 1)
    grep -q "\"failed\": ${failed% failed}," "$2" || fail "summary: $(cat "$2")"
}

head -c 500 in/clip1.bvh > missing_end.bvh
begun=0
full=0
for size in $(seq 16 "$step" $((need + 512))); do
    rm -rf disk/* disk/.[!.]*
    room "$size"
    "$KANE" batch --store full in -o disk/out -j 2 --summary messages.json --force 2>messages
    code=$?
    whole_files whole disk/out
    if [ $code -ne 0 ]; then
        full=$((full + 1))
        expect_code $code 1 "batch on $size kB"
        reported messages messages.json
    else
        same_folder whole disk/out || fail "batch on $size kB: reported as done, but is not"
    fi
    room $((4 * need + 1024))
    "$KANE" batch --store full in -o disk/out -j 2 2>messages || fail "batch after $size kB: $(cat messages)"
    same_folder whole disk/out || fail "batch after $size kB"
done
# A disk that becomes full later: completed clips are in the index, and those that did not fit are its failures.
rm -rf disk/* disk/.[!.]*
room 7000
mkdir many
for k in $(seq 40); do cp "$TOP/tests/cli/squat.bvh" many/$k.bvh; done
"$KANE" batch --store full many -o disk/out -j 2 --summary messages.json --force 2>messages
expect_code $? 1 "40 clips on 7000 kB"
reported messages messages.json
ask() { "$KANE" query disk/out/index.db --sql "$1" --format tsv | tail -n 1; }
listed=$(ask 'SELECT count(*) FROM clip')
[ "$listed" -gt 0 ] || fail "no clip of a full disk is in the index"
grep -q "kane batch: $listed done, $listed with warnings, 0 unchanged" messages || fail "$listed clips in the index, but: $(cat messages)"
[ "$(ask "SELECT count(*) FROM failure WHERE stage = 'store'")" -gt 0 ] || fail "no failure of a full disk in the index"
for size in 4 64 128; do
    rm -rf disk/* disk/.[!.]*
    room $size
    "$KANE" run in/clip1.bvh -o disk/clip.h5 2>messages
    code=$?
    cmp -s whole.h5 disk/clip.h5 || expect_code $code 1 "run on $size kB"
    [ $code -eq 0 ] || [ -z "$(ls -A disk)" ] || fail "run on $size kB left $(ls -A disk)"
    "$KANE" export whole.h5 --format tsv -o disk/clip.tsv 2>messages
    code=$?
    cmp -s whole.tsv disk/clip.tsv || expect_code $code 1 "export on $size kB"
    [ $code -eq 0 ] || [ -z "$(ls -A disk | grep tsv)" ] || fail "export on $size kB left $(ls -A disk)"
done
for command in 'info whole.h5' 'info --json whole.h5' 'export whole.h5 --format tsv' 'query whole/index.db' 'run in/clip1.bvh' \
    'check missing_end.bvh' '--help' '--version'; do
    "$KANE" $command >/dev/full 2>/dev/null
    expect_code $? 1 "$command > /dev/full"
done
[ $full -gt 0 ] || fail "the disk was never full"
[ $begun -gt 0 ] || fail "no batch was stopped at work"
finish "full disk: $full times full, $begun at work"
