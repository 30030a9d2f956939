#!/bin/sh
# Tests the result of `make install`: the example builds with pkg-config and gives the program's bytes, only public
# functions are exported, man pages and completions are complete. --debian also builds the Debian packages and runs
# lintian; this requires debhelper and lintian, and takes minutes; with arm64 it
# builds that architecture's packages with the cross compiler.
# usage: tests/package/run.sh BUILD [--debian [arm64]]      from the top of the project
set -u
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "package: FAILED: $1" >&2; exit 1; }

if [ "${2:-}" = --debian ]; then
    for program in dpkg-buildpackage dh lintian ${3:+aarch64-linux-gnu-gcc qemu-aarch64}; do
        command -v $program >/dev/null || { echo "package: skipped: no $program"; exit 0; }
    done
    if [ "${3:-}" = arm64 ]; then
        SYSROOT=$(realpath -m "$build-arm64-root") foreign="-aarm64 -d"
        export SYSROOT
        scripts/setup.sh arm64 "$SYSROOT" >&2 || { echo "package: skipped: apt does not get arm64's libraries"; exit 0; }
    fi
    mkdir "$work/kane"
    git archive HEAD | tar -x -C "$work/kane" || fail "git archive"
    (cd "$work/kane" && dpkg-buildpackage -j"$(nproc)" -us -uc -b ${foreign:-}) >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "dpkg-buildpackage"; }
    lintian --fail-on error "$work"/kane_*.changes || fail "lintian"
    for package in kane libkane1; do
        dpkg-deb -f "$work/$package"_*.deb Depends | grep -q libhdf5 || fail "$package does not depend on libhdf5, which it loads"
    done
    echo "package: $(ls "$work"/*.deb | wc -l) Debian packages ${3:+for $3 }without a lintian error"
    exit 0
fi

make -s BUILD="$build" DESTDIR="$work/stage" PREFIX=/usr install >"$work/log" 2>&1 || { tail "$work/log" >&2; fail "make install"; }
kane=$work/stage/usr/bin/kane lib=$work/stage/usr/lib

# Exported symbols and functions of the header are the same.
nm -D --defined-only "$lib/libkane.so" | awk '$2 == "T" || $2 == "D" || $2 == "B" {print $3}' | sort >"$work/exported"
sed -n 's/^KANE_API.*[ *]\(kane_[a-z_]*\)(.*/\1/p' library/kane.h | sort >"$work/declared"
diff "$work/declared" "$work/exported" >&2 || fail "exported symbols are not those of kane.h"
sed -n 's/^ \(kane_[a-z_]*\)@.*/\1/p' debian/libkane1.symbols | sort >"$work/listed"
diff "$work/declared" "$work/listed" >&2 || fail "debian/libkane1.symbols has other functions than kane.h"
nm -g --defined-only "$lib/libkane.a" | awk 'NF == 3 {print $3}' | sort >"$work/exported"
diff "$work/declared" "$work/exported" >&2 || fail "symbols of libkane.a are not those of kane.h"
readelf -d "$lib/libkane.so" | grep -q 'SONAME.*libkane\.so\.[0-9]*\]' || fail "no soname"

# The example, shared and static; its clip file equals the program's byte for byte.
if command -v pkg-config >/dev/null; then
    cp examples/library/*.c examples/library/Makefile "$work"
    export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/stage" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
    make -s -C "$work" CFLAGS="-O2 -Wall -Wextra -Werror -Wl,-rpath-link,$lib" all >&2 || fail "the examples do not build"
    LD_LIBRARY_PATH=$lib; export LD_LIBRARY_PATH
    data=$(pwd)/data
    (cd "$work" && ./example "$data/walk.bvh" body-mass 62) >"$work/shown" || fail "the example does not run"
    (cd "$work" && ./simulate "$data/scenes/double_pendulum.xml" duration 0.6) >"$work/simulated" || fail "the example does not simulate"
    grep -q '^0.50 s: lower at -*[0-9.]* m, spring at -*[0-9.]* m$' "$work/simulated" || fail "the example shows another scene"
    (cd "$work" && ./simulate "$data/squat.bvh" controller kane) >"$work/tracked" || fail "the example does not track"
    grep -q '^kane: 301 steps, mean error 0\.[0-9]* degrees$' "$work/tracked" || fail "the example tracks something else"
    (cd "$work" && ./react "$data/squat.bvh" 60 1) >"$work/reacted" || fail "the example does not react"
    grep -q '^stands after 1.00 s' "$work/reacted" || fail "the example reacts otherwise"
    # The program in docs/api.md.
    awk '/^```c$/ {on = 1; next} /^```/ {on = 0} on' docs/api.md >"$work/document.c"
    # shellcheck disable=SC2046 # words
    gcc -O2 -Wall -Wextra -Werror -o "$work/document" "$work/document.c" $(pkg-config --cflags --libs kane) "-Wl,-rpath-link,$lib" >&2 ||
        fail "the program of docs/api.md does not build"
    (cd "$data" && "$work/document") | grep -q '^x torque of the left knee in frame 60: -*[0-9.]* N m$' || fail "the program of docs/api.md shows something else"
    unset LD_LIBRARY_PATH
    "$kane" run --body-mass 62 "$data/walk.bvh" -o "$work/run.h5" 2>/dev/null
    cmp "$work/run.h5" "$work/example.h5" || fail "the example's container differs from that of kane run"
    grep -q '62.0 kg$' "$work/shown" || fail "the example shows something else"
else
    echo "package: the example is skipped: no pkg-config"
fi

# The extension for SQLite.
if command -v sqlite3 >/dev/null && ! grep -q __asan_init "$lib/kane/kane.so"; then
    "$kane" run data/walk.bvh -o "$work/walk.h5" 2>/dev/null
    rows=$(sqlite3 :memory: ".load $lib/kane/kane" "SELECT count(DISTINCT frame) FROM kane_frames('$work/walk.h5')") || fail "kane.so does not load"
    [ "$rows" -gt 1 ] || fail "kane_frames gives $rows frames"
else
    echo "package: kane.so is skipped: no sqlite3 that can load it"
fi

# The Python module.
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    [ -e "$work/walk.h5" ] || "$kane" run data/walk.bvh -o "$work/walk.h5" 2>/dev/null
    shape=$(PYTHONPATH=$lib/python3/dist-packages /usr/bin/python3 -c "import kane, sys; print(kane.read_arrays(sys.argv[1])['torque'].shape)" "$work/walk.h5") || fail "the module does not read a clip"
    [ "$shape" = "(181, 22, 3)" ] || fail "the module gives torques of $shape"
else
    echo "package: the Python module is skipped: no h5py"
fi

# Man pages and completions.
pages=0
for page in "$work"/stage/usr/share/man/man1/*.1; do
    pages=$((pages + 1))
    if command -v groff >/dev/null; then
        [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)" ] || fail "groff warns of ${page##*/}"
    fi
done
[ "$pages" -eq "$(($("$kane" --complete | wc -l) + 1))" ] || fail "$pages man pages"
cat >"$work/complete.bash" <<'BASH'
. "$1"
COMP_WORDS=(kane "${@:2}") COMP_CWORD=$(($# - 1))
_kane
echo "${COMPREPLY[*]}"
BASH
complete() { bash "$work/complete.bash" "$work/stage/usr/share/bash-completion/completions/kane" "$@"; }
[ "$(complete smooth --method = sp)" = spring ] || fail "values are not completed"
[ "$(complete mer)" = merge ] || fail "commands are not completed"
[ "$(complete run --smooth-cut)" = --smooth-cutoff ] || fail "options are not completed"
if command -v zsh >/dev/null; then
    zsh -n "$work/stage/usr/share/zsh/site-functions/_kane" || fail "zsh does not read its completion"
fi
echo "package: installed; example, symbols, $pages man pages and completions are right"
