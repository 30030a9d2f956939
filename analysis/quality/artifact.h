/* An artifact of a recording: where, what, how large; and the kinds that last, which feet and ground are judged for. */
#ifndef KANE_QUALITY_ARTIFACT_H
#define KANE_QUALITY_ARTIFACT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

enum { ARTIFACT_WHOLE_POSE = -1 };

typedef struct Artifact {
    TrustReason kind; /* one bit */
    int joint;        /* ARTIFACT_WHOLE_POSE: all of them; of exchanged limbs the left one's topmost */
    int first, last;  /* frames with artifacts; of a step for good: the frame behind it, twice */
    int stays;        /* 1: a step for good: the take goes on from the new place or pose */
    double size;      /* m of a teleport, rad of a flip, s of a stretch; of the others see what finds them */
} Artifact;

typedef struct Artifacts {
    int count, capacity;
    Artifact *fault; /* [count] owned */
} Artifacts;

Status faults_add(Artifacts *faults, Artifact fault, Error *err);
void faults_free(Artifacts *faults);

/* Longest chain of bones from the root, m: the measure of a body without
 * masses. 1 where it has no length. */
double artifact_body_size(const Skeleton *skeleton);

/* Limits of artifacts and of trust: data/trust.tsv, compiled in, has the meaning, unit and source of each. */
typedef struct TrustLimits {
    double path_step, path_reversal, turn_step, turn_reversal;
    double pair_step, pair_left;
    double quantum;
    double hold_pose, hold_joint, hold_abrupt, hold_resting, hold_leap;
    double fault_reach;
    double unexplained, unexplained_reach, unexplained_least;
    double needs_support, support_load, clear, support_speed, comes_down;
} TrustLimits;

extern const TrustLimits trust_limits;

/* Whether a place, or joint `joint` at frame f, repeats the one before to the last digit; joint_count: the root's path.
 * size: of the body, m. */
int artifact_repeats_place(Vec3 a, Vec3 b, double size);
int artifact_repeats_joint(const Motion *motion, int joint, int f, double size);

/* What the artifact is, in words: `frames 12 to 40: joint "Hips" is held`. row: its first frame, as a person counts. */
void artifact_describe(const Skeleton *skeleton, const Motion *motion, const Artifact *fault, int row, char *text,
                       size_t size);

/* The topmost joint of the limb that the artifact's limb is exchanged with; -1 of other artifacts. */
int artifact_other_limb(const Skeleton *skeleton, const Artifact *fault);

/* World positions along a take that its feet and its ground are judged by.
 *
 * A foot's points are its ankle, all joints below it, and their end sites. m, world axes +Y up. */

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

/* Appends one artifact for each interval of a joint; size: of the shaking, rad RMS. Cost: O(frames * joints). */
Status artifact_flicker_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Artifacts of the path seen from the ground: a body that drifts up or down, and feet that slide.
 *
 * Drift: the lowest points of the body rise along a line, and feet that stand rise as fast. On stairs and slopes feet
 * that stand keep their height; in a jump none stands. Which feet stand is decided by their speed: height against the
 * line would choose, of a foot that keeps its height, the moments in which it rises off. A foot that lies flat, all its
 * points at one speed and none of the body below it, is decisive: on a slope it does not rise, and where the ground is
 * not level (stairs, a box, a landing) only it shows a drift. Constant speed changes no force, so a drift without such
 * a foot is not found, as in a run whose feet roll.
 *
 * Sliding: all feet that are low move level, the slower one too, in one direction. On a treadmill, where the body stays
 * and both feet have one speed whenever they are low, only what differs from that speed slides. */

/* Appends drifts and slides of a body with both ankles: joint 0, size in m/s, of a drift upward. Cost: O(frames *
 * joints). */
Status artifact_ground_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Every row of a take written twice, or more often: what was resampled by repeating, or recorded at another rate. */

/* Appends one artifact over all frames; size: how often each row stands. */
Status artifact_repeats_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

/* Left and right exchanged: for some frames the left arm, or leg, moves as the right one and the right as the left.
 *
 * Where it begins and where it ends both limbs jump, and go on without a jump if they are exchanged there: as rotations
 * are, or as mirror images. Jumps are steps less the mean of the steps beside them. */

#define ARTIFACT_SWAP_LONGEST 1.0 /* s: limbs exchanged for longer are not looked for */

/* Appends an artifact of the left limb's topmost joint for each exchange; size: the jump of the joints at its begin,
 * rad RMS.
 * Nothing for a skeleton without sides. Cost: O(frames). */
Status artifact_swaps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *faults, Error *err);

#endif
