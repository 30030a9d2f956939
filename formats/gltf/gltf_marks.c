/* Springs, tendons, particles, contact forces and the ball as animated nodes, with three meshes and a material per
 * colour and mesh. */
#include <math.h>
#include <string.h>

#include "analysis/mannequin/scene_marks.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/forward_kinematics.h"
#include "formats/gltf/gltf_clip_internal.h"

enum { SIDES = 12, RINGS = 6 };

static const char *const names[] = {"line", "dot", "force"};
static const Vec3 of_ball = {0.86, 0.55, 0.12};

/* A surface of revolution about y: radius and height of its rings, bottom to top. */
typedef struct Turned {
    int count;
    double radius[RINGS + 1], height[RINGS + 1];
} Turned;

/* Returns a shape of radius and length 1: a rod about its midpoint, a ball, an arrow from 0 to 1. */
static Turned turned_profile(MarkKind kind)
{
    if (kind == MARK_LINE)
        return (Turned){4, {0, 1, 1, 0}, {-0.5, -0.5, 0.5, 0.5}};
    if (kind == MARK_FORCE)
        return (Turned){5, {0, 1, 1, 2.7, 0}, {0, 0, 0.8, 0.8, 1}};
    Turned p = {RINGS + 1, {0}, {0}};
    for (int k = 0; k <= RINGS; k++) {
        double cosine;
        elementary_sincos(PI * k / RINGS, &p.radius[k], &cosine);
        p.height[k] = -cosine;
    }
    return p;
}

/* Computes vertex k of a surface and its normal. Each band between two rings has its own vertices for sharp edges;
 * normals of a ball are radial. */
static Vec3 turned_vertex(const Turned *p, size_t k, int is_ball, Vec3 *normal)
{
    size_t band = k / 2 / (SIDES + 1), ring = band + k % 2;
    double sine, cosine, rise = p->height[band + 1] - p->height[band], out = p->radius[band] - p->radius[band + 1];
    elementary_sincos(2 * PI * (double)(k / 2 % (SIDES + 1)) / SIDES, &sine, &cosine);
    Vec3 own = vec3(p->radius[ring] * cosine, p->height[ring], -p->radius[ring] * sine);
    *normal = is_ball ? own : vec3_normalize(vec3(rise * cosine, out, -rise * sine));
    return own;
}

static Status add_mesh(GltfArrays *a, MarkKind kind, GltfMarkMesh *mesh, Error *err)
{
    Turned p = turned_profile(kind);
    Vec3 normal;
    size_t bands = (size_t)(p.count - 1), vertices = 2 * (SIDES + 1) * bands;
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, vertices, GLTF_VERTEX, &mesh->position);
    for (size_t k = 0; to && k < vertices; k++)
        to = gltf_put_vector(to, turned_vertex(&p, k, kind == MARK_DOT, &normal));
    to = to ? gltf_add_floats(&a->binary, GLTF_VEC3, vertices, GLTF_VERTEX, &mesh->normal) : NULL;
    for (size_t k = 0; to && k < vertices; k++) {
        turned_vertex(&p, k, kind == MARK_DOT, &normal);
        to = gltf_put_vector(to, normal);
    }
    size_t corners = 6 * SIDES * bands;
    uint16_t *index = to ? gltf_add_integers(&a->binary, GLTF_SCALAR, corners, GLTF_INDEX, &mesh->index) : NULL;
    for (size_t i = 0; index && i < SIDES * bands; i++) {
        size_t low = 2 * (i / SIDES * (SIDES + 1) + i % SIDES);
        const size_t corner[6] = {low, low + 2, low + 3, low, low + 3, low + 1};
        for (int m = 0; m < 6; m++)
            *index++ = (uint16_t)corner[m];
    }
    return index ? STATUS_OK : error_no_memory(err);
}

/* Returns the look with this mesh and colour; adds it if new, or reuses the last one if the table is full. */
static int find_look(GltfMarks *m, MarkKind kind, Vec3 tint)
{
    for (int i = 0; i < m->look_count; i++)
        if (m->look[i].kind == kind && vec3_distance(m->look[i].tint, tint) < 1e-9)
            return i;
    if (m->look_count == GLTF_MAX_LOOKS)
        return m->look_count - 1;
    m->look[m->look_count] = (GltfLook){kind, tint};
    return m->look_count++;
}

/* The keys of a mark in one frame. */
typedef struct MarkPose {
    Vec3 position, scale;
    Quat rotation;
} MarkPose;

static MarkPose mark_pose(MarkKind kind, double radius, Vec3 from, Vec3 to)
{
    Vec3 line = vec3_sub(to, from);
    double length = vec3_norm(line);
    if (kind == MARK_DOT)
        return (MarkPose){from, vec3(radius, radius, radius), QUAT_IDENTITY};
    Vec3 position = kind == MARK_LINE ? vec3_mad(from, 0.5, line) : from;
    Quat rotation = length > 0 ? quat_between(vec3(0, 1, 0), line) : QUAT_IDENTITY;
    return (MarkPose){position, vec3(radius, length, radius), rotation};
}

/* State while the marks of a clip are written. */
typedef struct MarkWriter {
    GltfArrays *to;
    const Clip *clip;
    SceneMarks marks;
    Vec3 *position;    /* [frame][joint] m, world */
    Quat *orientation; /* [frame][joint] joint to world */
    MarkPose *pose;    /* [frame] of the current mark */
} MarkWriter;

/* Computes the world end points of mark i in a frame; the last mark is the ball. Returns 0 if it is absent. */
static int place_mark(const MarkWriter *w, int i, int frame, Vec3 end[2])
{
    size_t row = (size_t)frame * (size_t)w->clip->skeleton.joint_count;
    if (i < w->marks.count)
        return scene_mark_pose(&w->marks, i, frame, w->position + row, w->orientation + row, end);
    end[0] = end[1] = w->to->def.run->ball[frame];
    return isfinite(end[0].x + end[0].y + end[0].z);
}

static void find_poses(const MarkWriter *w, int i, MarkKind kind, double radius)
{
    Vec3 end[2] = {{0, 0, 0}, {0, 0, 0}};
    Quat before = QUAT_IDENTITY;
    for (int f = 0; f < w->clip->motion.frame_count; f++) {
        int is_there = place_mark(w, i, f, end);
        w->pose[f] = is_there ? mark_pose(kind, radius, end[0], end[1]) : (MarkPose){{0, 0, 0}, {0, 0, 0}, before};
        before = w->pose[f].rotation = quat_nearest(w->pose[f].rotation, before);
    }
}

/* Adds a mark. Each array is filled before the next is added, because that may move the buffer. */
static Status add_mark(MarkWriter *w, int i, Error *err)
{
    GltfBinary *b = &w->to->binary;
    GltfMark *mark = &w->to->marks.mark[i];
    size_t frames = (size_t)w->clip->motion.frame_count;
    int is_ball = i == w->marks.count;
    MarkKind kind = is_ball ? MARK_DOT : w->marks.mark[i].kind;
    find_poses(w, i, kind, is_ball ? w->to->def.run->ball_radius : w->marks.mark[i].radius * w->marks.size);
    *mark = (GltfMark){find_look(&w->to->marks, kind, is_ball ? of_ball : w->marks.mark[i].tint), GLTF_NONE, GLTF_NONE,
                       GLTF_NONE};
    float *to = gltf_add_floats(b, GLTF_VEC3, frames, GLTF_PLAIN, &mark->translation);
    for (size_t f = 0; to && f < frames; f++)
        to = gltf_put_vector(to, w->pose[f].position);
    int rotates = to && kind != MARK_DOT;
    to = rotates ? gltf_add_floats(b, GLTF_VEC4, frames, GLTF_PLAIN, &mark->rotation) : to;
    for (size_t f = 0; to && rotates && f < frames; f++) {
        Quat q = w->pose[f].rotation;
        to = gltf_put_vector(to, vec3(q.x, q.y, q.z));
        *to++ = (float)q.w;
    }
    to = to ? gltf_add_floats(b, GLTF_VEC3, frames, GLTF_PLAIN, &mark->scale) : NULL;
    for (size_t f = 0; to && f < frames; f++)
        to = gltf_put_vector(to, w->pose[f].scale);
    return to ? STATUS_OK : error_no_memory(err);
}

/* Returns the longest side of the bounding box of the body in the first frame, m. */
static double mark_size(const MarkWriter *w, const Mannequin *body)
{
    Vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int v = 0; v < body->vertex_count; v++) {
        int j = body->joint[v][0];
        Vec3 own = quat_rotate_inverse(body->joint_orientation[j],
                                       vec3_sub(body->position[v], body->joint_position[j]));
        Vec3 at = vec3_add(w->position[j], quat_rotate(w->orientation[j], own));
        if (j == 0)
            continue;
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    double size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    return size > 0 && isfinite(size) ? size : 1;
}

static Status prepare(MarkWriter *w, const Mannequin *body, Arena *arena, Error *err)
{
    size_t frames = (size_t)w->clip->motion.frame_count, joints = (size_t)w->clip->skeleton.joint_count;
    ClipView view = {.skeleton = &w->clip->skeleton, .motion = &w->clip->motion};
    w->position = arena_array(arena, frames, joints, sizeof *w->position);
    w->orientation = arena_array(arena, frames, joints, sizeof *w->orientation);
    w->pose = arena_array(arena, frames, 1, sizeof *w->pose);
    Status status = arena->failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&view, LANES_SCALAR, &(WorldPoses){w->position, w->orientation, NULL}, err);
    int has_forces = w->to->def.run != NULL;
    return status ? status : scene_marks_init(&w->marks, w->clip, mark_size(w, body), has_forces, arena, err);
}

static int has_ball(const GltfArrays *a) { return a->def.run && a->def.run->ball; }

Status gltf_marks_add(GltfArrays *a, const Clip *clip, const Mannequin *body, Error *err)
{
    Arena arena = {0};
    MarkWriter w = {.to = a, .clip = clip};
    if (!clip->has_shapes && !a->def.run)
        return STATUS_OK;
    Status status = prepare(&w, body, &arena, err);
    int count = w.marks.count + has_ball(a);
    a->marks.mark = status ? NULL : array_new((size_t)count, 1, sizeof *a->marks.mark);
    if (!status && !a->marks.mark)
        status = error_no_memory(err);
    for (int kind = 0; kind < GLTF_MARK_MESHES && count > 0 && !status; kind++)
        status = add_mesh(a, (MarkKind)kind, &a->marks.mesh[kind], err);
    for (; a->marks.count < count && !status; a->marks.count++)
        status = add_mark(&w, a->marks.count, err);
    arena_free(&arena);
    return status;
}

/* Approximates the sRGB transfer function to 0.003. */
static double linear(double x) { return x * (x * (x * 0.305306011 + 0.682171111) + 0.012522878); }

Vec3 gltf_linear(Vec3 tint) { return vec3(linear(tint.x), linear(tint.y), linear(tint.z)); }

void gltf_marks_put_materials(const GltfMarks *m, Json *json)
{
    for (int i = 0; i < m->look_count; i++) {
        Vec3 c = gltf_linear(m->look[i].tint);
        json_print(json, "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4g,%.4g,%.4g,1],"
                   "\"metallicFactor\":0,\"roughnessFactor\":1}}", names[m->look[i].kind], c.x, c.y, c.z);
    }
}

void gltf_marks_put_meshes(const GltfMarks *m, int first_material, Json *json)
{
    for (int i = 0; i < m->look_count; i++) {
        const GltfMarkMesh *mesh = &m->mesh[m->look[i].kind];
        json_line(json, "");
        json_print(json, "{\"name\":\"%s\",\"primitives\":[{\"material\":%d,\"indices\":%d,"
                   "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d}}]}",
                   names[m->look[i].kind], first_material + i, mesh->index, mesh->position, mesh->normal);
    }
}

void gltf_marks_put_nodes(const GltfMarks *m, int first_mesh, Json *json)
{
    for (int i = 0; i < m->count; i++) {
        json_line(json, "");
        json_print(json, "{\"name\":\"%s %d\",\"mesh\":%d}", names[m->look[m->mark[i].look].kind], i,
                   first_mesh + m->mark[i].look);
    }
}
