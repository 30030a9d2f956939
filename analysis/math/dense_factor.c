/* See dense_factor.h. */
#include "analysis/math/dense_factor.h"

#include <math.h>
#include <stddef.h>

/* A pivot below this fraction of its original diagonal entry (Cholesky) or of the largest entry of A (LU) is rounding
 * error. */
#define PIVOT_TOLERANCE 1e-12

int cholesky_factor(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * (size_t)n, diagonal = row[i];
        for (int j = 0; j < i; j++) {
            const double *other = a + (size_t)j * (size_t)n;
            row[j] = (row[j] - dot_product(row, other, j)) / other[j];
        }
        double pivot = diagonal - dot_product(row, row, i);
        if (!(pivot > PIVOT_TOLERANCE * diagonal))
            return i;
        row[i] = sqrt(pivot);
    }
    return n;
}

void cholesky_half_solve(const double *factor, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] = (b[i] - dot_product(row, b, i)) / row[i];
    }
}

void cholesky_solve(const double *factor, int n, double *b)
{
    cholesky_half_solve(factor, n, b);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] /= row[i];
        add_scaled(b, -b[i], row, i);
    }
}

int profile_factor(double *a, int n, int *last)
{
    for (int i = n - 1; i >= 0; i--) {
        double *row = a + (size_t)i * (size_t)n, diagonal = row[i];
        last[i] = n - 1;
        while (last[i] > i && row[last[i]] == 0)
            last[i]--;
        for (int j = last[i]; j > i; j--) {
            const double *other = a + (size_t)j * (size_t)n;
            int end = last[i] < last[j] ? last[i] : last[j];
            row[j] = (row[j] - dot_product(row + j + 1, other + j + 1, end - j)) * other[j];
        }
        double pivot = diagonal - dot_product(row + i + 1, row + i + 1, last[i] - i);
        if (!(pivot > PIVOT_TOLERANCE * diagonal))
            return i;
        row[i] = 1 / sqrt(pivot);
    }
    return n;
}

void profile_half_solve(const double *factor, const int *last, int n, double *b)
{
    int start = n - 1;
    while (start > 0 && b[start] == 0)
        start--;
    for (int i = start; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)n;
        int end = last[i] < start ? last[i] : start;
        b[i] = (b[i] - dot_product(row + i + 1, b + i + 1, end - i)) * row[i];
    }
}

void profile_solve(const double *factor, const int *last, int n, double *b)
{
    profile_half_solve(factor, last, n, b);
    for (int i = 0; i < n; i++) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] *= row[i];
        add_scaled(b + i + 1, -b[i], row + i + 1, last[i] - i);
    }
}

void profile_solve_range(const double *factor, const int *last, int n, int from, int count, double *b)
{
    const double *own = factor + (size_t)from * (size_t)n + (size_t)from;
    for (int i = count - 1; i >= 0; i--) {
        const double *row = own + (size_t)i * (size_t)n;
        b[i] = (b[i] - dot_product(row + i + 1, b + i + 1, last[from + i] - from - i)) * row[i];
    }
    for (int i = 0; i < count; i++) {
        const double *row = own + (size_t)i * (size_t)n;
        b[i] *= row[i];
        add_scaled(b + i + 1, -b[i], row + i + 1, last[from + i] - from - i);
    }
}

static double largest_entry(const double *a, int n)
{
    double max = 0;
    for (int i = 0; i < n * n; i++)
        max = fmax(max, fabs(a[i]));
    return max;
}

static void exchange_rows(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

int lu_factor(double *a, int n, int *exchange)
{
    double min = PIVOT_TOLERANCE * largest_entry(a, n);
    for (int k = 0; k < n; k++) {
        double *row = a + (size_t)k * (size_t)n;
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[(size_t)i * (size_t)n + (size_t)k]) > fabs(a[(size_t)pivot * (size_t)n + (size_t)k]))
                pivot = i;
        exchange[k] = pivot;
        if (pivot != k)
            exchange_rows(row, a + (size_t)pivot * (size_t)n, n);
        if (!(fabs(row[k]) > min))
            return k;
        for (int i = k + 1; i < n; i++) {
            double *below = a + (size_t)i * (size_t)n;
            double factor = below[k] /= row[k];
            if (factor != 0)
                add_scaled(below + k + 1, -factor, row + k + 1, n - k - 1);
        }
    }
    return n;
}

void lu_solve(const double *factor, const int *exchange, int n, double *b)
{
    for (int k = 0; k < n; k++) {
        double kept = b[exchange[k]];
        b[exchange[k]] = b[k];
        b[k] = kept;
    }
    for (int i = 1; i < n; i++)
        b[i] -= dot_product(factor + (size_t)i * (size_t)n, b, i);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = factor + (size_t)i * (size_t)n;
        b[i] = (b[i] - dot_product(row + i + 1, b + i + 1, n - i - 1)) / row[i];
    }
}
