# Memory of a long clip: 16,000 more frames take at most 1.1 times their size in the clip file. (Without angles, which
# take more bytes than the scratch memory of any stage.)
. "$TESTS/show.sh"
! grep -q __asan_init "$KANE" || { echo "skipped: memory is not measured under AddressSanitizer"; exit 0; }
[ -x /usr/bin/time ] || { echo "skipped: no /usr/bin/time"; exit 0; }
longer_take() {
    awk -v times="$1" '/^Frames:/ {$2 *= times} {print} motion {row[n++] = $0} /^Frame Time/ {motion = 1}
        END {while (--times) for (i = 0; i < n; i++) print row[i]}' "$TOP/data/jump.bvh"
}
for times in 14 71; do
    longer_take $times >"$times.bvh"
    /usr/bin/time -o "$times.kb" -f %M "$KANE" run --angles none "$times.bvh" -o "$times.h5" 2>messages
done
memory=$((($(cat 71.kb) - $(cat 14.kb)) * 1024)) bytes=$(($(stat -c %s 71.h5) - $(stat -c %s 14.h5)))
if [ $((memory * 10)) -le $((bytes * 11)) ]; then
    echo 'at most 1.1 times the bytes'
else
    echo "$memory bytes of memory for $bytes of the container"
fi

# 32-bit floats: at most 1.1 times their smaller file.
for times in 14 71; do
    /usr/bin/time -o "$times.kb" -f %M "$KANE" run --float32 "$times.bvh" -o "$times.f32.h5" 2>messages
done
memory=$((($(cat 71.kb) - $(cat 14.kb)) * 1024)) bytes=$(($(stat -c %s 71.f32.h5) - $(stat -c %s 14.f32.h5)))
[ $((memory * 10)) -le $((bytes * 11)) ] || echo "--float32: $memory bytes of memory for $bytes of the container"

# --memory of run: a clip of 230 MB within 90 MB, in every storage, with the same bytes.
for storage in --float32 --compress=1 ''; do
    "$KANE" run --memory 8G $storage 71.bvh -o free.h5 2>messages
    /usr/bin/time -o kb -f %M "$KANE" run --memory 90M $storage 71.bvh -o held.h5 2>messages
    [ "$(cat kb)" -le 90000 ] || echo "run $storage: $(cat kb) kB with --memory 90M"
    cmp free.h5 held.h5 && echo "the same bytes within the limit: run $storage"
done

# --memory: two clips that do not fit at once are processed one after the other, with the same bytes.
cat >most.py <<'PY'
import subprocess, sys, time
def proportional(pid):
    try:
        return next(int(line.split()[1]) for line in open(f"/proc/{pid}/smaps_rollup") if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0
def children(pid):
    try:
        return open(f"/proc/{pid}/task/{pid}/children").read().split()
    except OSError:
        return []
batch, most = subprocess.Popen(sys.argv[1:], stderr=open("messages", "w")), 0
while batch.poll() is None:
    most = max(most, sum(map(proportional, [batch.pid, *children(batch.pid)])))
    time.sleep(0.01)
print(most)
PY
mkdir in
longer_take 21 >in/a.bvh
sed 's/^Frame Time.*/Frame Time: 0.01001/' in/a.bvh >in/b.bvh
free=$(python3 most.py "$KANE" batch in -o free -j 2) held=$(python3 most.py "$KANE" batch in -o held -j 2 --memory 120M)
[ $((held * 4)) -lt $((free * 3)) ] || echo "at most $held kB with --memory, $free kB without"
cmp free/a.bvh.h5 held/a.bvh.h5 && cmp free/b.bvh.h5 held/b.bvh.h5 && echo 'the same bytes'
cp "$TESTS/squat.bvh" in/small.bvh
show 'kane batch in -o alone -j 2 --memory 80M 2>&1 | sed "s/;.*//" | grep -v left'
for size in 0 8x G -1 1e30; do show "kane batch in -o none --memory=$size 2>&1 | head -n 1"; done
