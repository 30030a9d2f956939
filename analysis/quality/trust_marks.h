/* Trust after import: artifacts of a take excluded from smoothing, and flags set by stages for each frame. Limits:
 * data/trust.tsv. */
#ifndef KANE_QUALITY_TRUST_MARKS_H
#define KANE_QUALITY_TRUST_MARKS_H

#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

/* Excludes the artifacts of a take from smoothing: a filter would spread them over sound frames.
 *
 * Frames with artifacts between sound ones are bridged by cubics with the velocities on either side, which decay in a
 * long gap. A permanent step is removed: everything after it is shifted or rotated so that the joint continues without
 * it, and restored after filtering. Both commute with a linear filter, so the frames around are smoothed as if the
 * artifact were absent. Only joints with artifacts change (Trust.joint_reason).
 *
 * Steps of the root's path are not restored: ground and forces need a continuous path. Their height is restored if the
 * body's lowest points then lie at one level, as where two takes were joined. */

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

/* Updates flags after groups of the clip changed: clears those derived from the changed groups and from groups that are
 * absent, and sets those that follow from the present ones:
 *   edge              kinematics not valid, or within trust_limits.fault_reach of an artifact of the source
 *   lost_contact      the body requires support of more than half its weight, and less than a tenth supports it
 *   airborne_support  a point that carries a tenth of the weight moves, clear of all that the body comes down to
 *   presumed_support  an unrecorded seat or handrail supports more than SUPPORT_LEAST_LOAD (contact/support.h)
 *   unexplained       nothing supports the body for unexplained_least or longer, and its mean residual, force and
 *                     moment about the COM together, exceeds trust_limits.unexplained: it does not
 *                     fall
 *   uncertain         the expected error of a joint's torque exceeds dynamics.error_limit; of the frame, for over
 *                     half of hip, knee and ankle of the legs with load; without such a leg, of all
 *                     joints
 * Without contact points only the first and the last are evaluated. Does nothing for a clip without trust. */
Status trust_judge(Clip *clip, unsigned changed, Error *err);

/* The last two of these flags (trust_marks.c). The clip has trust and dynamics; `unexplained` also needs kinematics,
 * contact and body, `uncertain` torque_sd and a body. */
void trust_mark_unexplained(Clip *clip);
Status trust_mark_uncertain(Clip *clip, Error *err);

/* Flags set by import stay with their frames when a stage resamples the motion or changes the skeleton. Only bits of
 * TRUST_SOURCE and TRUST_ADJACENT_JOINT are copied: flags set by a stage on the old motion are dropped. */

/* To a motion of the same joints over part of the same time, at any rate: a frame takes the reasons of all frames that
 * its values derive from or that it represents. On failure *out is empty. */
Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err);

/* Carries the clip's own trust, before the clip takes the motion `now`. Does nothing for a clip without trust. */
Status trust_follow(Clip *clip, const Motion *now, Error *err);

/* To another skeleton that moves with the same frames: a joint takes the reasons of the joint with its role or, if it
 * has none, its name. */
Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err);

#endif
