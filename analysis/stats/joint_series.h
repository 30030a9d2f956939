/* Load and speed of every joint over the chosen frames, one contiguous row per joint.
 *
 * A frame is used if it has no flag (in /trust; in a clip without quality checks: if its kinematics are valid) and all
 * its values are finite, so that users of the rows need no tests. If only a single joint is flagged, its torque and
 * power are interpolated linearly from the sample before to the one after, so that no peak lies there. Cost: one pass
 * over the frames. */
#ifndef KANE_STATS_JOINT_SERIES_H
#define KANE_STATS_JOINT_SERIES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef struct JointSeries {
    int count;          /* frames used */
    int stride;         /* elements from one joint's row to the next; >= count */
    int joint_count;
    int has_load;       /* 0: no dynamics; torque and power are zero and have no meaning */
    double frame_time;  /* s */
    int *frame;         /* [count] frame of the clip, increasing */
    double *time;       /* [count] s */
    unsigned char *doubted; /* [joint][stride] 1: the joint is flagged; NULL: none is */
    double *torque;     /* [joint][stride] Nm, |torque| */
    double *power;      /* [joint][stride] W */
    double *spread;     /* [joint][stride] Nm, standard deviation of |torque|; NULL: not computed */
    unsigned char *is_residual; /* [joint] joint_carries_residual: the root, or hips below a massless root */
    unsigned char *is_helper;   /* [joint] joint_is_helper */
    double *speed_peak; /* [joint] rad/s, largest |omega| relative to the parent */
    double *accel_peak; /* [joint] rad/s2, largest |alpha| relative to the parent */
    double *rom;        /* [joint] rad, largest angle between two poses */
    double *all_peak;   /* [joint] Nm, largest |torque| over all valid frames, trusted or not; NaN: none */
    int *all_frame;     /* [joint] frame of that peak; -1: none */
    double *all_t;      /* [joint] s */
    double *utilization_peak;   /* [joint] largest utilization over the joint's coordinates; NaN: unknown */
    double *utilization_t;      /* [joint] s */
    unsigned char *is_silent; /* [joint] 1: the joint is trusted in no frame; torque and power are zero */
    Arena memory;       /* of the arrays */
} JointSeries;

/* Whether a joint's torque is the residual of the floating base: no mass lies outside its subtree, or it is the hips
 * and its ancestors have no mass (a spine may be its sibling). Without a body only for the root. */
int joint_carries_residual(const Clip *clip, int joint);

/* Whether a joint has neither mass nor role: a dummy, a root on the ground, or a joint coincident with another. */
int joint_is_helper(const Clip *clip, int joint);

/* A clip without kinematics gives count 0. */
Status joint_series_init(JointSeries *s, const Clip *clip, FrameChoice choice, Error *err);
void joint_series_free(JointSeries *s);

/* Whether a joint can be ranked by its load: not a helper, and not the floating base, whose load is the residual. */
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

/* Curves of a joint over time: any quantity per frame, |torque| in 32 bits for the index, and profiles of 100 points,
 * which compare clips of any length. */

/* A quantity of one joint over all frames. */
typedef enum JointQuantity {
    QUANTITY_TORQUE,           /* Nm */
    QUANTITY_POWER,            /* W; scalar */
    QUANTITY_ANGULAR_VELOCITY, /* rad/s, of the segment */
    QUANTITY_CONTACT_FORCE,    /* N, sum over the contact points on the segment */
    QUANTITY_COUNT,
    /* of an anatomical coordinate: */
    QUANTITY_ANGLE = QUANTITY_COUNT, /* degrees */
    QUANTITY_MOMENT,                 /* Nm */
    QUANTITY_USE                     /* strength utilization */
} JointQuantity;

/* World axes. */
typedef enum JointComponent { COMPONENT_NORM, COMPONENT_X, COMPONENT_Y, COMPONENT_Z } JointComponent;

/* Fills value[frame] with a quantity below QUANTITY_COUNT. component is ignored for power. STATUS_BAD_INPUT states what
 * the clip lacks. */
Status joint_quantity(const Clip *clip, int joint, JointQuantity quantity, JointComponent component, double *value,
                      Error *err);

/* The same for an anatomical coordinate; NaN without an angle or strength. */
Status coordinate_quantity(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *value, Error *err);

/* Half width of the band that contains 90 % of normally distributed errors, in standard deviations. */
#define BAND_90 1.645

/* Fills spread[frame] with the standard deviation of the torque, Nm: of a component, or of the magnitude. Returns 0 and
 * fills nothing if the clip has none or the quantity is not the torque. */
int joint_quantity_spread(const Clip *clip, int joint, JointQuantity quantity, JointComponent component,
                          double *spread);

/* The same for the moment of a coordinate. */
int coordinate_spread(const Clip *clip, Coordinate coordinate, JointQuantity quantity, double *spread);

/* Load of every role per frame for the index: |torque| in 32 bits, so that queries by time are exact. 4 bytes per role
 * and frame, about 1 % of the size of a clip file. */
typedef struct Traces {
    int count;       /* roles present in the clip */
    int frame_count; /* of the clip */
    Role *role;      /* [count] owned, in the order of roles */
    float *nm;       /* [count][frame] owned, Nm; NaN in frames that are not trusted */
} Traces;

/* A clip without dynamics gives count 0. */
Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err);
void traces_free(Traces *t);

#define PROFILE_POINTS 100

/* Torque profile of a joint: 100 points of |torque| / mass over the clip. */
typedef struct Profile {
    Role role;
    float nm_kg[PROFILE_POINTS]; /* Nm/kg, mean over each hundredth of the time between the first and the last used
                                    frame */
} Profile;

/* series->count and mass must be positive. */
void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg);

#endif
