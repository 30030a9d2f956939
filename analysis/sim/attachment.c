/* See attachment.h. */
#include "analysis/sim/attachment.h"

#include <string.h>

#include "analysis/base/arena.h"

static int own_entry(const Attachment *a, int i) { return a->own ? a->own[i] : a->first + i; }

static int depends_on(const Attachment *a, const Attachment *master, int size)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < master->count; k++)
            if (a->rows[(size_t)i * (size_t)size + (size_t)own_entry(master, k)] != 0)
                return 1;
    return 0;
}

static int overlap(const Attachment *a, const Attachment *b)
{
    int some = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            some |= own_entry(a, i) == own_entry(b, k);
    return some;
}

/* Topological order: repeatedly takes an attachment on which none of the remaining ones depends. */
Status attachment_order(const Attachment *a, int count, int size, int *order, Error *err)
{
    char *taken = array_new((size_t)count, 1, 1);
    Status status = STATUS_OK;
    if (!taken)
        return error_no_memory(err);
    for (int n = 0; n < count; n++) {
        int next = -1;
        for (int i = 0; next < 0 && i < count; i++) {
            int free_to_go = !taken[i];
            for (int k = 0; free_to_go && k < count; k++)
                if (!taken[k] && (depends_on(&a[k], &a[i], size) || (k != i && overlap(&a[k], &a[i]))))
                    free_to_go = 0;
            if (free_to_go)
                next = i;
        }
        if (next < 0) {
            status = error_set(err, STATUS_BAD_INPUT, "attachments form a loop or attach one component twice");
            break;
        }
        taken[next] = 1;
        order[n] = next;
    }
    free(taken);
    return status;
}

static double *at(double *m, int stride, int row, int column)
{
    return m + (size_t)row * (size_t)stride + (size_t)column;
}

static double attachment_bias(const Attachment *a, int i) { return a->bias ? a->bias[i] : 0; }

/* Substitutes into the columns of a matrix: X_j' = X_j - X_k G_kj, and into the right side: g' = g - X_k g_k; (0.31),
 * (0.32), (0.35). */
void attachment_reduce_rows(const Attachment *a, int row_count, int size, double *m, double *right)
{
    for (int r = 0; r < row_count; r++)
        for (int i = 0; i < a->count; i++) {
            double x = *at(m, size, r, own_entry(a, i));
            if (x == 0)
                continue;
            for (int j = 0; j < size; j++)
                *at(m, size, r, j) -= x * a->rows[(size_t)i * (size_t)size + (size_t)j];
            *at(m, size, r, own_entry(a, i)) = 0;
            if (right)
                right[r] -= x * attachment_bias(a, i);
        }
}

/* After the substitution of columns, all rows, including those of k, contain M_ij' = M_ij - M_ik G_kj and f_i - M_ik
 * g_k. Folding the rows, M_ij'' = M_ij' - G_ki' M_kj' and f_i'' = f_i' - G_ki' f_k', gives (0.27) to (0.30), (0.33),
 * (0.34). */
void attachment_reduce(DenseSystem *s, const Attachment *a)
{
    attachment_reduce_rows(a, s->row_count, s->size, s->rows, s->right);
    attachment_reduce_rows(a, s->size, s->size, s->mass, s->force);
    for (int k = 0; k < a->count; k++) {
        int own = own_entry(a, k);
        for (int i = 0; i < s->size; i++) {
            double g = a->rows[(size_t)k * (size_t)s->size + (size_t)i];
            for (int j = 0; g != 0 && j < s->size; j++)
                *at(s->mass, s->size, i, j) -= g * *at(s->mass, s->size, own, j);
            s->force[i] -= g * s->force[own];
        }
    }
    for (int k = 0; k < a->count; k++) {
        memset(at(s->mass, s->size, own_entry(a, k), 0), 0, (size_t)s->size * sizeof *s->mass);
        s->force[own_entry(a, k)] = 0;
    }
}

void attachment_velocity(const Attachment *a, int size, double *v)
{
    for (int i = 0; i < a->count; i++) {
        double sum = attachment_bias(a, i);
        for (int j = 0; j < size; j++)
            sum -= a->rows[(size_t)i * (size_t)size + (size_t)j] * v[j];
        v[own_entry(a, i)] = sum;
    }
}

void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held)
{
    for (int i = 0; i < a->count; i++) {
        int own = own_entry(a, i);
        double sum = before->force[own];
        for (int j = 0; j < before->size; j++)
            sum -= *at(before->mass, before->size, own, j) * v[j];
        for (int r = 0; lambda && r < before->row_count; r++)
            sum -= *at(before->rows, before->size, r, own) * lambda[r];
        held[i] = sum;
    }
}
