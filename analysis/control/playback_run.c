/* Runs a playback (playback.h): steps, errors against the reference, and repeated runs, which are gain search and
 * feedback error learning. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/body_scene.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/stats/joint_peaks.h"

/* Error of a simulated body against its reference. */

static Vec3 lumped_com(const LumpedBody *lumped, const Kinematics *k, size_t row, int joint)
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
    run->root_position[frame] =
        vec3_add(state->position[top], quat_rotate(state->orientation[top], lumped->position[0]));
    for (int j = 0; j < lumped->source_count; j++) {
        int i = lumped->body_of[j];
        run->orientation[row + (size_t)j] = quat_mul(state->orientation[i], lumped->rotation[j]);
        if (lumped->carrier[j] != j)
            continue;
        Quat rotation = quat_mul(reference->orientation[wanted + (size_t)i], quat_conjugate(state->orientation[i]));
        run->orientation_error[row + (size_t)j] = 2 * vec3_norm(quat_log(rotation));
        run->position_error[row + (size_t)j] = vec3_distance(lumped_com(lumped, reference, wanted, i),
                                                             lumped_com(lumped, state, 0, i));
    }
}

void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run)
{
    Vec3 *row = run->torque + (size_t)frame * (size_t)lumped->source_count;
    for (int i = 0; i < lumped->body.joint_count; i++)
        row[lumped->source[i]] = torque[i];
}

/* RMS of the residual wrench over the steps that count; over all steps if none does. */
static void sum_root_residual(const LumpedBody *lumped, int frames, const uint8_t *counts, TrackingRun *run)
{
    double force = 0, couple = 0;
    int count = 0, any = 0;
    for (int f = 0; counts && f < frames; f++)
        any |= counts[f];
    for (int f = 0; f < frames; f++)
        if (!any || counts[f]) {
            force += vec3_dot(run->root_residual_force[f], run->root_residual_force[f]);
            couple += vec3_dot(run->root_residual_torque[f], run->root_residual_torque[f]);
            count++;
        }
    run->root_residual_force_rms = sqrt(force / count) / (lumped->body.total_mass * GRAVITY);
    run->root_residual_torque_rms = sqrt(couple / count) / lumped->body.total_mass;
}

Status tracking_error_sum(const LumpedBody *lumped, const uint8_t *counts, Tracking *tracking, ControllerKind kind,
                          Error *err)
{
    TrackingRun *run = &tracking->run[kind];
    size_t bodies = (size_t)lumped->body.joint_count, frames = (size_t)tracking->frame_count;
    double *all = array_new(frames, bodies, sizeof *all), angle = 0, distance = 0, sum = 0, last = 0;
    if (!all)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++) {
        last = 0;
        for (size_t i = 0; i < bodies; i++) {
            size_t at = f * (size_t)tracking->joint_count + (size_t)lumped->source[i];
            all[f * bodies + i] = run->orientation_error[at];
            last += run->orientation_error[at];
            distance += run->position_error[at];
            sum += vec3_norm(run->torque[at]);
        }
        angle += last;
    }
    run->mean_error = angle / (double)(frames * bodies);
    run->mean_distance = distance / (double)(frames * bodies);
    run->final_error = last / (double)bodies;
    run->torque_sum_mean = sum / (double)frames;
    sum_root_residual(lumped, tracking->frame_count, counts, run);
    run->p95_error = percentile(all, (int)(frames * bodies), 0.95);
    free(all);
    return STATUS_OK;
}

#define LEARNING_RATE 0.5

/* State of a run. */
typedef struct Run {
    const Playback *playback;
    BodyScene *scene;
    Vec3 *axis;      /* [joint] */
    SoftJoint *soft; /* of the scene */
    ControlPlant plant;
    Controller controller;
    Vec3 *torque; /* [joint] */
    Footing ground;
    double release;
    int is_released; /* the ball */
    BodySceneDef springs; /* of the root alone */
    double hit;      /* s, of the ball's last contact with a body; -INFINITY: none */
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

/* Hinge axes of the simulated joints (zero: ball), and their compliant joints, without frozen ones. */
static Status find_joints(Run *r, BodySceneDef *def, Error *err)
{
    const Playback *p = r->playback;
    int joints = p->lumped.skeleton.joint_count;
    def->axis = r->axis = array_new((size_t)joints, 1, sizeof *r->axis);
    def->soft = r->soft = array_new((size_t)p->def.soft.count, 1, sizeof *r->soft);
    if (!r->axis || !r->soft)
        return error_no_memory(err);
    for (int j = 0; j < joints; j++)
        r->axis[j] = p->def.axis ? p->def.axis[p->lumped.source[j]] : vec3(0, 0, p->def.hinges);
    for (int i = 0; i < p->def.soft.count; i++) {
        SoftJoint soft = p->def.soft.joint[i];
        if (!playback_moves(p, soft.joint))
            continue;
        soft.joint = p->lumped.body_of[soft.joint];
        r->soft[def->soft_count++] = soft;
    }
    return STATUS_OK;
}

/* Whether springs and the ground alone support the root. */
static int is_loose(const Playback *p) { return p->def.root == ROOT_FREE || p->def.root == ROOT_COMPLIANT; }

static Status make_scene(Run *r, const BodyStart *start, Error *err)
{
    const Playback *p = r->playback;
    BodySceneDef def = body_scene_default_def();
    def.root_stiffness = r->springs.root_stiffness;
    def.root_damping = r->springs.root_damping;
    def.step = p->def.dt;
    def.kicks_once = 1;
    def.gravity = r->plant.gravity;
    def.root_is_free = is_loose(p);
    def.friction = p->def.friction;
    def.restitution = p->def.restitution;
    def.ground = p->def.ground;
    def.ground_normal = p->def.ground_normal;
    def.point_count = p->ground_count;
    def.point_joint = p->ground_joint;
    def.point = p->ground_point;
    def.springs = p->springs.count ? &p->springs : NULL;
    def.limit_count = p->limits.count;
    def.limit_joint = p->limits.joint;
    def.limits = p->limits.limit;
    def.ball_mass = p->def.ball.mass;
    def.ball_radius = p->def.ball.radius;
    Status status = find_joints(r, &def, err);
    if (status)
        return status;
    return body_scene_create(&p->lumped.skeleton, &p->lumped.body, &def, start, &r->scene, err);
}

/* Initial state. r->torque is scratch for the angular velocities of rest. */
static Status begin(Run *r, Error *err)
{
    const Playback *p = r->playback;
    BodyStart start = {p->motion.root_position[0], p->kinematics.velocity[0], p->motion.rotation,
                       p->kinematics.angular_velocity};
    if (p->def.from_rest) {
        memset(r->torque, 0, (size_t)p->motion.joint_count * sizeof *r->torque);
        for (int j = 0; p->def.rest && j < p->motion.joint_count; j++)
            r->plant.motion.rotation[j] = p->def.rest[p->lumped.source[j]];
        start = (BodyStart){p->motion.root_position[0], vec3(0, 0, 0), r->plant.motion.rotation, r->torque};
    }
    return make_scene(r, &start, err);
}

static Status run_init(Run *r, const Playback *p, const ControllerDef *def, Error *err)
{
    int joints = p->lumped.skeleton.joint_count;
    *r = (Run){.playback = p, .release = playback_release(p), .hit = -INFINITY};
    Status status = plant_init(&r->plant, &p->lumped.skeleton, &p->lumped.body, p->def.dt, err);
    r->plant.gravity = p->def.gravity;
    r->ground = (Footing){p->ground_count, p->ground_joint,      p->ground_point,
                          p->def.ground,   p->def.ground_normal, p->def.friction};
    r->plant.ground = is_loose(p) ? &r->ground : NULL;
    if (p->def.root == ROOT_COMPLIANT) {
        r->springs.root_stiffness = p->def.root_stiffness;
        r->springs.root_damping = 2 * sqrt(p->def.root_stiffness * p->lumped.body.total_mass);
    }
    if (!status)
        status = controller_init(&r->controller, joints, def, err);
    r->torque = array_new((size_t)joints, 1, sizeof *r->torque);
    if (!status && !r->torque)
        status = error_no_memory(err);
    return status ? status : begin(r, err);
}

static void run_free(Run *r)
{
    body_scene_destroy(r->scene);
    free(r->axis);
    free(r->soft);
    plant_free(&r->plant);
    controller_free(&r->controller);
    free(r->torque);
}

/* Drops the ball above the position that the reference's COM will have at the impact. */
static void release_ball(Run *r, int frame)
{
    const Playback *p = r->playback;
    const BallDrop *ball = &p->def.ball;
    if (!(ball->mass > 0) || r->is_released || frame * p->def.dt < r->release)
        return;
    double fall = playback_fall(p);
    int joint = p->lumped.body_of[ball->joint];
    size_t due = motion_index(&p->motion, clamp_frame(p, frame + (int)lround(fall / p->def.dt)), joint);
    Vec3 arm = quat_rotate(p->kinematics.orientation[due], p->lumped.body.com[joint]);
    Vec3 position = vec3_add(p->kinematics.position[due], arm);
    position.y += ball->height;
    body_scene_release_ball(r->scene, position);
    r->is_released = 1;
}

static int all_finite(const Vec3 *v, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i].x + v[i].y + v[i].z;
    return isfinite(sum);
}

/* Whether a controller can continue from a state: it is finite, and nothing rotates by more than a full turn per
 * step. */
static int is_sound(const Run *r)
{
    const Kinematics *k = &r->plant.kinematics;
    double fastest = 0;
    for (int j = 0; j < k->joint_count; j++)
        fastest = fmax(fastest, vec3_norm(k->angular_velocity[j]));
    return all_finite(k->position, k->joint_count) && all_finite(k->angular_velocity, k->joint_count) &&
           fastest * r->playback->def.dt < 2 * PI;
}

static RootTarget root_at(const Playback *p, int frame)
{
    size_t at = (size_t)clamp_frame(p, frame) * (size_t)p->motion.joint_count;
    const Kinematics *k = &p->kinematics;
    return (RootTarget){k->position[at], k->velocity[at], k->orientation[at], k->angular_velocity[at]};
}

/* Tabulated forces at the body's present pose. */
static void apply_forces(Run *r, int frame)
{
    const Loads *l = &r->playback->forces;
    for (int i = 0; i < l->load_count; i++) {
        size_t at = (size_t)frame * (size_t)l->load_count + (size_t)i;
        Vec3 position = r->plant.kinematics.position[l->joint[i]];
        body_scene_apply_force(r->scene, l->joint[i], l->force[at],
                               vec3_sub(l->moment[at], vec3_cross(position, l->force[at])));
    }
}

/* Moves from one frame to the next under the torques; the scene halves its step if something rotates fast. */
static Status advance(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    RootTarget end = root_at(p, frame + 1);
    body_scene_drive(r->scene, &end);
    apply_forces(r, frame);
    for (int j = 0; j < p->motion.joint_count; j++) {
        size_t at = (size_t)frame * (size_t)p->motion.joint_count + (size_t)j;
        body_scene_apply_torque(r->scene, j, r->torque[j]);
        if (p->load_force && p->def.root == ROOT_LOADS)
            body_scene_apply_force(r->scene, j, p->load_force[at], p->load_moment[at]);
    }
    return body_scene_step(r->scene, err);
}

static void read_pose(Run *r) { body_scene_read(r->scene, 0, &r->plant.motion, &r->plant.kinematics); }

/* Wrench of the springs on the root in its present state. */
static void foresee_root(Run *r, int frame)
{
    const Kinematics *k = &r->plant.kinematics;
    Loads *l = &r->plant.loads;
    RootTarget to = root_at(r->playback, frame);
    Vec3 force, torque;
    body_scene_root_springs(&r->springs, &to, k, &force, &torque);
    l->force[0] = vec3_add(l->force[0], force);
    l->moment[0] = vec3_add(l->moment[0], vec3_add(torque, vec3_cross(k->position[0], force)));
}

/* Loads known before the step: the clip's, and those of the springs in the present state. */
static void foresee_loads(Run *r, int frame)
{
    const Playback *p = r->playback;
    const Kinematics *k = &r->plant.kinematics;
    Loads *l = &r->plant.loads;
    size_t joints = (size_t)p->motion.joint_count, row = (size_t)frame * joints;
    memset(l->force, 0, joints * sizeof *l->force);
    memset(l->moment, 0, joints * sizeof *l->moment);
    int expects = p->load_force && !(is_loose(p) && controller_balances(r->controller.def.kind));
    for (size_t j = 0; expects && j < joints; j++) {
        l->force[j] = p->load_force[row + j];
        l->moment[j] = vec3_add(p->load_moment[row + j], vec3_cross(k->position[j], l->force[j]));
    }
    const Loads *forces = &p->forces;
    for (int i = 0; p->def.forces_known && i < forces->load_count; i++) {
        size_t at = (size_t)frame * (size_t)forces->load_count + (size_t)i;
        int j = forces->joint[i];
        l->force[j] = vec3_add(l->force[j], forces->force[at]);
        l->moment[j] = vec3_add(l->moment[j], forces->moment[at]);
    }
    foresee_root(r, frame);
    if (p->springs.count)
        springs_add(&p->springs, &(SpringPose){k->position, k->orientation, k->velocity, k->angular_velocity},
                    l->force, l->moment);
}

/* Records the residual actuator's wrench in the last step, and the ball's position. */
static void note_step(const Run *r, int frame, TrackingRun *run)
{
    if (r->playback->def.root == ROOT_FREE)
        return;
    int is_held = r->playback->def.root == ROOT_COMPLIANT;
    run->root_residual_force[frame] = body_scene_root_force(r->scene);
    run->root_residual_torque[frame] = is_held ? body_scene_root_torque(r->scene) : r->torque[0];
}

static void note_ball(const Run *r, int frame, TrackingRun *run)
{
    if (run->ball)
        run->ball[frame] = r->is_released ? body_scene_ball(r->scene) : vec3(NAN, NAN, NAN);
}

/* Gain change after a hit: immediate, then decaying linearly. */
static void respond_to_hit(Run *r, double now)
{
    ControllerDef *def = &r->controller.def;
    if (!(def->hit_stiffness > 0))
        return;
    if (body_scene_ball_hits(r->scene))
        r->hit = now;
    double left = def->hit_time > 0 ? fmax(0, 1 - (now - r->hit) / def->hit_time) : 0;
    def->gains.change = left * (def->hit_stiffness - 1);
}

static Vec3 *learned_at(const Run *r, int frame)
{
    Vec3 *all = r->controller.def.learned;
    return all ? all + (size_t)frame * (size_t)r->playback->motion.joint_count : NULL;
}

/* Feedback in a step responds to errors that the torques of the step before left, and is learned for that step. */
static void learn(Run *r, int frame)
{
    Vec3 *to = frame > 0 ? learned_at(r, frame - 1) : NULL;
    for (int j = 0; to && j < r->playback->motion.joint_count; j++)
        to[j] = vec3_mad(to[j], LEARNING_RATE, controller_feedback(&r->controller, &r->plant, j, r->torque[j]));
}

/* One step: torques, then the scene. STATUS_NO_RESULT if the body diverges. */
static Status run_step(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    int joints = p->motion.joint_count;
    Desired now = desired_at(p, frame), next = desired_at(p, frame + 1);
    release_ball(r, frame);
    foresee_loads(r, frame);
    respond_to_hit(r, frame * p->def.dt);
    r->controller.learned = learned_at(r, frame);
    Status status = controller_torques(&r->controller, &r->plant, &now, &next, r->torque, err);
    if (!status)
        learn(r, frame);
    if (status || !all_finite(r->torque, joints))
        return status ? status : STATUS_NO_RESULT;
    if (is_loose(p))
        r->torque[0] = vec3(0, 0, 0);
    status = advance(r, frame, err);
    if (status)
        return status;
    read_pose(r);
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
        read_pose(&r);
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
        const UnsettledSweeps *unsettled = body_scene_unsettled(r.scene);
        run->unsettled_count = unsettled->count;
        run->unsettled_time = unsettled->time;
        status = tracking_error_sum(&p->lumped, p->counts, tracking, controller->kind, err);
    }
    run_free(&r);
    return status;
}

/* Repeated runs of a playback: gain search, and feedback error learning. */

/* State of a search, in decimal logarithms. */
typedef struct GridPoint {
    double stiffness, ratio;
} GridPoint;

typedef struct Search {
    const Playback *playback;
    ControllerDef def;
    Tracking tracking;
    GridPoint best;
    double score, mean_error; /* error of the best run */
    int run_count, stable_count;
} Search;

#define MIN_STIFFNESS 0.0  /* exponent of the present step */
#define MAX_STIFFNESS 6.0
#define MIN_RATIO (-0.7)
#define MAX_RATIO 1.0
#define GRID_STEP 0.5        /* index of the stiffness */
#define FIRST_STEP 0.25
#define LAST_STEP 0.03

/* A run that diverges ranks behind all others, by the time that it lacks. */
static double search_score(const Search *s, const TrackingRun *run)
{
    double end = (s->tracking.frame_count - 1) * s->playback->def.dt;
    return run->is_flown_apart ? 1e3 * (2 - run->stable_time / end) : run->mean_error;
}

/* 10^x, exact for whole powers. */
static double power_of_ten(double x) { return elementary_exp(x * 2.302585092994045684); }

static int is_within(GridPoint at)
{
    return at.stiffness >= MIN_STIFFNESS && at.stiffness <= MAX_STIFFNESS && at.ratio >= MIN_RATIO &&
           at.ratio <= MAX_RATIO;
}

/* *better: whether the point improves on the best so far; it then becomes the best. */
static Status try_gains(Search *s, GridPoint at, int *better, Error *err)
{
    *better = 0;
    if (!is_within(at))
        return STATUS_OK;
    s->def.gains.stiffness = power_of_ten(at.stiffness);
    s->def.gains.damping_ratio = power_of_ten(at.ratio);
    Status status = playback_run(s->playback, &s->def, &s->tracking, err);
    if (status)
        return status;
    const TrackingRun *run = &s->tracking.run[s->def.kind];
    double score = search_score(s, run);
    s->run_count++;
    s->stable_count += !run->is_flown_apart;
    *better = score < s->score;
    if (*better) {
        s->best = at;
        s->score = score;
        s->mean_error = run->mean_error;
    }
    return STATUS_OK;
}

static Status search_grid(Search *s, Error *err)
{
    static const double ratios[] = {-0.3, 0, 0.3};
    Status status = STATUS_OK;
    int better;
    for (double k = 1; !status && k < MAX_STIFFNESS - 0.5; k += GRID_STEP)
        for (size_t i = 0; !status && i < sizeof ratios / sizeof *ratios; i++)
            status = try_gains(s, (GridPoint){k, ratios[i]}, &better, err);
    return status;
}

/* Moves to the first improvement around the best point; halves the steps if there is none. */
static Status search_around(Search *s, Error *err)
{
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        GridPoint from = s->best;
        const GridPoint around[] = {{from.stiffness + step, from.ratio}, {from.stiffness - step, from.ratio},
                                    {from.stiffness, from.ratio + step}, {from.stiffness, from.ratio - step}};
        int better = 0;
        for (int i = 0; !better && i < 4; i++) {
            Status status = try_gains(s, around[i], &better, err);
            if (status)
                return status;
        }
        step = better ? step : 0.5 * step;
    }
    return STATUS_OK;
}

Status playback_search_gains(const Playback *p, const ControllerDef *controller, GainSearch *out, Error *err)
{
    Search s = {.playback = p, .def = *controller, .score = INFINITY};
    s.def.gains.damping = 0;
    Status status = playback_tracking(p, &s.tracking, err);
    if (!status)
        status = search_grid(&s, err);
    if (!status)
        status = search_around(&s, err);
    tracking_free(&s.tracking);
    *out = (GainSearch){power_of_ten(s.best.stiffness), power_of_ten(s.best.ratio), s.mean_error, s.run_count,
                        s.stable_count};
    return status;
}

/* Smooths learned torques, so that oscillation from step to step does not grow from run to run. */
static void smooth_learned(const Playback *p, Vec3 *torque)
{
    size_t joints = (size_t)p->motion.joint_count, frames = (size_t)p->motion.frame_count;
    for (size_t j = 0; j < joints; j++) {
        Vec3 before = torque[j];
        for (size_t f = 1; f + 1 < frames; f++) {
            Vec3 *at = torque + f * joints + j, now = *at;
            *at = vec3_scale(vec3_mad(vec3_add(before, at[joints]), 2, now), 0.25);
            before = now;
        }
    }
}

Status playback_learn(const Playback *p, const ControllerDef *controller, int count, double *mean_error,
                      Tracking *tracking, Error *err)
{
    ControllerDef def = *controller;
    Status status = STATUS_OK;
    if (!controller_learns(def.kind))
        return error_set(err, STATUS_USAGE, "%s cannot learn: it is not a stable PD", controller_name(def.kind));
    def.learned = array_new((size_t)p->motion.frame_count, (size_t)p->motion.joint_count, sizeof *def.learned);
    if (!def.learned)
        return error_no_memory(err);
    for (int i = 0; !status && i < count; i++) {
        smooth_learned(p, def.learned);
        status = playback_run(p, &def, tracking, err);
        mean_error[i] = status ? 0 : tracking->run[def.kind].mean_error;
    }
    free(def.learned);
    return status;
}
