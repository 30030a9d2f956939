/* LU factors of a sparse block matrix with square diagonal blocks and a symmetric pattern, such as that of a pile of
 * bodies, in which contacts couple neighbours only. Blocks are eliminated in minimum-degree order to limit fill-in.
 * Rows are exchanged only within a diagonal block, so the matrix should be nearly positive definite. */
#ifndef KANE_MATH_BLOCK_LU_H
#define KANE_MATH_BLOCK_LU_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

typedef struct BlockLu {
    int count;
    const int *size;  /* [count] rows of each block; not owned */
    int *place;       /* [count] first row of each block */
    int total;        /* rows of the matrix */
    int *order;       /* [count] order of elimination */
    double **block;   /* [count][count] entries by rows; NULL: zero */
    int *link_count;  /* [count] number of blocks coupled to a block when it is eliminated */
    int *link;        /* [count][count] their indices */
    double **inverse; /* [count] LU factors of the diagonal blocks */
    int *exchange;    /* [total] row exchanges of these factors */
    double *work;     /* [total] */
} BlockLu;

/* linked[count][count], symmetric, is 1 where a block is not zero; on return it includes the fill-in. Allocates in
 * `memory`. */
Status block_lu_init(BlockLu *lu, int count, const int *size, char *linked, Arena *memory, Error *err);

/* Sets all blocks to zero. */
void block_lu_clear(BlockLu *lu);

/* Block [row][column], size[row] x size[column]; NULL outside the pattern. */
static inline double *block_lu_at(const BlockLu *lu, int row, int column)
{
    return lu->block[(size_t)row * (size_t)lu->count + (size_t)column];
}

/* Returns 0 if a diagonal block is singular. */
int block_lu_factor(BlockLu *lu);

/* b[total] <- A^-1 b. */
void block_lu_solve(const BlockLu *lu, double *b);

#endif
