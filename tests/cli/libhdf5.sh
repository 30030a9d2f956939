# libhdf5, and with it some 30 libraries, is loaded by the commands that read a clip file, not by those that write one.
cp "$TESTS/squat.bvh" .
mkdir library && cp squat.bvh library
loads() { # ARGUMENTS...: prints whether a process of `kane ARGUMENTS` loads libhdf5
    rm -f files.*
    LD_DEBUG=files LD_DEBUG_OUTPUT=files "$KANE" "$@" >out.txt 2>&1 || cat out.txt
    if cat files.* | grep -q 'calling init: .*libhdf5'; then found=loaded; else found='not loaded'; fi
    echo "kane $*: $found"
}
loads --version
loads run squat.bvh -o squat.h5
loads import squat.bvh -o motion.h5
loads batch library -o clips -j 2
loads query clips/index.db 1
loads info squat.h5
loads --version --verbose
