/* Measures of a body in motion from which its unit of length is inferred: size, feet, speed and free fall. */
#ifndef KANE_DETECT_BODY_MEASURES_H
#define KANE_DETECT_BODY_MEASURES_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* In units of the motion (file units before import, m after it) and s; 0: the clip does not show it. */
typedef struct BodyMeasures {
    double stature;    /* of a person with these legs, arms and trunk; 0 without the roles of human limbs */
    double foot;       /* from the ankle to the tip of the foot, mean of both sides */
    double speed;      /* of the hips along the ground over 0.2 s, 90th percentile */
    double fall;       /* downward acceleration in flights, median */
    double drop;       /* downward acceleration over 0.15 s in all frames, 98th percentile */
    double extent;     /* diagonal of the body's bounding box, median over the frames */
    int is_cmu;        /* 1: the skeleton is that of the CMU library, by its shape */
} BodyMeasures;

/* Measures up to 1,500 frames from first_frame on; up is a unit vector, motion->frame_time gives the time. */
Status body_measures(const Skeleton *skeleton, const Motion *motion, int first_frame, Vec3 up, BodyMeasures *out,
                     Error *err);

#endif
