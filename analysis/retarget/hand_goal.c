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
#define SUPPORT 0.3 /* part of a foot's weight that a low wrist has for the height of the body */

static const Role goal_arms[2][3] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};

ArmJoints hand_goal_arm(const ReferencePose *r, int side)
{
    return (ArmJoints){r->joint[goal_arms[side][0]], r->joint[goal_arms[side][1]], r->joint[goal_arms[side][2]]};
}

static int is_whole(ArmJoints a) { return a.shoulder >= 0 && a.elbow >= 0 && a.wrist >= 0; }

double hand_goal_fade(double x, double min, double max)
{
    double y = fmax(0, fmin(1, (max - x) / (max - min)));
    return y * y * (3 - 2 * y);
}

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

static LimbGoal goal_at(const HandPair *hands, int side, int frame, int next)
{
    const FootPair *pair = hands->pair;
    const FootContact *c = pair->contact;
    int wrist = hand_goal_arm(hands->source, side).wrist;
    Vec3 source = pose_position(&pair->source, wrist, frame), then = pose_position(&pair->source, wrist, next);
    double height = vec3_dot(source, c->normal) - c->height;
    double weight = hand_goal_fade(height / hands->source->leg, LOW, HIGH);
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
