# Functions of the tests of a release: a bare root of Debian 12, made once by mmdebstrap and kept in BUILD-root/.
# Sourced from the top of the project, with BUILD in $build.

# make_root FOLDER [PACKAGE]: unpacks a root with Debian's essential packages, and one more. Returns 1 and says why where
# that is not possible.
make_root() {
    command -v mmdebstrap >/dev/null || { echo "release: bare root: skipped: no mmdebstrap (make setup-release)"; return 1; }
    kept=$build-root/bookworm${2:+-$2}.tar
    if [ ! -s "$kept" ]; then
        mkdir -p "$build-root"
        mmdebstrap --format=tar --variant=minbase --include="ca-certificates${2:+,$2}" bookworm "$kept.new" >"$build-root/log" 2>&1 ||
            { echo "release: bare root: skipped: mmdebstrap makes none ($(tail -n 1 "$build-root/log"))"; return 1; }
        mv "$kept.new" "$kept"
    fi
    mkdir -p "$1"
    tar -x -C "$1" --exclude='./dev/*' -f "$kept"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    : >"$1/dev/null"
}

# in_root FOLDER COMMAND...: runs a command there, in /tmp, with /proc (from which libraries are found beside a program)
# and /dev/null.
in_root() {
    folder=$1
    shift
    # shellcheck disable=SC2016 # expanded by the inner shell
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        unshare $([ "$(id -u)" -eq 0 ] || echo --map-root-user) --mount --pid --fork \
        sh -c 'mount -t proc proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && exec chroot "$0" /usr/bin/env -C /tmp "$@"' "$folder" "$@"
}

# The largest torques of the clips of an index.
peaks_query='SELECT path, torque_peak_nm_kg, left_knee_torque_peak_nm_kg, right_hip_torque_peak_nm_kg FROM clip_summary ORDER BY path'
