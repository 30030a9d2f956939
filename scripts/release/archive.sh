#!/bin/sh
# Makes kane-VERSION-linux-MACHINE.tar.xz: what `make install` installs, with the libraries beside it.
# usage: scripts/release/archive.sh BUILD NAME OUT.tar.xz [SYSROOT]     BUILD: a build of all and package; from the top of
#        the project; MAKE_OPTIONS: the variables of that build, quoted as for a shell
set -eu
build=$1 name=$2 out=$3 sysroot=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
eval "make -s BUILD='$build' DESTDIR='$work' PREFIX='/$name' PYTHONDIR=share/kane/python ${MAKE_OPTIONS:-} install"
soname=$(basename "$build"/package/libkane.so.*)
scripts/release/bundle.py ${sysroot:+--sysroot "$sysroot"} --also "$build/hdf5.so" --also "$build/assimp.so" \
    "$root/lib" "$root/share/licences" \
    "$root/bin/kane" "$root/libexec/kane/kane-scene" "$root/lib/kane/kane.so" "$(realpath "$root/lib/$soname")"
sed -i "s|^prefix=.*|prefix=\${pcfiledir}/../..|" "$root/lib/pkgconfig/kane.pc"
cp LICENSE "$root/"
ln -s share/doc/kane/README.md "$root/README.md"
mkdir -p "$(dirname "$out")"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -c "$name" | xz -T0 -6 >"$out.new"
mv "$out.new" "$out"
echo "release: $out: $(du -h "$out" | cut -f 1)"
