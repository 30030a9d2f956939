/* Load and speed of every joint over the chosen frames, one contiguous row per joint.
 *
 * A frame is used if its choice counts it (FrameChoice) and all
 * its values are finite, so that users of the rows need no tests. If only a single joint is flagged, its torque and
 * power are interpolated linearly from the sample before to the one after, so that no peak lies there. Cost: one pass
 * over the frames. */
#ifndef KANE_STATS_JOINT_SERIES_H
#define KANE_STATS_JOINT_SERIES_H

#include <stddef.h>

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
    double *torque;     /* [joint][stride] N m, |torque| */
    double *power;      /* [joint][stride] W */
    double *spread;     /* [joint][stride] N m, standard deviation of |torque|; NULL: not computed */
    unsigned char *is_residual; /* [joint] joint_carries_residual: the root, or hips below a massless root */
    unsigned char *is_helper;   /* [joint] joint_is_helper */
    double *speed_peak; /* [joint] rad/s, largest |omega| relative to the parent */
    double *accel_peak; /* [joint] rad/s2, largest |alpha| relative to the parent */
    double *rom;        /* [joint] rad, largest angle between two poses */
    double *all_peak;   /* [joint] N m, largest |torque| over all valid frames, trusted or not; NaN: none */
    int *all_frame;     /* [joint] frame of that peak; -1: none */
    double *utilization_peak;   /* [joint] largest utilization over the joint's coordinates; NaN: unknown */
    double *utilization_sd;     /* [joint] its standard deviation; NaN: unknown */
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

#endif
