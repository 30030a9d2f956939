#!/bin/sh
# kane.html of a release in Chromium: its tests, among them that a dropped file gives the clip file of KANE.
# usage: tests/release/page.sh KANE FOLDER      FOLDER has kane.html; from the top of the project
set -eu
kane=$(realpath "$1") folder=$(realpath "$2")
CHROMIUM=$(tests/support/chromium.sh) || { echo "release: page: skipped: no Chromium (make setup-ci)"; exit 0; }
export CHROMIUM
web/report/packages.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
KANE=$kane WORK=$work PAGES=$folder node --test --test-concurrency=1 --test-reporter=spec tests/web/page.test.mjs >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; echo "release: page: FAILED" >&2; exit 1; }
echo "release: page: kane.html passes its tests in Chromium"
