/* Estimates the ground contact of a clip (contact_estimate.h): sets up its problem (contact_problem.h), solves it
 * interval by interval, and writes the forces that the prior and the limbs' loads confirm. Forces are in body
 * weights and contact axes until they are written. */
#include "analysis/contact/contact_estimate.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"

#define LEAST_AHEAD 0.1 /* of the toes' length: steeper toes have no direction along the ground */

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
    return distance > LEAST_AHEAD * length ? vec3_mad(ball, length / distance, ahead) : tip;
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

#define LEAST_LOAD 0.04   /* body weights: a limb with less load is not in contact */
#define RESTING_LOAD 1e-3 /* body weights: the same for a limb at rest on the ground */
#define REST_PENALTY 2 /* in rest penalties: a point that touches and is at rest, or nearly so */
#define BRUSH_TIME 0.04   /* s: a limb that touches no longer than this, */
#define BRUSH_LOAD 0.15   /* body weights: and with no more than this load, only brushes the ground */
#define FIRST_RATE 40      /* 1/s: smallest rate of frames solved for the forces that the prior is derived from */
#define FIRST_TOLERANCE 1e-6 /* body weights: tolerance of those forces */
#define SURE_LOAD 0.06    /* body weights: a limb that reaches this load is in contact down to the least load */

typedef struct Estimate {
    ContactProblem problem;
    const ContactEstimateDef *def;
    Vec3 *force;      /* [frame][point] body weights, contact axes */
    double tolerance; /* body weights, tolerance of the forces; 0: to rounding */
    double solved, whole; /* frames per solve */
    ContactProgram *program;
} Estimate;

ContactEstimateDef contact_estimate_default_def(void)
{
    return (ContactEstimateDef){.friction = 0.8, .ground = ground_default_def(), .lanes = LANES_AUTO, .interval = 1024,
                                .overlap = 5, .constants = &contact_constants, .roll_over = &roll_over};
}

/* Solves the frames of a span together; the first one is held if an earlier interval has computed it. */
static Status solve_interval(Estimate *e, ContactSpan span, Error *err)
{
    ContactProgramDef def = {.friction = e->def->friction, .lanes = e->def->lanes,
                             .tolerance = fmax(e->tolerance, e->def->tolerance), .held_count = span.begin > 0};
    return contact_program_solve(e->program, &e->problem, span, &def, e->force, err);
}

/* Solves every step-th frame, in intervals that start from the last frame of the previous one. Frames beyond the end of
 * an interval are solved with it and again with the next, which removes the effect of the cut. */
static Status solve_all(Estimate *e, int step, Error *err)
{
    int count = (e->problem.clip->kinematics->frame_count + step - 1) / step;
    int overlap = (int)fmin(count, ceil(e->def->overlap / (step * e->problem.frame_time)));
    Status status = STATUS_OK;
    for (int first = 0; !status && first < count; first += e->def->interval) {
        int last = count - first > e->def->interval ? first + e->def->interval : count;
        int end = count - last > overlap ? last + overlap : count, begin = first > 0 ? first - 1 : 0;
        status = solve_interval(e, (ContactSpan){begin * step, end - begin, step}, err);
        e->solved += last - first;
        if (e->def->progress)
            *e->def->progress = (float)(e->solved / e->whole);
        if (end == count)
            break;
    }
    return status;
}

static double least_penalty(const Estimate *e, int frame, int first, int last)
{
    double least = CONTACT_PENALTY_MOST;
    for (int i = first; i < last; i++)
        least = fmin(least, e->problem.penalty[(size_t)frame * (size_t)e->problem.points.count + (size_t)i]);
    return least;
}

static double load_of(const Estimate *e, int frame, int first, int last)
{
    double load = 0;
    for (int i = first; i < last; i++) {
        Vec3 force = e->force[(size_t)frame * (size_t)e->problem.points.count + (size_t)i];
        load += contact_grips(&e->problem, frame, i) ? vec3_norm(force) : force.y;
    }
    return load;
}

/* Returns the frame after the last, from `begin`, with at least the least load on a limb. *in_contact: whether it
 * reaches the sure load in between and does not only brush the ground. A limb that touches and is at rest is in contact
 * with hardly any load. */
static int end_of_contact(const Estimate *e, int begin, int first, int last, int *in_contact)
{
    double most = 0, sure = 0, rest = REST_PENALTY * contact_rest_penalty(&e->problem.points, first);
    int end = begin;
    for (; end < e->problem.clip->kinematics->frame_count; end++) {
        double load = load_of(e, end, first, last);
        int rests = least_penalty(e, end, first, last) < rest;
        if (load < (rests ? RESTING_LOAD : LEAST_LOAD))
            break;
        most = fmax(most, load);
        sure = fmax(sure, rests ? SURE_LOAD : load);
    }
    int frames = e->problem.clip->kinematics->frame_count, cut = begin == 0 || end == frames;
    int brushes = !cut && (end - begin) * e->problem.frame_time <= BRUSH_TIME && most <= BRUSH_LOAD;
    *in_contact = sure >= SURE_LOAD && !brushes;
    return end;
}

/* Hysteresis with two thresholds: a limb is in contact from the frame with the least load, if it reaches the sure load
 * before it leaves and does not only brush the ground. Otherwise its forces are dropped, and it is no longer a
 * candidate. */
static void drop_small_loads(Estimate *e)
{
    const ContactPoint *point = e->problem.points.point;
    int frames = e->problem.clip->kinematics->frame_count, count = e->problem.points.count;
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && point[last].limb == point[first].limb; last++)
            ;
        for (int f = 0, end, in_contact; f < frames; f = end + 1) {
            end = end_of_contact(e, f, first, last, &in_contact);
            for (int t = in_contact ? end : f; t <= end && t < frames; t++)
                for (int i = first; i < last; i++) {
                    size_t at = (size_t)t * (size_t)count + (size_t)i;
                    e->force[at] = vec3(0, 0, 0);
                    e->problem.penalty[at] = CONTACT_PENALTY_MOST;
                }
        }
    }
}

/* The state of the points of a limb in contact is 1 for the one nearest to rest on the ground, less for those that
 * hover or slide more. */
static void write_states(const Estimate *e, Contact *out)
{
    const ContactPoint *point = e->problem.points.point;
    int count = e->problem.points.count;
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && point[last].limb == point[first].limb; last++)
            ;
        for (int f = 0; f < out->frame_count; f++) {
            double least = least_penalty(e, f, first, last);
            for (int i = first; i < last && least < CONTACT_PENALTY_MOST; i++) {
                size_t at = (size_t)f * (size_t)count + (size_t)i;
                out->state[at] = least / e->problem.penalty[at];
            }
        }
    }
}

/* Distributes the horizontal force of a limb to its points in proportion to their load, so that each stays in its
 * friction cone as the limb does. Returns the couple that this removes from the limb, body weights times L. */
static Vec3 share_by_load(const Estimate *e, int frame, int first, int last)
{
    size_t at = (size_t)frame * (size_t)e->problem.points.count;
    const Vec3 *lever = e->problem.lever + at;
    Vec3 *force = e->force + at, sum = {0, 0, 0}, couple = {0, 0, 0};
    for (int i = first; i < last; i++)
        sum = vec3_add(sum, force[i]);
    for (int i = first; i < last && sum.y > 0; i++) {
        Vec3 own = vec3_scale(sum, force[i].y / sum.y);
        couple = vec3_add(couple, vec3_cross(lever[i], vec3_sub(force[i], own)));
        force[i] = own;
    }
    return couple;
}

/* Converts a point's force to world axes and newtons. Its moment is the couple that moves the force from the point of
 * the body to its point of application, plus a fraction of the limb's couple, body weights times L. */
static void write_point(const Estimate *e, int frame, int point, Vec3 couple, Contact *out)
{
    const ContactProblem *p = &e->problem;
    const ContactPoint *own = &p->points.point[point];
    const Kinematics *k = p->clip->kinematics;
    size_t at = (size_t)frame * (size_t)p->points.count + (size_t)point;
    size_t j = (size_t)frame * (size_t)k->joint_count + (size_t)own->joint;
    Vec3 in_body = vec3_add(k->position[j], quat_rotate(k->orientation[j], own->position));
    Vec3 acts_at = vec3_scale(mat3_mul_transposed(p->axes, p->lever[at]), p->points.leg_length);
    out->force[at] = vec3_scale(mat3_mul_transposed(p->axes, e->force[at]), p->weight);
    out->moment[at] = vec3_add(vec3_cross(vec3_sub(acts_at, in_body), out->force[at]),
                               vec3_scale(mat3_mul_transposed(p->axes, couple), p->weight * p->points.leg_length));
}

static void write_forces(const Estimate *e, Contact *out)
{
    const ContactPoint *point = e->problem.points.point;
    int count = e->problem.points.count, has_limbs = contact_program_has_limbs(&e->problem.points);
    for (int i = 0; i < count; i++) {
        out->point_joint[i] = point[i].joint;
        out->point_position[i] = point[i].position;
    }
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && point[last].limb == point[first].limb; last++)
            ;
        for (int f = 0; f < out->frame_count; f++) {
            int is_shared = has_limbs && last - first > 1;
            double load = load_of(e, f, first, last);
            Vec3 couple = is_shared ? share_by_load(e, f, first, last) : vec3(0, 0, 0);
            for (int i = first; i < last; i++) {
                double part = is_shared && load > 0
                                  ? e->force[(size_t)f * (size_t)count + (size_t)i].y / load : 0;
                write_point(e, f, i, vec3_scale(couple, part), out);
            }
        }
    }
}

static Status write_contact(Estimate *e, Contact *out, Error *err)
{
    Status status = contact_init(out, e->problem.clip->kinematics->frame_count, e->problem.points.count, 1, err);
    if (status)
        return status;
    drop_small_loads(e);
    write_states(e, out);
    write_forces(e, out);
    out->ground_normal = e->problem.ground.normal;
    out->ground_height = e->problem.ground.height / e->problem.ground.normal.y;
    foot_summarize(e->problem.clip->skeleton, e->problem.clip->kinematics, out);
    return STATUS_OK;
}

/* Interpolates the forces of candidates linearly between the frames of a coarse estimate. */
static void fill_between(Estimate *e, int step)
{
    int frames = e->problem.clip->kinematics->frame_count;
    size_t points = (size_t)e->problem.points.count;
    for (int f = 0; f < frames; f++) {
        int before = f - f % step, after = before + step < frames ? before + step : before;
        double part = (double)(f - before) / step;
        const Vec3 *from = e->force + (size_t)before * points, *to = e->force + (size_t)after * points;
        for (size_t i = 0; f != before && i < points; i++)
            if (e->problem.penalty[(size_t)f * points + i] < CONTACT_PENALTY_MOST)
                e->force[(size_t)f * points + i] = vec3_add(vec3_scale(from[i], 1 - part), vec3_scale(to[i], part));
    }
}

/* Solves every step-th frame and interpolates the others. */
static Status solve_first(Estimate *e, int step, Error *err)
{
    e->tolerance = FIRST_TOLERANCE;
    Status status = solve_all(e, step, err);
    e->tolerance = 0;
    if (!status)
        fill_between(e, step);
    return status;
}

/* Loads of the first estimate, for limbs of several points. Returns 1 if memory runs out. */
static int keep_loads(Estimate *e)
{
    size_t all = (size_t)e->problem.clip->kinematics->frame_count * (size_t)e->problem.points.count;
    if (!contact_program_has_limbs(&e->problem.points))
        return 0;
    e->problem.load = arena_array(&e->problem.memory, all, 1, sizeof *e->problem.load);
    for (size_t i = 0; e->problem.load && i < all; i++)
        e->problem.load[i] = e->force[i].y;
    return !e->problem.load;
}

/* A coarse estimate gives the prior by its loads, and a start by its forces. */
static Status solve_twice(Estimate *e, Error *err)
{
    int step = (int)fmax(1, 1 / (FIRST_RATE * e->problem.frame_time) + 1e-9);
    int frames = e->problem.clip->kinematics->frame_count;
    e->whole = frames + (frames + step - 1) / step;
    Status status = solve_first(e, step, err);
    if (status)
        return status;
    drop_small_loads(e);
    if (contact_prior_find(&e->problem, e->force, &e->problem.memory, &e->problem.prior) || keep_loads(e))
        return error_no_memory(err);
    return solve_all(e, 1, err);
}

/* For a clip with candidates. Memory is freed as soon as possible: a long clip requires little more than the size of
 * its clip file. */
static Status estimate(Estimate *e, Contact *out, Error *err)
{
    int frames = e->problem.clip->kinematics->frame_count;
    e->force = array_new((size_t)frames, (size_t)e->problem.points.count, sizeof *e->force);
    Status status = e->force ? contact_program_create(&e->program, err) : error_no_memory(err);
    if (!status)
        status = solve_twice(e, err);
    contact_program_destroy(e->program);
    contact_problem_solved(&e->problem);
    if (!status)
        status = write_contact(e, out, err);
    free(e->force);
    return status;
}

Status contact_estimate(const ClipView *clip, const ContactEstimateDef *def, Contact *out, Error *err)
{
    Estimate e = {.def = def};
    if (!(clip->body->total_mass > 0))
        return error_set(err, STATUS_BAD_INPUT, "the body has no mass: ground contact cannot be estimated");
    if (!clip->kinematics->com)
        return error_set(err, STATUS_BAD_INPUT, "has no /kinematics/com: run kane body, then kane kinematics");
    Status status = contact_setup(clip, def->constants, &def->ground, def->lanes, &e.problem, err);
    if (status)
        return status;
    int has_points = e.problem.points.count > 0;
    e.problem.roll_over = def->roll_over;
    if (has_points)
        status = estimate(&e, out, err);
    else
        status = contact_init(out, clip->kinematics->frame_count, 0, 0, err);
    out->friction = def->friction;
    contact_problem_free(&e.problem);
    if (!status && has_points)
        status = confidence_rate(clip, def->lanes, out, err);
    if (status)
        contact_free(out);
    return status;
}
