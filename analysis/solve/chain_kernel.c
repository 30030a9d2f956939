/* See chain_kernel.h. Four rows at a time stay in registers while the rows before them are subtracted. */
#include "analysis/solve/chain_kernel.h"

#include "analysis/math/lanes.h"

enum { BLOCK = 4, SUMS = 8 };

LANE_INLINE int round_down(int j) { return j & ~(LANES - 1); }

/* A matrix by rows, or a part of it. */
typedef struct Rows {
    double *at;
    int stride;
} Rows;

typedef struct ConstRows {
    const double *at;
    int stride;
} ConstRows;

/* sum[r] -= left[k][r] * right[k][0...] for k in [from, to). */
LANE_INLINE void subtract_products(Lane *sum, int rows, ConstRows left, ConstRows right, int from, int to)
{
    const double *l = left.at + (long)from * left.stride, *v_at = right.at + (long)from * right.stride;
    for (int k = from; k < to; k++, l += left.stride, v_at += right.stride) {
        Lane v = lane_load_row(v_at);
        for (int r = 0; r < rows; r++)
            sum[r] -= lane_set(l[r]) * v;
    }
}

/* Multiplies row r of a block of `count` by factor[r], the inverse of its pivot, and subtracts it from the rows below,
 * s > r; factor[s]: what row s has in the pivot's column. */
LANE_INLINE void finish_row(Rows block, int count, int r, const double *factor, int from, int to)
{
    double *row = block.at + (long)r * block.stride;
    for (int j = from; j < to; j += LANES) {
        Lane v = lane_load_row(row + j) * lane_set(factor[r]);
        lane_store_row(row + j, v);
        for (int s = r + 1; s < count; s++) {
            double *below = block.at + (long)s * block.stride + j;
            lane_store_row(below, lane_load_row(below) - lane_set(factor[s]) * v);
        }
    }
}

/* Rows i ... i + rows - 1 of x, of n columns. */
LANE_INLINE void solve_rows(ConstRows u, Rows x, int n, const int *begin, int i, int rows)
{
    int last = 0; /* columns that reach these rows */
    while (last < n && begin[last] < i + rows)
        last++;
    for (int j = 0; j < last; j += LANES) {
        Lane sum[BLOCK];
        double *to = x.at + (long)i * x.stride + j;
        for (int r = 0; r < rows; r++)
            sum[r] = lane_load_row(to + (long)r * x.stride);
        subtract_products(sum, rows, (ConstRows){u.at + i, u.stride}, (ConstRows){x.at + j, x.stride}, begin[j], i);
        for (int r = 0; r < rows; r++)
            lane_store_row(to + (long)r * x.stride, sum[r]);
    }
    for (int r = 0; r < rows; r++)
        finish_row((Rows){x.at + (long)i * x.stride, x.stride}, rows, r, u.at + (long)(i + r) * u.stride + i, 0, last);
}

static void solve_transposed(const double *restrict u, int before, double *restrict x, int n, const int *begin)
{
    ConstRows factor = {u, chain_stride(before)};
    Rows solved = {x, chain_stride(n)};
    int i = 0;
    for (; i + BLOCK <= before; i += BLOCK)
        solve_rows(factor, solved, n, begin, i, BLOCK);
    switch (before - i) {
    case 3: solve_rows(factor, solved, n, begin, i, 3); break;
    case 2: solve_rows(factor, solved, n, begin, i, 2); break;
    case 1: solve_rows(factor, solved, n, begin, i, 1); break;
    }
}

/* X of a frame and the one before it: `before` rows of the stride of A. */
typedef struct Coupling {
    const double *x;
    int before;
    const int *begin;
} Coupling;

/* Rows i ... i + rows - 1 of U from those of A. */
LANE_INLINE int factor_rows(Rows a, int n, Coupling c, int i, int rows)
{
    for (int j = round_down(i); j <= n; j += LANES) {
        Lane sum[BLOCK];
        double *to = a.at + (long)i * a.stride + j;
        for (int r = 0; r < rows; r++)
            sum[r] = lane_load_row(to + (long)r * a.stride);
        if (c.before > 0) {
            int first = j > i && j + LANES <= n ? c.begin[j] : c.begin[i];
            subtract_products(sum, rows, (ConstRows){c.x + i, a.stride}, (ConstRows){c.x + j, a.stride}, first,
                              c.before);
        }
        subtract_products(sum, rows, (ConstRows){a.at + i, a.stride}, (ConstRows){a.at + j, a.stride}, 0, i);
        for (int r = 0; r < rows; r++)
            lane_store_row(to + (long)r * a.stride, sum[r]);
    }
    for (int r = 0; r < rows; r++) {
        double *pivot = a.at + (long)(i + r) * a.stride + i, factor[BLOCK];
        if (!(pivot[r] > 0))
            return 0;
        factor[r] = 1 / sqrt(pivot[r]);
        for (int s = r + 1; s < rows; s++)
            factor[s] = pivot[s] * factor[r];
        finish_row((Rows){a.at + (long)i * a.stride, a.stride}, rows, r, factor, round_down(i), n + 1);
        pivot[r] = factor[r];
    }
    return 1;
}

static int factor_all(double *restrict a, int n, const double *restrict x, int before, const int *begin)
{
    Rows rows = {a, chain_stride(n)};
    Coupling coupling = {x, before, begin};
    int i = 0, good = 1;
    for (; good && i + BLOCK <= n; i += BLOCK)
        good = factor_rows(rows, n, coupling, i, BLOCK);
    if (!good)
        return 0;
    switch (n - i) {
    case 3: return factor_rows(rows, n, coupling, i, 3);
    case 2: return factor_rows(rows, n, coupling, i, 2);
    case 1: return factor_rows(rows, n, coupling, i, 1);
    default: return 1;
    }
}

static int factor(double *restrict a, int n, const double *restrict x, int before, const int *begin,
                  double *restrict packed)
{
    int stride = chain_stride(n);
    if (!factor_all(a, n, x, before, begin))
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = chain_row_begin(i); j < stride; j += SUMS, packed += SUMS)
            for (int l = 0; l < SUMS; l += LANES)
                lane_store_row(packed + l, lane_load_row(a + (long)i * stride + j + l));
    return 1;
}

/* Rows i ... i + rows - 1 of z = U'^-1 v; v holds what is left of it from row i on. */
LANE_INLINE void substitute_rows(const double *packed, int stride, double *v, double *z, int i, int rows)
{
    const double *u[BLOCK];
    double solved[BLOCK];
    for (int r = 0; r < rows; r++) {
        u[r] = chain_packed_row(packed, stride, i + r);
        double sum = v[i + r];
        for (int k = 0; k < r; k++)
            sum -= u[k][i + r] * solved[k];
        solved[r] = z[i + r] = sum * u[r][i + r];
    }
    for (int j = chain_row_begin(i); j < stride; j += LANES) {
        Lane sum = lane_load_row(v + j);
        for (int r = 0; r < rows; r++)
            sum -= lane_set(solved[r]) * lane_load_row(u[r] + j);
        lane_store_row(v + j, sum);
    }
}

/* Eight partial sums, added in one order at every width. */
LANE_INLINE double dot(const double *a, const double *b, int from, int to)
{
    Lane sum[SUMS / LANES];
    double part[SUMS];
    for (int l = 0; l < SUMS / LANES; l++)
        sum[l] = lane_set(0);
    for (int j = from; j < to; j += SUMS)
        for (int l = 0; l < SUMS / LANES; l++)
            sum[l] += lane_load_row(a + j + l * LANES) * lane_load_row(b + j + l * LANES);
    for (int l = 0; l < SUMS / LANES; l++)
        lane_store_row(part + l * LANES, sum[l]);
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

/* Rows i ... i + rows - 1 of z = U^-1 right; z is solved behind them and zero elsewhere. */
LANE_INLINE void back_substitute_rows(const double *packed, int stride, const double *right, double *z, int i,
                                      int rows)
{
    const double *u[BLOCK];
    double solved[BLOCK];
    for (int r = 0; r < rows; r++) {
        u[r] = chain_packed_row(packed, stride, i + r);
        solved[r] = right[i + r] - dot(u[r], z, chain_row_begin(i), stride);
    }
    for (int r = rows - 1; r >= 0; r--) {
        for (int k = r + 1; k < rows; k++)
            solved[r] -= u[r][i + k] * solved[k];
        solved[r] *= u[r][i + r];
        z[i + r] = solved[r];
    }
}

static void back_substitute(const double *restrict packed, int n, int is_pulled, double *restrict pull,
                            double *restrict z)
{
    int stride = chain_stride(n), whole = n - n % BLOCK, i;
    for (i = 0; is_pulled && i < whole; i += BLOCK)
        substitute_rows(packed, stride, pull, z, i, BLOCK);
    for (; is_pulled && i < n; i++)
        substitute_rows(packed, stride, pull, z, i, 1);
    for (i = 0; i < n; i++)
        pull[i] = chain_packed_row(packed, stride, i)[n] + (is_pulled ? z[i] : 0);
    memset(z, 0, (size_t)stride * sizeof *z);
    switch (n % BLOCK) {
    case 3: back_substitute_rows(packed, stride, pull, z, whole, 3); break;
    case 2: back_substitute_rows(packed, stride, pull, z, whole, 2); break;
    case 1: back_substitute_rows(packed, stride, pull, z, whole, 1); break;
    }
    for (i = whole - BLOCK; i >= 0; i -= BLOCK)
        back_substitute_rows(packed, stride, pull, z, i, BLOCK);
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
