/* Curves of a joint over time: any quantity per frame, |torque| in 32 bits for the index, and profiles of 100 points,
 * which compare clips of any length. */
#ifndef KANE_STATS_JOINT_CURVES_H
#define KANE_STATS_JOINT_CURVES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/coordinate.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/joint_series.h"

/* A quantity of one joint over all frames. */
typedef enum JointQuantity {
    QUANTITY_TORQUE,           /* N m */
    QUANTITY_POWER,            /* W; scalar */
    QUANTITY_ANGULAR_VELOCITY, /* rad/s, of the segment */
    QUANTITY_CONTACT_FORCE,    /* N, sum over the contact points on the segment */
    QUANTITY_COUNT,
    /* of an anatomical coordinate: */
    QUANTITY_ANGLE = QUANTITY_COUNT, /* degrees */
    QUANTITY_MOMENT,                 /* N m */
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

/* Fills spread[frame] with the standard deviation of the torque, N m: of a component, or of the magnitude. Returns 0
 * and fills nothing if the clip has none or the quantity is not the torque. */
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
    float *nm;       /* [count][frame] owned, N m; NaN in frames that are not trusted */
} Traces;

/* A clip without dynamics gives count 0. */
Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err);
void traces_free(Traces *t);

#define PROFILE_POINTS 100

/* Torque profile of a joint: 100 points of |torque| / mass over the clip. */
typedef struct Profile {
    Role role;
    float nm_kg[PROFILE_POINTS]; /* N m/kg, mean over each hundredth of the time between the first and the last used
                                    frame */
} Profile;

/* series->count and mass must be positive. */
void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg);

#endif
