#include "analysis/motion/mirror_computed.h"

#include <stdio.h>
#include <string.h>

static double sign_of(unsigned flip, int axis) { return flip >> axis & 1 ? -1 : 1; }

static Vec3 polar(unsigned flip, Vec3 v)
{
    return vec3(sign_of(flip, 0) * v.x, sign_of(flip, 1) * v.y, sign_of(flip, 2) * v.z);
}

static void reflect(unsigned flip, int is_axial, Vec3 *v, size_t count)
{
    for (size_t i = 0; v && i < count; i++)
        v[i] = is_axial ? vec3_neg(polar(flip, v[i])) : polar(flip, v[i]);
}

/* Exchanges two elements of a row. */
static void exchange(void *row, size_t size, int a, int b)
{
    char *left = (char *)row + (size_t)a * size, *right = (char *)row + (size_t)b * size;
    for (size_t i = 0; i < size; i++) {
        char kept = left[i];
        left[i] = right[i];
        right[i] = kept;
    }
}

/* Rows of elements of which each goes to its pair. */
typedef struct Pairs {
    const int *pair;
    int width;
} Pairs;

static void exchange_rows(Pairs p, void *array, size_t size, int rows)
{
    for (int f = 0; array && f < rows; f++)
        for (int i = 0; i < p.width; i++)
            if (p.pair[i] > i)
                exchange((char *)array + (size_t)f * (size_t)p.width * size, size, i, p.pair[i]);
}

static void mirror_vectors(const Mirror *m, int is_axial, Vec3 *v, int frames)
{
    exchange_rows((Pairs){m->pair, m->joint_count}, v, sizeof *v, frames);
    reflect(m->world, is_axial, v, v ? (size_t)frames * (size_t)m->joint_count : 0);
}

static void mirror_body(const Mirror *m, Body *b)
{
    Pairs joints = {m->pair, m->joint_count};
    exchange_rows(joints, b->mass, sizeof *b->mass, 1);
    exchange_rows(joints, b->com, sizeof *b->com, 1);
    exchange_rows(joints, b->inertia, sizeof *b->inertia, 1);
    for (int j = 0; j < m->joint_count; j++) {
        unsigned flip = m->flip[j];
        Sym3 *i = &b->inertia[j];
        b->com[j] = polar(flip, b->com[j]);
        i->xy *= sign_of(flip, 0) * sign_of(flip, 1);
        i->xz *= sign_of(flip, 0) * sign_of(flip, 2);
        i->yz *= sign_of(flip, 1) * sign_of(flip, 2);
    }
}

static Status mirror_moved(const Mirror *m, Kinematics *k, Error *err)
{
    Kinematics image;
    Status status = mirror_kinematics(m, k, &image, err);
    if (status)
        return status;
    image.com = k->com;
    k->com = NULL;
    reflect(m->world, 0, image.com, (size_t)image.frame_count);
    kinematics_free(k);
    *k = image;
    return STATUS_OK;
}

static void mirror_contact(const Mirror *m, Contact *c)
{
    static const int feet[] = {FOOT_RIGHT, FOOT_LEFT};
    Pairs sides = {feet, FOOT_COUNT};
    size_t forces = (size_t)c->frame_count * (size_t)c->point_count, loads = (size_t)c->frame_count * FOOT_COUNT;
    for (int i = 0; i < c->point_count; i++) {
        c->point_joint[i] = m->pair[c->point_joint[i]];
        c->point_position[i] = polar(m->flip[c->point_joint[i]], c->point_position[i]);
    }
    reflect(m->world, 0, c->force, forces);
    reflect(m->world, 1, c->moment, forces);
    exchange_rows(sides, c->foot_force, sizeof *c->foot_force, c->frame_count);
    exchange_rows(sides, c->foot_cop, sizeof *c->foot_cop, c->frame_count);
    exchange_rows(sides, c->foot_free_moment, sizeof *c->foot_free_moment, c->frame_count);
    reflect(m->world, 0, c->foot_force, loads);
    reflect(m->world, 0, c->foot_cop, loads);
    reflect(m->world, 1, c->foot_free_moment, loads);
    c->ground_normal = polar(m->world, c->ground_normal);
}

static void mirror_dynamics(const Mirror *m, Dynamics *d)
{
    Pairs joints = {m->pair, m->joint_count};
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    mirror_vectors(m, 1, d->torque, d->frame_count);
    mirror_vectors(m, 0, d->force, d->frame_count);
    exchange_rows(joints, d->power, sizeof *d->power, d->frame_count);
    reflect(m->world, 0, d->residual_force, (size_t)d->frame_count);
    reflect(m->world, 1, d->residual_torque, (size_t)d->frame_count);
    exchange_rows(joints, d->torque_sd, sizeof *d->torque_sd, d->frame_count);
    exchange_rows(joints, d->torque_correlation, sizeof *d->torque_correlation, d->frame_count);
    for (size_t i = 0; d->torque_correlation && i < count; i++) { /* of x and y, x and z, y and z */
        Vec3 *c = &d->torque_correlation[i];
        c->x *= sign_of(m->world, 0) * sign_of(m->world, 1);
        c->y *= sign_of(m->world, 0) * sign_of(m->world, 2);
        c->z *= sign_of(m->world, 1) * sign_of(m->world, 2);
    }
}

/* ---- Anatomy ---- */

/* A trunk bends and rotates to the other side; whatever belongs to a side keeps its sign there. */
static double sign_of_coordinate(Coordinate c)
{
    Role role = coordinate_role(c);
    return role_mirror(role) == role && c % COORDINATES_PER_JOINT > 0 ? -1 : 1;
}

/* Fills pair[place]; 0 where a coordinate has no counterpart. */
static int pair_coordinates(const Mirror *m, const Anatomy *a, int pair[COORDINATE_COUNT])
{
    for (int i = 0; i < a->coordinate_count; i++) {
        Coordinate first = coordinate_of_role(role_mirror(coordinate_role(a->coordinate[i])));
        pair[i] = anatomy_find(a, (Coordinate)((int)first + (int)a->coordinate[i] % COORDINATES_PER_JOINT));
        if (pair[i] < 0 || a->joint[pair[i]] != m->pair[a->joint[i]])
            return 0;
    }
    return 1;
}

static void apply_signs(const Anatomy *a, double *value)
{
    for (int f = 0; value && f < a->frame_count; f++)
        for (int i = 0; i < a->coordinate_count; i++)
            value[anatomy_index(a, f, i)] *= sign_of_coordinate(a->coordinate[i]);
}

/* Exchanges "left" and "right" in a text that names the knees. */
static void exchange_sides(char text[ANATOMY_TEXT_SIZE])
{
    char out[2 * ANATOMY_TEXT_SIZE] = "";
    size_t used = 0;
    for (const char *at = text; *at;) {
        int is_left = !strncmp(at, "left", 4), is_right = !strncmp(at, "right", 5);
        used += (size_t)snprintf(out + used, sizeof out - used, "%.*s", is_left ? 5 : is_right ? 4 : 1,
                                 is_left ? "right" : is_right ? "left" : at);
        at += is_left ? 4 : is_right ? 5 : 1;
    }
    if (used < ANATOMY_TEXT_SIZE)
        memcpy(text, out, used + 1);
}

static void mirror_anatomy(const Mirror *m, const int *pair, Anatomy *a)
{
    Pairs places = {pair, a->coordinate_count};
    double *const of_side[] = {a->angle, a->velocity, a->moment, a->passive};
    double *const plain[] = {a->power, a->moment_sd, a->capacity, a->use};
    for (int i = 0; i < 4; i++) {
        exchange_rows(places, of_side[i], sizeof(double), a->frame_count);
        exchange_rows(places, plain[i], sizeof(double), a->frame_count);
        apply_signs(a, of_side[i]);
    }
    exchange_rows(places, a->singular, sizeof *a->singular, a->frame_count);
    exchange_rows(places, a->axis, sizeof *a->axis, a->frame_count);
    for (int f = 0; a->axis && f < a->frame_count; f++)
        for (int i = 0; i < a->coordinate_count; i++) {
            Vec3 *axis = &a->axis[anatomy_index(a, f, i)];
            *axis = vec3_scale(polar(m->world, *axis), -sign_of_coordinate(a->coordinate[i]));
        }
    exchange_sides(a->knee_axis);
}

Status mirror_computed(const Mirror *m, Clip *clip, Error *err)
{
    int pair[COORDINATE_COUNT];
    Status status = clip->has_kinematics ? mirror_moved(m, &clip->kinematics, err) : STATUS_OK;
    if (status)
        return status;
    if (clip->has_body)
        mirror_body(m, &clip->body);
    if (clip->has_contact)
        mirror_contact(m, &clip->contact);
    if (clip->has_dynamics)
        mirror_dynamics(m, &clip->dynamics);
    if (clip->has_anatomy && pair_coordinates(m, &clip->anatomy, pair))
        mirror_anatomy(m, pair, &clip->anatomy);
    else
        clip_drop(clip, CLIP_ANATOMY);
    return STATUS_OK;
}
