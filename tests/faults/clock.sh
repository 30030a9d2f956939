# Jumping clocks, and files with times in the past or the future: the same bytes, the same index, and a second batch
# only processes files with changed content.
. "$FAULTS/fault.sh"
make_clips in 12
"$KANE" batch --store full in -o whole -j 2 2>/dev/null || fail "the undisturbed batch"
jumping() { LD_PRELOAD=$SHIMS/jump_clock.so "$@"; }
jumping "$KANE" batch --store full in -o out -j 2 2>messages || fail "batch while the clock jumps: $(cat messages)"
same_folder whole out
jumping "$KANE" run in/clip1.bvh -o one.h5 2>/dev/null || fail "run while the clock jumps"
cmp -s one.h5 whole/clip1.bvh.h5 || fail "run while the clock jumps: other bytes"
jumping "$KANE" query out/index.db --limit 1 >/dev/null 2>messages || grep -q 'time' messages || fail "query: $(cat messages)"

unchanged() { grep -q "$1 unchanged" messages || fail "$1 unchanged files are expected: $(cat messages)"; }
for when in '1970-01-02' '2001-01-01' '2099-01-01' 'now'; do
    touch -d "$when" in/clip1.bvh in/clip2.bvh
    jumping "$KANE" batch --store full in -o out -j 2 2>messages || fail "batch with times of $when: $(cat messages)"
    unchanged 12
done
# Changed content with the same size and time is detected if size or time differ from the recorded ones.
touch -d 2001-01-01 in/clip2.bvh
"$KANE" batch --store full in -o out 2>/dev/null
sed 's/ 92\.2 / 92.9 /' in/clip2.bvh > other && cat other > in/clip2.bvh
jumping "$KANE" batch --store full in -o out 2>messages || fail "batch with other content: $(cat messages)"
unchanged 11
finish "clock: done"
