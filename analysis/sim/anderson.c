/* See anderson.h. */
#include "analysis/sim/anderson.h"

#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

#define DEPENDENT 1e-6 /* a change of r is linearly dependent if orthogonalization leaves less than this fraction of
                          it */

int anderson_init(Anderson *a, int size, Arena *arena)
{
    size_t n = (size_t)size;
    *a = (Anderson){.size = size, .p = arena_space(arena, ANDERSON_PAIRS, n, sizeof(double)),
                    .q = arena_space(arena, ANDERSON_PAIRS, n, sizeof(double)),
                    .last_x = arena_space(arena, n, 1, sizeof(double)),
                    .last_r = arena_space(arena, n, 1, sizeof(double))};
    return !arena->failed;
}

void anderson_begin(Anderson *a) { a->pair_count = a->has_last = 0; }

void anderson_mix(const Anderson *a, double *x, double *r)
{
    int kept = a->pair_count < ANDERSON_PAIRS ? a->pair_count : ANDERSON_PAIRS;
    for (int k = 0; k < kept; k++) {
        const double *p = a->p + (size_t)k * (size_t)a->size, *q = a->q + (size_t)k * (size_t)a->size;
        double along = dot_product(q, r, a->size);
        add_scaled(x, -along, p, a->size);
        add_scaled(r, -along, q, a->size);
    }
}

/* Replaces the oldest pair by the change since the last step, orthonormalized against the others. */
static void learn(Anderson *a, const double *x, const double *r)
{
    double *p = a->last_x, *q = a->last_r;
    for (int i = 0; i < a->size; i++) {
        p[i] = x[i] - p[i];
        q[i] = r[i] - q[i];
    }
    double before = sqrt(dot_product(q, q, a->size));
    anderson_mix(a, p, q);
    double left = sqrt(dot_product(q, q, a->size));
    if (!(left > DEPENDENT * before))
        return;
    size_t at = (size_t)(a->pair_count++ % ANDERSON_PAIRS) * (size_t)a->size;
    for (int i = 0; i < a->size; i++) {
        a->p[at + (size_t)i] = p[i] / left;
        a->q[at + (size_t)i] = q[i] / left;
    }
}

void anderson_note(Anderson *a, const double *x, const double *r)
{
    size_t bytes = (size_t)a->size * sizeof *x;
    if (a->has_last)
        learn(a, x, r);
    memcpy(a->last_x, x, bytes);
    memcpy(a->last_r, r, bytes);
    a->has_last = 1;
}
