/* Pseudorandom numbers in [-1, 1), the same on all machines. */
#ifndef KANE_TESTS_RANDOM_NUMBER_H
#define KANE_TESTS_RANDOM_NUMBER_H

static inline double random_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 * 2 - 1;
}

/* a[size][size] = R'R + ridge with R of the given rank. */
static inline void random_semidefinite(double *a, int size, int rank, double ridge, unsigned *seed)
{
    for (int i = 0; i < size * size; i++)
        a[i] = i % (size + 1) == 0 ? ridge : 0;
    for (int k = 0; k < rank; k++) {
        double row[256];
        for (int i = 0; i < size; i++)
            row[i] = random_number(seed);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                a[i * size + j] += row[i] * row[j];
    }
}

#endif
