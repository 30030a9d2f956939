/* Hands that keep their reach: the wrists go where the source's are, relative to the body or to the world, by inverse
 * kinematics of the arms. */
#ifndef KANE_RETARGET_HANDS_H
#define KANE_RETARGET_HANDS_H

#include "analysis/clip/motion.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/reference_pose.h"

/* Inverse kinematics of two bones in closed form: bend the middle joint until the end is as far as it should be, then
 * swing the whole towards it. */

typedef struct TwoBone {
    Vec3 root, middle, end; /* m, world: hip, knee, ankle or shoulder, elbow, wrist */
    Vec3 hinge;             /* world, about: the axis about which the middle joint bends, for a straight limb */
} TwoBone;

typedef struct TwoBoneTurn {
    Quat root, middle; /* world turns of the upper bone, and of the lower one (root's included) */
} TwoBoneTurn;

/* Axis about which the lower bone bends: normal to both bones, helped by the known hinge where they are nearly in line;
 * unit, normal to the upper bone. */
Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge);

/* Ratio of distance to length at which a limb is held that should reach `ratio`: the ratio itself up to `straight`,
 * then ever less, never more than straight + room, so that the limb does not snap straight. */
double two_bone_soft_ratio(double ratio, double straight, double room);

/* The turns that bring the end into the direction of target, `reach` away from the root or as near to that as the bones
 * allow. */
TwoBoneTurn two_bone_solve(const TwoBone *limb, Vec3 target, double reach);

/* Forearms and the parts of the body that they may run into, as capsules between the joints of two roles. */

typedef struct ArmPart {
    Role from, to;
} ArmPart;

enum { FOREARMS = 2, OTHER_PARTS = 6 };
extern const ArmPart forearms[FOREARMS];       /* left, right */
extern const ArmPart other_parts[OTHER_PARTS]; /* trunk, neck, thighs, shanks */

/* In one frame: its ends, m, and the radius of a body whose reach is two legs (analysis/body/capsules.h). */
typedef struct ArmCapsule {
    Vec3 end[2];
    double radius;
} ArmCapsule;

int arm_part_exists(const ReferencePose *r, ArmPart part);

/* position: of every joint in the frame, world. The part exists. */
ArmCapsule arm_part_capsule(const ReferencePose *r, ArmPart part, const Vec3 *position);

/* How far one is inside the other, m; negative: how far apart. */
double capsules_overlap(const ArmCapsule *a, const ArmCapsule *b);

/* What the target's hands should do so that they hold what the source's hold: the ground, each other, hips and head.
 *
 * A wrist that is low goes along the ground and up and down as the source's does, scaled, and is nowhere deeper in it.
 * One that rests near the other, a hip or the head keeps the scaled vector to it. Everywhere else arms stay as copied.
 *
 * Reference: E. Ho, T. Komura, C.-L. Tai, Spatial Relationship Preserving Character Motion Adaptation (2010), for
 * keeping vectors between near parts; here single vectors in place of a mesh. */

typedef struct HandPair {
    const FootPair *pair;
    const ReferencePose *target, *source;
} HandPair;

/* Whether both bodies have the arm of this side, 0 left, 1 right. */
int hand_goal_has_arm(const HandPair *hands, int side);

/* Shoulder, elbow and wrist joints of the target. */
typedef struct ArmJoints {
    int shoulder, elbow, wrist;
} ArmJoints;
ArmJoints hand_goal_arm(const ReferencePose *r, int side);

/* Of the target's arm over the source's: arms that are alike need no change to reach the same place of alike bodies. */
double hand_goal_arm_scale(const HandPair *hands, int side);

/* The copied arm of one frame; a straight one bends forward. */
LimbShape hand_goal_shape(const HandPair *hands, int side, int frame);

/* goal[frame]; returns how many of them want something. */
int hand_goal_fill(const HandPair *hands, int side, LimbGoal *goal);

/* Ties of both hands, in the order of frames: at most HAND_TIES a frame. Fills tie and returns how many. */
enum { HAND_TIES = 7 };
int hand_goal_ties(const HandPair *hands, LimbTie *tie);

/* Forearms that stay clear of the body where the source's do.
 *
 * A forearm comes no nearer to trunk, neck or a leg than the source's does, scaled by the arms, and its capsule is no
 * deeper in that part's than the source's is. Where the source's capsules are apart, that the target's are is enough:
 * more room would turn the arms of a walk by 10 degrees on a body with wide hips. */

/* Guards of both arms in the order of frames, of those that could count; returns how many. guard NULL: only that.
 * *broken: how many the copied arms do not keep. */
int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken);

typedef enum HandReach {
    HANDS_ROTATION = 0, /* as the rotations have them */
    HANDS_BODY,         /* as far from the middle of the shoulders as the source's, scaled by arm length */
    HANDS_WORLD,        /* where the source's are in the world that is scaled by leg length: on the same door handle */
    HANDS_AUTO          /* as the rotations have them, but where they hold something (hands.h) */
} HandReach;

/* World pose of target and source, [frame][joint]; the target's is of *motion. */
typedef struct HandPoses {
    const ReferencePose *target, *source;
    const Kinematics *pose;
    const Vec3 *source_position;
} HandPoses;

/* Turns the arms of *motion; HANDS_ROTATION and HANDS_AUTO leave them. Arms that lack a joint stay. */
void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion);

/* Mean distance of the wrists from where they should be (HANDS_ROTATION and HANDS_AUTO: as for HANDS_BODY), m; NaN
 * without hands. */
double hands_error(const HandPoses *poses, HandReach reach);

#endif
