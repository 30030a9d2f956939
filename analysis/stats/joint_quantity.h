/* One quantity of one joint over all frames, as a plain signal. */
#ifndef KANE_STATS_JOINT_QUANTITY_H
#define KANE_STATS_JOINT_QUANTITY_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef enum JointQuantity {
    QUANTITY_TORQUE,           /* Nm */
    QUANTITY_POWER,            /* W; no vector */
    QUANTITY_ANGULAR_VELOCITY, /* rad/s, of the segment */
    QUANTITY_CONTACT_FORCE,    /* N, sum over the contact points on the segment */
} JointQuantity;

/* World axes. */
typedef enum JointComponent { COMPONENT_NORM, COMPONENT_X, COMPONENT_Y, COMPONENT_Z } JointComponent;

/* Fills value[frame]. component is of no meaning for power. STATUS_BAD_INPUT names what the clip does not hold. */
Status joint_quantity(const Clip *clip, int joint, JointQuantity quantity, JointComponent component, double *value,
                      Error *err);

#endif
