#!/bin/sh
# Tests the site: every link leads somewhere (and a planted one is found), pages show, search finds a phrase.
# usage: tests/site/run.sh FOLDER ADDRESS      from the top of the project
set -eu
folder=$(realpath "$1") address=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "site: FAILED: $1" >&2; exit 1; }
scripts/site/check_links.py "$folder" "$address" || fail "links"
mkdir "$work/other"
printf '<a href="no.html">x</a><a href="#none">x</a><a href="%s/gone.html">x</a><a id="a" href="#a">x</a><a href="../up.html">x</a>' "$address" >"$work/other/index.html"
scripts/site/check_links.py "$work/other" "$address" >"$work/found" && fail "broken links are accepted"
[ "$(wc -l <"$work/found")" -eq 4 ] || { cat "$work/found" >&2; fail "other links than the planted ones are found"; }
CHROMIUM=$(tests/support/chromium.sh) || { echo "site: Chromium: skipped: it is not installed (make setup-ci)"; exit 0; }
export CHROMIUM
web/report/packages.sh
SITE_FOLDER=$folder KANE_SHOTS=${KANE_SHOTS:-} node --test --test-reporter=spec tests/site/search.test.mjs >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "pages"; }
echo "site: pages show, links lead somewhere, search finds \"ground reaction\""
