/* Setting up the problem of ground contact of a clip (contact_setup.h): its points, levers and costs. */
#include "analysis/clip/dynamics.h"
#include "analysis/contact/contact_setup.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/rail.h"
#include "analysis/contact/required_wrench.h"
#include "analysis/contact/seat.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/quat.h"

#define MIN_AHEAD 0.1 /* of the toes' length: steeper toes have no direction along the ground */

/* Two perpendicular directions along the ground. */
static Mat3 ground_axes(Vec3 normal)
{
    Vec3 east = fabs(normal.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    Vec3 x = vec3_normalize(vec3_mad(east, -vec3_dot(east, normal), normal));
    return (Mat3){{x, normal, vec3_cross(x, normal)}};
}

/* Longest horizontal extent of a body without hips in the first frame, towards the side that reaches farther. It is
 * derived from the joints, because the axes of a file's root may have any orientation. */
static Vec3 longest_direction(const Kinematics *k, Vec3 normal)
{
    Mat3 ground = ground_axes(normal);
    Vec3 middle = {0, 0, 0};
    double xx = 0, xz = 0, zz = 0, reach = 0;
    for (int j = 0; j < k->joint_count; j++)
        middle = vec3_mad(middle, 1.0 / k->joint_count, k->position[j]);
    for (int j = 0; j < k->joint_count; j++) {
        Vec3 p = mat3_mul(ground, vec3_sub(k->position[j], middle));
        xx += p.x * p.x;
        xz += p.x * p.z;
        zz += p.z * p.z;
    }
    double apart = sqrt((xx - zz) * (xx - zz) + 4 * xz * xz);
    Vec3 direction = xx - zz + apart > 1e-9 * apart ? vec3(xx - zz + apart, 0, 2 * xz) : vec3(0, 0, 1);
    direction = mat3_mul(mat3_transpose(ground), direction);
    for (int j = 0; j < k->joint_count; j++) {
        double along = vec3_dot(vec3_sub(k->position[j], middle), direction);
        reach = fabs(along) > fabs(reach) ? along : reach;
    }
    return reach < 0 ? vec3_neg(direction) : direction;
}

/* Forward direction of the body in the first frame: perpendicular to the ground normal and to the line between the
 * hips. */
static Mat3 contact_axes(const Skeleton *s, const Kinematics *k, Vec3 normal)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 forward = left >= 0 && right >= 0 ? vec3_cross(normal, vec3_sub(k->position[right], k->position[left]))
                                           : longest_direction(k, normal);
    forward = vec3_mad(forward, -vec3_dot(forward, normal), normal);
    if (vec3_norm(forward) < 1e-6)
        return ground_axes(normal);
    forward = vec3_normalize(forward);
    return (Mat3){{forward, normal, vec3_cross(forward, normal)}};
}

/* Position of a point of the body, m, contact axes. */
static Vec3 point_at(const ContactProblem *p, int frame, int point)
{
    const ContactPoint *c = &p->points.point[point];
    const Kinematics *k = p->clip->kinematics;
    size_t j = (size_t)frame * (size_t)k->joint_count + (size_t)c->joint;
    return mat3_mul(p->axes, vec3_add(k->position[j], quat_rotate(k->orientation[j], c->position)));
}

/* Toes bend at their base and stay on the ground while the heel rises. So their point, the last of a foot, is ahead of
 * the midpoint of the two ball points by the length of the toes, whatever the pitch of the foot. */
static Vec3 toe_at(const ContactProblem *p, int frame, int point)
{
    Vec3 tip = point_at(p, frame, point);
    Vec3 ball = vec3_scale(vec3_add(point_at(p, frame, point - 2), point_at(p, frame, point - 1)), 0.5);
    Vec3 toe = vec3_sub(tip, ball), ahead = vec3(toe.x, 0, toe.z);
    double distance = vec3_norm(ahead), length = vec3_norm(toe);
    return distance > MIN_AHEAD * length ? vec3_mad(ball, length / distance, ahead) : tip;
}

/* The force on a point acts vertically below it, at the level of the sole (or of the step on which it rests). */
static void place_levers(ContactProblem *p)
{
    size_t points = (size_t)p->points.count;
    for (int f = 0; f < p->clip->kinematics->frame_count; f++)
        for (int i = 0; i < p->points.count; i++) {
            const ContactPoint *point = &p->points.point[i];
            size_t at = (size_t)f * (size_t)p->ground.group_count + (size_t)point->group;
            Vec3 x = point->foot >= 0 && !point->is_gauge ? toe_at(p, f, i) : point_at(p, f, i);
            x.y = p->ground.raised[at] ? p->ground.level[at] : p->ground.height + p->ground.lift[f];
            p->lever[(size_t)f * points + (size_t)i] = vec3_scale(x, 1 / p->points.leg_length);
        }
}

/* Computes everything from the ground to the penalties. */
static Status prepare(ContactProblem *p, const GroundDef *def, Error *err)
{
    size_t frames = (size_t)p->clip->kinematics->frame_count, points = (size_t)p->points.count;
    p->lever = arena_array(&p->memory, frames, points, sizeof *p->lever);
    p->gait = arena_array(&p->memory, frames, 1, sizeof *p->gait);
    p->still = arena_array(&p->memory, frames, 1, sizeof *p->still);
    p->run = arena_array(&p->memory, frames, 1, sizeof *p->run);
    p->vertical = arena_array(&p->memory, frames, 1, sizeof *p->vertical);
    p->pressure = arena_array(&p->memory, frames, 1, sizeof *p->pressure);
    p->support = arena_array(&p->memory, frames, 1, sizeof *p->support);
    p->penalty = arena_array(&p->memory, frames, points, sizeof *p->penalty);
    if (p->memory.failed)
        return error_no_memory(err);
    Status status = ground_estimate(&p->points, p->clip->kinematics, p->frame_time, def, &p->ground, err);
    if (status)
        return status;
    for (size_t f = 0; f < frames; f++) {
        p->vertical[f] = vec3_dot(p->ground.normal, p->unloaded.residual_force[f]) / p->weight;
        p->gait[f] = p->points.has_feet;
    }
    if (!def->has_height)
        ground_raise(&p->points, p->vertical, &p->ground);
    p->axes = contact_axes(p->clip->skeleton, p->clip->kinematics, p->ground.normal);
    p->wrench = (RequiredWrench){.weight = p->weight, .length = p->points.leg_length};
    if (required_wrench_find(p->clip, &p->unloaded, &p->axes, p->points.constants, &p->memory, &p->wrench))
        return error_no_memory(err);
    place_levers(p);
    for (size_t f = 0; f < frames; f++) {
        double level = (p->ground.height + p->ground.lift[f]) / p->points.leg_length;
        p->pressure[f] = required_wrench_pressure(&p->wrench, (int)f, level);
    }
    if (!def->no_support && (seat_find(p) + rail_find(p)) > 0)
        place_levers(p);
    contact_penalties(&p->points, &p->ground, p->lever, p->pressure, p->vertical, p->penalty);
    return STATUS_OK;
}

/* A mechanism whose root is at rest to a micrometre while it moves hangs from its root and has no ground contact. */
static int hangs_from_root(const Skeleton *s, const Kinematics *k)
{
    double distance = 0, speed = 0;
    if (skeleton_find_role(s, ROLE_LEFT_ANKLE) >= 0 || skeleton_find_role(s, ROLE_RIGHT_ANKLE) >= 0)
        return 0;
    for (int f = 0; f < k->frame_count; f++) {
        const Vec3 *v = k->velocity + (size_t)f * (size_t)k->joint_count;
        distance = fmax(distance, vec3_distance(k->position[(size_t)f * (size_t)k->joint_count], k->position[0]));
        for (int j = 0; j < k->joint_count; j++)
            speed = fmax(speed, vec3_norm(v[j]));
    }
    return distance < 1e-6 && speed > 1e-2;
}

Status contact_setup(const ClipView *clip, const ContactConstants *constants, const GroundDef *ground, LaneWidth lanes,
                     ContactProblem *out, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    *out = (ContactProblem){.clip = clip, .weight = clip->body->total_mass * GRAVITY,
                            .frame_time = clip->motion->frame_time, .bridged = ground->bridged};
    Status status = contact_points_init(constants, clip->skeleton, clip->body, clip->kinematics, &out->points, err);
    if (!status && hangs_from_root(clip->skeleton, clip->kinematics))
        out->points.count = 0;
    if (status || out->points.count == 0)
        return status;
    def.lanes = lanes;
    status = inverse_dynamics(clip, NULL, &def, &out->unloaded, err);
    free(out->unloaded.force); /* not required, and a tenth of the memory of a long clip */
    free(out->unloaded.power);
    out->unloaded.force = NULL;
    out->unloaded.power = NULL;
    if (!status)
        status = prepare(out, ground, err);
    if (status)
        contact_problem_free(out);
    return status;
}

void contact_problem_solved(ContactProblem *p)
{
    Ground plane = {.normal = p->ground.normal, .height = p->ground.height};
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    p->ground = plane;
}

void contact_problem_free(ContactProblem *p)
{
    if (!p)
        return;
    contact_points_free(&p->points);
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    arena_free(&p->memory);
    *p = (ContactProblem){0};
}
