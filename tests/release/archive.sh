#!/bin/sh
# The archive of a release in a bare root: run, report and query work, the clip file has the bytes of KANE, and every
# library is in the archive. The archive of arm64 runs under qemu-user, with no library but glibc.
# usage: tests/release/archive.sh KANE ARCHIVE.tar.xz BUILD      from the top of the project
set -eu
kane=$(realpath "$1") archive=$2 build=$3
name=$(basename "$archive" .tar.xz)
. tests/release/root.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "release: $name: FAILED: $1" >&2; exit 1; }

mkdir -p "$work/bare/opt"
run() { in_root "$work/bare" "$@"; }
prefix=/opt/$name
case $name in
*-aarch64)
    command -v qemu-aarch64 >/dev/null && [ -d /usr/aarch64-linux-gnu/lib ] ||
        { echo "release: $name: skipped: no qemu-aarch64 with its glibc (make setup-release)"; exit 0; }
    prefix=$work/bare/opt/$name
    run() { (cd "$work/bare/tmp" && program=$1 && shift && env -u KANE_LIBEXEC qemu-aarch64 -L /usr/aarch64-linux-gnu "$program" "$@"); }
    mkdir "$work/bare/tmp" ;;
*) make_root "$work/bare" || exit 0 ;;
esac
tar -xf "$archive" -C "$work/bare/opt"
root=$work/bare/opt/$name

for file in bin/kane libexec/kane/kane-scene share/man/man1/kane.1 share/man/man1/kane-run.1 README.md LICENSE share/kane/kane.html \
    share/bash-completion/completions/kane share/kane/samples/walk.bvh share/doc/kane/docs/tutorial.md lib/pkgconfig/kane.pc; do
    [ -s "$root/$file" ] || fail "no $file"
done
for part in libhdf5 libsqlite3 libassimp libdraco libminizip libexpat libsleef libxxhash libcrypto libstdc++; do
    ls "$root/lib/$part"* >/dev/null 2>&1 || fail "no $part"
done
python3 - "$root" <<'PYTHON' || fail "libraries"
import pathlib
import sys
sys.path.insert(0, "scripts/release")
import elf
root, bad = pathlib.Path(sys.argv[1]), []
for path in sorted(p for p in root.rglob("*") if elf.is_elf(p)):
    needed, search = elf.dynamic(path)
    folders = [pathlib.Path(part.replace("$ORIGIN", str(path.parent))) for part in search]
    bad += [f"{path}: search path {part}" for part in search if not part.startswith("$ORIGIN")]
    bad += [f"{path}: no {name}" for name in needed if name not in elf.GLIBC and not any((f / name).exists() for f in folders)]
    if elf.versions(path).get("GLIBC", (0,)) > (2, 36):
        bad.append(f"{path}: needs a glibc later than 2.36")
print("\n".join(bad))
sys.exit(bool(bad))
PYTHON

python3 tests/support/scene_fbx.py >"$work/bare/tmp/bend.fbx"
run "$prefix/bin/kane" run "$prefix/share/kane/samples/walk.bvh" -o walk.h5 >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "kane run"; }
run "$prefix/bin/kane" report walk.h5 -o walk.html >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "kane report"; }
run "$prefix/bin/kane" batch "$prefix/share/kane/samples" -o out >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "kane batch"; }
run "$prefix/bin/kane" query out/index.db --format csv --sql "$peaks_query" >"$work/peaks" || fail "kane query"
(cd "$work" && "$kane" run "$root/share/kane/samples/walk.bvh" -o walk.h5 2>/dev/null && "$kane" batch "$root/share/kane/samples" -o out 2>/dev/null &&
    "$kane" query out/index.db --format csv --sql "$peaks_query" >own)
cmp "$work/walk.h5" "$work/bare/tmp/walk.h5" || fail "another clip file than that of $kane"
cmp "$work/own" "$work/peaks" || fail "other peaks than those of $kane"
[ "$(wc -c <"$work/bare/tmp/walk.html")" -gt 500000 ] || fail "the report has no page"
# qemu-user starts no other program, such as the helper.
[ "$prefix" != "/opt/$name" ] || run "$prefix/bin/kane" import bend.fbx -o bend.h5 >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "kane import of an FBX file"; }
echo "release: $name: run, report, batch and query $([ "$prefix" = "/opt/$name" ] && echo 'in a bare root' || echo 'with glibc alone'): the bytes of kane"
