/* See kkt.h. */
#include "analysis/solve/kkt.h"

#include <stddef.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

/* (0.8) with -(h/2 + beta): G v + (gamma alpha / h^2) h lambda- = -gamma phi / h, gamma = 1 / (1/2 + beta / h). */
SoftRow soft_row(double inverse_stiffness, double damping, double h, double phi)
{
    double gamma = 1 / (0.5 + damping / h);
    return (SoftRow){gamma * inverse_stiffness / (h * h), -gamma * phi / h};
}

void kkt_place(Kkt *k, int size, int bilateral, Arena *memory)
{
    size_t n = (size_t)size, m = (size_t)bilateral;
    *k = (Kkt){.size = size, .bilateral = bilateral};
    k->mass = arena_space(memory, n, n, sizeof *k->mass);
    k->last = arena_space(memory, n, 1, sizeof *k->last);
    k->rows = arena_array(memory, m, n, sizeof *k->rows);
    k->response = arena_array(memory, m, n, sizeof *k->response);
    k->schur = arena_array(memory, m, m, sizeof *k->schur);
}

Status kkt_init(Kkt *k, int size, int bilateral, Error *err)
{
    Arena memory = {0};
    kkt_place(k, size, bilateral, &memory);
    k->memory = memory;
    if (!k->memory.failed)
        return STATUS_OK;
    kkt_free(k);
    return error_no_memory(err);
}

void kkt_free(Kkt *k)
{
    if (!k)
        return;
    arena_free(&k->memory);
    *k = (Kkt){0};
}

Status kkt_factor(Kkt *k, const double *mass, const double *rows, const double *compliance, Error *err)
{
    size_t n = (size_t)k->size, m = (size_t)k->bilateral;
    memcpy(k->mass, mass, n * n * sizeof *mass);
    int done = profile_factor(k->mass, k->size, k->last);
    if (done < k->size)
        return error_set(err, STATUS_NO_RESULT, "mass matrix is not positive definite in row %d", done);
    if (m == 0 || !rows)
        return STATUS_OK;
    memcpy(k->rows, rows, m * n * sizeof *rows);
    memcpy(k->response, rows, m * n * sizeof *rows);
    for (size_t i = 0; i < m; i++) {
        profile_solve(k->mass, k->last, k->size, k->response + i * n);
        for (size_t j = 0; j <= i; j++)
            k->schur[i * m + j] = dot_product(k->rows + j * n, k->response + i * n, k->size);
        k->schur[i * m + i] += compliance ? compliance[i] : 0;
    }
    done = cholesky_factor(k->schur, k->bilateral);
    if (done < k->bilateral)
        return error_set(err, STATUS_NO_RESULT, "bilateral constraint %d depends on those before it", done);
    return STATUS_OK;
}

/* 0.6: lambda = (G M^-1 G' + R)^-1 (g - G M^-1 b),  v = M^-1 b + M^-1 G' lambda. */
void kkt_solve(const void *kkt, double *y)
{
    const Kkt *k = kkt;
    size_t n = (size_t)k->size;
    double *lambda = y + n;
    profile_solve(k->mass, k->last, k->size, y);
    for (int i = 0; i < k->bilateral; i++)
        lambda[i] -= dot_product(k->rows + (size_t)i * n, y, k->size);
    cholesky_solve(k->schur, k->bilateral, lambda);
    for (int i = 0; i < k->bilateral; i++)
        for (size_t j = 0; j < n; j++)
            y[j] += k->response[(size_t)i * n + j] * lambda[i];
}

void kkt_add_impulses(const Kkt *kkt, const double *lambda, double *to)
{
    for (int r = 0; r < kkt->bilateral; r++)
        for (int k = 0; k < kkt->size; k++)
            to[k] += kkt->rows[(size_t)r * (size_t)kkt->size + (size_t)k] * lambda[r];
}

/* half <- (U^-1 b, L^-1 G M^-1 b), with the factors M = U U' and G M^-1 G' + R = L L'. */
static void solve_half(const Kkt *k, const double *b, double *half)
{
    size_t n = (size_t)k->size;
    memcpy(half, b, n * sizeof *half);
    profile_half_solve(k->mass, k->last, k->size, half);
    for (int i = 0; i < k->bilateral; i++)
        half[n + (size_t)i] = dot_product(k->response + (size_t)i * n, b, k->size);
    cholesky_half_solve(k->schur, k->bilateral, half + n);
}

/* Range [from, to) of the entries of x that are not zero. */
typedef struct Range {
    int from, to;
} Range;

static Range find_range(const double *x, int n)
{
    Range r = {0, n};
    while (r.to > 0 && x[r.to - 1] == 0)
        r.to--;
    while (r.from < r.to && x[r.from] == 0)
        r.from++;
    return r;
}

/* 0.6: N M^-1 N' - N M^-1 G' (G M^-1 G' + R)^-1 G M^-1 N'. Rows of bodies without a common joint have no common
 * non-zero entries. */
void kkt_mobility(const Kkt *k, const double *rows, int count, double *half, double *mobility)
{
    size_t n = (size_t)k->size, all = n + (size_t)k->bilateral, m = (size_t)count;
    for (size_t i = 0; i < m; i++) {
        double *own = half + i * all;
        solve_half(k, rows + i * n, own);
        Range a = find_range(own, k->size);
        for (size_t j = 0; j <= i; j++) {
            const double *other = half + j * all;
            double sum = dot_product(own + a.from, other + a.from, a.to - a.from);
            sum -= dot_product(own + n, other + n, k->bilateral);
            mobility[i * m + j] = mobility[j * m + i] = sum;
        }
    }
}
