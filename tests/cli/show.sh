# For the transcripts: prints a command as typed, then its output and exit code. Confidences of import are left out:
# tests/unit/detect/test_import_guess.c covers them.

kane() { "$KANE" "$@"; }

show() {
    printf '$ %s\n' "$1"
    eval "$1" > "${TMPDIR:-/tmp}/show.$$" 2>&1
    code=$?
    sed 's/ ([01]\(\.[0-9]*\)\{0,1\})//g; /detected /s/ (>\{0,1\}[0-9]* %)//g' "${TMPDIR:-/tmp}/show.$$"
    rm "${TMPDIR:-/tmp}/show.$$"
    [ "$code" -eq 0 ] || echo "(exit code $code)"
}

# Starts stats.py once for all calls of `stats`.
start_stats() {
    mkfifo request reply
    /usr/bin/python3 "$TESTS/stats.py" --serve stats.txt <request >reply &
    exec 3>request 4<reply
}

# stats [--unlike FILE.h5] FILE...: statistics of outputs
stats() {
    (IFS='	' && echo "$*") >&3
    read -r reply <&4 && cat stats.txt || echo "stats.py gives no answer"
}
