/* What a body can do in a frame: limits of joint torques, a fraction of its strength, and what the ground can give.
 *
 * An effort is a torque, a moment or a force as a fraction of its limit: over its limit where its length is over 1.
 * Frames in which the recording is bad, and those without derivatives, have no efforts. */
#ifndef KANE_RETIME_BODY_LIMITS_H
#define KANE_RETIME_BODY_LIMITS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* How the band of error of an estimate counts. */
typedef enum BandEnd {
    BAND_ESTIMATE, /* the estimate itself is within the limit */
    BAND_LOW,      /* the low end of its band: over the limit only beyond doubt */
    BAND_HIGH,     /* the high end: within the limit beyond doubt */
} BandEnd;

typedef struct BodyLimits {
    double *torque; /* [joint_count] owned; N m, INFINITY: none; NULL: no joint has a limit */
    double share;   /* of the strength about each coordinate; INFINITY: none */
    BandEnd band;
} BodyLimits;

void body_limits_free(BodyLimits *limits);

/* Efforts of a frame are numbered: joints, then coordinates of /angles, then the ground. */
static inline int body_limits_ground(const Clip *clip)
{
    return clip->skeleton.joint_count + (clip->has_angles ? clip->angles.coordinate_count : 0);
}

static inline int body_limits_count(const Clip *clip) { return body_limits_ground(clip) + 1; }

/* Force that the ground cannot give, in body weights: a body that hovers. Recordings of people ask for at most
 * 0.62 (a kick) without artifacts, trials on force plates for 0.07. */
#define GROUND_DOUBT 1.0

/* One effort: a torque in world axes, a signed moment in x, or in x the distance of the required ground force from the
 * friction cone, positive outside. (0, 0, 0) where it has no limit. The clip has everything up to /dynamics, for a
 * share of strength also /angles. */
Vec3 body_limits_effort(const BodyLimits *limits, const Clip *clip, int frame, int effort);

/* Size of an effort that is compared with 1. */
static inline double body_limits_size(const Clip *clip, int effort, Vec3 value)
{
    return effort == body_limits_ground(clip) ? value.x : vec3_norm(value);
}

/* Name of an effort, such as "LeftLeg", "left_knee_flexion" or "ground". */
void body_limits_name(const Clip *clip, int effort, char *text, size_t size);

#endif
