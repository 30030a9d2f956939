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
