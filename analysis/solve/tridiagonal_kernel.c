/* Kernels of tridiagonal_qp.h, which process four rows at a time that stay in registers while earlier rows are
 * subtracted, and of limb_qp.h. */
#include "analysis/math/lanes.h"
#include "analysis/solve/limb_qp.h"
#include "analysis/solve/tridiagonal_steps.h"
#include "analysis/solve/tridiagonal_qp.h"

enum { BLOCK = 4, SUMS = 8 };

LANE_INLINE int round_down(int j) { return j & ~(LANES - 1); }

/* A matrix by rows, or a part of one. */
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

/* Finishes rows of a block of U'^-1 from which earlier blocks are subtracted. pivots[r][r] is the inverse of a pivot,
 * pivots[r][s] the entry of row r in the column of pivot s. */
LANE_INLINE void finish_rows(Lane *sum, int rows, const double pivots[][BLOCK])
{
    for (int r = 0; r < rows; r++) {
        sum[r] *= lane_set(pivots[r][r]);
        for (int s = r + 1; s < rows; s++)
            sum[s] -= lane_set(pivots[r][s]) * sum[r];
    }
}

/* Solves for rows i ... i + rows - 1 of x, which has n columns. */
LANE_INLINE void solve_rows(ConstRows u, Rows x, int n, const int *begin, int i, int rows)
{
    int last = 0; /* columns that begin above these rows' end */
    double pivots[BLOCK][BLOCK];
    while (last < n && begin[last] < i + rows)
        last++;
    for (int r = 0; r < rows; r++)
        for (int s = r; s < rows; s++)
            pivots[r][s] = u.at[(long)(i + r) * u.stride + i + s];
    for (int j = 0; j < last; j += LANES) {
        Lane sum[BLOCK];
        double *to = x.at + (long)i * x.stride + j;
        for (int r = 0; r < rows; r++)
            sum[r] = lane_load_row(to + (long)r * x.stride);
        subtract_products(sum, rows, (ConstRows){u.at + i, u.stride}, (ConstRows){x.at + j, x.stride}, begin[j], i);
        finish_rows(sum, rows, pivots);
        for (int r = 0; r < rows; r++)
            lane_store_row(to + (long)r * x.stride, sum[r]);
    }
}

static void solve_transposed(const double *restrict u, int before, double *restrict x, int n, const int *begin)
{
    ConstRows factor = {u, tridiagonal_stride(before)};
    Rows solved = {x, tridiagonal_stride(n)};
    int i = 0;
    for (; i + BLOCK <= before; i += BLOCK)
        solve_rows(factor, solved, n, begin, i, BLOCK);
    switch (before - i) {
    case 3: solve_rows(factor, solved, n, begin, i, 3); break;
    case 2: solve_rows(factor, solved, n, begin, i, 2); break;
    case 1: solve_rows(factor, solved, n, begin, i, 1); break;
    }
}

/* X between a frame and the one before: `before` rows with the stride of A. */
typedef struct Coupling {
    const double *x;
    int before;
    const int *begin;
} Coupling;

/* Subtracts X'X and the earlier rows of U from rows i ... i + rows - 1 of A, from column j on. */
LANE_INLINE void reduce_rows(Rows a, int n, Coupling c, int i, int j, int rows, Lane *sum)
{
    const double *from = a.at + (long)i * a.stride + j;
    for (int r = 0; r < rows; r++)
        sum[r] = lane_load_row(from + (long)r * a.stride);
    if (c.before > 0) {
        int first = j > i && j + LANES <= n ? c.begin[j] : c.begin[i];
        subtract_products(sum, rows, (ConstRows){c.x + i, a.stride}, (ConstRows){c.x + j, a.stride}, first, c.before);
    }
    subtract_products(sum, rows, (ConstRows){a.at + i, a.stride}, (ConstRows){a.at + j, a.stride}, 0, i);
}

/* Factors the square on the diagonal at `square`; stores U with the inverses of its pivots in `pivots`. */
LANE_INLINE int factor_square(const double *square, int stride, int rows, double pivots[][BLOCK])
{
    for (int r = 0; r < rows; r++)
        for (int s = r; s < rows; s++)
            pivots[r][s] = square[(long)r * stride + s];
    for (int r = 0; r < rows; r++) {
        if (!(pivots[r][r] > 0))
            return 0;
        pivots[r][r] = 1 / sqrt(pivots[r][r]);
        for (int s = r + 1; s < rows; s++)
            pivots[r][s] *= pivots[r][r];
        for (int s = r + 1; s < rows; s++)
            for (int q = s; q < rows; q++)
                pivots[s][q] -= pivots[r][s] * pivots[r][q];
    }
    return 1;
}

/* Computes rows i ... i + rows - 1 of U from those of A, beginning with the columns of the diagonal square, which
 * contains the pivots. */
LANE_INLINE int factor_rows(Rows a, int n, Coupling c, int i, int rows)
{
    double *block = a.at + (long)i * a.stride, pivots[BLOCK][BLOCK];
    Lane sum[BLOCK];
    int j, square = round_down(i);
    for (j = square; j < i + rows; j += LANES) {
        reduce_rows(a, n, c, i, j, rows, sum);
        for (int r = 0; r < rows; r++)
            lane_store_row(block + (long)r * a.stride + j, sum[r]);
    }
    if (!factor_square(block + i, a.stride, rows, pivots))
        return 0;
    for (int k = square; k <= n; k += LANES) {
        if (k >= j)
            reduce_rows(a, n, c, i, k, rows, sum);
        for (int r = 0; r < rows && k < j; r++)
            sum[r] = lane_load_row(block + (long)r * a.stride + k);
        finish_rows(sum, rows, pivots);
        for (int r = 0; r < rows; r++)
            lane_store_row(block + (long)r * a.stride + k, sum[r]);
    }
    for (int r = 0; r < rows; r++)
        block[(long)r * a.stride + i + r] = pivots[r][r];
    return 1;
}

static int factor_all(double *restrict a, int n, const double *restrict x, int before, const int *begin)
{
    Rows rows = {a, tridiagonal_stride(n)};
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
    int stride = tridiagonal_stride(n);
    if (!factor_all(a, n, x, before, begin))
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = tridiagonal_row_begin(i); j < stride; j += SUMS, packed += SUMS)
            memcpy(packed, a + (long)i * stride + j, SUMS * sizeof *packed);
    return 1;
}

/* Computes rows i ... i + rows - 1 of z = U'^-1 v, and subtracts them from the later entries of v. */
LANE_INLINE void substitute_rows(const double *packed, int stride, double *v, double *z, int i, int rows)
{
    const double *u[BLOCK];
    double solved[BLOCK];
    for (int r = 0; r < rows; r++) {
        u[r] = tridiagonal_packed_row(packed, stride, i + r);
        double sum = v[i + r];
        for (int k = 0; k < r; k++)
            sum -= u[k][i + r] * solved[k];
        solved[r] = z[i + r] = sum * u[r][i + r];
    }
    for (int j = tridiagonal_row_begin(i); j < stride; j += LANES) {
        Lane sum = lane_load_row(v + j);
        for (int r = 0; r < rows; r++)
            sum -= lane_set(solved[r]) * lane_load_row(u[r] + j);
        lane_store_row(v + j, sum);
    }
}

/* Adds eight partial sums in the same order at every width. */
LANE_INLINE double add_parts(const double *part)
{
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

LANE_INLINE double dot(const double *a, const double *b, int from, int to)
{
    Lane sum[SUMS / LANES];
    double part[SUMS] = {0};
    for (int l = 0; l < SUMS / LANES; l++)
        sum[l] = lane_set(0);
    for (int j = from; j < to; j += SUMS)
        for (int l = 0; l < SUMS / LANES; l++)
            sum[l] += lane_load_row(a + j + l * LANES) * lane_load_row(b + j + l * LANES);
    for (int l = 0; l < SUMS / LANES; l++)
        lane_store_row(part + l * LANES, sum[l]);
    return add_parts(part);
}

/* Computes rows i ... i + rows - 1 of z = U^-1 right; z is already solved after them and zero elsewhere. */
LANE_INLINE void back_substitute_rows(const double *packed, int stride, const double *right, double *z, int i,
                                      int rows)
{
    const double *u[BLOCK] = {0};
    double solved[BLOCK] = {0};
    for (int r = 0; r < rows; r++) {
        u[r] = tridiagonal_packed_row(packed, stride, i + r);
        solved[r] = right[i + r] - dot(u[r], z, tridiagonal_row_begin(i), stride);
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
    int stride = tridiagonal_stride(n), whole = n - n % BLOCK, i;
    for (i = 0; is_pulled && i < whole; i += BLOCK)
        substitute_rows(packed, stride, pull, z, i, BLOCK);
    for (; is_pulled && i < n; i++)
        substitute_rows(packed, stride, pull, z, i, 1);
    for (i = 0; i < n; i++)
        pull[i] = tridiagonal_packed_row(packed, stride, i)[n] + (is_pulled ? z[i] : 0);
    memset(z, 0, (size_t)stride * sizeof *z);
    switch (n % BLOCK) {
    case 3: back_substitute_rows(packed, stride, pull, z, whole, 3); break;
    case 2: back_substitute_rows(packed, stride, pull, z, whole, 2); break;
    case 1: back_substitute_rows(packed, stride, pull, z, whole, 1); break;
    }
    for (i = whole - BLOCK; i >= 0; i -= BLOCK)
        back_substitute_rows(packed, stride, pull, z, i, BLOCK);
}

/* Multiplies the three rows of one contact and their transpose by x; adds to y. */
LANE_INLINE void multiply_rows(const double *h, size_t length, const double *x, double *y)
{
    enum { PARTS = SUMS / LANES };
    double solved[3], part[SUMS];
    Lane sum[3][PARTS];
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < PARTS; l++)
            sum[i][l] = lane_set(0);
    for (int i = 0; i < 3; i++)
        solved[i] = y[i];
    for (size_t j = 0; j < length; j += SUMS)
        for (int l = 0; l < PARTS; l++) {
            size_t k = j + (size_t)(l * LANES);
            Lane factor = lane_load_row(x + k), to = lane_load_row(y + k);
            for (int i = 0; i < 3; i++) {
                Lane row = lane_load_row(h + (size_t)i * length + k);
                sum[i][l] += row * factor;
                to += lane_set(x[i]) * row;
            }
            lane_store_row(y + k, to);
        }
    for (int i = 0; i < 3; i++) {
        for (int l = 0; l < PARTS; l++)
            lane_store_row(part + l * LANES, sum[i][l]);
        y[i] = solved[i] + add_parts(part);
    }
}

static void multiply_add(const double *restrict h, int n, const double *restrict x, double *restrict y)
{
    for (int a = 0; a < n; a++) {
        size_t length = tridiagonal_row_length(n - a);
        multiply_rows(h, length, x + 3 * a, y + 3 * a);
        h += 3 * length;
    }
}

static void combine_rows(const double *restrict h, size_t length, const double weight[3], double *restrict out)
{
    for (size_t k = 0; k < length; k += LANES)
        lane_store_row(out + k, lane_set(weight[0]) * lane_load_row(h + k) +
                                    lane_set(weight[1]) * lane_load_row(h + length + k) +
                                    lane_set(weight[2]) * lane_load_row(h + 2 * length + k));
}

static void reduce_row(const double *restrict row, int from, const TridiagonalRun *run, const TridiagonalRun *end,
                       double *restrict out)
{
    for (; run < end; run++) {
        const double *h = row + run->from;
        double *to = out + run->to;
        for (int j = 0; j < run->columns && run->columns < run->count; j++)
            to[j] = h[0] * run->basis[j][0] + h[1] * run->basis[j][1] + h[2] * run->basis[j][2];
        int skipped = from > run->from ? from - run->from : 0;
        for (int j = skipped; j < run->count && run->columns == run->count; j += SUMS)
            memcpy(to + j, h + j, SUMS * sizeof *to);
    }
}

TridiagonalKernel LANE_NAME(tridiagonal_kernel)(void)
{
    return (TridiagonalKernel){solve_transposed, factor, back_substitute, multiply_add, combine_rows, reduce_row};
}

/* Kernels of limb_qp.h. The sizes of one and two feet, 8 and 16, are compiled separately so that their rows stay in
 * registers. */
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

LANE_INLINE void couple_blocks(const double *q, const double *p, const double *w, const double *mask, int n,
                               double *out)
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
        couple_blocks(q, p, w, mask, LIMB_BLOCK, out);
    else if (n == 2 * LIMB_BLOCK)
        couple_blocks(q, p, w, mask, 2 * LIMB_BLOCK, out);
    else
        couple_blocks(q, p, w, mask, n, out);
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

LANE_INLINE int invert_block(double *a, int n, const int *pivot, int count, Lane *pivot_row)
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
        return invert_block(a, LIMB_BLOCK, pivot, count, pivot_row);
    if (n == 2 * LIMB_BLOCK)
        return invert_block(a, 2 * LIMB_BLOCK, pivot, count, pivot_row);
    return invert_block(a, n, pivot, count, pivot_row);
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

static void multiply_add_square(const double *restrict a, int n, const double *restrict x, double *restrict y)
{
    for (int j = 0; j < n; j += LIMB_BLOCK)
        multiply_block(a + j, n, x, y + j);
}

LimbKernel LANE_NAME(limb_kernel)(void) { return (LimbKernel){add_rows, couple, invert, multiply_add_square}; }
