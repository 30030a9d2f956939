/* See plant.h. */
#include "analysis/control/plant.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/math/vec.h"

/* Any joint may have loads. */
static Status loads_on_all(Loads *loads, int joints, Error *err)
{
    char *loaded = array_new((size_t)joints, 1, 1);
    if (!loaded)
        return error_no_memory(err);
    memset(loaded, 1, (size_t)joints);
    Status status = loads_init(loads, 1, loaded, joints, err);
    free(loaded);
    return status;
}

Status plant_init(ControlPlant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err)
{
    int joints = skeleton->joint_count;
    *plant = (ControlPlant){.skeleton = skeleton, .body = body, .gravity = {0, -GRAVITY, 0}, .dt = dt};
    Status status = motion_init(&plant->motion, 1, joints, dt, 0, err);
    if (!status)
        status = kinematics_init(&plant->kinematics, 1, joints, 0, err);
    if (!status)
        status = loads_on_all(&plant->loads, joints, err);
    if (status) {
        plant_free(plant);
        return status;
    }
    for (int j = 0; j < joints; j++)
        plant->motion.rotation[j] = plant->kinematics.orientation[j] = QUAT_IDENTITY;
    return STATUS_OK;
}

void plant_free(ControlPlant *plant)
{
    if (!plant)
        return;
    motion_free(&plant->motion);
    kinematics_free(&plant->kinematics);
    loads_free(&plant->loads);
}

/* Adds a chain to that of its parent, both inertias about their own COM. */
static void join(Subtree *parent, const Subtree *child)
{
    if (!(child->mass > 0))
        return;
    Vec3 child_com = vec3_scale(child->moment, 1 / child->mass);
    if (parent->mass > 0) {
        /* two rigid bodies about their common COM: I1 + I2 + m1 m2 / (m1 + m2) of their distance */
        Vec3 arm = vec3_sub(child_com, vec3_scale(parent->moment, 1 / parent->mass));
        double reduced = parent->mass * child->mass / (parent->mass + child->mass);
        parent->inertia = sym3_add(parent->inertia, sym3_point_inertia(reduced, arm));
    }
    parent->inertia = sym3_add(parent->inertia, child->inertia);
    parent->mass += child->mass;
    parent->moment = vec3_add(parent->moment, child->moment);
}

void chains_find(const ControlPlant *plant, Subtree *chain)
{
    const Kinematics *k = &plant->kinematics;
    const Body *body = plant->body;
    for (int j = 0; j < body->joint_count; j++) {
        Vec3 com = vec3_add(k->position[j], quat_rotate(k->orientation[j], body->com[j]));
        chain[j] = (Subtree){body->mass[j], vec3_scale(com, body->mass[j]),
                             sym3_rotate(quat_to_mat3(k->orientation[j]), body->inertia[j])};
    }
    for (int j = body->joint_count - 1; j >= 0; j--) {
        Subtree *c = &chain[j];
        if (j > 0)
            join(&chain[plant->skeleton->parent[j]], c);
        if (c->mass > 0) {
            Vec3 arm = vec3_sub(vec3_scale(c->moment, 1 / c->mass), k->position[j]);
            c->inertia = sym3_add(c->inertia, sym3_point_inertia(c->mass, arm));
        }
    }
}
