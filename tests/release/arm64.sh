#!/bin/sh
# A package or wheel for arm64 under qemu-user, with Debian's arm64 libraries below ROOT (scripts/setup.sh arm64 ROOT): it
# runs a clip with the bytes of KANE. qemu-user starts no other program, such as the helper.
# usage: tests/release/arm64.sh KANE ROOT FILE.deb|FILE.whl      from the top of the project
set -eu
kane=$(realpath "$1") root=$(realpath "$2") file=$(realpath "$3")
name=$(basename "$file")
fail() { echo "release: $name: FAILED: $1" >&2; exit 1; }
command -v qemu-aarch64 >/dev/null || { echo "release: $name: skipped: no qemu-aarch64 (make setup-release)"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp data/walk.bvh "$work/"
cd "$work"
unset KANE_LIBEXEC
"$kane" run walk.bvh -o own.h5 2>/dev/null
case $name in
*.deb)
    dpkg-deb -x "$file" files
    qemu-aarch64 -L "$root" files/usr/bin/kane run walk.bvh -o walk.h5 >said 2>&1 || { cat said >&2; fail "kane run"; } ;;
*.whl)
    python3 -m zipfile -e "$file" files
    PYTHONPATH=$work/files PYTHONHOME=$root/usr qemu-aarch64 -L "$root" "$root/usr/bin/python3" -c \
        'import kane; assert kane.__version__ == kane.version(); kane.run("walk.bvh").save("walk.h5")' || fail "the module" ;;
esac
cmp own.h5 walk.h5 || fail "another clip file than that of $kane"
echo "release: $name: runs under qemu: the bytes of kane"
