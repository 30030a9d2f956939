/* IK bones of a target: joints beside the body that state where a foot or a hand is, such as Unreal's ik_foot_l,
 * ik_hand_gun and ik_hand_l below ik_foot_root and ik_hand_root. Game engines read them as goals. */
#ifndef KANE_RETARGET_IK_BONES_H
#define KANE_RETARGET_IK_BONES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/motion.h"

/* The joint of a foot or hand that an IK bone follows; -1: the joint is no IK bone, or the root of several.
 *
 * A bone is one by its name (the word "ik" with a foot or a hand) or, beside the body, by lying on an ankle or
 * wrist. Without a side it follows the nearest, and the right one of two. target: skeleton with roles; motion: its
 * own, or NULL. */
int ik_bone_limb(const ClipView *target, int joint);

/* Whether no joint with a role is above or below a joint, or is it: a prop, an IK bone or a camera. */
int joint_is_beside_body(const Skeleton *s, int joint);

/* Whether a joint beside the body is the root of IK bones, such as ik_hand_root. */
int ik_bone_is_root(const Skeleton *s, int joint);

/* Places the target's IK bones in *motion as they lie at their limbs in the target's first frame, or on the limbs if
 * they are elsewhere there. Their roots stay where they are on their parents. source: of the same joints, whose bones
 * lie as wanted in each frame; NULL: another skeleton. Adds translations to the motion if it has such bones. */
Status ik_bones_follow(const ClipView *target, const ClipView *source, Motion *motion, Error *err);

#endif
