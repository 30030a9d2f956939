#!/bin/sh
# Builds the page of kane report with the packages pinned in package-lock.json.
# usage: web/report/build.sh PAGE.html
set -eu
case $1 in
/*) page=$1 ;;
*) page=$PWD/$1 ;;
esac
for program in node npm; do
    command -v $program >/dev/null || { echo "page: needs $program: scripts/setup.sh demo installs it" >&2; exit 1; }
done
cd "$(dirname "$0")"
./packages.sh
mkdir -p "$(dirname "$page")"
node build.mjs "$page"
