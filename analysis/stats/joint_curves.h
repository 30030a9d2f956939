/* What a joint does over time, as curves: any quantity frame by frame, |torque| in 32 bit for the index, and in
 * hundredths of the clip, so that clips of any length compare. */
#ifndef KANE_STATS_JOINT_CURVES_H
#define KANE_STATS_JOINT_CURVES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

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
    QUANTITY_USE                     /* share of strength */
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
