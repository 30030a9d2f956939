/* Initial state of a run (playback_state.h). */
#include "analysis/control/playback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

#define UPRIGHT 20.0 /* 1/s2, twice g over the height of a centre of mass: stiffer springs keep a pendulum upright */

/* Hinge axes of the simulated joints (zero: ball), and their compliant joints, without frozen ones. */
static Status find_joints(PlaybackState *s, BodySceneDef *def, Error *err)
{
    const Playback *p = s->playback;
    int joints = p->lumped.skeleton.joint_count;
    def->axis = s->axis = array_new((size_t)joints, 1, sizeof *s->axis);
    def->soft = s->soft = array_new((size_t)p->def.soft.count, 1, sizeof *s->soft);
    if (!s->axis || !s->soft)
        return error_no_memory(err);
    for (int j = 0; j < joints; j++)
        s->axis[j] = p->def.axis ? p->def.axis[p->lumped.source[j]] : vec3(0, 0, p->def.hinges);
    for (int i = 0; i < p->def.soft.count; i++) {
        SoftJoint soft = p->def.soft.joint[i];
        if (!playback_moves(p, soft.joint))
            continue;
        soft.joint = p->lumped.body_of[soft.joint];
        s->soft[def->soft_count++] = soft;
    }
    return STATUS_OK;
}

int playback_state_balances(const PlaybackState *s)
{
    return playback_is_loose(s->playback) && controller_balances(s->controller.def.kind);
}

static Status make_scene(PlaybackState *s, const BodyStart *start, Error *err)
{
    const Playback *p = s->playback;
    BodySceneDef def = body_scene_default_def();
    def.root_stiffness = s->springs.root_stiffness;
    def.root_damping = s->springs.root_damping;
    def.step = p->def.dt;
    def.kicks_once = 1;
    def.gravity = s->plant.gravity;
    def.root_is_free = playback_is_loose(p);
    def.friction = p->def.friction;
    def.restitution = p->def.restitution;
    def.ground = p->def.ground;
    def.ground_normal = p->def.ground_normal;
    def.terrain = p->terrain.part_count ? &p->terrain : NULL;
    def.point_count = p->shapes.count;
    def.point_joint = p->shapes.joint;
    def.point = p->shapes.point;
    def.point_radius = p->shapes.radius;
    def.springs = p->springs.count ? &p->springs : NULL;
    def.limit_count = p->limits.count;
    def.limit_joint = p->limits.joint;
    def.limits = p->limits.limit;
    def.damping = playback_state_balances(s) ? p->damping : NULL;
    def.ball_mass = p->def.ball.mass;
    def.ball_radius = p->def.ball.radius;
    Status status = find_joints(s, &def, err);
    if (status)
        return status;
    return body_scene_create(&p->lumped.skeleton, &p->lumped.body, &def, start, &s->scene, err);
}

/* Initial state. s->torque is scratch for the angular velocities of rest. */
static Status begin(PlaybackState *s, Error *err)
{
    const Playback *p = s->playback;
    BodyStart start = {p->motion.root_position[0], p->kinematics.velocity[0], p->motion.rotation,
                       p->kinematics.angular_velocity};
    if (p->def.from_rest) {
        memset(s->torque, 0, (size_t)p->motion.joint_count * sizeof *s->torque);
        for (int j = 0; p->def.rest && j < p->motion.joint_count; j++)
            s->plant.motion.rotation[j] = p->def.rest[p->lumped.source[j]];
        start = (BodyStart){p->motion.root_position[0], vec3(0, 0, 0), s->plant.motion.rotation, s->torque};
    }
    return make_scene(s, &start, err);
}

static Status init_plan(PlaybackState *s, Error *err)
{
    const Playback *p = s->playback;
    BalancePlanDef def = {.body = &p->lumped.body, .reference = &p->kinematics, .ground = &s->ground, .dt = p->def.dt,
                          .loaded = p->loaded, .gravity = -vec3_dot(s->plant.gravity, s->ground.normal),
                          .stiffness = gains_of_joint(&s->controller.def.gains, 0).stiffness,
                          .is_carried = s->springs.root_stiffness > UPRIGHT * p->lumped.body.total_mass};
    return balance_aim_init(&s->aim, &def, p->def.steps && !def.is_carried, err);
}

Status playback_state_init(PlaybackState *s, const Playback *p, const ControllerDef *def, Error *err)
{
    int joints = p->lumped.skeleton.joint_count;
    *s = (PlaybackState){.playback = p, .release = playback_release(p), .hit = -INFINITY};
    Status status = plant_init(&s->plant, &p->lumped.skeleton, &p->lumped.body, p->def.dt, err);
    s->plant.gravity = p->def.gravity;
    s->ground = playback_footing(p);
    s->plant.ground = playback_is_loose(p) ? &s->ground : NULL;
    if (p->def.root == ROOT_COMPLIANT) {
        s->springs.root_stiffness = p->def.root_stiffness;
        s->springs.root_damping = 2 * sqrt(p->def.root_stiffness * p->lumped.body.total_mass);
    }
    s->plant.torque_max = p->torque_max;
    if (!status)
        status = controller_init(&s->controller, joints, def, err);
    if (!status && playback_is_loose(p))
        status = reaction_init(&s->reaction, p->def.on_fall, &p->frames, joints, err);
    if (!status && playback_state_balances(s))
        status = init_plan(s, err);
    s->torque = arena_array(&s->memory, (size_t)joints, 1, sizeof *s->torque);
    s->push = arena_array(&s->memory, (size_t)joints, 1, sizeof *s->push);
    s->given = arena_array(&s->memory, (size_t)joints, 1, sizeof *s->given);
    s->contact = arena_array(&s->memory, (size_t)joints, 1, sizeof *s->contact);
    s->push_direction = arena_array(&s->memory, (size_t)p->pushes.count, 1, sizeof *s->push_direction);
    if (!status && s->memory.failed)
        status = error_no_memory(err);
    if (!status)
        status = begin(s, err);
    if (!status)
        body_scene_read(s->scene, 0, &s->plant.motion, &s->plant.kinematics);
    return status;
}

void playback_state_free(PlaybackState *s)
{
    balance_aim_free(&s->aim);
    body_scene_destroy(s->scene);
    free(s->axis);
    free(s->soft);
    plant_free(&s->plant);
    controller_free(&s->controller);
    reaction_free(&s->reaction);
    arena_free(&s->memory);
}
