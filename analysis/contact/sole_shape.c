/* See sole_shape.h. */
#include "analysis/contact/sole_shape.h"

#include <math.h>

#include "analysis/contact/foot_load.h"

#define BALL_REACH 0.17 /* L: from the ankle forward to the ball */
#define TIP_REACH 0.25  /* L: to the toe tip */
#define SURE_TIP 0.23   /* L: an end this far away is the tip */

enum { MEASURED_ENDS = 3 }; /* ends that draw a sole; a bone has one */
#define LEVEL_ENDS 0.1 /* of the sole's length: ends of a sole are this level, markers on the skin are not */

static const struct { Role hip, ankle, toe; } leg_roles[FOOT_COUNT] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE},
};

Vec3 bone_tip(const Skeleton *s, int joint)
{
    Vec3 tip = {0, 0, 0};
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint && vec3_norm(s->end_offset[e]) > vec3_norm(tip))
            tip = s->end_offset[e];
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint && vec3_norm(s->offset[j]) > vec3_norm(tip))
            tip = s->offset[j];
    return tip;
}
static Vec3 without(Vec3 v, Vec3 unit) { return vec3_mad(v, -vec3_dot(v, unit), unit); }

/* Forward direction of a foot without one of its own: perpendicular to up and to the line between the hips. */
static Vec3 forward_of_body(const FootLevel *level)
{
    Vec3 forward = without(vec3_cross(level->side, level->up), level->up);
    return vec3_norm(forward) > 0 ? vec3_normalize(forward) : vec3_normalize(without(vec3(0, 0, 1), level->up));
}

/* From joint `from` down to its descendant `to`, in rest axes. */
static Vec3 rest_between(const Skeleton *s, int from, int to)
{
    Vec3 sum = {0, 0, 0};
    for (int j = to; j > from && j >= 0; j = s->parent[j])
        sum = vec3_add(sum, s->offset[j]);
    return sum;
}

/* A joint in the standing pose of the skeleton, world axes. */
typedef struct Standing {
    Vec3 position;
    Quat orientation;
} Standing;

static Standing stand(const Skeleton *s, int joint)
{
    Standing at = {s->offset[joint], s->standing[joint]};
    for (int j = s->parent[joint]; j >= 0; j = s->parent[j]) {
        at.position = vec3_add(s->offset[j], quat_rotate(s->standing[j], at.position));
        at.orientation = quat_mul(s->standing[j], at.orientation);
    }
    return at;
}

static FootLevel level_standing(const Skeleton *s, int ankle, int toe, int sole)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Quat q = stand(s, ankle).orientation;
    FootLevel level = {.up = quat_rotate_inverse(q, vec3(0, 1, 0)), .toe = QUAT_IDENTITY, .side = {1, 0, 0}};
    Standing on = stand(s, sole);
    level.sole = quat_rotate_inverse(q, vec3_sub(on.position, stand(s, ankle).position));
    level.sole_axes = quat_mul(quat_conjugate(on.orientation), q);
    if (toe >= 0) {
        level.reach = quat_rotate_inverse(q, vec3_sub(stand(s, toe).position, stand(s, ankle).position));
        level.toe = quat_mul(quat_conjugate(stand(s, toe).orientation), q);
    }
    if (left >= 0 && right >= 0)
        level.side = quat_rotate_inverse(q, vec3_sub(stand(s, left).position, stand(s, right).position));
    return level;
}

static FootLevel level_at_rest(const Skeleton *s, int ankle, int toe, int sole)
{
    if (s->standing)
        return level_standing(s, ankle, toe, sole);
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    FootLevel level = {.up = {0, 1, 0}, .toe = QUAT_IDENTITY, .sole_axes = QUAT_IDENTITY, .side = {1, 0, 0},
                       .sole = rest_between(s, ankle, sole)};
    if (toe >= 0)
        level.reach = rest_between(s, ankle, toe);
    if (left >= 0 && right >= 0)
        level.side = vec3_sub(rest_between(s, 0, left), rest_between(s, 0, right));
    return level;
}

/* The rest pose is a standing pose if the ankle is below the hip by most of the leg length and the foot points
 * forward. */
static int rest_pose_stands(const Skeleton *s, int side, double length)
{
    int hip = skeleton_find_role(s, leg_roles[side].hip), ankle = skeleton_find_role(s, leg_roles[side].ankle);
    int toe_joint = skeleton_find_role(s, leg_roles[side].toe);
    if (s->standing)
        return 1;
    Vec3 toe = toe_joint >= 0 ? rest_between(s, ankle, toe_joint) : bone_tip(s, ankle);
    double flat = sqrt(toe.x * toe.x + toe.z * toe.z);
    int points_forward = vec3_norm(toe) == 0 || (toe.y <= 0 && -toe.y < 1.2 * flat);
    return rest_between(s, hip, ankle).y < -0.8 * length && points_forward;
}

/* Distance from the ankle to the toe tip (L) of a foot of which only an end is known: an end up to BALL_REACH away is
 * the ball, from SURE_TIP on it is the tip, and between them it is weighted as both. */
static double tip_of_end(double end)
{
    double is_tip = fmin(fmax((end - BALL_REACH) / (SURE_TIP - BALL_REACH), 0), 1);
    return end * (is_tip + (1 - is_tip) * TIP_REACH / BALL_REACH);
}

static SoleShape measure(const Skeleton *s, int side, double leg, FootLevel level, int is_drawn)
{
    SoleShape sole = {.ankle = skeleton_find_role(s, leg_roles[side].ankle)};
    int toe_joint = skeleton_find_role(s, leg_roles[side].toe);
    /* a body that lies or hangs throughout: the level of the rest pose */
    if (!(level.rest > 0) || (is_drawn && rest_pose_stands(s, side, leg)))
        level = level_at_rest(s, sole.ankle, toe_joint, foot_sole_joint(s, side));
    Vec3 reach = toe_joint >= 0 ? level.reach : bone_tip(s, sole.ankle);
    sole.up = level.up;
    Vec3 flat = without(reach, sole.up);
    int reaches = vec3_norm(flat) > 0.06 * leg;
    sole.forward = reaches ? vec3_normalize(flat) : forward_of_body(&level);
    sole.has_toe_joint = toe_joint >= 0 && reaches;
    if (sole.has_toe_joint) {
        sole.toe_joint = toe_joint;
        sole.ball = reach;
        sole.toe = bone_tip(s, toe_joint);
        if (vec3_norm(sole.toe) < 0.02 * leg)
            sole.toe = quat_rotate(level.toe, vec3_scale(sole.forward, 0.08 * leg));
    } else {
        double drop = fmin(vec3_dot(reach, sole.up), -0.03 * leg);
        double tip = reaches ? leg * tip_of_end(vec3_norm(flat) / leg) : TIP_REACH * leg;
        double ball = tip * BALL_REACH / TIP_REACH;
        sole.toe_joint = sole.ankle;
        sole.ball = vec3_mad(vec3_scale(sole.forward, ball), reaches ? drop : -0.07 * leg, sole.up);
        sole.toe = vec3_scale(sole.forward, tip - ball);
    }
    sole.length = vec3_dot(sole.ball, sole.forward);
    sole.joint = sole.has_toe_joint ? foot_sole_joint(s, side) : sole.ankle;
    sole.below = sole.joint == sole.ankle ? vec3(0, 0, 0) : level.sole;
    sole.axes = sole.joint == sole.ankle ? QUAT_IDENTITY : level.sole_axes;
    return sole;
}

/* Part of a sole, heel or ball, as the ends of a joint draw it. */
typedef struct SolePart {
    double side[2]; /* m, inner and outer: furthest end from the middle line */
} SolePart;

/* Half the width; `usual` unless there are ends on both sides. */
static double part_width(const SolePart *part, double usual)
{
    return part->side[0] > 0 && part->side[1] > 0 ? 0.5 * (part->side[0] + part->side[1]) : usual;
}

static Vec3 end_from_ankle(const Skeleton *s, int end, const SoleShape *sole)
{
    return vec3_add(sole->below, quat_rotate_inverse(sole->axes, s->end_offset[end]));
}

/* Lengths from ankle to heel and to either side: those of the level ends of the joint that carries the sole, which are
 * the spheres of contact of an OpenSim model, else those of people (heel_back, heel_width, ball_width). */
static void measure_outline(const Skeleton *s, const ContactConstants *c, SoleShape *sole)
{
    Vec3 lateral = vec3_cross(sole->forward, sole->up);
    SolePart part[2] = {{{0}}}; /* heel, ball */
    double back = 0, lowest = INFINITY;
    int count = 0;
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == sole->joint)
            lowest = fmin(lowest, vec3_dot(end_from_ankle(s, e, sole), sole->up));
    for (int e = 0; e < s->end_count; e++) {
        Vec3 at = end_from_ankle(s, e, sole);
        if (s->end_parent[e] != sole->joint || vec3_dot(at, sole->up) > lowest + LEVEL_ENDS * sole->length)
            continue;
        double along = vec3_dot(at, sole->forward), side = vec3_dot(vec3_sub(at, sole->ball), lateral);
        double *furthest = &part[along > 0.5 * sole->length].side[side > 0];
        *furthest = fmax(*furthest, fabs(side));
        back = fmax(back, -along);
        count++;
    }
    if (count < MEASURED_ENDS || !(back > 0))
        part[0] = part[1] = (SolePart){{0}}, back = c->heel_back * sole->length;
    sole->heel_back = back;
    sole->heel_width = part_width(&part[0], c->heel_width * sole->length);
    sole->ball_width = part_width(&part[1], c->ball_width * sole->length);
}

Vec3 sole_shape_point(const SoleShape *sole, Vec3 from_ankle)
{
    return quat_rotate(sole->axes, vec3_sub(from_ankle, sole->below));
}

SoleShape sole_measure(const Skeleton *skeleton, const SoleDef *def, const FootLevel *level)
{
    SoleShape sole = measure(skeleton, def->foot, def->leg_length, *level, def->is_drawn);
    measure_outline(skeleton, def->constants, &sole);
    return sole;
}
