/* Load and speed of every joint over the frames to trust, one contiguous row a joint.
 *
 * A frame is used where the kinematics call it valid and all its figures are finite, so that what is computed from the
 * rows needs no test. Cost: one pass over the frames. */
#ifndef KANE_STATS_JOINT_SERIES_H
#define KANE_STATS_JOINT_SERIES_H

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
    double *torque;     /* [joint][stride] Nm, |torque| */
    double *power;      /* [joint][stride] W */
    unsigned char *is_residual; /* [joint] 1: no mass lies outside its subtree, so what it carries is the residual of
                                   the floating base: the root, and hips below a root without mass */
    double *speed_peak; /* [joint] rad/s, largest |omega| relative to the parent */
    double *accel_peak; /* [joint] rad/s2, largest |alpha| seen from the parent */
    double *rom;        /* [joint] rad, largest angle between two poses */
} JointSeries;

/* A clip without kinematics has no frame to trust: count 0. */
Status joint_series_init(JointSeries *s, const Clip *clip, Error *err);
void joint_series_free(JointSeries *s);

static inline const double *joint_series_torque(const JointSeries *s, int joint)
{
    return s->torque + (size_t)joint * (size_t)s->stride;
}

static inline const double *joint_series_power(const JointSeries *s, int joint)
{
    return s->power + (size_t)joint * (size_t)s->stride;
}

#endif
