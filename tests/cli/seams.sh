# Seams of loops and blends, measured from the written BVH (tests/real/seams.py): three clips, KANE_SEAMS=all: all.
[ -d "$KANE_SHARED/mocap" ] || { echo "skipped: the shared clips are not here"; exit 0; }
few=--few
[ "${KANE_SEAMS:-}" != all ] || few=
/usr/bin/python3 "$TOP/tests/real/seams.py" "$KANE" "$KANE_SHARED" $few 2>seams.txt || { cat seams.txt; exit 1; }
echo "no seam jumps more than its neighbours"
