#include "analysis/math/cholesky.h"

#include <math.h>
#include <stddef.h>

/* What is left of a diagonal entry below this share of it is rounding. */
#define PIVOT_TOLERANCE 1e-12

static double row_dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

int cholesky_factor(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * (size_t)n, diagonal = row[i];
        for (int j = 0; j < i; j++) {
            const double *other = a + (size_t)j * (size_t)n;
            row[j] = (row[j] - row_dot(row, other, j)) / other[j];
        }
        double pivot = diagonal - row_dot(row, row, i);
        if (!(pivot > PIVOT_TOLERANCE * diagonal))
            return i;
        row[i] = sqrt(pivot);
    }
    return n;
}

void cholesky_solve(const double *factor, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] = (b[i] - row_dot(row, b, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] /= row[i];
        for (int k = 0; k < i; k++)
            b[k] -= row[k] * b[i];
    }
}
