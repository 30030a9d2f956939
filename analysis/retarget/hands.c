/* See hands.h. */
#include "analysis/retarget/hands.h"

#include "analysis/body/capsules.h"
#include "analysis/math/vec.h"

/* Inverse kinematics of two bones in closed form. */

#define STRAIGHT_SINE 0.15 /* below this sine of the bend the given hinge contributes to the axis */
#define OVERSTRETCHED_SINE                                                                                           \
    0.5                  /* a backward bend below this sine is noise or hyperextension: its axis is reversed */
#define LEAST_REACH 0.02 /* fraction of the length: closer to the root there is no direction */

double two_bone_soft_ratio(double ratio, double straight, double room)
{
    double beyond = ratio - straight;
    if (!(beyond > 0))
        return ratio;
    /* slope 1 at straight, tends to straight + room */
    return room > 0 ? straight + room * beyond / (room + beyond) : straight;
}

Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge)
{
    upper = vec3_normalize(upper);
    lower = vec3_normalize(lower);
    Vec3 normal = vec3_cross(upper, lower), about = vec3_normalize(hinge);
    double along = vec3_dot(normal, about), sine = vec3_norm(normal), lack = fmax(STRAIGHT_SINE - sine, 0);
    if (along < 0 && sine < OVERSTRETCHED_SINE)
        normal = vec3_mad(normal, -2 * along, about);
    Vec3 axis = vec3_mad(normal, lack * lack / STRAIGHT_SINE, about);
    return vec3_normalize(vec3_mad(axis, -vec3_dot(axis, upper), upper));
}

TwoBoneRotation two_bone_solve(const TwoBone *limb, Vec3 target, double reach)
{
    Vec3 a = vec3_sub(limb->middle, limb->root), b = vec3_sub(limb->end, limb->middle),
         to = vec3_sub(target, limb->root);
    double upper = vec3_norm(a), lower = vec3_norm(b), length = upper + lower;
    TwoBoneRotation rotation = {QUAT_IDENTITY, QUAT_IDENTITY};
    if (!(upper > 0) || !(lower > 0) || !(vec3_norm(to) > LEAST_REACH * length))
        return rotation;
    reach = fmax(fmin(reach, length), fabs(upper - lower) + LEAST_REACH * length);
    Vec3 u = vec3_scale(a, 1 / upper), axis = two_bone_axis(a, b, limb->hinge);
    /* law of cosines: reach^2 = upper^2 + lower^2 + 2 upper lower cos(bend) */
    double cosine = (reach * reach - upper * upper - lower * lower) / (2 * upper * lower);
    cosine = fmax(-1, fmin(1, cosine));
    Vec3 bent = vec3_mad(vec3_scale(u, cosine), sqrt(1 - cosine * cosine), vec3_cross(axis, u));
    rotation.middle = quat_between(b, bent);
    Vec3 end = vec3_mad(a, lower, bent);
    rotation.root = quat_between(end, to);
    rotation.middle = quat_mul(rotation.root, rotation.middle);
    return rotation;
}

/* Forearms and the parts of the body they may penetrate, as capsules between the joints of two roles. */

const ArmPart forearms[FOREARMS] = {{ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};
const ArmPart other_parts[OTHER_PARTS] = {
    {ROLE_HIPS, ROLE_NECK}, {ROLE_NECK, ROLE_HEAD}, {ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};

int arm_part_exists(const ReferencePose *r, ArmPart part)
{
    return r->joint[part.from] >= 0 && r->joint[part.to] >= 0;
}

ArmCapsule arm_part_capsule(const ReferencePose *r, ArmPart part, const Vec3 *position)
{
    Vec3 from = position[r->joint[part.from]], to = position[r->joint[part.to]];
    return (ArmCapsule){{from, to}, capsule_radius(vec3_distance(from, to), 2 * r->leg)};
}

double capsules_overlap(const ArmCapsule *a, const ArmCapsule *b)
{
    return a->radius + b->radius - vec3_norm(segments_apart(a->end, b->end));
}

/* Goals of the target's hands: they hold what the source's hands hold. */

#define LOW 0.12     /* leg lengths: below this height a wrist may support the body */
#define HIGH 0.25    /* leg lengths: above this height it is free */
#define SUPPORT 0.1  /* fraction of a foot's weight that a low wrist has for the height of the body */
#define NEAR 0.13    /* leg lengths: hands closer than this to an object hold it */
#define FAR 0.18     /* leg lengths: hands farther than this from it do not */
#define STILL 0.25   /* leg lengths per second relative to the object: faster hands pass by */
#define LEAST 0.02   /* smaller weights count as zero */

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

/* 1 for x <= least, 0 for x >= most, smooth between. */
static double fade(double x, double least, double most)
{
    double y = fmax(0, fmin(1, (most - x) / (most - least)));
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
    if (!(near > LEAST) || after == before)
        return 0;
    Vec3 moved = vec3_sub(vec3_sub(pose_position(p, wrist, after), pose_position(p, other, after)),
                          vec3_sub(pose_position(p, wrist, before), pose_position(p, other, before)));
    double time = (after - before) * hands->pair->contact->frame_time;
    double speed = vec3_norm(moved) / (time * hands->source->leg * STILL);
    double weight = near / (1 + speed * speed);
    return weight > LEAST ? weight : 0;
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

/* Guards that keep forearms clear of the body where the source's are. */

#define SLACK 0.005 /* leg lengths of penetration that are not corrected */
#define WIDE 0.06   /* leg lengths: arms farther away than the least distance plus this get no guard */

/* Forearms of one side in one frame, of target and source. */
typedef struct Forearm {
    const HandPair *hands;
    int side, frame;
    double arms; /* ratio of the arm lengths, target over source */
    ArmCapsule target, source;
} Forearm;

static Forearm forearm_of(const HandPair *h, int side, int frame, double arms)
{
    return (Forearm){h, side, frame, arms,
                     arm_part_capsule(h->target, forearms[side], soled_pose_positions(&h->pair->target, frame)),
                     arm_part_capsule(h->source, forearms[side], soled_pose_positions(&h->pair->source, frame))};
}

/* Least distance of the target's forearm from a part: the source's distance, but no more than that at which the
 * source's capsules touch. */
static double least_distance(const Forearm *arm, const ArmCapsule *target, const ArmCapsule *source, double apart)
{
    const HandPair *h = arm->hands;
    double inside = fmax(capsules_overlap(&arm->source, source), 0);
    double kept = arm->arms * fmin(apart, arm->source.radius + source->radius);
    double clear = arm->target.radius + target->radius - h->pair->scale * inside;
    return fmax(kept, clear) - SLACK * h->target->leg;
}

/* Writes the guard of a forearm against one part of the body; returns 0 if they are too far apart to need one. Counts
 * in *broken whether the copied arm violates it. */
static int make_guard(const Forearm *arm, ArmPart part, LimbGuard *guard, int *broken)
{
    const HandPair *h = arm->hands;
    if (!arm_part_exists(h->target, part) || !arm_part_exists(h->source, part))
        return 0;
    ArmCapsule target = arm_part_capsule(h->target, part, soled_pose_positions(&h->pair->target, arm->frame));
    ArmCapsule source = arm_part_capsule(h->source, part, soled_pose_positions(&h->pair->source, arm->frame));
    Vec3 apart = segments_apart(arm->source.end, source.end), now = segments_apart(arm->target.end, target.end);
    double least = least_distance(arm, &target, &source, vec3_norm(apart));
    double distance = vec3_dot(now, apart) < 0 ? -vec3_norm(now) : vec3_norm(now);
    if (distance > least + WIDE * h->target->leg)
        return 0;
    *broken += distance < least;
    *guard = (LimbGuard){.limb = LIMB_LEFT_ARM + arm->side, .frame = arm->frame, .side = apart, .least = least,
                         .part = {target.end[0], target.end[1]}};
    return 1;
}

int hand_guards(const HandPair *hands, LimbGuard *guard, int *broken)
{
    int count = 0, has_arm[FOREARMS];
    double arms[FOREARMS];
    *broken = 0;
    for (int side = 0; side < FOREARMS; side++) {
        has_arm[side] = hand_goal_has_arm(hands, side);
        arms[side] = has_arm[side] ? hand_goal_arm_scale(hands, side) : 0;
    }
    for (int f = 0; f < hands->pair->contact->frame_count; f++)
        for (int side = 0; side < FOREARMS; side++) {
            if (!has_arm[side])
                continue;
            Forearm arm = forearm_of(hands, side, f, arms[side]);
            LimbGuard made;
            for (int i = 0; i < OTHER_PARTS; i++)
                if (make_guard(&arm, other_parts[i], &made, broken)) {
                    if (guard)
                        guard[count] = made;
                    count++;
                }
        }
    return count;
}

#define STRAIGHT_ARM 0.97 /* fraction of the arm's length above which its reach is compressed */
#define ARM_ROOM 0.025    /* fraction of the arm's length by which it reaches further at most */

static const Role arms[2][3] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};

static double arm_length(const ReferencePose *r, int side)
{
    return vec3_norm(reference_between(r, arms[side][0], arms[side][1])) +
           vec3_norm(reference_between(r, arms[side][1], arms[side][2]));
}

static int has_arm(const ReferencePose *r, int side)
{
    return r->joint[arms[0][0]] >= 0 && r->joint[arms[1][0]] >= 0 && r->joint[arms[side][1]] >= 0 &&
           r->joint[arms[side][2]] >= 0 && arm_length(r, side) > 0;
}

static Vec3 shoulder_middle(const ReferencePose *r, const Vec3 *position)
{
    return vec3_scale(vec3_add(position[r->joint[arms[0][0]]], position[r->joint[arms[1][0]]]), 0.5);
}

static Vec3 wanted_wrist(const HandPoses *p, HandReach reach, int side, const Vec3 *target, const Vec3 *source)
{
    Vec3 wrist = source[p->source->joint[arms[side][2]]];
    if (reach == HANDS_WORLD)
        return vec3_scale(wrist, p->target->leg / p->source->leg);
    double scale = arm_length(p->target, side) / arm_length(p->source, side);
    return vec3_mad(shoulder_middle(p->target, target), scale, vec3_sub(wrist, shoulder_middle(p->source, source)));
}

static Quat local_of(Quat parent, Quat joint) { return quat_normalize(quat_mul(quat_conjugate(parent), joint)); }

static void reach_with(const HandPoses *p, HandReach reach, int side, int f, Motion *motion)
{
    const int *parent = p->target->skeleton->parent;
    size_t row = (size_t)f * (size_t)p->pose->joint_count;
    const Vec3 *x = p->pose->position + row;
    const Quat *q = p->pose->orientation + row;
    Quat *local = motion->rotation + motion_index(motion, f, 0);
    int shoulder = p->target->joint[arms[side][0]], elbow = p->target->joint[arms[side][1]],
        wrist = p->target->joint[arms[side][2]];
    const Vec3 *source = p->source_position + (size_t)f * (size_t)p->source->skeleton->joint_count;
    Vec3 to = wanted_wrist(p, reach, side, x, source);
    /* a straight arm bends forward, about the normal of the upper arm and the body's front */
    int hips = p->target->joint[ROLE_HIPS];
    Vec3 front = quat_rotate(quat_mul(q[hips], quat_conjugate(p->target->orientation[hips])),
                             quat_rotate(p->target->body, vec3(0, 0, 1)));
    TwoBone arm = {x[shoulder], x[elbow], x[wrist], vec3_cross(vec3_sub(x[elbow], x[shoulder]), front)};
    double length = vec3_distance(x[shoulder], x[elbow]) + vec3_distance(x[elbow], x[wrist]);
    double ratio = two_bone_soft_ratio(vec3_distance(to, x[shoulder]) / length, STRAIGHT_ARM, ARM_ROOM);
    TwoBoneRotation rotation = two_bone_solve(&arm, to, ratio * length);
    local[shoulder] = local_of(q[parent[shoulder]], quat_mul(rotation.root, q[shoulder]));
    local[elbow] = local_of(quat_mul(rotation.root, q[parent[elbow]]), quat_mul(rotation.middle, q[elbow]));
    local[wrist] = local_of(quat_mul(rotation.middle, q[parent[wrist]]), q[wrist]);
}

void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion)
{
    for (int side = 0; side < 2 && (reach == HANDS_BODY || reach == HANDS_WORLD); side++)
        for (int f = 0; f < motion->frame_count && has_arm(poses->target, side) && has_arm(poses->source, side); f++)
            reach_with(poses, reach, side, f, motion);
}

double hands_error(const HandPoses *poses, HandReach reach)
{
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < poses->pose->frame_count && has_arm(poses->target, side) && has_arm(poses->source, side);
             f++) {
            const Vec3 *x = poses->pose->position + (size_t)f * (size_t)poses->pose->joint_count;
            const Vec3 *source = poses->source_position + (size_t)f * (size_t)poses->source->skeleton->joint_count;
            sum += vec3_distance(x[poses->target->joint[arms[side][2]]], wanted_wrist(poses, reach, side, x, source));
            count++;
        }
    return count ? sum / count : NAN;
}
