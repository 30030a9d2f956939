/* The body as a mechanical system before its unit, axes and rate are known: its points and its centre of mass, frame by
 * frame. */
#ifndef KANE_EVIDENCE_BODY_TRACK_H
#define KANE_EVIDENCE_BODY_TRACK_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

enum { TRACK_FRAMES = 2400 }; /* frames of a clip that are read */

/* In units and axes of the motion. */
typedef struct BodyTrack {
    int frame_count;
    int point_count;      /* joints, then end sites */
    double frame_time;    /* s, as labelled */
    Vec3 *point;          /* [frame][point] owned */
    Vec3 *com;            /* [frame] owned; of a human from segment masses, otherwise the mean of the joints */
    double size;          /* half the diagonal of the body's bounding box in the middle frame */
    double leg;           /* thigh and shank, mean of both sides; 0: the legs have no roles */
    double metre;         /* length of a metre, from the leg of an adult or the size of the body */
    int joint[ROLE_COUNT]; /* [role] point, -1: none; the ankle of a shank without a foot is an end site */
    int foot_tip[2];       /* [left, right] point: the toe, or the end site of a foot without one; -1: none */
    double rest_front;     /* cosine of the feet at rest with the front that left and right give; 0: not shown */
} BodyTrack;

/* Reads at most TRACK_FRAMES consecutive frames from first_frame on; roles must be assigned. On failure *out is
 * empty. */
Status body_track_init(BodyTrack *out, const Skeleton *skeleton, const Motion *motion, int first_frame, Error *err);
void body_track_free(BodyTrack *track);

static inline const Vec3 *body_track_frame(const BodyTrack *track, int frame)
{
    return track->point + (size_t)frame * (size_t)track->point_count;
}

/* Position of a role's joint; the role must be present. */
static inline Vec3 body_track_role(const BodyTrack *track, int frame, Role role)
{
    return body_track_frame(track, frame)[track->joint[role]];
}

/* Whether hips, knees and ankles of both sides are present. */
int body_track_has_legs(const BodyTrack *track);

/* The cosine of a foot's direction, across its shank, with the front that left and right give: 1 where toes belong, in
 * any pose. point[point_count]; side 0 is left. NaN: no tip of the foot, or it is in line with the shank. */
double body_track_toes_front(const BodyTrack *track, const Vec3 *point, int side);

/* Number of frames of a duration in s if the true rate is rate_factor times the labelled one; at least 1. */
int body_track_frames(const BodyTrack *track, double duration, double rate_factor);

/* Acceleration of the centre of mass, units of the motion per s2, from a parabola fitted to frames frame - reach to
 * frame + reach, which must be in the track. */
Vec3 body_track_acceleration(const BodyTrack *track, int frame, int reach, double rate_factor);

#endif
