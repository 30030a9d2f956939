#!/bin/sh
# tests/checks/check_words.py finds banned words planted in the prose of a document, and none in its code.
# usage: tests/checks/test_check_words.sh KANE
set -eu
kane=$(realpath "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for text in 'It tells the unit.' 'One container per clip.' 'The verb runs.' 'In a stretch.' 'Its share of frames.'; do
    echo "$text" > "$work/page.md"
    tests/checks/check_words.py "$kane" "$work/page.md" > "$work/found" || :
    if grep -q "$work/page.md:1: " "$work/found"; then continue; fi
    echo "checks: words: not found: $text" >&2
    exit 1
done
printf 'Run `kane container`.\n\n```console\n$ kane verb\n```\n' > "$work/page.md"
tests/checks/check_words.py "$kane" "$work/page.md" > "$work/found" || :
if grep "$work/page.md:" "$work/found"; then
    echo "checks: words: code is no prose" >&2
    exit 1
fi
printf '/* One container per `verb`. */\n/* Bears\n * anew. */\n' > "$work/code.c"
tests/checks/check_words.py "$kane" "$work/code.c" > "$work/found" || :
[ "$(grep -c "$work/code.c:[23]: " "$work/found")" = 2 ] && ! grep "$work/code.c:1: " "$work/found" || {
    echo "checks: words: not as planted in comments: $(grep code.c "$work/found")" >&2
    exit 1
}
echo "checks: words: every planted error is found"
