#!/bin/sh
# Runs one test and prints its output in one piece, since tests run in parallel; exit code 255 on failure stops xargs.
# usage: tests/unit/run.sh PROGRAM NAME
said=$("$@" 2>&1) && { echo "$said"; exit 0; }
echo "$said"
echo "$*: FAILED"
exit 255
