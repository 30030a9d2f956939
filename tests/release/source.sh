#!/bin/sh
# The source archive builds without npm and emscripten, and its kane has the page of kane report.
# usage: tests/release/source.sh ARCHIVE.tar.xz      from the top of the project
set -eu
archive=$(realpath "$1")
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: source: FAILED: $1" >&2; exit 1; }
tar -xf "$archive" -C "$work"
cd "$work"/kane-*
[ -s generated/kane.html ] || fail "no kane.html"
mkdir "$work/bin" # every program but those of the page
for program in /usr/bin/* /bin/*; do
    case ${program##*/} in node | npm | npx | nodejs | em* | git) ;; *) [ -e "$work/bin/${program##*/}" ] || ln -s "$program" "$work/bin/" ;; esac
done
PATH=$work/bin make -j"$(nproc)" BUILD=build build/kane >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "make"; }
build/kane run data/walk.bvh -o walk.h5 2>/dev/null
build/kane report walk.h5 -o walk.html || fail "kane report"
build/kane --version --verbose | grep -q "^commit  *$(cat generated/commit.txt)$" || fail "--version does not name the commit"
[ "$("$top/build/kane" --version 2>/dev/null | head -n 1)" = "$(build/kane --version | head -n 1)" ] || [ ! -x "$top/build/kane" ] || fail "another version"
echo "release: source: builds without npm and emscripten, with the page"
