# Statistics of each dataset under the options of kane run. golden.sh compares bytes; this one shows what changed. For
# an intended change: tests/cli/run.sh --accept build/kane stats_run, then review the diff.
. "$TESTS/show.sh"
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "skipped: no h5py"; exit 0; }
start_stats
cp "$TOP"/data/*.bvh "$TOP"/data/pendulum_segments.tsv .
cp "$TESTS/squat.bvh" small.bvh
table() { tr ' ' '\t'; }
table > forces.tsv <<'END'
time joint fx fy fz px py pz tx ty tz
0 LeftFoot 30 300 -20 0.1 0 0.05 0 2 0
0 RightFoot -20 350 10 -0.1 0 0.02 0 -3 0
1.5 LeftFoot -10 420 15 0.12 0 0.1 0 1 0
1.5 RightFoot 0 5 0 -0.1 0 0.02 0 0 0
9 LeftFoot 30 300 -20 0.1 0 0.05 0 2 0
9 RightFoot -20 350 10 -0.1 0 0.02 0 -3 0
END
table > springs.tsv <<'END'
name kind joint_a ax ay az joint_b bx by bz stiffness damping rest
band axial left_knee 0 -0.2 0.1 left_ankle 0 0 -0.05 3000 20 0.1
END
table > strength.tsv <<'END'
motion torque_max speed_max angle width eccentric half passive_zero passive_one
knee_extension 200 15 1 0.6 1.2 0.2 0.2 3
ankle_plantarflexion 150 12 0.2 0.7 1.3 0.3 0.1 1
END
without_confidence() { sed 's| ([01]\(\.[0-9]*\)\{0,1\})||g'; }
make() { # NAME CLIP OPTION...: makes a clip file; confidences of import are left out
    name=$1 clip=$2; shift 2
    rm -f "$name.h5"
    kane run "$clip.bvh" "$@" -o "$name.h5" 2>&1 | without_confidence
}
for clip in walk jump squat small; do make $clip $clip; done
make pendulum pendulum --body-segments pendulum_segments.tsv --contact-method none
show 'stats walk.h5 jump.h5 squat.h5 small.h5 pendulum.h5'
vary() { # CLIP OPTION...: the statistics that an option changes
    clip=$1; shift
    echo "$ $clip $*"
    make varied "$clip" "$@"
    stats --unlike "$clip.h5" varied.h5 | sed 1d
}
vary walk --body-mass 62 --body-sex female --angles-sex female --angles-age 60
vary walk --body-model capsules
vary jump --smooth-method savgol --smooth-window 11 --smooth-order 2
vary jump --smooth-method spring --kinematics-scheme fivepoint
vary small --smooth-cutoff 8 --kinematics-scheme backward
vary walk --smooth-method none --contact-ground 0.01 --contact-friction 0.4
vary jump --contact-reduce-residual --contact-support none
vary small --contact-external forces.tsv --contact-external-threshold 30
vary small --contact-method none --torque-external forces.tsv
vary small --torque-springs springs.tsv
vary walk --torque-uncertainty fast
vary small --torque-uncertainty full
vary jump --angles-strength athlete --angles-knee-axis geometry --angles-axes
vary small --angles-strength strength.tsv --angles-knee-axis functional
vary small --import-unit m --import-up Z --import-fps 50
vary walk --import-root-offset add --import-positions added
vary walk --float32 --compress 4
echo '# faults of a recording: a joint that flips, a root that leaps, rows that stay; other orders of channels'
awk '/^Frame Time/ { print; rows = 1; next }
     rows { n++; if (n == 20) $4 += 90; if (n == 30) $1 += 80; if (n > 40 && n < 44) $0 = kept; kept = $0
            if (n > 90 && n < 120 && n % 2) $25 += 4; if (n > 140) $2 += (n - 140) * 0.6 } { print }' walk.bvh > faulty.bvh
vary walk --smooth-cutoff 10
clip=faulty; make faulty faulty; stats --unlike walk.h5 faulty.h5
for order in 'Y X Z' 'X Y Z' 'Z Y X'; do
    set -- $order
    sed "s/Zrotation Xrotation Yrotation/$1rotation $2rotation $3rotation/" small.bvh > turned.bvh
    make turned turned; stats --unlike small.h5 turned.h5
done
echo '# what is decided of files that measure, stand, begin or write their places otherwise'
decided() { # NAME AWK: rewrites walk.bvh
    awk "$2" walk.bvh > "$1.bvh"
    echo "$ $1"
    kane import "$1.bvh" -o "$1.h5" 2>&1 | without_confidence
    stats --unlike walk.h5 "$1.h5" | grep -v -e '^==' -e joint_index
}
lengths='/OFFSET/ { for (i = 2; i <= 4; i++) $i *= by } rows { for (i = 1; i <= 3; i++) $i *= by } /^Frame Time/ { rows = 1 }'
decided metres "BEGIN { by = 0.01 } $lengths { print }"
decided inches "BEGIN { by = 1 / 2.54 } $lengths { print }"
decided giant "BEGIN { by = 3 } $lengths { print }"
decided slow '/^Frame Time/ { $3 = 0.05 } { print }'
decided still 'rows { $1 = $3 = 0 } /^Frame Time/ { rows = 1 } { print }'
decided rest '/^Frames:/ { $2++ } { print } /^Frame Time/ { printf "0 95 0"; for (i = 0; i < 66; i++) printf " 0"; print "" }'
decided added 'BEGIN { first = 1 } /OFFSET/ && first { $2 = 0; $3 = 95; $4 = 0; first = 0 } rows { $2 -= 95 } /^Frame Time/ { rows = 1 } { print }'
echo '# the other stages'
next() { # CLIP COMMAND OPTION...
    clip=$1; shift
    echo "$ $clip $*"
    rm -f next.h5
    kane "$@" "$clip.h5" -o next.h5 2>&1
    stats --unlike "$clip.h5" next.h5 | sed 1d
}
next walk trim --from 0.5 --to 1.5
next walk mirror
next jump mirror
next small resample --fps 45
next walk scale --stature 1.5 --mass 50
next small scale --factor 0.5 --time similar
next faulty trim --from 0.2 --to 2.4
next faulty resample --fps 30
next faulty mirror
