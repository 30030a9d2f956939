/* See whole_rows.h. */
#include "analysis/control/whole_rows.h"

#include <string.h>

#include "analysis/math/vec.h"

static int column(int body) { return 3 + 3 * body; }

static Vec3 centripetal(const Kinematics *k, int body, Vec3 arm)
{
    Vec3 omega = k->angular_velocity[body];
    return vec3_cross(omega, vec3_cross(omega, arm));
}

void whole_rows_init(WholeRows *w, const ControlPlant *plant, Arena *arena)
{
    const Kinematics *k = &plant->kinematics;
    const Body *body = plant->body;
    size_t n = (size_t)body->joint_count;
    *w = (WholeRows){.plant = plant, .size = column((int)n)};
    w->centre = arena_array(arena, n, 1, sizeof *w->centre);
    w->drift = arena_array(arena, n, 1, sizeof *w->drift);
    w->below = arena_array(arena, n, 1, sizeof *w->below);
    w->moment = arena_array(arena, n, 1, sizeof *w->moment);
    if (arena->failed)
        return;
    for (int j = 0; j < (int)n; j++) {
        int up = plant->skeleton->parent[j];
        w->centre[j] = vec3_add(k->position[j], quat_rotate(k->orientation[j], body->com[j]));
        w->mass += body->mass[j];
        w->com = vec3_mad(w->com, body->mass[j], w->centre[j]);
        if (up >= 0)
            w->drift[j] = vec3_add(w->drift[up], centripetal(k, up, vec3_sub(k->position[j], k->position[up])));
    }
    w->com = vec3_scale(w->com, 1 / w->mass);
    for (int j = (int)n - 1; j >= 0; j--) {
        int up = plant->skeleton->parent[j];
        w->below[j] += body->mass[j];
        w->moment[j] = vec3_mad(w->moment[j], body->mass[j], vec3_sub(w->centre[j], w->com));
        if (up >= 0) {
            w->below[up] += w->below[j];
            w->moment[up] = vec3_add(w->moment[up], w->moment[j]);
        }
    }
}

Vec3 whole_rows_point_drift(const WholeRows *w, int body, Vec3 position)
{
    const Kinematics *k = &w->plant->kinematics;
    return vec3_add(w->drift[body], centripetal(k, body, vec3_sub(position, k->position[body])));
}

static void begin_rows(const WholeRows *w, double *row, double of_root)
{
    memset(row, 0, 3 * (size_t)w->size * sizeof *row);
    for (int i = 0; i < 3; i++)
        row[i * w->size + i] = of_root;
}

/* Adds the block of one body to three rows. */
static void add_block(const WholeRows *w, double *row, int body, double scale, Mat3 block)
{
    mat3_add_block(row, w->size, 0, column(body), scale, block);
}

void whole_rows_com(const WholeRows *w, double *row, Vec3 *drift)
{
    const ControlPlant *p = w->plant;
    const Kinematics *k = &p->kinematics;
    begin_rows(w, row, 1);
    *drift = vec3(0, 0, 0);
    for (int j = 0; j < p->body->joint_count; j++) {
        int up = p->skeleton->parent[j];
        Vec3 acceleration = whole_rows_point_drift(w, j, w->centre[j]);
        *drift = vec3_mad(*drift, p->body->mass[j] / w->mass, acceleration);
        add_block(w, row, j, -p->body->mass[j] / w->mass, mat3_cross(vec3_sub(w->centre[j], k->position[j])));
        if (up >= 0)
            add_block(w, row, up, -w->below[j] / w->mass, mat3_cross(vec3_sub(k->position[j], k->position[up])));
    }
}

void whole_rows_spin(const WholeRows *w, double *row, Vec3 *drift)
{
    const ControlPlant *p = w->plant;
    const Kinematics *k = &p->kinematics;
    begin_rows(w, row, 0);
    *drift = vec3(0, 0, 0);
    for (int j = 0; j < p->body->joint_count; j++) {
        int up = p->skeleton->parent[j];
        Vec3 arm = vec3_sub(w->centre[j], w->com), omega = k->angular_velocity[j];
        Sym3 inertia = sym3_rotate(quat_to_mat3(k->orientation[j]), p->body->inertia[j]);
        Vec3 force = vec3_scale(whole_rows_point_drift(w, j, w->centre[j]), p->body->mass[j]);
        *drift = vec3_add(*drift, vec3_add(vec3_cross(arm, force), vec3_cross(omega, sym3_mul(inertia, omega))));
        Mat3 own = mat3_product(mat3_cross(arm), mat3_cross(vec3_sub(w->centre[j], k->position[j])));
        add_block(w, row, j, 1, mat3_mad(mat3_from_sym3(inertia), -p->body->mass[j], own));
        if (up >= 0)
            add_block(w, row, up, -1, mat3_product(mat3_cross(w->moment[j]),
                                                   mat3_cross(vec3_sub(k->position[j], k->position[up]))));
    }
}

void whole_rows_point(const WholeRows *w, int body, Vec3 position, double *row, Vec3 *drift)
{
    const ControlPlant *p = w->plant;
    begin_rows(w, row, 1);
    *drift = whole_rows_point_drift(w, body, position);
    for (int j = body; j >= 0; j = p->skeleton->parent[j]) {
        add_block(w, row, j, -1, mat3_cross(vec3_sub(position, p->kinematics.position[j])));
        position = p->kinematics.position[j];
    }
}
