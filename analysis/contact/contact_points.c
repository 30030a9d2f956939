/* Contact points of a human (contact_points.h).
 *
 * Proportions of the sole are those of ankle, toe joint and toe tip in the skeleton. Missing joints are replaced by
 * fractions of the leg length L measured on adult feet (ankle to toe joint 0.17 L forward and 0.07 L down, toe 0.08
 * L). */
#include "analysis/contact/contact_points.h"

#include <math.h>

#include "analysis/contact/contact_points_internal.h"
#include "analysis/contact/foot_level.h"
#include "analysis/contact/foot_load.h"
#include "analysis/math/quat.h"

enum { MAX_HUMAN_POINTS = 32 };

#define BALL_REACH 0.17 /* L: from the ankle forward to the ball */
#define TIP_REACH 0.25  /* L: to the toe tip */
#define SURE_TIP 0.23   /* L: an end this far away is the tip */

static const Role foot_roles[FOOT_COUNT][5] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE, ROLE_LEFT_WRIST},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE, ROLE_RIGHT_WRIST},
};
static const Role shoulder_roles[FOOT_COUNT] = {ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};

/* The longest end site or leaf child of a joint, in its axes; zero if there is none. */
static Vec3 bone_tip(const Skeleton *s, int joint)
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

static double leg_length(const Skeleton *s)
{
    double sum = 0;
    int legs = 0;
    for (int side = 0; side < FOOT_COUNT; side++) {
        int hip = skeleton_find_role(s, foot_roles[side][0]), knee = skeleton_find_role(s, foot_roles[side][1]);
        int ankle = skeleton_find_role(s, foot_roles[side][2]);
        if (hip < 0 || knee < 0 || ankle < 0)
            continue;
        sum += skeleton_distance(s, hip, knee) + skeleton_distance(s, knee, ankle);
        legs++;
    }
    return legs ? sum / legs : 0;
}

/* [frame], for one foot after the other. */
typedef struct FootScratch {
    FootFrame *frame;
    double *height;
    int is_drawn; /* 1: the level of a foot is that of the rest pose if that is a standing pose */
} FootScratch;

/* The foot in every frame; a missing knee or toe is the ankle. */
static FootLevel limb_level(const Skeleton *s, const Kinematics *k, int side, FootScratch scratch)
{
    FootFrame *frame = scratch.frame;
    int ankle = skeleton_find_role(s, foot_roles[side][2]);
    int knee = skeleton_find_role(s, foot_roles[side][1]), toe = skeleton_find_role(s, foot_roles[side][3]);
    knee = knee < 0 ? ankle : knee;
    toe = toe < 0 ? ankle : toe;
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count, at = row + (size_t)ankle, tip = row + (size_t)toe;
        frame[f] = (FootFrame){.height = k->position[at].y, .angular_speed = vec3_norm(k->angular_velocity[at]),
                               .rise = fmax(fabs(k->velocity[at].y), fabs(k->velocity[tip].y))};
        Vec3 shank = vec3_sub(k->position[row + (size_t)knee], k->position[at]);
        foot_frame_orient(&frame[f], k->orientation[at], k->orientation[tip], shank);
        frame[f].reach = quat_rotate_inverse(k->orientation[at], vec3_sub(k->position[tip], k->position[at]));
        if (left >= 0 && right >= 0)
            frame[f].side = quat_rotate_inverse(k->orientation[at], vec3_sub(k->position[row + (size_t)left],
                                                                             k->position[row + (size_t)right]));
    }
    return foot_level(frame, k->frame_count, 1, scratch.height);
}

static void add_point(ContactPoints *p, ContactPoint point)
{
    p->point[p->count++] = point;
}

static int add_group(ContactPoints *p, int limb, int is_sole, int is_heel)
{
    p->group[p->group_count] = (ContactGroup){.limb = limb, .is_sole = is_sole, .is_heel = is_heel};
    return p->group_count++;
}

/* Ankle, toe joint and toe tip of a foot, with defaults for missing joints. */
typedef struct SoleShape {
    int ankle, toe_joint; /* toe_joint: the ankle if there is no toe joint */
    Vec3 ball;            /* from the ankle to the ball, ankle axes */
    Vec3 toe;             /* from the ball to the toe tip, axes of toe_joint */
    Vec3 up;              /* unit, ankle axes */
    Vec3 forward;         /* unit, ankle axes, normal to up */
    double length;        /* m, ankle to ball along forward */
    int has_toe_joint;
} SoleShape;

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

static FootLevel level_standing(const Skeleton *s, int ankle, int toe)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Quat q = stand(s, ankle).orientation;
    FootLevel level = {.up = quat_rotate_inverse(q, vec3(0, 1, 0)), .toe = QUAT_IDENTITY, .side = {1, 0, 0}};
    if (toe >= 0) {
        level.reach = quat_rotate_inverse(q, vec3_sub(stand(s, toe).position, stand(s, ankle).position));
        level.toe = quat_mul(quat_conjugate(stand(s, toe).orientation), q);
    }
    if (left >= 0 && right >= 0)
        level.side = quat_rotate_inverse(q, vec3_sub(stand(s, left).position, stand(s, right).position));
    return level;
}

static FootLevel level_at_rest(const Skeleton *s, int ankle, int toe)
{
    if (s->standing)
        return level_standing(s, ankle, toe);
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    FootLevel level = {.up = {0, 1, 0}, .toe = QUAT_IDENTITY, .side = {1, 0, 0}};
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
    int hip = skeleton_find_role(s, foot_roles[side][0]), ankle = skeleton_find_role(s, foot_roles[side][2]);
    int toe_joint = skeleton_find_role(s, foot_roles[side][3]);
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

static SoleShape measure_sole(const Skeleton *s, int side, double leg, FootLevel level, int is_drawn)
{
    SoleShape sole = {.ankle = skeleton_find_role(s, foot_roles[side][2])};
    int toe_joint = skeleton_find_role(s, foot_roles[side][3]);
    /* a body that lies or hangs throughout: the level of the rest pose */
    if (!(level.rest > 0) || (is_drawn && rest_pose_stands(s, side, leg)))
        level = level_at_rest(s, sole.ankle, toe_joint);
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
    return sole;
}

/* Heel and ball, inner and outer, and toe tip. */
static void add_foot(const Skeleton *s, int side, SoleShape sole, ContactPoints *p)
{
    const ContactConstants *c = p->constants;
    int limb = p->limb_count++, heel = add_group(p, limb, 1, 1), ball = add_group(p, limb, 1, 0);
    Vec3 lateral = vec3_cross(sole.forward, sole.up);
    int joint = sole.has_toe_joint ? foot_sole_joint(s, side) : sole.ankle;
    Vec3 below = rest_between(s, sole.ankle, joint);
    ContactPoint point = {.joint = joint, .foot = side, .limb = limb, .group = heel, .is_gauge = 1,
                          .proximal = skeleton_find_role(s, foot_roles[side][0]), .distal = sole.ankle};
    for (int inner = -1; inner <= 1; inner += 2) {
        point.probe = vec3_scale(sole.forward, -c->heel_back * sole.length);
        point.probe = vec3_mad(point.probe, vec3_dot(sole.ball, sole.up), sole.up);
        point.probe = vec3_mad(point.probe, inner * c->heel_width * sole.length, lateral);
        point.probe = point.position = vec3_sub(point.probe, below);
        add_point(p, point);
    }
    point.group = ball;
    for (int inner = -1; inner <= 1; inner += 2) {
        point.probe = vec3_mad(sole.ball, inner * c->ball_width * sole.length, lateral);
        point.probe = point.position = vec3_sub(point.probe, below);
        add_point(p, point);
    }
    Vec3 base = sole.has_toe_joint ? vec3(0, 0, 0) : sole.ball;
    point.joint = sole.toe_joint;
    point.is_gauge = 0;
    point.probe = vec3_add(base, sole.toe);
    double toe = vec3_norm(sole.toe), part = fmax(c->toe_part, c->toe_reach * p->leg_length / toe);
    point.position = vec3_mad(base, part, sole.toe);
    add_point(p, point);
}

/* A point of a limb other than a foot, on the common ground. */
static void add_other(ContactPoints *p, int joint, Vec3 position, double thickness, int proximal)
{
    if (joint < 0)
        return;
    int limb = p->limb_count++;
    add_point(p, (ContactPoint){.joint = joint, .probe = position, .position = position, .thickness = thickness,
                                .foot = -1, .limb = limb, .group = add_group(p, limb, 0, 0), .is_gauge = 1,
                                .proximal = proximal, .distal = -1});
}

static void add_human(const Skeleton *s, const Kinematics *k, FootScratch scratch, ContactPoints *p)
{
    double l = p->leg_length;
    FootLevel level[FOOT_COUNT] = {{.rest = 0}};
    for (int side = 0; side < FOOT_COUNT; side++)
        if (skeleton_find_role(s, foot_roles[side][2]) >= 0)
            level[side] = limb_level(s, k, side, scratch);
    foot_levels_settle(level, FOOT_COUNT);
    for (int side = 0; side < FOOT_COUNT; side++)
        if (skeleton_find_role(s, foot_roles[side][2]) >= 0)
            add_foot(s, side, measure_sole(s, side, l, level[side], scratch.is_drawn), p);
    for (int side = 0; side < FOOT_COUNT; side++) {
        int hip = skeleton_find_role(s, foot_roles[side][0]), wrist = skeleton_find_role(s, foot_roles[side][4]);
        int shoulder = skeleton_find_role(s, shoulder_roles[side]);
        add_other(p, skeleton_find_role(s, foot_roles[side][1]), vec3(0, 0, 0), 0.06 * l, hip);
        add_other(p, wrist, vec3(0, 0, 0), 0.03 * l, shoulder);
        if (wrist >= 0) {
            add_other(p, wrist, bone_tip(s, wrist), 0.02 * l, shoulder);
            p->point[p->count - 1].grip = side == FOOT_LEFT ? SUPPORT_LEFT_RAIL : SUPPORT_RIGHT_RAIL;
        }
        add_other(p, hip, vec3(0, 0, 0), 0.11 * l, -1);
        add_other(p, shoulder, vec3(0, 0, 0), 0.08 * l, -1);
    }
    add_other(p, skeleton_find_role(s, ROLE_HEAD), vec3(0, 0, 0), 0.12 * l, -1);
}

static Status fill(const ContactConstants *constants, const ClipView *clip, int is_drawn, ContactPoints *out,
                   Error *err)
{
    const Skeleton *s = clip->skeleton;
    const Body *body = clip->body;
    const Kinematics *kinematics = clip->kinematics;
    Status status = STATUS_OK;
    *out = (ContactPoints){.constants = constants};
    size_t max = (size_t)s->joint_count + (size_t)s->end_count + MAX_HUMAN_POINTS;
    out->point = arena_array(&out->memory, max, 1, sizeof *out->point);
    out->group = arena_array(&out->memory, max, 1, sizeof *out->group);
    size_t frames = (size_t)kinematics->frame_count;
    FootScratch scratch = {arena_array(&out->memory, frames, 1, sizeof *scratch.frame),
                           arena_array(&out->memory, frames, 1, sizeof *scratch.height), is_drawn};
    if (out->memory.failed) {
        contact_points_free(out);
        return error_no_memory(err);
    }
    out->leg_length = leg_length(s);
    out->has_feet = out->leg_length > 0 && skeleton_find_role(s, ROLE_LEFT_ANKLE) >= 0 &&
                    skeleton_find_role(s, ROLE_RIGHT_ANKLE) >= 0;
    if (out->leg_length > 0) {
        add_human(s, kinematics, scratch, out);
        out->level_spread = 0.08 * out->leg_length;
    } else if (body) {
        status = creature_points_fill(s, body, kinematics, out, err);
    }
    if (!(out->leg_length > 0))
        out->count = 0;
    if (status)
        contact_points_free(out);
    return status;
}

Status contact_points_init(const ContactConstants *constants, const Skeleton *s, const Body *body,
                           const Kinematics *kinematics, ContactPoints *out, Error *err)
{
    ClipView clip = {.skeleton = s, .body = body, .kinematics = kinematics};
    return fill(constants, &clip, 0, out, err);
}

Status contact_points_drawn(const Skeleton *s, const Kinematics *kinematics, ContactPoints *out, Error *err)
{
    ClipView clip = {.skeleton = s, .kinematics = kinematics};
    return fill(&contact_constants, &clip, 1, out, err);
}

void contact_points_free(ContactPoints *p)
{
    if (!p)
        return;
    arena_free(&p->memory);
    *p = (ContactPoints){0};
}

void contact_points_feet(const ContactPoints *points, int first[FOOT_COUNT])
{
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        first[foot] = 0;
        while (points->point[first[foot]].foot != foot)
            first[foot]++;
    }
}
