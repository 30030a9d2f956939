# TERM, HUP and INT leave no temporary file, and the program reports what has been written.
. "$TESTS/show.sh"
cp "$TOP/data/walk.bvh" .
kane run walk.bvh -o walk.h5 2>messages
kane body -q walk.h5 -o old.h5 2>messages
sum=$(sha256sum <old.h5)

# wait_for_output OUTPUT: waits until the job has a file open that is to get this name, still without a name or under a
# temporary one.
wait_for_output() {
    for _ in $(seq 500); do
        ls "$1".* >/dev/null 2>&1 && return
        ls -l "/proc/$job/fd" 2>/dev/null | grep -q "$PWD/#.*(deleted)" && return
        sleep 0.01
    done
    echo 'nothing was being written'
}

# interrupt SIGNAL OUTPUT COMMAND...: interrupts the command when it has written the clip and waits for another one. A
# shell makes background processes ignore INT, and nohup HUP, so env resets them.
interrupt() {
    signal=$1 output=$2
    shift 2
    echo "$ kane $* -o $output, SIG$signal"
    mkfifo gate
    env --default-signal=HUP,INT,TERM "$KANE" "$@" -o "$output" <gate 2>messages &
    job=$!
    exec 3>gate
    cat walk.h5 >&3
    wait_for_output "$output"
    kill -"$signal" "$job"
    wait "$job" 2>/dev/null
    echo "exit code $?"
    exec 3>&-
    rm gate
    cat messages
    ls -d "$output" "$output".* 2>/dev/null
}

for signal in TERM HUP INT; do
    interrupt $signal new.h5 body
    interrupt $signal old.h5 body
    interrupt $signal new.tsv export
done
[ "$(sha256sum <old.h5)" = "$sum" ] && echo 'old.h5 is as it was'

echo '$ nohup kane body, SIGHUP'
mkfifo gate
nohup "$KANE" body -o through.h5 <gate >/dev/null 2>&1 &
job=$!
exec 3>gate
cat walk.h5 >&3
wait_for_output through.h5
kill -HUP "$job"
exec 3>&-
wait "$job"
echo "exit code $?"
ls through.h5*

# The batch reads its second to last file from a FIFO, where it waits for its signal.
mkdir in
for i in $(seq 60); do cp walk.bvh "in/$i.bvh"; done
for signal in TERM INT; do
    echo "$ kane batch in in/y.bvh in/z.bvh -o out, SIG$signal"
    rm -rf out in/[yz].bvh
    mkfifo in/y.bvh in/z.bvh
    env --default-signal=HUP,INT,TERM "$KANE" batch in in/y.bvh in/z.bvh -o out -j 1 2>messages &
    job=$!
    exec 9>in/y.bvh
    kill -"$signal" "$job"
    cat walk.bvh >&9 2>/dev/null
    exec 9>&-
    wait "$job" 2>/dev/null
    echo "exit code $?"
    sed '/ left$/d; s/[12] of 62/N of 62/; s/^kane batch: [0-9]* done.*, \([0-9]* failed\).*/kane batch: done, \1/' messages
    find out -name '.kane*'
    stored=$(find out -name '*.h5' | wc -l)
    rm in/[yz].bvh
    cp walk.bvh in/y.bvh
    cp walk.bvh in/z.bvh
    kane batch in -o out -j 2 2>messages
    grep -q "$((62 - stored)) done, $stored unchanged, 0 failed" messages && echo 'the next call goes on with the rest'
done

# An index command stops after the current clip file, here the second, a FIFO; an index being rebuilt is unchanged.
mkdir few many
ln walk.h5 few/0.h5
for i in $(seq 40); do ln walk.h5 "many/z$i.h5"; done
kane index old.db walk.h5
mkfifo gate.h5
for words in '-j 1 new.db' '-j 2 --rebuild old.db'; do
    echo "$ kane index $words few gate.h5 many, SIGTERM"
    rm -f new.db
    env --default-signal=HUP,INT,TERM "$KANE" index $words few gate.h5 many 2>messages &
    job=$!
    exec 9>gate.h5
    kill -TERM "$job"
    cat walk.h5 >&9 2>/dev/null
    exec 9>&-
    wait "$job" 2>/dev/null
    echo "exit code $?"
    cat messages
    ls ./*.db ./*.db-wal ./*.rebuild 2>/dev/null
done
show 'kane query old.db 1 --columns path --format tsv'
kane index new.db many
show 'kane query new.db --sql "SELECT count(*) FROM clip" --format tsv'
