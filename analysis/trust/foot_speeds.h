/* How the feet move where they may support the body: low, with the point that moves least.
 *
 * Level speeds are against the floor, or against the belt of a treadmill: there the body stays, and both feet have one
 * speed whenever they are low. */
#ifndef KANE_TRUST_FOOT_SPEEDS_H
#define KANE_TRUST_FOOT_SPEEDS_H

#include <stdint.h>

#include "analysis/trust/body_tracks.h"

typedef struct FootSpeeds {
    const BodyTracks *tracks;
    double *ground;   /* [frame] m: the lowest of the body's points near by in time */
    Vec3 *speed[2];   /* [frame] m/s of the point of a foot that moves least, against what it stands on */
    uint8_t *low[2];  /* [frame] the foot may support the body: near the ground, not swinging */
    Vec3 belt;        /* m/s; zero on the floor */
} FootSpeeds;

/* Frames of a time, at least one. */
int frames_of(double seconds, double frame_time);

/* Arrays belong to the arena; where one is missing, arena->failed is set. */
void foot_speeds_init(FootSpeeds *out, const BodyTracks *tracks, Arena *arena);

#endif
