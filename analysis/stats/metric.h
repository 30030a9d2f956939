/* A number in a struct with its name, from which the index makes its columns, so that names are defined once. */
#ifndef KANE_STATS_METRIC_H
#define KANE_STATS_METRIC_H

#include <stddef.h>

typedef struct Metric {
    const char *name;
    const char *unit, *meaning; /* for column_doc and docs/formats/index.md; unit "": none, NULL: given by the end of
                                   the name */
    size_t offset;  /* into its struct */
    int is_integer; /* 1: an int (negative: unknown); 0: a double (NaN: unknown) */
} Metric;

typedef struct MetricList {
    const Metric *metric; /* [count] static storage */
    int count;
} MetricList;

#endif
