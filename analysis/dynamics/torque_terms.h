/* Decomposes joint torques into named terms (docs/sources.md, thesis 3.41, 3.46).
 *
 * About the centre of joint j, over the segments i of its subtree, with c_i from that centre to the centre of mass:
 *   torque_j = sum -c_i x m_i g + c_i x m_i a_i + I_i alpha_i + omega_i x I_i omega_i  -  moments of the loads
 * For the root this is the residual. World axes. The recursion is that of inverse_dynamics, per term, so that the terms
 * sum to its torque up to rounding. Cost: O(joints * terms) per frame. */
#ifndef KANE_DYNAMICS_TORQUE_TERMS_H
#define KANE_DYNAMICS_TORQUE_TERMS_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/dynamics/loads.h"

typedef enum TorqueTerm {
    TERM_GRAVITY,         /* weight of the segments in the subtree */
    TERM_LINEAR_INERTIA,  /* m a of their centres of mass */
    TERM_ANGULAR_INERTIA, /* I alpha */
    TERM_GYROSCOPIC,      /* omega x I omega */
    TERM_GROUND_LEFT,     /* force under the left foot */
    TERM_GROUND_RIGHT,
    TERM_CONTACT,         /* forces of /contact on other segments: hands, paws, a seat */
    TERM_EXTERNAL,        /* loads from a table of external forces */
    TERM_SPRINGS,
    TERM_COUNT
} TorqueTerm;

/* Names such as "gravity", used for columns. */
extern const char *const torque_term_names[TERM_COUNT];

/* One term of one joint. */
typedef struct TermLoad {
    Vec3 moment; /* N m, part of the joint's torque */
    Vec3 force;  /* N, on the segments of the subtree: weight, -m a or external force; 0 for a couple */
} TermLoad;

/* External loads and the term of each. */
typedef struct TermSource {
    const Loads *loads;
    const TorqueTerm *term; /* [load] */
} TermSource;

enum { TERM_SOURCES = 3 };

typedef struct TorqueTerms {
    ClipView clip;
    TermSource source[TERM_SOURCES]; /* not owned */
    int source_count;
    TermLoad *load;     /* [joint][TERM_COUNT] of the last frame computed */
    Vec3 *acceleration; /* [joint] m/s2, of the joint centres in that frame */
    Arena memory;
} TorqueTerms;

/* Reads body, offsets, translation and kinematics of the clip, which must outlive the terms. STATUS_USAGE if loads have
 * a different number of frames or there are too many sources. */
Status torque_terms_init(TorqueTerms *t, const ClipView *clip, const TermSource *source, int source_count, Error *err);
void torque_terms_free(TorqueTerms *t);

/* Fills load for a frame of the clip. */
void torque_terms_at(TorqueTerms *t, int frame);

/* Terms of a joint, [TERM_COUNT]. */
static inline const TermLoad *joint_torque_terms(const TorqueTerms *t, int joint)
{
    return t->load + (size_t)joint * TERM_COUNT;
}

/* Sum of the moments of TERM_COUNT terms, N m. */
Vec3 torque_terms_sum(const TermLoad *term);

/* Vector from the joint's centre to the nearest point on the line of action of the force, m; 0 without a force. */
Vec3 term_lever_arm(const TermLoad *term);

#endif
