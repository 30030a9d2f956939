/* See terrain.h. */
#include "analysis/control/terrain.h"

#include <math.h>
#include <string.h>

#include "analysis/math/elementary.h"

#define STEEPEST 0.1 /* smallest component of a normal along the vertical */

static TerrainSpot plane_at(const ModelGeom *g, double x, double z)
{
    TerrainSpot spot = {-INFINITY, quat_rotate(g->orientation, vec3(0, 0, 1))};
    TerrainSpot origin = {g->position.y, spot.normal};
    if (spot.normal.y > STEEPEST)
        spot.height = terrain_extend(&origin, g->position, x, z);
    return spot;
}

/* Where a vertical line from above enters a box, by the slabs between its faces. */
static TerrainSpot box_at(const ModelGeom *g, double x, double z)
{
    Vec3 from = quat_rotate_inverse(g->orientation, vec3_sub(vec3(x, 0, z), g->position));
    Vec3 up = quat_rotate_inverse(g->orientation, vec3(0, 1, 0));
    double top = INFINITY, bottom = -INFINITY;
    TerrainSpot spot = {-INFINITY, {0, 1, 0}};
    for (int k = 0; k < 3; k++) {
        double p = vec3_component(from, k), u = vec3_component(up, k), e = vec3_component(g->size, k);
        if (fabs(u) < 1e-12) {
            if (fabs(p) > e)
                return spot;
            continue;
        }
        double high = ((u > 0 ? e : -e) - p) / u, low = ((u > 0 ? -e : e) - p) / u;
        bottom = fmax(bottom, low);
        if (high >= top)
            continue;
        top = high;
        double side = u > 0 ? 1 : -1;
        spot.normal = quat_rotate(g->orientation, vec3_scale(vec3(k == 0, k == 1, k == 2), side));
    }
    spot.height = top >= bottom ? top : -INFINITY;
    return spot;
}

double terrain_extend(const TerrainSpot *spot, Vec3 from, double x, double z)
{
    Vec3 n = spot->normal;
    return spot->height - (n.x * (x - from.x) + n.z * (z - from.z)) / n.y;
}

TerrainSpot terrain_at(const Terrain *t, double x, double z)
{
    TerrainSpot highest = {-INFINITY, {0, 1, 0}};
    for (int i = 0; i < t->part_count; i++) {
        const ModelGeom *g = &t->part[i];
        TerrainSpot spot = g->shape == MODEL_PLANE ? plane_at(g, x, z) : box_at(g, x, z);
        if (spot.height > highest.height)
            highest = spot;
    }
    return highest;
}

static Status make_parts(Terrain *t, int count, Error *err)
{
    *t = (Terrain){.part_count = count};
    t->part = arena_array(&t->memory, (size_t)count, 1, sizeof *t->part);
    return t->memory.failed ? error_no_memory(err) : STATUS_OK;
}

Status terrain_slope(double angle, Terrain *out, Error *err)
{
    Status status = make_parts(out, 1, err);
    if (status)
        return status;
    out->part[0] = (ModelGeom){.name = "", .shape = MODEL_PLANE,
                               .orientation = quat_exp(vec3(0, -0.5 * angle, 0))};
    return STATUS_OK;
}

static const char *const shape_names[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh"};

static Status check_geom(const Model *m, const ModelGeom *g, Error *err)
{
    if (g->shape != MODEL_PLANE && g->shape != MODEL_BOX)
        return error_set(err, STATUS_BAD_INPUT, "line %d: geom \"%s\" is a %s: a ground consists of planes and boxes",
                         g->line, g->name, shape_names[g->shape]);
    if (model_mover(m, g->body))
        return error_set(err, STATUS_BAD_INPUT, "line %d: geom \"%s\" belongs to a body that moves: a ground is at "
                         "rest", g->line, g->name);
    return STATUS_OK;
}

/* Pose of a body without joints in the world. */
static void place_geom(const Model *m, ModelGeom *g)
{
    for (int b = g->body; b > 0; b = m->body[b].parent) {
        g->position = vec3_add(m->body[b].position, quat_rotate(m->body[b].orientation, g->position));
        g->orientation = quat_mul(m->body[b].orientation, g->orientation);
    }
    g->body = 0;
    g->name = "";
}

Status terrain_of_model(const Model *m, Terrain *out, Error *err)
{
    int planes = 0;
    Status status = make_parts(out, m->geom_count, err);
    for (int i = 0; !status && i < m->geom_count; i++) {
        status = check_geom(m, &m->geom[i], err);
        out->part[i] = m->geom[i];
        if (!status)
            place_geom(m, &out->part[i]);
        planes += m->geom[i].shape == MODEL_PLANE;
    }
    if (!status && !planes)
        status = error_set(err, STATUS_BAD_INPUT, "a ground requires a geom of type plane, which has no edges");
    if (status)
        terrain_free(out);
    return status;
}

void terrain_place(Terrain *t, const TerrainPlace *place)
{
    /* z up to Y up about X, then about Y from X to forward */
    Quat upright = quat_exp(vec3(-PI / 4, 0, 0));
    double heading = elementary_atan2(-place->forward.z, place->forward.x);
    Quat turn = quat_mul(quat_exp(vec3(0, 0.5 * heading, 0)), upright);
    for (int i = 0; i < t->part_count; i++) {
        t->part[i].position = vec3_add(place->origin, quat_rotate(turn, t->part[i].position));
        t->part[i].orientation = quat_normalize(quat_mul(turn, t->part[i].orientation));
    }
}

Status terrain_copy(const Terrain *from, Terrain *out, Error *err)
{
    Status status = make_parts(out, from->part_count, err);
    if (!status && from->part_count)
        memcpy(out->part, from->part, (size_t)from->part_count * sizeof *out->part);
    return status;
}

void terrain_free(Terrain *t)
{
    arena_free(&t->memory);
    *t = (Terrain){0};
}
