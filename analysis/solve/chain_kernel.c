/* See chain_kernel.h. Inner loops run along rows and update each entry on its own: nothing is summed across lanes. */
#include "analysis/solve/chain_kernel.h"

#include "analysis/math/lanes.h"

static int cholesky(double *restrict a, int n)
{
    for (int k = 0; k < n; k++) {
        double *restrict row = a + (long)k * n;
        if (!(row[k] > 0))
            return 0;
        double inverse = 1 / sqrt(row[k]);
        for (int j = k; j < n; j++)
            row[j] *= inverse;
        for (int i = k + 1; i < n; i++) {
            double *restrict target = a + (long)i * n;
            double factor = row[i];
            for (int j = i; j < n; j++)
                target[j] -= factor * row[j];
        }
    }
    return 1;
}

static void solve_transposed(const double *restrict u, int n, double *restrict x, int m)
{
    for (int k = 0; k < n; k++) {
        double *restrict row = x + (long)k * m;
        double inverse = 1 / u[(long)k * n + k];
        for (int j = 0; j < m; j++)
            row[j] *= inverse;
        for (int i = k + 1; i < n; i++) {
            double *restrict target = x + (long)i * m;
            double factor = u[(long)k * n + i];
            for (int j = 0; j < m; j++)
                target[j] -= factor * row[j];
        }
    }
}

static void subtract_square(double *restrict a, int m, const double *restrict x, int n)
{
    for (int k = 0; k < n; k++) {
        const double *restrict row = x + (long)k * m;
        for (int i = 0; i < m; i++) {
            double *restrict target = a + (long)i * m;
            double factor = row[i];
            for (int j = i; j < m; j++)
                target[j] -= factor * row[j];
        }
    }
}

static void multiply_add(const double *restrict a, int n, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < n; k++) {
        const double *restrict row = a + (long)k * n;
        double factor = x[k];
        for (int j = 0; j < n; j++)
            y[j] += factor * row[j];
    }
}

ChainKernel LANE_NAME(chain_kernel)(void)
{
    return (ChainKernel){cholesky, solve_transposed, subtract_square, multiply_add};
}
