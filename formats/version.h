/* The version of kane, in one place: containers, `kane --version` and reports show it. */
#ifndef KANE_FORMATS_VERSION_H
#define KANE_FORMATS_VERSION_H

#define KANE_VERSION "0.1.0"
#define KANE_CONVENTIONS "kane-1"

#endif
