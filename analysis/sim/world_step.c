/* One step of a world: kick, move, close the joints. */
#include <string.h>

#include "analysis/sim/rigid_body.h"
#include "analysis/sim/world.h"
#include "analysis/sim/world_state.h"
#include "analysis/solve/mixed_lcp.h"

/* Joints are closed to this, m and rad, in at most so many corrections; else the step is halved, so many times. The
 * first corrections are plain: how they shrink tells whether the step is too long. */
#define CLOSED 1e-9
#define NEARLY_CLOSED 1e-7
/* A turn's share of error for a meter that joints are open, and its bounds: a step turns by far less than a radian. */
#define TURN_ERROR 1e-2
#define LEAST_TURN_ERROR 1e-13
#define MOST_TURN_ERROR 1e-4
enum { MAX_CORRECTIONS = 30, PLAIN_CORRECTIONS = 3, MAX_HALVINGS = 6 };

/* Both sides of a joint at the present pose; the root's parent is `frame`. */
static void joint_sides(const World *w, int j, const Frame *frame, JointSide *parent, JointSide *child)
{
    const WorldJoint *joint = &w->joint[j];
    const RigidBody *b = &w->body[j];
    Quat child_frame = quat_mul(b->orientation, quat_conjugate(joint->held));
    *child = (JointSide){b->position, child_frame, quat_rotate(b->orientation, joint->child_anchor),
                         quat_rotate(b->orientation, joint->axis)};
    if (joint->parent < 0) {
        *parent = (JointSide){frame->position, frame->orientation, {0, 0, 0},
                              quat_rotate(frame->orientation, joint->parent_axis)};
        return;
    }
    const RigidBody *p = &w->body[joint->parent];
    *parent = (JointSide){p->position, p->orientation, quat_rotate(p->orientation, joint->parent_anchor),
                          quat_rotate(p->orientation, joint->parent_axis)};
}

/* Stiffness and damping of row i of a joint; zero stiffness: the row is hard. */
static double row_stiffness(const JointSoftness *s, int i, double *damping)
{
    *damping = i < 3 ? s->damping : s->turning_damping;
    return i < 3 ? s->stiffness : s->turning_stiffness;
}

/* Errors phi[rows] of the joints with the root held by `frame`, zero in soft rows; returns the largest. */
static double joint_errors(const World *w, const Frame *frame, double *phi)
{
    double largest = 0;
    for (int j = 0; j < w->joint_count; j++) {
        const TreeBody *t = &w->tree.body[j + FRAME_BODIES];
        JointSide parent, child;
        joint_sides(w, j, frame, &parent, &child);
        joint_error(w->joint[j].kind, &parent, &child, phi + t->row_start);
        for (int i = 0; i < t->row_count; i++) {
            double damping, *error = &phi[t->row_start + i];
            *error = row_stiffness(&w->joint[j].softness, i, &damping) > 0 ? 0 : *error;
            largest = fmax(largest, fabs(*error));
        }
    }
    return largest;
}

double world_joint_drift(const World *w)
{
    double largest = 0;
    for (int j = 0; j < w->joint_count; j++) {
        JointSide parent, child;
        if (w->joint[j].kind == JOINT_FREE || w->joint[j].softness.stiffness > 0)
            continue;
        joint_sides(w, j, &w->frame, &parent, &child);
        largest = fmax(largest, vec3_distance(vec3_add(parent.position, parent.anchor),
                                              vec3_add(child.position, child.anchor)));
    }
    return largest;
}

/* Soft rows of a joint (0.9): gamma alpha / h^2 on the diagonal, -gamma phi / h on the right, alpha = 1 / stiffness,
 * beta = damping / stiffness. */
static void soften_rows(World *w, int j, const JointSide *parent, const JointSide *child, double h)
{
    TreeBody *t = &w->tree.body[j + FRAME_BODIES];
    double phi[JOINT_ROWS], *right = w->right_side + 6 * w->tree.body_count + t->row_start;
    joint_error(w->joint[j].kind, parent, child, phi);
    for (int i = 0; i < t->row_count; i++) {
        double damping, stiffness = row_stiffness(&w->joint[j].softness, i, &damping);
        SoftRow soft = {0, 0};
        if (stiffness > 0)
            soft = soft_row(1 / stiffness, damping / stiffness, h, phi[i]);
        t->compliance[i] = soft.compliance;
        right[i] = soft.target;
    }
}

/* Mass and joint rows of every body at the present pose, and the joints' right sides, for a kick of h. */
static Status factor(World *w, double h, Error *err)
{
    for (int b = 0; b < w->body_count; b++) {
        SpatialInertia inertia = {w->body[b].mass, {0, 0, 0}, rigid_body_inertia(&w->body[b])};
        spatial_inertia_matrix(&inertia, w->tree.body[b + FRAME_BODIES].mass);
    }
    for (int j = 0; j < w->joint_count; j++) {
        TreeBody *t = &w->tree.body[j + FRAME_BODIES];
        JointSide parent, child;
        JointRows rows;
        joint_sides(w, j, &w->frame, &parent, &child);
        joint_rows(w->joint[j].kind, &parent, &child, &rows);
        soften_rows(w, j, &parent, &child, h);
        memcpy(t->parent_rows, rows.parent, (size_t)rows.count * sizeof rows.parent[0]);
        memcpy(t->child_rows, rows.child, (size_t)rows.count * sizeof rows.child[0]);
    }
    return joint_tree_factor(&w->tree, err);
}

/* What the springs exert at the present pose. Their damping sees the present velocities; at the end of a step those
 * that the first half of the kick, twice, leads to. That is what df/dv is for in 0.9.4: the second order. */
static void add_springs(World *w, int at_end)
{
    size_t joints = (size_t)w->joint_count;
    Vec3 *position = w->spring_row, *velocity = position + joints, *omega = velocity + joints;
    Vec3 *force = omega + joints, *moment = force + joints;
    for (int j = 0; j < w->joint_count; j++) {
        RigidBody b = w->body[j];
        if (at_end) {
            b.velocity = vec3_sub(vec3_scale(b.velocity, 2), w->start[j].velocity);
            b.angular_momentum = vec3_sub(vec3_scale(b.angular_momentum, 2), w->start[j].angular_momentum);
        }
        position[j] = world_position(w, j);
        velocity[j] = rigid_body_point_velocity(&b, w->joint[j].child_anchor);
        omega[j] = rigid_body_angular_velocity(&b);
        w->spring_turn[j] = b.orientation;
        force[j] = moment[j] = vec3(0, 0, 0);
    }
    springs_add(w->springs, &(SpringPose){position, w->spring_turn, velocity, omega}, force, moment);
    for (int j = 0; j < w->joint_count; j++) {
        Vec3 about_com = vec3_sub(moment[j], vec3_cross(w->body[j].position, force[j]));
        w->load[j] = vec3_add(w->load[j], force[j]);
        w->moment[j] = vec3_add(w->moment[j], about_com);
    }
}

/* Forces at the COMs and couples at the present pose, which is that of the end of a step or of its beginning. */
static void gather_loads(World *w, int at_end)
{
    for (int b = 0; b < w->body_count; b++) {
        w->load[b] = vec3_mad(w->force[b], w->body[b].mass, w->def.gravity);
        w->moment[b] = w->couple[b];
    }
    for (int j = 0; j < w->joint_count; j++) {
        const WorldJoint *joint = &w->joint[j];
        w->moment[j] = vec3_add(w->moment[j], joint->torque);
        if (joint->parent >= 0)
            w->moment[joint->parent] = vec3_sub(w->moment[joint->parent], joint->torque);
    }
    if (w->springs)
        add_springs(w, at_end);
}

static void put(double *to, Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* b = M v + h f in momenta (0.9.1); the frame has its velocity. */
static void set_right_side(World *w, double h, Vec3 frame_velocity, Vec3 frame_omega)
{
    double *y = w->right_side;
    put(y, frame_velocity);
    put(y + 3, frame_omega);
    for (int b = 0; b < w->body_count; b++) {
        const RigidBody *body = &w->body[b];
        put(y + 6 * (b + FRAME_BODIES), vec3_mad(vec3_scale(body->velocity, body->mass), h, w->load[b]));
        put(y + 6 * (b + FRAME_BODIES) + 3, vec3_mad(body->angular_momentum, h, w->moment[b]));
    }
}

static Vec3 get(const double *from) { return vec3(from[0], from[1], from[2]); }

/* Velocities of a solution become the bodies' momenta. */
static void take_velocities(World *w, const double *solution)
{
    for (int b = 0; b < w->body_count; b++) {
        const double *v = solution + 6 * (b + FRAME_BODIES);
        w->body[b].velocity = get(v);
        rigid_body_set_angular_velocity(&w->body[b], get(v + 3));
    }
}

/* Moves every body from where the step began. While joints are open by `error`, turns need not be exact. */
static void move_bodies(World *w, double h, double error)
{
    double tolerance = fmin(fmax(LEAST_TURN_ERROR, TURN_ERROR * error), MOST_TURN_ERROR);
    for (int b = 0; b < w->body_count; b++) {
        w->body[b].position = w->start[b].position;
        w->body[b].orientation = w->start[b].orientation;
        rigid_body_move(&w->body[b], h, &w->middle[b], tolerance);
    }
}

static void add_impulses(World *w, const double *solution)
{
    const double *lambda = solution + 6 * w->tree.body_count;
    for (int i = 0; i < w->tree.row_count; i++)
        w->impulse[i] += lambda[i];
}

/* Impulses G' lambda of the step's beginning join the momenta. */
static void push_joints(World *w, const double *lambda)
{
    for (int j = 0; j < w->joint_count; j++) {
        const TreeBody *t = &w->tree.body[j + FRAME_BODIES];
        double child[6] = {0}, parent[6] = {0};
        for (int i = 0; i < t->row_count; i++) {
            row_add_impulse(t->child_rows + 6 * i, 6, lambda[t->row_start + i], child);
            row_add_impulse(t->parent_rows + 6 * i, 6, lambda[t->row_start + i], parent);
        }
        rigid_body_push(&w->body[j], get(child), get(child + 3));
        if (w->joint[j].parent >= 0)
            rigid_body_push(&w->body[w->joint[j].parent], get(parent), get(parent + 3));
    }
}

/* One step of the closing: phi stands where the multipliers of the solution do. */
static void correct(World *w, double h, int mix)
{
    double *phi = w->solution + 6 * w->tree.body_count, *total = w->closing_impulse, *change = w->closing_change;
    for (int k = 0; k < w->tree.row_count; k++)
        change[k] = -total[k];
    anderson_note(&w->closing, total, phi);
    if (mix)
        anderson_mix(&w->closing, total, phi);
    memset(w->solution, 0, 6 * (size_t)w->tree.body_count * sizeof *w->solution);
    for (int k = 0; k < w->tree.row_count; k++)
        phi[k] = -phi[k] / h;
    joint_tree_solve(&w->tree, w->solution);
    for (int k = 0; k < w->tree.row_count; k++) {
        total[k] += phi[k];
        change[k] += total[k];
        w->impulse[k] += change[k];
    }
    push_joints(w, change);
}

/* Whether plain corrections, of which the last two took the error from `before` to `error`, would not close the joints.
 * Such a step is too long, even where a mixture closes it: it may have found another way to. */
static int is_hopeless(double before, double error)
{
    double ratio = error <= NEARLY_CLOSED ? 0 : error / before;
    for (int i = PLAIN_CORRECTIONS; i < MAX_CORRECTIONS; i += 2)
        error *= ratio;
    return !(error <= NEARLY_CLOSED);
}

/* Newton's method with the matrix of the step's beginning, its steps mixed with what the last ones showed: impulses
 * G' lambda that bring phi to zero at the step's end. */
static Status close_joints(World *w, double h, Error *err)
{
    double *phi = w->solution + 6 * w->tree.body_count, error = 0, before = 0, before_that;
    anderson_begin(&w->closing);
    memset(w->closing_impulse, 0, (size_t)w->tree.row_count * sizeof *w->closing_impulse);
    for (int b = 0; b < w->body_count; b++)
        w->middle[b] = rigid_body_angular_velocity(&w->body[b]);
    for (int i = 0; i < MAX_CORRECTIONS; i++) {
        before_that = before;
        before = error;
        move_bodies(w, h, i ? error : MOST_TURN_ERROR / TURN_ERROR);
        error = joint_errors(w, &w->frame_target, phi);
        if (error <= CLOSED)
            return STATUS_OK;
        if (i == PLAIN_CORRECTIONS && is_hopeless(before_that, error))
            break;
        correct(w, h, i >= PLAIN_CORRECTIONS);
    }
    if (error <= NEARLY_CLOSED)
        return STATUS_OK;
    return error_set(err, STATUS_NO_RESULT,
                     "joints do not close at %.4g s: something turns too fast for a step of %g s", w->time, h);
}

/* Zero times what is no number, or infinite, is no number. */
static int is_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * 0;
    return sum == 0;
}

/* Momenta change by the forces over h and by the impulses of joints, contacts and limits. */
static Status kick(World *w, double h, Vec3 frame_velocity, Vec3 frame_omega, const ContactPhase *phase, Error *err)
{
    Status status = factor(w, h, err);
    if (status)
        return status;
    gather_loads(w, phase->ahead == 0);
    set_right_side(w, h, frame_velocity, frame_omega);
    status = world_find_contacts(w, phase, err);
    if (!status)
        status = world_solve(w, err);
    if (status)
        return status;
    if (!is_finite(w->solution, 6 * w->tree.body_count))
        return error_set(err, STATUS_NO_RESULT, "forces at %.4g s are beyond all numbers", w->time);
    take_velocities(w, w->solution);
    add_impulses(w, w->solution);
    return STATUS_OK;
}

/* 0.9.1, or the first half of 0.9.4: kick at the present pose, move, close the joints. */
static Status kick_and_move(World *w, double h, double dt, int bounce, Error *err)
{
    Quat turn = quat_mul(w->frame_target.orientation, quat_conjugate(w->frame.orientation));
    Vec3 velocity = vec3_scale(vec3_sub(w->frame_target.position, w->frame.position), 1 / dt);
    Vec3 omega = vec3_scale(quat_log(turn), 2 / dt);
    Status status = kick(w, h, velocity, omega, &(ContactPhase){dt, bounce}, err);
    return status ? status : close_joints(w, dt, err);
}

/* Adds the impulses of an attempt as forces over the whole step: of contacts, and of joints on their children (0.21:
 * divided by h). */
static void record_reactions(World *w, double whole)
{
    for (int b = 0; b < w->body_count; b++)
        w->contact_force[b] = vec3_mad(w->contact_force[b], 1 / whole, w->contact_impulse[b]);
    for (int j = 0; j < w->joint_count; j++) {
        const TreeBody *t = &w->tree.body[j + FRAME_BODIES];
        double wrench[6] = {0};
        for (int i = 0; i < t->row_count; i++)
            row_add_impulse(t->child_rows + 6 * i, 6, w->impulse[t->row_start + i] / whole, wrench);
        Vec3 arm = quat_rotate(w->start[j].orientation, w->joint[j].child_anchor);
        w->joint[j].force = vec3_add(w->joint[j].force, get(wrench));
        w->joint[j].moment = vec3_add(w->joint[j].moment, vec3_sub(get(wrench + 3), vec3_cross(arm, get(wrench))));
    }
}

/* One step of dt towards where the frame is to be; without a solution the world is as it was. */
static Status attempt(World *w, const Frame *target, double dt, double whole, Error *err)
{
    int halves = w->def.integrator == INTEGRATE_BRIDSON_MARINO;
    Frame before = w->frame;
    w->frame_target = *target;
    memcpy(w->start, w->body, (size_t)w->body_count * sizeof *w->body);
    memset(w->contact_impulse, 0, (size_t)w->body_count * sizeof *w->contact_impulse);
    memset(w->impulse, 0, (size_t)w->tree.row_count * sizeof *w->impulse);
    Status status = kick_and_move(w, halves ? 0.5 * dt : dt, dt, !halves, err);
    w->frame = *target;
    if (!status && halves)
        status = kick(w, 0.5 * dt, target->velocity, target->angular_velocity, &(ContactPhase){0, 1}, err);
    if (status) {
        memcpy(w->body, w->start, (size_t)w->body_count * sizeof *w->body);
        w->frame = before;
        return status;
    }
    record_reactions(w, whole);
    return STATUS_OK;
}

static Frame frame_between(const Frame *a, const Frame *b)
{
    return (Frame){vec3_scale(vec3_add(a->position, b->position), 0.5), quat_slerp(a->orientation, b->orientation, 0.5),
                   vec3_scale(vec3_add(a->velocity, b->velocity), 0.5),
                   vec3_scale(vec3_add(a->angular_velocity, b->angular_velocity), 0.5)};
}

/* A step that is too long for what turns in it is made of two. */
static Status advance(World *w, const Frame *target, double dt, double whole, int halvings, Error *err)
{
    Status status = attempt(w, target, dt, whole, err);
    if (status != STATUS_NO_RESULT || halvings == 0)
        return status;
    Frame middle = frame_between(&w->frame, target);
    status = advance(w, &middle, 0.5 * dt, whole, halvings - 1, err);
    return status ? status : advance(w, target, 0.5 * dt, whole, halvings - 1, err);
}

static void clear_reactions(World *w)
{
    memset(w->contact_force, 0, (size_t)w->body_count * sizeof *w->contact_force);
    for (int j = 0; j < w->joint_count; j++)
        w->joint[j].force = w->joint[j].moment = vec3(0, 0, 0);
}

static void clear_loads(World *w)
{
    for (int b = 0; b < w->body_count; b++)
        w->force[b] = w->couple[b] = vec3(0, 0, 0);
    for (int j = 0; j < w->joint_count; j++)
        w->joint[j].torque = vec3(0, 0, 0);
}

Status world_step(World *w, double dt, Error *err)
{
    if (!(dt > 0))
        return error_set(err, STATUS_USAGE, "a step of %g s", dt);
    Frame before = w->frame, target = w->frame_target;
    memcpy(w->origin, w->body, (size_t)w->body_count * sizeof *w->body);
    clear_reactions(w);
    Status status = advance(w, &target, dt, dt, MAX_HALVINGS, err);
    w->frame_target = target;
    if (status) {
        memcpy(w->body, w->origin, (size_t)w->body_count * sizeof *w->body);
        w->frame = before;
        return status;
    }
    w->frame_target.velocity = w->frame_target.angular_velocity = vec3(0, 0, 0);
    clear_loads(w);
    w->time += dt;
    return STATUS_OK;
}
