/* Load and speed of every joint over the frames to trust, one contiguous row per joint.
 *
 * A frame is used where it has no flag (/trust; in a clip that nobody has judged: where the kinematics are
 * valid) and all its statistics are finite, so that what is computed from the rows needs no test. Where something
 * is a flag of one joint alone, its torque and power go straight from the sample before to the one after: no peak
 * lies there. Cost: one pass over the frames. */
#ifndef KANE_STATS_JOINT_SERIES_H
#define KANE_STATS_JOINT_SERIES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef struct JointSeries {
    int count;          /* frames used */
    int stride;         /* elements from one joint's row to the next, >= count */
    int joint_count;
    int has_load;       /* 0: the clip has no dynamics, torque and power are zero and mean nothing */
    double frame_time;  /* s */
    int *frame;         /* [count] frame of the clip, increasing */
    double *time;       /* [count] s */
    unsigned char *doubted; /* [joint][stride] 1: the joint has a flag; NULL: none has */
    double *torque;     /* [joint][stride] Nm, |torque| */
    double *power;      /* [joint][stride] W */
    double *spread;     /* [joint][stride] Nm, standard deviation of |torque|; NULL: nobody asked for it */
    unsigned char *is_residual; /* [joint] joint_carries_residual: the root, and hips below a root without mass */
    unsigned char *is_helper;   /* [joint] joint_is_helper */
    double *speed_peak; /* [joint] rad/s, largest |omega| relative to the parent */
    double *accel_peak; /* [joint] rad/s2, largest |alpha| seen from the parent */
    double *rom;        /* [joint] rad, largest angle between two poses */
    double *all_peak;   /* [joint] Nm, largest |torque| of all valid frames, trusted or not; NaN: none */
    int *all_frame;     /* [joint] where, frame of the clip; -1: none */
    double *all_t;      /* [joint] s */
    double *utilization_peak;   /* [joint] largest utilization over the joint's coordinates; NaN: none is known */
    double *utilization_t;      /* [joint] s */
    unsigned char *is_silent; /* [joint] 1: no frame of the joint can be trusted; torque and power are zero */
    Arena memory;       /* of the arrays */
} JointSeries;

/* Whether what a joint carries is the residual of the floating base: no mass lies outside its subtree, or it is the
 * hips below nothing that weighs (a spine may hang beside them). Without a body that is the root alone. */
int joint_carries_residual(const Clip *clip, int joint);

/* Whether a joint has neither mass nor role of its own: a dummy, a root on the ground, a joint in another's place. */
int joint_is_helper(const Clip *clip, int joint);

/* A clip without kinematics has no frame to trust: count 0. */
Status joint_series_init(JointSeries *s, const Clip *clip, FrameChoice choice, Error *err);
void joint_series_free(JointSeries *s);

/* Whether the joint is a segment that can be ranked by what it carries: no helper, and not the floating base, whose
 * load is the residual. */
static inline int joint_series_ranks(const JointSeries *s, int joint)
{
    return !s->is_residual[joint] && !s->is_helper[joint];
}

static inline int joint_series_doubts(const JointSeries *s, int joint, int sample)
{
    return s->doubted && s->doubted[(size_t)joint * (size_t)s->stride + (size_t)sample];
}

static inline const double *joint_series_torque(const JointSeries *s, int joint)
{
    return s->torque + (size_t)joint * (size_t)s->stride;
}

static inline const double *joint_series_power(const JointSeries *s, int joint)
{
    return s->power + (size_t)joint * (size_t)s->stride;
}

/* What a joint does over time, as curves: any quantity frame by frame, |torque| in 32 bit for the index, and in
 * hundredths of the clip, so that clips of any length compare. */

/* One quantity of one joint over all frames, as a plain signal. */
typedef enum JointQuantity {
    QUANTITY_TORQUE,           /* Nm */
    QUANTITY_POWER,            /* W; no vector */
    QUANTITY_ANGULAR_VELOCITY, /* rad/s, of the segment */
    QUANTITY_CONTACT_FORCE,    /* N, sum over the contact points on the segment */
    QUANTITY_COUNT,
    /* Of an anatomical coordinate: */
    QUANTITY_ANGLE = QUANTITY_COUNT, /* degrees */
    QUANTITY_MOMENT,                 /* Nm */
    QUANTITY_USE                     /* utilization of strength */
} JointQuantity;

/* World axes. */
typedef enum JointComponent { COMPONENT_NORM, COMPONENT_X, COMPONENT_Y, COMPONENT_Z } JointComponent;

/* Fills value[frame] with a quantity below QUANTITY_COUNT. component is of no meaning for power. STATUS_BAD_INPUT names
 * what the clip does not hold. */
Status joint_quantity(const Clip *clip, int joint, JointQuantity quantity, JointComponent component, double *value,
                      Error *err);

/* The same of an anatomical coordinate; NaN where there is no angle or no strength. */
Status coordinate_quantity(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *value, Error *err);

/* Half the width of the band that holds 90 % of normal errors, in standard deviations. */
#define BAND_90 1.645

/* Fills spread[frame] with the standard deviation of that torque, Nm: of a component, or of the size along itself.
 * 0, and nothing filled, where the clip holds none or the quantity is another. */
int joint_quantity_spread(const Clip *clip, int joint, JointQuantity quantity, JointComponent component,
                          double *spread);

/* The same of the moment of a coordinate. */
int coordinate_spread(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *spread);

/* Load of every role frame by frame, small enough for the index: 32-bit |torque|, so that "when?" has an exact answer.
 *
 * A hundredth of the container's size: 4 bytes a role and frame. */
typedef struct Traces {
    int count;       /* roles that the clip has */
    int frame_count; /* of the clip */
    Role *role;      /* [count] owned, in the order of roles */
    float *nm;       /* [count][frame] owned, Nm; NaN at frames not to trust */
} Traces;

/* A clip without dynamics has none: count 0. */
Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err);
void traces_free(Traces *t);

#define PROFILE_POINTS 100

/* Torque profile of a joint: 100 points of |torque| / mass over the clip. */
typedef struct Profile {
    Role role;
    float nm_kg[PROFILE_POINTS]; /* Nm/kg, mean over each hundredth of the time from the first to the last frame used */
} Profile;

/* series->count must be above 0, mass too. */
void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg);

#endif
