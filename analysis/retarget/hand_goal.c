/* See hand_goal.h. */
#include "analysis/retarget/hand_goal.h"

#include "analysis/math/vec.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/limb_solve.h"
#include "analysis/retarget/reference_pose.h"
#include "analysis/retarget/two_bone.h"

#define LOW 0.12     /* leg lengths: below this height a wrist may support the body */
#define HIGH 0.25    /* leg lengths: above this height it is free */
#define SUPPORT 0.1  /* fraction of a foot's weight that a low wrist has for the height of the body */
#define NEAR 0.13    /* leg lengths: hands closer than this to an object hold it */
#define FAR 0.18     /* leg lengths: hands farther than this from it do not */
#define STILL 0.25   /* leg lengths per second relative to the object: faster hands pass by */
#define BENT 0.5       /* cosine of the flexion of an elbow from which a hand may hold a hip: 60 degrees ... */
#define STRAIGHT 0.85  /* ... and up to which it does not: 32 degrees */
#define MIN 0.02   /* smaller weights count as zero */

static const Role goal_arms[2][3] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};
static const Role held[] = {ROLE_LEFT_HIP, ROLE_RIGHT_HIP, ROLE_HEAD};
enum { HELD = sizeof held / sizeof *held };

ArmJoints hand_goal_arm(const ReferencePose *r, int side)
{
    return (ArmJoints){r->joint[goal_arms[side][0]], r->joint[goal_arms[side][1]], r->joint[goal_arms[side][2]]};
}

static int is_whole(ArmJoints a) { return a.shoulder >= 0 && a.elbow >= 0 && a.wrist >= 0; }

int hand_goal_has_arm(const HandPair *hands, int side)
{
    return is_whole(hand_goal_arm(hands->target, side)) && is_whole(hand_goal_arm(hands->source, side));
}

static Vec3 pose_position(const SoledPose *p, int joint, int frame)
{
    return p->position[(size_t)frame * (size_t)p->joint_count + (size_t)joint];
}

LimbShape hand_goal_shape(const HandPair *hands, int side, int frame)
{
    const SoledPose *p = &hands->pair->target;
    const ReferencePose *r = hands->target;
    ArmJoints arm = hand_goal_arm(r, side);
    Vec3 shoulder = pose_position(p, arm.shoulder, frame), elbow = pose_position(p, arm.elbow, frame);
    Vec3 upper = vec3_sub(elbow, shoulder), lower = vec3_sub(pose_position(p, arm.wrist, frame), elbow);
    int hips = r->joint[ROLE_HIPS];
    Quat rotation = quat_mul(p->orientation[(size_t)frame * (size_t)p->joint_count + (size_t)hips],
                             quat_conjugate(r->orientation[hips]));
    Vec3 front = quat_rotate(rotation, quat_rotate(r->body, vec3(0, 0, 1)));
    return (LimbShape){shoulder, upper, lower, two_bone_axis(upper, lower, vec3_cross(upper, front))};
}

/* 1 for x <= min, 0 for x >= max, smooth between. */
static double fade(double x, double min, double max)
{
    double y = fmax(0, fmin(1, (max - x) / (max - min)));
    return y * y * (3 - 2 * y);
}

static LimbGoal goal_at(const HandPair *hands, int side, int frame, int next)
{
    const FootPair *pair = hands->pair;
    const FootContact *c = pair->contact;
    int wrist = hand_goal_arm(hands->source, side).wrist;
    Vec3 source = pose_position(&pair->source, wrist, frame), then = pose_position(&pair->source, wrist, next);
    double height = vec3_dot(source, c->normal) - c->height, weight = fade(height / hands->source->leg, LOW, HIGH);
    return (LimbGoal){.velocity = vec3_scale(vec3_sub(then, source), pair->scale / c->frame_time),
                      .velocity_weight = weight, .height = pair->scale * (height + c->height),
                      .height_weight = SUPPORT * weight,
                      .floor = pair->scale * (c->height + fmin(height, 0))};
}

int hand_goal_fill(const HandPair *hands, int side, LimbGoal *goal)
{
    const FootPair *pair = hands->pair;
    int frames = pair->contact->frame_count, count = 0, wrist = hand_goal_arm(hands->target, side).wrist;
    for (int f = 0; f < frames; f++) {
        goal[f] = goal_at(hands, side, f, f + 1 < frames ? f + 1 : f);
        count += goal[f].height_weight > 0 ||
                 vec3_dot(pose_position(&pair->target, wrist, f), pair->contact->normal) < goal[f].floor;
    }
    return count;
}

/* Weight 0 .. 1 with which a hand holds another joint, both of the source. */
static double hold_weight(const HandPair *hands, int wrist, int other, int frame)
{
    const SoledPose *p = &hands->pair->source;
    int last = hands->pair->contact->frame_count - 1, before = frame > 0 ? frame - 1 : 0;
    int after = frame < last ? frame + 1 : last;
    Vec3 apart = vec3_sub(pose_position(p, wrist, frame), pose_position(p, other, frame));
    double near = fade(vec3_norm(apart) / hands->source->leg, NEAR, FAR);
    if (!(near > MIN) || after == before)
        return 0;
    Vec3 moved = vec3_sub(vec3_sub(pose_position(p, wrist, after), pose_position(p, other, after)),
                          vec3_sub(pose_position(p, wrist, before), pose_position(p, other, before)));
    double time = (after - before) * hands->pair->contact->frame_time;
    double speed = vec3_norm(moved) / (time * hands->source->leg * STILL);
    double weight = near / (1 + speed * speed);
    return weight > MIN ? weight : 0;
}

/* Weight 0 .. 1 with which the source's arm is bent: one that hangs passes the hip and does not hold it. */
static double bent_weight(const HandPair *hands, int side, int frame)
{
    const SoledPose *p = &hands->pair->source;
    ArmJoints arm = hand_goal_arm(hands->source, side);
    Vec3 elbow = pose_position(p, arm.elbow, frame);
    Vec3 upper = vec3_normalize(vec3_sub(elbow, pose_position(p, arm.shoulder, frame)));
    return fade(vec3_dot(upper, vec3_normalize(vec3_sub(pose_position(p, arm.wrist, frame), elbow))), BENT, STRAIGHT);
}

double hand_goal_arm_scale(const HandPair *hands, int side)
{
    double length[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const ReferencePose *r = i ? hands->source : hands->target;
        length[i] = vec3_norm(reference_between(r, goal_arms[side][0], goal_arms[side][1])) +
                    vec3_norm(reference_between(r, goal_arms[side][1], goal_arms[side][2]));
    }
    return length[1] > 0 ? length[0] / length[1] : hands->pair->scale;
}

/* Writes the tie of a hand to the joint of a role, or to the left hand for ROLE_LEFT_WRIST. Returns 0 if it holds
 * nothing there. */
static int add_tie(const HandPair *hands, int side, Role role, int frame, LimbTie *tie)
{
    const FootPair *pair = hands->pair;
    int wrist = hand_goal_arm(hands->source, side).wrist, source = hands->source->joint[role];
    int target = hands->target->joint[role], is_hand = role == ROLE_LEFT_WRIST;
    double weight = source < 0 || target < 0 ? 0 : hold_weight(hands, wrist, source, frame);
    if (weight > 0 && (role == ROLE_LEFT_HIP || role == ROLE_RIGHT_HIP))
        weight *= bent_weight(hands, side, frame);
    if (!(weight > 0))
        return 0;
    Vec3 apart = vec3_sub(pose_position(&pair->source, wrist, frame), pose_position(&pair->source, source, frame));
    apart = vec3_scale(apart, hand_goal_arm_scale(hands, side));
    *tie = (LimbTie){.limb = LIMB_LEFT_ARM + side, .other = is_hand ? LIMB_LEFT_ARM : -1, .frame = frame,
                     .position = pose_position(&pair->target, target, frame), .vector = apart,
                     .weight = weight};
    return 1;
}

int hand_goal_ties(const HandPair *hands, LimbTie *tie)
{
    int count = 0, has[2] = {hand_goal_has_arm(hands, 0), hand_goal_has_arm(hands, 1)};
    for (int f = 0; f < hands->pair->contact->frame_count; f++) {
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < HELD && has[side]; i++)
                count += add_tie(hands, side, held[i], f, &tie[count]);
        if (has[0] && has[1])
            count += add_tie(hands, 1, ROLE_LEFT_WRIST, f, &tie[count]);
    }
    return count;
}
