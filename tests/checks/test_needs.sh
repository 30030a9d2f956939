#!/bin/sh
# On a machine without any tool, each target of needs.mk names what is missing and the command that installs it, in one
# line and before it runs anything; every set of needs.mk is one of scripts/setup.sh.
# usage: tests/checks/test_needs.sh   (from the top of the project)
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "checks: needs: $1" >&2; exit 1; }
mkdir "$work/bin"
for program in make sh sed awk find cat test uname nproc; do ln -s "$(command -v $program)" "$work/bin/"; done

for target in $(sed -n 's/^NEEDS_\([a-z0-9_-]*\) .*/\1/p' needs.mk); do
    env -u CC PATH="$work/bin" BUILD="$work/build" make --no-print-directory "$target" >"$work/said" 2>&1 && fail "make $target succeeds without a tool"
    [ "$(wc -l <"$work/said")" -eq 1 ] || { cat "$work/said" >&2; fail "make $target says more than one line"; }
    grep -q "make $target needs .*: .make setup-[a-z0-9]*. installs what is missing" "$work/said" || { cat "$work/said" >&2; fail "make $target"; }
    [ ! -e "$work/build" ] || fail "make $target builds something before it stops"
    set_name=$(sed 's/.*setup-\([a-z0-9]*\).*/\1/' "$work/said")
    scripts/setup.sh list | grep -q "^make setup-$set_name:" || fail "scripts/setup.sh has no set $set_name"
done
for part in $(sed -n 's/^RELEASE_PARTS := //p' release.mk); do
    grep -q "^NEEDS_release-$part *:=" needs.mk || fail "needs.mk does not list release-$part"
done
[ -n "${set_name:-}" ] || fail "needs.mk has no target"
make -n all >"$work/said" 2>&1 && ! grep -q 'make all needs' "$work/said" || { tail -n 3 "$work/said" >&2; fail "make all stops where its tools are installed"; }
echo "checks: needs: every target names what is missing"
