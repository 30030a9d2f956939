#!/bin/sh
# Installs missing packages on Debian with apt, as root or with sudo, and prints them.
# usage: scripts/setup.sh SET      (list: prints the sets)
#        scripts/setup.sh arm64 [ROOT]      (cross compiler and qemu; unpacks arm64's libraries below ROOT with an apt
#                                           state of its own: libhdf5-dev cannot be installed beside amd64's)
set -eu

build="gcc make libc6-dev libhdf5-dev libassimp-dev libsqlite3-dev libsleef-dev libssl-dev libexpat1-dev libxxhash-dev zlib1g-dev"
tests="libcmocka-dev libmujoco-dev netcdf-bin hdf5-tools sqlite3 python3 python3-numpy python3-h5py python3-xarray python3-netcdf4 python3-h5netcdf pkg-config groff-base jq parallel aspell aspell-en"
bench="libmujoco-dev"
ci="mold clang cppcheck git chromium-headless-shell emscripten"
long="clang-tidy zsh slurm-wlm munge debhelper fakeroot lintian blender"
arm64="gcc-aarch64-linux-gnu qemu-user"
site="mkdocs mkdocs-material"
page=
# Any of Debian's gnuplot packages is sufficient.
command -v gnuplot >/dev/null || tests="$tests gnuplot-nox"
# Node from another source includes npm, which conflicts with Debian's package.
command -v npm >/dev/null || page="nodejs npm"

web="emscripten python3 libxxhash-dev zlib1g-dev $page"
release="debhelper fakeroot lintian mmdebstrap uidmap buildah patchelf xz-utils git python3 $arm64 $web $site"
# unique WORDS: each word once, in their order.
unique() { echo "$1" | tr ' ' '\n' | awk 'NF && !seen[$0]++' | paste -s -d ' ' -; }
# What make SET-something needs; a larger set includes what it runs.
packages() {
    case $1 in
    build) unique "$build" ;;
    page) unique "$page" ;;
    demo) unique "$build $page" ;;
    web) unique "$web" ;;
    site) unique "$web $site" ;;
    test) unique "$build $tests" ;;
    bench) unique "$build $bench" ;;
    ci) unique "$build $tests $ci $web" ;;
    long) unique "$build $tests $ci $long $web" ;;
    arm64) unique "$arm64" ;;
    release) unique "$build $release" ;;
    *) return 1 ;;
    esac
}
sets="build page demo web site test bench ci long arm64 release"

if [ "${1:-}" = list ]; then
    for set_name in $sets; do echo "make setup-$set_name: $(packages "$set_name")"; done
    exit 0
fi
wanted=$(packages "${1:-}") || { echo "usage: scripts/setup.sh list|$(echo "$sets" | tr ' ' '|') [ROOT]" >&2; exit 2; }

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian or Ubuntu; kane needs the contents of these Debian packages: $wanted"
    exit 0
fi

# unpack_arm64 ROOT: the libraries that kane and its tests link, and Python; ROOT/dpkg is a package database for dpkg-shlibdeps.
unpack_arm64() {
    root=$1
    if [ -z "$root" ] || [ -e "$root/dpkg/complete" ]; then return; fi
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" "$root/dpkg/info"
    root=$(realpath "$root")
    : >"$root/dpkg/status"
    libraries=$(echo "$build $tests" | tr ' ' '\n' | grep '^\(lib.*\|zlib1g\)-dev$' | grep -v mujoco)
    set -- -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State=$root/apt" \
        -o "Dir::State::status=$root/dpkg/status" -o "Dir::Cache=$root/apt"
    echo "setup: arm64 libraries, into $root"
    apt-get "$@" update
    # shellcheck disable=SC2086 # the list is meant to fall into words
    apt-get "$@" -y --download-only --no-install-recommends install $libraries python3
    for package in "$root"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
        name=$(dpkg-deb -f "$package" Package)
        { dpkg-deb -f "$package" Package Version Architecture Multi-Arch Depends
          printf 'Status: install ok installed\nMaintainer: -\nDescription: -\n\n'; } >>"$root/dpkg/status"
        dpkg-deb --fsys-tarfile "$package" | tar -t | sed "s|^\.|$root|; s|/\$||" >"$root/dpkg/info/$name.list"
        for part in symbols shlibs; do
            dpkg-deb -I "$package" "$part" >"$root/dpkg/info/$name.$part" 2>/dev/null || rm "$root/dpkg/info/$name.$part"
        done
    done
    find "$root" -type l -lname '/*' | while read -r link; do ln -sfr "$root$(readlink "$link")" "$link"; done
    rm -r "$root/apt"
    : >"$root/dpkg/complete"
}

missing=
for package in $wanted; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "setup: all packages are installed"
    unpack_arm64 "${2:-}"
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
unpack_arm64 "${2:-}"
