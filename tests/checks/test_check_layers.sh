#!/bin/sh
# tests/checks/check_layers.sh finds violations planted into a copy of the sources with file and line, and nothing else.
# usage: tests/checks/test_check_layers.sh   (from the top of the project)
set -u
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/tests"
cp -r analysis formats pipeline library "$work" && cp -r tests/checks "$work/tests"
cd "$work" || exit 2
# Headers and the sources that are planted into: the check runs some twenty times.
find analysis formats pipeline library -name '*.c' | while read -r source; do
    grep -q "^plant $source " tests/checks/test_check_layers.sh || rm "$source"
done

# plant FILE LINE [WANTED]: with LINE after the includes of FILE the check fails and prints WANTED for that line only;
# without WANTED it passes.
plant() {
    at=$(grep -n '^#include' "$1" | tail -n 1 | cut -d: -f1)
    awk -v at="$at" -v line="$2" '{print} NR == at {print line}' "$top/$1" >"$1"
    found=$(sh tests/checks/check_layers.sh .) && code=0 || code=1
    [ "$code" -ne 0 ] || found=
    wanted=${3:+$1:$((at + 1)): $3}
    if [ "$found" != "$wanted" ] || { [ "$code" -eq 0 ] && [ -n "$wanted" ]; }; then
        printf 'planted into %s: %s\nfound: %s\n' "$1" "$2" "$found"
        failed=1
    fi
    cp "$top/$1" "$1"
}

# Two files that include each other.
plant_cycle() {
    echo '#include "analysis/math/vec.h"' >>analysis/base/arena.h
    wanted='analysis/base/arena: include cycle of analysis/base/arena analysis/math/vec'
    echo '#include "analysis/base/arena.h"' >>analysis/math/vec.h
    sh tests/checks/check_layers.sh . | grep -q "^$wanted: " || { echo "include cycle: not found"; failed=1; }
    cp "$top/analysis/base/arena.h" analysis/base/ && cp "$top/analysis/math/vec.h" analysis/math/
}

loud='belongs in pipeline/cli: return an error, a note, or write to the stream given'
sh tests/checks/check_layers.sh . >/dev/null || failed=1
plant pipeline/stages/smooth.c 'static void say(void) { printf("smooth"); }' "printf $loud"
plant pipeline/stages/body.c 'static void leave(void) { exit (1); }' "exit $loud"
plant pipeline/stages/trim.c '#include "pipeline/cli/message.h"' 'pipeline/stages may not include pipeline/cli/message.h'
plant library/kane.c '#include "pipeline/cli/message.h"' 'library may not include pipeline/cli/message.h'
plant pipeline/stages/smooth.c '#include <argp.h>' "<argp.h> $loud"
plant analysis/motion/kinematics.c 'static void say(void) { fprintf(stderr, "x"); } /* all */' "stderr $loud"
plant formats/bvh/bvh_lexer.c 'static void leave(int n) { /* odd */ if (n) abort(); }' "abort $loud"
plant pipeline/stages/torque.c 'static void say(void) { write(2, "x", 1); }' "write $loud"
plant pipeline/stages/torque.c 'static void say(int to) { write(to, "x", 1); n->write(1, "x"); }'
plant analysis/clip/clip.c '#include <hdf5.h>' '<hdf5.h> belongs in formats/'
plant pipeline/stages/stage.c '/* printf(1) */ const char *s = "exit(1) stderr"; // abort()'
plant pipeline/stages/stage.c 'static void told(const Notes *n) { n->exit(0); fprintf(n->stream, "%d", n->puts); }'
libm='belongs to libm: use analysis/math/elementary.h'
plant analysis/motion/kinematics.c 'static double up(double x) { return 2*pow(x, 0.4); }' "pow $libm"
plant formats/plot/plot_figure.c 'static double turn(double y) { return atan2(y, 1); }' "atan2 $libm"
plant analysis/motion/kinematics.c '/* sin(x) */ static double up(const F *f, double x) { return elementary_exp(x); } /* exp('
past='a command makes its files through pipeline/cli/output_file.h'
plant pipeline/cli/explain.c 'static FILE *make(void) { return fopen("x", "wb"); }' "$past"
plant pipeline/cli/index.c 'static Status make(NewFile *f) { return new_file_open("x", f, NULL); }' "$past"
plant pipeline/cli/run.c 'static int make(void) { return open("x", O_WRONLY | O_CREAT, 0666); }' "$past"
plant_cycle
plant pipeline/cli/query.c 'static FILE *read_it(void) { return fopen("w", "rbe"); }'

[ "$failed" -eq 0 ] && echo "checks: layers: every planted error is found"
exit $failed
