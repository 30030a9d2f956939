#!/bin/sh
# Builds the Debian packages of a source archive, and fails on a finding of lintian.
# usage: scripts/release/debian.sh SOURCE.tar.xz OUT amd64|arm64 [SYSROOT]
set -eu
source=$(realpath "$1") out=$(realpath "$2") machine=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in dpkg-buildpackage dh lintian; do
    command -v $program >/dev/null || { echo "release: no $program: make setup-release installs it" >&2; exit 1; }
done
tar -xf "$source" -C "$work"
cd "$work"/kane-*
foreign=
if [ "$machine" != "$(dpkg --print-architecture)" ]; then
    foreign="-a$machine -d"
    SYSROOT=$(realpath "$4")
    export SYSROOT
fi
unset CC CFLAGS HOT_OPT LDFLAGS MAKEFLAGS MFLAGS
# shellcheck disable=SC2086 # words
dpkg-buildpackage -j"$(nproc)" -us -uc -b $foreign >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
lintian --fail-on error,warning --info "$work"/kane_*.changes
mv "$work"/*"_$machine.deb" "$out/"
rm -f "$out"/*-dbgsym_*
echo "release: $(cd "$out" && ls ./*"_$machine.deb" | tr '\n' ' ')"
