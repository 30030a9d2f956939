# Plots strength curves, published and bounded: gnuplot -e "curves='FILE'; picture='FILE.svg'" data/strength_figure.gp
# curves: output of build/tests/groundtruth/strength_curves.
set terminal svg size 960,540 font "sans-serif,12" background "white"
set output picture
set multiplot layout 2,3
set grid lc rgb "#dddddd"
set key top right
joints = "hip extension,knee extension,plantarflexion"
name(i) = system(sprintf("echo '%s' | cut -d, -f%d", joints, i))
set yrange [-1:6]
set xrange [-12:12]
set xlabel "rad/s, positive shortens"
do for [i = 1:3] {
    set title name(i).", active"
    set ylabel (i == 1 ? "N m/kg" : "")
    plot curves index 2*(i-1) using 1:2 with lines dt 2 lw 2 lc rgb "#d55e00" title "as printed", \
         curves index 2*(i-1) using 1:3 with lines lw 2 lc rgb "#0072b2" title "bounded"
}
set xlabel "degrees of flexion or dorsiflexion"
set yrange [-6:6]
set xrange [-60:130]
set xtics 60
unset key
do for [i = 1:3] {
    set title name(i).", passive"
    set ylabel (i == 1 ? "N m/kg" : "")
    plot curves index 2*(i-1)+1 using 1:2 with lines dt 2 lw 2 lc rgb "#d55e00" notitle, \
         curves index 2*(i-1)+1 using 1:3 with lines lw 2 lc rgb "#0072b2" notitle
}
unset multiplot
