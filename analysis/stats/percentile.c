/* Quickselect (Hoare 1961, "Algorithm 65: Find") with three-way partition, so that equal values cost nothing, and
 * pivots from a fixed pseudo-random sequence, so that no ordering of the values is slow and results are repeatable. */
#include "analysis/stats/percentile.h"

#include <math.h>
#include <stdint.h>

static void swap(double *value, int i, int j)
{
    double v = value[i];
    value[i] = value[j];
    value[j] = v;
}

double percentile(double *value, int count, double part)
{
    int rank = (int)ceil(part * count) - 1;
    rank = rank < 0 ? 0 : rank >= count ? count - 1 : rank;
    uint64_t seed = 1;
    for (int low = 0, high = count - 1;;) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): low <= rank <= high always */
        double pivot = value[low + (int)((seed >> 33) % (uint64_t)(high - low + 1))];
        int less = low, more = high;
        /* [low, less) below the pivot, [less, i) equal to it, (more, high] above */
        for (int i = low; i <= more;) {
            if (value[i] < pivot)
                swap(value, i++, less++);
            else if (value[i] > pivot)
                swap(value, i, more--);
            else
                i++;
        }
        if (rank < less)
            high = less - 1;
        else if (rank > more)
            low = more + 1;
        else
            return pivot;
    }
}
