/* See band_matrix.h. */
#include "analysis/solve/band_matrix.h"

#include <math.h>
#include <string.h>

BandMatrix band_matrix(size_t size, size_t width, Arena *arena)
{
    return (BandMatrix){size, width, arena_array(arena, size, width + 1, sizeof(double))};
}

void band_matrix_clear(BandMatrix *a)
{
    memset(a->value, 0, a->size * (a->width + 1) * sizeof *a->value);
}

static size_t row_length(const BandMatrix *a, size_t row)
{
    size_t left = a->size - row;
    return left < a->width + 1 ? left : a->width + 1;
}

/* Factors U'U = A row by row; b becomes U'^-1 b. */
static int factor(BandMatrix *a, double *b)
{
    size_t stride = a->width + 1;
    for (size_t i = 0; i < a->size; i++) {
        double *row = a->value + i * stride;
        size_t length = row_length(a, i);
        if (!(row[0] > 0) || !isfinite(row[0]))
            return 0;
        double scale = 1 / sqrt(row[0]);
        for (size_t k = 0; k < length; k++)
            row[k] *= scale;
        b[i] *= scale;
        for (size_t k = 1; k < length; k++) {
            double *below = a->value + (i + k) * stride, factor_k = row[k];
            if (factor_k == 0)
                continue;
            for (size_t j = k; j < length; j++)
                below[j - k] -= factor_k * row[j];
            b[i + k] -= factor_k * b[i];
        }
    }
    return 1;
}

int band_matrix_solve(BandMatrix *a, double *b)
{
    size_t stride = a->width + 1;
    if (!factor(a, b))
        return 0;
    for (size_t i = a->size; i-- > 0;) {
        const double *row = a->value + i * stride;
        size_t length = row_length(a, i);
        for (size_t k = 1; k < length; k++)
            b[i] -= row[k] * b[i + k];
        b[i] *= row[0] > 0 ? 1 / row[0] : 0;
    }
    return 1;
}
