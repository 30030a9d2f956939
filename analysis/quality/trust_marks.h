/* Trust behind import: artifacts of a take kept out of what is smoothed, marks of the stages frame by frame.
 *
 * Bounds stand in data/trust.tsv. */
#ifndef KANE_QUALITY_TRUST_MARKS_H
#define KANE_QUALITY_TRUST_MARKS_H

#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

/* Keeps the artifacts of a take out of what is smoothed: a filter would spread them over sound frames.
 *
 * Frames with artifacts between sound ones are bridged by cubics with the speeds on either side, which tire over a long
 * gap. A step for good is taken out: all behind it is shifted, or turned, so that the joint goes on without it, and put
 * back when the filter is done. Both commute with a linear filter, so the frames around are smoothed as if the artifact
 * had not been there. Only joints with artifacts change (Trust.joint_reason).
 *
 * Steps of the root's path stay out: ground and forces follow from a path that holds together. Its height comes back
 * where the body's lowest points lie on one level with it, as where two takes were joined. */

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

/* On failure the motion is valid, but some artifacts may be bridged. *taken = (TakenSteps){0} before; the caller frees
 * it also after failure. */
Status artifact_bridge(const Skeleton *skeleton, const Trust *trust, Motion *motion, TakenSteps *taken, Error *err);
void artifact_put_back(Motion *motion, const TakenSteps *taken);
void taken_steps_free(TakenSteps *taken);

/* After groups of the clip changed: takes back flags that followed from them, and from groups that are gone, and adds
 * what those that are there give now:
 *   edge              kinematics not valid, or within trust_limits.fault_reach of an artifact of the source
 *   lost_contact      the body requires support of more than half its weight, and less than a tenth supports it
 *   airborne_support  a point that carries a tenth of the weight moves, clear of all that the body comes down to
 *   presumed_support  an unrecorded seat or handrail supports more than SUPPORT_LEAST_LOAD (contact/support.h)
 *   unexplained       nothing supports the body for unexplained_least or longer, and its mean residual, force and
 *                     moment about the COM together, is over trust_limits.unexplained: it does not fall
 *   uncertain         the expected error of a joint's torque is over dynamics.error_limit; of the frame, for over half
 *                     of hip, knee and ankle of the legs with load; without such a leg, of all joints
 * A clip without contact points leaves all but the first and the last open. Does nothing where nobody has judged the
 * clip. */
Status trust_judge(Clip *clip, unsigned changed, Error *err);

/* The last two of these (trust_torques.c). The clip has trust and dynamics, for `unexplained` kinematics, contact and
 * body, for `uncertain` torque_sd and a body. */
void trust_mark_unexplained(Clip *clip);
Status trust_mark_uncertain(Clip *clip, Error *err);

/* What import found goes with the frames where a stage takes others of them, or another skeleton.
 *
 * Only bits of TRUST_SOURCE and TRUST_ADJACENT_JOINT are copied: flags that a stage set on the
 * old motion are dropped. */

/* To a motion of the same joints over part of the same time, at any rate: a frame takes the reasons of all frames that
 * its values come from or that it stands for. On failure *out is empty. */
Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err);

/* The clip's own, before it takes the motion `now`. Does nothing where nobody has judged it. */
Status trust_follow(Clip *clip, const Motion *now, Error *err);

/* To another skeleton that moves with the same frames: a joint takes the reasons of the one with its role or, where it
 * has none, its name. */
Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err);

#endif
