#!/bin/sh
# Reproduces figures 3.4 to 3.18 and 3.20 to 3.25 of the thesis, as SVG and PNG, with kane's simulation.
# usage: scripts/thesis_figures.sh KANE OUT/ [CLIP.bvh]     CLIP: a dynamic human motion; default data/jump.bvh
# Requires gnuplot, and Debian's python3 with h5py for figure 3.4.
set -eu
[ $# -ge 2 ] || { echo "usage: scripts/thesis_figures.sh KANE OUT/ [CLIP.bvh]" >&2; exit 2; }
command -v gnuplot >/dev/null || { echo "thesis_figures: gnuplot is missing" >&2; exit 1; }
kane=$(realpath "$1") clip=${3:-$(dirname "$0")/../data/jump.bvh}
mkdir -p "$2"
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ball="--perturb 1,1,B --perturb-time 2.5"
reference_steady_A='45' reference_steady_B='90'
reference_moving_A='45+30*sin(pi*x)' reference_moving_B='90+60*sin(2*pi*x)'

# draw FIGURE: runs gnuplot commands from standard input, once per format.
draw() {
    cat > "$work/$1.gp"
    for format in svg png; do
        case $format in svg) size=800,360 ;; png) size=1000,450 ;; esac
        { echo "set terminal $format size $size; set output '$out/figure_$1.$format'"
          echo "set termoption noenhanced; set grid; set key outside below; set style data lines; set samples 1000"
          cat "$work/$1.gp"; } | gnuplot
    done
}

# scene FIGURE steady|moving TITLE 'LABEL=OPTIONS'...: hinge angles of both links, one curve per run.
scene() {
    figure=$1 kind=$2 title=$3
    shift 3
    number=0
    for run in "$@"; do
        number=$((number + 1))
        options=${run#*=}
        [ "$kind" = moving ] || options=$(echo "$options" | sed 's/--velocity zero//') # the reference is at rest
        # shellcheck disable=SC2086 # options are words
        "$kane" track --scene "$kind" --force --table --series "$work/run.tsv" $options >/dev/null
        for link in A B; do
            awk -F '\t' -v link=$link '$4 == link { print $3, $6 }' "$work/run.tsv" > "$work/$number$link"
        done
    done
    for link in A B; do
        case $kind$link in
            steadyA) reference=$reference_steady_A ;; steadyB) reference=$reference_steady_B ;;
            movingA) reference=$reference_moving_A ;; *) reference=$reference_moving_B ;;
        esac
        {
            echo "set title '$title: link $link'; set xlabel 'time, s'; set ylabel 'hinge angle, degrees'; set xrange [0:6]"
            case $* in
                *--perturb*) echo "set arrow from first 2.91, graph 0 to first 2.91, graph 1 nohead dashtype 3"
                    echo "set label 'ball' at first 2.95, graph 0.05" ;;
            esac
            printf "plot %s title 'desired' dashtype 2 linecolor 'black'" "$reference"
            number=0
            for run in "$@"; do
                number=$((number + 1))
                printf ", '%s' title '%s' linewidth 2" "$work/$number$link" "${run%%=*}"
            done
            echo
        } | draw "$figure$(echo $link | tr AB ab)"
    done
}

# Outlines of the two cylinders and the ball at six times, from the front, from the tracking data of a clip file.
outlines() {
    /usr/bin/python3 - "$1" "$work/moment" <<'PYTHON'
import sys

import h5py
import numpy as np

LENGTH, RADIUS, BALL, START = 0.3, 0.035, 0.05, np.array([0.0, 1.0])
with h5py.File(sys.argv[1]) as file:
    time, ball = file["tracking/time"][()], file["tracking/kane/ball"][()]
    q = file["tracking/kane/orientation"][()]
angle = 2 * np.arctan2(q[:, :, 3], q[:, :, 0])
for moment in (2.5, 2.8, 2.95, 3.05, 3.25, 5.0):
    f = abs(time - moment).argmin()
    with open(f"{sys.argv[2]}_{moment}", "w") as out:
        place = START
        for link in range(2):
            along = np.array([np.cos(angle[f, link]), np.sin(angle[f, link])])
            across = RADIUS * np.array([-along[1], along[0]])
            end = place + LENGTH * along
            for corner in (place - across, end - across, end + across, place + across, place - across):
                print(*corner, file=out)
            print(file=out)
            place = end
        print(file=out)
        for turn in np.linspace(0, 2 * np.pi, 40):
            print(*(ball[f, :2] + BALL * np.array([np.cos(turn), np.sin(turn)])), file=out)
PYTHON
}

"$kane" track --scene steady --controller kane --stiffness 300 $ball -o "$work/scene.h5" >/dev/null 2>&1
outlines "$work/scene.h5"
{
    echo "set multiplot layout 1,6; set size ratio -1; set xrange [-0.15:0.5]; set yrange [0.9:2.1]; unset key"
    echo "unset xtics; unset ytics; set margins 0, 0, 0, 2"
    for moment in 2.5 2.8 2.95 3.05 3.25 5.0; do
        echo "set title '$moment s'"
        echo "plot '$work/moment_$moment' index 0 with filledcurves linecolor 'gray', '' index 0 with lines linecolor 'black', \\"
        echo "    '' index 1 with filledcurves linecolor 'red'"
    done
    echo "unset multiplot"
} | draw 3.04

zero="--velocity zero"
thesis="--controller kane $zero"
plain="--gains plain $zero"
# With steps of 0.01 s, kd 3 is too large for link B in its first steps: its inertia is a quarter of what A moves.
scene 3.05 steady "Critically damped PD" \
    "PD, kp 20, kd 3, steps of 0.005 s=--controller pd $plain --stiffness 20 --damping 3 --dt 0.005 $ball" \
    "kane, stiffness 200=$thesis --stiffness 200 $ball"
scene 3.06 steady "Stiff PD" "PD, kp 50, kd 3=--controller pd $plain --stiffness 50 --damping 3 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
scene 3.07 moving "Stiff PD" "PD, kp 50, kd 3=--controller pd $plain --stiffness 50 --damping 3 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
scene 3.08 steady "Bubble-up and gravity compensation" \
    "PD, kp 50, kd 3=--controller bubble-up $plain --stiffness 50 --damping 3 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
scene 3.09 moving "Bubble-up and gravity compensation" \
    "PD, kp 50, kd 3=--controller bubble-up $plain --stiffness 50 --damping 3 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
scene 3.10 steady "Stable PD" "stable PD, kp 10, kd 1=--controller stable-pd $plain --stiffness 10 --damping 1 $ball" \
    "stable PD, kp 2000, kd 100=--controller stable-pd $plain --stiffness 2000 --damping 100 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
scene 3.11 moving "Stable PD" "stable PD, kp 15, kd 1.3=--controller stable-pd $plain --stiffness 15 --damping 1.3 $ball" \
    "stable PD, kp 2000, kd 100=--controller stable-pd $plain --stiffness 2000 --damping 100 $ball" \
    "kane, stiffness 3000=$thesis --stiffness 3000 $ball"
for figure in "3.12 steady" "3.13 moving"; do
    scene "${figure% *}" "${figure#* }" "Stiffness" "stiffness 30=$thesis --stiffness 30 $ball" \
        "stiffness 300=$thesis --stiffness 300 $ball" "stiffness 3000=$thesis --stiffness 3000 $ball"
done
scene 3.14 moving "Desired velocity, stiffness 500" "zero=$thesis --stiffness 500" \
    "from the reference=--controller kane --stiffness 500"
scene 3.15 moving "Desired velocity, stiffness 30" "zero=$thesis --stiffness 30" \
    "from the reference=--controller kane --stiffness 30"
scene 3.16 moving "Feedforward, desired velocity zero, stiffness 30" "without=$thesis --stiffness 30" \
    "with=--controller kane-feedforward $zero --stiffness 30"
scene 3.17 moving "Feedforward, desired velocity from the reference, stiffness 30" \
    "without=--controller kane --stiffness 30" "with=--controller kane-feedforward --stiffness 30"
scene 3.18 moving "Feedforward and desired velocity" "stiffness 30=--controller kane-feedforward --stiffness 30" \
    "stiffness 300=--controller kane-feedforward --stiffness 300" \
    "stiffness 3000=--controller kane-feedforward --stiffness 3000"

# The humanoid. Explicit PD control diverges with steps of 0.01 s at any gains (docs/tracking.md, "Gains"), so it runs
# with 0.001 s.
"$kane" run --contact-method none "$clip" -o "$work/humanoid.h5" 2>/dev/null
"$kane" track --table --series "$work/humanoid.tsv" "$work/humanoid.h5" 2>/dev/null
for name in pd bubble-up; do
    case $name in pd) damping=5 ;; *) damping=10 ;; esac
    "$kane" track --controller $name --stiffness 1000 --damping $damping --dt 0.001 --table --series "$work/explicit.tsv" \
        "$work/humanoid.h5" | sed 1d
    awk -F '\t' -v name=$name '$2 != name' "$work/humanoid.tsv" > "$work/others.tsv"
    sed 1d "$work/explicit.tsv" | cat "$work/others.tsv" - > "$work/humanoid.tsv"
done
controllers="pd bubble-up stable-pd kane kane-feedforward"

# titled NAME: label of a controller in the plot key.
titled() {
    case $1 in
        pd) echo "pd, kp 1000, kd 5, steps of 0.001 s" ;;
        bubble-up) echo "bubble-up, kp 1000, kd 10, steps of 0.001 s" ;;
        *) echo "$1, stiffness 300" ;;
    esac
}

# humanoid FIGURE TITLE YLABEL COLUMN ROLE: error over time; ROLE all: mean over the bodies.
humanoid() {
    for name in $controllers; do
        awk -F '\t' -v name="$name" -v column="$4" -v role="$5" '
        $2 == name && (role == "all" || $5 == role) {
            if ($3 != time && count) { print time, sum / count; sum = count = 0 }
            time = $3; sum += $column; count++
        }
        END { if (count) print time, sum / count }' "$work/humanoid.tsv" > "$work/$1-$name"
    done
    {
        echo "set title '$2'; set xlabel 'time, s'; set ylabel '$3'"
        printf 'plot '
        for name in $controllers; do
            printf "'%s' title '%s' linewidth 2, " "$work/$1-$name" "$(titled "$name")"
        done
        echo
    } | draw "$1"
}

humanoid 3.20 "Mean orientation error of all bodies" "degrees" 7 all
humanoid 3.21 "Orientation error of the right foot" "degrees" 7 right_ankle
humanoid 3.22 "Position error of the right foot" "cm" 8 right_ankle
humanoid 3.23 "Orientation error of the right thigh" "degrees" 7 right_hip
humanoid 3.24 "Mean position error of all bodies" "cm" 8 all
for name in $controllers; do
    awk -F '\t' -v name="$name" '$2 == name { sum[$4] += $8; count[$4]++; if (!($4 in at)) { at[$4] = n++; joint[n - 1] = $4; label[$4] = $5 != "" ? $5 : $4 } }
        END { for (i = 0; i < n; i++) print i, sum[joint[i]] / count[joint[i]], label[joint[i]] }' "$work/humanoid.tsv" \
        > "$work/3.25-$name"
done
{
    echo "set title 'Mean position error of each body'; set ylabel 'cm'; set xtics rotate by -45"
    echo "set style data histograms; set style fill solid; set yrange [0:*]"
    printf 'plot '
    for name in $controllers; do
        printf "'%s' using 2:xtic(3) title '%s', " "$work/3.25-$name" "$(titled "$name")"
    done
    echo
} | draw 3.25
echo "thesis_figures: $(ls "$out" | wc -l) files in $2"
