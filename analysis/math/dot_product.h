/* The product of two rows of numbers. */
#ifndef KANE_MATH_DOT_PRODUCT_H
#define KANE_MATH_DOT_PRODUCT_H

/* In four sums, for an addition waits for the one before; their order is fixed, so every compiler has the same bits. */
static inline double dot_product(const double *a, const double *b, int n)
{
    double sum[4] = {0}, rest = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        rest += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

#endif
