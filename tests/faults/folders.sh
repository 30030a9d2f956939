# Output folders that are read-only, vanish, are in use, or contain other users' files with the names of outputs.
. "$FAULTS/fault.sh"
make_clips in 6
"$KANE" batch in -o whole -j 1 2>/dev/null || fail "the undisturbed batch"

# refused WORDS COMMAND...: one line with these words, exit code 1.
refused() {
    words=$1
    shift
    "$@" 2>messages >/dev/null
    expect_code $? 1 "$*"
    grep -v ': detected ' messages > messages.error
    one_line messages.error "$words"
}

echo text > file
refused 'file' "$KANE" batch in -o file
"$KANE" batch in -o made/on/the/way 2>log || fail "batch makes the folders of -o: $(cat log)"
refused 'No such file or directory' "$KANE" run in/clip1.bvh -o none/out.h5

# Files of others with the names of a clip file, the index and the temporary folder.
mkdir -p out/sub/clip3.bvh.h5
cp in/clip1.bvh out/clip1.bvh.h5
refused 'out/clip1.bvh.h5: exists and is a BVH file, not a clip file' "$KANE" run in/clip1.bvh -o out/clip1.bvh.h5
"$KANE" batch in -o out -j 2 2>messages
expect_code $? 1 "batch with files in the way"
grep -q 'out/clip1.bvh.h5: exists and is a BVH file, not a clip file' messages || fail "$(cat messages)"
grep -q 'out/sub/clip3.bvh.h5: a folder is in the way' messages || fail "$(cat messages)"
cmp -s in/clip1.bvh out/clip1.bvh.h5 || fail "a file that is not ours is lost"
[ -d out/sub/clip3.bvh.h5 ] || fail "a folder that is not ours is lost"
"$KANE" query out/index.db --sql 'SELECT count(*) FROM failure' --format tsv | grep -qx 2 || fail "two failures are expected"
rm -r out/clip1.bvh.h5 out/sub/clip3.bvh.h5
"$KANE" batch in -o out -j 2 2>messages || fail "batch after making room: $(cat messages)"
same_folder whole out
rm -r out && mkdir out && echo text > out/index.db
refused 'not an index' "$KANE" batch in -o out
[ "$(cat out/index.db)" = text ] || fail "a file named index.db that is not ours is lost"
rm out/index.db
python3 -c 'import sqlite3; c = sqlite3.connect("out/index.db"); c.execute("CREATE TABLE t(x)")'
refused 'another program' "$KANE" batch in -o out
mkdir elsewhere && echo mine > elsewhere/mine
rm -r out && mkdir out && ln -s ../elsewhere out/.kane-batch.1-of-1
refused '.kane-batch' "$KANE" batch in -o out
[ -f elsewhere/mine ] || fail "a file behind a link is lost"

# Devices and pipes are written, not replaced.
mkfifo pipe
"$KANE" run in/clip1.bvh 2>/dev/null > expected.h5
cat pipe > got.h5 &
"$KANE" run in/clip1.bvh -o pipe 2>/dev/null || fail "run into a pipe"
wait
[ -p pipe ] || fail "the pipe was replaced"
cmp -s expected.h5 got.h5 || fail "other bytes through a pipe"

# Two concurrent batches: one works, the other reports why it does not; the result is the same.
rm -rf out && make_clips many 80
for i in 1 2 3 4; do
    "$KANE" batch many -o out -j 1 2>"messages.$i" &
    eval "batch$i=$!"
done
done_count=0
for i in 1 2 3 4; do
    eval "wait \$batch$i" && done_count=$((done_count + 1)) && continue
    one_line "messages.$i" 'in use by another batch'
done
[ $done_count -ge 1 ] || fail "none of four batches at once was done"
"$KANE" batch many -o many.whole -j 2 2>/dev/null
same_folder many.whole out

# A folder that vanishes during the work.
for i in 1 2 3; do
    rm -rf out
    "$KANE" batch many -o out -j 2 2>messages &
    batch=$!
    sleep 0.0$((i * 3))
    mv out "gone.$i" 2>/dev/null && rm -rf "gone.$i"
    wait $batch
    code=$?
    [ $code -le 1 ] || fail "vanished folder: exit code $code"
    [ $code -eq 0 ] || last_line messages '^kane batch: .*:'
    rm -rf out
    "$KANE" batch many -o out -j 2 2>messages || fail "batch after a vanished folder: $(cat messages)"
    same_folder many.whole out
done

# Unreadable inputs are recorded as failures, and the others are processed: a dangling link and, unless run as root, a
# folder without read or search permission.
cp -r in partly && ln -s nowhere partly/link.bvh && mkdir partly/folder.bvh
"$KANE" batch partly -o out.partly -j 2 2>messages
expect_code $? 1 "batch with a link to nowhere"
grep -q 'partly/link.bvh: cannot read: No such file or directory' messages || fail "$(cat messages)"
grep -q '6 done, 6 with warnings, 0 unchanged, 1 failed' messages || fail "$(cat messages)"

# A clip file that cannot be created: its name is too long, or a file has the name of its folder.
long=$(printf '%0250d' 0)
cp -r in crowded && cp in/clip1.bvh "crowded/$long.bvh" && mkdir out.crowded && echo mine > out.crowded/sub
"$KANE" batch crowded -o out.crowded -j 2 2>messages
expect_code $? 1 "batch with containers that find no place"
grep -q "$long.bvh.h5: cannot write: File name too long" messages || fail "$(cat messages)"
grep -q 'out.crowded/sub/clip3.bvh.h5: cannot write: Not a directory' messages || fail "$(cat messages)"
grep -q '4 done, 4 with warnings, 0 unchanged, 3 failed' messages || fail "$(cat messages)"
[ "$(cat out.crowded/sub)" = mine ] || fail "a file in the place of a folder is lost"

# A read-only folder: runs as another user, since root may always write.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    chmod -R a+rX in && mkdir locked && chmod 555 locked
    cp "$KANE" kane && chmod 755 kane
    nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
    if nobody ./kane --version >/dev/null 2>&1; then
        refused 'locked' nobody ./kane batch in -o locked
        refused 'locked/out.h5: cannot create: Permission denied' nobody ./kane run in/clip1.bvh -o locked/out.h5
        [ -z "$(ls -A locked)" ] || fail "left in a folder that may not be written: $(ls -A locked)"
        cp -r whole readable && chmod -R a+rX,a-w readable
        refused 'readable' nobody ./kane batch in -o readable
        same_folder whole readable
        nobody ./kane query readable/index.db --limit 1 >/dev/null || fail "query in a folder that may not be written"
        cp in/clip1.bvh partly/folder.bvh/ && cp -r partly/folder.bvh partly/closed && chmod a+rX -R partly
        chmod 444 partly/folder.bvh && chmod 000 partly/closed && mkdir -m 777 out.open
        nobody ./kane batch partly -o out.open -j 2 2>messages
        expect_code $? 1 "batch with folders that cannot be read"
        grep -q 'partly/closed: cannot read: Permission denied' messages || fail "$(cat messages)"
        grep -q 'partly/folder.bvh/clip1.bvh: cannot read: Permission denied' messages || fail "$(cat messages)"
        grep -q '6 done, 6 with warnings, 0 unchanged, 3 failed' messages || fail "$(cat messages)"
        refused 'closed' nobody ./kane batch partly/closed -o out.closed
    else
        echo "skipped: read-only folders (another user cannot reach this folder)"
    fi
else
    echo "skipped: read-only folders (only root can become somebody else)"
fi
finish "folders: done"
