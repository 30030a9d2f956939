#!/bin/sh
# Runs one test and prints its output in one piece, since tests run in parallel; exit code 255 on failure stops xargs.
# usage: tests/unit/run.sh PROGRAM NAME      ($EMULATOR runs a program of another processor)
# shellcheck disable=SC2086 # the emulator has arguments
said=$(timeout -k 10 900 ${EMULATOR:-} "$@" 2>&1) && { echo "$said"; exit 0; }
echo "$said"
echo "$*: FAILED"
exit 255
