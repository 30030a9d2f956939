#!/bin/sh
# Prints where Chromium is; exit code 1 where it is not. Its headless shell, which has no windows to draw, starts and
# answers in two thirds of the time.
command -v chromium-headless-shell || command -v chromium
