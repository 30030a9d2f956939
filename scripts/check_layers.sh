#!/bin/sh
# Fails on an include that points up the order of scripts/layers.txt, and on HDF5 or SQLite outside formats/.
# usage: scripts/check_layers.sh   (from the top of the project)
set -eu
cd "$(dirname "$0")/.."
find analysis formats pipeline library -name '*.[ch]' | sort | xargs awk '
BEGIN {
    while ((getline line < "scripts/layers.txt") > 0)
        if (line !~ /^#/ && line != "") rank[line] = ++count
}
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
FNR == 1 { here = folder(FILENAME); if (!(here in rank)) { print FILENAME ": folder " here " is not in scripts/layers.txt"; bad = 1 } }
/^#include "/ {
    split($0, part, "\""); there = folder(part[2])
    if (!(there in rank)) { if (there !~ /^data/) { print FILENAME ":" FNR ": includes from unknown folder " there; bad = 1 } }
    else if (rank[there] > rank[here]) { print FILENAME ":" FNR ": " here " may not include " part[2]; bad = 1 }
}
/^#include <(hdf5|hdf5_hl|sqlite3|sqlite3ext)\.h>/ && here !~ /^formats\// { print FILENAME ":" FNR ": " $2 " belongs in formats/"; bad = 1 }
END { exit bad }'
echo "layers: every include points down"
