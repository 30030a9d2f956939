# Common to the tests of faults: clips, invariants after a fault, and a count of violations. Each test runs in its own
# empty folder, with KANE, TOP, FAULTS (this folder) and SHIMS (the built shims); FAULTS_LONG is set for the long form.
set -u
failures=0
sequence=$KANE_SEED

fail() {
    echo "WRONG: $*"
    failures=$((failures + 1))
}

# draw COUNT: sets $moment to the next number, 0 to COUNT - 1, of a sequence seeded by KANE_SEED. (Random numbers of awk
# depend on its implementation.)
draw() {
    sequence=$(((sequence * 1103515245 + 12345) % 2147483648))
    moment=$((sequence / 1024 % $1))
}

# noise COUNT: prints COUNT bytes, seeded by KANE_SEED.
noise() { python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(sys.argv[1]).randbytes(int(sys.argv[2])))' "$KANE_SEED" "$1"; }

long_or_short() { [ -n "${FAULTS_LONG:-}" ] && echo "$1" || echo "$2"; }

# make_clips FOLDER COUNT: makes short clips with different masses in their histories, so that all clip files differ.
make_clips() {
    mkdir -p "$1/sub"
    for i in $(seq 1 "$2"); do
        sed "s/ 92 / 92.$i /" "$TOP/tests/cli/squat.bvh" > "$1/$([ $((i % 3)) -eq 0 ] && echo sub/)clip$i.bvh"
    done
}

dump_index() { "$FAULTS/index_dump.py" "$1"; }

# same_folder WHOLE OUT: the same clip files, byte for byte, the same index content, and nothing else.
same_folder() {
    (cd "$1" && find . -type f ! -name 'index.db*' | sort) > names.whole
    (cd "$2" && find . -mindepth 1 ! -type d ! -name 'index.db' ! -name 'index.db.batch' | sort) > names.out
    cmp -s names.whole names.out || { fail "$2 holds other files: $(diff names.whole names.out | tr '\n' ' ')"; return 1; }
    while read -r name; do
        cmp -s "$1/$name" "$2/$name" || { fail "$2/$name has other bytes"; return 1; }
    done < names.whole
    [ -f "$1.dump" ] || dump_index "$1/index.db" > "$1.dump"
    dump_index "$2/index.db" > "$2.dump" 2>&1
    cmp -s "$1.dump" "$2.dump" || { fail "the index of $2 differs"; diff "$1.dump" "$2.dump" | head -n 3 | cut -c 1-200; return 1; }
}

# whole_files WHOLE OUT: each existing clip file is complete; some may be missing.
whole_files() {
    [ -d "$2" ] || return 0
    (cd "$2" && find . -name '*.h5' -type f) > names.there
    while read -r name; do
        cmp -s "$1/$name" "$2/$name" || fail "$2/$name is half-written"
    done < names.there
    (cd "$2" && find . -name '*.h5.??????') > names.left
    [ ! -s names.left ] || fail "left behind: $(tr '\n' ' ' < names.left)"
}

# one_line FILE WORDS: standard error is one line of kane that contains WORDS, besides what the clip's body lacks.
one_line() {
    [ "$(grep -vc 'warning: the skeleton lacks' "$1")" -eq 1 ] || { fail "expected one line, found: $(cat "$1")"; return 1; }
    grep -q "$2" "$1" || fail "expected \"$2\", found: $(cat "$1")"
}

# last_line FILE WORDS: the last line of standard error, after the batch summary, is one of kane that contains WORDS.
last_line() { tail -n 1 "$1" | grep -q "$2" || fail "expected \"$2\" at the end, found: $(cat "$1")"; }

# expect_code FOUND EXPECTED WHAT
expect_code() { [ "$1" -eq "$2" ] || fail "$3: exit code $1, not $2"; }

finish() {
    echo "$*"
    [ "$failures" -eq 0 ]
    exit
}
