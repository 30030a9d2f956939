/* World positions along a take that its feet and its ground are judged by.
 *
 * A foot's points are its ankle, all joints below it, and their end sites. m, world axes +Y up. */
#ifndef KANE_QUALITY_SUSTAINED_ARTIFACTS_H
#define KANE_QUALITY_SUSTAINED_ARTIFACTS_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/quality/artifact.h"

typedef struct BodyTracks {
    int frame_count;
    double frame_time; /* s */
    int points[2];     /* of the left and the right foot */
    Vec3 *point[2];    /* [frame][points] */
    Vec3 *root;        /* [frame] */
    double *lowest;    /* [frame] the lowest joint or end site of the body */
} BodyTracks;

/* points is 0 of a foot that has no ankle. Arrays belong to the arena; where one is missing, arena->failed is set. */
void body_tracks_init(BodyTracks *out, const Skeleton *skeleton, const Motion *motion, Arena *arena);

/* The lowest point of a foot in a frame, m. */
double body_tracks_foot_height(const BodyTracks *t, int foot, int frame);

/* low[count]: the least of value[count] within `reach` places on either side. scratch[count]. Cost: O(count). */
void sliding_least(const double *value, int count, int reach, double *low, int *scratch);

/* How the feet move where they may support the body: low, with the point that moves least.
 *
 * Level speeds are against the floor, or against the belt of a treadmill: there the body stays, and both feet have one
 * speed whenever they are low. */

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

/* Flicker: a joint that shakes from frame to frame for most of a second, as a solver does that loses a marker.
 *
 * Differences of a joint's turns grow with their order in noise and shrink in motion: the ratio of the fourth to the
 * second is 70/6 for white noise, and for motion of f Hz at F frames/s (2 sin(pi f / F))^4. Third differences of noise
 * also turn against the one before. Both are asked of blocks of a quarter of a second, by medians that one step does
 * not move, and the joint must shake more than it does in the rest of the take or, where there is no rest, than others;
 * less of the others where the differences leave no doubt, as joints that are fast at 24 frames/s all look alike. */

/* Appends one fault for each interval of a joint; size: of the shaking, rad RMS. Cost: O(frames * joints). */
Status artifact_flicker_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Faults of the path seen from the ground: a body that drifts up or down, and feet that slide.
 *
 * Drift: the lowest points of the body rise along a line, and feet that stand rise as fast. On stairs and slopes feet
 * that stand keep their height; in a jump none stands. Which feet stand is decided by their speed: height against the
 * line would choose, of a foot that keeps its height, the moments in which it rises off.
 *
 * Sliding: all feet that are low move level, the slower one too, in one direction. On a treadmill, where the body stays
 * and both feet have one speed whenever they are low, only what differs from that speed slides. */

/* Appends drifts and slides of a body with both ankles: joint 0, size in m/s, of a drift upward. Cost: O(frames *
 * joints). */
Status artifact_ground_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Every row of a take written twice, or more often: what was resampled by repeating, or recorded at another rate. */

/* Appends one fault over all frames; size: how often each row stands. */
Status artifact_repeats_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Left and right exchanged: for some frames the left arm, or leg, moves as the right one and the right as the left.
 *
 * Where it begins and where it ends both limbs jump, and go on without a jump if they are exchanged there: as rotations
 * are, or as mirror images. Jumps are steps less the mean of the steps beside them. */

#define ARTIFACT_SWAP_LONGEST 1.0 /* s: limbs exchanged for longer are not looked for */

/* Appends a fault of the left limb's topmost joint for each exchange; size: the jump of the joints at its begin,
 * rad RMS.
 * Nothing for a skeleton without sides. Cost: O(frames). */
Status artifact_swaps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

#endif
