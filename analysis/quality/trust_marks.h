/* What the stages behind import say about a take, frame by frame: edges, and what the forces leave open.
 *
 * Bounds stand in data/trust.tsv. */
#ifndef KANE_QUALITY_TRUST_MARKS_H
#define KANE_QUALITY_TRUST_MARKS_H

#include "analysis/clip/clip.h"

/* After groups of the clip changed: takes back what was said from them, and from groups that are gone, and adds what
 * those of them that are there say now:
 *   edge              kinematics not valid, or within trust_limits.fault_reach of a fault of the source
 *   lost_contact      the body needs to be borne by more than half its weight, and less than a tenth bears it
 *   airborne_support  a point that carries a tenth of the weight moves, clear of all that the body comes down to
 *   presumed_support  a seat or a hand rail that nobody recorded bears more than SUPPORT_LEAST_LOAD (contact/support.h)
 *   unexplained       the residual, force and moment about the COM together, over trust_limits.unexplained somewhere
 *                     within unexplained_reach, or for less than unexplained_island not
 * A clip without contact points leaves the last four open. Does nothing where nobody has judged the clip. */
Status trust_judge(Clip *clip, unsigned changed, Error *err);

/* What import found goes with the frames where a stage takes others of them, or another skeleton.
 *
 * Only bits of TRUST_SOURCE and TRUST_NEIGHBOUR are carried: what a stage found on the old motion falls with it. */

/* To a motion of the same joints over part of the same time, at any rate: a frame takes the reasons of all frames that
 * its values come from or that it stands for. On failure *out is empty. */
Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err);

/* The clip's own, before it takes the motion `now`. Does nothing where nobody has judged it. */
Status trust_follow(Clip *clip, const Motion *now, Error *err);

/* To another skeleton that moves with the same frames: a joint takes the reasons of the one with its role or, where it
 * has none, its name. */
Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err);

#endif
