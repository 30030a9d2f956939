/* Runs a playback (playback.h): steps, errors against the reference, and repeated runs, which are gain search and
 * feedback error learning. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/balance_goal.h"
#include "analysis/control/body_scene.h"
#include "analysis/control/playback.h"
#include "analysis/control/tracking_error.h"
#include "analysis/math/elementary.h"

#define LEARNING_RATE 0.5
#define UPRIGHT 20.0 /* 1/s2, twice g over the height of a centre of mass: stiffer springs keep a pendulum upright */

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
    Vec3 *push_direction; /* [push] unit, world; zero before it begins */
    BalanceAim aim; /* of a controller that balances a loose root */
    BalanceGoal goal;
    double release;
    int is_released; /* the ball */
    BodySceneDef springs; /* of the root alone */
    double hit;      /* s, of the ball's last contact with a body; -INFINITY: none */
    Reaction reaction; /* of a loose root */
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

/* Whether the controller balances the body. */
static int balances(const Run *r)
{
    return playback_is_loose(r->playback) && controller_balances(r->controller.def.kind);
}

static Status make_scene(Run *r, const BodyStart *start, Error *err)
{
    const Playback *p = r->playback;
    BodySceneDef def = body_scene_default_def();
    def.root_stiffness = r->springs.root_stiffness;
    def.root_damping = r->springs.root_damping;
    def.step = p->def.dt;
    def.kicks_once = 1;
    def.gravity = r->plant.gravity;
    def.root_is_free = playback_is_loose(p);
    def.friction = p->def.friction;
    def.restitution = p->def.restitution;
    def.ground = p->def.ground;
    def.ground_normal = p->def.ground_normal;
    def.point_count = p->shapes.count;
    def.point_joint = p->shapes.joint;
    def.point = p->shapes.point;
    def.point_radius = p->shapes.radius;
    def.springs = p->springs.count ? &p->springs : NULL;
    def.limit_count = p->limits.count;
    def.limit_joint = p->limits.joint;
    def.limits = p->limits.limit;
    def.damping = balances(r) ? p->damping : NULL;
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

static Status init_plan(Run *r, Error *err)
{
    const Playback *p = r->playback;
    BalancePlanDef def = {.body = &p->lumped.body, .reference = &p->kinematics, .ground = &r->ground, .dt = p->def.dt,
                          .contact = p->def.contact, .contact_frame_time = p->def.contact_frame_time,
                          .gravity = -vec3_dot(r->plant.gravity, p->def.ground_normal),
                          .stiffness = gains_of_joint(&r->controller.def.gains, 0).stiffness,
                          .is_carried = r->springs.root_stiffness > UPRIGHT * p->lumped.body.total_mass};
    return balance_aim_init(&r->aim, &def, p->def.steps && !def.is_carried, err);
}

static Status run_init(Run *r, const Playback *p, const ControllerDef *def, Error *err)
{
    int joints = p->lumped.skeleton.joint_count;
    *r = (Run){.playback = p, .release = playback_release(p), .hit = -INFINITY};
    Status status = plant_init(&r->plant, &p->lumped.skeleton, &p->lumped.body, p->def.dt, err);
    r->plant.gravity = p->def.gravity;
    r->ground = (Footing){p->shapes.sole_count, p->shapes.joint,      p->shapes.point,
                          p->def.ground,        p->def.ground_normal, p->def.friction};
    r->plant.ground = playback_is_loose(p) ? &r->ground : NULL;
    if (p->def.root == ROOT_COMPLIANT) {
        r->springs.root_stiffness = p->def.root_stiffness;
        r->springs.root_damping = 2 * sqrt(p->def.root_stiffness * p->lumped.body.total_mass);
    }
    r->plant.torque_max = p->torque_max;
    if (!status)
        status = controller_init(&r->controller, joints, def, err);
    if (!status && playback_is_loose(p))
        status = reaction_init(&r->reaction, p->def.on_fall, &p->frames, joints, err);
    if (!status && balances(r))
        status = init_plan(r, err);
    r->torque = array_new((size_t)joints, 1, sizeof *r->torque);
    r->push_direction = array_new((size_t)p->pushes.count, 1, sizeof *r->push_direction);
    if (!status && !(r->torque && r->push_direction))
        status = error_no_memory(err);
    return status ? status : begin(r, err);
}

static void run_free(Run *r)
{
    balance_aim_free(&r->aim);
    body_scene_destroy(r->scene);
    free(r->axis);
    free(r->soft);
    plant_free(&r->plant);
    controller_free(&r->controller);
    free(r->torque);
    reaction_free(&r->reaction);
    free(r->push_direction);
}

static Vec3 up_of(const Playback *p)
{
    return vec3_norm(p->def.gravity) > 0 ? vec3_normalize(vec3_neg(p->def.gravity)) : vec3(0, 1, 0);
}

/* Releases the ball where it falls or flies to the position that the reference's COM will have at the impact. */
static Status release_ball(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    const BallDrop *ball = &p->def.ball;
    if (!(ball->mass > 0) || r->is_released || frame * p->def.dt < r->release)
        return STATUS_OK;
    double fall = playback_fall(p);
    int joint = p->lumped.body_of[ball->joint];
    size_t due = motion_index(&p->motion, clamp_frame(p, frame + (int)lround(fall / p->def.dt)), joint);
    Vec3 arm = quat_rotate(p->kinematics.orientation[due], p->lumped.body.com[joint]);
    Vec3 position = vec3_add(p->kinematics.position[due], arm);
    Vec3 velocity = {0, 0, 0}, from = {0, ball->height, 0};
    if (ball->speed > 0) {
        Status status = push_direction(&ball->from, &p->lumped.skeleton, &r->plant.kinematics, up_of(p), &from, err);
        if (status)
            return status;
        velocity = vec3_mad(vec3_scale(from, -ball->speed), -0.5 * fall, p->def.gravity);
        from = vec3_scale(from, ball->speed * fall);
    }
    body_scene_release_ball(r->scene, vec3_add(position, from), velocity);
    r->is_released = 1;
    return STATUS_OK;
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
    for (int i = 0; i < l->load_count && frame < l->frame_count; i++) {
        size_t at = (size_t)frame * (size_t)l->load_count + (size_t)i;
        Vec3 position = r->plant.kinematics.position[l->joint[i]];
        body_scene_apply_force(r->scene, l->joint[i], l->force[at],
                               vec3_sub(l->moment[at], vec3_cross(position, l->force[at])));
    }
}

/* Pushes that act in a step: the mean of their force over the step, at the body's present pose. */
static Status apply_pushes(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    const Kinematics *now = &r->plant.kinematics;
    for (int i = 0; i < p->pushes.count; i++) {
        const Push *push = &p->pushes.push[i];
        double share = push_share(push, p->motion.time[0] + frame * p->def.dt, p->def.dt);
        Vec3 *direction = &r->push_direction[i];
        Status status = STATUS_OK;
        if (!(share > 0))
            continue;
        if (!(vec3_norm(*direction) > 0))
            status = push_direction(&push->direction, &p->lumped.skeleton, now, up_of(p), direction, err);
        if (status)
            return status;
        Vec3 force = vec3_scale(*direction, share * push->force);
        Vec3 arm = quat_rotate(now->orientation[push->joint], push->point);
        body_scene_apply_force(r->scene, push->joint, force, vec3_cross(arm, force));
    }
    return STATUS_OK;
}

/* Moves from one frame to the next under the torques; the scene halves its step if something rotates fast. */
static Status advance(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    RootTarget end = root_at(p, frame + 1);
    body_scene_drive(r->scene, &end);
    apply_forces(r, frame);
    Status status = apply_pushes(r, frame, err);
    if (status)
        return status;
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
    size_t joints = (size_t)p->motion.joint_count, row = (size_t)clamp_frame(p, frame) * joints;
    memset(l->force, 0, joints * sizeof *l->force);
    memset(l->moment, 0, joints * sizeof *l->moment);
    int expects = p->load_force && !(playback_is_loose(p) && controller_balances(r->controller.def.kind));
    for (size_t j = 0; expects && j < joints; j++) {
        l->force[j] = p->load_force[row + j];
        l->moment[j] = vec3_add(p->load_moment[row + j], vec3_cross(k->position[j], l->force[j]));
    }
    const Loads *forces = &p->forces;
    for (int i = 0; p->def.forces_known && frame < forces->frame_count && i < forces->load_count; i++) {
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

static void set_goal(Run *r, int frame)
{
    r->goal = balance_aim_goal(&r->aim, &r->plant, frame);
    r->plant.goal = &r->goal;
}

/* The motors also move the tissue of the joints, at the speed that a controller which balances expects at the end of
 * the step, or at the present one. */
static void move_tissue(Run *r)
{
    const Kinematics *k = &r->plant.kinematics;
    double ahead = balances(r) ? r->plant.dt : 0;
    if (!balances(r))
        return;
    for (int j = 1; j < k->joint_count; j++) {
        int up = r->plant.skeleton->parent[j];
        Vec3 speed = vec3_sub(k->angular_velocity[j], k->angular_velocity[up]);
        speed = vec3_mad(speed, ahead, vec3_sub(k->angular_acceleration[j], k->angular_acceleration[up]));
        r->torque[j] = vec3_mad(r->torque[j], r->playback->damping[j], speed);
    }
    controller_bound(&r->controller.def.gains, &r->plant, r->torque);
}

/* Torques of the controller, or of a fall. */
static Status choose_torques(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    Desired now = desired_at(p, frame), next = desired_at(p, frame + 1);
    if (playback_is_loose(p))
        reaction_watch(&r->reaction, &r->plant, &p->kinematics, clamp_frame(p, frame), frame * p->def.dt, r->torque);
    if (playback_is_loose(p) && reaction_falls(&r->reaction)) {
        Status status = reaction_torques(&r->reaction, &r->plant, r->torque, err);
        controller_bound(&r->controller.def.gains, &r->plant, r->torque);
        return status;
    }
    if (balances(r))
        set_goal(r, clamp_frame(p, frame));
    Status status = controller_torques(&r->controller, &r->plant, &now, &next, r->torque, err);
    if (status == STATUS_NO_RESULT && playback_is_loose(p) && p->def.on_fall != FALL_TRACK) {
        reaction_lose(&r->reaction, &r->plant, frame * p->def.dt, r->torque);
        return choose_torques(r, frame, err);
    }
    if (!status)
        learn(r, frame);
    if (!status)
        move_tissue(r);
    return status;
}

/* One step: torques, then the scene. STATUS_NO_RESULT if the body diverges. */
static Status run_step(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    int joints = p->motion.joint_count;
    Status status = release_ball(r, frame, err);
    if (status)
        return status;
    foresee_loads(r, frame);
    respond_to_hit(r, frame * p->def.dt);
    r->controller.learned = learned_at(r, frame);
    status = choose_torques(r, frame, err);
    if (status || !all_finite(r->torque, joints))
        return status ? status : STATUS_NO_RESULT;
    if (playback_is_loose(p))
        r->torque[0] = vec3(0, 0, 0);
    status = advance(r, frame, err);
    if (status)
        return status;
    read_pose(r);
    return is_sound(r) ? STATUS_OK : STATUS_NO_RESULT;
}

/* Whether a run takes no more steps: the clip has ended and the body does not fall, or the fall has ended. */
static int is_over(const Run *r, int frame)
{
    const Playback *p = r->playback;
    if (!playback_is_loose(p) || !reaction_falls(&r->reaction))
        return frame >= p->motion.frame_count;
    return reaction_ends(&r->reaction, frame * p->def.dt);
}

static void note_outcome(const Run *r, TrackingRun *run)
{
    int is_loose = playback_is_loose(r->playback);
    TrackingOutcome outcome = run->is_flown_apart ? OUTCOME_DIVERGES : !is_loose ? OUTCOME_HELD
                            : !isnan(r->reaction.lost) ? OUTCOME_FALLS
                            : r->aim.steps.count ? OUTCOME_STEPS : OUTCOME_STANDS;
    snprintf(run->outcome, sizeof run->outcome, "%s", outcome_name(outcome));
    run->lost_time = run->is_flown_apart ? run->stable_time : is_loose ? r->reaction.lost : NAN;
    run->rest_time = is_loose ? r->reaction.rest : NAN;
    const UnsettledSweeps *unsettled = body_scene_unsettled(r->scene);
    run->unsettled_count = unsettled->count;
    run->unsettled_time = unsettled->time;
}

/* Steps until the run is over; a body that diverges keeps its pose. */
static Status run_steps(Run *r, int frames, TrackingRun *run, Error *err)
{
    const Playback *p = r->playback;
    Status status = STATUS_OK;
    int stops = 0;
    for (int f = 0; !status && f < frames; f++) {
        tracking_error_of_frame(&p->lumped, &p->kinematics, &r->plant.kinematics, f, clamp_frame(p, f), run);
        note_ball(r, f, run);
        if (!stops && is_over(r, f)) {
            stops = 1;
            memset(r->torque, 0, (size_t)p->motion.joint_count * sizeof *r->torque);
        }
        if (!stops) {
            run->step_count = f + 1;
            run->stable_time = fmin(f, p->motion.frame_count - 1) * p->def.dt;
            status = run_step(r, f, err);
            run->is_flown_apart = stops = status == STATUS_NO_RESULT;
            if (!status)
                note_step(r, f, run);
            if (stops) {
                memset(r->torque, 0, (size_t)p->motion.joint_count * sizeof *r->torque);
                status = STATUS_OK;
            }
        }
        tracking_effort_of_frame(&p->lumped, r->torque, f, run);
    }
    return status;
}

Status playback_run(const Playback *p, const ControllerDef *controller, Tracking *tracking, Error *err)
{
    Run r;
    Status status = run_init(&r, p, controller, err);
    if (!status)
        status = tracking_add_run(tracking, controller->kind, p->def.ball.mass > 0, err);
    if (!status)
        read_pose(&r);
    TrackingRun *run = &tracking->run[controller->kind];
    if (!status)
        status = run_steps(&r, tracking->frame_count, run, err);
    if (!status) {
        note_outcome(&r, run);
        status = tracking_error_sum(&p->lumped, &(TrackingSpan){p->motion.frame_count, p->counts}, tracking,
                                    controller->kind, err);
    }
    run_free(&r);
    return status;
}
