#!/bin/sh
# Installs the npm packages pinned in package-lock.json unless they are installed: for the pages of kane and their tests.
set -eu
cd "$(dirname "$0")"
exec 9<package-lock.json
flock 9 # tests run side by side
[ node_modules/.package-lock.json -nt package-lock.json ] || # which npm writes last
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
