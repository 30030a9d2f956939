#include "formats/gltf/bone_mesh.h"

#include <stdlib.h>

#include "analysis/base/memory.h"

enum { OCTAHEDRON_VERTICES = 24 };

static const double waist_width = 0.09; /* of the bone's length */
static const double waist_place = 0.15; /* along the bone */
static const double ball_radius = 0.01; /* m */
static const double shortest_bone = 1e-4; /* m */

void bone_mesh_free(BoneMesh *mesh)
{
    free(mesh->position);
    free(mesh->normal);
    *mesh = (BoneMesh){0};
}

/* The face a b c, turned so that its normal points away from inside. */
static void add_face(BoneMesh *mesh, Vec3 inside, Vec3 a, Vec3 b, Vec3 c)
{
    Vec3 normal = vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    int outward = vec3_dot(normal, vec3_sub(a, inside)) > 0;
    Vec3 corner[3] = {a, outward ? b : c, outward ? c : b};
    for (int i = 0; i < 3; i++) {
        mesh->position[mesh->vertex_count] = corner[i];
        mesh->normal[mesh->vertex_count++] = outward ? normal : vec3_neg(normal);
    }
}

/* From tail to head, its waist of the given radius at centre. */
static void add_octahedron(BoneMesh *mesh, Vec3 tail, Vec3 head, Vec3 centre, double radius)
{
    Vec3 along = vec3_normalize(vec3_sub(head, tail));
    Vec3 other = fabs(along.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    Vec3 u = vec3_scale(vec3_normalize(vec3_cross(along, other)), radius), v = vec3_cross(along, u);
    Vec3 waist[4] = {vec3_add(centre, u), vec3_add(centre, v), vec3_sub(centre, u), vec3_sub(centre, v)};
    for (int i = 0; i < 4; i++) {
        add_face(mesh, centre, tail, waist[i], waist[(i + 1) % 4]);
        add_face(mesh, centre, head, waist[i], waist[(i + 1) % 4]);
    }
}

static void add_bone(BoneMesh *mesh, Vec3 joint, Vec3 offset)
{
    double length = vec3_norm(offset);
    if (length > shortest_bone)
        add_octahedron(mesh, joint, vec3_add(joint, offset), vec3_mad(joint, waist_place, offset),
                       waist_width * length);
}

static int count_bones(const Skeleton *s, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        count += s->parent[j] == joint;
    for (int e = 0; e < s->end_count; e++)
        count += s->end_parent[e] == joint;
    return count;
}

Status bone_mesh_init(BoneMesh *mesh, const Skeleton *skeleton, const Vec3 *rest, int joint, Error *err)
{
    size_t most = (size_t)count_bones(skeleton, joint) + 1; /* or the ball */
    mesh->vertex_count = 0;
    mesh->position = array_new(most, OCTAHEDRON_VERTICES, sizeof(Vec3));
    mesh->normal = array_new(most, OCTAHEDRON_VERTICES, sizeof(Vec3));
    if (!mesh->position || !mesh->normal) {
        bone_mesh_free(mesh);
        return error_no_memory(err);
    }
    for (int j = joint + 1; j < skeleton->joint_count; j++)
        if (skeleton->parent[j] == joint)
            add_bone(mesh, rest[joint], skeleton->offset[j]);
    for (int e = 0; e < skeleton->end_count; e++)
        if (skeleton->end_parent[e] == joint)
            add_bone(mesh, rest[joint], skeleton->end_offset[e]);
    if (mesh->vertex_count == 0) {
        Vec3 up = vec3(0, ball_radius, 0);
        add_octahedron(mesh, vec3_sub(rest[joint], up), vec3_add(rest[joint], up), rest[joint], ball_radius);
    }
    return STATUS_OK;
}

static const Vec3 stops[TORQUE_COLOUR_STEPS + 1] = {
    {0.0578, 0.0003, 0.0887}, /* #440154 */
    {0.0437, 0.0844, 0.2582}, /* #3b528b */
    {0.0152, 0.2831, 0.2623}, /* #21918c */
    {0.1119, 0.5841, 0.1221}, /* #5ec962 */
    {0.9823, 0.7991, 0.0185}, /* #fde725 */
};

Vec3 torque_colour_first(void) { return stops[0]; }

Vec3 torque_colour_unknown(void) { return vec3(0.3, 0.3, 0.3); }

Vec3 torque_colour_step(int step) { return vec3_sub(stops[step + 1], stops[step]); }

void torque_colour_weights(double nm_kg, float weight[TORQUE_COLOUR_STEPS])
{
    double place = nm_kg / TORQUE_COLOUR_MOST * TORQUE_COLOUR_STEPS;
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        weight[i] = (float)fmin(fmax(place - i, 0), 1); /* fmax takes the number of a number and a NaN */
}
