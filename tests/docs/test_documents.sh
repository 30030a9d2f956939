#!/bin/sh
# printed_output.py, count_words.py and tests/checks/check_spelling.py find planted errors in a document, and nothing else.
# usage: tests/docs/test_documents.sh      (from the top of the project)
set -u
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "docs: documents: $1" >&2; exit 1; }
cd "$work" || exit 1

printf '#!/bin/sh\nexit 0\n' >kane
cat >document.md <<'DOCUMENT'
# Page
```console
$ echo one; echo two >&2
three
$ printf 'a\rb\n' |
  cat
$ test -t 1 && echo terminal
$ echo "9 frames in 0.12 s, 75 frames/s"
9 frames in 0.34 s, 26 frames/s
$ ls data/walk.bvh; false  # exit code 1
```
```pycon
>>> x = 2
>>> for i in range(x):
...     print(i)
>>> x + 1
```
DOCUMENT
cat >expected.md <<'DOCUMENT'
# Page
```console
$ echo one; echo two >&2
one
two
$ printf 'a\rb\n' |
  cat
b
$ test -t 1 && echo terminal
terminal
$ echo "9 frames in 0.12 s, 75 frames/s"
9 frames in 0.12 s, 75 frames/s
$ ls data/walk.bvh; false  # exit code 1
data/walk.bvh
```
```pycon
>>> x = 2
>>> for i in range(x):
...     print(i)
0
1
>>> x + 1
3
```
DOCUMENT
chmod +x kane
printed() { "$top/tests/docs/printed_output.py" "$@" >log 2>&1; }
cp document.md before.md
printed --check ./kane document.md && fail "another output is accepted"
cmp -s before.md document.md || fail "--check writes"
grep -q '^-three' log && grep -q '^+one' log || fail "the difference is not shown"
printed ./kane document.md || fail "it does not fill in"
cmp expected.md document.md || fail "it fills in something else"
sed -i 's/^9 frames in 0.12 s, 75/9 frames in 5.00 s, 2/' document.md
printed --check ./kane document.md || fail "another time or speed is a difference"
printf '```console\n$ false\n```\n' >document.md
printed ./kane document.md && fail "a command that fails is accepted"

printf 'Two words.\n<!-- items thesis -->\n| a | b |\n<!-- end -->\n<!-- fast: a.py -->\nc\n<!-- end of fast -->\n' >document.md
printf '```console\n$ cat a |\n  wc\n1 2 3\n```\n```pycon\n>>> 1 +\\\n... 2\n3\n```\n' >>document.md
counted() { "$top/tests/docs/count_words.py" "$@" document.md >log 2>&1; }
counted --max 12 || { cat log >&2; fail "generated words are counted"; }
counted --max 11 && fail "too many words are accepted"

command -v aspell >/dev/null || { echo "docs: documents: spelling is skipped: no aspell"; exit 0; }
printf '# The page\n\nAn eror in `eror` and in [eror](eror.md),\nand MuJoCo'"'"'s kanes.\n\n    eror\n\n```\neror\n```\n' >document.md
echo kanes >words.txt
"$top/tests/checks/check_spelling.py" --words words.txt document.md >log 2>&1 && fail "misspelled words are accepted"
[ "$(grep -c '^document.md:3: eror$' log)" -eq 2 ] && [ "$(grep -c '^document' log)" -eq 2 ] || { cat log >&2; fail "other words are found"; }
echo eror >>words.txt
"$top/tests/checks/check_spelling.py" --words words.txt document.md >log 2>&1 || fail "a word of the project is refused"
echo "docs: documents: output, exit codes, spelling and words are compared"
