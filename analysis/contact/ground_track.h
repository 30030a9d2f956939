/* Paths of the groups of contact points, which determine height and tilt of the ground. */
#ifndef KANE_CONTACT_GROUND_TRACK_H
#define KANE_CONTACT_GROUND_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

#define TRACK_BAND 0.043 /* L: heights above the lowest that belong to the envelope */
#define GROUND_REST_SPEED 0.045 /* sqrt(g L): slower points are at rest */

typedef struct Track {
    int frame_count, group_count;
    Vec3 *position;   /* [frame][group] m, mean of the group's gauges */
    Vec3 *velocity;   /* [frame][group] m/s */
    double *height;   /* [frame][group] m, along the normal */
    double *speed;    /* [frame][group] m/s */
    const uint8_t *bridged; /* [frame] 1: ignored; NULL: none is; not owned */
    double *scratch;  /* [frame] */
    double *scratch2; /* [frame] */
} Track;

/* The arrays belong to the arena; the caller checks arena->failed. */
Track track_new(int frames, int groups, Arena *arena);

/* Fills position, velocity and speed. */
void track_follow(const ContactPoints *points, const Kinematics *kinematics, Track *track);

/* Fills height. */
void track_measure_heights(Track *track, Vec3 normal);

static inline int track_tells(const Track *track, int frame) { return !track->bridged || !track->bridged[frame]; }

/* Lower envelope of a group: median height of the frames in which it is low and slow; in m for a leg of `length`.
 * *fraction (may be NULL): of these frames. */
double track_envelope(const Track *track, int group, double length, double speed_unit, double *fraction);

/* Quantile by linear interpolation between order statistics, p in 0..1; reorders values. */
double track_percentile(double *values, int count, double p);

/* Position and velocity of a point fixed in a body; i = [frame][joint]. */
typedef struct PointMotion {
    Vec3 position, velocity;
} PointMotion;

static inline PointMotion point_motion(const Kinematics *k, size_t i, Vec3 local)
{
    Vec3 arm = quat_rotate(k->orientation[i], local);
    return (PointMotion){vec3_add(k->position[i], arm),
                         vec3_add(k->velocity[i], vec3_cross(k->angular_velocity[i], arm))};
}

#endif
