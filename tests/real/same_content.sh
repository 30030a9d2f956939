#!/bin/sh
# Runs two programs on clips and trials (run, pipe, batch) and compares each dataset, attribute and index row by name.
# Prints what is equal, changed, added and removed; exit code 1 if a value changed.
# usage: tests/real/same_content.sh OLD NEW [NAMES.tsv]     (from the top of the project)
#   NAMES.tsv   old name, tab, new name: datasets (/group/name), attributes (/group@name), columns (table.name)
set -eu
old=$1 new=$2 names=${3:-}
shared=${KANE_SHARED:-../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old" "$work/new" "$work/clips"

# Runs a command that may fail: errors are compared too.
attempt() { # FILE COMMAND...
    file=$work/$1
    shift
    "$@" >"$file" 2>/dev/null || mv "$file" "$file.refused"
}

pipe() { # KANE CLIP
    "$1" import "$2" | "$1" body | "$1" smooth | "$1" diff | "$1" contact | "$1" torque | "$1" anatomy
}

both() { # FILE ARGUMENT... of `kane run`
    container=$1
    shift
    attempt "old/$container" "$old" run "$@" -o -
    attempt "new/$container" "$new" run "$@" -o -
}

for clip in data/*.bvh "$shared"/mocap/*.bvh; do
    [ -e "$clip" ] || continue
    ln -s "$(realpath "$clip")" "$work/clips/"
    name=$(basename "$clip" .bvh)
    both "run $name.h5" "$clip"
    attempt "old/pipe $name.h5" pipe "$old" "$clip"
    attempt "new/pipe $name.h5" pipe "$new" "$clip"
done

for trial in "$shared"/groundtruth/trials/*/; do
    [ -d "$trial" ] || continue
    name=$(basename "$trial")
    set -- "$trial$name"_*_std.bvh
    both "trial $name.h5" "$1" --import-unit cm --import-up Y
    both "plates $name.h5" "$1" --import-unit cm --import-up Y --body-segments "${trial}segments_std.tsv" \
        --smooth-method none --contact-external "${trial}external.tsv"
done
[ -d "$shared/mocap" ] || echo "same content: skipped the shared clips and trials, which are not here"

for side in old new; do
    eval "program=\$$side"
    "$program" batch "$work/clips" -o "$work/$side/batch" >/dev/null 2>&1 || true
    mv "$work/$side/batch/index.db" "$work/$side/" && rm -rf "$work/$side/batch"
done
/usr/bin/python3 tests/real/compare_content.py "$work/old" "$work/new" $names
