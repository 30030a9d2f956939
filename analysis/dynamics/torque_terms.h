/* Why a joint carries what it carries: its torque as a sum of named terms (docs/sources.md, thesis 3.41, 3.46).
 *
 * About the centre of joint j, over the segments i at and beyond it, with c_i from that centre to the centre of mass:
 *     torque_j = sum -c_i x m_i g + c_i x m_i a_i + I_i alpha_i + omega_i x I_i omega_i  -  moments of the loads
 * Of the root this is the residual. World axes. The recursion is that of inverse_dynamics, a term at a time, so that
 * the terms sum to its torque but for rounding. Cost: O(joints * terms) a frame. */
#ifndef KANE_DYNAMICS_TORQUE_TERMS_H
#define KANE_DYNAMICS_TORQUE_TERMS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"

typedef enum TorqueTerm {
    TERM_GRAVITY,         /* weight of the segments beyond */
    TERM_LINEAR_INERTIA,  /* m a of their centres of mass */
    TERM_ANGULAR_INERTIA, /* I alpha */
    TERM_GYROSCOPIC,      /* omega x I omega */
    TERM_GROUND_LEFT,     /* force under the left foot */
    TERM_GROUND_RIGHT,
    TERM_CONTACT,         /* forces of /contact on other segments: hands, paws, a seat */
    TERM_EXTERNAL,        /* of a table given to torque */
    TERM_SPRINGS,
    TERM_COUNT
} TorqueTerm;

/* "gravity"; the words of columns. */
extern const char *const torque_term_names[TERM_COUNT];

/* One term of one joint. */
typedef struct TermLoad {
    Vec3 moment; /* Nm, part of the joint's torque */
    Vec3 force;  /* N, what acts on the segments beyond: weight, -m a, force of the ground; 0 of a couple */
} TermLoad;

/* Loads of the surroundings, and which term each of them is. */
typedef struct TermSource {
    const Loads *loads;
    const TorqueTerm *term; /* [load] */
} TermSource;

enum { TERM_SOURCES = 3 };

typedef struct TorqueTerms {
    ClipView clip;
    TermSource source[TERM_SOURCES]; /* borrowed */
    int source_count;
    TermLoad *load;     /* [joint][TERM_COUNT] of the frame that was last asked for */
    Vec3 *acceleration; /* [joint] m/s2, of the joint centre there */
    Arena memory;
} TorqueTerms;

/* Reads body, offsets, translation and the kinematics of the clip, which live as long as the terms. STATUS_USAGE where
 * loads have other frames than the clip, or sources are too many. */
Status torque_terms_init(TorqueTerms *t, const ClipView *clip, const TermSource *source, int source_count, Error *err);
void torque_terms_free(TorqueTerms *t);

/* Fills load for a frame of the clip. */
void torque_terms_at(TorqueTerms *t, int frame);

/* [TERM_COUNT] */
static inline const TermLoad *torque_terms_of(const TorqueTerms *t, int joint)
{
    return t->load + (size_t)joint * TERM_COUNT;
}

/* Sum of the moments of TERM_COUNT terms, Nm. */
Vec3 torque_terms_sum(const TermLoad *term);

/* From the joint's centre to the nearest point of the line along which the force acts, m; 0 where there is no force. */
Vec3 term_lever_arm(const TermLoad *term);

#endif
