/* Runs of a playback: a controller and a world, step by step. */
#include "analysis/control/playback_run.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/sim/world.h"
#include "analysis/stats/events.h"

/* How far a simulated body is from its reference. */

static Vec3 com_of(const LumpedBody *lumped, const Kinematics *k, size_t row, int joint)
{
    size_t at = row + (size_t)joint;
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], lumped->body.com[joint]));
}

void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             TrackingRun *run)
{
    size_t row = (size_t)frame * (size_t)lumped->source_count;
    size_t wanted = (size_t)frame * (size_t)lumped->body.joint_count;
    int top = lumped->body_of[0];
    run->root_position[frame] = vec3_add(state->position[top], quat_rotate(state->orientation[top], lumped->place[0]));
    for (int j = 0; j < lumped->source_count; j++) {
        int i = lumped->body_of[j];
        run->orientation[row + (size_t)j] = quat_mul(state->orientation[i], lumped->rotation[j]);
        if (lumped->carrier[j] != j)
            continue;
        Quat turn = quat_mul(reference->orientation[wanted + (size_t)i], quat_conjugate(state->orientation[i]));
        run->orientation_error[row + (size_t)j] = 2 * vec3_norm(quat_log(turn));
        run->position_error[row + (size_t)j] = vec3_distance(com_of(lumped, reference, wanted, i),
                                                             com_of(lumped, state, 0, i));
    }
}

void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run)
{
    Vec3 *row = run->torque + (size_t)frame * (size_t)lumped->source_count;
    for (int i = 0; i < lumped->body.joint_count; i++)
        row[lumped->source[i]] = torque[i];
}

/* RMS of the hand's wrench over the steps that count; over all where none does. */
static void sum_hand(const LumpedBody *lumped, int frames, const uint8_t *counts, TrackingRun *run)
{
    double force = 0, couple = 0;
    int count = 0, any = 0;
    for (int f = 0; counts && f < frames; f++)
        any |= counts[f];
    for (int f = 0; f < frames; f++)
        if (!any || counts[f]) {
            force += vec3_dot(run->hand_force[f], run->hand_force[f]);
            couple += vec3_dot(run->hand_torque[f], run->hand_torque[f]);
            count++;
        }
    run->hand_force_rms = sqrt(force / count) / (lumped->body.total_mass * GRAVITY);
    run->hand_torque_rms = sqrt(couple / count) / lumped->body.total_mass;
}

Status tracking_error_sum(const LumpedBody *lumped, const uint8_t *counts, Tracking *tracking, ControllerKind kind,
                          Error *err)
{
    TrackingRun *run = &tracking->run[kind];
    size_t bodies = (size_t)lumped->body.joint_count, frames = (size_t)tracking->frame_count;
    double *all = array_new(frames, bodies, sizeof *all), turn = 0, distance = 0, effort = 0, last = 0;
    if (!all)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++) {
        last = 0;
        for (size_t i = 0; i < bodies; i++) {
            size_t at = f * (size_t)tracking->joint_count + (size_t)lumped->source[i];
            all[f * bodies + i] = run->orientation_error[at];
            last += run->orientation_error[at];
            distance += run->position_error[at];
            effort += vec3_norm(run->torque[at]);
        }
        turn += last;
    }
    run->mean_error = turn / (double)(frames * bodies);
    run->mean_distance = distance / (double)(frames * bodies);
    run->final_error = last / (double)bodies;
    run->effort = effort / (double)frames;
    sum_hand(lumped, tracking->frame_count, counts, run);
    run->p95_error = percentile(all, (int)(frames * bodies), 0.95);
    free(all);
    return STATUS_OK;
}

/* One run on its way. */
typedef struct Run {
    const Playback *playback;
    World *world;
    ControlPlant plant;
    Controller controller;
    Vec3 *torque; /* [joint] */
    Footing ground;
    double release;
    int ball;     /* body of the ball, -1: not yet */
} Run;

static int clamp_frame(const Playback *p, int frame)
{
    return frame < p->motion.frame_count ? frame : p->motion.frame_count - 1;
}

static Desired desired_at(const Playback *p, int frame)
{
    size_t joints = (size_t)p->motion.joint_count;
    size_t row = (size_t)clamp_frame(p, frame) * joints, next = (size_t)clamp_frame(p, frame + 1) * joints;
    const Kinematics *k = &p->kinematics;
    size_t taken = p->def.present_acceleration ? row : next;
    return (Desired){k->orientation + row, k->angular_velocity + row, k->angular_acceleration + taken,
                     k->acceleration[taken], k->position[row], k->velocity[row]};
}

/* A cylinder of the body's mass and of its inertia about the line from the joint through the COM. */
static Status add_capsule(const Run *r, int joint, Error *err)
{
    const Body *b = &r->playback->lumped.body;
    Vec3 along = vec3_normalize(b->com[joint]);
    double length = 2 * vec3_norm(b->com[joint]);
    double radius = sqrt(2 * vec3_dot(along, sym3_mul(b->inertia[joint], along)) / b->mass[joint]);
    double end = fmin(radius, 0.5 * length);
    if (!(length > 0)) {
        along = vec3(0, 1, 0);
        radius = sqrt(2.5 * b->inertia[joint].xx / b->mass[joint]);
        end = 0;
    }
    return world_add_capsule(r->world, joint, vec3_scale(along, end), vec3_scale(along, length - end), radius, err);
}

/* The kind of joint that simulated joint j is, and its axis. */
static JointKind joint_kind(const Playback *p, int j, Vec3 *axis)
{
    *axis = p->def.axis ? p->def.axis[p->lumped.source[j]] : vec3(0, 0, 1);
    return p->def.axis ? (vec3_norm(*axis) > 0 ? JOINT_HINGE : JOINT_SPHERICAL)
                       : (p->def.hinges ? JOINT_HINGE : JOINT_SPHERICAL);
}

/* Joints between simulated bodies; a joint that is frozen does not give way. */
static Status soften_joints(Run *r, Error *err)
{
    const Playback *p = r->playback;
    Status status = STATUS_OK;
    for (int i = 0; !status && i < p->def.soft.count; i++) {
        const SoftJoint *soft = &p->def.soft.joint[i];
        if (playback_moves(p, soft->joint))
            status = world_soften_joint(r->world, p->lumped.body_of[soft->joint], &soft->softness, err);
    }
    return status;
}

static Status make_world(Run *r, Error *err)
{
    Vec3 axis;
    const Playback *p = r->playback;
    WorldDef def = world_default_def();
    def.gravity = r->plant.gravity;
    def.root = p->def.root == ROOT_FREE ? JOINT_FREE : joint_kind(p, 0, &axis);
    def.friction = p->def.friction;
    def.restitution = p->def.restitution;
    def.ground_height = p->def.ground;
    def.ground_normal = p->def.ground_normal;
    Status status = world_create(&p->lumped.skeleton, &p->lumped.body, &def, &r->world, err);
    for (int j = 0; !status && j < p->lumped.skeleton.joint_count; j++)
        if (joint_kind(p, j, &axis) == JOINT_HINGE)
            status = world_set_joint(r->world, j, JOINT_HINGE, axis, err);
    for (int i = 0; !status && i < p->ground_count; i++)
        status = world_add_ground_point(r->world, p->ground_joint[i], p->ground_point[i], err);
    for (int j = 0; !status && p->def.ball.mass > 0 && j < p->lumped.skeleton.joint_count; j++)
        status = add_capsule(r, j, err);
    if (!status && p->springs.count)
        status = world_set_springs(r->world, &p->springs, err);
    for (int i = 0; !status && i < p->limits.count; i++)
        status = world_set_limits(r->world, p->limits.joint[i], &p->limits.limit[i], err);
    return status ? status : soften_joints(r, err);
}

/* Where the run begins. r->torque is scratch for the angular velocities of rest. */
static void set_start(Run *r)
{
    const Playback *p = r->playback;
    if (p->def.from_rest) {
        memset(r->torque, 0, (size_t)p->motion.joint_count * sizeof *r->torque);
        for (int j = 0; p->def.rest && j < p->motion.joint_count; j++)
            r->plant.motion.rotation[j] = p->def.rest[p->lumped.source[j]];
        world_set_pose(r->world, p->motion.root_position[0], r->plant.motion.rotation, vec3(0, 0, 0), r->torque);
        return;
    }
    world_set_pose(r->world, p->motion.root_position[0], p->motion.rotation, p->kinematics.velocity[0],
                   p->kinematics.angular_velocity);
}

static Status run_init(Run *r, const Playback *p, const ControllerDef *def, Error *err)
{
    int joints = p->lumped.skeleton.joint_count;
    *r = (Run){.playback = p, .ball = -1, .release = playback_release(p)};
    Status status = plant_init(&r->plant, &p->lumped.skeleton, &p->lumped.body, p->def.dt, err);
    r->plant.gravity = p->def.gravity;
    r->ground = (Footing){p->ground_count, p->ground_joint,      p->ground_point,
                          p->def.ground,   p->def.ground_normal, p->def.friction};
    r->plant.ground = p->def.root == ROOT_FREE ? &r->ground : NULL;
    if (!status)
        status = controller_init(&r->controller, joints, def, err);
    r->torque = array_new((size_t)joints, 1, sizeof *r->torque);
    if (!status && !r->torque)
        status = error_no_memory(err);
    if (!status)
        status = make_world(r, err);
    if (!status)
        set_start(r);
    return status;
}

static void run_free(Run *r)
{
    world_destroy(r->world);
    plant_free(&r->plant);
    controller_free(&r->controller);
    free(r->torque);
}

/* Lets the ball go above the place where the reference's COM will be when the ball comes down to it. */
static Status release_ball(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    const BallDrop *ball = &p->def.ball;
    if (!(ball->mass > 0) || r->ball >= 0 || frame * p->def.dt < r->release)
        return STATUS_OK;
    double fall = playback_fall(p);
    int joint = p->lumped.body_of[ball->joint];
    size_t due = motion_index(&p->motion, clamp_frame(p, frame + (int)lround(fall / p->def.dt)), joint);
    Vec3 arm = quat_rotate(p->kinematics.orientation[due], p->lumped.body.com[joint]);
    Vec3 place = vec3_add(p->kinematics.position[due], arm);
    place.y += ball->height;
    return world_add_ball(r->world, &(BallDef){ball->mass, ball->radius, place, vec3(0, 0, 0)}, &r->ball, err);
}

static int all_finite(const Vec3 *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i].x + v[i].y + v[i].z;
    return isfinite(sum);
}

/* A state that a controller can go on from: finite, and nothing turns by more than a full turn a step. */
static int is_sound(const Run *r)
{
    const Kinematics *k = &r->plant.kinematics;
    double fastest = 0;
    for (int j = 0; j < k->joint_count; j++)
        fastest = fmax(fastest, vec3_norm(k->angular_velocity[j]));
    return all_finite(k->position, k->joint_count) && all_finite(k->angular_velocity, k->joint_count) &&
           fastest * r->playback->def.dt < 2 * PI;
}

/* The root's way from one frame to the next, under the torques; the world goes by halves where something turns fast. */
static Status advance(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    Vec3 end = p->motion.root_position[clamp_frame(p, frame + 1)];
    Vec3 velocity = vec3_scale(vec3_sub(end, p->motion.root_position[frame]), 1 / p->def.dt);
    world_drive_root(r->world, end, QUAT_IDENTITY, velocity, vec3(0, 0, 0));
    for (int j = 0; j < p->motion.joint_count; j++) {
        size_t at = (size_t)frame * (size_t)p->motion.joint_count + (size_t)j;
        world_apply_torque(r->world, j, r->torque[j]);
        if (p->load_force) {
            world_apply_force(r->world, j, p->load_force[at], world_position(r->world, j));
            world_apply_couple(r->world, j, p->load_moment[at]);
        }
    }
    return world_step(r->world, p->def.dt, err);
}

/* What is known of the step before it is made: the clip's loads, and the springs as they stand. */
static void foresee_loads(Run *r, int frame)
{
    const Playback *p = r->playback;
    const Kinematics *k = &r->plant.kinematics;
    Loads *l = &r->plant.loads;
    size_t joints = (size_t)p->motion.joint_count, row = (size_t)frame * joints;
    memset(l->force, 0, joints * sizeof *l->force);
    memset(l->moment, 0, joints * sizeof *l->moment);
    for (size_t j = 0; p->load_force && j < joints; j++) {
        l->force[j] = p->load_force[row + j];
        l->moment[j] = vec3_add(p->load_moment[row + j], vec3_cross(k->position[j], l->force[j]));
    }
    if (p->springs.count)
        springs_add(&p->springs, &(SpringPose){k->position, k->orientation, k->velocity, k->angular_velocity},
                    l->force, l->moment);
}

/* The hand's part of the step that was made; the ball's place. */
static void note_step(const Run *r, int frame, TrackingRun *run)
{
    if (r->playback->def.root != ROOT_FREE) {
        run->hand_force[frame] = world_joint_force(r->world, 0);
        run->hand_torque[frame] = r->torque[0];
    }
}

static void note_ball(const Run *r, int frame, TrackingRun *run)
{
    if (run->ball)
        run->ball[frame] = r->ball >= 0 ? world_position(r->world, r->ball) : vec3(NAN, NAN, NAN);
}

/* One step: torques, then the world. STATUS_NO_RESULT where the world flies apart. */
static Status run_step(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    int joints = p->motion.joint_count;
    Desired now = desired_at(p, frame), next = desired_at(p, frame + 1);
    Status status = release_ball(r, frame, err);
    foresee_loads(r, frame);
    if (!status)
        status = controller_torques(&r->controller, &r->plant, &now, &next, r->torque, err);
    if (status || !all_finite(r->torque, joints))
        return status ? status : STATUS_NO_RESULT;
    if (p->def.root == ROOT_FREE)
        r->torque[0] = vec3(0, 0, 0);
    status = advance(r, frame, err);
    if (status)
        return status;
    world_read_pose(r->world, 0, &r->plant.motion, &r->plant.kinematics);
    return is_sound(r) ? STATUS_OK : STATUS_NO_RESULT;
}

Status playback_run(const Playback *p, const ControllerDef *controller, Tracking *tracking, Error *err)
{
    Run r;
    int flown_apart = 0;
    Status status = run_init(&r, p, controller, err);
    if (!status)
        status = tracking_add_run(tracking, controller->kind, p->def.ball.mass > 0, err);
    if (!status)
        world_read_pose(r.world, 0, &r.plant.motion, &r.plant.kinematics);
    TrackingRun *run = &tracking->run[controller->kind];
    for (int f = 0; !status && f < p->motion.frame_count; f++) {
        tracking_error_of_frame(&p->lumped, &p->kinematics, &r.plant.kinematics, f, run);
        note_ball(&r, f, run);
        if (!flown_apart) {
            run->stable_time = f * p->def.dt;
            status = run_step(&r, f, err);
            flown_apart = status == STATUS_NO_RESULT;
            if (!status)
                note_step(&r, f, run);
            if (flown_apart) {
                memset(r.torque, 0, (size_t)p->motion.joint_count * sizeof *r.torque);
                status = STATUS_OK;
            }
        }
        tracking_effort_of_frame(&p->lumped, r.torque, f, run);
    }
    if (!status) {
        run->is_flown_apart = flown_apart;
        run->unsettled_count = world_unsettled(r.world)->count;
        run->unsettled_time = world_unsettled(r.world)->time;
        status = tracking_error_sum(&p->lumped, p->counts, tracking, controller->kind, err);
    }
    run_free(&r);
    return status;
}
