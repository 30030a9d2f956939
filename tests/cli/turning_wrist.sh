# A wrist that rotates by 170 degrees hundreds of times is not human, but its clip is readable.
. "$TESTS/show.sh"
clip=$KANE_SHARED/mocap/cmu_cgspeed__01_01.bvh
[ -f "$clip" ] || { echo "skipped: the shared clips are not here"; exit 0; }
awk '$1 == "ROOT" || $1 == "JOINT" { joint = $2 }
     $1 == "CHANNELS" { for (c = 3; c <= NF; c++) { place++; if (joint == "LeftHand" && !at) at = place } }
     { sub(/\r$/, "") }
     rows {
         if (n++ >= next_turn) { turned++; next_turn = n + 2 + turned * turned % 6 }
         $at += turned % 2 * 170
     }
     $1 == "Frame" { rows = 1 }
     { print }' "$clip" > wrist.bvh
show 'kane run --contact-method none wrist.bvh -o wrist.h5'
show 'kane check wrist.h5'
mkdir clips && cp wrist.bvh clips
show 'kane batch --contact-method none clips -o out 2>&1 | sed -n "s/;.*//; \$p"'
show 'kane check out/wrist.bvh.h5'
