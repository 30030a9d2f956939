/* Keeps the faults of a take out of what is smoothed: a filter would spread them over sound frames.
 *
 * Frames at fault between sound ones are bridged by cubics with the speeds on either side, which tire over a long gap.
 * A step for good is taken out: all behind it is shifted, or turned, so that the joint goes on without it, and put back
 * when the filter is done. Both commute with a linear filter, so the frames around are smoothed as if the fault had not
 * been there. Only joints at fault change (Trust.joint_reason).
 *
 * Steps of the root's path stay out: ground and forces are told from a path that holds together. Its height comes back
 * where the body's lowest points lie on one level with it, as where two takes were joined. */
#ifndef KANE_QUALITY_ARTIFACT_BRIDGE_H
#define KANE_QUALITY_ARTIFACT_BRIDGE_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

/* Steps that were taken out, in order. */
typedef struct TakenSteps {
    int count, capacity;
    struct TakenStep *step; /* [count] owned */
} TakenSteps;

/* 1 where there is anything to bridge or to take out. */
int artifact_bridge_needed(const Trust *trust);

/* s: the frames on either side of a gap that a filter fills from the bridge. */
#define ARTIFACT_BRIDGE_REACH 0.05

/* bridged[frame]: 1 where nothing of the pose, or little, is the source's: every joint is bridged, within the reach. */
void artifact_bridge_frames(const Trust *trust, double frame_time, uint8_t *bridged);

/* On failure the motion is valid, but some faults may be bridged. *taken = (TakenSteps){0} before; the caller frees it
 * also after failure. */
Status artifact_bridge(const Skeleton *skeleton, const Trust *trust, Motion *motion, TakenSteps *taken, Error *err);
void artifact_put_back(Motion *motion, const TakenSteps *taken);
void taken_steps_free(TakenSteps *taken);

#endif
