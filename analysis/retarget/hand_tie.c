/* See hand_tie.h. */
#include "analysis/retarget/hand_tie.h"

#include "analysis/math/vec.h"
#include "analysis/motion/joint_pose.h"

#define NEAR 0.02      /* leg lengths from the surface of a part: hands closer than this hold it */
#define FAR 0.07       /* the same: hands farther away do not */
#define STILL 0.25     /* leg lengths per second relative to the part: faster hands pass by */
#define BENT 0.5       /* cosine of the flexion of an elbow from which a hand may hold hips or trunk: 60 degrees ... */
#define STRAIGHT 0.85  /* ... and up to which it does not: 32 degrees */
#define UPPER 0.5      /* fraction of a thigh that a hanging hand passes */
#define MIN 0.05       /* smaller values of closeness count as zero */
#define MIN_TIME 0.2   /* s: hands that rest for a shorter time pass by */
#define ARM_RADIUS 0.055  /* leg lengths */
#define HAND_RADIUS 0.11  /* leg lengths: between the wrists of hands that touch */
#define PROP_RADIUS 0.3   /* leg lengths: a prop's joint may be its middle ... */
#define GRIP_RADIUS 0.45  /* ... or farther, if it moves with the hand */
#define HAND_BEGINS 1.7   /* position along the arm (LimbTie.at) from which the other hand is held */

/* A part of the body between the joints of two roles, which may be one. */
typedef struct HeldPart {
    Role from, to;
    double radius;   /* leg lengths */
    double passed;   /* fraction of its length that a hanging hand passes */
} HeldPart;

static const HeldPart held_parts[HELD_PARTS] = {
    {ROLE_HIPS, ROLE_NECK, 0.16, 1},
    {ROLE_LEFT_HIP, ROLE_RIGHT_HIP, 0.15, 1},
    {ROLE_NECK, ROLE_HEAD, 0.09, 0},
    {ROLE_HEAD, ROLE_HEAD, 0.11, 0},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 0.10, UPPER},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 0.10, UPPER},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, 0.06, 0},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, 0.06, 0},
};

/* One hand of the source in one frame. */
typedef struct SourceHand {
    const HandPair *hands;
    int side, frame;
    double bent; /* weight 0 .. 1: the arm is bent; one that hangs passes hips and trunk */
} SourceHand;

/* Parts by number: held_parts, the other arm, props. */
enum { OTHER_ARM = HELD_PARTS, FIRST_PROP };

static Vec3 position_of(const SoledPose *p, int joint, int frame)
{
    return p->position[(size_t)frame * (size_t)p->joint_count + (size_t)joint];
}

static Vec3 wrist_of(const SourceHand *h, int frame)
{
    return position_of(&h->hands->pair->source, hand_goal_arm(h->hands->source, h->side).wrist, frame);
}

static double bent_weight(const HandPair *hands, int side, int frame)
{
    const SoledPose *p = &hands->pair->source;
    ArmJoints arm = hand_goal_arm(hands->source, side);
    Vec3 elbow = position_of(p, arm.elbow, frame);
    Vec3 upper = vec3_normalize(vec3_sub(elbow, position_of(p, arm.shoulder, frame)));
    Vec3 lower = vec3_normalize(vec3_sub(position_of(p, arm.wrist, frame), elbow));
    return hand_goal_fade(vec3_dot(upper, lower), BENT, STRAIGHT);
}

/* The ends of a part of the source; its point at a fraction of the length. */
typedef struct SourcePart {
    int from, to;
    double at;
} SourcePart;

static Vec3 part_point(const SoledPose *p, const SourcePart *part, int frame)
{
    return vec3_lerp(position_of(p, part->from, frame), position_of(p, part->to, frame), part->at);
}

/* Weight 0 .. 1 of rest relative to a point of a part. */
static double rest_weight(const SourceHand *h, const SourcePart *part)
{
    const SoledPose *p = &h->hands->pair->source;
    const FootContact *c = h->hands->pair->contact;
    int before = h->frame > 0 ? h->frame - 1 : 0, after = h->frame + 1 < c->frame_count ? h->frame + 1 : h->frame;
    if (after == before)
        return 0;
    Vec3 then = vec3_sub(wrist_of(h, before), part_point(p, part, before));
    Vec3 next = vec3_sub(wrist_of(h, after), part_point(p, part, after));
    double speed = vec3_distance(next, then) / ((after - before) * c->frame_time * h->hands->source->leg * STILL);
    return 1 / (1 + speed * speed);
}

static double nearness(const SourceHand *h, Vec3 apart, double radius)
{
    return hand_goal_fade(vec3_norm(apart) / h->hands->source->leg, radius + NEAR, radius + FAR);
}

/* The nearest point of a segment between two joints. */
static SourcePart nearest_point(const SourceHand *h, int from, int to)
{
    const SoledPose *p = &h->hands->pair->source;
    Vec3 wrist = wrist_of(h, h->frame), point[2] = {wrist, wrist};
    Vec3 part[2] = {position_of(p, from, h->frame), position_of(p, to, h->frame)};
    return (SourcePart){from, to, segments_nearest(point, part).b};
}

/* A joint pair or point that a hand may hold, in one frame. */
typedef struct Touch {
    double closeness; /* 0 .. 1: near and at rest; 0: the hand is elsewhere */
    LimbTie tie;
} Touch;

static Touch make_touch(const SourceHand *h, const SourcePart *part, double radius)
{
    Vec3 apart = vec3_sub(wrist_of(h, h->frame), part_point(&h->hands->pair->source, part, h->frame));
    double near = nearness(h, apart, radius);
    return (Touch){near > 0 ? near * rest_weight(h, part) : 0,
                   {.limb = LIMB_LEFT_ARM + h->side, .other = -1, .frame = h->frame,
                    .vector = vec3_scale(apart, hand_goal_arm_scale(h->hands, h->side))}};
}

static Touch touch_part(const SourceHand *h, const HeldPart *held)
{
    const int *source = h->hands->source->joint, *target = h->hands->target->joint;
    if (source[held->from] < 0 || source[held->to] < 0 || target[held->from] < 0 || target[held->to] < 0)
        return (Touch){0};
    SourcePart part = nearest_point(h, source[held->from], source[held->to]);
    SourcePart on_target = {target[held->from], target[held->to], part.at};
    Touch touch = make_touch(h, &part, held->radius);
    touch.closeness *= part.at < held->passed || held->passed >= 1 ? h->bent : 1;
    touch.tie.position = part_point(&h->hands->pair->target, &on_target, h->frame);
    return touch;
}

/* The other arm from its shoulder to its wrist. */
static Touch touch_arm(const SourceHand *h)
{
    if (!hand_goal_has_arm(h->hands, 1 - h->side))
        return (Touch){0};
    ArmJoints arm = hand_goal_arm(h->hands->source, 1 - h->side);
    const SoledPose *p = &h->hands->pair->source;
    Vec3 wrist = wrist_of(h, h->frame);
    SourcePart upper = nearest_point(h, arm.shoulder, arm.elbow), lower = nearest_point(h, arm.elbow, arm.wrist);
    int on_lower = vec3_distance(wrist, part_point(p, &lower, h->frame)) <=
                   vec3_distance(wrist, part_point(p, &upper, h->frame));
    double at = on_lower ? 1 + lower.at : upper.at, hand = fmax(0, (at - HAND_BEGINS) / (2 - HAND_BEGINS));
    Touch touch = make_touch(h, on_lower ? &lower : &upper, ARM_RADIUS + hand * (HAND_RADIUS - ARM_RADIUS));
    touch.tie.other = LIMB_LEFT_ARM + 1 - h->side;
    touch.tie.at = at;
    return touch;
}

/* Where a prop is on the target, m: a joint of its body as copied, another on the scaled path of the clip's. */
static Vec3 prop_position(const HandPair *hands, const Prop *prop, int frame)
{
    if (prop->target >= 0 && !prop->follows)
        return position_of(&hands->pair->target, prop->target, frame);
    return vec3_scale(position_of(&hands->pair->source, prop->source, frame), hands->pair->scale);
}

/* A prop in the axes of the hand, m. */
static Vec3 prop_in_hand(const SourceHand *h, int joint, int frame)
{
    const SoledPose *p = &h->hands->pair->source;
    int wrist = hand_goal_arm(h->hands->source, h->side).wrist;
    Quat q = p->orientation[(size_t)frame * (size_t)p->joint_count + (size_t)wrist];
    return quat_rotate_inverse(q, vec3_sub(position_of(p, joint, frame), wrist_of(h, frame)));
}

/* Weight 0 .. 1 of a prop that moves with the hand, however it turns. */
static double grip_weight(const SourceHand *h, int joint)
{
    const FootContact *c = h->hands->pair->contact;
    int before = h->frame > 0 ? h->frame - 1 : 0, after = h->frame + 1 < c->frame_count ? h->frame + 1 : h->frame;
    double speed = vec3_distance(prop_in_hand(h, joint, before), prop_in_hand(h, joint, after)) /
                   (fmax(after - before, 1) * c->frame_time * h->hands->source->leg * STILL);
    return 1 / (1 + speed * speed);
}

static Touch touch_prop(const SourceHand *h, const Prop *prop)
{
    SourcePart part = {prop->source, prop->source, 0};
    Touch touch = make_touch(h, &part, PROP_RADIUS);
    Vec3 apart = vec3_sub(wrist_of(h, h->frame), position_of(&h->hands->pair->source, prop->source, h->frame));
    touch.closeness = fmax(touch.closeness, nearness(h, apart, GRIP_RADIUS) * grip_weight(h, prop->source));
    if (prop->held[h->side])
        touch.closeness = 1;
    touch.tie.position = prop_position(h->hands, prop, h->frame);
    return touch;
}

static Touch touch_of(const HandPair *hands, int side, int part, int frame)
{
    SourceHand hand = {hands, side, frame, bent_weight(hands, side, frame)};
    if (part < HELD_PARTS)
        return touch_part(&hand, &held_parts[part]);
    if (part == OTHER_ARM)
        return touch_arm(&hand);
    int prop = part - FIRST_PROP, count = hands->props ? hands->props->count : 0;
    return prop < count ? touch_prop(&hand, &hands->props->prop[prop]) : (Touch){0};
}

/* The smallest (sign 1) or largest (sign -1) value within `half` frames of each. */
static void extreme_within(const double *value, int frames, int half, double sign, double *out)
{
    for (int f = 0; f < frames; f++) {
        int first = f > half ? f - half : 0, last = f + half < frames ? f + half : frames - 1;
        out[f] = value[f];
        for (int k = first; k <= last; k++)
            out[f] = sign * fmin(sign * out[f], sign * value[k]);
    }
}

/* Closeness of one hand to one part over the clip, [frame], without what lasts less than MIN_TIME. */
static void touch_closeness(const HandPair *hands, int side, int part, double *closeness, double *scratch)
{
    const FootContact *c = hands->pair->contact;
    int half = (int)(0.5 * MIN_TIME / c->frame_time), found = 0;
    for (int f = 0; f < c->frame_count; f++) {
        closeness[f] = touch_of(hands, side, part, f).closeness;
        found |= closeness[f] > 0;
    }
    if (!found)
        return;
    extreme_within(closeness, c->frame_count, half, 1, scratch);
    extreme_within(scratch, c->frame_count, half, -1, closeness);
}

/* How far a prop binds a hand, 0 .. 1: one that follows the clip's comes to a single hand, and two hands meet at it. */
static double binding(const HandPair *hands, int side, int part, const double *other)
{
    const Prop *prop = part >= FIRST_PROP && hands->props ? &hands->props->prop[part - FIRST_PROP] : NULL;
    return prop && prop->follows && !prop->held[side] ? other[part] : 1;
}

/* The ties of one hand in one frame. both: closeness [side][part]. A tie is far stiffer than an arm, so that its weight
 * must fall steeply for the arm to be released evenly. */
static int hold_parts(const HandPair *hands, int side, int frame, const double *both, LimbTie *tie)
{
    const double *closeness = both + side * TOUCH_PARTS, *other = both + (1 - side) * TOUCH_PARTS;
    double sum = 0;
    int count = 0;
    for (int part = 0; part < TOUCH_PARTS; part++)
        sum += closeness[part];
    for (int part = 0; part < TOUCH_PARTS; part++) {
        double square = closeness[part] * closeness[part];
        if (!(closeness[part] > MIN))
            continue;
        tie[count] = touch_of(hands, side, part, frame).tie;
        tie[count++].weight = square * square * fmin(1, closeness[part] / sum) * binding(hands, side, part, other);
    }
    return count;
}

int hand_ties(const HandPair *hands, Arena *arena, LimbTie *tie)
{
    int count = 0, frames = hands->pair->contact->frame_count;
    ArenaMark mark = arena_mark(arena);
    double *closeness = arena_array(arena, (size_t)frames, 2 * TOUCH_PARTS, sizeof *closeness);
    double *one = arena_array(arena, (size_t)frames, 1, sizeof *one);
    double *scratch = arena_array(arena, (size_t)frames, 1, sizeof *scratch);
    for (int side = 0; side < 2 && !arena->failed; side++)
        for (int part = 0; part < TOUCH_PARTS && hand_goal_has_arm(hands, side); part++) {
            touch_closeness(hands, side, part, one, scratch);
            for (int f = 0; f < frames; f++)
                closeness[(2 * (size_t)f + (size_t)side) * TOUCH_PARTS + (size_t)part] = one[f];
        }
    for (int f = 0; f < frames && !arena->failed; f++)
        for (int side = 0; side < 2; side++)
            count += hold_parts(hands, side, f, closeness + 2 * (size_t)f * TOUCH_PARTS, &tie[count]);
    arena_return(arena, mark);
    return count;
}

/* The error of a prop at one hand, m: its position in the hand, less its own. */
static Vec3 prop_error(const HandPair *hands, int side, const Prop *prop, const Motion *motion, int frame, Vec3 at)
{
    const SoledPose *p = &hands->pair->source;
    int wrist = hand_goal_arm(hands->target, side).wrist, other = hand_goal_arm(hands->source, side).wrist;
    Vec3 apart = vec3_sub(position_of(p, other, frame), position_of(p, prop->source, frame));
    Vec3 hand = joint_pose(hands->target->skeleton, motion, frame, wrist).position;
    return vec3_sub(vec3_mad(hand, -hand_goal_arm_scale(hands, side), apart), at);
}

/* closeness: [side][frame]. */
static void place_prop(const HandPair *hands, const Prop *prop, double *const closeness[2], Motion *motion)
{
    const Skeleton *s = hands->target->skeleton;
    for (int f = 0; f < motion->frame_count; f++) {
        JointPose pose = joint_pose(s, motion, f, prop->target);
        Vec3 error = {0, 0, 0};
        double sum = 0;
        pose.position = prop_position(hands, prop, f);
        for (int side = 0; side < 2; side++)
            if (closeness[side][f] > 0) {
                Vec3 e = prop_error(hands, side, prop, motion, f, pose.position);
                error = vec3_mad(error, closeness[side][f], e);
                sum += closeness[side][f];
            }
        pose.position = vec3_mad(pose.position, 1 / fmax(sum, 1), error);
        joint_pose_set(s, motion, f, prop->target, pose);
    }
}

Status hand_tie_props(const HandPair *hands, Motion *motion, Error *err)
{
    Arena arena = {0};
    size_t frames = (size_t)motion->frame_count;
    double *both = arena_array(&arena, frames, 2, sizeof *both), *closeness[2] = {both, both ? both + frames : NULL};
    double *scratch = arena_array(&arena, frames, 1, sizeof *scratch);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; hands->props && i < hands->props->count && !status; i++) {
        if (!hands->props->prop[i].follows)
            continue;
        for (int side = 0; side < 2 && hands->pair->contact->frame_count == motion->frame_count; side++)
            if (hand_goal_has_arm(hands, side))
                touch_closeness(hands, side, FIRST_PROP + i, closeness[side], scratch);
        status = joint_pose_add_translations(hands->target->skeleton, motion, err);
        if (!status)
            place_prop(hands, &hands->props->prop[i], closeness, motion);
    }
    arena_free(&arena);
    return status;
}
