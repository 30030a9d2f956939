/* Sorts numbers in ascending order, and selects by rank for percentiles and medians. NaN is not permitted. */
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

/* Moves the number of rank `at` (0: the smallest) to that index, with none greater before it and none smaller after it,
 * and returns it: Hoare's selection, linear in count except for adversarial orders. */
static inline double select_double(double *value, size_t count, size_t at)
{
    for (size_t first = 0, last = count - 1; first < last;) {
        double pivot = value[first + (last - first) / 2];
        size_t i = first, j = last;
        for (;; i++, j--) {
            while (value[i] < pivot)
                i++;
            while (value[j] > pivot)
                j--;
            if (i >= j)
                break;
            double swapped = value[i];
            value[i] = value[j];
            value[j] = swapped;
        }
        /* value[first .. j] <= pivot <= value[j + 1 .. last] */
        if (at <= j)
            last = j;
        else
            first = j + 1;
    }
    return value[at];
}

#endif
