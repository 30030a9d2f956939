#include "analysis/control/playback.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/contact/contact_points.h"
#include "analysis/control/follower.h"
#include "analysis/control/tracking_error.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/differentiate.h"
#include "analysis/motion/resample.h"
#include "analysis/sim/world.h"

#define MOST_SETTLED 0.17 /* m, that a point is moved to meet the ground */

PlaybackDef playback_default_def(void)
{
    return (PlaybackDef){.dt = 0.01, .ground = -INFINITY, .ground_normal = {0, 1, 0}, .restitution = 0.3,
                         .gravity = {0, -GRAVITY, 0},
                         .ball = {.radius = 0.05, .time = -1}};
}

/* The root is driven whatever it takes, so a motion that passes below the ground would break the body on it. A point is
 * moved to where the motion's lowest pass just meets the ground: down to the skin, for points lie within the body, or
 * up by what the motion and the ground's height err. */
static void settle_on_ground(const Playback *p, int joint, Vec3 *point)
{
    Vec3 normal = p->def.ground_normal;
    double gap = INFINITY;
    Quat then = QUAT_IDENTITY;
    for (int f = 0; f < p->kinematics.frame_count; f++) {
        size_t at = (size_t)f * (size_t)p->kinematics.joint_count + (size_t)joint;
        Vec3 place = vec3_add(p->kinematics.position[at], quat_rotate(p->kinematics.orientation[at], *point));
        double height = vec3_dot(normal, vec3_sub(place, vec3(0, p->def.ground, 0)));
        if (height < gap) {
            gap = height;
            then = p->kinematics.orientation[at];
        }
    }
    if (fabs(gap) < MOST_SETTLED)
        *point = vec3_add(*point, quat_rotate_inverse(then, vec3_scale(normal, -gap)));
}

/* Points of the clip's own joints that may touch the ground, on the bodies that carry them. */
static Status find_ground_points(Playback *p, const ClipView *clip, Error *err)
{
    Kinematics kinematics = {0};
    ContactPoints points = {0};
    DifferenceDef difference = difference_default_def();
    Status status = differentiate(clip, &difference, &kinematics, err);
    if (!status)
        status = contact_points_init(&contact_constants, clip->skeleton, clip->body, &kinematics, &points, err);
    p->ground_point = array_new((size_t)points.count, 1, sizeof *p->ground_point);
    p->ground_joint = array_new((size_t)points.count, 1, sizeof *p->ground_joint);
    if (!status && (!p->ground_point || !p->ground_joint))
        status = error_no_memory(err);
    for (int i = 0; !status && i < points.count; i++) {
        const ContactPoint *c = &points.point[i];
        Vec3 turned = quat_rotate(p->lumped.rotation[c->joint], c->position);
        p->ground_joint[i] = p->lumped.body_of[c->joint];
        p->ground_point[i] = vec3_add(p->lumped.place[c->joint], turned);
        settle_on_ground(p, p->ground_joint[i], &p->ground_point[i]);
        p->ground_count = i + 1;
    }
    contact_points_free(&points);
    kinematics_free(&kinematics);
    return status;
}

/* Bodies on the way, at the rate of the steps. */
static Status make_reference(Playback *p, const ClipView *clip, Error *err)
{
    Motion lumped = {0};
    DifferenceDef difference = difference_default_def();
    difference.scheme = DIFFERENCE_BACKWARD;
    Status status = lumped_body_motion(&p->lumped, clip, &lumped, err);
    if (!status)
        status = motion_resample(&lumped, 1 / p->def.dt, &p->motion, err);
    motion_free(&lumped);
    if (!status && p->def.follow > 0)
        follower_apply(&p->motion, p->def.follow);
    ClipView simulated = {.skeleton = &p->lumped.skeleton, .body = &p->lumped.body, .motion = &p->motion};
    if (!status)
        status = differentiate(&simulated, &difference, &p->kinematics, err);
    return status;
}

/* s that a ball falls before it is at the COM below it. */
static double fall_time(const BallDrop *ball) { return sqrt(2 * fmax(ball->height, 0) / GRAVITY); }

/* s: asked for, or so that the ball comes down at half of the motion. */
static double release_time(const Playback *p)
{
    double half = 0.5 * p->motion.frame_count * p->def.dt;
    return p->def.ball.time >= 0 ? p->def.ball.time : fmax(0, half - fall_time(&p->def.ball));
}

static Status check_times(const Playback *p, Error *err)
{
    double end = (p->motion.frame_count - 1) * p->def.dt, due = release_time(p) + fall_time(&p->def.ball);
    if (p->motion.frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "a step of %g s is longer than the motion", p->def.dt);
    if (p->def.ball.mass > 0 && due > end)
        return error_set(err, STATUS_BAD_INPUT, "the ball comes down at %.4g s: the motion ends at %.4g s", due, end);
    return STATUS_OK;
}

Status playback_init(Playback *p, const ClipView *clip, const PlaybackDef *def, Error *err)
{
    int joints = clip->skeleton->joint_count;
    *p = (Playback){.def = *def};
    if (!(def->dt > 0))
        return error_set(err, STATUS_USAGE, "a step of %g s", def->dt);
    if (def->ball.mass > 0 && (def->ball.joint < 0 || def->ball.joint >= joints))
        return error_set(err, STATUS_USAGE, "a ball on joint %d of %d", def->ball.joint, joints);
    Status status = lumped_body_init(&p->lumped, clip, LUMP_BY_ROLES, err);
    if (!status)
        status = make_reference(p, clip, err);
    if (!status)
        status = check_times(p, err);
    if (!status && isfinite(def->ground))
        status = find_ground_points(p, clip, err);
    if (status)
        playback_free(p);
    return status;
}

void playback_free(Playback *p)
{
    if (!p)
        return;
    lumped_body_free(&p->lumped);
    motion_free(&p->motion);
    kinematics_free(&p->kinematics);
    free(p->ground_point);
    free(p->ground_joint);
    *p = (Playback){0};
}

Status playback_tracking(const Playback *p, Tracking *out, Error *err)
{
    Status status = tracking_init(out, p->motion.frame_count, p->lumped.source_count, err);
    if (status)
        return status;
    for (int f = 0; f < out->frame_count; f++)
        out->time[f] = p->motion.time[f];
    memcpy(out->carrier, p->lumped.carrier, (size_t)out->joint_count * sizeof *out->carrier);
    return STATUS_OK;
}

/* One run on its way. */
typedef struct Run {
    const Playback *playback;
    World *world;
    Plant plant;
    Controller controller;
    Vec3 *torque; /* [joint] */
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
    return (Desired){k->orientation + row, k->angular_velocity + row, k->angular_acceleration + next,
                     k->acceleration[next]};
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

static Status make_world(Run *r, Error *err)
{
    Vec3 axis;
    const Playback *p = r->playback;
    WorldDef def = world_default_def();
    def.gravity = r->plant.gravity;
    def.root = joint_kind(p, 0, &axis);
    def.restitution = p->def.restitution;
    def.ground_height = p->def.ground;
    def.ground_normal = p->def.ground_normal;
    Status status = world_create(&p->lumped.skeleton, &p->lumped.body, &def, &r->world, err);
    for (int j = 0; !status && j < p->lumped.skeleton.joint_count; j++)
        if (joint_kind(p, j, &axis) == JOINT_HINGE)
            status = world_set_joint(r->world, j, JOINT_HINGE, axis, err);
    for (int i = 0; !status && i < p->ground_count; i++)
        status = world_add_ground_point(r->world, p->ground_joint[i], p->ground_point[i], err);
    if (!status && p->def.ball.mass > 0)
        status = add_capsule(r, p->lumped.body_of[p->def.ball.joint], err);
    return status;
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
    *r = (Run){.playback = p, .ball = -1, .release = release_time(p)};
    Status status = plant_init(&r->plant, &p->lumped.skeleton, &p->lumped.body, p->def.dt, err);
    r->plant.gravity = p->def.gravity;
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
    double fall = fall_time(ball);
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
    for (int j = 0; j < p->motion.joint_count; j++)
        world_apply_torque(r->world, j, r->torque[j]);
    return world_step(r->world, p->def.dt, err);
}

/* One step: torques, then the world. STATUS_NO_RESULT where the world flies apart. */
static Status run_step(Run *r, int frame, Error *err)
{
    const Playback *p = r->playback;
    int joints = p->motion.joint_count;
    Desired now = desired_at(p, frame), next = desired_at(p, frame + 1);
    Status status = release_ball(r, frame, err);
    if (!status)
        status = controller_torques(&r->controller, &r->plant, &now, &next, r->torque, err);
    if (status || !all_finite(r->torque, joints))
        return status ? status : STATUS_NO_RESULT;
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
        status = tracking_add_run(tracking, controller->kind, err);
    if (!status)
        world_read_pose(r.world, 0, &r.plant.motion, &r.plant.kinematics);
    TrackingRun *run = &tracking->run[controller->kind];
    for (int f = 0; !status && f < p->motion.frame_count; f++) {
        tracking_error_of_frame(&p->lumped, &p->kinematics, &r.plant.kinematics, f, run);
        if (!flown_apart) {
            run->stable_time = f * p->def.dt;
            status = run_step(&r, f, err);
            flown_apart = status == STATUS_NO_RESULT;
            if (flown_apart) {
                memset(r.torque, 0, (size_t)p->motion.joint_count * sizeof *r.torque);
                status = STATUS_OK;
            }
        }
        tracking_effort_of_frame(&p->lumped, r.torque, f, run);
    }
    if (!status)
        status = tracking_error_sum(&p->lumped, tracking, controller->kind, err);
    run_free(&r);
    return status;
}
