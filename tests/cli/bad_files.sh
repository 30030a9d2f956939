# Each real bad file is accepted with warnings, or gives one line, exit code 1 and no output.
. "$TESTS/show.sh"
[ -d "$KANE_SHARED/mocap/bad" ] || { echo "skipped: the shared clips are not here"; exit 0; }
cp "$KANE_SHARED"/mocap/bad/*.bvh .
for file in *.bvh; do
    show "kane run $file -o $file.h5"
    [ ! -e "$file.h5" ] || show "kane info $file.h5 | grep -e ^motion -e ^skeleton"
done
show 'kane check *.bvh'

echo '# names that would steer a terminal or break a line are shown'
named=$(printf 'a\033[2J\nb')
cp "$TESTS/squat.bvh" "$named.bvh"
show '"$KANE" import "$named.bvh" | "$KANE" info | head -n 2 | cut -c 1-40'
show '"$KANE" import "$named"'
show '"$KANE" check "$named"'
