/* The covariance of every joint's torque, as the sum of what independent causes do to it. */
#ifndef KANE_UNCERTAINTY_TORQUE_COVARIANCE_H
#define KANE_UNCERTAINTY_TORQUE_COVARIANCE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/differentiate.h"

/* What a torque is uncertain by, each with its size: data/uncertainty.tsv, compiled in, which states unit and
 * source. */

/* Effects of a term are taken at one standard deviation. */
typedef enum SpreadTerm {
    SPREAD_JOINT_CENTRE,    /* m, each component of where a joint turns */
    SPREAD_SEGMENT_CENTRE,  /* m, each component of a segment's centre of mass */
    SPREAD_FOOT_CENTRE,     /* m, the same of feet */
    SPREAD_SEGMENT_MASS,    /* 1, times the spread of published tables */
    SPREAD_FOOT_MASS,       /* 1, the same of feet */
    SPREAD_CUTOFF,          /* 1, times what a second pass of the filter changes */
    SPREAD_FILTER,          /* 1, the same of the ensemble's motions */
    SPREAD_NOISE,           /* rad, of a joint's angle in every frame, white */
    SPREAD_PRESSURE_ALONG,  /* m, of the centre of pressure, forward */
    SPREAD_PRESSURE_SIDE,   /* m, sideways */
    SPREAD_STANCE_ALONG,    /* m, of the centre of pressure besides, where two limbs share the load alike, forward */
    SPREAD_STANCE_SIDE,     /* m, sideways */
    SPREAD_STANCE_TWIST,    /* m, of the free moment there, of the vertical force */
    SPREAD_LEAN_ALONG,      /* 1, of the force forward, of its vertical part */
    SPREAD_SHARE,           /* 1, of the load, where two limbs share it alike */
    SPREAD_SHARE_ALONG,     /* 1, of the force between them, forward, of the load */
    SPREAD_SHARE_SIDE,      /* 1, sideways */
    SPREAD_TIME_SHORT,      /* 1, of the change of the force within 10 ms */
    SPREAD_TIME_LONG,       /* 1, within 30 ms */
    SPREAD_FREE_MOMENT,     /* m, about the vertical, of the vertical force */
    SPREAD_RESIDUAL_FORCE,  /* 1, of the force of the floating base that no limb supports */
    SPREAD_RESIDUAL_MOMENT, /* 1, of its moment */
    SPREAD_PLATE_PRESSURE,  /* m, of a measured centre of pressure */
    SPREAD_RESIDUAL_SHARE,  /* 1, of the torque, times the residual moment about the COM (residual_ratio) */
    SPREAD_TERM_COUNT,
    SPREAD_CUTOFF_MOST = SPREAD_TERM_COUNT, /* Nm/kg, RMS of a component: the most that the cutoff contributes; 0: no
                                               limit */
    SPREAD_SCALE,                           /* 1, factor of all standard deviations */
    SPREAD_SIZE_COUNT
} SpreadTerm;

/* How the effects are found. */
typedef enum SpreadMethod {
    SPREAD_FAST, /* by linearisation about the torques that are there */
    SPREAD_FULL, /* ground forces, masses, filter and noise by an ensemble (torque_uncertainty.h), the rest as before */
} SpreadMethod;

/* 1 where SPREAD_FULL varies the term over its ensemble; all others are linear under either method. */
int spread_term_is_varied(SpreadTerm term);

/* A row of data/uncertainty.tsv. */
typedef struct SpreadSize {
    SpreadTerm term;
    double fast, full;
} SpreadSize;

extern const SpreadSize spread_sizes[];
extern const int spread_sizes_count;

/* The standard deviations of all terms under a method, the limit and the factor: size[SPREAD_SIZE_COUNT]. */
void spread_terms_sizes(SpreadMethod method, double *size);

/* Widens them where the neutral pose of the body is doubted: trunk, of its segments against each other, and foot, of
 * the level of the feet, rad. */
void spread_terms_widen(double trunk, double foot, double *size);

/* "joint_centre". */
const char *spread_term_name(SpreadTerm term);

/* The torques whose uncertainty is asked for, and by how much each cause may be off. */

/* How the motion was filtered. */
typedef struct FilterState {
    double cutoff;            /* Hz; 0: by no filter that has one */
    DifferenceDef difference; /* with the lanes of all that is done */
} FilterState;

/* Nothing is owned. */
typedef struct SpreadCase {
    const ClipView *clip;     /* all of it */
    const Loads *loads;       /* all that the torques were found under */
    const Dynamics *dynamics; /* what inverse_dynamics made of these */
    const double *size;       /* [SPREAD_SIZE_COUNT] standard deviations of the causes */
    FilterState filter;
} SpreadCase;

typedef struct TorqueCovariance {
    int frame_count, joint_count;
    Sym3 *covariance; /* [frame][joint] Nm2, world axes */
} TorqueCovariance;

Status torque_covariance_init(TorqueCovariance *s, int frame_count, int joint_count, Error *err); /* zeroed */
void torque_covariance_free(TorqueCovariance *s);

static inline size_t torque_covariance_index(const TorqueCovariance *s, int frame, int joint)
{
    return (size_t)frame * (size_t)s->joint_count + (size_t)joint;
}

/* Adds e e' for an effect of one standard deviation, Nm. */
static inline void torque_covariance_add(TorqueCovariance *s, size_t at, Vec3 e)
{
    Sym3 *c = &s->covariance[at];
    c->xx += e.x * e.x;
    c->yy += e.y * e.y;
    c->zz += e.z * e.z;
    c->xy += e.x * e.y;
    c->xz += e.x * e.z;
    c->yz += e.y * e.z;
}

/* Adds the effect of a place of the force f, N, of which every component has this standard deviation, m: the
 * covariance of d x f, which is size^2 (f.f 1 - f f'). */
static inline void torque_covariance_add_place(TorqueCovariance *s, size_t at, double size, Vec3 f)
{
    s->covariance[at] = sym3_add(s->covariance[at], sym3_point_inertia(size * size, f));
}

/* Adds scale^2 (a - b)(a - b)' for two results of the same clip. most, Nm: the RMS component of the difference d counts
 * as d / sqrt(1 + d^2 / most^2); 0: as it is. */
void torque_covariance_add_difference(TorqueCovariance *s, double scale, double most, const Vec3 *a, const Vec3 *b);

/* Standard deviations, times scale, and correlations of the torques of these frames, into the arrays of out; those of
 * joint 0 stay zero, as its torque is the residual. */
void torque_covariance_write(const TorqueCovariance *s, int first, int last, double scale, Dynamics *out);

/* What errors of ground forces do to torques, linearly: a force that is off by d at the place c changes the torque of
 * every joint J above by -(c - J) x d, one whose place is off by d by -d x F.
 *
 * Sizes were measured against force plates: data/uncertainty.tsv. */

/* The limbs with ground forces, each with one force per frame: what errors of those forces do to the joints above.
 *
 * The loads of one segment are one bearer, those of the toes are the foot's. */

typedef struct LoadedLimb {
    int joint;   /* the uppermost of its loaded joints */
    Vec3 *force; /* [frame] N, world axes */
    Vec3 *place; /* [frame] m, world: where its line passes the level of the limb's lowest joint; under its own joint
                    where it carries no force */
} LoadedLimb;

typedef struct LoadedLimbs {
    int frame_count, count;
    LoadedLimb *limb;  /* [count] in the order of their joints */
    double *load;    /* [frame] N, sum of the vertical forces of all */
    Vec3 *forward;   /* [frame] unit, horizontal, from the line of the hips; x without hips */
} LoadedLimbs;

/* The arrays are the arena's. Reads skeleton and kinematics of the clip. */
Status loaded_limbs_find(const ClipView *clip, const Loads *loads, LoadedLimbs *out, Arena *arena, Error *err);

/* The part of the load that a bearer has in a frame, 0 to 1. */
double loaded_limb_share(const LoadedLimbs *b, int limb, int frame);

/* Where the forces come from. */
typedef enum GroundSource { GROUND_NONE, GROUND_ESTIMATED, GROUND_MEASURED } GroundSource;

/* Adds the terms of the source for forces as the bearers have them. */
void ground_terms_add(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource source, TorqueCovariance *out);

/* The torque that a change of the floating base's force, N, asks of a joint above a bearer, where every bearer takes
 * its fraction of it at its place. */
Vec3 loaded_limb_takes(const LoadedLimbs *b, int limb, int frame, Vec3 force, Vec3 joint);

#endif
