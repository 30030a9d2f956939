#!/bin/sh
# scripts/setup.sh installs exactly the missing packages of each set, and tests/bench/record.sh only appends complete
# runs.
# usage: tests/checks/test_setup.sh   (from the top of the project)
set -u
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "checks: setup: $1"; failed=1; }

# A Debian with only gcc installed, and an apt-get that prints its arguments.
mkdir "$work/bin"
printf '#!/bin/sh\nfor p in "$@"; do :; done\n[ "$p" != gcc ] || echo installed\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho "$*" >>%s/asked\n' "$work" >"$work/bin/apt-get"
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
chmod +x "$work"/bin/*
# asked SET PACKAGE...: these packages are requested; with a leading minus: not.
asked() {
    set_name=$1
    shift
    rm -f "$work/asked"
    PATH=$work/bin:$PATH "$top/scripts/setup.sh" "$set_name" >/dev/null || fail "setup.sh $set_name fails"
    for package in "$@"; do
        case $package in
        -*) ! grep -qw -- "${package#-}" "$work/asked" || fail "$set_name asks for ${package#-}" ;;
        *) grep -qw -- "$package" "$work/asked" || fail "$set_name does not ask for $package" ;;
        esac
    done
}
asked build libhdf5-dev libsleef-dev libxxhash-dev -gcc -libmujoco-dev
asked bench libhdf5-dev libmujoco-dev -libcmocka-dev -jq
asked test libcmocka-dev libmujoco-dev aspell aspell-en jq parallel sqlite3 -clang
asked ci jq parallel clang -slurm-wlm
asked long jq clang slurm-wlm
asked web emscripten libxxhash-dev -gcc -clang
asked site mkdocs emscripten -gcc -lintian
asked release mmdebstrap lintian gcc-aarch64-linux-gnu emscripten mkdocs libhdf5-dev
asked arm64 gcc-aarch64-linux-gnu qemu-user -libhdf5-dev
repeated=$(scripts/setup.sh list | while read -r _ line; do echo "$line" | tr ' ' '\n' | sort | uniq -d; done)
[ -z "$repeated" ] || fail "a set has a package twice: $repeated"
# README and the Debian package name what a build requires.
for package in $(scripts/setup.sh list | sed -n 's/^make setup-build: //p'); do
    grep -q "from source.*\b$package\b" README.md || fail "README.md does not name $package"
    case $package in *-dev) [ "$package" = libc6-dev ] || grep -q "^Build-Depends:.*\b$package\b" debian/control || fail "debian/control does not name $package" ;; esac
done

! "$top/scripts/setup.sh" nothing 2>/dev/null || fail "a set that is none is taken"

printf 'date\tcommit\tmachine\tname\tvalue\tunit\n' >"$work/bench.tsv"
tests/bench/record.sh "$work/bench.tsv" printf 'a 1.5 ms\nb 2e3 1/s\n' >/dev/null 2>&1 || fail "record.sh fails"
[ "$(sed 1d "$work/bench.tsv" | cut -f 4- | tr '\t\n' ' ;')" = "a 1.5 ms;b 2e3 1/s;" ] || fail "record.sh writes other rows"
[ "$(awk -F '\t' 'NF == 6 && ($1 ~ /^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/ || NR == 1)' "$work/bench.tsv" | wc -l)" -eq 3 ] || fail "record.sh: columns"
for bad in 'echo a_1_ms' 'echo a x ms' 'false' 'echo a 1 ms; false' ':'; do
    ! tests/bench/record.sh "$work/bench.tsv" sh -c "$bad" >/dev/null 2>&1 || fail "record.sh takes $bad"
done
[ "$(wc -l <"$work/bench.tsv")" -eq 3 ] || fail "record.sh keeps rows of a run that failed"

[ "$failed" -eq 0 ] && echo "checks: setup: every set asks for its packages, bench.tsv gets whole runs"
exit $failed
