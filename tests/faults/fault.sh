# For the tests of faults: clips to work on, what must hold after a fault, and the count of what did not.
# Each test runs in an empty folder of its own, with KANE, TOP, FAULTS (this folder) and SHIMS (the built shims);
# FAULTS_LONG is set for the long form.
set -u
failures=0
sequence=$KANE_SEED

wrong() {
    echo "WRONG: $*"
    failures=$((failures + 1))
}

# draw COUNT: the next of a sequence that KANE_SEED begins, 0 to COUNT - 1, in $moment. (An awk's own random numbers
# differ from those of another.)
draw() {
    sequence=$(((sequence * 1103515245 + 12345) % 2147483648))
    moment=$((sequence / 1024 % $1))
}

# noise COUNT: as many bytes, by KANE_SEED.
noise() { python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(sys.argv[1]).randbytes(int(sys.argv[2])))' "$KANE_SEED" "$1"; }

long_or_short() { [ -n "${FAULTS_LONG:-}" ] && echo "$1" || echo "$2"; }

# make_clips FOLDER COUNT: short clips, each with a mass of its own history: no two containers are alike.
make_clips() {
    mkdir -p "$1/sub"
    for i in $(seq 1 "$2"); do
        sed "s/ 92 / 92.$i /" "$TOP/tests/cli/squat.bvh" > "$1/$([ $((i % 3)) -eq 0 ] && echo sub/)clip$i.bvh"
    done
}

dump_index() { "$FAULTS/index_dump.py" "$1"; }

# same_folder WHOLE OUT: the same containers, byte for byte, the same index by content, and nothing besides.
same_folder() {
    (cd "$1" && find . -type f ! -name 'index.db*' | sort) > names.whole
    (cd "$2" && find . -mindepth 1 ! -type d ! -name 'index.db' ! -name 'index.db.batch' | sort) > names.out
    cmp -s names.whole names.out || { wrong "$2 holds other files: $(diff names.whole names.out | tr '\n' ' ')"; return 1; }
    while read -r name; do
        cmp -s "$1/$name" "$2/$name" || { wrong "$2/$name has other bytes"; return 1; }
    done < names.whole
    [ -f "$1.dump" ] || dump_index "$1/index.db" > "$1.dump"
    dump_index "$2/index.db" > "$2.dump" 2>&1
    cmp -s "$1.dump" "$2.dump" || { wrong "the index of $2 differs"; diff "$1.dump" "$2.dump" | head -n 3 | cut -c 1-200; return 1; }
}

# whole_files WHOLE OUT: every container that is there is whole; some may be missing, none may be half-written.
whole_files() {
    [ -d "$2" ] || return 0
    (cd "$2" && find . -name '*.h5' -type f) > names.there
    while read -r name; do
        cmp -s "$1/$name" "$2/$name" || wrong "$2/$name is half-written"
    done < names.there
    (cd "$2" && find . -name '*.h5.??????') > names.left
    [ ! -s names.left ] || wrong "left behind: $(tr '\n' ' ' < names.left)"
}

# one_line FILE WORDS: what a person reads on standard error is one line of kane's, and it says WORDS.
one_line() {
    [ "$(wc -l < "$1")" -eq 1 ] || { wrong "expected one line, found: $(cat "$1")"; return 1; }
    grep -q "$2" "$1" || wrong "expected \"$2\", found: $(cat "$1")"
}

# last_line FILE WORDS: the last line of standard error, behind what a batch did, is one of kane's and says WORDS.
last_line() { tail -n 1 "$1" | grep -q "$2" || wrong "expected \"$2\" at the end, found: $(cat "$1")"; }

# expect_code FOUND EXPECTED WHAT
expect_code() { [ "$1" -eq "$2" ] || wrong "$3: exit code $1, not $2"; }

finish() {
    echo "$*"
    [ "$failures" -eq 0 ]
    exit
}
