/* Version of program, library and packages, as in `kane --version` and in the attribute kane_version of a clip file.
   This is its source; tests/checks/check_version.py compares the files that repeat it. */
#ifndef KANE_BASE_VERSION_H
#define KANE_BASE_VERSION_H

#define KANE_VERSION "0.2.0"

#endif
