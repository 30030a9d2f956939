/* Converts the bodies of a model into skeleton and body of a clip, and geoms, springs, tendons and grids into its
 * shapes. */
#include <stdio.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/sim/scene_clip.h"

Quat scene_up_turn(const Model *m, const char **up)
{
    static const struct { Vec3 axis; const char *name; } ups[] = {
        {{0, 0, 1}, "Z"},   {{0, 1, 0}, "Y"},   {{1, 0, 0}, "X"},
        {{0, 0, -1}, "-Z"}, {{0, -1, 0}, "-Y"}, {{-1, 0, 0}, "-X"}};
    double size = vec3_norm(m->gravity);
    size_t found = 0;
    for (size_t k = 0; k < sizeof ups / sizeof *ups; k++)
        if (size > 0 && vec3_dot(ups[k].axis, m->gravity) < -0.999999 * size)
            found = k;
    *up = ups[found].name;
    return quat_between(ups[found].axis, vec3(0, 1, 0));
}

int scene_translates(const Model *m, int body)
{
    const ModelBody *b = &m->body[body];
    for (int j = b->joint_start; j < b->joint_start + b->joint_count; j++)
        if (m->joint[j].kind == MODEL_SLIDE || m->joint[j].kind == MODEL_FREE || vec3_norm(m->joint[j].anchor) > 0)
            return 1;
    return 0;
}

static int is_leaf(const Model *m, int body)
{
    for (int b = body + 1; b < m->body_count; b++)
        if (m->body[b].parent == body)
            return 0;
    return body > 0 && vec3_norm(m->body[body].com) > 0;
}

static Status fill_skeleton(const Model *m, Skeleton *s, Error *err)
{
    int ends = 0;
    for (int b = 0; b < m->body_count; b++)
        ends += is_leaf(m, b);
    Status status = skeleton_init(s, m->body_count, ends, err);
    ends = 0;
    for (int b = 0; !status && b < m->body_count; b++) {
        char number[32];
        snprintf(number, sizeof number, "body%d", b);
        status = skeleton_set_name(s, b, *m->body[b].name ? m->body[b].name : number, err);
        s->parent[b] = m->body[b].parent;
        s->offset[b] = m->body[b].position;
        if (!status && is_leaf(m, b)) { /* end site: twice the distance from the joint to the centre of mass */
            s->end_parent[ends] = b;
            s->end_offset[ends++] = vec3_scale(m->body[b].com, 2);
        }
    }
    return status;
}

Status scene_clip_bodies(const Model *m, Clip *out, Error *err)
{
    *out = (Clip){0};
    Status status = fill_skeleton(m, &out->skeleton, err);
    if (!status)
        status = body_init(&out->body, m->body_count, err);
    for (int b = 1; !status && b < m->body_count; b++) {
        out->body.mass[b] = m->body[b].mass;
        out->body.com[b] = m->body[b].com;
        out->body.inertia[b] = m->body[b].inertia;
        out->body.total_mass += m->body[b].mass;
    }
    if (status) {
        clip_free(out);
        return status;
    }
    snprintf(out->body.model, sizeof out->body.model, "scene");
    out->has_body = 1;
    return STATUS_OK;
}

/* ---- Degrees of freedom ---- */

/* Name of a degree of freedom: "elbow"; of a ball "wrist_x", of a free joint "trunk_tx", "trunk_rx". A joint without a
 * name has that of its body, with a number if the body has several. */
static Status name_row(const Model *m, const ModelJoint *j, int place, Dofs *d, Error *err)
{
    static const char *const suffix[MODEL_JOINT_KIND_COUNT][DOFS_PER_FREE] = {
        [MODEL_HINGE] = {""}, [MODEL_SLIDE] = {""}, [MODEL_BALL] = {"_x", "_y", "_z"},
        [MODEL_FREE] = {"_tx", "_ty", "_tz", "_rx", "_ry", "_rz"}};
    const ModelBody *body = &m->body[j->body];
    char name[128], number[16] = "";
    if (!*j->name && body->joint_count > 1)
        snprintf(number, sizeof number, "%d", (int)(j - m->joint) - body->joint_start + 1);
    if (*j->name)
        snprintf(name, sizeof name, "%.100s%s", j->name, suffix[j->kind][place]);
    else if (*body->name)
        snprintf(name, sizeof name, "%.90s%s%s", body->name, number, suffix[j->kind][place]);
    else
        snprintf(name, sizeof name, "body%d%s%s", j->body, number, suffix[j->kind][place]);
    return dofs_set_name(d, j->v_start + place, name, err);
}

static void put_limits(const ModelJoint *j, int row, Dofs *d)
{
    double *range = d->range + (size_t)DOF_BOUNDS * (size_t)row, *effort = d->effort_limit + DOF_BOUNDS * (size_t)row;
    if (j->limited && j->kind != MODEL_BALL) {
        range[0] = j->min;
        range[1] = j->max;
    }
    if (j->force_limited) {
        effort[0] = j->force_min;
        effort[1] = j->force_max;
    }
}

static void put_row(const Model *m, const ModelJoint *j, int place, Dofs *d)
{
    static const DofKind kind[] = {[MODEL_HINGE] = DOF_HINGE, [MODEL_SLIDE] = DOF_SLIDE, [MODEL_BALL] = DOF_BALL,
                                   [MODEL_FREE] = DOF_FREE};
    int row = j->v_start + place, along = place % DOFS_PER_BALL;
    d->joint[row] = j->body;
    d->kind[row] = kind[j->kind];
    d->axis[row] = j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE ? j->axis
                                                                     : vec3(along == 0, along == 1, along == 2);
    d->anchor[row] = j->kind == MODEL_FREE ? vec3(0, 0, 0) : j->anchor;
    d->zero[row] = j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE ? j->reference : 0;
    d->rest_rotation[row] = j->kind == MODEL_FREE ? QUAT_IDENTITY : m->body[j->body].orientation;
    d->armature[row] = j->armature;
    put_limits(j, row, d);
}

/* An equality between a joint and another one, or a constant, which locks it. */
static void put_coupling(const Model *m, const ModelEquality *e, Dofs *d)
{
    int row = m->joint[e->first].v_start;
    if (e->kind != MODEL_COUPLE || m->off.no_equality)
        return;
    d->locked[row] = e->second < 0;
    d->coupled_to[row] = e->second < 0 ? -1 : m->joint[e->second].v_start;
    for (int k = 0; k < DOF_TERMS && e->second >= 0; k++)
        d->coupling[DOF_TERMS * row + k] = e->polynomial[k];
}

Status scene_clip_dofs(const Model *m, int frames, Clip *out, Error *err)
{
    static const char *const moving[] = {"position", "velocity", "acceleration", "effort", "actuator_force",
                                         "passive_force", "applied_force", "constraint_force", "contact_force"};
    Status status = dofs_init(&out->dof, frames, m->v_count, err);
    out->has_dof = !status;
    for (size_t i = 0; i < sizeof moving / sizeof *moving && !status; i++)
        status = group_add(GROUP_DOF, &out->dof, moving[i], err);
    for (int i = 0; i < m->joint_count; i++)
        for (int k = 0; k < model_joint_speeds(m->joint[i].kind) && !status; k++) {
            put_row(m, &m->joint[i], k, &out->dof);
            status = name_row(m, &m->joint[i], k, &out->dof, err);
        }
    for (int i = 0; i < m->equality_count && !status; i++)
        put_coupling(m, &m->equality[i], &out->dof);
    return status;
}

/* ---- Geoms, springs, tendons and grids of a scene as shapes of a clip ---- */

_Static_assert((int)MODEL_SPHERE == (int)SHAPE_SPHERE && (int)MODEL_CAPSULE == (int)SHAPE_CAPSULE &&
                   (int)MODEL_CYLINDER == (int)SHAPE_CYLINDER && (int)MODEL_BOX == (int)SHAPE_BOX &&
                   (int)MODEL_ELLIPSOID == (int)SHAPE_ELLIPSOID && (int)MODEL_PLANE == (int)SHAPE_PLANE &&
                   (int)MODEL_HULL == (int)SHAPE_MESH && (int)MODEL_SHAPE_COUNT == (int)SHAPE_SPRING,
               "a geom's shape is a shape's kind");

enum { MAX_GRID_SPRINGS = 4000 };  /* is recorded */

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
    int first = 0, left = MAX_GRID_SPRINGS;
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
