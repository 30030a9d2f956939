/* Masses of a creature (capsules.h): capsules of water along its bones. */
#include "analysis/body/capsules.h"

#include <math.h>
#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/body/mass_sum.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/elementary.h"

typedef struct Capsules {
    MassSum *lump;    /* [joint] */
    double *reach; /* [joint] m, length of the longest path along bones below the joint */
    int *bones;    /* [joint] bones with a length that start at the joint */
} Capsules;

/* Adds a hemisphere of radius r with its flat face at `face`, bulging along n. COM: 3/8 r from the face; mean square
 * about the face's centre: r^2/5 along every axis. */
static void add_cap(MassSum *lump, Vec3 face, Vec3 n, double r)
{
    SecondMoments spread = {.square = {(0.2 - 9.0 / 64) * r * r, 0.2 * r * r, 0.2 * r * r}};
    spread.axis[0] = n;
    axes_complete(n, vec3(0, 1, 0), &spread.axis[1], &spread.axis[2]);
    mass_sum_add(lump, WATER_DENSITY * 2.0 / 3 * PI * r * r * r, vec3_mad(face, 0.375 * r, n), &spread);
}

/* A cylinder of radius r from the joint to end: mean squares L^2/12 along, r^2/4 across. */
static void add_rod(MassSum *lump, Vec3 end, double r)
{
    double length = vec3_norm(end);
    SecondMoments spread = {.square = {length * length / 12, 0.25 * r * r, 0.25 * r * r}};
    spread.axis[0] = vec3_scale(end, 1 / length);
    axes_complete(spread.axis[0], vec3(0, 1, 0), &spread.axis[1], &spread.axis[2]);
    mass_sum_add(lump, WATER_DENSITY * PI * r * r * length, vec3_scale(end, 0.5), &spread);
}

double capsule_radius(double length, double reach)
{
    return sqrt(CAPSULE_SLENDERNESS * length * reach);
}

/* Adds the bone from joint to `end`; beyond: the length of the longest path after it. */
static void add_bone(Capsules *c, int joint, Vec3 end, double beyond)
{
    double length = vec3_norm(end);
    if (!(length > 0))
        return;
    double r = capsule_radius(length + beyond, c->reach[0]);
    Vec3 n = vec3_scale(end, 1 / length);
    add_rod(&c->lump[joint], end, r);
    if (!(beyond > 0))
        add_cap(&c->lump[joint], end, n, r);
    if (joint == 0 && c->bones[0] == 1)
        add_cap(&c->lump[joint], vec3(0, 0, 0), vec3_neg(n), r);
}

static void add_bones(const Skeleton *s, Capsules *c)
{
    skeleton_reach(s, c->reach);
    for (int e = 0; e < s->end_count; e++)
        c->bones[s->end_parent[e]] += vec3_norm(s->end_offset[e]) > 0;
    for (int j = 1; j < s->joint_count; j++)
        c->bones[s->parent[j]] += vec3_norm(s->offset[j]) > 0;
    for (int j = 1; j < s->joint_count; j++)
        add_bone(c, s->parent[j], s->offset[j], c->reach[j]);
    for (int e = 0; e < s->end_count; e++)
        add_bone(c, s->end_parent[e], s->end_offset[e], 0);
}

static void scale(Body *b, double factor)
{
    for (int j = 0; j < b->joint_count; j++) {
        Sym3 *i = &b->inertia[j];
        b->mass[j] *= factor;
        *i = (Sym3){factor * i->xx, factor * i->yy, factor * i->zz, factor * i->xy, factor * i->xz, factor * i->yz};
    }
}

static double total_mass(const Body *b)
{
    double sum = 0;
    for (int j = 0; j < b->joint_count; j++)
        sum += b->mass[j];
    return sum;
}

Status capsules_from_skeleton(const Skeleton *skeleton, double mass, Body *out, Error *err)
{
    size_t joints = (size_t)skeleton->joint_count;
    Status status = body_init(out, skeleton->joint_count, err);
    if (status)
        return status;
    Arena arena = {0};
    Capsules c = {.lump = arena_array(&arena, joints, 1, sizeof *c.lump),
                  .reach = arena_array(&arena, joints, 1, sizeof *c.reach),
                  .bones = arena_array(&arena, joints, 1, sizeof *c.bones)};
    if (arena.failed) {
        status = error_no_memory(err);
        goto done;
    }
    add_bones(skeleton, &c);
    for (int j = 0; j < skeleton->joint_count; j++)
        mass_sum_finish(&c.lump[j], out, j);
    out->total_mass = total_mass(out);
    if (!(out->total_mass > 0)) {
        status = error_set(err, STATUS_BAD_INPUT, "all bones have zero length");
        goto done;
    }
    if (mass > 0) {
        scale(out, mass / out->total_mass);
        out->total_mass = mass;
    }
    snprintf(out->model, sizeof out->model, "capsules");
done:
    arena_free(&arena);
    if (status)
        body_free(out);
    return status;
}
