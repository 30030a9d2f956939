#!/bin/sh
# Runs one test and prints what it said in one piece, as others run beside it; 255, where it failed, stops xargs.
# usage: tests/unit/run.sh PROGRAM NAME
said=$("$@" 2>&1) && { echo "$said"; exit 0; }
echo "$said"
echo "$*: FAILED"
exit 255
