#!/bin/sh
# Makes kane-VERSION.tar.xz: the files of the last commit, and generated/: the page of kane report, kane.html and the
# name of the commit, so that a build requires neither npm nor emscripten.
# usage: scripts/release/source.sh NAME OUT.tar.xz COMMIT REPORT.html KANE.html     from the top of the project
set -eu
name=$1 out=$2 commit=$3 report=$4 page=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name/generated" "$(dirname "$out")"
git archive HEAD | tar -x -C "$work/$name"
cp "$report" "$work/$name/generated/report.html"
cp "$page" "$work/$name/generated/kane.html"
echo "$commit" >"$work/$name/generated/commit.txt"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -c "$name" | xz -T0 -6 >"$out.new"
mv "$out.new" "$out"
echo "release: $out: $(du -h "$out" | cut -f 1)"
