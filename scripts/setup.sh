#!/bin/sh
# Installs missing packages on Debian with apt, as root or with sudo, and prints them.
# usage: scripts/setup.sh build|demo|test|bench|ci      (demo, test and bench include build; ci includes all)
set -eu

build="gcc make libc6-dev libhdf5-dev libsqlite3-dev libsleef-dev libssl-dev libexpat1-dev libxxhash-dev zlib1g-dev"
tests="libcmocka-dev libmujoco-dev netcdf-bin hdf5-tools sqlite3 python3 python3-numpy python3-h5py python3-xarray python3-netcdf4 python3-h5netcdf pkg-config groff-base jq parallel aspell aspell-en"
bench="libmujoco-dev"
ci="mold clang clang-tidy cppcheck git zsh slurm-wlm munge debhelper fakeroot lintian blender chromium-headless-shell emscripten"
page=
# Any of Debian's gnuplot packages is sufficient.
command -v gnuplot >/dev/null || tests="$tests gnuplot-nox"
# Node from another source includes npm, which conflicts with Debian's package.
command -v npm >/dev/null || page="nodejs npm"

case "${1:-}" in
build) wanted=$build ;;
demo) wanted="$build $page" ;;
test) wanted="$build $tests" ;;
bench) wanted="$build $bench" ;;
ci) wanted="$build $tests $ci $page" ;;
*) echo "usage: scripts/setup.sh build|demo|test|bench|ci" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; kane needs what these Debian packages hold: $wanted"
    exit 0
fi

missing=
for package in $wanted; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "setup: nothing is missing"
    exit 0
fi

echo "setup: installing$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo; ask your administrator for: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
    echo "setup: sudo may ask for your password"
fi
$as_root apt-get update -q
# shellcheck disable=SC2086 # the list is split into words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
