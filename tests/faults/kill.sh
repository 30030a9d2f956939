# kill -9 of a batch or one of its workers at random times (KANE_SEED). Existing clip files are complete; the same
# command completes the work; then clip files and index equal those of an undisturbed run.
. "$FAULTS/fault.sh"
make_clips in 60
rounds=$(long_or_short 50 10)
began=$(date +%s%N)
"$KANE" batch in -o whole -j 2 2>/dev/null || fail "the undisturbed batch"
most=$((($(date +%s%N) - began) / 1000000)) # ms

# victim BATCH: its own process ID in even rounds, that of its first worker in odd ones.
victim() {
    [ $((round % 2)) -eq 0 ] && echo "$1" && return
    for i in $(seq 1 200); do
        worker=$(cut -d ' ' -f 1 "/proc/$1/task/$1/children" 2>/dev/null) || return
        [ -n "$worker" ] && echo "$worker" && return
        sleep 0.001
    done
}

hit=0
for round in $(seq 1 "$rounds"); do
    rm -rf out
    "$KANE" batch in -o out -j 2 2>messages &
    batch=$!
    draw $((most + 1))
    sleep "$(echo "$moment" | awk '{printf "%.3f", $1 / 1000}')"
    killed=$(victim $batch)
    [ -n "$killed" ] && kill -9 "$killed" 2>/dev/null
    wait $batch 2>/dev/null
    code=$?
    case $code in
    0) ;;
    137) hit=$((hit + 1)) ;;
    1) hit=$((hit + 1)); grep -q 'the worker was terminated by signal 9' messages || fail "round $round: $(cat messages)" ;;
    *) fail "round $round: exit code $code: $(cat messages)" ;;
    esac
    whole_files whole out
    "$KANE" batch in -o out -j 2 2>messages || fail "round $round: does not finish afterwards: $(cat messages)"
    same_folder whole out || fail "round $round differs"
done
[ $hit -gt 0 ] || fail "no kill came in time"
finish "kill: $rounds kills, $hit of them in the middle of the work"
