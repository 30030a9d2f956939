/* Estimates the ground contact of a clip (contact_estimate.h): solves its problem (contact_problem.h) interval by
 * interval, and writes the forces that the prior and the limbs' loads confirm. Forces are in body weights and contact
 * axes until they are written. */
#include "analysis/contact/contact_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_prior.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/contact_program.h"
#include "analysis/contact/contact_setup.h"
#include "analysis/contact/foot_load.h"
#include "analysis/contact/residual.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

#define MIN_LOAD 0.04   /* body weights: a limb with less load is not in contact */
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

static double min_penalty(const Estimate *e, int frame, int first, int last)
{
    double min = CONTACT_PENALTY_MAX;
    for (int i = first; i < last; i++)
        min = fmin(min, e->problem.penalty[(size_t)frame * (size_t)e->problem.points.count + (size_t)i]);
    return min;
}

static double estimated_load(const Estimate *e, int frame, int first, int last)
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
    double max = 0, sure = 0, rest = REST_PENALTY * contact_rest_penalty(&e->problem.points, first);
    int end = begin;
    for (; end < e->problem.clip->kinematics->frame_count; end++) {
        double load = estimated_load(e, end, first, last);
        int rests = min_penalty(e, end, first, last) < rest;
        if (load < (rests ? RESTING_LOAD : MIN_LOAD))
            break;
        max = fmax(max, load);
        sure = fmax(sure, rests ? SURE_LOAD : load);
    }
    int frames = e->problem.clip->kinematics->frame_count, cut = begin == 0 || end == frames;
    int brushes = !cut && (end - begin) * e->problem.frame_time <= BRUSH_TIME && max <= BRUSH_LOAD;
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
                    e->problem.penalty[at] = CONTACT_PENALTY_MAX;
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
            double min = min_penalty(e, f, first, last);
            for (int i = first; i < last && min < CONTACT_PENALTY_MAX; i++) {
                size_t at = (size_t)f * (size_t)count + (size_t)i;
                out->state[at] = min / e->problem.penalty[at];
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
            double load = estimated_load(e, f, first, last);
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
            if (e->problem.penalty[(size_t)f * points + i] < CONTACT_PENALTY_MAX)
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
