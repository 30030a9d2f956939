#include "analysis/sim/dense_system.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/solve/kkt.h"

/* The part of the system that is free, (alpha), with what drives moved to the right side. */
typedef struct FreePart {
    const char *driven;      /* [size of the whole] */
    int size;
    int *entry;              /* [size] of the whole */
    double *mass, *rows, *y;
} FreePart;

static FreePart free_part(Arena *arena, const DenseSystem *s, const char *driven)
{
    size_t n = (size_t)s->size, m = (size_t)s->row_count;
    FreePart p = {.driven = driven,
                  .entry = arena_array(arena, n, 1, sizeof *p.entry),
                  .mass = arena_array(arena, n, n, sizeof *p.mass),
                  .rows = arena_array(arena, m, n, sizeof *p.rows),
                  .y = arena_array(arena, n + m, 1, sizeof *p.y)};
    for (int i = 0; !arena->failed && i < s->size; i++)
        if (!driven[i])
            p.entry[p.size++] = i;
    return p;
}

/* sum over the driven entries of row v */
static double driven_part(const FreePart *p, int size, const double *row, const double *v)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        if (p->driven[i])
            sum += row[i] * v[i];
    return sum;
}

/* M_aa, G_a; f_a - M_ar v_r, g - G_r v_r */
static void fill(FreePart *p, const DenseSystem *s, const double *v)
{
    size_t n = (size_t)s->size, free_size = (size_t)p->size;
    for (size_t i = 0; i < free_size; i++) {
        const double *row = s->mass + (size_t)p->entry[i] * n;
        for (size_t j = 0; j < free_size; j++)
            p->mass[i * free_size + j] = row[p->entry[j]];
        p->y[i] = s->force[p->entry[i]] - driven_part(p, s->size, row, v);
    }
    for (size_t r = 0; r < (size_t)s->row_count; r++) {
        for (size_t j = 0; j < free_size; j++)
            p->rows[r * free_size + j] = s->rows[r * n + (size_t)p->entry[j]];
        p->y[free_size + r] = s->right[r] - driven_part(p, s->size, s->rows + r * n, v);
    }
}

/* d_r = M_ra v_a + M_rr v_r - G_r' lambda - f_r */
static void find_impulse(const DenseSystem *s, const char *driven, const double *v, const double *lambda,
                         double *impulse)
{
    size_t n = (size_t)s->size;
    for (size_t i = 0; i < n; i++) {
        double sum = -s->force[i];
        for (size_t j = 0; j < n; j++)
            sum += s->mass[i * n + j] * v[j];
        for (size_t r = 0; r < (size_t)s->row_count; r++)
            sum -= s->rows[r * n + i] * lambda[r];
        impulse[i] = driven[i] ? sum : 0;
    }
}

Status driven_solve(const DenseSystem *s, const char *driven, double *v, double *lambda, double *impulse, Error *err)
{
    Arena arena = {0};
    Kkt kkt = {0};
    FreePart part = free_part(&arena, s, driven);
    Status status = arena.failed ? error_no_memory(err) : kkt_init(&kkt, part.size, s->row_count, err);
    if (status)
        goto done;
    fill(&part, s, v);
    status = kkt_factor(&kkt, part.mass, part.rows, s->compliance, err);
    if (status)
        goto done;
    kkt_solve(&kkt, part.y);
    for (int i = 0; i < part.size; i++)
        v[part.entry[i]] = part.y[i];
    memcpy(lambda, part.y + part.size, (size_t)s->row_count * sizeof *lambda);
    find_impulse(s, driven, v, lambda, impulse);
done:
    kkt_free(&kkt);
    arena_free(&arena);
    return status;
}

/* Columns of the inverse: the solutions for unit right sides (0.6). Their first rows hold M^-1 P_f (0.5). */
Status projection_kkt_inverse(const DenseSystem *s, double *inverse, Error *err)
{
    Kkt kkt = {0};
    Arena arena = {0};
    size_t n = (size_t)(s->size + s->row_count);
    double *column = arena_array(&arena, n, 1, sizeof *column);
    Status status = arena.failed ? error_no_memory(err) : kkt_init(&kkt, s->size, s->row_count, err);
    if (!status)
        status = kkt_factor(&kkt, s->mass, s->rows, NULL, err);
    for (size_t j = 0; !status && j < n; j++) {
        memset(column, 0, n * sizeof *column);
        column[j] = 1;
        kkt_solve(&kkt, column);
        for (size_t i = 0; i < n; i++)
            inverse[i * n + j] = column[i];
    }
    kkt_free(&kkt);
    arena_free(&arena);
    return status;
}

Status projection_matrices(const DenseSystem *s, double *force, double *velocity, Error *err)
{
    size_t n = (size_t)s->size, all = (size_t)(s->size + s->row_count);
    Arena arena = {0};
    double *inverse = arena_array(&arena, all, all, sizeof *inverse);
    Status status = arena.failed ? error_no_memory(err) : projection_kkt_inverse(s, inverse, err);
    for (size_t i = 0; !status && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += s->mass[i * n + k] * inverse[k * all + j];
            force[i * n + j] = velocity[j * n + i] = sum;
        }
    arena_free(&arena);
    return status;
}
