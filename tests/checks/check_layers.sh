#!/bin/sh
# Fails, with file and line, on
#   - an include against the order of tests/checks/layers.txt, and HDF5 or SQLite outside formats/
#   - printing, process exit or command-line access outside pipeline/cli, which library code must not do
#   - a file that the command line creates without pipeline/cli/output_file.h, which prevents accidental overwriting
#   - a transcendental function of libm, whose rounding depends on the processor: use analysis/math/elementary.h
#   - include cycles
# usage: tests/checks/check_layers.sh [TOP]      default: the project of this script
set -eu
cd "${1:-$(dirname "$0")/../..}"

check_includes() {
    find analysis formats pipeline library -name '*.[ch]' | sort | xargs awk '
    BEGIN {
        while ((getline line < "tests/checks/layers.txt") > 0)
            if (line !~ /^#/ && line != "") rank[line] = ++count
    }
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    FNR == 1 { here = folder(FILENAME); if (!(here in rank)) complain("folder " here " is not in tests/checks/layers.txt") }
    /^#include "/ {
        split($0, part, "\""); there = folder(part[2])
        if (!(there in rank)) { if (there !~ /^data/) complain("includes from unknown folder " there) }
        else if (rank[there] > rank[here]) complain(here " may not include " part[2])
    }
    /^#include <(hdf5|hdf5_hl|sqlite3|sqlite3ext)\.h>/ && here !~ /^formats\// { complain($2 " belongs in formats/") }
    END { exit bad }'
}

# Writing to a stream passed by the caller is not printing. Exceptions, with their reasons:
#   the guard of clip files decodes in a child process, which it exits; messages of the C library about a corrupt heap
#   go to /dev/null
#   a scene's reader starts the helper program with its streams, and stops it if it takes too long
check_quiet() {
    find analysis formats pipeline/stages library -name '*.[ch]' | sort | xargs awk \
        -v excepted='formats/container/container_guard.c _exit, formats/container/container_guard.c STDERR_FILENO, formats/scene_file/scene_child.c STDOUT_FILENO, formats/scene_file/scene_child.c kill' \
        -f tests/checks/loud_words.awk
}

# Exceptions: output_file.c itself, and batch workers, which write temporary files and apply the same rule.
check_outputs() {
    find pipeline/cli -name '*.c' | sort | xargs grep -nE \
        '\<(new_file_open(_as)?|container_store(_pending)?|creat|mkstemp|O_CREAT|freopen)\>|fopen\([^;]*, *"[wa]' |
        grep -v -e ':#include' -e '^pipeline/cli/output_file\.c:' -e '^pipeline/cli/batch/batch_worker\.c:.*container_store_pending' |
        sed 's/^\([^:]*:[0-9]*\):.*/\1: a command makes its files through pipeline\/cli\/output_file.h/' | grep . && return 1
    return 0
}

check_elementary() {
    find analysis formats pipeline library -name '*.[ch]' ! -path 'analysis/math/elementary.*' | sort | xargs awk '
    {
        code = $0
        gsub(/"([^"\\]|\\.)*"/, "", code); gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
        sub(/\/\*.*/, "", code); sub(/\/\/.*/, "", code)
        if (code ~ /^ *\*/) next
    }
    match(code, /(^|[^_A-Za-z0-9])(sin|cos|sincos|tan|asin|acos|atan|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sinh|cosh|tanh)\(/) {
        name = substr(code, RSTART, RLENGTH - 1); sub(/^[^a-z]/, "", name)
        print FILENAME ":" FNR ": " name " belongs to libm: use analysis/math/elementary.h"; bad = 1
    }
    END { exit bad }'
}

failed=0
check_includes || failed=1
check_elementary || failed=1
check_quiet || failed=1
check_outputs || failed=1
tests/checks/measure.py --cycles || failed=1
[ "$failed" -eq 0 ] || exit 1
echo "layers: every include points down, nothing below pipeline/cli prints or exits, outputs go one way, no function" \
    "of libm, no include cycles"
