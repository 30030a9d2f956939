#!/bin/sh
# tests/checks/check_version.py finds a planted version in each file that repeats it, a missing one and a long changelog.
# usage: tests/checks/test_check_version.sh KANE   (from the top of the project)
set -eu
kane=$(realpath "$1")
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "checks: version: $1" >&2; exit 1; }
files="CHANGELOG.md CITATION.cff README.md debian/changelog python/kane/_version.py scripts/blender/kane_clips/__init__.py web/package.json"
# shellcheck disable=SC2086 # the list is meant to fall into words
tar -c $files analysis/base/version.h release.mk docs/howto/browser.md | tar -x -C "$work"
cd "$work"
check() { "$top/tests/checks/check_version.py" "$@" >found; }

check "$kane" || { cat found >&2; fail "the project has several versions"; }
for file in $files; do
    cp "$file" kept
    sed -i 's/0\(, \|\.\)2\(, \|\.\)0/9\19\29/' "$file"
    check && fail "another version in $file is accepted"
    grep -q "^$file:[0-9]*: version 9.9.9, " found || { cat found >&2; fail "$file is not named"; }
    : >"$file"
    check && fail "$file without a version is accepted"
    cp kept "$file"
done
for file in README.md docs/howto/browser.md; do
    cp "$file" kept
    sed -i 's|(https://[^/)]*/kane.html)|(https://planted.example/kane.html)|' "$file"
    check && fail "another address in $file is accepted"
    grep -q "^$file:[0-9]*: address https://planted.example, release.mk has " found || { cat found >&2; fail "the address in $file is not named"; }
    cp kept "$file"
done
printf 'include release.mk\n' >address.mk
make -s -f address.mk address SITE=https://planted.example
check || { cat found >&2; fail "make address leaves another address"; }
! grep -q 'https://kane.invalid' release.mk README.md docs/howto/browser.md || fail "make address leaves the old address"
printf '#!/bin/sh\necho kane 9.9.9\n' >old
chmod +x old
check ./old && fail "another program is accepted"
yes -- '- a change' | head -n 150 >>CHANGELOG.md
check && fail "a release of more than 150 lines is accepted"
grep -q '^CHANGELOG.md:[0-9]*: 0.1.0 has 1[0-9]* lines, at most 150$' found || { cat found >&2; fail "the release is not named"; }
echo "checks: version: every planted version is found"
