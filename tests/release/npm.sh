#!/bin/sh
# The npm package of a release, installed: its example prints the peaks of KANE.
# usage: tests/release/npm.sh KANE PACKAGE.tgz      from the top of the project
set -eu
kane=$(realpath "$1") package=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
KANE=$kane WORK=$work PACKAGE=$package node --test --test-reporter=spec tests/web/package.test.mjs >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; echo "release: npm: FAILED" >&2; exit 1; }
echo "release: npm: installed, and its example prints the torques of kane"
