/* Excludes the artifacts of a take from smoothing: a filter would spread them over sound frames.
 *
 * Frames with artifacts between sound ones are bridged by cubics with the velocities on either side, which decay in a
 * long gap. A permanent step is removed: everything after it is shifted or rotated so that the joint continues without
 * it, and restored after filtering. Both commute with a linear filter, so the frames around are smoothed as if the
 * artifact were absent. Only joints with artifacts change (Trust.joint_reason).
 *
 * Steps of the root's path are not restored: ground and forces need a continuous path. Their height is restored if the
 * body's lowest points then lie at one level, as where two takes were joined. */
#ifndef KANE_QUALITY_ARTIFACT_BRIDGE_H
#define KANE_QUALITY_ARTIFACT_BRIDGE_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

/* Removed steps, in order. */
typedef struct TakenSteps {
    int count, capacity;
    struct TakenStep *step; /* [count] owned */
} TakenSteps;

/* 1 if there is anything to bridge or to remove. */
int artifact_bridge_needed(const Trust *trust);

/* s, on either side of a gap: frames that a filter determines mostly from the bridge. */
#define ARTIFACT_BRIDGE_REACH 0.05

/* bridged[frame] = 1 where little or nothing of the pose is from the source: within ARTIFACT_BRIDGE_REACH of a frame in
 * which every joint is bridged. */
void artifact_bridge_frames(const Trust *trust, double frame_time, uint8_t *bridged);

/* Bridges and removes the artifacts. On failure the motion is valid, but only some artifacts may be bridged. *taken
 * must be (TakenSteps){0}; the caller frees it, also after failure. */
Status artifact_bridge(const Skeleton *skeleton, const Trust *trust, Motion *motion, TakenSteps *taken, Error *err);
void artifact_put_back(Motion *motion, const TakenSteps *taken);
void taken_steps_free(TakenSteps *taken);

#endif
