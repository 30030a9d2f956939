/* LU of a matrix of square-diagonal blocks with a symmetric pattern, such as the bodies of a pile have, which contacts
 * couple to their neighbours alone. Blocks are eliminated in an order of few new ones (minimum degree); rows are
 * exchanged within a diagonal block alone, so the matrix should be nearly positive definite. */
#ifndef KANE_SOLVE_BLOCK_LU_H
#define KANE_SOLVE_BLOCK_LU_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

typedef struct BlockLu {
    int count;
    const int *size;  /* [count] of each block; the caller's */
    int *place;       /* [count] where the numbers of a block begin in a vector */
    int total;        /* numbers of a vector */
    int *order;       /* [count] of elimination */
    double **block;   /* [count][count] rows by columns; NULL: zero */
    int *link_count;  /* [count] blocks that are left when one is eliminated, */
    int *link;        /* [count][count] which they are */
    double **inverse; /* [count] LU of the diagonal blocks, */
    int *exchange;    /* [total] and their exchanges */
    double *work;     /* [total] */
} BlockLu;

/* The pattern: linked[count][count], symmetric, 1 where a block is not zero; it is filled in. All arrays are taken from
 * memory. */
Status block_lu_init(BlockLu *lu, int count, const int *size, char *linked, Arena *memory, Error *err);

/* All blocks become zero. */
void block_lu_clear(BlockLu *lu);

/* Block [row][column], size[row] x size[column]; NULL where it is not in the pattern. */
static inline double *block_lu_at(const BlockLu *lu, int row, int column)
{
    return lu->block[(size_t)row * (size_t)lu->count + (size_t)column];
}

/* 0 where a diagonal block is singular. */
int block_lu_factor(BlockLu *lu);

/* Solves in place of b[total]. */
void block_lu_solve(const BlockLu *lu, double *b);

#endif
