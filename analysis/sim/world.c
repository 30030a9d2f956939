/* Making a world, setting and reading its state. */
#include "analysis/sim/world.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/sim/world_state.h"

WorldDef world_default_def(void)
{
    return (WorldDef){.gravity = {0, -GRAVITY, 0},
                      .integrator = INTEGRATE_SYMPLECTIC_EULER,
                      .root = JOINT_FREE,
                      .friction_model = FRICTION_CONE,
                      .friction = 0.8,
                      .restitution = 0.3,
                      .restitution_speed = 0.2,
                      .ground_height = -INFINITY,
                      .ground_normal = {0, 1, 0}};
}

/* An array of `room` items that begins with the `count` ones of the old array. */
static void *grown(Arena *memory, const void *old, int count, int room, size_t size)
{
    void *array = arena_array(memory, (size_t)room, 1, size);
    if (array && count)
        memcpy(array, old, (size_t)count * size);
    return array;
}

/* Arrays for `room` bodies; the world is as it was where there is no memory. */
static Status make_room_for_bodies(World *w, int room, Error *err)
{
    World g = *w;
    ArenaMark before = arena_mark(&w->memory);
    int count = w->body ? w->body_count : 0;
    g.body = grown(&g.memory, w->body, count, room, sizeof *g.body);
    g.origin = grown(&g.memory, w->origin, count, room, sizeof *g.origin);
    g.start = grown(&g.memory, w->start, count, room, sizeof *g.start);
    g.middle = grown(&g.memory, w->middle, count, room, sizeof *g.middle);
    g.radius = grown(&g.memory, w->radius, count, room, sizeof *g.radius);
    g.force = grown(&g.memory, w->force, count, room, sizeof *g.force);
    g.couple = grown(&g.memory, w->couple, count, room, sizeof *g.couple);
    g.contact_force = grown(&g.memory, w->contact_force, count, room, sizeof *g.contact_force);
    g.contact_impulse = grown(&g.memory, w->contact_impulse, count, room, sizeof *g.contact_impulse);
    g.load = grown(&g.memory, w->load, count, room, sizeof *g.load);
    g.moment = grown(&g.memory, w->moment, count, room, sizeof *g.moment);
    if (g.memory.failed) {
        arena_return(&g.memory, before);
        return error_no_memory(err);
    }
    *w = g;
    return STATUS_OK;
}

static Status make_arrays(World *w, Error *err)
{
    size_t joints = (size_t)w->joint_count;
    w->joint = arena_array(&w->memory, joints, 1, sizeof *w->joint);
    w->rest_offset = arena_array(&w->memory, joints, 1, sizeof *w->rest_offset);
    w->spring_row = arena_array(&w->memory, joints, 5, sizeof *w->spring_row);
    w->spring_turn = arena_array(&w->memory, joints, 1, sizeof *w->spring_turn);
    return w->memory.failed ? error_no_memory(err) : make_room_for_bodies(w, w->body_count, err);
}

/* The tree of joints and the arrays that are as large as its system. */
static Status arrange(World *w, Error *err)
{
    int bodies = w->body_count + FRAME_BODIES;
    joint_tree_free(&w->tree);
    Status status = joint_tree_init(&w->tree, bodies, err);
    if (status)
        return status;
    w->tree.body[0].driven = 1;
    for (int j = 0; j < w->joint_count; j++) {
        w->tree.body[j + FRAME_BODIES].parent = w->joint[j].parent + FRAME_BODIES;
        w->tree.body[j + FRAME_BODIES].row_count = joint_row_count(w->joint[j].kind);
    }
    if (w->joint_count > 0 && w->joint[0].kind == JOINT_FREE)
        w->tree.body[FRAME_BODIES].parent = -1;
    status = joint_tree_arrange(&w->tree, err);
    if (status)
        return status;
    size_t size = 6 * (size_t)bodies + (size_t)w->tree.row_count;
    arena_free(&w->system);
    w->slot = arena_array(&w->system, (size_t)bodies, 1, sizeof *w->slot);
    w->touched = arena_array(&w->system, (size_t)bodies, 1, sizeof *w->touched);
    w->holds_touched = arena_array(&w->system, (size_t)bodies, 1, 1);
    w->right_side = arena_array(&w->system, size, 1, sizeof(double));
    w->solution = arena_array(&w->system, size, 1, sizeof(double));
    w->impulse = arena_array(&w->system, (size_t)w->tree.row_count, 1, sizeof(double));
    w->closing_impulse = arena_array(&w->system, (size_t)w->tree.row_count, 1, sizeof(double));
    w->closing_change = arena_array(&w->system, (size_t)w->tree.row_count, 1, sizeof(double));
    return anderson_init(&w->closing, w->tree.row_count, &w->system) ? STATUS_OK : error_no_memory(err);
}

static Status set_body(World *w, int j, const Skeleton *skeleton, const Body *body, Error *err)
{
    WorldJoint *joint = &w->joint[j];
    int parent = skeleton->parent[j];
    if (rigid_body_init(&w->body[j], body->mass[j], body->inertia[j], NULL))
        return error_set(err, STATUS_BAD_INPUT, "joint %s moves %g kg without an inertia of its own: it cannot be "
                         "simulated by itself", skeleton->name[j] ? skeleton->name[j] : "", body->mass[j]);
    joint->parent = parent;
    joint->kind = parent < 0 ? w->def.root : JOINT_SPHERICAL;
    joint->axis = joint->parent_axis = vec3(0, 0, 1);
    joint->held = QUAT_IDENTITY;
    joint->child_anchor = vec3_neg(body->com[j]);
    w->rest_offset[j] = parent < 0 ? vec3(0, 0, 0) : skeleton->offset[j];
    joint->parent_anchor = parent < 0 ? vec3(0, 0, 0) : vec3_sub(skeleton->offset[j], body->com[parent]);
    return STATUS_OK;
}

static void rest_pose(World *w, Vec3 root)
{
    for (int j = 0; j < w->joint_count; j++) {
        int p = w->joint[j].parent;
        Vec3 centre = p < 0 ? root : vec3_add(world_position(w, p), w->rest_offset[j]);
        w->body[j].position = vec3_sub(centre, w->joint[j].child_anchor);
    }
    w->frame = w->frame_target = (Frame){.position = root, .orientation = QUAT_IDENTITY};
}

Status world_create(const Skeleton *skeleton, const Body *body, const WorldDef *def, World **out, Error *err)
{
    *out = NULL;
    if (body->joint_count != skeleton->joint_count)
        return error_set(err, STATUS_USAGE, "skeleton has %d joints, body %d", skeleton->joint_count,
                         body->joint_count);
    World *w = array_new(1, 1, sizeof *w);
    if (!w)
        return error_no_memory(err);
    w->def = *def;
    w->joint_count = w->body_count = skeleton->joint_count;
    Status status = make_arrays(w, err);
    for (int j = 0; !status && j < w->joint_count; j++)
        status = set_body(w, j, skeleton, body, err);
    if (!status)
        status = arrange(w, err);
    if (status) {
        world_destroy(w);
        return status;
    }
    rest_pose(w, skeleton->joint_count ? skeleton->offset[0] : vec3(0, 0, 0));
    *out = w;
    return STATUS_OK;
}

void world_destroy(World *w)
{
    if (!w)
        return;
    arena_free(&w->memory);
    arena_free(&w->system);
    free(w->capsule);
    free(w->point);
    free(w->mobility);
    free(w->contact);
    free(w->z);
    joint_tree_free(&w->tree);
    unilateral_rows_free(&w->rows);
    mixed_lcp_solver_free(&w->lcp);
    free(w);
}

Status world_set_joint(World *w, int joint, JointKind kind, Vec3 axis, Error *err)
{
    if (joint < 0 || joint >= w->joint_count)
        return error_set(err, STATUS_USAGE, "joint %d of %d", joint, w->joint_count);
    if (kind == JOINT_HINGE && !(vec3_norm(axis) > 0))
        return error_set(err, STATUS_USAGE, "the hinge of joint %d has no axis", joint);
    w->joint[joint].kind = kind;
    w->joint[joint].axis = w->joint[joint].parent_axis = vec3_normalize(axis);
    return arrange(w, err);
}

Status world_soften_joint(World *w, int joint, const JointSoftness *softness, Error *err)
{
    if (joint < 0 || joint >= w->joint_count)
        return error_set(err, STATUS_USAGE, "joint %d of %d", joint, w->joint_count);
    if (!(softness->stiffness >= 0) || !(softness->damping >= 0) || !(softness->turning_stiffness >= 0) ||
        !(softness->turning_damping >= 0))
        return error_set(err, STATUS_USAGE, "joint %d would be softened by a negative stiffness or damping", joint);
    w->joint[joint].softness = *softness;
    return STATUS_OK;
}

Status world_set_springs(World *w, const Springs *springs, Error *err)
{
    int at;
    Status status = springs ? springs_check(springs, w->joint_count, &at, err) : STATUS_OK;
    if (!status)
        w->springs = springs;
    return status;
}

Status world_set_limits(World *w, int joint, const AngleLimits *limits, Error *err)
{
    if (joint <= 0 || joint >= w->joint_count)
        return error_set(err, STATUS_USAGE, "no limits for joint %d of %d", joint, w->joint_count);
    w->joint[joint].limits = *limits;
    w->joint[joint].limited = 1;
    return STATUS_OK;
}

Status world_add_capsule(World *w, int joint, Vec3 from, Vec3 to, double radius, Error *err)
{
    if (joint < 0 || joint >= w->joint_count || !(radius > 0))
        return error_set(err, STATUS_USAGE, "capsule of %g m on joint %d of %d", radius, joint, w->joint_count);
    Capsule *longer = realloc(w->capsule, ((size_t)w->capsule_count + 1) * sizeof *longer);
    if (!longer)
        return error_no_memory(err);
    Vec3 centre = w->joint[joint].child_anchor;
    w->capsule = longer;
    w->capsule[w->capsule_count++] = (Capsule){joint, vec3_add(from, centre), vec3_add(to, centre), radius};
    return STATUS_OK;
}

Status world_add_ground_point(World *w, int joint, Vec3 point, Error *err)
{
    if (joint < 0 || joint >= w->joint_count)
        return error_set(err, STATUS_USAGE, "ground point on joint %d of %d", joint, w->joint_count);
    GroundPoint *longer = realloc(w->point, ((size_t)w->point_count + 1) * sizeof *longer);
    if (!longer)
        return error_no_memory(err);
    w->point = longer;
    w->point[w->point_count++] = (GroundPoint){joint, vec3_add(point, w->joint[joint].child_anchor)};
    return STATUS_OK;
}

Status world_add_ball(World *w, const BallDef *def, int *body, Error *err)
{
    RigidBody ball;
    double i = 0.4 * def->mass * def->radius * def->radius; /* solid */
    Status status = rigid_body_init(&ball, def->mass, (Sym3){i, i, i, 0, 0, 0}, err);
    if (status || (status = make_room_for_bodies(w, w->body_count + 1, err)))
        return status;
    ball.position = def->position;
    ball.velocity = def->velocity;
    w->body[w->body_count] = ball;
    w->radius[w->body_count] = def->radius;
    *body = w->body_count++;
    return arrange(w, err);
}

static Vec3 centre_anchor(const World *w, int body)
{
    return body < w->joint_count ? w->joint[body].child_anchor : vec3(0, 0, 0);
}

void world_set_pose(World *w, Vec3 root_position, const Quat *rotation, Vec3 root_velocity,
                    const Vec3 *angular_velocity)
{
    Vec3 centre = root_position, velocity = root_velocity;
    for (int j = 0; j < w->joint_count; j++) {
        RigidBody *b = &w->body[j];
        int p = w->joint[j].parent;
        b->orientation = p < 0 ? rotation[j] : quat_mul(w->body[p].orientation, rotation[j]);
        b->orientation = quat_normalize(b->orientation);
        if (p >= 0) {
            centre = rigid_body_point(&w->body[p], w->joint[j].parent_anchor);
            velocity = rigid_body_point_velocity(&w->body[p], w->joint[j].parent_anchor);
        }
        w->joint[j].parent_axis = quat_rotate(rotation[j], w->joint[j].axis);
        w->joint[j].held = p < 0 ? QUAT_IDENTITY : rotation[j];
        Vec3 to_com = quat_rotate(b->orientation, vec3_neg(w->joint[j].child_anchor));
        b->position = vec3_add(centre, to_com);
        b->velocity = vec3_add(velocity, vec3_cross(angular_velocity[j], to_com));
        rigid_body_set_angular_velocity(b, angular_velocity[j]);
    }
    Quat root = w->joint_count ? w->body[0].orientation : QUAT_IDENTITY;
    int turned = w->joint_count && w->joint[0].kind == JOINT_FIXED;
    w->frame = (Frame){.position = root_position, .orientation = turned ? root : QUAT_IDENTITY};
    w->frame_target = w->frame;
}

void world_apply_torque(World *w, int joint, Vec3 torque)
{
    w->joint[joint].torque = vec3_add(w->joint[joint].torque, torque);
}

void world_apply_force(World *w, int body, Vec3 force, Vec3 point)
{
    Vec3 arm = vec3_sub(point, w->body[body].position);
    w->force[body] = vec3_add(w->force[body], force);
    w->couple[body] = vec3_add(w->couple[body], vec3_cross(arm, force));
}

void world_apply_couple(World *w, int body, Vec3 couple) { w->couple[body] = vec3_add(w->couple[body], couple); }

void world_drive_root(World *w, Vec3 position, Quat orientation, Vec3 velocity, Vec3 angular_velocity)
{
    w->frame_target = (Frame){position, quat_nearest(orientation, w->frame.orientation), velocity, angular_velocity};
}

Vec3 world_position(const World *w, int body) { return rigid_body_point(&w->body[body], centre_anchor(w, body)); }
Quat world_orientation(const World *w, int body) { return w->body[body].orientation; }
Vec3 world_angular_velocity(const World *w, int body) { return rigid_body_angular_velocity(&w->body[body]); }
Vec3 world_com(const World *w, int body) { return w->body[body].position; }
Vec3 world_joint_force(const World *w, int joint) { return w->joint[joint].force; }
Vec3 world_joint_moment(const World *w, int joint) { return w->joint[joint].moment; }
Vec3 world_contact_force(const World *w, int body) { return w->contact_force[body]; }

Vec3 world_velocity(const World *w, int body)
{
    return rigid_body_point_velocity(&w->body[body], centre_anchor(w, body));
}

void world_read_pose(const World *w, int frame, Motion *motion, Kinematics *kinematics)
{
    size_t row = motion_index(motion, frame, 0);
    for (int j = 0; j < w->joint_count; j++) {
        size_t at = row + (size_t)j;
        int p = w->joint[j].parent;
        Quat q = world_orientation(w, j);
        motion->rotation[at] = p < 0 ? q : quat_mul(quat_conjugate(world_orientation(w, p)), q);
        kinematics->orientation[at] = q;
        kinematics->position[at] = world_position(w, j);
        kinematics->velocity[at] = world_velocity(w, j);
        kinematics->angular_velocity[at] = world_angular_velocity(w, j);
    }
    if (w->joint_count)
        motion->root_position[frame] = kinematics->position[row];
}

const UnsettledSweeps *world_unsettled(const World *w) { return &w->unsettled; }

double world_energy(const World *w)
{
    double energy = 0;
    for (int b = 0; b < w->body_count; b++)
        energy += rigid_body_kinetic_energy(&w->body[b]) -
                  w->body[b].mass * vec3_dot(w->def.gravity, w->body[b].position);
    return energy;
}

Vec3 world_momentum(const World *w)
{
    Vec3 sum = {0, 0, 0};
    for (int b = 0; b < w->body_count; b++)
        sum = vec3_mad(sum, w->body[b].mass, w->body[b].velocity);
    return sum;
}

Vec3 world_angular_momentum(const World *w)
{
    Vec3 sum = {0, 0, 0};
    for (int b = 0; b < w->body_count; b++) {
        Vec3 orbital = vec3_cross(w->body[b].position, w->body[b].velocity);
        sum = vec3_mad(vec3_add(sum, w->body[b].angular_momentum), w->body[b].mass, orbital);
    }
    return sum;
}
