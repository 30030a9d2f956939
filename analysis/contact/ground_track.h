/* Paths of the groups of contact points: what the height and tilt of the ground are told from. */
#ifndef KANE_CONTACT_GROUND_TRACK_H
#define KANE_CONTACT_GROUND_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"

#define TRACK_BAND 0.043 /* L: heights above the lowest that still belong to the envelope */

typedef struct Track {
    int frame_count, group_count;
    Vec3 *position;   /* [frame][group] m, mean of the group's gauges */
    Vec3 *velocity;   /* [frame][group] m/s */
    double *height;   /* [frame][group] m, along the normal */
    double *speed;    /* [frame][group] m/s */
    const uint8_t *bridged; /* [frame] 1: tells nothing; NULL: every frame tells; not owned */
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

#endif
