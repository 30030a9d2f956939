/* Numbers in rising order, for percentiles and medians. None may be NaN. */
#ifndef KANE_MATH_SORT_H
#define KANE_MATH_SORT_H

#include <stdlib.h>

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_doubles(double *value, size_t count)
{
    qsort(value, count, sizeof *value, compare_doubles);
}

#endif
