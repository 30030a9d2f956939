#!/bin/sh
# Runs the programs of examples/ on the clips of data/ and compares their output with the index. examples/library:
# tests/package/run.sh.
# usage: tests/examples/run.sh KANE LIBKANE
set -u
PATH=$(dirname "$(realpath "$1")"):$PATH
KANE_LIBRARY=$(realpath "$2") # reads what a lean clip file leaves out
export PATH KANE_LIBRARY
top=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
fail() { echo "examples: FAILED: $1" >&2; exit 1; }
skip() { echo "examples: $1 is skipped: no $2"; }
has() { command -v "$1" >/dev/null; }

mkdir in
cp "$top/data/walk.bvh" "$top/data/jump.bvh" "$top/data/pendulum.bvh" in
echo "no BVH" > in/broken.bvh
kane batch in -o out --body-mass 62 2>/dev/null
[ $? -eq 1 ] || fail "the batch should have one failure"
# figure CLIP COLUMN: a value of the index
figure() { kane query out/index.db "path = '$1.bvh.h5'" --columns "$2" --format csv | tr -d '\r' | sed -n 2p; }
near() { awk -v a="$1" -v b="$2" -v part="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && b != "" && d <= part * (b < 0 ? -b : b)) }'; }

if has jq; then
    "$top/examples/shell/audit.sh" out > audit.json || fail "audit.sh"
    [ "$(jq -r '.failed[].clip' audit.json)" = broken.bvh ] || fail "audit.sh does not name the clip that failed"
    [ "$(jq -r '.doubted[].clip' audit.json)" = pendulum.bvh.h5 ] || fail "audit.sh doubts $(jq -c '[.doubted[].clip]' audit.json)"
    jq -r '.doubted[].why[]' audit.json | grep -q 'unsure of .*up axis' && jq -r '.doubted[].why[]' audit.json | grep -q 'body weights' || fail "audit.sh does not say why"
    [ "$("$top/examples/shell/audit.sh" out 0.97 | jq '.doubted | length')" -eq 3 ] || fail "audit.sh with another bound"
else
    skip audit.sh jq
fi

# The jump has a step of both feet, a flight and another step, with all of the knee's work but a tenth in flight.
if has jq; then
    "$top/examples/shell/work.sh" out/jump.bvh.h5 knee > work.tsv || fail "work.sh"
    [ "$(grep -c '^left' work.tsv)" -eq 2 ] && [ "$(grep -c '^right' work.tsv)" -eq 2 ] || fail "work.sh finds other steps than two a foot"
    sum=$(awk -F '\t' '/^left/ {s += $6} END {print s}' work.tsv)
    whole=$(figure jump left_knee_work_pos_j | awk '{print $1 / 62}')
    awk -v s="$sum" -v w="$whole" 'BEGIN { exit !(s > 0.85 * w && s < w) }' || fail "work.sh: the knee does $sum J/kg in its steps, $whole in the clip"
else
    skip work.sh jq
fi

if has parallel && has jq; then
    "$top/examples/shell/moments.sh" out/index.db cuts 3 2>/dev/null || fail "moments.sh"
    [ "$(find cuts -name '[123]_*_*.glb' | wc -l)" -eq 3 ] || fail "moments.sh cuts $(ls cuts)"
    for cut in cuts/*.glb; do [ "$(head -c 4 "$cut")" = glTF ] || fail "$cut is no glTF"; done
    hardest=$(kane query out/index.db --sql "SELECT role FROM joint_stat WHERE role != 'hips' ORDER BY torque_peak_nm_kg DESC LIMIT 1" --format csv | tr -d '\r' | sed -n 2p)
    ls cuts | grep -q "^1_.*_$hardest.glb$" || fail "moments.sh does not begin with $hardest"
else
    skip moments.sh "GNU parallel or jq"
fi

# Its frames are those of the index.
if /usr/bin/python3 -c 'import xarray, h5netcdf' 2>/dev/null; then
    "$top/examples/python/peaks.py" out/walk.bvh.h5 out/jump.bvh.h5 > peaks.csv || fail "peaks.py"
    knee=$(tr -d '\r' < peaks.csv | awk -F , '/jump/ && $2 == "knee" {print $3, $4}')
    near "${knee% *}" "$(figure jump left_knee_torque_peak_nm_kg)" 1e-3 || fail "peaks.py: the knee's peak is ${knee% *} N m/kg"
    near "${knee#* }" "$(figure jump left_knee_torque_peak_t)" 1e-3 || fail "peaks.py: the knee's peak is at ${knee#* } s"
else
    skip peaks.py xarray
fi
if PYTHONPATH=$top/python /usr/bin/python3 -c 'import kane, xarray, h5py, pandas' 2>/dev/null; then
    PYTHONPATH=$top/python "$top/examples/python/knee.py" out/jump.bvh.h5 out/index.db > knee.txt || fail "knee.py"
    grep -q "jump.bvh.h5  *$(figure jump left_knee_torque_peak_nm_kg | cut -c 1-6)" knee.txt || fail "knee.py says $(cat knee.txt)"
else
    skip knee.py "xarray, h5py or pandas"
fi
echo "examples: what they say is what the index says"
