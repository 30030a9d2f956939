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

# Starts figures.py once for all calls of `figures`.
start_figures() {
    mkfifo asked answered
    /usr/bin/python3 "$TESTS/figures.py" --serve figures.txt <asked >answered &
    exec 3>asked 4<answered
}

# figures [--unlike FILE.h5] FILE...: statistics of outputs
figures() {
    (IFS='	' && echo "$*") >&3
    read -r answered <&4 && cat figures.txt || echo "figures.py gives no answer"
}
