/* See block_lu.h. */
#include "analysis/math/block_lu.h"

#include <stddef.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

/* Orders the blocks by minimum degree and marks the fill-in in `linked`. */
static void order_blocks(BlockLu *lu, char *linked, char *done)
{
    size_t n = (size_t)lu->count;
    for (size_t step = 0; step < n; step++) {
        int best = -1, min = 0;
        for (int i = 0; i < lu->count; i++) {
            int degree = 0;
            for (size_t j = 0; !done[i] && j < n; j++)
                degree += linked[(size_t)i * n + j] && !done[j];
            if (!done[i] && (best < 0 || degree < min)) {
                best = i;
                min = degree;
            }
        }
        done[best] = 1;
        lu->order[step] = best;
        int *link = lu->link + (size_t)best * n, count = 0;
        for (int j = 0; j < lu->count; j++)
            if (!done[j] && linked[(size_t)best * n + (size_t)j])
                link[count++] = j;
        lu->link_count[best] = count;
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                linked[(size_t)link[a] * n + (size_t)link[b]] = 1;
    }
}

Status block_lu_init(BlockLu *lu, int count, const int *size, char *linked, Arena *memory, Error *err)
{
    size_t n = (size_t)count;
    *lu = (BlockLu){.count = count, .size = size};
    lu->place = arena_array(memory, n, 1, sizeof *lu->place);
    lu->order = arena_array(memory, n, 1, sizeof *lu->order);
    lu->block = arena_array(memory, n, n, sizeof *lu->block);
    lu->link_count = arena_array(memory, n, 1, sizeof *lu->link_count);
    lu->link = arena_array(memory, n, n, sizeof *lu->link);
    lu->inverse = arena_array(memory, n, 1, sizeof *lu->inverse);
    char *done = arena_array(memory, n, 1, 1);
    if (memory->failed)
        return error_no_memory(err);
    for (int i = 0; i < count; i++) {
        lu->place[i] = lu->total;
        lu->total += size[i];
        linked[(size_t)i * n + (size_t)i] = 1;
    }
    lu->exchange = arena_array(memory, (size_t)lu->total, 1, sizeof *lu->exchange);
    lu->work = arena_array(memory, (size_t)lu->total, 1, sizeof *lu->work);
    order_blocks(lu, linked, done);
    for (size_t i = 0; i < n; i++) {
        lu->inverse[i] = arena_array(memory, (size_t)size[i], (size_t)size[i], sizeof(double));
        for (size_t j = 0; j < n; j++)
            if (linked[i * n + j])
                lu->block[i * n + j] = arena_array(memory, (size_t)size[i], (size_t)size[j], sizeof(double));
    }
    return memory->failed ? error_no_memory(err) : STATUS_OK;
}

void block_lu_clear(BlockLu *lu)
{
    size_t n = (size_t)lu->count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (lu->block[i * n + j])
                memset(lu->block[i * n + j], 0, (size_t)(lu->size[i] * lu->size[j]) * sizeof(double));
}

/* c -= a b, a [m][k], b [k][n]. */
static inline void subtract_product(double *restrict c, const double *restrict a, const double *restrict b, int m,
                                    int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            for (int l = 0; l < n; l++)
                c[i * n + l] -= a[i * k + j] * b[j * n + l];
}

/* Compiles blocks of 6 x 6, those of free bodies, separately. */
static void subtract(double *restrict c, const double *restrict a, const double *restrict b, int m, int k, int n)
{
    if (m == 6 && k == 6 && n == 6)
        subtract_product(c, a, b, 6, 6, 6);
    else
        subtract_product(c, a, b, m, k, n);
}

/* b[n][columns] <- A^-1 b. */
static inline void solve_columns(const double *lu, const int *exchange, int n, int columns, double *restrict b)
{
    for (int k = 0; k < n; k++)
        for (int l = 0; exchange[k] != k && l < columns; l++) {
            double kept = b[k * columns + l];
            b[k * columns + l] = b[exchange[k] * columns + l];
            b[exchange[k] * columns + l] = kept;
        }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int l = 0; l < columns; l++)
                b[i * columns + l] -= lu[i * n + j] * b[j * columns + l];
    for (int i = n - 1; i >= 0; i--) {
        double inverse = 1 / lu[i * n + i];
        for (int j = i + 1; j < n; j++)
            for (int l = 0; l < columns; l++)
                b[i * columns + l] -= lu[i * n + j] * b[j * columns + l];
        for (int l = 0; l < columns; l++)
            b[i * columns + l] *= inverse;
    }
}

static void solve_block(const double *lu, const int *exchange, int n, int columns, double *b)
{
    if (n == 6 && columns == 6)
        solve_columns(lu, exchange, 6, 6, b);
    else if (n == 6 && columns == 1)
        solve_columns(lu, exchange, 6, 1, b);
    else
        solve_columns(lu, exchange, n, columns, b);
}

int block_lu_factor(BlockLu *lu)
{
    for (int step = 0; step < lu->count; step++) {
        int k = lu->order[step], n = lu->size[k];
        const int *link = lu->link + (size_t)k * (size_t)lu->count;
        memcpy(lu->inverse[k], block_lu_at(lu, k, k), (size_t)(n * n) * sizeof(double));
        if (lu_factor(lu->inverse[k], n, lu->exchange + lu->place[k]) < n)
            return 0;
        for (int b = 0; b < lu->link_count[k]; b++) {
            double *row = block_lu_at(lu, k, link[b]);
            solve_block(lu->inverse[k], lu->exchange + lu->place[k], n, lu->size[link[b]], row);
            for (int a = 0; a < lu->link_count[k]; a++)
                subtract(block_lu_at(lu, link[a], link[b]), block_lu_at(lu, link[a], k), row, lu->size[link[a]], n,
                         lu->size[link[b]]);
        }
    }
    return 1;
}

void block_lu_solve(const BlockLu *lu, double *b)
{
    for (int step = 0; step < lu->count; step++) {
        int k = lu->order[step], n = lu->size[k];
        const int *link = lu->link + (size_t)k * (size_t)lu->count;
        solve_block(lu->inverse[k], lu->exchange + lu->place[k], n, 1, b + lu->place[k]);
        for (int a = 0; a < lu->link_count[k]; a++)
            subtract(b + lu->place[link[a]], block_lu_at(lu, link[a], k), b + lu->place[k], lu->size[link[a]], n, 1);
    }
    for (int step = lu->count - 1; step >= 0; step--) {
        int k = lu->order[step];
        const int *link = lu->link + (size_t)k * (size_t)lu->count;
        for (int a = 0; a < lu->link_count[k]; a++)
            subtract(b + lu->place[k], block_lu_at(lu, k, link[a]), b + lu->place[link[a]], lu->size[k],
                     lu->size[link[a]], 1);
    }
}
