/* See playback.h. */
#include "analysis/control/playback.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/control/bearing.h"
#include "analysis/control/follower.h"
#include "analysis/control/joint_ranges.h"
#include "analysis/control/strength_bounds.h"
#include "analysis/math/vec.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/resample.h"
#include "analysis/springs/springs.h"

/* s: damping of a joint's tissue over its strength. The muscles of a joint lose their torque within about 15 rad/s of
 * shortening, a slope of 0.07 s times the torque if all are active. */
#define TISSUE 0.01
#define UNKNOWN_STATURE 1.75 /* m */

PlaybackDef playback_default_def(void)
{
    return (PlaybackDef){.dt = 0.01, .steps = 1, .root_stiffness = 10000, .follow_damping_ratio = 1, .friction = 0.8,
                         .ground = -INFINITY, .ground_normal = {0, 1, 0},
                         .restitution = 0.3,
                         .gravity = {0, -GRAVITY, 0},
                         .ball = {.radius = TRACKING_BALL_RADIUS, .time = -1}};
}

/* The reference up to the duration; if it ends before, its last pose stays. */
static Status fit_duration(const PlaybackDef *def, Motion *m, Error *err)
{
    Motion fitted;
    int frames = (int)lround(def->duration / def->dt) + 1;
    if (!(def->duration > 0) || frames == m->frame_count || m->frame_count < 1)
        return STATUS_OK;
    Status status = motion_init(&fitted, frames, m->joint_count, def->dt, 0, err);
    for (int f = 0; !status && f < frames; f++) {
        int from = f < m->frame_count ? f : m->frame_count - 1;
        fitted.time[f] = m->time[0] + f * def->dt;
        fitted.root_position[f] = m->root_position[from];
        memcpy(fitted.rotation + motion_index(&fitted, f, 0), m->rotation + motion_index(m, from, 0),
               (size_t)m->joint_count * sizeof *fitted.rotation);
    }
    if (status)
        return status;
    motion_free(m);
    *m = fitted;
    return STATUS_OK;
}

static Status differentiate_reference(Playback *p, Error *err)
{
    DifferenceDef difference = difference_default_def();
    difference.scheme = DIFFERENCE_BACKWARD;
    ClipView simulated = {.skeleton = &p->lumped.skeleton, .body = &p->lumped.body, .motion = &p->motion};
    kinematics_free(&p->kinematics);
    return differentiate(&simulated, &difference, &p->kinematics, err);
}

/* The simulated bodies' motion, resampled to one frame per step. */
static Status make_reference(Playback *p, const ClipView *clip, Error *err)
{
    Motion lumped = {0};
    Status status = lumped_body_motion(&p->lumped, clip, &lumped, err);
    if (!status)
        status = p->def.root == ROOT_DRIVEN ? motion_resample(&lumped, 1 / p->def.dt, &p->motion, err)
                                            : motion_resample_smooth(&lumped, 1 / p->def.dt, &p->motion, err);
    motion_free(&lumped);
    if (!status)
        status = fit_duration(&p->def, &p->motion, err);
    if (!status && p->def.targets)
        status = targets_reach(p->def.targets, &p->lumped, (const char *const *)clip->skeleton->name, &p->motion,
                               &p->miss, err);
    if (!status && p->def.follow > 0)
        follower_apply(&p->motion, p->def.follow, p->def.follow_damping_ratio);
    return status ? status : differentiate_reference(p, err);
}

int playback_moves(const Playback *p, int joint)
{
    return p->lumped.carrier[joint] == joint && p->lumped.body_of[joint] > 0;
}

double playback_fall(const Playback *p)
{
    const BallDrop *ball = &p->def.ball;
    return ball->speed > 0 ? fmin(THROW_SECONDS, ball->time) : sqrt(2 * fmax(ball->height, 0) / GRAVITY);
}

double playback_release(const Playback *p)
{
    double half = 0.5 * p->motion.frame_count * p->def.dt;
    if (p->def.ball.speed > 0)
        return fmax(0, p->def.ball.time - playback_fall(p));
    return p->def.ball.time >= 0 ? p->def.ball.time : fmax(0, half - playback_fall(p));
}

/* The two rows of the clip's loads around a time, and the fraction of the second. */
static size_t find_load_row(const Playback *p, const ClipView *clip, double time, double *weight)
{
    const Motion *m = clip->motion;
    double at = fmin(fmax(0, (time - m->time[0]) / m->frame_time), fmax(0, m->frame_count - 1));
    size_t row = (size_t)fmin(floor(at), fmax(0, m->frame_count - 2));
    *weight = m->frame_count > 1 ? at - (double)row : 0;
    return row * (size_t)p->def.loads->load_count;
}

/* The clip's loads at the beginning of every step, where the step's lever arms are evaluated, on the simulated bodies;
 * moments about the joints of the reference. */
static Status sample_loads(Playback *p, const ClipView *clip, Error *err)
{
    const Loads *l = p->def.loads;
    size_t joints = (size_t)p->lumped.skeleton.joint_count, steps = (size_t)p->motion.frame_count;
    size_t next = clip->motion->frame_count > 1 ? (size_t)l->load_count : 0;
    p->load_force = array_new(steps, joints, sizeof *p->load_force);
    p->load_moment = array_new(steps, joints, sizeof *p->load_moment);
    if (!p->load_force || !p->load_moment)
        return error_no_memory(err);
    for (size_t f = 0; f < steps; f++) {
        double weight;
        size_t row = find_load_row(p, clip, p->motion.time[f], &weight);
        for (size_t k = 0; k < (size_t)l->load_count; k++) {
            size_t body = (size_t)p->lumped.body_of[l->joint[k]], at = f * joints + body;
            Vec3 force = vec3_mad(vec3_scale(l->force[row + k], 1 - weight), weight, l->force[row + k + next]);
            Vec3 moment = vec3_mad(vec3_scale(l->moment[row + k], 1 - weight), weight, l->moment[row + k + next]);
            p->load_force[at] = vec3_add(p->load_force[at], force);
            moment = vec3_sub(moment, vec3_cross(p->kinematics.position[at], force));
            p->load_moment[at] = vec3_add(p->load_moment[at], moment);
        }
    }
    return STATUS_OK;
}

/* Steps whose nearest frame counts in the statistics. */
static Status mark_steps(Playback *p, const ClipView *clip, Error *err)
{
    const Motion *m = clip->motion;
    p->counts = array_new((size_t)p->motion.frame_count, 1, sizeof *p->counts);
    if (!p->counts)
        return error_no_memory(err);
    for (int f = 0; f < p->motion.frame_count; f++) {
        double at = (p->motion.time[f] - m->time[0]) / m->frame_time;
        p->counts[f] = p->def.counts[(int)lround(fmin(fmax(0, at), m->frame_count - 1))];
    }
    return STATUS_OK;
}

/* Maps the clip's springs to the bodies that carry their joints. */
static Status move_springs(Playback *p, Error *err)
{
    const Springs *from = p->def.springs;
    Status status = springs_init(&p->springs, from->count, err);
    for (int i = 0; !status && i < from->count; i++) {
        SpringElement *e = &p->springs.element[i];
        int *joint[2] = {&e->joint_a, &e->joint_b};
        Vec3 *point[2] = {&e->a, &e->b};
        Vec3 *rotation[2] = {&e->turn_a, &e->turn_b};
        status = spring_element_copy(&from->element[i], e, err);
        for (int k = 0; !status && k < 2; k++) {
            int j = *joint[k];
            if (j == SPRING_WORLD)
                continue;
            *point[k] = vec3_add(p->lumped.position[j], quat_rotate(p->lumped.rotation[j], *point[k]));
            Quat frame = quat_mul(p->lumped.rotation[j], quat_exp(vec3_scale(*rotation[k], 0.5)));
            *rotation[k] = vec3_scale(quat_log(frame), 2);
            *joint[k] = p->lumped.body_of[j];
        }
    }
    return status;
}

/* Maps tabulated forces to the bodies that carry their joints. */
static Status sample_forces(Playback *p, Error *err)
{
    ExternalRows rows = *p->def.forces;
    rows.joint = array_new((size_t)rows.row_count, 1, sizeof *rows.joint);
    if (!rows.joint)
        return error_no_memory(err);
    for (int i = 0; i < rows.row_count; i++)
        rows.joint[i] = p->lumped.body_of[p->def.forces->joint[i]];
    Status status = loads_from_external(&rows, &p->motion, &p->forces, err);
    free(rows.joint);
    double sum = 0;
    for (size_t i = 0; !status && i < (size_t)p->forces.frame_count * (size_t)p->forces.load_count; i++)
        sum += vec3_norm(p->forces.force[i]) + vec3_norm(p->forces.moment[i]);
    if (!status && !(sum > 0))
        status = error_set(err, STATUS_BAD_INPUT, "--forces has no effect: the motion ends at %.4g s",
                           p->motion.time[p->motion.frame_count - 1]);
    return status;
}

/* Moves pushes to the bodies that carry their joints. STATUS_BAD_INPUT for one that begins after the motion. */
static Status move_pushes(Playback *p, const ClipView *clip, Error *err)
{
    const Pushes *from = p->def.pushes;
    double end = p->motion.time[p->motion.frame_count - 1];
    p->pushes.push = array_new((size_t)from->count, 1, sizeof *p->pushes.push);
    if (!p->pushes.push)
        return error_no_memory(err);
    p->pushes.count = from->count;
    for (int i = 0; i < from->count; i++) {
        Push *push = &p->pushes.push[i];
        *push = from->push[i];
        int j = push->joint;
        Vec3 point = push->has_point ? push->point : clip->body->com[j];
        push->joint = p->lumped.body_of[j];
        push->point = vec3_add(p->lumped.position[j], quat_rotate(p->lumped.rotation[j], point));
        push->has_point = 1;
        if (push->start >= end)
            return error_set(err, STATUS_BAD_INPUT, "--push: the push of \"%s\" at %.4g s has no effect: the motion "
                                                    "ends at %.4g s", clip->skeleton->name[j], push->start, end);
    }
    return STATUS_OK;
}

static Status check_times(const Playback *p, Error *err)
{
    double end = (p->motion.frame_count - 1) * p->def.dt, due = playback_release(p) + playback_fall(p);
    if (p->motion.frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "--dt %g is longer than the motion", p->def.dt);
    if (p->def.ball.mass > 0 && due > end)
        return error_set(err, STATUS_BAD_INPUT, "the ball lands at %.4g s, after the end of the motion at %.4g s", due,
                         end);
    return STATUS_OK;
}

/* Limits given by joint; a parent may be frozen to the body that carries it. */
static Status take_joint_limits(const PlaybackDef *def, const LumpedBody *lumped, const Skeleton *s,
                                SimulatedLimits *out, Error *err)
{
    size_t room = (size_t)def->joint_limit_count;
    out->joint = arena_array(&out->memory, room, 1, sizeof *out->joint);
    out->limit = arena_array(&out->memory, room, 1, sizeof *out->limit);
    if (out->memory.failed)
        return error_no_memory(err);
    for (int i = 0; i < def->joint_limit_count; i++) {
        int joint = def->limited_joint[i], parent = s->parent[joint];
        if (lumped->carrier[joint] != joint)
            continue;
        AngleLimits limit = def->joint_limit[i];
        limit.parent = parent < 0 ? limit.parent : quat_mul(lumped->rotation[parent], limit.parent);
        out->joint[out->count] = lumped->body_of[joint];
        out->limit[out->count++] = limit;
    }
    return STATUS_OK;
}

/* Strength of the joints, whether it bounds the motors or not, and the damping of their tissue. */
static Status find_strength(Playback *p, const ClipView *clip, Error *err)
{
    size_t joints = (size_t)p->lumped.skeleton.joint_count;
    double stature = p->def.stature > 0 ? p->def.stature : UNKNOWN_STATURE;
    p->torque_max = array_new(joints, 1, sizeof *p->torque_max);
    p->damping = array_new(joints, 1, sizeof *p->damping);
    if (!p->torque_max || !p->damping)
        return error_no_memory(err);
    strength_bounds(&p->lumped, clip->skeleton, p->lumped.body.total_mass, stature, 1, p->torque_max);
    for (size_t j = 0; j < joints; j++) {
        p->damping[j] = TISSUE * p->torque_max[j];
        p->torque_max[j] *= p->def.strength_share;
    }
    return STATUS_OK;
}

Footing playback_recorded_footing(const Playback *p)
{
    return (Footing){p->shapes.sole_count, p->shapes.joint,      p->shapes.point, p->def.ground,
                     p->def.ground_normal, p->def.friction, NULL};
}

Footing playback_footing(const Playback *p)
{
    Footing ground = playback_recorded_footing(p);
    if (p->terrain.part_count) {
        ground.terrain = &p->terrain;
        ground.normal = vec3(0, 1, 0);
    }
    return ground;
}

/* The terrain at the feet of the first frame, ahead of the character. */
static Status place_terrain(Playback *p, Error *err)
{
    TerrainPlace place;
    PushDirection front = {1, {0, 0, 1}};
    Vec3 n = p->def.ground_normal;
    if (!ground_fit_has_feet(&p->lumped.skeleton))
        return error_set(err, STATUS_BAD_INPUT, "another ground requires a body with two feet, which have the roles of "
                         "ankles below knees and hips");
    place.origin = p->motion.root_position[0];
    place.origin.y = p->def.ground - (n.x * place.origin.x + n.z * place.origin.z) / n.y;
    Status status = push_direction(&front, &p->lumped.skeleton, &p->kinematics, vec3(0, 1, 0), &place.forward, err);
    if (!status)
        status = terrain_copy(p->def.terrain, &p->terrain, err);
    if (!status)
        terrain_place(&p->terrain, &place);
    return status;
}

/* What meets the ground, what supports when, and a reference that stands on the ground. */
static Status prepare_ground(Playback *p, const ClipView *clip, Error *err)
{
    const PlaybackDef *def = &p->def;
    ContactShapesDef of = {&p->lumped, &p->kinematics, def->ground, def->ground_normal, playback_is_loose(p)};
    Status status = contact_shapes_init(&p->shapes, &of, clip, err);
    if (status)
        return status;
    Footing recorded = playback_recorded_footing(p);
    BearingDef bearing = {&p->kinematics, &recorded, def->contact, def->contact_frame_time, def->dt,
                          p->lumped.body.total_mass * vec3_norm(def->gravity)};
    p->loaded = array_new((size_t)p->motion.frame_count, (size_t)p->shapes.sole_count, 1);
    if (!p->loaded)
        return error_no_memory(err);
    bearing_find(&bearing, p->loaded);
    if (!p->terrain.part_count)
        return STATUS_OK;
    GroundFitDef fit = {&p->lumped.skeleton, recorded, &p->terrain, p->loaded};
    status = ground_fit(&fit, &p->motion, &p->ground_miss, err);
    return status ? status : differentiate_reference(p, err);
}

static Status prepare(Playback *p, const ClipView *clip, Error *err)
{
    const PlaybackDef *def = &p->def;
    Status status;
    if ((status = lumped_body_init(&p->lumped, clip, LUMP_BY_ROLES, err)) ||
        (status = make_reference(p, clip, err)) ||
        (status = check_times(p, err)) ||
        (def->terrain && (status = place_terrain(p, err))) ||
        (isfinite(def->ground) && (status = prepare_ground(p, clip, err))) ||
        (def->loads && (status = sample_loads(p, clip, err))) ||
        (def->counts && (status = mark_steps(p, clip, err))) ||
        (def->forces && (status = sample_forces(p, err))) ||
        (def->pushes && (status = move_pushes(p, clip, err))) ||
        (def->springs && (status = move_springs(p, err))))
        return status;
    if (playback_is_loose(p) && (status = anatomical_frames_init(&p->frames, &p->lumped, clip, err)))
        return status;
    if (playback_is_loose(p) && (status = find_strength(p, clip, err)))
        return status;
    if (playback_is_loose(p))
        p->toes = toe_hinges(&p->lumped, clip->skeleton);
    if (def->joint_limit_count)
        return take_joint_limits(def, &p->lumped, clip->skeleton, &p->limits, err);
    if (def->limits)
        return simulated_limits_init(&p->limits, def->limits, &p->lumped, clip, err);
    int is_bounded = playback_is_loose(p) && def->strength_share > 0;
    return is_bounded ? joint_ranges_init(&p->limits, &p->frames, &p->motion, err) : STATUS_OK;
}

Status playback_init(Playback *p, const ClipView *clip, const PlaybackDef *def, Error *err)
{
    int joints = clip->skeleton->joint_count;
    *p = (Playback){.def = *def};
    if (!(def->dt > 0))
        return error_set(err, STATUS_USAGE, "--dt out of range: %g s", def->dt);
    if ((def->root == ROOT_FREE || def->root == ROOT_COMPLIANT) && !isfinite(def->ground))
        return error_set(err, STATUS_USAGE, "a free root needs a ground to stand on");
    if (def->ball.mass > 0 && (def->ball.joint < 0 || def->ball.joint >= joints))
        return error_set(err, STATUS_USAGE, "a ball on joint %d of %d", def->ball.joint, joints);
    if (def->ball.speed > 0 && def->ball.from.axis.y < 0 && isfinite(def->ground))
        return error_set(err, STATUS_USAGE, "a ball thrown from below would come through the ground");
    Status status = prepare(p, clip, err);
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
    contact_shapes_free(&p->shapes);
    free(p->loaded);
    terrain_free(&p->terrain);
    free(p->load_force);
    free(p->load_moment);
    loads_free(&p->forces);
    free(p->pushes.push);
    springs_free(&p->springs);
    simulated_limits_free(&p->limits);
    anatomical_frames_free(&p->frames);
    free(p->torque_max);
    free(p->damping);
    free(p->counts);
    *p = (Playback){0};
}

Status playback_tracking(const Playback *p, Tracking *out, Error *err)
{
    int beyond = playback_is_loose(p) ? (int)ceil(REACTION_MAX_FALL / p->def.dt) : 0;
    Status status = tracking_init(out, p->motion.frame_count + beyond, p->lumped.source_count, err);
    if (status)
        return status;
    for (int f = 0; f < out->frame_count; f++)
        out->time[f] = p->motion.time[0] + f * p->def.dt;
    for (int f = 0; f < p->motion.frame_count; f++)
        out->time[f] = p->motion.time[f];
    memcpy(out->carrier, p->lumped.carrier, (size_t)out->joint_count * sizeof *out->carrier);
    return STATUS_OK;
}

void playback_trim(const Playback *p, Tracking *tracking)
{
    int frames = p->motion.frame_count;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (tracking->run[i].present && tracking->run[i].step_count > frames)
            frames = tracking->run[i].step_count;
    tracking->frame_count = frames;
}
