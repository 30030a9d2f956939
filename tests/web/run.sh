#!/bin/sh
# Tests kane in WebAssembly against the program, its npm package, and its page in Debian's headless Chromium.
# usage: tests/web/run.sh KANE WEB FILE.bvh...
# KANE_PAGE_TESTS=PATTERN runs the page tests with matching names; KANE_SHOTS=DIR keeps pictures.
set -eu
kane=$(realpath "$1") web=$(realpath "$2")
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
node "$top/tests/web/native.mjs" "$kane" "$web" "$@"

CHROMIUM=$("$top/tests/support/chromium.sh") || { echo "web-tests: no Chromium (scripts/setup.sh ci installs it)"; exit 1; }
export CHROMIUM
"$top/web/report/packages.sh" # with the driver of Chromium
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"
KANE=$kane WORK=$work WEB=$web PAGES=$(dirname "$web") KANE_SHOTS=${KANE_SHOTS:-} \
    node --test ${KANE_PAGE_TESTS:+"--test-name-pattern=$KANE_PAGE_TESTS"} --test-concurrency=1 --test-reporter=spec tests/web/*.test.mjs
