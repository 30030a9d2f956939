# For the transcripts: shows a command as a person would type it, then what it says and how it ends.

kane() { "$KANE" "$@"; }

show() {
    printf '$ %s\n' "$1"
    eval "$1" 2>&1
    code=$?
    [ "$code" -eq 0 ] || echo "(exit code $code)"
}
