#!/bin/sh
# Runs one fuzzer BUILD/fuzz/fuzz_NAME from tests/fuzz/corpus_NAME; new inputs go to BUILD/found_NAME.
# usage: tests/fuzz/run.sh SECONDS PROGRAM      exit code 255 on failure stops xargs
name=${2##*/fuzz_} build=${2%/fuzz/*}
found=$build/found_$name
mkdir -p "$found"
said=$("$2" "-max_total_time=$1" -max_len=4096 -verbosity=0 "-artifact_prefix=$found/" "$found" "tests/fuzz/corpus_$name" 2>&1) || {
    echo "$said"
    echo "fuzz $name: FAILED"
    exit 255
}
echo "fuzz $name"
