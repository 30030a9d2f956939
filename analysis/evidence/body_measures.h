/* What a body in motion offers to judge its unit of length by: its size, its feet, its speed, and how it falls. */
#ifndef KANE_EVIDENCE_BODY_MEASURES_H
#define KANE_EVIDENCE_BODY_MEASURES_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* In units of the motion (file units before import, m after it) and s; 0 where the clip does not tell. */
typedef struct BodyMeasures {
    double stature;    /* of a person with such legs, arms and trunk; 0 without the roles of a human's limbs */
    double foot;       /* from the ankle to the tip of the foot, the mean of both sides */
    double speed;      /* of the hips along the ground, the 90th percentile over 0.2 s */
    double fall;       /* median downward acceleration while the body flies (free_fall.h) */
    double drop;       /* downward acceleration over 0.15 s, flying or not: the 98th percentile */
    double extent;     /* diagonal of the box around the body, the median over the frames */
    int has_cmu_names; /* 1: helper joints that only the skeletons of the CMU library have */
} BodyMeasures;

/* Of the first frames, up to 1,500 from first_frame; up is a unit vector, motion->frame_time tells the time. */
Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err);

#endif
