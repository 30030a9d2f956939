/* See dof_motion.h. A joint's quantities are in the axes of its parent, relative to the parent's joint centre.
 *
 * Cost: about 2 us per frame and joint. Positions take two Gauss-Newton iterations; for a single hinge the first is
 * exact. */
#include "analysis/motion/dof_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/math/dense_factor.h"

enum { MAX_PASSES = 30 };
#define SETTLED 1e-13   /* rad and m: a smaller residual is rounding error */
#define DAMPING 1e-13   /* fraction of the diagonal: regularizes collinear axes, which then share their common motion */

/* The rows of one joint as a sequence of joints with axes. */
typedef struct DofJoint {
    int joint, first, count;
    Quat rest;
    Vec3 offset;
    int part_count;
    ModelJointAxis part[DOFS_PER_JOINT];
    int part_row[DOFS_PER_JOINT]; /* first row of a part, relative to `first` */
} DofJoint;

typedef struct DofState {
    ModelFrame frame;
    DofRate rate[DOFS_PER_JOINT]; /* axes of the parent */
} DofState;

/* ---- One joint ---- */

static ModelJointAxis dof_axis(const Dofs *d, int row)
{
    static const ModelJointKind kind[] = {[DOF_SLIDE] = MODEL_SLIDE, [DOF_BALL] = MODEL_BALL, [DOF_FREE] = MODEL_FREE};
    ModelJointAxis part = {MODEL_HINGE, d->anchor[row], d->axis[row], d->zero[row]};
    if (d->kind[row] == DOF_SLIDE || d->kind[row] == DOF_BALL || d->kind[row] == DOF_FREE)
        part.kind = kind[d->kind[row]];
    return part;
}

static DofJoint dof_joint(const Dofs *d, const Skeleton *s, int first)
{
    DofJoint j = {.joint = d->joint[first], .first = first, .count = dofs_end(d, first) - first};
    j.rest = d->rest_rotation[first];
    j.offset = s->offset[j.joint];
    for (int row = 0; row < j.count && d->kind[first] != DOF_CUSTOM; ) {
        j.part_row[j.part_count] = row;
        j.part[j.part_count] = dof_axis(d, first + row);
        row += model_joint_speeds(j.part[j.part_count++].kind);
    }
    return j;
}

static Quat rotation_from_vector(const double *vector) { return quat_exp(vec3_scale(vec3_load(vector), 0.5)); }

/* Coordinates of a part in the model's form: quaternions instead of rotation vectors. */
static void put_coordinates(const ModelJointAxis *part, const double *position, double *q)
{
    int rotations = part->kind == MODEL_FREE ? DOFS_PER_BALL : 0;
    int positions = part->kind == MODEL_BALL ? 0 : part->kind == MODEL_FREE ? DOFS_PER_BALL : 1;
    memcpy(q, position, (size_t)positions * sizeof *q);
    if (part->kind == MODEL_BALL || part->kind == MODEL_FREE) {
        Quat rotation = rotation_from_vector(position + rotations);
        memcpy(q + positions, &rotation, sizeof rotation);
    }
}

/* The motion of a frame with its origin at `point` per unit of a speed. */
static DofRate rate_of(const ModelSpeed *speed, int joint, Vec3 point)
{
    if (!speed->turns)
        return (DofRate){joint, {0, 0, 0}, speed->axis};
    return (DofRate){joint, speed->axis, vec3_cross(speed->axis, vec3_sub(point, speed->anchor))};
}

/* Computes the joint's frame and its motion per unit of each row; rate NULL: at rest. */
static void pass_joint(const DofJoint *j, const double *position, const double *rate, DofState *out)
{
    double q[DOFS_PER_JOINT + 1];
    ModelSpeed speed[DOFS_PER_JOINT];
    out->frame = (ModelFrame){.x = j->offset, .q = j->rest};
    for (int i = 0; i < j->part_count; i++) {
        int row = j->part_row[i];
        put_coordinates(&j->part[i], position + row, q);
        model_pass_joint(&out->frame, &j->part[i],
                         &(ModelJointState){q, rate ? rate + row : NULL, NULL, speed + row});
    }
    out->frame.q = quat_normalize(out->frame.q);
    for (int i = 0; i < j->count; i++)
        out->rate[i] = rate_of(&speed[i], j->joint, out->frame.x);
}

/* Least-squares rates of the rows for a given angular and linear velocity. */
static void find_rates(const DofState *at, int count, Vec3 rotation, Vec3 translation, double *rate)
{
    double twist[DOFS_PER_JOINT][6], normal[DOFS_PER_JOINT * DOFS_PER_JOINT], wanted[6];
    vec3_store(wanted, rotation);
    vec3_store(wanted + 3, translation);
    for (int i = 0; i < count; i++) {
        vec3_store(twist[i], at->rate[i].omega);
        vec3_store(twist[i] + 3, at->rate[i].v);
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k <= i; k++)
            normal[i * count + k] = dot_product(twist[i], twist[k], 6);
        normal[i * count + i] *= 1 + DAMPING;
        rate[i] = dot_product(twist[i], wanted, 6);
    }
    if (cholesky_factor(normal, count) == count)
        cholesky_solve(normal, count, rate);
    else
        memset(rate, 0, (size_t)count * sizeof *rate);
}

static void rotate_on(double *vector, const double *step)
{
    Vec3 next = vec3_scale(quat_log(quat_mul(rotation_from_vector(vector), rotation_from_vector(step))), 2);
    vec3_store(vector, next);
}

static void step_on(const DofJoint *j, const double *step, double *position)
{
    for (int i = 0; i < j->part_count; i++) {
        int row = j->part_row[i];
        ModelJointKind kind = j->part[i].kind;
        int positions = kind == MODEL_BALL ? 0 : kind == MODEL_FREE ? DOFS_PER_BALL : 1;
        for (int k = 0; k < positions; k++)
            position[row + k] += step[row + k];
        if (kind == MODEL_BALL || kind == MODEL_FREE)
            rotate_on(position + row + positions, step + row + positions);
    }
}

/* Solves for positions that bring the frame to a pose, starting from `position`; returns the remaining misfit. */
static DofMisfit fit_pose(const DofJoint *j, const ModelFrame *pose, double *position, DofState *at)
{
    double step[DOFS_PER_JOINT];
    DofMisfit left = {0};
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        pass_joint(j, position, NULL, at);
        Vec3 rotation = vec3_scale(quat_log(quat_mul(pose->q, quat_conjugate(at->frame.q))), 2);
        Vec3 translation = vec3_sub(pose->x, at->frame.x);
        left = (DofMisfit){.angle = vec3_norm(rotation), .distance = vec3_norm(translation)};
        if (left.angle <= SETTLED && left.distance <= SETTLED)
            break;
        find_rates(at, j->count, rotation, translation, step);
        step_on(j, step, position);
        if (dot_product(step, step, j->count) <= SETTLED * SETTLED)
            break;
    }
    return left;
}

/* ---- Motion of a joint in the clip ---- */

static ModelFrame clip_joint_frame(const Clip *c, int joint, int frame)
{
    const Motion *m = &c->motion;
    size_t at = motion_index(m, frame, joint);
    Vec3 x = c->skeleton.parent[joint] < 0 ? m->root_position[frame]
             : m->translation              ? m->translation[at] : c->skeleton.offset[joint];
    return (ModelFrame){.x = x, .q = m->rotation[at]};
}

/* Orientation of the parent; of the world for the root. */
static Quat clip_parent_orientation(const Clip *c, int joint, int frame)
{
    int p = c->skeleton.parent[joint];
    return p < 0 ? QUAT_IDENTITY : c->kinematics.orientation[motion_index(&c->motion, frame, p)];
}

/* Rates of the joint's frame relative to its parent, in axes of the parent. */
static void put_rates(const Clip *c, int joint, int frame, ModelFrame *out)
{
    const Kinematics *k = &c->kinematics;
    size_t at = motion_index(&c->motion, frame, joint);
    int p = c->skeleton.parent[joint];
    Quat base = clip_parent_orientation(c, joint, frame);
    ModelFrame up = {.x = {0, 0, 0}};
    if (p >= 0) {
        size_t above = motion_index(&c->motion, frame, p);
        up = (ModelFrame){k->position[above], k->velocity[above], k->angular_velocity[above], k->acceleration[above],
                          k->angular_acceleration[above], base};
    }
    Vec3 arm = vec3_sub(k->position[at], up.x), omega = vec3_sub(k->angular_velocity[at], up.omega);
    Vec3 velocity = vec3_sub(vec3_sub(k->velocity[at], up.v), vec3_cross(up.omega, arm));
    Vec3 carried = vec3_add(vec3_cross(up.alpha, arm), vec3_cross(up.omega, vec3_cross(up.omega, arm)));
    Vec3 alpha = vec3_sub(vec3_sub(k->angular_acceleration[at], up.alpha), vec3_cross(up.omega, omega));
    Vec3 change = vec3_sub(vec3_sub(k->acceleration[at], up.a),
                           vec3_mad(carried, 2, vec3_cross(up.omega, velocity)));
    out->omega = quat_rotate_inverse(base, omega);
    out->v = quat_rotate_inverse(base, velocity);
    out->alpha = quat_rotate_inverse(base, alpha);
    out->a = quat_rotate_inverse(base, change);
}

static void put_moving_axes(const Dofs *d, const DofJoint *j, int frame, DofState *at)
{
    for (int i = 0; i < j->count; i++) {
        size_t row = dofs_index(d, frame, j->first + i);
        at->rate[i] = (DofRate){j->joint, d->moving_axis[row], d->moving_velocity[row]};
    }
}

/* ---- All joints over time ---- */

static int is_known(const Dofs *d, int row) { return d->kind[row] != DOF_UNKNOWN; }

static int is_custom(const Dofs *d, int row) { return d->kind[row] == DOF_CUSTOM; }

static void note_misfit(const DofMisfit *left, int row, int frame, DofMisfit *worst)
{
    int is_worse = left->angle > worst->angle || (worst->angle <= SETTLED && left->distance > worst->distance);
    if (is_worse) {
        worst->row = row;
        worst->frame = frame;
    }
    worst->angle = fmax(worst->angle, left->angle);
    worst->distance = fmax(worst->distance, left->distance);
}

/* Processes one joint in a frame; `now` contains its positions of the previous frame. */
static void follow_joint(const Clip *c, const DofJoint *j, int frame, double *now, DofMisfit *worst)
{
    const Dofs *d = &c->dof;
    size_t row = dofs_index(d, frame, j->first), bytes = (size_t)j->count * sizeof *now;
    ModelFrame pose = clip_joint_frame(c, j->joint, frame);
    DofState at = {.frame = pose};
    if (is_custom(d, j->first)) {
        put_moving_axes(d, j, frame, &at);
    } else {
        DofMisfit left = fit_pose(j, &pose, now, &at);
        note_misfit(&left, j->first, frame, worst);
        memcpy(d->position + row, now, bytes);
    }
    if (!d->velocity)
        return;
    put_rates(c, j->joint, frame, &pose);
    find_rates(&at, j->count, pose.omega, pose.v, d->velocity + row);
    if (is_custom(d, j->first))
        return;
    pass_joint(j, now, d->velocity + row, &at);
    find_rates(&at, j->count, vec3_sub(pose.alpha, at.frame.alpha), vec3_sub(pose.a, at.frame.a),
               d->acceleration + row);
}

/* A custom row has a moving axis: its acceleration is the difference quotient of its velocity. */
static void differentiate_custom(const Clip *c, int row)
{
    const Dofs *d = &c->dof;
    for (int f = 0; f < d->frame_count; f++) {
        int before = f > 0 ? f - 1 : f, after = f + 1 < d->frame_count ? f + 1 : f;
        double change = d->velocity[dofs_index(d, after, row)] - d->velocity[dofs_index(d, before, row)];
        d->acceleration[dofs_index(d, f, row)] =
            after > before ? change / ((after - before) * c->motion.frame_time) : 0;
    }
}

/* Initial positions for the first frame: the previous values. */
static void begin_at(const Dofs *d, const Dofs *old, const DofJoint *j, double *now)
{
    for (int i = 0; i < j->count; i++) {
        int row = j->first + i;
        double was = old->position && old->frame_count > 0 ? old->position[row] : NAN;
        now[i] = isfinite(was) ? was : d->zero[row];
    }
}

static void follow_all(Clip *c, const Dofs *old, DofMisfit *worst)
{
    Dofs *d = &c->dof;
    for (int first = 0; first < d->count; first = dofs_end(d, first)) {
        double now[DOFS_PER_JOINT];
        if (!is_known(d, first))
            continue;
        DofJoint j = dof_joint(d, &c->skeleton, first);
        begin_at(d, old, &j, now);
        for (int f = 0; f < d->frame_count; f++)
            follow_joint(c, &j, f, now, worst);
        for (int i = first; d->velocity && is_custom(d, first) && i < first + j.count; i++)
            differentiate_custom(c, i);
    }
}

/* Copies values that are not computed; others become NaN. */
static void keep_given(const Clip *c, const Dofs *old)
{
    const Dofs *d = &c->dof;
    double *const to[] = {d->position, d->velocity, d->acceleration};
    const double *const from[] = {old->position, old->velocity, old->acceleration};
    for (int k = 0; k < 3; k++)
        for (int f = 0; to[k] && f < d->frame_count; f++)
            for (int i = 0; i < d->count; i++) {
                int stays = from[k] && f < old->frame_count &&
                            (is_known(d, i) ? k == 0 && is_custom(d, i) : c->has_simulation);
                to[k][dofs_index(d, f, i)] = stays ? from[k][dofs_index(d, f, i)] : NAN;
            }
}

/* Allocates the arrays that the clip's groups determine. Keeps custom axes; the caller frees the old arrays. */
static Status make_room(Clip *c, Error *err)
{
    Dofs *d = &c->dof;
    d->position = d->velocity = d->acceleration = d->effort = NULL;
    d->actuator_force = d->passive_force = d->applied_force = d->constraint_force = d->contact_force = NULL;
    d->frame_count = c->motion.frame_count;
    Status status = group_add(GROUP_DOF, d, "position", err);
    if (!status && c->has_kinematics)
        status = group_add(GROUP_DOF, d, "velocity", err);
    if (!status && c->has_kinematics)
        status = group_add(GROUP_DOF, d, "acceleration", err);
    return status;
}

static int has_known_dofs(const Clip *c)
{
    int known = c->has_simulation;
    for (int i = 0; i < c->dof.count; i++)
        known |= is_known(&c->dof, i);
    return known;
}

Status dofs_follow(Clip *clip, DofMisfit *misfit, Error *err)
{
    DofMisfit worst = {0};
    Status status = STATUS_OK;
    if (clip->has_dof && !has_known_dofs(clip)) {
        dofs_free(&clip->dof);
        clip->has_dof = 0;
    }
    if (clip->has_dof) {
        Dofs old = clip->dof;
        status = make_room(clip, err);
        if (!status) {
            keep_given(clip, &old);
            follow_all(clip, &old, &worst);
        }
        double *const stale[] = {old.position,      old.velocity,      old.acceleration,     old.effort,
                                 old.actuator_force, old.passive_force, old.applied_force, old.constraint_force,
                                 old.contact_force};
        for (size_t i = 0; i < sizeof stale / sizeof *stale; i++)
            free(stale[i]);
    }
    if (misfit)
        *misfit = worst;
    return status || !clip->has_dof || !clip->has_dynamics ? status : dofs_fill_effort(clip, err);
}

/* ---- Efforts ---- */

static double clip_effort(const Clip *c, const DofRate *rate, int frame)
{
    Quat base = clip_parent_orientation(c, rate->joint, frame);
    size_t at = motion_index(&c->motion, frame, rate->joint);
    Vec3 torque = quat_rotate_inverse(base, c->dynamics.torque[at]);
    Vec3 force = quat_rotate_inverse(base, c->dynamics.force[at]);
    return vec3_dot(rate->omega, torque) + vec3_dot(rate->v, force);
}

/* Motion of a joint per unit of its rows in a frame. */
static void joint_rates(const Clip *c, const DofJoint *j, int frame, DofState *at)
{
    if (is_custom(&c->dof, j->first))
        put_moving_axes(&c->dof, j, frame, at);
    else
        pass_joint(j, c->dof.position + dofs_index(&c->dof, frame, j->first), NULL, at);
}

void dofs_rates(const Clip *clip, int frame, DofRate *rate)
{
    const Dofs *d = &clip->dof;
    for (int row = 0; row < d->count; row++) {
        DofState at;
        DofJoint j = dof_joint(d, &clip->skeleton, dofs_first(d, row));
        rate[row].joint = -1;
        if (!is_known(d, row))
            continue;
        joint_rates(clip, &j, frame, &at);
        Quat base = clip_parent_orientation(clip, j.joint, frame);
        const DofRate *own = &at.rate[row - j.first];
        rate[row] = (DofRate){j.joint, quat_rotate(base, own->omega), quat_rotate(base, own->v)};
    }
}

/* Effort of a row that torque and force of the dynamics give. */
static double row_effort(const Clip *c, const DofJoint *j, const DofState *at, int i, int frame)
{
    const Dofs *d = &c->dof;
    size_t row = dofs_index(d, frame, j->first + i);
    double drive = d->acceleration ? d->armature[j->first + i] * d->acceleration[row] : 0;
    return clip_effort(c, &at->rate[i], frame) + drive;
}

static void put_efforts(const Clip *c, const DofJoint *j, int frame)
{
    const Dofs *d = &c->dof;
    DofState at;
    joint_rates(c, j, frame, &at);
    for (int i = 0; i < j->count; i++)
        d->effort[dofs_index(d, frame, j->first + i)] = row_effort(c, j, &at, i, frame);
}

/* Smallest vector along the axes of the rows that turn (or translate) that adds the missing efforts to them; world
 * axes. */
static Vec3 missing_effort(const Clip *c, const DofJoint *j, const DofState *at, int turns, int frame)
{
    double gram[DOFS_PER_JOINT * DOFS_PER_JOINT], missing[DOFS_PER_JOINT];
    Vec3 axis[DOFS_PER_JOINT], sum = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < j->count; i++) {
        if (dofs_is_rotation(&c->dof, j->first + i) != turns)
            continue;
        axis[count] = turns ? at->rate[i].omega : at->rate[i].v;
        missing[count++] = c->dof.effort[dofs_index(&c->dof, frame, j->first + i)] - row_effort(c, j, at, i, frame);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            gram[i * count + k] = vec3_dot(axis[i], axis[k]) * (i == k ? 1 + DAMPING : 1);
    if (cholesky_factor(gram, count) < count)
        return sum;
    cholesky_solve(gram, count, missing);
    for (int i = 0; i < count; i++)
        sum = vec3_mad(sum, missing[i], axis[i]);
    return quat_rotate(clip_parent_orientation(c, j->joint, frame), sum);
}

/* Changes torque and force of a joint in a frame, first the force, of which efforts of rotations depend. */
static void take_efforts(const Clip *c, const DofJoint *j, int frame)
{
    const Kinematics *k = &c->kinematics;
    size_t at = motion_index(&c->motion, frame, j->joint);
    int parent = c->skeleton.parent[j->joint];
    size_t above = parent < 0 ? at : motion_index(&c->motion, frame, parent);
    Vec3 arm = vec3_sub(k->position[at], k->position[above]), omega = k->angular_velocity[above];
    DofState state;
    joint_rates(c, j, frame, &state);
    Vec3 force = missing_effort(c, j, &state, 0, frame);
    c->dynamics.force[at] = vec3_add(c->dynamics.force[at], force);
    Vec3 torque = missing_effort(c, j, &state, 1, frame);
    c->dynamics.torque[at] = vec3_add(c->dynamics.torque[at], torque);
    Vec3 slide = vec3_sub(vec3_sub(k->velocity[at], k->velocity[above]), vec3_cross(omega, arm));
    c->dynamics.power[at] += vec3_dot(torque, vec3_sub(k->angular_velocity[at], omega)) + vec3_dot(force, slide);
}

/* Derivative of the coupling polynomial at x. */
static double slope(const double coupling[DOF_TERMS], double x)
{
    double sum = 0;
    for (int k = DOF_TERMS - 1; k > 0; k--)
        sum = sum * x + k * coupling[k];
    return sum;
}

double dofs_slope(const Dofs *d, int frame, int row)
{
    int to = d->coupled_to[row];
    if (to < 0)
        return 1;
    return slope(d->coupling + (size_t)DOF_TERMS * (size_t)row, d->position[dofs_index(d, frame, to)] - d->zero[to]);
}

/* Adds the effort of a coupled row to the row that it follows. */
static void pass_on(const Dofs *d, int row, int frame)
{
    double *own = &d->effort[dofs_index(d, frame, row)];
    d->effort[dofs_index(d, frame, d->coupled_to[row])] += dofs_slope(d, frame, row) * *own;
    *own = 0;
}

/* Adds the efforts of coupled rows to the rows that they follow. */
static void pass_all_on(const Dofs *d)
{
    for (int f = 0; f < d->frame_count; f++)
        for (int i = 0; i < d->count; i++)
            if (d->coupled_to[i] >= 0 && is_known(d, i))
                pass_on(d, i, f);
}

Status dofs_take_effort(Clip *clip, Error *err)
{
    Dofs *d = &clip->dof;
    if (!d->effort || !clip->has_dynamics)
        return error_set(err, STATUS_INTERNAL, "efforts without dynamics");
    for (int first = 0; first < d->count; first = dofs_end(d, first)) {
        DofJoint j = dof_joint(d, &clip->skeleton, first);
        for (int f = 0; f < d->frame_count && is_known(d, first); f++)
            take_efforts(clip, &j, f);
    }
    pass_all_on(d);
    return STATUS_OK;
}

Status dofs_fill_effort(Clip *clip, Error *err)
{
    Dofs *d = &clip->dof;
    Status status = group_add(GROUP_DOF, d, "effort", err);
    for (int first = 0; !status && first < d->count; first = dofs_end(d, first)) {
        DofJoint j = {0};
        if (is_known(d, first))
            j = dof_joint(d, &clip->skeleton, first);
        for (int f = 0; f < d->frame_count && is_known(d, first); f++)
            put_efforts(clip, &j, f);
        for (int f = 0; f < d->frame_count && !is_known(d, first); f++)
            for (int i = first; i < dofs_end(d, first); i++)
                d->effort[dofs_index(d, f, i)] = NAN;
    }
    if (!status)
        pass_all_on(d);
    return status;
}
