#include "analysis/sim/attachment.h"

#include <string.h>

#include "analysis/base/memory.h"

static int depends_on(const Attachment *a, const Attachment *master, int size)
{
    for (int i = 0; i < a->count; i++)
        for (int k = master->first; k < master->first + master->count; k++)
            if (a->rows[(size_t)i * (size_t)size + (size_t)k] != 0)
                return 1;
    return 0;
}

static int overlap(const Attachment *a, const Attachment *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Takes one after another an attachment on which none that is left depends. */
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

static double bias_of(const Attachment *a, int i) { return a->bias ? a->bias[i] : 0; }

/* Columns of a matrix: X_j' = X_j - X_k G_kj, and the right side g' = g - X_k g_k: (0.31), (0.32), (0.35). */
void attachment_reduce_rows(const Attachment *a, int row_count, int size, double *m, double *right)
{
    for (int r = 0; r < row_count; r++)
        for (int i = 0; i < a->count; i++) {
            double x = *at(m, size, r, a->first + i);
            if (x == 0)
                continue;
            for (int j = 0; j < size; j++)
                *at(m, size, r, j) -= x * a->rows[(size_t)i * (size_t)size + (size_t)j];
            *at(m, size, r, a->first + i) = 0;
            if (right)
                right[r] -= x * bias_of(a, i);
        }
}

/* With columns substituted, M_ij' = (M_ij - M_ik G_kj) and f_i - M_ik g_k stand in all rows, those of k included.
 * Folding rows: M_ij'' = M_ij' - G_ki' M_kj', f_i'' = f_i' - G_ki' f_k' gives (0.27) to (0.30), (0.33), (0.34). */
void attachment_reduce(DenseSystem *s, const Attachment *a)
{
    attachment_reduce_rows(a, s->row_count, s->size, s->rows, s->right);
    attachment_reduce_rows(a, s->size, s->size, s->mass, s->force);
    for (int k = 0; k < a->count; k++) {
        int own = a->first + k;
        for (int i = 0; i < s->size; i++) {
            double g = a->rows[(size_t)k * (size_t)s->size + (size_t)i];
            for (int j = 0; g != 0 && j < s->size; j++)
                *at(s->mass, s->size, i, j) -= g * *at(s->mass, s->size, own, j);
            s->force[i] -= g * s->force[own];
        }
    }
    for (int k = 0; k < a->count; k++) {
        memset(at(s->mass, s->size, a->first + k, 0), 0, (size_t)s->size * sizeof *s->mass);
        s->force[a->first + k] = 0;
    }
}

void attachment_velocity(const Attachment *a, int size, double *v)
{
    for (int i = 0; i < a->count; i++) {
        double sum = bias_of(a, i);
        for (int j = 0; j < size; j++)
            if (j < a->first || j >= a->first + a->count)
                sum -= a->rows[(size_t)i * (size_t)size + (size_t)j] * v[j];
        v[a->first + i] = sum;
    }
}

void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held)
{
    for (int i = 0; i < a->count; i++) {
        int own = a->first + i;
        double sum = before->force[own];
        for (int j = 0; j < before->size; j++)
            sum -= *at(before->mass, before->size, own, j) * v[j];
        for (int r = 0; r < before->row_count; r++)
            sum -= *at(before->rows, before->size, r, own) * lambda[r];
        held[i] = sum;
    }
}
