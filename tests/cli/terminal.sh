# Output that differs on a terminal, provided by script(1).
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
show '"$KANE" batch in -o again -j 1 2>&1 | grep -c clips/s'

# Within a long clip: the stage and its progress.
mkdir long
awk '/^Frames:/ {$2 *= 426} {print} motion {row[n++] = $0} /^Frame Time/ {motion = 1}
    END {for (times = 426; --times;) for (i = 0; i < n; i++) print row[i]}' "$TOP/data/walk.bvh" >long/long.bvh
show 'terminal "$KANE batch long -o far -j 1" | grep -o "left  long.bvh: contact [1-9][0-9]* %" | sed "s/[0-9][0-9]*/N/" | sort -u'

# Numbers: three significant digits on a terminal, all digits in a pipe. -q suppresses the lines about written files.
"$KANE" run "$TOP/data/walk.bvh" -o walk.h5 2>messages
"$KANE" index walk.db walk.h5 2>/dev/null
show 'terminal "$KANE query walk.db \"duration_s > 0\""'
show '"$KANE" query walk.db "duration_s > 0"'
show 'terminal "$KANE query walk.db @hardest"'
show 'terminal "$KANE query walk.db @peaks" | head -n 3'
show 'terminal "$KANE gait walk.h5" | cut -f 2-6'
show '"$KANE" gait walk.h5 | cut -f 2-6'
show 'terminal "$KANE smooth walk.h5 -o smooth.h5"'
show 'terminal "$KANE smooth walk.h5 -q -o smooth.h5"'
