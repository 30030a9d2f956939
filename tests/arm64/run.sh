#!/bin/sh
# Builds kane for arm64 with Debian's cross compiler and runs it under qemu-user: the unit tests pass, clips have the bytes
# of this machine's program, on NEON and with KANE_LANES=1, and so have transcripts. Nothing is timed.
# usage: tests/arm64/run.sh KANE BUILD [ROOT]      from the top of the project; ROOT: folder of arm64's libraries
# tests/physics, tests/real and tests/faults are left out: under qemu they take more than ten minutes.
set -eu
kane=$1 build=$2 root=$(realpath -m "${3:-$2-root}")
for program in aarch64-linux-gnu-gcc qemu-aarch64 apt-get; do
    command -v $program >/dev/null || { echo "arm64: skipped: no $program (scripts/setup.sh arm64)"; exit 0; }
done
scripts/setup.sh arm64 "$root" >&2 || { echo "arm64: skipped: apt does not get its libraries"; exit 0; }

emulator="qemu-aarch64 -L $root"
make -j"$(nproc)" LDFLAGS= BUILD="$build" CROSS=aarch64-linux-gnu- SYSROOT="$root" EMULATOR="$emulator" \
    TESTS="$(echo tests/unit/*/test_*.c)" "$build/kane" unit-tests

mkdir -p "$build/emulated"
printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$(realpath "$build/kane")" >"$build/emulated/kane"
chmod +x "$build/emulated/kane"
tests/real/same_bits.sh "$kane" "$build/emulated/kane"
KANE_LANES=1 tests/real/same_bits.sh "$kane" "$build/emulated/kane"
tests/cli/run.sh "$build/emulated/kane" golden same_bytes stages retarget simulate track
echo "arm64: the unit tests pass, and clips have the bytes of this machine's program"
