/* Geoms, springs, tendons and grids of a scene as shapes of a clip. */
#include "analysis/sim/scene_clip.h"

_Static_assert((int)MODEL_SPHERE == (int)SHAPE_SPHERE && (int)MODEL_CAPSULE == (int)SHAPE_CAPSULE &&
                   (int)MODEL_CYLINDER == (int)SHAPE_CYLINDER && (int)MODEL_BOX == (int)SHAPE_BOX &&
                   (int)MODEL_ELLIPSOID == (int)SHAPE_ELLIPSOID && (int)MODEL_PLANE == (int)SHAPE_PLANE &&
                   (int)MODEL_HULL == (int)SHAPE_MESH && (int)MODEL_SHAPE_COUNT == (int)SHAPE_SPRING,
               "a geom's shape is a shape's kind");

enum { MOST_GRID_SPRINGS = 4000 }; /* is recorded */

static const double of_springs[4] = {0.93, 0.66, 0.2, 1}, of_tendons[4] = {0.85, 0.25, 0.25, 1},
                    of_grids[4] = {0.45, 0.65, 0.6, 1};

/* Colours of bodies without one in the file; neighbours differ, also for colour-blind readers (Okabe and Ito 2008). */
static const double of_bodies[][4] = {{0.34, 0.71, 0.91, 1}, {0.9, 0.62, 0, 1},   {0, 0.62, 0.45, 1},
                                      {0.8, 0.47, 0.65, 1},  {0, 0.45, 0.7, 1},   {0.94, 0.89, 0.26, 1},
                                      {0.84, 0.37, 0, 1}};
static const double of_world[4] = {0.62, 0.64, 0.66, 1};

/* Cursor over the shapes to record. */
typedef struct ShapeWriter {
    const Model *model;
    const SceneClipDef *def;
    Shapes *out; /* NULL: counts only */
    int count, points, faces;
} ShapeWriter;

static void put_color(double *to, const double *color)
{
    for (int k = 0; k < 4; k++)
        to[k] = color[k];
}

static void put_mesh(ShapeWriter *w, const ModelMesh *mesh)
{
    for (int v = 0; w->out && v < mesh->vertex_count; v++)
        w->out->point[w->points + v] = mesh->vertex[v];
    for (int f = 0; w->out && f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++)
            w->out->face[3 * (size_t)(w->faces + f) + (size_t)k] = mesh->face[f][k];
    w->points += mesh->vertex_count;
    w->faces += mesh->face_count;
}

/* Geoms with the same mesh share its points. */
static void put_meshes(ShapeWriter *w, int *point_start, int *face_start)
{
    for (int i = 0; i < w->model->mesh_count; i++) {
        if (point_start) {
            point_start[i] = w->points;
            face_start[i] = w->faces;
        }
        put_mesh(w, &w->model->mesh[i]);
    }
}

static void put_geom(ShapeWriter *w, const ModelGeom *g, const int *point_start, const int *face_start)
{
    Shapes *s = w->out;
    int i = w->count++;
    if (!s)
        return;
    s->kind[i] = (ShapeKind)g->shape;
    s->joint[i] = g->body;
    s->position[i] = g->position;
    s->orientation[i] = g->orientation;
    enum { COLORS = sizeof of_bodies / sizeof *of_bodies };
    put_color(s->color + 4 * (size_t)i, g->is_colored ? g->color : g->body ? of_bodies[(g->body - 1) % COLORS]
                                                                           : of_world);
    if (g->shape == MODEL_HULL) {
        s->point_start[i] = point_start[g->mesh];
        s->points[i] = w->model->mesh[g->mesh].vertex_count;
        s->face_start[i] = face_start[g->mesh];
        s->faces[i] = w->model->mesh[g->mesh].face_count;
    } else {
        s->size[i] = g->size;
    }
}

/* A spring or tendon over so many points, which the caller adds next. */
static void begin_line(ShapeWriter *w, ShapeKind kind, const double *color, int points)
{
    Shapes *s = w->out;
    int i = w->count++;
    if (!s)
        return;
    s->kind[i] = kind;
    put_color(s->color + 4 * (size_t)i, color);
    s->point_start[i] = w->points;
    s->points[i] = points;
}

/* joint as in SpringElement; SPRING_WORLD: the scene's axes. */
static void put_point(ShapeWriter *w, int joint, Vec3 point)
{
    Shapes *s = w->out;
    int p = w->points++;
    if (!s)
        return;
    if (joint < SPRING_WORLD) {
        s->point_particle[p] = SPRING_PARTICLE(joint);
    } else {
        s->point_joint[p] = joint == SPRING_WORLD ? 0 : joint;
        s->point[p] = point;
    }
}

static void put_springs(ShapeWriter *w, const Springs *springs)
{
    for (int i = 0; springs && i < springs->count; i++) {
        const SpringElement *e = &springs->element[i];
        int is_tendon = e->kind == SPRING_PATH || e->kind == SPRING_PASSIVE;
        if (e->kind == SPRING_TURNING)
            continue;
        begin_line(w, is_tendon ? SHAPE_TENDON : SHAPE_SPRING, is_tendon ? of_tendons : of_springs, 2);
        put_point(w, e->joint_a, e->a);
        put_point(w, e->joint_b, e->b);
    }
}

static void put_tendons(ShapeWriter *w)
{
    const Model *m = w->model;
    for (int t = 0; t < m->tendon_count; t++) {
        const ModelTendon *own = &m->tendon[t];
        begin_line(w, SHAPE_TENDON, of_tendons, own->site_count);
        for (int k = 0; k < own->site_count; k++) {
            const ModelSite *site = &m->site[m->tendon_site[own->site_start + k]];
            put_point(w, site->body, site->position);
        }
    }
}

/* Lines from a particle to the next ones along the axes of its grid, whose first particle is `first`. */
static void put_neighbours(ShapeWriter *w, const ParticleGrid *g, int first, int own, int *left)
{
    const int at[3] = {own % g->size[0], own / g->size[0] % g->size[1], own / g->size[0] / g->size[1]};
    const int next[3] = {1, g->size[0], g->size[0] * g->size[1]};
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] + 1 < g->size[axis] && (*left)-- > 0) {
            begin_line(w, SHAPE_SPRING, of_grids, 2);
            put_point(w, SPRING_PARTICLE(first + own), vec3(0, 0, 0));
            put_point(w, SPRING_PARTICLE(first + own + next[axis]), vec3(0, 0, 0));
        }
}

static void put_grids(ShapeWriter *w)
{
    int first = 0, left = MOST_GRID_SPRINGS;
    for (int i = 0; i < w->def->grid_count; i++) {
        const ParticleGrid *g = &w->def->grid[i];
        int count = g->size[0] * g->size[1] * g->size[2];
        for (int own = 0; own < count && left > 0; own++)
            put_neighbours(w, g, first, own, &left);
        first += count;
    }
}

static void put_all(ShapeWriter *w, int *point_start, int *face_start)
{
    w->count = w->points = w->faces = 0;
    put_meshes(w, point_start, face_start);
    for (int g = 0; g < w->model->geom_count; g++)
        put_geom(w, &w->model->geom[g], point_start, face_start);
    put_springs(w, w->def->springs);
    put_springs(w, w->def->bonds);
    put_tendons(w);
    put_grids(w);
}

Status scene_clip_shapes(const Model *m, const SceneClipDef *def, Clip *out, Error *err)
{
    Arena arena = {0};
    ShapeWriter w = {.model = m, .def = def};
    int *point_start = arena_array(&arena, (size_t)m->mesh_count, 1, sizeof *point_start);
    int *face_start = arena_array(&arena, (size_t)m->mesh_count, 1, sizeof *face_start);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        put_all(&w, NULL, NULL);
    if (!status && w.count > 0) {
        status = shapes_init(&out->shapes, w.count, w.points, w.faces, err);
        out->has_shapes = !status;
    }
    w.out = &out->shapes;
    if (out->has_shapes)
        put_all(&w, point_start, face_start);
    arena_free(&arena);
    return status;
}
