# An index that is locked, damaged, or of an older or newer schema: no data lost, one line, the right exit code.
. "$FAULTS/fault.sh"
make_clips in 6
"$KANE" batch --store full in -o whole -j 2 2>/dev/null || fail "the undisturbed batch"
dump_index whole/index.db > whole.dump
fresh() { rm -rf out && cp -rp whole out; }
sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()' "$@"; }

# refused WORDS COMMAND...: one line with these words, exit code 1, index and clip files unchanged.
refused() {
    words=$1
    shift
    before=$(cksum < out/index.db)
    "$@" 2>messages >/dev/null
    expect_code $? 1 "$*"
    one_line messages "$words"
    [ "$before" = "$(cksum < out/index.db)" ] || fail "$*: the index was changed"
}

# Locked by a writer: rejected at once; readers continue.
fresh
mkfifo done
python3 -c 'import sqlite3
c = sqlite3.connect("out/index.db", isolation_level=None); c.execute("BEGIN IMMEDIATE")
open("locked", "w").close(); open("done").read()' &
holder=$!
while [ ! -e locked ]; do sleep 0.01; done
refused 'being written by another process' "$KANE" batch --store full in -o out --body-mass 80
refused 'being written by another process' "$KANE" index out/index.db out/clip1.bvh.h5
"$KANE" query out/index.db --limit 1 >/dev/null || fail "query beside a writer"
echo > done
wait $holder
"$KANE" batch --store full in -o out 2>messages || fail "batch after the lock: $(cat messages)"
same_folder whole out

# Of a newer version: rejected.
fresh
sql out/index.db 'PRAGMA user_version = 99'
for command in "batch --store full in -o out" "index out/index.db out/clip1.bvh.h5" "query out/index.db" "merge out/index.db whole/index.db"; do
    refused 'made by a newer kane' "$KANE" $command
done

# Of an older version: query prints what to do, writers do it, a killed one leaves the old index.
old='ALTER TABLE flight DROP COLUMN landing_peak_bw; PRAGMA user_version = 1'
for command in "batch --store full in -o out" "index out/index.db out/clip1.bvh.h5" "merge out/index.db out/other.db"; do
    fresh
    case $command in merge*) cp whole/index.db out/other.db ;; esac
    sql out/index.db "$old"
    refused 'brings it up to date' "$KANE" query out/index.db
    "$KANE" $command 2>messages >/dev/null || fail "$command on an older index: $(cat messages)"
    rm -f out/other.db
    grep -q 'upgrading the index of an older kane: reading its 6 clips again' messages || fail "$command says: $(cat messages)"
    same_folder whole out || fail "$command on an older index"
done

# Killed while it upgrades the older one: the old index or the new one, complete; the next run does the rest.
for delay in 0.001 0.003 0.005 0.008 0.012 0.02; do
    fresh
    sql out/index.db "$old"
    before=$(cksum < out/index.db)
    "$KANE" index out/index.db out/clip1.bvh.h5 2>/dev/null &
    sleep $delay
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ "$before" = "$(cksum < out/index.db)" ] || "$KANE" query out/index.db --limit 1 >/dev/null 2>&1 ||
        fail "killed after $delay s: neither the old index nor the new one"
    "$KANE" index out/index.db out/clip1.bvh.h5 2>/dev/null || fail "kane index after a kill at $delay s"
    same_folder whole out || fail "after a kill at $delay s"
done

# With other tables under the same version number; and with a missing clip file, recorded only in the old index.
fresh
sql out/index.db "ALTER TABLE clip ADD COLUMN shoe_size REAL; UPDATE meta SET value = '0123456789abcdef'"
cp -p out/clip2.bvh.h5 kept.h5 && rm out/clip2.bvh.h5
refused 'are missing' "$KANE" index out/index.db out/clip1.bvh.h5
refused 'are missing' "$KANE" batch --store full in -o out
mv kept.h5 out/clip2.bvh.h5
"$KANE" index out/index.db out/clip1.bvh.h5 2>/dev/null || fail "kane index with all containers there"
same_folder whole out || fail "other tables"

# Damaged: rejected with the command that repairs it, which works.
size=$(stat -c %s whole/index.db)
for page in $(seq 0 "$(long_or_short 8192 131072)" $((size - 1))); do
    fresh
    noise 4096 | dd of=out/index.db bs=1 seek="$page" conv=notrunc 2>/dev/null
    "$KANE" query out/index.db >/dev/null 2>messages
    expect_code $(($? > 1)) 0 "query, page $page"
    "$KANE" batch --store full in -o out --body-mass 80 2>messages
    code=$?
    [ $code -le 1 ] || fail "batch, page $page: exit code $code: $(cat messages)"
    if [ $code -eq 1 ]; then
        last_line messages 'index' # after the counts if the damage was found during the work
        rm out/index.db*
        "$KANE" batch --store full in -o out 2>messages || fail "batch after page $page: $(cat messages)"
        same_folder whole out || fail "after page $page"
    fi
done
for size in 0 1 100 4096 10000; do
    fresh
    head -c $size whole/index.db > out/index.db
    "$KANE" batch --store full in -o out 2>messages
    code=$?
    [ $code -eq 0 ] || { expect_code $code 1 "index cut at $size"; one_line messages 'index'; rm out/index.db*; "$KANE" batch --store full in -o out 2>/dev/null; }
    same_folder whole out || fail "index cut at $size"
done
fresh
rm -r out/index.db
"$KANE" batch --store full in -o out 2>messages || fail "batch without its index: $(cat messages)"
same_folder whole out || fail "batch without its index"
for damage in 'echo text >' 'noise 100000 >' 'head -c 5000 whole/index.db.batch >'; do
    fresh
    eval "$damage out/index.db.batch"
    "$KANE" batch --store full in -o out 2>messages || fail "batch with a damaged index.db.batch: $(cat messages)"
    same_folder whole out || fail "a damaged index.db.batch"
done
finish "index states: done"
