/* Version of the program, as in `kane --version` and in the attribute kane_version of a clip file. */
#ifndef KANE_BASE_VERSION_H
#define KANE_BASE_VERSION_H

#define KANE_VERSION "0.1.0"

#endif
