/* See basis_factor.h. */
#include "analysis/solve/basis_factor.h"

#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

enum { CHANGED_SHARE = 4 }; /* at most count / 4 changes before a new factorization */

/* A pivot of the small system below this fraction of the terms of its row is rounding error. */
#define FACTOR_TOLERANCE 1e-12

BasisFactor basis_factor_make(int capacity, Arena *memory)
{
    size_t n = (size_t)capacity;
    return (BasisFactor){.rows = arena_array(memory, n, 1, sizeof(int)),
                         .place = arena_array(memory, n, 1, sizeof(int)),
                         .lu = arena_array(memory, n, n, sizeof(double)),
                         .exchange = arena_array(memory, n, 1, sizeof(int)),
                         .changed = arena_array(memory, n, 1, sizeof(int)),
                         .border = arena_array(memory, n, n, sizeof(double)),
                         .complement = arena_array(memory, n, n, sizeof(double)),
                         .scale = arena_array(memory, n, 1, sizeof(double)),
                         .complement_exchange = arena_array(memory, n, 1, sizeof(int)),
                         .first = arena_array(memory, n, 1, sizeof(double)),
                         .rest = arena_array(memory, n, 1, sizeof(double))};
}

static void forget(BasisFactor *f)
{
    f->count = f->changes = 0;
    for (int i = 0; i < f->size; i++)
        f->place[i] = -1;
}

void basis_factor_begin(BasisFactor *f, const double *m, int size)
{
    f->m = m;
    f->size = size;
    f->factored = 0;
    forget(f);
}

static double entry(const BasisFactor *f, int i, int j) { return f->m[(size_t)j * (size_t)f->size + (size_t)i]; }

static double *border_column(const BasisFactor *f, int k) { return f->border + (size_t)k * (size_t)f->count; }

int basis_factor_anew(BasisFactor *f, const char *in_basis)
{
    forget(f);
    for (int i = 0; i < f->size; i++)
        if (in_basis[i]) {
            f->place[i] = f->count;
            f->rows[f->count++] = i;
        }
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < f->count; j++)
            f->lu[(size_t)i * (size_t)f->count + (size_t)j] = entry(f, f->rows[i], f->rows[j]);
    f->unit = 0;
    for (int i = 0; i < f->count; i++)
        f->unit = fmax(f->unit, fabs(entry(f, f->rows[i], f->rows[i])));
    f->factored++;
    if (lu_factor(f->lu, f->count, f->exchange) == f->count)
        return 1;
    forget(f);
    return 0;
}

/* Column k of M_FF^-1 [M_FA E_R]. */
static void add_border(BasisFactor *f, int k)
{
    double *column = border_column(f, k);
    int row = f->changed[k];
    for (int i = 0; i < f->count; i++)
        column[i] = f->place[row] < 0 ? entry(f, f->rows[i], row) : 0;
    if (f->place[row] >= 0)
        column[f->place[row]] = f->unit;
    lu_solve(f->lu, f->exchange, f->count, column);
}

/* Row k of [M_AF; E_R'] times y; *terms: sum of the magnitudes of its terms. */
static double changed_row(const BasisFactor *f, int k, const double *y, double *terms)
{
    int row = f->changed[k], single = f->place[row];
    double sum = single >= 0 ? y[single] : 0;
    *terms = fabs(sum);
    for (int i = 0; single < 0 && i < f->count; i++) {
        double term = entry(f, row, f->rows[i]) * y[i];
        sum += term;
        *terms += fabs(term);
    }
    return sum;
}

static int is_change(const BasisFactor *f, const char *in_basis, int row)
{
    return (f->place[row] >= 0) != in_basis[row];
}

/* Drops the recorded changes that no longer apply. */
static void keep_changes(BasisFactor *f, const char *in_basis)
{
    int kept = 0;
    for (int k = 0; k < f->changes; k++) {
        if (!is_change(f, in_basis, f->changed[k]))
            continue;
        if (kept < k)
            memcpy(border_column(f, kept), border_column(f, k), (size_t)f->count * sizeof *f->border);
        f->changed[kept++] = f->changed[k];
    }
    f->changes = kept;
}

/* Returns 0 if there are too many changes. */
static int add_changes(BasisFactor *f, const char *in_basis)
{
    int known = f->changes;
    for (int i = 0; i < f->size; i++) {
        int is_new = is_change(f, in_basis, i);
        for (int k = 0; is_new && k < known; k++)
            is_new = f->changed[k] != i;
        if (!is_new)
            continue;
        if (f->changes == f->count / CHANGED_SHARE)
            return 0;
        f->changed[f->changes] = i;
        add_border(f, f->changes++);
    }
    return 1;
}

/* Row i of S = [M_AA 0; 0 0] - [M_AF; E_R'] M_FF^-1 [M_FA E_R], scaled by the largest sum of terms in the row. */
static void fill_complement_row(BasisFactor *f, int i)
{
    double *row = f->complement + (size_t)i * (size_t)f->changes, max = 0;
    int a = f->changed[i];
    for (int j = 0; j < f->changes; j++) {
        int b = f->changed[j];
        double terms, own = f->place[a] < 0 && f->place[b] < 0 ? entry(f, a, b) : 0;
        row[j] = own - changed_row(f, i, border_column(f, j), &terms);
        max = fmax(max, fabs(own) + terms);
    }
    f->scale[i] = max > 0 ? 1 / max : 1;
    for (int j = 0; j < f->changes; j++)
        row[j] *= f->scale[i];
}

/* Returns 0 if S is singular. */
static int factor_complement(BasisFactor *f)
{
    for (int i = 0; i < f->changes; i++)
        fill_complement_row(f, i);
    if (lu_factor(f->complement, f->changes, f->complement_exchange) < f->changes)
        return 0;
    for (int i = 0; i < f->changes; i++)
        if (!(fabs(f->complement[(size_t)i * (size_t)(f->changes + 1)]) > FACTOR_TOLERANCE))
            return 0;
    return 1;
}

int basis_factor_move(BasisFactor *f, const char *in_basis)
{
    keep_changes(f, in_basis);
    if (f->count > 0 && add_changes(f, in_basis) && factor_complement(f))
        return 1;
    return basis_factor_anew(f, in_basis);
}

/* y = M_FF^-1 b_F, t = S^-1 (b_A - M_AF y, -y_R), y -= border t. */
void basis_factor_solve(BasisFactor *f, double *b)
{
    double *y = f->first, *t = f->rest, terms;
    for (int i = 0; i < f->count; i++)
        y[i] = b[f->rows[i]];
    for (int k = 0; k < f->changes; k++)
        if (f->place[f->changed[k]] >= 0)
            y[f->place[f->changed[k]]] = 0;
    lu_solve(f->lu, f->exchange, f->count, y);
    for (int k = 0; k < f->changes; k++)
        t[k] = f->scale[k] * ((f->place[f->changed[k]] < 0 ? b[f->changed[k]] : 0) - changed_row(f, k, y, &terms));
    lu_solve(f->complement, f->complement_exchange, f->changes, t);
    for (int k = 0; k < f->changes; k++)
        for (int i = 0; i < f->count; i++)
            y[i] -= border_column(f, k)[i] * t[k];
    memset(b, 0, (size_t)f->size * sizeof *b);
    for (int i = 0; i < f->count; i++)
        b[f->rows[i]] = y[i];
    for (int k = 0; k < f->changes; k++)
        b[f->changed[k]] = f->place[f->changed[k]] < 0 ? t[k] : 0;
}
