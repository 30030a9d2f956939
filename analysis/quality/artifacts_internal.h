/* The detectors of artifacts, which artifacts_find calls, and what they share. Each appends to *artifacts; motion in m.
 * The criteria are in the first comment of each file. */
#ifndef KANE_QUALITY_ARTIFACTS_INTERNAL_H
#define KANE_QUALITY_ARTIFACTS_INTERNAL_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"
#include "analysis/quality/artifacts.h"

/* Teleports and flips: steps from frame to frame that no body can make. artifact_steps.c; roles are not used. */
Status artifact_steps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Intervals in which the recording is constant to the last digit, or moves in a straight line. artifact_holds.c. */
Status artifact_holds_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* One artifact for each interval in which a joint shakes; size: amplitude, rad RMS. artifact_flicker.c. Cost:
 * O(frames * joints). */
Status artifact_flicker_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* One artifact for each window in which a joint shakes in a rhythm of 2 to 12 frames; size: amplitude of its line, rad
 * RMS. artifact_rhythm.c. Cost: O(frames * joints). */
Status artifact_rhythm_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Drifts and slides of a body with both ankles: joint 0; size in m/s, of a drift positive upward. artifact_ground.c.
 * Cost: O(frames * joints). */
Status artifact_ground_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* One artifact over all frames of a take with repeated rows; size: rows per pose. artifact_repeats.c. */
Status artifact_repeats_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* One artifact over all frames of a take that was resampled along straight lines; size: its rate before, Hz.
 * artifact_corners.c. */
Status artifact_corners_find(const Motion *motion, Artifacts *artifacts, Error *err);

/* An artifact of the left limb's top joint for each swap; size: the jump of the joints at its beginning, rad RMS. Finds
 * nothing for a skeleton without sides. artifact_swaps.c. Cost: O(frames). */
Status artifact_swaps_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err);

/* Whether the artifact affects the joint: of swapped limbs every joint. */
int artifact_affects(const Skeleton *skeleton, const Artifact *artifact, int joint);

/* Whether a position, or joint `joint` at frame f, equals that of the frame before to the last digit. `joint` =
 * joint_count: the root's path. size: of the body, m. */
int artifact_repeats_position(Vec3 a, Vec3 b, double size);
int artifact_repeats_joint(const Motion *motion, int joint, int f, double size);

#endif
