/* A convex quadratic program over time with a friction cone per contact:
 *
 *     minimise  sum_t ( 1/2 f_t' H_t f_t + h_t' f_t )  +  sum_t sum_slot 1/2 |f_t - f_(t-1)|^2_smooth
 *     subject to every f in its friction cone,
 *
 * where a slot (a contact point of the body) that is no candidate in a frame carries zero there. Neighbouring frames
 * are coupled by the smoothing term alone, so the Hessian is block tridiagonal.
 *
 * chain_solver.h finds the minimum. */
#ifndef KANE_SOLVE_CHAIN_QP_H
#define KANE_SOLVE_CHAIN_QP_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"

enum { CHAIN_PADDING = 8 }; /* entries that kernels read, and write as they were, behind an array's end */

typedef struct ChainQp {
    int frame_count;
    int slot_count;
    int held_count;   /* leading frames whose forces are given, not sought; default 0 */
    int *first;       /* [frame + 1] first contact of a frame in the lists below */
    int *slot;        /* [contact] increasing inside a frame */
    uint8_t *grip;    /* [contact] 1: its force may point anywhere, no cone binds it */
    size_t *block;    /* [frame + 1] start of the frame's Hessian */
    double *hessian;  /* [block[t]] H_t of n contacts, symmetric positive definite: chain_qp_block, padded with zeros */
    Vec3 *linear;     /* [contact] h */
    Vec3 smooth;      /* weights of the differences in time, per component */
    size_t frame_room, contact_room, entry_room;
    Arena memory;     /* of the arrays */
} ChainQp;

/* Entries of each of a contact's three rows of H_t, `left` contacts from this one to the frame's last: whole lanes. */
static inline size_t chain_row_length(int left) { return (size_t)(3 * left + 7) & ~(size_t)7; }

/* Entries of H_t of n contacts: three rows of chain_row_length for n, n - 1, ... 1 contacts left. The lengths of eight
 * contacts and more are those of eight fewer, and 24. */
static inline size_t chain_entries(int n)
{
    static const unsigned char rest[8] = {0, 8, 16, 32, 48, 64, 88, 112};
    int eights = n / 8;
    return (size_t)(3 * (136 * eights + 96 * eights * (eights - 1) + 24 * eights * (n % 8) + rest[n % 8]));
}

/* The block of contacts a and b >= a of frame t, counted in the frame: three rows of three entries; the rows lie
 * chain_row_length(n - a) apart. Blocks of one a lie three entries apart. */
static inline double *chain_qp_block(const ChainQp *qp, int t, int a, int b)
{
    int n = qp->first[t + 1] - qp->first[t];
    return qp->hessian + qp->block[t] + chain_entries(n) - chain_entries(n - a) + 3 * (b - a);
}

/* Room for a chain of frames with the given total of contacts and of Hessian entries (chain_entries of each frame).
 * *qp is empty ((ChainQp){0}) or holds an earlier chain, whose room is used again; the contents are not cleared. */
Status chain_qp_init(ChainQp *qp, int frame_count, int slot_count, size_t contact_count, size_t hessian_count,
                     Error *err);
void chain_qp_free(ChainQp *qp);

static inline int chain_contacts(const ChainQp *qp, int t) { return qp->first[t + 1] - qp->first[t]; }

/* How many neighbours in time a frame is tied to: 0, 1 or 2. */
static inline int chain_ties(const ChainQp *qp, int t) { return (t > 0) + (t < qp->frame_count - 1); }

#endif
