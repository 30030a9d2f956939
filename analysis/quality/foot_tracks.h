/* The motion of the feet relative to the ground along a take, from which artifacts of the path are judged. m, world
 * axes, +Y up. */
#ifndef KANE_QUALITY_FOOT_TRACKS_H
#define KANE_QUALITY_FOOT_TRACKS_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* World positions along a take. The points of a foot are its ankle, all joints below it, and their end sites. */
typedef struct BodyTracks {
    int frame_count;
    double frame_time; /* s */
    int points[2];     /* number of points of the left and the right foot */
    Vec3 *point[2];    /* [frame][points] */
    Vec3 *root;        /* [frame] */
    double *lowest;    /* [frame] height of the lowest joint or end site of the body */
} BodyTracks;

/* points[] is 0 for a foot without an ankle. Arrays belong to the arena; if an allocation fails, arena->failed is
 * set. */
void body_tracks_init(BodyTracks *out, const Skeleton *skeleton, const Motion *motion, Arena *arena);

/* The height of a foot's lowest point in a frame, m. */
double body_tracks_foot_height(const BodyTracks *t, int foot, int frame);

/* The motion of the feet where they may support the body: which feet are low, and the velocity of their slowest point.
 *
 * Horizontal velocities are relative to the floor, or to the belt of a treadmill. On a treadmill the body stays in
 * position and both feet have the same velocity whenever they are low. */
typedef struct FootSpeeds {
    const BodyTracks *tracks;
    double *ground;   /* [frame] m: the lowest height of the body's points within a time window */
    Vec3 *speed[2];   /* [frame] m/s, of the foot's slowest point relative to floor or belt */
    uint8_t *low[2];  /* [frame] 1: the foot may support the body: near the ground, not swinging */
    Vec3 belt;        /* m/s; zero on the floor */
} FootSpeeds;

/* s, to either side: span of a point's velocity. */
#define FOOT_SPEED_SPAN 0.04

/* The number of frames in a duration, at least one. */
int seconds_to_frames(double seconds, double frame_time);

/* Arrays belong to the arena; if an allocation fails, arena->failed is set. */
void foot_speeds_init(FootSpeeds *out, const BodyTracks *tracks, Arena *arena);

#endif
