/* Joint torques from motion, in total and as a sum of named terms: the thesis's two-pass recursion (3.41, 3.46) for a
 * floating base, with the gyroscopic moment and external couples that it omits (docs/sources.md "Errata"). */
#ifndef KANE_DYNAMICS_INVERSE_DYNAMICS_H
#define KANE_DYNAMICS_INVERSE_DYNAMICS_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* External loads on the bodies as inverse dynamics reads them: a force and a moment about the world origin per loaded
 * joint and frame. Measured tables and contact forces are converted to loads. */

typedef struct Loads {
    int frame_count;
    int load_count; /* loaded joints */
    int *joint;     /* [load] increasing, each once */
    Vec3 *force;    /* [frame][load] N, world axes, on the body */
    Vec3 *moment;   /* [frame][load] N m, about the world origin, world axes */
} Loads;

/* Rows of an external-force table with resolved joints (long form; docs/formats/input_tables.md). */
typedef struct ExternalRows {
    int row_count;
    double *time;  /* [row] s */
    int *joint;    /* [row] */
    Vec3 *force;   /* [row] N, world */
    Vec3 *point;   /* [row] m, world */
    Vec3 *couple;  /* [row] N m, world */
} ExternalRows;

Status external_rows_init(ExternalRows *rows, int row_count, Error *err);
void external_rows_free(ExternalRows *rows);

/* Allocates zero loads for the joints with loaded[joint] set. */
Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err);
void loads_free(Loads *l);

/* Converts a table to loads. Rows of one joint at the same time are added. Between times, force and moment about the
 * world origin are interpolated linearly, not the point. The first and last row extend by half a frame; beyond that the
 * load is zero. STATUS_BAD_INPUT if the times of a joint decrease. */
Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err);

/* Sums the contact points of each joint; the kinematics give their positions. */
Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err);

/* Input and output of the lane kernel of inverse dynamics: views, not owned. */

/* Lanes of scratch per joint: LaneJoint of inverse_dynamics_kernel.c and a position. */
enum { INVERSE_DYNAMICS_SCRATCH = 19 };

/* One body in the tree. */
typedef struct TreeJoint {
    int parent;
    int first_child;  /* -1: none */
    int next_sibling; /* -1: last child */
    int load;         /* index of its load; -1: none */
    int has_inertia;  /* 0: neither mass nor inertia; the joint only transmits the forces of its children */
    double mass;      /* kg */
    Vec3 offset;      /* m, parent axes */
    Vec3 com;         /* m, joint axes */
    Sym3 inertia;     /* kg m2, about the centre of mass, joint axes */
} TreeJoint;

/* Arrays are [frame][joint] unless stated otherwise; world axes, SI. */
typedef struct InverseDynamicsView {
    size_t frame_count, joint_count, load_count;
    const TreeJoint *joint;           /* [joint] */
    Vec3 gravity;
    const Quat *rotation;             /* joint to parent */
    const Vec3 *translation;          /* parent axes, or NULL */
    const Vec3 *root_position;        /* [frame] */
    const Vec3 *angular_velocity;
    const Vec3 *angular_acceleration;
    const Vec3 *velocity;
    const Vec3 *acceleration;
    const Vec3 *load_force;           /* [frame][load] */
    const Vec3 *load_moment;          /* [frame][load] about the world origin */
    Vec3 *torque, *force;
    double *power;
    double *scratch;                  /* [joint][INVERSE_DYNAMICS_SCRATCH][lane], 64-byte aligned */
} InverseDynamicsView;

/* frame_count must be at least the number of lanes. */
typedef void InverseDynamicsFrames(const InverseDynamicsView *view);
LANE_TWINS(InverseDynamicsFrames, inverse_dynamics_frames);

/* Standard gravity, m/s2, along -Y of the world. */
#define GRAVITY 9.80665

typedef struct InverseDynamicsDef {
    Vec3 gravity;    /* m/s2, world; default (0, -GRAVITY, 0) */
    LaneWidth lanes; /* default LANES_AUTO; results are bitwise equal at every width */
} InverseDynamicsDef;

InverseDynamicsDef inverse_dynamics_default_def(void);

/* Fills *out, which is empty or contains an earlier result, whose arrays are reused if their size fits.
 *
 * Reads rotation, root_position and translation of the motion, and angular velocity, angular acceleration and the
 * root's velocity and acceleration of the kinematics; if joints translate, velocity and acceleration of every joint.
 * The residual moment is about kinematics->com, or the centre of mass of the poses if that is NULL. loads may be NULL
 * or empty. STATUS_USAGE if sizes do not match. */
Status inverse_dynamics(const ClipView *clip, const Loads *loads, const InverseDynamicsDef *def, Dynamics *out,
                        Error *err);

/* Decomposes joint torques into named terms (docs/sources.md, thesis 3.41, 3.46).
 *
 * About the centre of joint j, over the segments i of its subtree, with c_i from that centre to the centre of mass:
 *   torque_j = sum -c_i x m_i g + c_i x m_i a_i + I_i alpha_i + omega_i x I_i omega_i  -  moments of the loads
 * For the root this is the residual. World axes. The recursion is that of inverse_dynamics, per term, so that the terms
 * sum to its torque up to rounding. Cost: O(joints * terms) per frame. */

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
static inline const TermLoad *torque_terms_of(const TorqueTerms *t, int joint)
{
    return t->load + (size_t)joint * TERM_COUNT;
}

/* Sum of the moments of TERM_COUNT terms, N m. */
Vec3 torque_terms_sum(const TermLoad *term);

/* Vector from the joint's centre to the nearest point on the line of action of the force, m; 0 without a force. */
Vec3 term_lever_arm(const TermLoad *term);

#endif
