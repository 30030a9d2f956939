/* See contact_estimate.h. Forces in body weights, lengths in leg lengths, in contact axes: x forward of the body in
 * the first frame, y along the ground normal. So the result turns with the clip. */
#include "analysis/contact/contact_estimate.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/foot.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/solve/chain_qp.h"

/* Weights of the cost, for forces in body weights and moments in body weight times leg length. */
static const Vec3 force_weight = {0.5, 1, 0.5};
static const Vec3 moment_weight = {0.09, 0.5, 0.09};
static const Vec3 proximal_effort = {0.0204, 0.0204, 0.0204};
static const Vec3 distal_effort = {0.01, 0.01, 0.01};
static const Vec3 smoothness = {3, 0.15, 3}; /* of differences over SMOOTH_TIME */

#define SMOOTH_TIME 0.01       /* s */
#define LEAST_SUPPORT 0.3      /* body weights: with less need there is no centre of pressure to speak of */
#define LEAST_LOAD 0.04        /* body weights: a limb that carries less is not in contact */
#define RESTING_LOAD 1e-3      /* body weights: the same for a limb at rest on the ground */
#define REST_PENALTY 2e-3      /* of a point that touches and rests, or nearly */
#define SURE_LOAD 0.06         /* body weights: a limb that carries this once is in contact down to the least */

typedef struct Estimate {
    const Skeleton *skeleton;
    const Kinematics *kinematics;
    const Dynamics *unloaded; /* inverse dynamics without ground forces */
    const ContactEstimateDef *def;
    ContactPoints points;
    Ground ground;
    Mat3 axes;          /* world to contact axes */
    double weight;      /* N */
    double frame_time;  /* s */
    Vec3 *lever;        /* [frame][point] L, contact axes, world origin: where the force acts */
    double *penalty;    /* [frame][point] */
    double *need;       /* [frame] body weights: force along the normal that the whole body needs */
    Vec3 *pressure;     /* [frame] L, contact axes: the centre of pressure that the motion asks for */
    Vec3 *force;        /* [frame][point] body weights, contact axes */
} Estimate;

ContactEstimateDef contact_estimate_default_def(void)
{
    return (ContactEstimateDef){.friction = 0.8, .ground = ground_default_def(), .lanes = LANES_AUTO, .stretch = 1024,
                                .overlap = 5};
}

/* Forward of the body in the first frame: normal to the ground normal and to the line between the hips. */
static Mat3 contact_axes(const Skeleton *s, const Kinematics *k, Vec3 normal)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 side = left >= 0 && right >= 0 ? vec3_sub(k->position[right], k->position[left])
                                        : quat_rotate(k->orientation[0], vec3(1, 0, 0));
    Vec3 forward = vec3_cross(normal, side);
    if (vec3_norm(forward) < 1e-6)
        forward = vec3_cross(normal, quat_rotate(k->orientation[0], vec3(0, 1, 0)));
    if (vec3_norm(forward) < 1e-6)
        forward = vec3(1, 0, 0);
    forward = vec3_normalize(vec3_mad(forward, -vec3_dot(forward, normal), normal));
    return (Mat3){{forward, normal, vec3_cross(forward, normal)}};
}

/* Force on a point acts straight below it, at the level of the sole (or of the step it rests on). */
static void place_levers(Estimate *e)
{
    size_t points = (size_t)e->points.count;
    for (int f = 0; f < e->kinematics->frame_count; f++)
        for (int i = 0; i < e->points.count; i++) {
            const ContactPoint *p = &e->points.point[i];
            size_t j = (size_t)f * (size_t)e->kinematics->joint_count + (size_t)p->joint;
            size_t at = (size_t)f * (size_t)e->ground.group_count + (size_t)p->group;
            Vec3 x = mat3_mul(e->axes, vec3_add(e->kinematics->position[j],
                                                quat_rotate(e->kinematics->orientation[j], p->position)));
            x.y = e->ground.raised[at] ? e->ground.level[at] : e->ground.height + e->ground.lift[f];
            e->lever[(size_t)f * points + (size_t)i] = vec3_scale(x, 1 / e->points.leg_length);
        }
}

/* H += [a]' D [b] for two levers: what their forces' moments cost together. */
static void add_moment_block(double *h, size_t width, Vec3 a, Vec3 b, Vec3 d)
{
    h[0] += d.y * a.z * b.z + d.z * a.y * b.y;
    h[1] -= d.z * a.y * b.x;
    h[2] -= d.y * a.z * b.x;
    h += width;
    h[0] -= d.z * a.x * b.y;
    h[1] += d.x * a.z * b.z + d.z * a.x * b.x;
    h[2] -= d.x * a.z * b.y;
    h += width;
    h[0] -= d.y * a.x * b.z;
    h[1] -= d.x * a.y * b.z;
    h[2] += d.x * a.y * b.y + d.y * a.x * b.x;
}

static Vec3 times(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* One moment equation (about `centre`, `needed` in its scale, weight d) for the candidates of a frame whose points
 * belong to it (limb -1: all). */
static void add_moment_equation(const Estimate *e, ChainQp *qp, int t, const Vec3 *lever, Vec3 centre, Vec3 needed,
                                Vec3 d, int limb)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    size_t width = 3 * (size_t)n;
    double *h = qp->hessian + qp->block[t];
    for (int a = 0; a < n; a++) {
        int slot = qp->slot[first + a];
        if (limb >= 0 && e->points.point[slot].limb != limb)
            continue;
        Vec3 ra = vec3_sub(lever[slot], centre);
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], vec3_cross(times(d, needed), ra));
        for (int b = 0; b < n; b++)
            if (limb < 0 || e->points.point[qp->slot[first + b]].limb == limb)
                add_moment_block(h + 3 * (size_t)a * width + 3 * (size_t)b, width, ra,
                                 vec3_sub(lever[qp->slot[first + b]], centre), d);
    }
}

static void add_force_equation(ChainQp *qp, int t, Vec3 needed)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    size_t width = 3 * (size_t)n;
    for (int a = 0; a < n; a++) {
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], times(force_weight, needed));
        for (int b = 0; b < n; b++) {
            double *h = qp->hessian + qp->block[t] + 3 * (size_t)a * width + 3 * (size_t)b;
            h[0] += force_weight.x;
            h[width + 1] += force_weight.y;
            h[2 * width + 2] += force_weight.z;
        }
    }
}

/* Least torque in the joints that carry a limb: M_joint = M_without - sum (p - joint) x f. */
static void add_efforts(const Estimate *e, ChainQp *qp, int t, size_t frame)
{
    const double length = e->points.leg_length;
    const Vec3 *lever = e->lever + frame * (size_t)e->points.count;
    for (int i = 0; i < e->points.count; i++) {
        const ContactPoint *p = &e->points.point[i];
        if (i > 0 && e->points.point[i - 1].limb == p->limb)
            continue;
        const int joints[2] = {p->proximal, p->distal};
        for (int k = 0; k < 2; k++) {
            if (joints[k] < 0)
                continue;
            size_t j = frame * (size_t)e->kinematics->joint_count + (size_t)joints[k];
            Vec3 centre = vec3_scale(mat3_mul(e->axes, e->kinematics->position[j]), 1 / length);
            Vec3 needed = vec3_scale(mat3_mul(e->axes, e->unloaded->torque[j]), 1 / (e->weight * length));
            add_moment_equation(e, qp, t, lever, centre, needed, k == 0 ? proximal_effort : distal_effort, p->limb);
        }
    }
}

/* The whole body's needs in a frame, about the world origin. */
static void needs_of(const Estimate *e, size_t frame, Vec3 *force, Vec3 *moment, Vec3 *com)
{
    Vec3 root = e->kinematics->position[frame * (size_t)e->kinematics->joint_count];
    Vec3 f = e->unloaded->residual_force[frame], about = e->kinematics->com[frame];
    Vec3 m = vec3_add(e->unloaded->residual_torque[frame], vec3_cross(vec3_sub(root, about), f));
    *force = vec3_scale(mat3_mul(e->axes, f), 1 / e->weight);
    *moment = vec3_scale(mat3_mul(e->axes, m), 1 / (e->weight * e->points.leg_length));
    *com = vec3_scale(mat3_mul(e->axes, about), 1 / e->points.leg_length);
}

/* The point p of the ground about which the needed force needs no moment but along y: M + (com - p) x F = (0, m, 0).
 * NaN where the body needs little support. */
static void find_pressure(Estimate *e)
{
    for (int f = 0; f < e->kinematics->frame_count; f++) {
        Vec3 force, moment, com;
        needs_of(e, (size_t)f, &force, &moment, &com);
        double height = com.y - (e->ground.height + e->ground.lift[f]) / e->points.leg_length;
        double x = com.x - (height * force.x - moment.z) / force.y, z = com.z - (height * force.z + moment.x) / force.y;
        e->pressure[f] = force.y > LEAST_SUPPORT ? vec3(x, com.y - height, z) : vec3(NAN, NAN, NAN);
    }
}

static void fill_frame(const Estimate *e, ChainQp *qp, int t, size_t frame)
{
    const double *penalty = e->penalty + frame * (size_t)e->points.count;
    int first = qp->first[t], n = 0;
    for (int i = 0; i < e->points.count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST)
            qp->slot[first + n++] = i;
    qp->first[t + 1] = first + n;
    size_t width = 3 * (size_t)n;
    qp->block[t + 1] = qp->block[t] + width * width;
    for (int a = 0; a < n; a++)
        for (size_t k = 3 * (size_t)a; k < 3 * (size_t)a + 3; k++)
            qp->hessian[qp->block[t] + k * width + k] = penalty[qp->slot[first + a]];
    Vec3 force, moment, com;
    needs_of(e, frame, &force, &moment, &com);
    add_force_equation(qp, t, force);
    add_moment_equation(e, qp, t, e->lever + frame * (size_t)e->points.count, com, moment, moment_weight, -1);
    add_efforts(e, qp, t, frame);
}

/* The stretch's program and, as a start, the forces known so far. */
static Status fill_stretch(const Estimate *e, int begin, int end, ChainQp *qp, Vec3 **force, Error *err)
{
    size_t points = (size_t)e->points.count, contacts = 0, entries = 0;
    for (int f = begin; f < end; f++) {
        size_t n = 0;
        for (size_t i = 0; i < points; i++)
            n += e->penalty[(size_t)f * points + i] < CONTACT_PENALTY_MOST;
        contacts += n;
        entries += 9 * n * n;
    }
    Status status = chain_qp_init(qp, end - begin, e->points.count, contacts, entries, err);
    if (status)
        return status;
    double per_frame = SMOOTH_TIME / e->frame_time;
    qp->smooth = vec3_scale(smoothness, per_frame * per_frame);
    for (int t = 0; t < end - begin; t++)
        fill_frame(e, qp, t, (size_t)(begin + t));
    *force = array_new(contacts, 1, sizeof **force);
    if (!*force)
        return error_no_memory(err);
    for (int t = 0; t < end - begin; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            (*force)[c] = e->force[(size_t)(begin + t) * points + (size_t)qp->slot[c]];
    return STATUS_OK;
}

/* Solves frames [begin, end) together; the first one is held where an earlier stretch has found it. */
static Status solve_stretch(Estimate *e, ChainQpSolver *solver, int begin, int end, Error *err)
{
    ChainQp qp = {0};
    Vec3 *force = NULL;
    ChainQpDef def = chain_qp_default_def();
    def.friction = e->def->friction;
    def.lanes = e->def->lanes;
    Status status = fill_stretch(e, begin, end, &qp, &force, err);
    qp.held_count = begin > 0;
    if (!status)
        status = chain_qp_solve(solver, &qp, &def, force, NULL, err);
    for (int t = 0; !status && t < end - begin; t++)
        for (int c = qp.first[t]; c < qp.first[t + 1]; c++)
            e->force[(size_t)(begin + t) * (size_t)e->points.count + (size_t)qp.slot[c]] = force[c];
    free(force);
    chain_qp_free(&qp);
    return status;
}

/* In stretches that start from the last frame of the one before. The frames after a stretch's end that are solved with
 * it, and again by the next, keep its cut from being felt. */
static Status solve_all(Estimate *e, Error *err)
{
    int frames = e->kinematics->frame_count;
    int overlap = (int)fmin(frames, ceil(e->def->overlap / e->frame_time));
    ChainQpSolver *solver;
    Status status = chain_qp_solver_create(&solver, err);
    for (int first = 0; !status && first < frames; first += e->def->stretch) {
        int last = frames - first > e->def->stretch ? first + e->def->stretch : frames;
        int end = frames - last > overlap ? last + overlap : frames;
        status = solve_stretch(e, solver, first > 0 ? first - 1 : 0, end, err);
        if (end == frames)
            break;
    }
    chain_qp_solver_destroy(solver);
    return status;
}

static double least_penalty(const Estimate *e, int frame, int first, int last)
{
    double least = CONTACT_PENALTY_MOST;
    for (int i = first; i < last; i++)
        least = fmin(least, e->penalty[(size_t)frame * (size_t)e->points.count + (size_t)i]);
    return least;
}

/* A limb is in contact from the frame where it carries the least load, if it comes to carry the sure load before it
 * lets go; otherwise its small forces are dropped: the two thresholds make the hysteresis. A limb that touches and
 * rests is in contact with hardly any load. The state of its points is
 * 1 for the one nearest to rest on the ground, less for those that hover or slide more. */
static void drop_small_loads(Estimate *e, Contact *out)
{
    int frames = e->kinematics->frame_count, count = e->points.count;
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && e->points.point[last].limb == e->points.point[first].limb; last++)
            ;
        for (int f = 0, end; f < frames; f = end + 1) {
            double most = 0;
            for (end = f; end < frames; end++) {
                double load = 0;
                for (int i = first; i < last; i++)
                    load += e->force[(size_t)end * (size_t)count + (size_t)i].y;
                int rests = least_penalty(e, end, first, last) < REST_PENALTY;
                if (load < (rests ? RESTING_LOAD : LEAST_LOAD))
                    break;
                most = fmax(most, rests ? SURE_LOAD : load);
            }
            int in_contact = most >= SURE_LOAD;
            for (int t = f; t <= end && t < frames; t++)
                for (int i = first; i < last; i++) {
                    size_t at = (size_t)t * (size_t)count + (size_t)i;
                    if (!in_contact || t == end)
                        e->force[at] = vec3(0, 0, 0);
                    else
                        out->state[at] = least_penalty(e, t, first, last) / e->penalty[at];
                }
        }
    }
}

/* Forces to world axes and newtons; the couple moves each from its point in the body to where it acts. */
static void write_forces(const Estimate *e, Contact *out)
{
    const double length = e->points.leg_length;
    for (int i = 0; i < e->points.count; i++) {
        out->point_joint[i] = e->points.point[i].joint;
        out->point_position[i] = e->points.point[i].position;
    }
    for (int f = 0; f < out->frame_count; f++)
        for (int i = 0; i < e->points.count; i++) {
            size_t at = (size_t)f * (size_t)e->points.count + (size_t)i;
            const ContactPoint *p = &e->points.point[i];
            size_t j = (size_t)f * (size_t)e->kinematics->joint_count + (size_t)p->joint;
            Vec3 arm = quat_rotate(e->kinematics->orientation[j], p->position);
            Vec3 in_body = vec3_add(e->kinematics->position[j], arm);
            Vec3 acts_at = vec3_scale(mat3_mul_transposed(e->axes, e->lever[at]), length);
            out->force[at] = vec3_scale(mat3_mul_transposed(e->axes, e->force[at]), e->weight);
            out->moment[at] = vec3_cross(vec3_sub(acts_at, in_body), out->force[at]);
        }
}

/* Falls as the force or moment that the contacts leave unexplained grows: 1/2 at a tenth of a body weight, or of a
 * body weight times leg length. */
static void rate_frames(const Estimate *e, Contact *out)
{
    for (int f = 0; f < out->frame_count; f++) {
        Vec3 force, moment, com;
        needs_of(e, (size_t)f, &force, &moment, &com);
        for (int i = 0; i < e->points.count; i++) {
            size_t at = (size_t)f * (size_t)e->points.count + (size_t)i;
            force = vec3_sub(force, e->force[at]);
            moment = vec3_sub(moment, vec3_cross(vec3_sub(e->lever[at], com), e->force[at]));
        }
        out->confidence[f] = 1 / (1 + 100 * (vec3_dot(force, force) + vec3_dot(moment, moment)));
    }
}

static Status estimate_init(Estimate *e, Error *err)
{
    size_t frames = (size_t)e->kinematics->frame_count, points = (size_t)e->points.count;
    e->lever = array_new(frames, points, sizeof *e->lever);
    e->need = array_new(frames, 1, sizeof *e->need);
    e->pressure = array_new(frames, 1, sizeof *e->pressure);
    e->penalty = array_new(frames, points, sizeof *e->penalty);
    e->force = array_new(frames, points, sizeof *e->force);
    return e->lever && e->need && e->pressure && e->penalty && e->force ? STATUS_OK : error_no_memory(err);
}

static void estimate_free(Estimate *e)
{
    contact_points_free(&e->points);
    ground_free(&e->ground);
    free(e->lever);
    free(e->need);
    free(e->pressure);
    free(e->penalty);
    free(e->force);
}

/* A mechanism whose root stays to the micrometre while it moves hangs from its root: the ground has no part in it. */
static int hangs_from_root(const Skeleton *s, const Kinematics *k)
{
    double way = 0, speed = 0;
    if (skeleton_find_role(s, ROLE_LEFT_ANKLE) >= 0 || skeleton_find_role(s, ROLE_RIGHT_ANKLE) >= 0)
        return 0;
    for (int f = 0; f < k->frame_count; f++) {
        const Vec3 *v = k->velocity + (size_t)f * (size_t)k->joint_count;
        way = fmax(way, vec3_distance(k->position[(size_t)f * (size_t)k->joint_count], k->position[0]));
        for (int j = 0; j < k->joint_count; j++)
            speed = fmax(speed, vec3_norm(v[j]));
    }
    return way < 1e-6 && speed > 1e-2;
}

/* Everything up to the penalties. */
static Status prepare(Estimate *e, Error *err)
{
    size_t frames = (size_t)e->kinematics->frame_count;
    Status status = estimate_init(e, err);
    if (!status)
        status = ground_estimate(&e->points, e->kinematics, e->frame_time, &e->def->ground, &e->ground, err);
    if (status)
        return status;
    for (size_t f = 0; f < frames; f++)
        e->need[f] = vec3_dot(e->ground.normal, e->unloaded->residual_force[f]) / e->weight;
    if (!e->def->ground.has_height)
        ground_raise(&e->points, e->need, &e->ground);
    e->axes = contact_axes(e->skeleton, e->kinematics, e->ground.normal);
    place_levers(e);
    find_pressure(e);
    contact_penalties(&e->points, &e->ground, e->lever, e->pressure, e->need, e->penalty);
    return STATUS_OK;
}

static Status write_contact(Estimate *e, Contact *out, Error *err)
{
    Status status = contact_init(out, e->kinematics->frame_count, e->points.count, 1, err);
    if (status)
        return status;
    drop_small_loads(e, out);
    write_forces(e, out);
    rate_frames(e, out);
    out->ground_normal = e->ground.normal;
    out->ground_height = e->ground.height / e->ground.normal.y;
    foot_summarize(e->skeleton, e->kinematics, out);
    return STATUS_OK;
}

Status contact_estimate(const Skeleton *skeleton, const Body *body, const Motion *motion, const Kinematics *kinematics,
                        const ContactEstimateDef *def, Contact *out, Error *err)
{
    Dynamics unloaded = {0};
    Estimate e = {.skeleton = skeleton, .kinematics = kinematics, .unloaded = &unloaded, .def = def,
                  .weight = body->total_mass * GRAVITY, .frame_time = motion->frame_time};
    InverseDynamicsDef dynamics_def = inverse_dynamics_default_def();
    dynamics_def.lanes = def->lanes;
    if (!(body->total_mass > 0))
        return error_set(err, STATUS_BAD_INPUT, "the body weighs nothing: no ground contact can be estimated");
    if (!kinematics->com)
        return error_set(err, STATUS_BAD_INPUT, "has no /kinematics/com: the body stage comes before diff");
    Status status = contact_points_init(skeleton, body, kinematics, &e.points, err);
    if (status)
        return status;
    if (e.points.count == 0 || hangs_from_root(skeleton, kinematics)) {
        contact_points_free(&e.points);
        return contact_init(out, kinematics->frame_count, 0, 0, err);
    }
    status = inverse_dynamics(skeleton, body, motion, kinematics, NULL, &dynamics_def, &unloaded, err);
    if (!status)
        status = prepare(&e, err);
    if (!status)
        status = solve_all(&e, err);
    if (!status)
        status = write_contact(&e, out, err);
    dynamics_free(&unloaded);
    estimate_free(&e);
    return status;
}
