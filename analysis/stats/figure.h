/* A number of a struct by name: what the index makes columns of, so that a figure's name stands in one place. */
#ifndef KANE_STATS_FIGURE_H
#define KANE_STATS_FIGURE_H

#include <stddef.h>

typedef struct Figure {
    const char *name;
    size_t offset;  /* into its struct */
    int is_integer; /* an int (negative: unknown), else a double (NaN: unknown) */
} Figure;

typedef struct FigureList {
    const Figure *figure; /* [count], of static storage */
    int count;
} FigureList;

#endif
