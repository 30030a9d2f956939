#include "analysis/control/body_scene.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"

/* Collision groups: the ground meets points and the ball; capsules meet the ball alone. */
enum { BIT_GROUND = 1, BIT_BALL = 2 };

/* Walks along a joint's chain in the initial pose. */
typedef struct Placed {
    Vec3 position, velocity, omega;
    Quat orientation;
} Placed;

/* Springs that hold the root: at the corners of a tetrahedron about its joint, each with a quarter of the stiffness. */
#define ROOT_ARM 0.3 /* m, from the joint to each corner */
enum { ROOT_SPRINGS = 4 };

struct BodyScene {
    BodySceneDef def;
    Model model;
    Scene *scene;
    int joint_count, ball; /* body of the ball; 0: none */
    int given[3];          /* number of joints */
    int held;              /* equality of the first spring of the root */
    Springs springs;
    int *parent;           /* [joint] body; 0: the world */
    Vec3 *offset;          /* [joint] m, from the parent's */
    SceneAngleLimits *limits;
    double *q, *v;
    Placed *placed;         /* [joint] scratch */
    int has_stepped;       /* s, since the start */
    Arena memory;
};

BodySceneDef body_scene_default_def(void)
{
    return (BodySceneDef){.step = 0.01, .integrator = SCENE_INTEGRATOR_AUTO, .gravity = {0, -GRAVITY, 0},
                          .friction = 0.8, .restitution = 0.3, .restitution_speed = 0.2, .ground = -INFINITY,
                          .ground_normal = {0, 1, 0}};
}

static int is_hinge(const BodyScene *s, int joint) { return s->def.axis && vec3_norm(s->def.axis[joint]) > 0; }

static int is_driven(const BodyScene *s) { return !s->def.root_is_free && !s->def.root_is_fixed; }

static const SoftJoint *joint_softness(const BodyScene *s, int joint)
{
    for (int i = 0; i < s->def.soft_count; i++)
        if (s->def.soft[i].joint == joint)
            return &s->def.soft[i];
    return NULL;
}

static void add_joint(Model *m, int body, ModelJointKind kind, Vec3 axis)
{
    ModelBody *b = &m->body[body];
    b->joint_start = b->joint_count ? b->joint_start : m->joint_count;
    b->joint_count++;
    m->joint[m->joint_count++] = (ModelJoint){.name = "", .kind = kind, .body = body, .axis = axis};
}

/* A driven root has three slides along the world axes, and rotates like other joints. */
static void add_joints(BodyScene *s, int joint)
{
    Model *m = &s->model;
    if (joint == 0 && s->def.root_is_fixed)
        return;
    for (int k = 0; joint == 0 && is_driven(s) && k < 3; k++) {
        s->given[k] = m->joint_count;
        add_joint(m, 1, MODEL_SLIDE, quat_rotate_inverse(m->body[1].orientation, vec3(k == 0, k == 1, k == 2)));
    }
    if ((joint == 0 && s->def.root_is_free) || joint_softness(s, joint))
        add_joint(m, joint + 1, MODEL_FREE, vec3(0, 0, 0));
    else if (is_hinge(s, joint))
        add_joint(m, joint + 1, MODEL_HINGE, vec3_normalize(s->def.axis[joint]));
    else {
        add_joint(m, joint + 1, MODEL_BALL, vec3(0, 0, 0));
        m->joint[m->joint_count - 1].damping = s->def.damping && joint > 0 ? s->def.damping[joint] : 0;
    }
}

static void add_geom(Model *m, const ModelGeom *geom)
{
    m->geom[m->geom_count] = *geom;
    m->geom[m->geom_count].name = "";
    m->geom[m->geom_count++].dimensions = 3;
}

/* Capsule with the body's mass and with its inertia about the line from the joint through the COM. */
static void add_capsule(Model *m, int body)
{
    const ModelBody *b = &m->body[body];
    Vec3 along = vec3_normalize(b->com);
    double length = 2 * vec3_norm(b->com), radius, end;
    if (length > 0) {
        radius = sqrt(2 * vec3_dot(along, sym3_mul(b->inertia, along)) / b->mass);
        end = fmin(radius, 0.5 * length);
    } else {
        along = vec3(0, 1, 0);
        radius = sqrt(2.5 * b->inertia.xx / b->mass);
        end = 0;
    }
    add_geom(m, &(ModelGeom){.shape = MODEL_CAPSULE, .body = body, .position = vec3_scale(along, 0.5 * length),
                             .orientation = quat_between(vec3(0, 0, 1), along),
                             .size = vec3(radius, 0.5 * length - end, 0), .type_bits = BIT_BALL});
}

static void add_ball(BodyScene *s)
{
    Model *m = &s->model;
    double r = s->def.ball_radius, i = 0.4 * s->def.ball_mass * r * r; /* a solid one */
    s->ball = m->body_count;
    m->body[m->body_count++] = (ModelBody){.name = "ball", .orientation = QUAT_IDENTITY, .mass = s->def.ball_mass,
                                           .inertia = {i, i, i, 0, 0, 0}};
    add_joint(m, s->ball, MODEL_FREE, vec3(0, 0, 0));
    add_geom(m, &(ModelGeom){.shape = MODEL_SPHERE, .body = s->ball, .orientation = QUAT_IDENTITY,
                             .size = vec3(r, 0, 0), .affinity_bits = BIT_GROUND | BIT_BALL});
}

static void add_ground(BodyScene *s)
{
    const Terrain *t = s->def.terrain;
    ModelGeom plane = {.shape = MODEL_PLANE, .position = vec3(0, s->def.ground, 0), .type_bits = BIT_GROUND,
                       .orientation = quat_between(vec3(0, 0, 1), s->def.ground_normal)};
    if (isfinite(s->def.ground) && !t)
        add_geom(&s->model, &plane);
    for (int i = 0; t && i < t->part_count; i++)
        add_geom(&s->model, &(ModelGeom){.shape = t->part[i].shape, .position = t->part[i].position,
                                         .orientation = t->part[i].orientation, .size = t->part[i].size,
                                         .type_bits = BIT_GROUND});
}

static void add_geoms(BodyScene *s)
{
    Model *m = &s->model;
    add_ground(s);
    for (int i = 0; isfinite(s->def.ground) && i < s->def.point_count; i++)
        add_geom(m, &(ModelGeom){.shape = MODEL_SPHERE, .body = s->def.point_joint[i] + 1,
                                 .position = s->def.point[i], .orientation = QUAT_IDENTITY,
                                 .size = vec3(s->def.point_radius ? s->def.point_radius[i] : 0, 0, 0),
                                 .affinity_bits = BIT_GROUND});
    for (int j = 0; s->def.ball_mass > 0 && j < s->joint_count; j++)
        add_capsule(m, j + 1);
    if (s->def.ball_mass > 0)
        add_ball(s);
}

/* A compliant joint is a soft connect to the parent; of a hinge the axis is constrained too, as in the initial pose. */
static void add_soft(BodyScene *s, int joint, const BodyStart *start)
{
    const SoftJoint *soft = joint_softness(s, joint);
    ModelEquality *e = &s->model.equality[s->model.equality_count++];
    *e = (ModelEquality){.name = "", .kind = is_hinge(s, joint) ? MODEL_PIN : MODEL_CONNECT,
                         .first = s->parent[joint], .second = joint + 1, .anchor = s->offset[joint],
                         .relative = QUAT_IDENTITY, .stiffness = soft->stiffness,
                         .damping = soft->damping};
    if (is_hinge(s, joint)) {
        e->second_axis = vec3_normalize(s->def.axis[joint]);
        e->axis = quat_rotate(start->rotation[joint], e->second_axis);
    }
}

static Vec3 corner(int i)
{
    double arm = ROOT_ARM / sqrt(3);
    return vec3(i & 1 ? arm : -arm, i & 2 ? arm : -arm, i == 0 || i == 3 ? arm : -arm);
}

static void add_root_springs(BodyScene *s)
{
    s->held = s->model.equality_count;
    for (int i = 0; s->def.root_stiffness > 0 && i < ROOT_SPRINGS; i++)
        s->model.equality[s->model.equality_count++] =
            (ModelEquality){.name = "", .kind = MODEL_CONNECT, .second = 1, .second_anchor = corner(i),
                            .relative = QUAT_IDENTITY, .stiffness = s->def.root_stiffness / ROOT_SPRINGS,
                            .damping = s->def.root_damping / ROOT_SPRINGS};
}

static int holds_pose(const BodyScene *s, int joint)
{
    return (is_hinge(s, joint) && !joint_softness(s, joint)) || (joint == 0 && s->def.root_is_fixed);
}

/* The zero of a hinge is the initial pose. */
static void add_bodies(BodyScene *s, const Skeleton *skeleton, const Body *body, const BodyStart *start)
{
    Model *m = &s->model;
    m->body[0] = (ModelBody){.name = "", .parent = -1, .orientation = QUAT_IDENTITY};
    for (int j = 0; j < s->joint_count; j++) {
        int is_soft = joint_softness(s, j) != NULL;
        s->parent[j] = skeleton->parent[j] + 1;
        s->offset[j] = j ? skeleton->offset[j] : s->def.root_is_fixed ? start->root_position : vec3(0, 0, 0);
        m->body[j + 1] = (ModelBody){.name = skeleton->name[j] ? skeleton->name[j] : "",
                                     .parent = is_soft ? 0 : s->parent[j],
                                     .position = is_soft ? vec3(0, 0, 0) : s->offset[j],
                                     .orientation = holds_pose(s, j) ? start->rotation[j] : QUAT_IDENTITY,
                                     .mass = body->mass[j], .com = body->com[j], .inertia = body->inertia[j]};
        add_joints(s, j);
        if (is_soft)
            add_soft(s, j, start);
    }
    m->body_count = s->joint_count + 1;
    add_root_springs(s);
}

static Status make_model(BodyScene *s, const Skeleton *skeleton, const Body *body, const BodyStart *start, Error *err)
{
    Model *m = &s->model;
    size_t joints = (size_t)s->joint_count, bodies = joints + 2;
    *m = (Model){.name = "", .gravity = s->def.gravity, .time_step = s->def.step};
    m->body = arena_array(&m->memory, bodies, 1, sizeof *m->body);
    m->joint = arena_array(&m->memory, bodies + 3, 1, sizeof *m->joint);
    m->equality = arena_array(&m->memory, (size_t)s->def.soft_count + ROOT_SPRINGS, 1, sizeof *m->equality);
    s->parent = arena_array(&m->memory, joints, 1, sizeof *s->parent);
    s->offset = arena_array(&m->memory, joints, 1, sizeof *s->offset);
    size_t grounds = s->def.terrain ? (size_t)s->def.terrain->part_count : 1;
    m->geom = arena_array(&m->memory, bodies + grounds + (size_t)s->def.point_count, 1, sizeof *m->geom);
    if (m->memory.failed)
        return error_no_memory(err);
    add_bodies(s, skeleton, body, start);
    add_geoms(s);
    model_number_coordinates(m);
    return STATUS_OK;
}

/* Copies springs between bodies of the model, and limits. */
static Status make_parts(BodyScene *s, SceneDef *def, Error *err)
{
    const Springs *from = s->def.springs;
    Status status = from ? springs_init(&s->springs, from->count, err) : STATUS_OK;
    s->limits = arena_array(&s->memory, (size_t)s->def.limit_count, 1, sizeof *s->limits);
    s->q = arena_array(&s->memory, (size_t)s->model.q_count, 1, sizeof *s->q);
    s->v = arena_array(&s->memory, (size_t)s->model.v_count, 1, sizeof *s->v);
    s->placed = arena_array(&s->memory, (size_t)s->joint_count, 1, sizeof *s->placed);
    if (status || s->memory.failed)
        return status ? status : error_no_memory(err);
    for (int i = 0; from && i < from->count; i++) {
        SpringElement *e = &s->springs.element[i];
        *e = from->element[i];
        e->joint_a = e->joint_a == SPRING_WORLD ? SPRING_WORLD : e->joint_a + 1;
        e->joint_b = e->joint_b == SPRING_WORLD ? SPRING_WORLD : e->joint_b + 1;
    }
    for (int i = 0; i < s->def.limit_count; i++) {
        const ModelBody *b = &s->model.body[s->def.limit_joint[i] + 1];
        s->limits[i] = (SceneAngleLimits){b->joint_start + b->joint_count - 1, s->parent[s->def.limit_joint[i]],
                                          s->def.limits[i]};
    }
    def->springs = from ? &s->springs : NULL;
    def->angle_limits = s->limits;
    def->angle_limit_count = s->def.limit_count;
    return STATUS_OK;
}

Status body_scene_create(const Skeleton *skeleton, const Body *body, const BodySceneDef *def, const BodyStart *start,
                         BodyScene **out, Error *err)
{
    BodyScene *s = array_new(1, 1, sizeof *s);
    *out = NULL;
    if (!s)
        return error_no_memory(err);
    s->def = *def;
    s->joint_count = skeleton->joint_count;
    SceneDef scene = scene_default_def();
    scene.friction = def->friction;
    scene.restitution = def->restitution;
    scene.restitution_speed = def->restitution_speed;
    scene.integrator = def->integrator;
    scene.kicks_once = def->kicks_once;
    scene.given = s->given;
    scene.given_count = is_driven(s) ? 3 : 0;
    Status status = make_model(s, skeleton, body, start, err);
    if (!status)
        status = make_parts(s, &scene, err);
    if (!status)
        status = scene_create(&s->model, &scene, &s->scene, err);
    if (status) {
        body_scene_destroy(s);
        return status;
    }
    body_scene_begin(s, start);
    if (s->ball)
        scene_set_waiting(s->scene, s->ball, 1);
    *out = s;
    return STATUS_OK;
}

void body_scene_destroy(BodyScene *s)
{
    if (!s)
        return;
    scene_destroy(s->scene);
    for (int i = 0; i < s->springs.count; i++) { /* owned by the caller */
        s->springs.element[i].name = NULL;
        s->springs.element[i].law = NULL;
    }
    springs_free(&s->springs);
    model_free(&s->model);
    arena_free(&s->memory);
    free(s);
}

static double *put3(double *to, Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

static double *put4(double *to, Quat q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
    return to + 4;
}

/* Frame of a joint, from that of its parent. */
static Placed place(const BodyScene *s, int joint, const BodyStart *start, const Placed *parent)
{
    Placed p = {start->root_position, start->root_velocity, start->angular_velocity[joint],
                quat_normalize(start->rotation[joint])};
    if (joint > 0) {
        Vec3 arm = quat_rotate(parent->orientation, s->offset[joint]);
        p.position = vec3_add(parent->position, arm);
        p.velocity = vec3_add(parent->velocity, vec3_cross(parent->omega, arm));
        p.orientation = quat_normalize(quat_mul(parent->orientation, start->rotation[joint]));
    }
    return p;
}

/* Coordinates and speeds of a joint, with the spin relative to the parent. */
static void set_joint(BodyScene *s, int joint, const BodyStart *start, const Placed *p, Vec3 spin)
{
    const ModelBody *b = &s->model.body[joint + 1];
    double *q = s->q + b->q_start, *v = s->v + b->v_start;
    int is_soft = joint_softness(s, joint) != NULL;
    if (b->joint_count == 0)
        return;
    if (joint == 0 || is_soft) {
        q = put3(q, p->position);
        v = put3(v, p->velocity);
    }
    if (is_hinge(s, joint) && !is_soft) {
        Quat rotation = quat_mul(quat_conjugate(b->orientation), start->rotation[joint]);
        Vec3 axis = vec3_normalize(s->def.axis[joint]);
        *q = 2 * vec3_dot(axis, quat_log(rotation.w < 0 ? quat_neg(rotation) : rotation));
        *v = vec3_dot(axis, quat_rotate_inverse(p->orientation, spin));
        return;
    }
    put4(q, is_soft ? p->orientation : quat_normalize(start->rotation[joint]));
    put3(v, quat_rotate_inverse(p->orientation, is_soft ? p->omega : spin));
}

void body_scene_begin(BodyScene *s, const BodyStart *start)
{
    const Model *m = &s->model;
    memcpy(s->q, scene_q(s->scene), (size_t)m->q_count * sizeof *s->q);
    memcpy(s->v, scene_v(s->scene), (size_t)m->v_count * sizeof *s->v);
    for (int j = 0; j < s->joint_count; j++) {
        const Placed *parent = j ? &s->placed[s->parent[j] - 1] : NULL;
        s->placed[j] = place(s, j, start, parent);
        Vec3 spin = parent ? vec3_sub(s->placed[j].omega, parent->omega) : s->placed[j].omega;
        set_joint(s, j, start, &s->placed[j], spin);
    }
    scene_set_state(s->scene, s->q, s->v, NULL);
    s->has_stepped = 0;
}

void body_scene_apply_torque(BodyScene *s, int joint, Vec3 torque)
{
    int parent = s->parent[joint];
    scene_apply(s->scene, joint + 1, vec3(0, 0, 0), torque);
    if (parent > 0)
        scene_apply(s->scene, parent, vec3(0, 0, 0), vec3_neg(torque));
}

void body_scene_apply_force(BodyScene *s, int joint, Vec3 force, Vec3 couple)
{
    scene_apply_at(s->scene, joint + 1, force, couple);
}

void body_scene_apply_at_com(BodyScene *s, int joint, Vec3 force, Vec3 couple)
{
    scene_apply(s->scene, joint + 1, force, couple);
}

/* Position and velocity of a corner of the root. */
static Vec3 corner_position(const RootTarget *root, int i, Vec3 *velocity)
{
    Vec3 arm = quat_rotate(root->orientation, corner(i));
    *velocity = vec3_add(root->velocity, vec3_cross(root->angular_velocity, arm));
    return vec3_add(root->position, arm);
}

/* A spring damps the velocity against a fixed anchor. Moved ahead of the path by d / k times the path's velocity, it
 * damps the velocity against the path. */
static void move_anchors(BodyScene *s, const RootTarget *to)
{
    for (int i = 0; s->def.root_stiffness > 0 && i < ROOT_SPRINGS; i++) {
        Vec3 velocity, corner = corner_position(to, i, &velocity);
        s->model.equality[s->held + i].anchor =
            vec3_mad(corner, s->def.root_damping / s->def.root_stiffness, velocity);
    }
}

void body_scene_root_springs(const BodySceneDef *def, const RootTarget *to, const Kinematics *now, Vec3 *force,
                             Vec3 *torque)
{
    RootTarget is = {now->position[0], now->velocity[0], now->orientation[0], now->angular_velocity[0]};
    *force = *torque = vec3(0, 0, 0);
    for (int i = 0; def->root_stiffness > 0 && i < ROOT_SPRINGS; i++) {
        Vec3 wanted, velocity, goal = corner_position(to, i, &wanted), corner = corner_position(&is, i, &velocity);
        Vec3 pull = vec3_scale(vec3_sub(goal, corner), def->root_stiffness / ROOT_SPRINGS);
        pull = vec3_mad(pull, def->root_damping / ROOT_SPRINGS, vec3_sub(wanted, velocity));
        *force = vec3_add(*force, pull);
        *torque = vec3_add(*torque, vec3_cross(vec3_sub(corner, is.position), pull));
    }
}

void body_scene_drive(BodyScene *s, const RootTarget *to)
{
    move_anchors(s, to);
    for (int k = 0; k < 3 && is_driven(s); k++) {
        int at = s->model.joint[s->given[k]].q_start;
        double position = vec3_component(to->position, k), from = scene_q(s->scene)[at];
        scene_give(s->scene, k, position, (position - from) / s->def.step);
    }
}

void body_scene_release_ball(BodyScene *s, Vec3 position, Vec3 velocity)
{
    const ModelBody *b = &s->model.body[s->ball];
    memcpy(s->q, scene_q(s->scene), (size_t)s->model.q_count * sizeof *s->q);
    memcpy(s->v, scene_v(s->scene), (size_t)s->model.v_count * sizeof *s->v);
    put3(s->q + b->q_start, position);
    put3(s->v + b->v_start, velocity);
    scene_set_state(s->scene, s->q, s->v, NULL);
    scene_set_waiting(s->scene, s->ball, 0);
}

Status body_scene_step(BodyScene *s, Error *err)
{
    s->has_stepped = 1;
    return scene_step(s->scene, err);
}

/* Velocities from the momenta over the last step, in the pose at its end: the backward differences (3.47) that
 * controllers compare with. */
static void read_step(const BodyScene *s, int b, Quat now, Vec3 *velocity, Vec3 *omega)
{
    const ModelBody *body = &s->model.body[b];
    Vec3 linear, angular;
    Sym3 inverse;
    scene_kept_momentum(s->scene, b, &linear, &angular);
    if (!(body->mass > 0) || !sym3_inverse(body->inertia, &inverse))
        return;
    *omega = quat_rotate(now, sym3_mul(inverse, quat_rotate_inverse(now, angular)));
    *velocity = vec3_sub(vec3_scale(linear, 1 / body->mass), vec3_cross(*omega, quat_rotate(now, body->com)));
}

void body_scene_read(BodyScene *s, int frame, Motion *motion, Kinematics *kinematics)
{
    const ModelMotion *m = scene_motion(s->scene);
    size_t row = motion_index(motion, frame, 0);
    for (int j = 0; j < s->joint_count; j++) {
        size_t at = row + (size_t)j;
        int b = j + 1, p = s->parent[j];
        motion->rotation[at] = quat_mul(quat_conjugate(m->orientation[p]), m->orientation[b]);
        kinematics->orientation[at] = m->orientation[b];
        kinematics->position[at] = m->position[b];
        kinematics->velocity[at] = m->velocity[b];
        kinematics->angular_velocity[at] = m->angular_velocity[b];
        if (s->def.kicks_once && s->has_stepped)
            read_step(s, b, m->orientation[b], &kinematics->velocity[at], &kinematics->angular_velocity[at]);
    }
    motion->root_position[frame] = m->position[1];
}

Vec3 body_scene_ball(BodyScene *s) { return scene_motion(s->scene)->position[s->ball]; }

int body_scene_ball_hits(BodyScene *s)
{
    if (!s->ball || !(vec3_norm(scene_contact_force(s->scene, s->ball)) > 0))
        return 0;
    Vec3 ball = body_scene_ball(s), up = vec3_sub(ball, vec3(0, isfinite(s->def.ground) ? s->def.ground : 0, 0));
    double height = s->def.terrain ? ball.y - terrain_at(s->def.terrain, ball.x, ball.z).height
                                   : vec3_dot(s->def.ground_normal, up);
    return !isfinite(s->def.ground) || height > 1.5 * s->def.ball_radius;
}

Vec3 body_scene_contact(const BodyScene *s, int joint, Vec3 about, Vec3 *moment)
{
    Vec3 force = scene_contact_force(s->scene, joint + 1);
    *moment = vec3_sub(scene_contact_moment(s->scene, joint + 1), vec3_cross(about, force));
    return force;
}

Vec3 body_scene_root_force(const BodyScene *s)
{
    Vec3 sum = {0, 0, 0};
    for (int i = 0; s->def.root_stiffness > 0 && i < ROOT_SPRINGS; i++)
        sum = vec3_add(sum, scene_equality_force(s->scene, s->held + i));
    return !is_driven(s) ? sum : vec3(scene_given_force(s->scene, 0), scene_given_force(s->scene, 1),
                                      scene_given_force(s->scene, 2));
}

Vec3 body_scene_root_torque(BodyScene *s)
{
    Quat rotation = scene_motion(s->scene)->orientation[1];
    Vec3 sum = {0, 0, 0};
    for (int i = 0; s->def.root_stiffness > 0 && i < ROOT_SPRINGS; i++)
        sum = vec3_add(sum, vec3_cross(quat_rotate(rotation, corner(i)), scene_equality_force(s->scene, s->held + i)));
    return sum;
}

const UnsettledSweeps *body_scene_unsettled(const BodyScene *s) { return scene_unsettled(s->scene); }
