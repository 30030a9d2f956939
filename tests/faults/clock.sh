# Jumping clocks, and files with times in the past or the future: the same bytes, the same index, and a second batch
# only processes files with changed content.
. "$FAULTS/fault.sh"
make_clips in 12
"$KANE" batch in -o whole -j 2 2>/dev/null || wrong "the undisturbed batch"
jumping() { LD_PRELOAD=$SHIMS/jump_clock.so "$@"; }
jumping "$KANE" batch in -o out -j 2 2>said || wrong "batch while the clock jumps: $(cat said)"
same_folder whole out
jumping "$KANE" run in/clip1.bvh -o one.h5 2>/dev/null || wrong "run while the clock jumps"
cmp -s one.h5 whole/clip1.bvh.h5 || wrong "run while the clock jumps: other bytes"
jumping "$KANE" query out/index.db --limit 1 >/dev/null 2>said || grep -q 'time' said || wrong "query: $(cat said)"

unchanged() { grep -q "$1 unchanged" said || wrong "$1 unchanged files are expected: $(cat said)"; }
for when in '1970-01-02' '2001-01-01' '2099-01-01' 'now'; do
    touch -d "$when" in/clip1.bvh in/clip2.bvh
    jumping "$KANE" batch in -o out -j 2 2>said || wrong "batch with times of $when: $(cat said)"
    unchanged 12
done
# Changed content with the same size and time is detected if size or time differ from the recorded ones.
touch -d 2001-01-01 in/clip2.bvh
"$KANE" batch in -o out 2>/dev/null
sed 's/ 92\.2 / 92.9 /' in/clip2.bvh > other && cat other > in/clip2.bvh
jumping "$KANE" batch in -o out 2>said || wrong "batch with other content: $(cat said)"
unchanged 11
finish "clock: done"
