#!/bin/sh
# Builds the image of Containerfile from the archive of a release, on a bare root instead of an image from a registry, and
# runs a clip in it.
# usage: tests/release/container.sh KANE RELEASE VERSION BUILD      from the top of the project
set -eu
kane=$(realpath "$1") release=$2 version=$3 build=$4
. tests/release/root.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() { echo "release: container: skipped: $1"; exit 0; }
fail() { echo "release: container: FAILED: $1" >&2; exit 1; }
command -v buildah >/dev/null || skip "no buildah (make setup-release)"
make_root "$work/bare" || exit 0
store="--root $work/store --runroot $work/run --storage-driver vfs"
# shellcheck disable=SC2086 # words
image() { buildah $store "$@"; }
container=$(image from scratch 2>"$work/log") || skip "buildah works not here: $(tail -n 1 "$work/log")"
image add -q "$container" "$build-root/bookworm.tar" / >/dev/null 2>"$work/log" || skip "buildah works not here: $(tail -n 1 "$work/log")"
image commit -q "$container" localhost/bare >/dev/null
image bud -q --isolation chroot --build-arg BASE=localhost/bare --build-arg "VERSION=$version" -t localhost/kane \
    -f "$release/Containerfile" "$release" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "buildah bud"; }
made=$(image from --pull-never localhost/kane)
image run --isolation chroot "$made" -- sh -c 'kane run /opt/kane-*/share/kane/samples/walk.bvh -o /data/walk.h5' >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "kane run in the image"; }
(cd "$work" && "$kane" run "$OLDPWD/data/walk.bvh" -o walk.h5 2>/dev/null)
cmp "$work/walk.h5" "$(image mount "$made")/data/walk.h5" || fail "another clip file than that of $kane"
echo "release: container: the image of the archive alone runs a clip: the bytes of kane"
