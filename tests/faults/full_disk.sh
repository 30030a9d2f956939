# A disk that fills up in the middle, at many sizes: no output that is not whole, one line, exit code 1; with room again
# the batch finishes.
. "$FAULTS/fault.sh"
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root can mount a small disk"; exit 0; }
mkdir disk
mount -t tmpfs -o size=64k kane-test disk 2>/dev/null || { echo "skipped: mounting is not allowed here"; exit 0; }
trap 'umount disk' EXIT
make_clips in 4
"$KANE" batch in -o whole -j 1 2>/dev/null || wrong "the undisturbed batch"
"$KANE" run in/clip1.bvh -o whole.h5 2>/dev/null || wrong "the undisturbed run"
"$KANE" export whole.h5 --format tsv -o whole.tsv || wrong "the undisturbed export"
need=$(du -sk whole | cut -f 1)
step=$(long_or_short 16 256)

room() { mount -o "remount,size=$1k" disk; }

head -c 500 in/clip1.bvh > missing_end.bvh
full=0
for size in $(seq 16 "$step" $((need + 512))); do
    rm -rf disk/* disk/.[!.]*
    room "$size"
    "$KANE" batch in -o disk/out -j 2 2>said
    code=$?
    whole_files whole disk/out
    if [ $code -ne 0 ]; then
        full=$((full + 1))
        expect_code $code 1 "batch on $size kB"
        one_line said 'kane batch: .*'
    else
        same_folder whole disk/out || wrong "batch on $size kB: reported as done, but is not"
    fi
    room $((4 * need + 1024))
    "$KANE" batch in -o disk/out -j 2 2>said || wrong "batch after $size kB: $(cat said)"
    same_folder whole disk/out || wrong "batch after $size kB"
done
for size in 4 64 128; do
    rm -rf disk/* disk/.[!.]*
    room $size
    "$KANE" run in/clip1.bvh -o disk/clip.h5 2>said
    code=$?
    cmp -s whole.h5 disk/clip.h5 || expect_code $code 1 "run on $size kB"
    [ $code -eq 0 ] || [ -z "$(ls -A disk)" ] || wrong "run on $size kB left $(ls -A disk)"
    "$KANE" export whole.h5 --format tsv -o disk/clip.tsv 2>said
    code=$?
    cmp -s whole.tsv disk/clip.tsv || expect_code $code 1 "export on $size kB"
    [ $code -eq 0 ] || [ -z "$(ls -A disk | grep tsv)" ] || wrong "export on $size kB left $(ls -A disk)"
done
for verb in 'info whole.h5' 'info --json whole.h5' 'export whole.h5 --format tsv' 'query whole/index.db' 'run in/clip1.bvh' \
    'check missing_end.bvh' '--help' '--version'; do
    "$KANE" $verb >/dev/full 2>/dev/null
    expect_code $? 1 "$verb > /dev/full"
done
[ $full -gt 0 ] || wrong "the disk was never full"
finish "full disk: $full times full"
