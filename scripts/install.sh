#!/bin/sh
# Copies build outputs to their install locations; called by `make install`.
# usage: scripts/install.sh BUILD DESTDIR PREFIX LIBDIR ZSHDIR PYTHONDIR VERSION SONAME LIBS
set -eu
build=$1 root=$2$3 prefix=$3 libdir=$4 zshdir=$5 pythondir=$6 version=$7 soname=$8 libs=$9

put() { install -D -m "$1" "$2" "$root/$3"; }

put 755 "$build/kane" bin/kane
put 755 "$build/kane-scene" libexec/kane/kane-scene
put 644 "$build/package/$soname" "$libdir/libkane.so.$version"
ln -sf "libkane.so.$version" "$root/$libdir/$soname"
ln -sf "$soname" "$root/$libdir/libkane.so"
put 644 "$build/package/libkane.a" "$libdir/libkane.a"
# The pages, where they have been built or came with the sources.
for page in report.html kane.html; do
    for folder in "$build" build generated; do
        if [ -e "$folder/$page" ]; then put 644 "$folder/$page" "share/kane/$page"; break; fi
    done
done
put 644 "$build/kane.so" "$libdir/kane/kane.so"
put 644 library/kane.h include/kane.h
for file in python/kane/*.py python/kane/py.typed; do
    put 644 "$file" "$pythondir/kane/${file##*/}"
done
mkdir -p "$root/$libdir/pkgconfig"
cat >"$root/$libdir/pkgconfig/kane.pc" <<PC
prefix=$prefix
libdir=\${prefix}/$libdir
includedir=\${prefix}/include

Name: kane
Description: Motion capture to joint torques
Version: $version
Libs: -L\${libdir} -lkane
Libs.private: $libs
Cflags: -I\${includedir}
PC
for page in "$build"/package/man/*.1; do
    put 644 "$page" "share/man/man1/${page##*/}"
done
put 644 "$build/package/kane.bash" share/bash-completion/completions/kane
put 644 "$build/package/kane.zsh" "$zshdir/_kane"
# Documents with the files that they link to, and the examples, in the layout of the project.
for file in README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md LICENSE $(find docs -name '*.md') docs/bench.tsv data/README.md data/picture* \
    examples/library/* examples/python/* examples/shell/*; do
    put "$([ -x "$file" ] && echo 755 || echo 644)" "$file" "share/doc/kane/$file"
done
put 644 data/README.md share/kane/samples/README.md
for file in data/*.bvh; do
    put 644 "$file" "share/kane/samples/${file##*/}"
done
for file in data/scenes/*.xml; do
    put 644 "$file" "share/kane/samples/scenes/${file##*/}"
done
for file in data/rigs/*.tsv; do
    put 644 "$file" "share/kane/rigs/${file##*/}"
done
for file in task.sh slurm_array.sh parallel.sh; do
    put 755 scripts/cluster/$file share/kane/cluster/$file
done
for file in list.sh Snakefile; do
    put 644 scripts/cluster/$file share/kane/cluster/$file
done
for file in scripts/blender/kane_clips/*.py; do
    put 644 "$file" "share/kane/blender/kane_clips/${file##*/}"
done
