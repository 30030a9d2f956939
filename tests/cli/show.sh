# For the transcripts: shows a command as a person would type it, then what it says and how it ends. How sure an
# import was of its decisions is left out: tests/unit/detect/test_import_guess.c is about that.

kane() { "$KANE" "$@"; }

show() {
    printf '$ %s\n' "$1"
    eval "$1" > "${TMPDIR:-/tmp}/show.$$" 2>&1
    code=$?
    sed 's/ ([01]\(\.[0-9]*\)\{0,1\})//g; /detected /s/ (>\{0,1\}[0-9]* %)//g' "${TMPDIR:-/tmp}/show.$$"
    rm "${TMPDIR:-/tmp}/show.$$"
    [ "$code" -eq 0 ] || echo "(exit code $code)"
}
