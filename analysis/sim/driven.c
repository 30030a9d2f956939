#include "analysis/sim/driven.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/solve/kkt.h"

/* The part of the system that is free, (alpha), with what drives moved to the right side. */
typedef struct FreePart {
    int size;
    int *entry;                    /* [size] of the whole */
    double *mass, *rows, *y;
} FreePart;

static void free_part_free(FreePart *p)
{
    free(p->entry);
    free(p->mass);
    free(p->rows);
    free(p->y);
}

/* 0 where memory is short. */
static int free_part_init(FreePart *p, const DrivenSystem *s)
{
    size_t n = (size_t)s->size, m = (size_t)s->row_count;
    *p = (FreePart){0};
    p->entry = array_new(n, 1, sizeof *p->entry);
    p->mass = array_new(n, n, sizeof *p->mass);
    p->rows = array_new(m, n, sizeof *p->rows);
    p->y = array_new(n + m, 1, sizeof *p->y);
    if (!p->entry || !p->mass || !p->rows || !p->y)
        return 0;
    for (int i = 0; i < s->size; i++)
        if (!s->driven[i])
            p->entry[p->size++] = i;
    return 1;
}

/* sum over the driven entries of row v */
static double driven_part(const DrivenSystem *s, const double *row, const double *v)
{
    double sum = 0;
    for (int i = 0; i < s->size; i++)
        if (s->driven[i])
            sum += row[i] * v[i];
    return sum;
}

/* M_aa, G_a; f_a - M_ar v_r, g - G_r v_r */
static void fill(FreePart *p, const DrivenSystem *s, const double *v)
{
    size_t n = (size_t)s->size, free_size = (size_t)p->size;
    for (size_t i = 0; i < free_size; i++) {
        const double *row = s->mass + (size_t)p->entry[i] * n;
        for (size_t j = 0; j < free_size; j++)
            p->mass[i * free_size + j] = row[p->entry[j]];
        p->y[i] = s->force[p->entry[i]] - driven_part(s, row, v);
    }
    for (size_t r = 0; r < (size_t)s->row_count; r++) {
        for (size_t j = 0; j < free_size; j++)
            p->rows[r * free_size + j] = s->rows[r * n + (size_t)p->entry[j]];
        p->y[free_size + r] = s->right[r] - driven_part(s, s->rows + r * n, v);
    }
}

/* d_r = M_ra v_a + M_rr v_r - G_r' lambda - f_r */
static void find_impulse(const DrivenSystem *s, const double *v, const double *lambda, double *impulse)
{
    size_t n = (size_t)s->size;
    for (size_t i = 0; i < n; i++) {
        double sum = -s->force[i];
        for (size_t j = 0; j < n; j++)
            sum += s->mass[i * n + j] * v[j];
        for (size_t r = 0; r < (size_t)s->row_count; r++)
            sum -= s->rows[r * n + i] * lambda[r];
        impulse[i] = s->driven[i] ? sum : 0;
    }
}

Status driven_solve(const DrivenSystem *s, double *v, double *lambda, double *impulse, Error *err)
{
    FreePart part;
    Kkt kkt = {0};
    Status status = STATUS_OK;
    if (!free_part_init(&part, s)) {
        status = error_no_memory(err);
        goto done;
    }
    fill(&part, s, v);
    status = kkt_init(&kkt, part.size, s->row_count, err);
    if (!status)
        status = kkt_factor(&kkt, part.mass, part.rows, s->compliance, err);
    if (status)
        goto done;
    kkt_solve(&kkt, part.y);
    for (int i = 0; i < part.size; i++)
        v[part.entry[i]] = part.y[i];
    memcpy(lambda, part.y + part.size, (size_t)s->row_count * sizeof *lambda);
    find_impulse(s, v, lambda, impulse);
done:
    kkt_free(&kkt);
    free_part_free(&part);
    return status;
}
