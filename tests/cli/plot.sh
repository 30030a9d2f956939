# Plots of joints with gnuplot.
. "$TESTS/show.sh"
command -v gnuplot >/dev/null || { echo "skipped: no gnuplot"; exit 0; }
# titles PICTURE: its curves and shades; texts PICTURE: all its text.
titles() { sed -n 's/^.*<g id="gnuplot_plot_[0-9]*[a-z]*" *><title>\(.*\)<\/title>$/\1/p' "$1" | grep -v ^gnuplot_plot; }
texts() { grep -o -e '<text>.*</text>' -e '<tspan[^>]*>[^<]*' "$1" | sed 's/<[^>]*>//g' | grep -e '[a-z]'; }
kane run "$TOP/data/walk.bvh" -o walk.h5 2>/dev/null
kane run "$TOP/data/jump.bvh" -o jump.h5 2>/dev/null
kane run "$TOP/data/pendulum.bvh" -o swing.h5 2>/dev/null
show 'kane plot walk.h5 -o walk.svg'
show 'titles walk.svg'
show 'texts walk.svg'
show 'kane plot < walk.h5 | cmp - walk.svg'
show 'kane plot --role left_hip,left_knee --joint LeftFoot --per-kg jump.h5 -o jump.svg; titles jump.svg'
show 'kane plot --quantity power --role left_knee walk.h5 jump.h5 -o two.svg; titles two.svg; texts two.svg'
kane run --torque-uncertainty fast "$TOP/data/walk.bvh" -o sure.h5 2>/dev/null
show 'kane plot sure.h5 -o sure.gp; grep -c filledcurves sure.gp; grep -o "90 % band" sure.gp'
show 'kane plot --joint Hips --role left_knee walk.h5 -o root.svg; titles root.svg'
show 'kane plot --cycle left walk.h5 -o cycle.svg; titles cycle.svg; texts cycle.svg'
show 'kane plot --coordinate left_knee_flexion,right_hip_adduction --per-kg walk.h5 -o named.svg; titles named.svg; texts named.svg'
show 'kane plot --quantity utilization --role left_ankle walk.h5 -o use.svg; titles use.svg; texts use.svg'
show 'kane plot --cycle left --quantity angle --joint LeftLeg walk.h5 -o angle.svg; titles angle.svg; texts angle.svg'
show 'kane plot --coordinate left_knee walk.h5 -o no.svg'
show 'kane plot --quantity utilization --role left_toe walk.h5 -o no.svg'
show 'kane plot --quantity angle --component x walk.h5 -o no.svg'
show 'kane plot --coordinate left_knee_flexion --quantity power walk.h5 -o no.svg'
show 'kane angles --strength none walk.h5 | kane plot --quantity utilization - -o no.svg'
show 'kane plot --cycle right --quantity contact-force --component y --joint RightToeBase walk.h5 -o force.svg; texts force.svg'
# the same walk three times: one full cycle each, and two across the joins, where it jumps back, that are too long; a
# joint is trusted up to an expected error of 0.6 N m/kg
awk '/^Frames:/ { print "Frames:", 3 * $2; next } rows { row[++count] = $0; next } { print } /^Frame Time/ { rows = 1 }
     END { for (k = 0; k < 3; k++) for (i = 1; i <= count; i++) print row[i] }' "$TOP/data/walk.bvh" > long.bvh
kane run --torque-error-limit 0.6 long.bvh -o long.h5 2>/dev/null
show 'kane plot --cycle left --role left_knee long.h5 -o long.svg; texts long.svg | tail -n 1; titles long.svg'
show 'kane plot --cycle left --role left_knee long.h5 -o long.gp; grep -c "^[0-9]" long.gp; grep -c filledcurves long.gp'
show 'kane plot walk.h5 --size 640x320 -o walk.png; head -c 24 walk.png | od -A n -t u1 -j 16'
# a name that would be a command in a shell, a gnuplot script or a page
name="a';system(\"touch owned\");'\`touch owned\`<b>&_y^2"
awk -v name="$(printf %s "$name" | sed 's/&/\\\\&/g')" '{ sub(/JOINT LeftLeg$/, "JOINT " name); print }' "$TOP/data/walk.bvh" > hostile.bvh
kane run hostile.bvh -o hostile.h5 2>/dev/null
show 'kane plot --role left_hip --joint "$name" hostile.h5 -o hostile.svg; titles hostile.svg; ls owned'
show '/usr/bin/python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1]); print(\"well formed\")" hostile.svg'
# feet touch the ground, some of them without toes
show 'kane plot --quantity contact-force jump.h5 -o feet.svg; titles feet.svg'
kane run "$TESTS/squat.bvh" -o flat.h5 2>/dev/null
show 'kane plot --quantity contact-force --component y flat.h5 -o flat.svg; titles flat.svg'
# a long name leaves space for the label of the curve
long=$(printf 'Ärger-%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)end
cp "$TOP/data/walk.bvh" "$long.bvh"
kane run "$long.bvh" -o named.h5 2>/dev/null
show 'kane plot named.h5 walk.h5 -o named.svg; titles named.svg; texts named.svg | grep end,'
# a knee that is kicked in the last five frames: frames at the end do not count, and the last two are left out because
# they are further from the counted range than its width
awk '/^Frames:/ { frames = $2 } rows { if (!still) still = $0; $0 = still; if (++n > frames - 6) $50 += 4 ^ (n - frames + 5) / 10 }
     { print } /^Frame Time/ { rows = 1 }' "$TOP/data/walk.bvh" > kick.bvh
kane run --smooth-method none kick.bvh -o kick.h5 2>/dev/null
show 'kane plot --joint LeftLeg --component z --all-frames kick.h5 -o kick.gp; sed -n "/^.curve0/,/^END/p" kick.gp | tail -n 5'
# many clips: the picture grows unless its size is given
show 'kane plot walk.h5 jump.h5 walk.h5 jump.h5 walk.h5 jump.h5 --role left_hip -o grown.gp; grep -o "size [0-9,]*" grown.gp; kane plot walk.h5 jump.h5 walk.h5 jump.h5 walk.h5 jump.h5 --role left_hip --size 800x400 --format gnuplot | grep -o "size [0-9,]*"'
show 'kane plot walk.h5 -o WALK.PNG; head -c 4 WALK.PNG | od -A n -t u1'
# errors
rm ./*.svg ./*.png ./*.gp
show 'kane plot --joint LeftLeg2 walk.h5 -o no.svg'
show 'kane plot --role left_hip,left_kne,left_ankle walk.h5 -o no.svg'
show 'kane plot --role left_knee swing.h5 -o no.svg'
show 'kane plot --quantity power --component x walk.h5 -o no.svg'
show 'kane plot --quantity angular-velocity --per-kg walk.h5 -o no.svg'
show 'kane plot --size 10x10 walk.h5 -o no.svg'
show 'kane plot --cycle left jump.h5 -o no.svg'
show 'kane plot walk.h5 -o no.pdf'
awk '/^Frames:/ { print "Frames: 1"; next } { print } rows { exit } /^Frame Time/ { rows = 1 }' "$TOP/data/walk.bvh" > still.bvh
kane run still.bvh -o still.h5 2>/dev/null
show 'kane plot walk.h5 still.h5 -o no.svg'
show 'kane import "$TOP/data/walk.bvh" 2>/dev/null | kane plot -o no.svg'
show 'kane plot nothing.h5 walk.h5 -o no.svg'
show 'kane plot walk.h5 -o nowhere/no.svg'
mkdir empty broken
printf '#!/bin/sh\necho "gnuplot> plot" >&2\necho "         ^" >&2\necho "line 0: out of ink" >&2\nexit 1\n' > broken/gnuplot
chmod +x broken/gnuplot
show 'PATH=$PWD/empty kane plot walk.h5 -o no.svg'
show 'PATH=$PWD/broken:$PATH kane plot walk.h5 -o no.svg'
show 'PATH=$PWD/broken:$PATH kane plot walk.h5'
show 'ls *.svg *.pdf'
