# Interrupted at random times (KANE_SEED) by TERM, INT, HUP and KILL in turn, and run again: batch, index and merge end
# with the content of an undisturbed run. 20 interruptions, 10,000 clips with --long.
. "$FAULTS/fault.sh"
clips=$(long_or_short 10000 40)
rounds=$(long_or_short 20 4)
make_clips in "$clips"

# seconds COMMAND...: duration of an undisturbed run.
seconds() {
    began=$(date +%s.%N)
    "$@" 2>messages || fail "$*: $(cat messages)"
    echo "$(date +%s.%N) $began" | awk '{printf "%.3f", $1 - $2}'
}

# disturb WHAT SECONDS COMMAND...: interrupts the command in each round within this time, then lets it end.
disturb() {
    what=$1 most=$2 hit=0
    shift 2
    for round in $(seq "$rounds"); do
        signal=$(echo TERM INT HUP KILL | cut -d ' ' -f $((round % 4 + 1)))
        env --default-signal=HUP,INT,TERM "$@" 2>messages &
        job=$!
        draw 1000
        sleep "$(echo "$moment $most" | awk '{printf "%.3f", $1 / 1000 * $2}')"
        kill -"$signal" $job 2>/dev/null
        wait $job 2>/dev/null
        code=$?
        case $signal:$code in
        *:0) ;;
        # No message if main had not begun; tests/cli/interrupted.sh checks the message.
        TERM:143 | INT:130 | HUP:129) hit=$((hit + 1)); [ ! -s messages ] || grep -q "stopped by SIG$signal" messages || fail "$what says nothing of $signal: $(cat messages)" ;;
        KILL:137) hit=$((hit + 1)) ;;
        *) fail "$what, round $round, $signal: exit code $code: $(cat messages)" ;;
        esac
    done
    "$@" 2>messages || fail "$what does not finish afterwards: $(cat messages)"
    echo "$what: $rounds times, $hit of them in the middle of the work" >>hits
}

same_content() {
    for db in "$1" "$2"; do python3 "$FAULTS/index_dump.py" "$db" >"$db.dump"; done
    cmp "$1.dump" "$2.dump" || fail "$2 differs"
}

whole=$(seconds "$KANE" batch in -o whole -j 2)
disturb batch "$(echo "$whole $rounds" | awk '{print 2 * $1 / $2}')" "$KANE" batch in -o out -j 2
same_content whole/index.db out/index.db

read=$(seconds "$KANE" index whole.db out -j 2)
disturb index "$read" "$KANE" index read.db out -j 2
same_content whole.db read.db

for shard in 1 2 3; do "$KANE" batch in -o parts --shard $shard/3 --store index 2>messages || fail "$(cat messages)"; done
merged=$(seconds "$KANE" merge parts/whole.db parts/index.1-of-3.db parts/index.2-of-3.db parts/index.3-of-3.db)
disturb merge "$merged" "$KANE" merge parts/merged.db parts/index.1-of-3.db parts/index.2-of-3.db parts/index.3-of-3.db
same_content parts/whole.db parts/merged.db
same_content whole/index.db parts/merged.db
finish "interrupted: $clips clips; $(paste -sd ';' hits)"
