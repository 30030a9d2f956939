# Clip files truncated at each kilobyte, and with each byte of the superblock and a sample of the others flipped: exit
# code 0 or 1, one line if 1, and no partial output. An index lists them as failures; a batch recreates them.
. "$FAULTS/fault.sh"
make_clips in 1
"$KANE" run in/clip1.bvh -o good.h5 2>/dev/null || fail "run"
size=$(stat -c %s good.h5)
cuts=0 flips=0 refusals=0

# try WHAT: runs the stages that read a clip file on bad.h5.
try() {
    "$KANE" "$command" bad.h5 ${output:+-o out.h5} >printed 2>messages
    code=$?
    [ $code -le 1 ] || fail "$command, $1: exit code $code: $(cat messages)"
    if [ $code -eq 1 ]; then
        refusals=$((refusals + 1))
        one_line messages "kane $command: bad.h5: "
        [ -z "$(ls out.h5* 2>/dev/null)" ] || fail "$command, $1: left $(ls out.h5*)"
    fi
    rm -f out.h5
}

command=smooth output=1
for kb in $(seq 0 "$(long_or_short 1 8)" $((size / 1024))); do
    head -c $((kb * 1024)) good.h5 > bad.h5
    try "cut at $kb kB"
    expect_code $code 1 "smooth, cut at $kb kB"
    cuts=$((cuts + 1))
done
flip() {
    cp good.h5 bad.h5
    byte=$(od -An -j "$1" -N 1 -t u1 good.h5)
    printf "\\$(printf '%o' $((byte ^ $2)))" | dd of=bad.h5 bs=1 seek="$1" conv=notrunc 2>/dev/null
    try "byte $1 with $2"
    flips=$((flips + 1))
}
command=kinematics
for at in $(seq 0 "$(long_or_short 1 4)" 95); do
    flip "$at" 255
    flip "$at" 1
done
for at in $(seq 96 "$(long_or_short 61 1201)" 24576) $(seq 24576 "$(long_or_short 997 20011)" $((size - 1))); do
    flip "$at" 255
done

mkdir bad
for kb in 0 1 10 50; do
    head -c $((kb * 1024)) good.h5 > bad/$kb.h5
done
cp good.h5 bad/good.h5
"$KANE" index bad.db bad 2>messages
expect_code $? 1 "index of cut containers"
[ "$(wc -l < messages)" -eq 5 ] || fail "four reasons and the counts are expected: $(cat messages)"
last_line messages '1 clip indexed, 4 failed'
"$KANE" query bad.db --sql 'SELECT (SELECT count(*) FROM clip), (SELECT count(*) FROM failure)' --format tsv | grep -qxP '1\t4' ||
    fail "one clip and four failures are expected"
"$KANE" batch in -o out 2>/dev/null
cp -p out/clip1.bvh.h5 whole.h5
head -c 5000 whole.h5 > out/clip1.bvh.h5
"$KANE" batch in -o out 2>messages || fail "batch over a cut container: $(cat messages)"
cmp -s whole.h5 out/clip1.bvh.h5 || fail "a cut container was not made anew"
finish "damaged containers: $cuts cut, $flips flipped, $refusals refused"
