/* Contact points of a human (contact_points.h). */
#include "analysis/contact/contact_points.h"

#include <math.h>

#include "analysis/contact/contact_points_internal.h"
#include "analysis/contact/foot_level.h"
#include "analysis/contact/foot_load.h"
#include "analysis/contact/sole_shape.h"

enum { MAX_HUMAN_POINTS = 32 };

static const Role foot_roles[FOOT_COUNT][5] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE, ROLE_LEFT_WRIST},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE, ROLE_RIGHT_WRIST},
};
static const Role shoulder_roles[FOOT_COUNT] = {ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER};

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
    int sole = foot_sole_joint(s, side);
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    for (int f = 0; f < k->frame_count; f++) {
        size_t row = (size_t)f * (size_t)k->joint_count, at = row + (size_t)ankle, tip = row + (size_t)toe;
        frame[f] = (FootFrame){.height = k->position[at].y, .angular_speed = vec3_norm(k->angular_velocity[at]),
                               .rise = fmax(fabs(k->velocity[at].y), fabs(k->velocity[tip].y))};
        Vec3 shank = vec3_sub(k->position[row + (size_t)knee], k->position[at]);
        foot_frame_orient(&frame[f], k->orientation[at], k->orientation[tip], shank);
        frame[f].reach = quat_rotate_inverse(k->orientation[at], vec3_sub(k->position[tip], k->position[at]));
        if (sole != ankle) {
            frame[f].sole = quat_rotate_inverse(k->orientation[at], vec3_sub(k->position[row + (size_t)sole],
                                                                             k->position[at]));
            frame[f].sole_axes = quat_mul(quat_conjugate(k->orientation[row + (size_t)sole]), k->orientation[at]);
        }
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

/* Heel and ball, inner and outer, and toe tip. */
static void add_foot(const Skeleton *s, int side, SoleShape sole, ContactPoints *p)
{
    const ContactConstants *c = p->constants;
    int limb = p->limb_count++, heel = add_group(p, limb, 1, 1), ball = add_group(p, limb, 1, 0);
    Vec3 lateral = vec3_cross(sole.forward, sole.up);
    ContactPoint point = {.joint = sole.joint, .foot = side, .limb = limb, .group = heel, .is_gauge = 1,
                          .proximal = skeleton_find_role(s, foot_roles[side][0]), .distal = sole.ankle};
    for (int inner = -1; inner <= 1; inner += 2) {
        point.probe = vec3_scale(sole.forward, -sole.heel_back);
        point.probe = vec3_mad(point.probe, vec3_dot(sole.ball, sole.up), sole.up);
        point.probe = vec3_mad(point.probe, inner * sole.heel_width, lateral);
        point.probe = point.position = sole_shape_point(&sole, point.probe);
        add_point(p, point);
    }
    point.group = ball;
    for (int inner = -1; inner <= 1; inner += 2) {
        point.probe = vec3_mad(sole.ball, inner * sole.ball_width, lateral);
        point.probe = point.position = sole_shape_point(&sole, point.probe);
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
    for (int side = 0; side < FOOT_COUNT; side++) {
        SoleDef def = {side, scratch.is_drawn, l, p->constants};
        if (skeleton_find_role(s, foot_roles[side][2]) >= 0)
            add_foot(s, side, sole_measure(s, &def, &level[side]), p);
    }
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
