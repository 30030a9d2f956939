# Collada, read by the helper program with libassimp: units, axes, matrices and channels against an independent reading,
# nodes whose names are ids of others; what is refused.
. "$TESTS/show.sh"

CASES="$TOP/tests/support/scene_dae.py"
/usr/bin/python3 -c 'import numpy, h5py' 2>/dev/null || { echo "skipped: Python has no numpy, h5py"; exit; }
mkdir cases && /usr/bin/python3 "$CASES" write cases

echo '# positions of joints against the independent reading'
for file in cases/*.dae; do
    kane import "$file" -o clip.h5 --force -q 2>/dev/null && echo "$(basename "$file"): $(/usr/bin/python3 "$CASES" compare "$file" clip.h5)"
done
show 'kane info cases/cm.dae 2>/dev/null | grep -E "^(source|detected|motion|skeleton)|hips"'
show 'kane run cases/z_up.dae -o run.h5 -q 2>/dev/null && kane info run.h5 | grep ^motion'

echo '# refused'
sed 's/<library_animations>.*<\/library_animations>//' cases/plain.dae >still.dae
head -c 2000 cases/plain.dae >cut.dae
sed 's/COLLADA xmlns/COLLADE xmlns/' cases/plain.dae >other.dae
: >empty.dae
for file in still.dae cut.dae other.dae empty.dae; do show "kane import $file -o never.h5"; done
