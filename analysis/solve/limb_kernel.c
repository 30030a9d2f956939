/* Kernels of limb_qp.h. The sizes of one and two feet, 8 and 16, are compiled separately so that their rows stay in
 * registers. */
#include "analysis/solve/limb_qp.h"

#include "analysis/math/lanes.h"

enum { PARTS = LIMB_BLOCK / LANES };

static void add_rows(const LimbRow *row, const double *entry, int count, int n, double *restrict q,
                     double *restrict c)
{
    for (int r = 0; r < count; r++, entry += n) {
        Lane pull = lane_set(row[r].weight * row[r].target);
        for (int j = row[r].begin; j < row[r].end; j += LANES)
            lane_store_row(c + j, lane_load_row(c + j) - pull * lane_load_row(entry + j));
        for (int i = row[r].begin; i < row[r].end; i++) {
            Lane factor = lane_set(row[r].weight * entry[i]);
            double *to = q + (long)i * n;
            for (int j = row[r].begin; j < row[r].end; j += LANES)
                lane_store_row(to + j, lane_load_row(to + j) + factor * lane_load_row(entry + j));
        }
    }
}

LANE_INLINE void couple_of(const double *q, const double *p, const double *w, const double *mask, int n, double *out)
{
    for (int i = 0; i < n; i++, q += n, out += n) {
        Lane own = lane_set(mask[i]), factor = lane_set(p ? w[i] : 0);
        for (int j = 0; j < n; j += LANES) {
            Lane sum = lane_load_row(q + j);
            if (p)
                sum -= factor * lane_load_row(p + (long)i * n + j) * lane_load_row(w + j);
            lane_store_row(out + j, own * (sum * lane_load_row(mask + j)));
        }
    }
}

static void couple(const double *restrict q, const double *restrict p, const double *restrict w,
                   const double *restrict mask, int n, double *restrict out)
{
    if (n == LIMB_BLOCK)
        couple_of(q, p, w, mask, LIMB_BLOCK, out);
    else if (n == 2 * LIMB_BLOCK)
        couple_of(q, p, w, mask, 2 * LIMB_BLOCK, out);
    else
        couple_of(q, p, w, mask, n, out);
}

static const double unit[2 * LIMB_BLOCK] = {[LIMB_BLOCK] = 1};

/* Entries j, j + 1, ... of a row of LIMB_BLOCK entries with 1 at i. Pivot rows are changed by adding whole rows:
 * loading a row after storing one of its entries would stall. */
LANE_INLINE Lane unit_part(int i, int j)
{
    return lane_load_row(unit + LIMB_BLOCK - i + j);
}

/* a[row] -= a[row][k] pivot row. */
LANE_INLINE void eliminate(double *a, int n, int row, int k, const Lane *pivot_row)
{
    double *to = a + (long)row * n;
    Lane factor = lane_set(to[k]);
    for (int j = 0; j < n; j += LANES)
        lane_store_row(to + j, lane_load_row(to + j) - factor * pivot_row[j / LANES]);
}

/* Pivots on k: row k becomes that row of the inverse, with its diagonal entry too large by 1. */
LANE_INLINE int pivot_on(double *a, int n, int k, Lane *pivot_row)
{
    double *own = a + (long)k * n;
    if (!(own[k] > 0))
        return 0;
    double inverse = 1 / own[k];
    Lane factor = lane_set(inverse);
    for (int j = 0; j < n; j += LANES) {
        Lane part = factor * lane_load_row(own + j);
        if (j / LIMB_BLOCK == k / LIMB_BLOCK)
            part += factor * unit_part(k % LIMB_BLOCK, j % LIMB_BLOCK);
        pivot_row[j / LANES] = part;
        lane_store_row(own + j, part);
    }
    return 1;
}

LANE_INLINE void take_unit(double *row, int k)
{
    double *at = row + k / LANES * LANES;
    lane_store_row(at, lane_load_row(at) - unit_part(k % LIMB_BLOCK, k / LANES * LANES % LIMB_BLOCK));
}

LANE_INLINE int invert_of(double *a, int n, const int *pivot, int count, Lane *pivot_row)
{
    for (int m = 0; m < count; m++) {
        if (!pivot_on(a, n, pivot[m], pivot_row))
            return 0;
        for (int i = m + 1; i < count; i++) /* the next pivot first */
            eliminate(a, n, pivot[i], pivot[m], pivot_row);
        for (int i = 0; i < m; i++)
            eliminate(a, n, pivot[i], pivot[m], pivot_row);
    }
    for (int m = 0; m < count; m++)
        take_unit(a + (long)pivot[m] * n, pivot[m]);
    return 1;
}

static int invert(double *restrict a, int n, const int *restrict pivot, int count)
{
    Lane pivot_row[LIMB_WIDEST / LANES];
    if (n == LIMB_BLOCK)
        return invert_of(a, LIMB_BLOCK, pivot, count, pivot_row);
    if (n == 2 * LIMB_BLOCK)
        return invert_of(a, 2 * LIMB_BLOCK, pivot, count, pivot_row);
    return invert_of(a, n, pivot, count, pivot_row);
}

/* Computes eight entries of y + A x. */
LANE_INLINE void multiply_block(const double *a, int n, const double *x, double *y)
{
    Lane sum[PARTS];
    for (int l = 0; l < PARTS; l++)
        sum[l] = lane_load_row(y + l * LANES);
    for (int i = 0; i < n; i++, a += n) {
        Lane factor = lane_set(x[i]);
        for (int l = 0; l < PARTS; l++)
            sum[l] += factor * lane_load_row(a + l * LANES);
    }
    for (int l = 0; l < PARTS; l++)
        lane_store_row(y + l * LANES, sum[l]);
}

static void multiply_add(const double *restrict a, int n, const double *restrict x, double *restrict y)
{
    for (int j = 0; j < n; j += LIMB_BLOCK)
        multiply_block(a + j, n, x, y + j);
}

LimbKernel LANE_NAME(limb_kernel)(void) { return (LimbKernel){add_rows, couple, invert, multiply_add}; }
