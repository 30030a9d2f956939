/* Covariance of every joint torque, as the sum of the effects of independent causes: their sizes, and the effects of
 * errors of ground forces and of the body. */
#ifndef KANE_UNCERTAINTY_TORQUE_COVARIANCE_H
#define KANE_UNCERTAINTY_TORQUE_COVARIANCE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/lane_width.h"
#include "analysis/motion/kinematics.h"

/* Causes of torque errors, with their standard deviations: data/uncertainty.tsv, compiled in, which gives unit and
 * source. */

/* Terms: each effect is evaluated at one standard deviation. */
typedef enum SpreadTerm {
    SPREAD_JOINT_CENTRE,    /* m, per component, of the joint centre */
    SPREAD_SEGMENT_CENTRE,  /* m, per component, of a segment's centre of mass */
    SPREAD_FOOT_CENTRE,     /* m, the same of feet */
    SPREAD_SEGMENT_MASS,    /* 1, factor of the spread of published tables */
    SPREAD_FOOT_MASS,       /* 1, the same of feet */
    SPREAD_CUTOFF,          /* 1, factor of the change by a second pass of the filter */
    SPREAD_FILTER,          /* 1, the same for the ensemble's motions */
    SPREAD_NOISE,           /* rad, of a joint angle in each frame, white noise */
    SPREAD_PRESSURE_ALONG,  /* m, of the centre of pressure, forward */
    SPREAD_PRESSURE_SIDE,   /* m, sideways */
    SPREAD_STANCE_ALONG,    /* m, of the centre of pressure in addition, if two limbs share the load equally, forward */
    SPREAD_STANCE_SIDE,     /* m, sideways */
    SPREAD_STANCE_TWIST,    /* m, of the free moment, per vertical force, in the same case */
    SPREAD_LEAN_ALONG,      /* 1, of the force forward, per vertical force */
    SPREAD_SHARE,           /* 1, of the load, if two limbs share it equally */
    SPREAD_SHARE_ALONG,     /* 1, of the internal force between them, forward, per load */
    SPREAD_SHARE_SIDE,      /* 1, sideways */
    SPREAD_TIME_SHORT,      /* 1, factor of the change of the force within 10 ms */
    SPREAD_TIME_LONG,       /* 1, within 30 ms */
    SPREAD_FREE_MOMENT,     /* m, of the moment about the vertical, per vertical force */
    SPREAD_RESIDUAL_FORCE,  /* 1, factor of the floating base's force that no limb supports */
    SPREAD_RESIDUAL_MOMENT, /* 1, factor of its moment */
    SPREAD_PLATE_PRESSURE,  /* m, of a measured centre of pressure */
    SPREAD_RESIDUAL_SHARE,  /* 1, per torque and residual moment about the COM (residual_ratio) */
    SPREAD_TERM_COUNT,
    SPREAD_CUTOFF_MOST = SPREAD_TERM_COUNT, /* Nm/kg, RMS of a component: upper bound of the cutoff's contribution;
                                               0: none */
    SPREAD_SCALE,                           /* 1, factor on all standard deviations */
    SPREAD_SIZE_COUNT
} SpreadTerm;

/* How effects are computed. */
typedef enum SpreadMethod {
    SPREAD_FAST, /* linearised about the clip's torques */
    SPREAD_FULL, /* ground forces, masses, filter and noise by an ensemble (torque_uncertainty.h), the rest
                    linearised */
} SpreadMethod;

/* 1 if SPREAD_FULL varies the term over its ensemble; all other terms are linear under both methods. */
int spread_term_is_varied(SpreadTerm term);

/* A row of data/uncertainty.tsv. */
typedef struct SpreadSize {
    SpreadTerm term;
    double fast, full;
} SpreadSize;

extern const SpreadSize spread_sizes[];
extern const int spread_sizes_count;

/* Standard deviations of all terms under a method, with the bound and the factor: size[SPREAD_SIZE_COUNT]. */
void spread_terms_sizes(SpreadMethod method, double *size);

/* Increases them if the neutral pose of the body is uncertain. trunk: of its segments relative to each other, rad;
 * foot: of the level of the feet, rad. */
void spread_terms_widen(double trunk, double foot, double *size);

/* "joint_centre". */
const char *spread_term_name(SpreadTerm term);

/* Inputs: the torques, and the size of each cause. */

/* How the motion was filtered. */
typedef struct FilterState {
    double cutoff;            /* Hz; 0: no filter with a cutoff */
    DifferenceDef difference; /* lanes are used throughout */
} FilterState;

/* Nothing is owned. */
typedef struct SpreadCase {
    const ClipView *clip;     /* the whole clip */
    const Loads *loads;       /* all loads of the inverse dynamics */
    const Dynamics *dynamics; /* result of inverse_dynamics */
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

/* Adds e e' for an effect e of one standard deviation, Nm. */
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

/* Adds scale^2 (a - b)(a - b)' for two results of the same clip. most, Nm: an RMS component d of the difference counts
 * as d / sqrt(1 + d^2 / most^2); 0: no bound. */
void torque_covariance_add_difference(TorqueCovariance *s, double scale, double most, const Vec3 *a, const Vec3 *b);

/* Writes standard deviations, times scale, and correlations of the torques of these frames into the arrays of out.
 * Those of joint 0 stay zero: its torque is the residual. */
void torque_covariance_write(const TorqueCovariance *s, int first, int last, double scale, Dynamics *out);

/* Kernels. Adds the differences of [count] values as torque_covariance_add_difference does, in whole blocks of lanes;
 * returns the first value that is left. */
typedef size_t CovarianceDifferences(double scale, double most, const Vec3 *a, const Vec3 *b, size_t count,
                                     Sym3 *covariance);
LANE_TWINS(CovarianceDifferences, covariance_differences);

/* Standard deviations times scale, and correlations, of [count] covariances; count: at least the lanes. */
typedef void CovarianceSpreads(const Sym3 *covariance, double scale, size_t count, Vec3 *sd, Vec3 *correlation);
LANE_TWINS(CovarianceSpreads, covariance_spreads);

/* Linear effects of ground-force errors on torques: an error d of a force at the point c changes the torque of every
 * joint J above by -(c - J) x d; an error d of its point changes it by -d x F.
 *
 * The sizes were measured against force plates: data/uncertainty.tsv. */

/* Limbs with ground forces, with one force per limb and frame, whose errors affect the joints above.
 *
 * All loads of one segment belong to one limb, those of the toes to the foot. */

typedef struct LoadedLimb {
    int joint;   /* its uppermost loaded joint */
    Vec3 *force; /* [frame] N, world axes */
    Vec3 *place; /* [frame] m, world: point where the force's line crosses the level of the limb's lowest joint;
                    below the limb's joint without force */
} LoadedLimb;

typedef struct LoadedLimbs {
    int frame_count, count;
    LoadedLimb *limb;  /* [count] ordered by joint */
    double *load;    /* [frame] N, sum of all vertical forces */
    Vec3 *forward;   /* [frame] unit, horizontal, perpendicular to the line of the hips; x without hips */
} LoadedLimbs;

/* The arrays belong to the arena. Reads skeleton and kinematics of the clip. */
Status loaded_limbs_find(const ClipView *clip, const Loads *loads, LoadedLimbs *out, Arena *arena, Error *err);

/* Fraction of the load on a limb in a frame, 0 to 1. */
double loaded_limb_share(const LoadedLimbs *b, int limb, int frame);

/* Source of the ground forces. */
typedef enum GroundSource { GROUND_NONE, GROUND_ESTIMATED, GROUND_MEASURED } GroundSource;

/* Adds the terms of the source for the limbs' forces. */
void ground_terms_add(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource source, TorqueCovariance *out);

/* Change of the torque of a joint above a loaded limb, if each limb supports its fraction of a change of the floating
 * base's force, N, at its point of application. */
Vec3 loaded_limb_takes(const LoadedLimbs *b, int limb, int frame, Vec3 force, Vec3 joint);

/* Effects of errors of the body on torques: joint centres, centres of mass, and part masses. */

/* Bodies with heavier or lighter parts than in the table (data/segment_spread.tsv): groups of parts such that no joint
 * has two of one group beyond it. One part per group may change at once. */
enum { MASS_GROUPS = 4 };

/* Makes the parts of a group heavier by so many standard deviations (negative: lighter), with size[SPREAD_SIZE_COUNT];
 * the trunk compensates. */
void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body);

/* Adds the effects of errors of joint centres, centres of mass and part masses, by the spread of published tables, with
 * constant total mass. Groups of parts are varied one by one. Torques are linear in masses and inertias. */
Status body_terms_add(const SpreadCase *c, TorqueCovariance *out, Error *err);

/* Masses that change together: [joint]. */
typedef struct MassGroup {
    double *part;     /* fraction by which a segment's mass changes */
    uint8_t *carries; /* 1: there is such a segment at or beyond the joint */
} MassGroup;

/* Input of the kernel. Nothing is owned. */
typedef struct BodySpreadView {
    size_t frame_count, joint_count;
    const int *parent;                      /* [joint] before its children */
    const Vec3 *position, *force, *torque;  /* [frame][joint] m, N, Nm; world axes */
    const Loads *loads;                     /* all loads of the inverse dynamics */
    double joint_variance;                  /* m2, of a joint centre */
    const double *segment_variance;         /* [joint] m2, of the segment's centre of mass */
    const MassGroup *group;                 /* [group_count] */
    int group_count;
    double *scratch;                        /* [joint][BODY_SPREAD_VALUES][lanes], aligned to 64 bytes */
    Sym3 *covariance;                       /* [frame][joint] Nm2; effects are added */
} BodySpreadView;

enum { BODY_SPREAD_VALUES = 18 };

/* Adds the terms in whole blocks of lanes from the frame `first`; returns the first frame that is left. */
typedef size_t BodySpreadFrames(const BodySpreadView *view, size_t first);
LANE_TWINS(BodySpreadFrames, body_spread_frames);

#endif
