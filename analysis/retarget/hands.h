/* Hands that keep their reach: inverse kinematics of the arms moves the wrists to the positions of the source's,
 * relative to the body or to the world. */
#ifndef KANE_RETARGET_HANDS_H
#define KANE_RETARGET_HANDS_H

#include "analysis/clip/motion.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/reference_pose.h"

/* Closed-form inverse kinematics of two bones: bends the middle joint until the end has the required distance, then
 * rotates the whole limb towards the target. */

typedef struct TwoBone {
    Vec3 root, middle, end; /* m, world: hip, knee, ankle or shoulder, elbow, wrist */
    Vec3 hinge;             /* world: approximate bend axis of the middle joint, used for a straight limb */
} TwoBone;

typedef struct TwoBoneRotation {
    Quat root, middle; /* world rotations of the upper bone and of the lower bone (including root) */
} TwoBoneRotation;

/* Axis about which the lower bone bends, unit and normal to the upper bone: the normal of both bones, blended with the
 * given hinge where the bones are nearly in line. */
Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge);

/* Ratio of distance to length for a limb whose target is at `ratio`: the ratio itself up to `straight`, then compressed
 * below straight + room, so that the limb does not snap straight. */
double two_bone_soft_ratio(double ratio, double straight, double room);

/* Returns the rotations that bring the end into the direction of target, at the distance `reach` from the root or as
 * near to it as the bones permit. */
TwoBoneRotation two_bone_solve(const TwoBone *limb, Vec3 target, double reach);

/* Forearms and the parts of the body they may penetrate, as capsules between the joints of two roles. */

typedef struct ArmPart {
    Role from, to;
} ArmPart;

enum { FOREARMS = 2, OTHER_PARTS = 6 };
extern const ArmPart forearms[FOREARMS];       /* left, right */
extern const ArmPart other_parts[OTHER_PARTS]; /* trunk, neck, thighs, shanks */

/* A part in one frame: its ends, m, and its radius, m, for a body whose reach is two legs
 * (analysis/body/capsules.h). */
typedef struct ArmCapsule {
    Vec3 end[2];
    double radius;
} ArmCapsule;

int arm_part_exists(const ReferencePose *r, ArmPart part);

/* position: of every joint in the frame, m, world. The part must exist. */
ArmCapsule arm_part_capsule(const ReferencePose *r, ArmPart part, const Vec3 *position);

/* Penetration depth, m; negative: distance. */
double capsules_overlap(const ArmCapsule *a, const ArmCapsule *b);

/* Goals of the target's hands: they hold what the source's hands hold, which may be the ground, each other, the hips or
 * the head.
 *
 * A low wrist moves along the ground and in height as the source's does, scaled, and does not sink deeper. A wrist at
 * rest near the other wrist, a hip or the head keeps the scaled vector to it. Elsewhere arms stay as copied.
 *
 * Reference: E. Ho, T. Komura, C.-L. Tai, Spatial Relationship Preserving Character Motion Adaptation (2010), for
 * keeping vectors between near parts; here single vectors replace the mesh. */

typedef struct HandPair {
    const FootPair *pair;
    const ReferencePose *target, *source;
} HandPair;

/* Whether both bodies have the arm of this side (0 left, 1 right). */
int hand_goal_has_arm(const HandPair *hands, int side);

/* Shoulder, elbow and wrist joints of a body. */
typedef struct ArmJoints {
    int shoulder, elbow, wrist;
} ArmJoints;
ArmJoints hand_goal_arm(const ReferencePose *r, int side);

/* Ratio of the arm lengths, target over source. Equal arms on equal bodies reach the same position unchanged. */
double hand_goal_arm_scale(const HandPair *hands, int side);

/* The copied arm of one frame, m, world; a straight arm bends forward. */
LimbShape hand_goal_shape(const HandPair *hands, int side, int frame);

/* Fills goal[frame]; returns the number of frames with a height goal or a wrist below the floor. */
int hand_goal_fill(const HandPair *hands, int side, LimbGoal *goal);

/* Fills tie with the ties of both hands, ordered by frame, at most HAND_TIES per frame; returns their number. */
enum { HAND_TIES = 7 };
int hand_goal_ties(const HandPair *hands, LimbTie *tie);

/* Guards that keep forearms clear of the body where the source's are.
 *
 * A forearm comes no nearer to trunk, neck or a leg than the source's does, scaled by arm length, and its capsule
 * penetrates no deeper than the source's. Where the source's capsules do not touch, it is enough that the target's do
 * not: keeping more distance would rotate the arms of a walk by 10 degrees on a body with wide hips. */

/* Fills the guards of both arms that are near enough to matter, ordered by frame, and returns their number. guard NULL:
 * only counts. *broken: number of guards that the copied arms violate. */
int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken);

typedef enum HandReach {
    HANDS_ROTATION = 0, /* as the rotations give */
    HANDS_BODY,         /* same position relative to the middle of the shoulders, scaled by arm length */
    HANDS_WORLD,        /* same position in the world scaled by leg length, as on one door handle */
    HANDS_AUTO          /* as the rotations give, except where they hold something */
} HandReach;

/* World poses of target and source, [frame][joint]; `pose` is that of the motion to change. */
typedef struct HandPoses {
    const ReferencePose *target, *source;
    const Kinematics *pose;
    const Vec3 *source_position;
} HandPoses;

/* Rotates the arms of *motion for HANDS_BODY and HANDS_WORLD; other values change nothing. Arms that lack a joint stay
 * unchanged. */
void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion);

/* Mean distance of the wrists from their targets, m (HANDS_ROTATION and HANDS_AUTO: those of HANDS_BODY); NaN without
 * hands. */
double hands_error(const HandPoses *poses, HandReach reach);

#endif
