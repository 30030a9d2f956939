#include "analysis/sim/projection.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/solve/kkt.h"

/* Columns of the inverse: the solutions for unit right sides (0.6). Their first rows hold M^-1 P_f (0.5). */
Status projection_kkt_inverse(const double *mass, const double *rows, int size, int count, double *inverse, Error *err)
{
    Kkt kkt;
    size_t n = (size_t)(size + count);
    double *column = array_new(n, 1, sizeof *column);
    if (!column)
        return error_no_memory(err);
    Status status = kkt_init(&kkt, size, count, err);
    if (!status)
        status = kkt_factor(&kkt, mass, rows, NULL, err);
    for (size_t j = 0; !status && j < n; j++) {
        memset(column, 0, n * sizeof *column);
        column[j] = 1;
        kkt_solve(&kkt, column);
        for (size_t i = 0; i < n; i++)
            inverse[i * n + j] = column[i];
    }
    kkt_free(&kkt);
    free(column);
    return status;
}

Status projection_matrices(const double *mass, const double *rows, int size, int count, double *force,
                           double *velocity, Error *err)
{
    size_t n = (size_t)size, all = (size_t)(size + count);
    double *inverse = array_new(all, all, sizeof *inverse);
    if (!inverse)
        return error_no_memory(err);
    Status status = projection_kkt_inverse(mass, rows, size, count, inverse, err);
    for (size_t i = 0; !status && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += mass[i * n + k] * inverse[k * all + j];
            force[i * n + j] = velocity[j * n + i] = sum;
        }
    free(inverse);
    return status;
}
