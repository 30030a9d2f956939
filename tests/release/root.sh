# Functions of the tests of a release: a bare root of Debian 12, made once by mmdebstrap and kept in BUILD-root/.
# Sourced from the top of the project, with BUILD in $build.

# make_root FOLDER [PACKAGE]: unpacks a root with Debian's essential packages, and one more. Returns 1 and says why where
# that is not possible.
make_root() {
    command -v mmdebstrap >/dev/null || { echo "release: bare root: skipped: no mmdebstrap (make setup-release)"; return 1; }
    kept=$build-root/bookworm${2:+-$2}.tar
    if [ ! -s "$kept" ]; then
        mkdir -p "$build-root"
        mmdebstrap --variant=minbase --include="ca-certificates${2:+,$2}" bookworm "$kept.new" >"$build-root/log" 2>&1 ||
            { echo "release: bare root: skipped: mmdebstrap makes none ($(tail -n 1 "$build-root/log"))"; return 1; }
        mv "$kept.new" "$kept"
    fi
    mkdir -p "$1"
    tar -x -C "$1" --exclude='./dev/*' -f "$kept"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    : >"$1/dev/null" && chmod 666 "$1/dev/null"
}

# in_root FOLDER COMMAND...: runs a command there, in /tmp.
in_root() {
    folder=$1
    shift
    if [ "$(id -u)" -eq 0 ]; then
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 chroot "$folder" /usr/bin/env -C /tmp "$@"
    else
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 unshare --map-root-user chroot "$folder" /usr/bin/env -C /tmp "$@"
    fi
}

# peaks KANE CLIP: the largest torques of a clip's index row, as one line.
peaks_query='SELECT path, torque_peak_nm_kg, left_knee_torque_peak_nm_kg, right_hip_torque_peak_nm_kg FROM clip_summary'
