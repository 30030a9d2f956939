/* The ground under a clip: its plane, and at each frame the level that each group of contact points would rest on.
 *
 * The level of a sole is the lower envelope of its own heights: toe joints and heels lie a few centimetres from the
 * floor, not on it, and a take may float or be sunken. Where a limb rests on something higher (a step, a box), the
 * level is the height of that rest; where nothing comes down to the common level for longer than a flight lasts (a
 * take that drifts, a platform), the whole ground is lifted. Feet that slide under a body that stays in place stand
 * on a belt, whose velocity is taken off their speed. */
#ifndef KANE_CONTACT_GROUND_H
#define KANE_CONTACT_GROUND_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"

/* Paths of the groups of contact points: from which height and tilt of the ground are found. */

#define TRACK_BAND 0.043 /* L: heights above the lowest that still belong to the envelope */
#define GROUND_REST_SPEED 0.045 /* sqrt(g L): slower is at rest */

typedef struct Track {
    int frame_count, group_count;
    Vec3 *position;   /* [frame][group] m, mean of the group's gauges */
    Vec3 *velocity;   /* [frame][group] m/s */
    double *height;   /* [frame][group] m, along the normal */
    double *speed;    /* [frame][group] m/s */
    const uint8_t *bridged; /* [frame] 1: not informative; NULL: every frame is; not owned */
    double *scratch;  /* [frame] */
    double *scratch2; /* [frame] */
} Track;

/* Its arrays are the arena's: asks nothing, the caller looks at arena->failed. */
Track track_new(int frames, int groups, Arena *arena);

/* Fills position, velocity and speed. */
void track_follow(const ContactPoints *points, const Kinematics *kinematics, Track *track);

/* Fills height. */
void track_measure_heights(Track *track, Vec3 normal);

static inline int track_tells(const Track *track, int frame) { return !track->bridged || !track->bridged[frame]; }

/* Lower envelope of a group: median height of the frames that are low and slow; in m for a leg of `length`. *share (may
 * be NULL): part of the frames that are. */
double track_envelope(const Track *track, int group, double length, double speed_unit, double *share);

/* Linear interpolation between order statistics, p in 0..1; reorders values. */
double track_percentile(double *values, int count, double p);

/* Position and velocity of a point that is fixed in a body; i = [frame][joint]. */
Vec3 track_point(const Kinematics *k, size_t i, Vec3 local);
Vec3 track_point_velocity(const Kinematics *k, size_t i, Vec3 local);

/* Tilt of the ground: the plane through the places where soles come to rest. */

/* *normal, unit: +Y unless the resting places rise along a way long enough to tell, more than noise does, and the soles
 * lie on the slope themselves (stairs and boxes rise too, under level soles). */
Status ground_tilt(const ContactPoints *points, const Track *track, double speed_unit, Vec3 *normal, Error *err);

typedef struct GroundDef {
    int has_height;  /* 1: the height below is given, 0: from the clip */
    double height;   /* m, world y where the plane meets the y axis */
    int no_support; /* 1: no unrecorded seat or rail carries load (support.h); default 0 */
    const uint8_t *bridged; /* [frame] 1: not the source's (trust_marks.h), not used; NULL: none is */
} GroundDef;

typedef struct Ground {
    int frame_count, group_count, point_count;
    Vec3 normal;      /* unit */
    double height;    /* m, along the normal: level of the soles, where forces act */
    double *level;    /* [frame][group] m, along the normal */
    double *lift;     /* [frame] m, of the whole ground above its height */
    uint8_t *raised;  /* [frame][group] 1: resting above the common ground */
    Vec3 belt;        /* m/s, velocity of the ground; zero but on a treadmill */
    double *clearance;/* [frame][point] m, skin above its level, never negative */
    double *slide;    /* [frame][point] m/s, speed over the ground along it */
    double *rise;     /* [frame][point] m/s, velocity along the normal */
    Arena memory;     /* of the arrays */
} Ground;

#define GROUND_UNEVEN 0.15 /* leg lengths */

GroundDef ground_default_def(void);

/* STATUS_BAD_INPUT where a given height lies further than the length of a leg from where the clip touches the
 * ground. */
Status ground_estimate(const ContactPoints *points, const Kinematics *kinematics, double frame_time,
                       const GroundDef *def, Ground *out, Error *err);
/* How surely a body that needs this vertical force, in body weights, stands on something: 0 it may fly, 1 it stands. */
double ground_need_part(double need);

/* Where the motion needs support, something touches: raises the ground of a frame towards the lowest point by up to
 * GROUND_UNEVEN leg lengths. need[frame]: vertical force that the whole body needs, body weights. */
void ground_raise(const ContactPoints *points, const double *need, Ground *g);

void ground_free(Ground *g);

#endif
