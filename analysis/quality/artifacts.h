/* Artifacts of a recording: kind, time and size; their detection, and the foot tracks which the detectors share. */
#ifndef KANE_QUALITY_ARTIFACTS_H
#define KANE_QUALITY_ARTIFACTS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/detect/take.h"
#include "analysis/math/lane_width.h"

enum { ARTIFACT_WHOLE_POSE = -1 };

typedef struct Artifact {
    TrustReason kind; /* a single bit */
    int joint;        /* ARTIFACT_WHOLE_POSE: all joints; of swapped limbs the top joint of the left one */
    int first, last;  /* frames with the artifact; of a permanent step: the frame after it, twice */
    int stays;        /* 1: a permanent step; the take continues from the new position or pose */
    double size;      /* m of a teleport, rad of a flip, s of a freeze; of other kinds see their detectors */
} Artifact;

typedef struct Artifacts {
    int count, capacity;
    Artifact *artifact; /* [count] owned */
} Artifacts;

Status artifacts_add(Artifacts *artifacts, Artifact artifact, Error *err);
void artifacts_free(Artifacts *artifacts);

/* The length of the longest chain of bones from the root, m: the length scale of a body without masses. 1 if it is
 * zero. */
double artifact_body_size(const Skeleton *skeleton);

/* Limits for artifacts and trust: data/trust.tsv, compiled in, has the meaning, unit and source of each. */
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

/* Whether a position, or joint `joint` at frame f, equals that of the frame before to the last digit. `joint` =
 * joint_count: the root's path. size: of the body, m. */
int artifact_repeats_position(Vec3 a, Vec3 b, double size);
int artifact_repeats_joint(const Motion *motion, int joint, int f, double size);

/* Describes the artifact in words: `frames 12 to 40: joint "Hips" is held`. row: number of its first frame in the
 * source. */
void artifact_describe(const Skeleton *skeleton, const Motion *motion, const Artifact *artifact, int row, char *text,
                       size_t size);

/* Returns the top joint of the limb with which the artifact's limb is swapped; -1 for artifacts of other kinds. */
int artifact_other_limb(const Skeleton *skeleton, const Artifact *artifact);

/* World positions along a take from which the detectors judge feet and ground. The points of a foot are its ankle, all
 * joints below it, and their end sites. m, world axes, +Y up. */

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

/* low[i] = the minimum of value[i - reach .. i + reach], for i < count. scratch[count]. Cost: O(count). */
void sliding_least(const double *value, int count, int reach, double *low, int *scratch);

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

/* The number of frames in a duration, at least one. */
int frames_of(double seconds, double frame_time);

/* Arrays belong to the arena; if an allocation fails, arena->failed is set. */
void foot_speeds_init(FootSpeeds *out, const BodyTracks *tracks, Arena *arena);

/* Flicker: a joint that shakes from frame to frame for most of a second, as when a solver loses a marker.
 *
 * Differences of a joint's rotation grow with their order in noise and shrink in motion: the ratio of the sums of
 * squares of fourth and second differences is 70/6 for white noise, and (2 sin(pi f / F))^4 for motion of f Hz at F
 * frames/s. Consecutive third differences of noise also tend to oppose each other. Both criteria are evaluated in
 * blocks of a quarter of a second, the size by medians, which are insensitive to a single step. The joint must also
 * shake more than in the rest of the take or, in a take too short for that, more than the other joints. The margin over
 * the other joints is smaller where the differences leave no doubt: at 24 frames/s all fast joints look alike. */

/* Appends one artifact for each interval of a joint; size: amplitude, rad RMS. Cost: O(frames * joints). */
Status artifact_flicker_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Artifacts of the path relative to the ground: a body that drifts up or down, and feet that slide.
 *
 * Drift: the lowest points of the body rise along a line, and standing feet rise at the same rate. On stairs and slopes
 * standing feet keep their height; in a jump none stands. Standing feet are recognised by their speed: a criterion of
 * height above the line would select, of a foot at constant height, the moments when it rises above the line. A foot
 * that lies flat (all its points at one velocity and no other point of the body below it) is decisive: on a slope it
 * does not rise, and on uneven ground (stairs, a box, a landing) it alone shows a drift. A constant velocity changes no
 * force, so a drift without such a foot, as in a run whose feet roll, is not detected.
 *
 * Sliding: all low feet move horizontally, including the slower one, in one direction. On a treadmill only the
 * difference from the belt's velocity counts. */

/* Appends drifts and slides of a body with both ankles: joint 0; size in m/s, of a drift positive upward. Cost:
 * O(frames * joints). */
Status artifact_ground_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Takes in which every row is written twice or more often: resampled by repetition, or recorded at a lower rate. */

/* Appends one artifact over all frames; size: how many times each row occurs. */
Status artifact_repeats_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Left and right limbs swapped: for some frames the left arm or leg moves as the right one and vice versa.
 *
 * At both ends of the interval both limbs jump, and would continue without a jump if they were swapped there, with
 * their rotations either unchanged or mirrored. A jump is a step minus the mean of the steps before and after it. */

#define ARTIFACT_SWAP_LONGEST 1.0 /* s: longer swaps are not searched for */

/* Appends an artifact of the left limb's top joint for each swap; size: the jump of the joints at its beginning, rad
 * RMS. Finds nothing for a skeleton without sides. Cost: O(frames). */
Status artifact_swaps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* The artifacts of a source, which import finds before anything is smoothed, and the frames and joints that they
 * affect. Reference for the kinds: docs/formats/clip_file.md "Quality flags". */

/* Teleports and flips: steps from frame to frame that no body can make.
 *
 * A body that is pushed hard changes its velocity at once and keeps it: the step of that frame lies between the one
 * before and the one after. A step beyond both (its excess is the distance from the segment between them) requires an
 * acceleration and its reverse within two frames. The limit is the sum of a length or angle (the blur of recordings)
 * and an acceleration, which muscles or the ground could still reverse within a frame, times the frame time squared;
 * constants: data/trust.tsv. A step among equally large ones is motion. A pair of steps that cancel within
 * ARTIFACT_RETURN frames, a pose that leaves and returns, is held to a lower limit. Cost: one comparison of quaternions
 * per joint and frame; more only at large steps. */

#define ARTIFACT_RETURN 6 /* frames: longest excursion, exclusive */

/* Appends the artifacts of root path, translations and rotations. motion in m; roles are not used. */
Status artifact_steps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Intervals in which a recording is constant to the last digit, or moves in a straight line.
 *
 * A recorded body never stands still: noise moves its joints in every frame. A pose, or the rotation of a joint that
 * moves otherwise, is held if it repeats the frame before for a tenth of a second or longer and the hold begins or ends
 * abruptly: an animator's hold eases in and out. A hinge that rests at the end of its range (knees clamped by a solver)
 * is not an artifact. A pose whose steps, instead, repeat was interpolated over a gap. */

Status artifact_holds_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Finds artifacts of all kinds, ordered by their first frame. *`artifacts` must be (Artifacts){0}. */
Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Adds the artifacts' bits to *trust, in the frames and joints affected. If all that the joint carries is light, the
 * frame remains trusted and only joints are flagged: its ancestors and descendants get TRUST_ADJACENT_JOINT. */
Status artifacts_mark(const Skeleton *skeleton, const Artifacts *artifacts, Trust *trust, Error *err);

/* Findings about a take of any format: defective rows, uncertain decisions of import, and motion that no body makes. */

/* Appends to take->findings, in order of their locations, what import would decide under def and what the resulting
 * clip shows: repeated and missing rows, Euler flips, frame time, unit, up axis, positions, root path, a first frame
 * that is not part of the take, artifacts, bones of varying length, feet that never come down. Then, if a skeleton of
 * the same family is given, those of its joints that the take lacks. Skeleton and motion are moved out of the take, as
 * by clip_settle. */
Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err);

#endif
