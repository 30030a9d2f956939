# Memory of a long clip: what 16,000 frames more take of it is at most 1.1 times what they take in the
# container. (Without anatomy, which has more bytes than any stage has scratch.)
. "$TESTS/show.sh"
! grep -q __asan_init "$KANE" || { echo "skipped: memory is not measured under AddressSanitizer"; exit 0; }
[ -x /usr/bin/time ] || { echo "skipped: no /usr/bin/time"; exit 0; }
take() {
    awk -v times="$1" '/^Frames:/ {$2 *= times} {print} motion {row[n++] = $0} /^Frame Time/ {motion = 1}
        END {while (--times) for (i = 0; i < n; i++) print row[i]}' "$TOP/data/jump.bvh"
}
for times in 14 71; do
    take $times >"$times.bvh"
    /usr/bin/time -o "$times.kb" -f %M "$KANE" run --anatomy none "$times.bvh" -o "$times.h5" 2>said
done
memory=$((($(cat 71.kb) - $(cat 14.kb)) * 1024)) bytes=$(($(stat -c %s 71.h5) - $(stat -c %s 14.h5)))
if [ $((memory * 10)) -le $((bytes * 11)) ]; then
    echo 'at most 1.1 times the bytes'
else
    echo "$memory bytes of memory for $bytes of the container"
fi
