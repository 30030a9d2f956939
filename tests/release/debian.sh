#!/bin/sh
# The packages of a release, installed by apt in a bare root: kane runs a clip with the bytes of KANE, and makes a report.
# usage: tests/release/debian.sh KANE RELEASE VERSION BUILD      from the top of the project
set -eu
kane=$(realpath "$1") release=$2 version=$3 build=$4
. tests/release/root.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: Debian: FAILED: $1" >&2; exit 1; }
make_root "$work/bare" || exit 0
cp "$release/kane_${version}_amd64.deb" "$work/bare/tmp/"
in_root "$work/bare" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends ./kane_*.deb' >"$work/log" 2>&1 ||
    { ! grep -q 'Could not resolve\|Failed to fetch' "$work/log" || { echo "release: Debian: skipped: no package archive"; exit 0; }
      tail -n 5 "$work/log" >&2; fail "apt-get install"; }
in_root "$work/bare" sh -c 'kane run /usr/share/kane/samples/walk.bvh -o walk.h5 && kane report walk.h5 -o walk.html && kane index i.db walk.h5 && kane query i.db @hardest' >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "kane"; }
(cd "$work" && "$kane" run "$work/bare/usr/share/kane/samples/walk.bvh" -o walk.h5 2>/dev/null)
cmp "$work/walk.h5" "$work/bare/tmp/walk.h5" || fail "another clip file than that of $kane"
echo "release: Debian: installed by apt in a bare root: the bytes of kane"
