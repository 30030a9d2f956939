# What differs on a terminal; script(1) lends one.
. "$TESTS/show.sh"
script -qec true /dev/null >/dev/null 2>&1 || { echo "skipped: no pseudo-terminal here"; exit 0; }
cp "$TESTS/squat.bvh" .
terminal() { script -qec "$1" /dev/null | tr -d '\r'; }
show 'terminal "$KANE import squat.bvh"'
show 'terminal "$KANE body squat.h5 -o -"'
show 'terminal "$KANE export --format npz squat.h5"'
mkdir in
for i in $(seq 100 250); do cp squat.bvh "in/$i.bvh"; done
show 'terminal "$KANE batch in -o out -j 1" | grep -c "clips/s.*frames/s.*left"  | sed "s/[1-9][0-9]*/a bar/"'
show '"$KANE" batch in -o again -j 1 2>&1 | grep -c left'
