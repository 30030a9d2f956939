/* See chain_kernel.h. Four rows at a time stay in registers while the rows before them are subtracted. */
#include "analysis/solve/chain_kernel.h"

#include "analysis/math/lanes.h"

enum { BLOCK = 4, SUMS = 8 };

LANE_INLINE int round_down(int j) { return j & ~(LANES - 1); }

/* sum[r] -= m[k][i + r] * m[k][j...] for k in [from, to). */
LANE_INLINE void subtract_products(Lane *sum, int rows, const double *left, const double *right, int stride_left,
                                   int stride_right, int from, int to)
{
    left += (long)from * stride_left;
    right += (long)from * stride_right;
    for (int k = from; k < to; k++, left += stride_left, right += stride_right) {
        Lane v = lane_load_row(right);
        for (int r = 0; r < rows; r++)
            sum[r] -= lane_set(left[r]) * v;
    }
}

/* Multiplies row r of a block by the inverse of its pivot and subtracts it from the rows of the block below;
 * factor[s]: what row s has in the pivot's column. */
LANE_INLINE void finish_row(double *rows, int stride, int r, int count, double inverse, const double *factor, int from,
                            int to)
{
    double *row = rows + (long)r * stride;
    for (int j = from; j < to; j += LANES) {
        Lane v = lane_load_row(row + j) * lane_set(inverse);
        lane_store_row(row + j, v);
        for (int s = r + 1; s < count; s++) {
            double *below = rows + (long)s * stride + j;
            lane_store_row(below, lane_load_row(below) - lane_set(factor[s]) * v);
        }
    }
}

LANE_INLINE void solve_rows(const double *u, int stride_u, double *x, int n, int stride, const int *begin, int i,
                            int rows)
{
    int last = 0; /* columns that reach these rows */
    while (last < n && begin[last] < i + rows)
        last++;
    for (int j = 0; j < last; j += LANES) {
        Lane sum[BLOCK];
        double *to = x + (long)i * stride + j;
        for (int r = 0; r < rows; r++)
            sum[r] = lane_load_row(to + (long)r * stride);
        subtract_products(sum, rows, u + i, x + j, stride_u, stride, begin[j], i);
        for (int r = 0; r < rows; r++)
            lane_store_row(to + (long)r * stride, sum[r]);
    }
    for (int r = 0; r < rows; r++) {
        const double *pivot = u + (long)(i + r) * stride_u + i;
        finish_row(x + (long)i * stride, stride, r, rows, pivot[r], pivot, 0, last);
    }
}

static void solve_transposed(const double *restrict u, int before, double *restrict x, int n, const int *begin)
{
    int stride_u = chain_stride(before), stride = chain_stride(n), i = 0;
    for (; i + BLOCK <= before; i += BLOCK)
        solve_rows(u, stride_u, x, n, stride, begin, i, BLOCK);
    switch (before - i) {
    case 3: solve_rows(u, stride_u, x, n, stride, begin, i, 3); break;
    case 2: solve_rows(u, stride_u, x, n, stride, begin, i, 2); break;
    case 1: solve_rows(u, stride_u, x, n, stride, begin, i, 1); break;
    }
}

LANE_INLINE int factor_rows(double *a, int n, int stride, const double *x, int before, const int *begin, int i,
                            int rows)
{
    for (int j = round_down(i); j <= n; j += LANES) {
        Lane sum[BLOCK];
        double *to = a + (long)i * stride + j;
        for (int r = 0; r < rows; r++)
            sum[r] = lane_load_row(to + (long)r * stride);
        if (before > 0) {
            int first = j > i && j + LANES <= n ? begin[j] : begin[i];
            subtract_products(sum, rows, x + i, x + j, stride, stride, first, before);
        }
        subtract_products(sum, rows, a + i, a + j, stride, stride, 0, i);
        for (int r = 0; r < rows; r++)
            lane_store_row(to + (long)r * stride, sum[r]);
    }
    for (int r = 0; r < rows; r++) {
        double *pivot = a + (long)(i + r) * stride + i, factor[BLOCK];
        if (!(pivot[r] > 0))
            return 0;
        double inverse = 1 / sqrt(pivot[r]);
        for (int s = r + 1; s < rows; s++)
            factor[s] = pivot[s] * inverse;
        finish_row(a + (long)i * stride, stride, r, rows, inverse, factor, round_down(i), n + 1);
        pivot[r] = inverse;
    }
    return 1;
}

static int factor(double *restrict a, int n, const double *restrict x, int before, const int *begin)
{
    int stride = chain_stride(n), i = 0, good = 1;
    for (; good && i + BLOCK <= n; i += BLOCK)
        good = factor_rows(a, n, stride, x, before, begin, i, BLOCK);
    if (!good)
        return 0;
    switch (n - i) {
    case 3: return factor_rows(a, n, stride, x, before, begin, i, 3);
    case 2: return factor_rows(a, n, stride, x, before, begin, i, 2);
    case 1: return factor_rows(a, n, stride, x, before, begin, i, 1);
    default: return 1;
    }
}

/* Eight partial sums, added in one order at every width. */
LANE_INLINE double dot(const double *a, const double *b, int n)
{
    Lane sum[SUMS / LANES];
    double part[SUMS];
    for (int l = 0; l < SUMS / LANES; l++)
        sum[l] = lane_set(0);
    for (int j = 0; j < n; j += SUMS)
        for (int l = 0; l < SUMS / LANES; l++)
            sum[l] += lane_load_row(a + j + l * LANES) * lane_load_row(b + j + l * LANES);
    for (int l = 0; l < SUMS / LANES; l++)
        lane_store_row(part + l * LANES, sum[l]);
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

static void back_substitute(const double *restrict u, int n, const double *restrict x, int after,
                            const double *restrict z_after, double *restrict z)
{
    int stride = chain_stride(n), stride_x = chain_stride(after);
    for (int i = 0; i < n; i++)
        z[i] = u[(long)i * stride + n] - (after > 0 ? dot(x + (long)i * stride_x, z_after, after) : 0);
    for (int j = n - 1; j >= 0; j--) {
        z[j] *= u[(long)j * stride + j];
        for (int i = 0; i < j; i++)
            z[i] -= u[(long)i * stride + j] * z[j];
    }
}

static void multiply_add(const double *restrict a, int n, const double *restrict x, double *restrict y)
{
    for (int k = 0; k < n; k += 3) {
        const double *restrict row = a + (long)k * n;
        double x0 = x[k], x1 = x[k + 1], x2 = x[k + 2];
        for (int j = 0; j < n; j++)
            y[j] = ((y[j] + x0 * row[j]) + x1 * row[n + j]) + x2 * row[2 * n + j];
    }
}

ChainKernel LANE_NAME(chain_kernel)(void)
{
    return (ChainKernel){solve_transposed, factor, back_substitute, multiply_add};
}
