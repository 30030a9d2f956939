/* A simulated scene for display: its shapes as triangles, each of which moves with its joint and has the colour of
 * the scene, and its marks. */
#include <math.h>
#include <stdlib.h>

#include "analysis/mannequin/human_body.h"
#include "analysis/math/elementary.h"

#define HIDDEN 0.02 /* opacity up to which shapes are hidden */
#define ROD 0.06    /* radius of the rods of bodies without a shape, as a fraction of their length */
#define THIN_ROD 0.01 /* m, largest radius of a rod */
enum { MANY = 150, FLAT_FACES = 80, FINE_SIDES = 20, COARSE_SIDES = 10 };

static const Vec3 rod_tint = {0.55, 0.56, 0.58};

/* A shape being triangulated, with its pose in the pose of the skin. */
typedef struct ShapeBuild {
    MannequinBuild *to;
    Vec3 position;
    Quat orientation;
    int sides; /* number of sides of round shapes */
} ShapeBuild;

static int add_vertex(const ShapeBuild *b, Vec3 own)
{
    return surface_add_vertex(&b->to->surface, vec3_add(b->position, quat_rotate(b->orientation, own)));
}

static void add_quad(const ShapeBuild *b, int p, int q, int r, int s)
{
    surface_add_face(&b->to->surface, p, q, r);
    surface_add_face(&b->to->surface, p, r, s);
}

/* Adds a rectangle, counter-clockwise from outside. */
static void add_flat(const ShapeBuild *b, Vec3 middle, Vec3 right, Vec3 up)
{
    Vec3 low = vec3_sub(middle, up), high = vec3_add(middle, up);
    int p = add_vertex(b, vec3_sub(low, right)), q = add_vertex(b, vec3_add(low, right));
    int r = add_vertex(b, vec3_add(high, right)), s = add_vertex(b, vec3_sub(high, right));
    add_quad(b, p, q, r, s);
}

static void add_box(const ShapeBuild *b, Vec3 half)
{
    const Vec3 edge[3] = {vec3(half.x, 0, 0), vec3(0, half.y, 0), vec3(0, 0, half.z)};
    for (int axis = 0; axis < 3; axis++) {
        Vec3 out = edge[axis], right = edge[(axis + 1) % 3], up = edge[(axis + 2) % 3];
        add_flat(b, out, right, up);
        add_flat(b, vec3_neg(out), up, right);
    }
}

/* A ring about z: its radii and height. */
typedef struct Ring {
    double radius_x, radius_y, z;
} Ring;

static int add_ring(const ShapeBuild *b, Ring ring)
{
    int first = b->to->surface.vertex_count;
    for (int i = 0; i < b->sides; i++) {
        double sine, cosine;
        elementary_sincos(2 * PI * i / b->sides, &sine, &cosine);
        add_vertex(b, vec3(ring.radius_x * cosine, ring.radius_y * sine, ring.z));
    }
    return first;
}

static void add_band(const ShapeBuild *b, int low, int high)
{
    for (int i = 0; i < b->sides; i++) {
        int next = (i + 1) % b->sides;
        add_quad(b, low + i, low + next, high + next, high + i);
    }
}

/* Adds a fan from a ring to a point above it, or below it with is_below. */
static void add_cap(const ShapeBuild *b, int ring, double z, int is_below)
{
    int tip = add_vertex(b, vec3(0, 0, z));
    for (int i = 0; i < b->sides; i++) {
        int next = (i + 1) % b->sides;
        surface_add_face(&b->to->surface, ring + (is_below ? next : i), ring + (is_below ? i : next), tip);
    }
}

/* Adds an ellipsoid whose halves are shifted by `shift` from its middle: a capsule. */
static void add_round(const ShapeBuild *b, Vec3 axis, double shift)
{
    int stacks = b->sides / 2, last = 0, first = 0;
    stacks += stacks % 2; /* even, so that there is a ring at the equator, which a capsule has twice */
    for (int k = 1; k < stacks; k++) {
        double sine, cosine;
        elementary_sincos(PI * k / stacks, &sine, &cosine);
        int rings = 2 * k == stacks && shift > 0 ? 2 : 1;
        for (int t = 0; t < rings; t++) {
            double off = 2 * k < stacks || (rings == 2 && t == 0) ? -shift : shift;
            int ring = add_ring(b, (Ring){axis.x * sine, axis.y * sine, off - axis.z * cosine});
            if (k > 1)
                add_band(b, last, ring);
            first = k == 1 ? ring : first;
            last = ring;
        }
    }
    add_cap(b, first, -axis.z - shift, 1);
    add_cap(b, last, axis.z + shift, 0);
}

/* Adds a cylinder with sharp edges. */
static void add_cylinder(const ShapeBuild *b, double radius, double half)
{
    int low = add_ring(b, (Ring){radius, radius, -half});
    add_band(b, low, add_ring(b, (Ring){radius, radius, half}));
    add_cap(b, add_ring(b, (Ring){radius, radius, -half}), -half, 1);
    add_cap(b, add_ring(b, (Ring){radius, radius, half}), half, 0);
}

/* Adds a mesh: with flat faces if they are few, otherwise smooth. */
static void add_mesh(const ShapeBuild *b, const Shapes *s, int shape)
{
    const Vec3 *point = s->point + s->point_start[shape];
    const int(*face)[3] = (const int(*)[3])s->face + s->face_start[shape];
    int first = b->to->surface.vertex_count, flat = s->faces[shape] <= FLAT_FACES;
    for (int v = 0; !flat && v < s->points[shape]; v++)
        add_vertex(b, point[v]);
    for (int f = 0; f < s->faces[shape]; f++) {
        int v[3];
        for (int k = 0; k < 3; k++)
            v[k] = flat ? add_vertex(b, point[face[f][k]]) : first + face[f][k];
        surface_add_face(&b->to->surface, v[0], v[1], v[2]);
    }
}

/* Adds a shape. Infinite planes are not shown: pages draw their own ground. */
static void add_shape(const ShapeBuild *b, const Shapes *s, int i)
{
    Vec3 size = s->size[i];
    switch (s->kind[i]) {
    case SHAPE_SPHERE: add_round(b, vec3(size.x, size.x, size.x), 0); break;
    case SHAPE_CAPSULE: add_round(b, vec3(size.x, size.x, size.x), size.y); break;
    case SHAPE_CYLINDER: add_cylinder(b, size.x, size.y); break;
    case SHAPE_BOX: add_box(b, size); break;
    case SHAPE_ELLIPSOID: add_round(b, size, 0); break;
    case SHAPE_MESH: add_mesh(b, s, i); break;
    case SHAPE_PLANE:
        if (size.x > 0 && size.y > 0) {
            add_flat(b, vec3(0, 0, 0), vec3(size.x, 0, 0), vec3(0, size.y, 0));
            add_flat(b, vec3(0, 0, 0), vec3(0, size.y, 0), vec3(size.x, 0, 0));
        }
        break;
    default: break;
    }
}

static int is_shown(const Shapes *s, int i) { return shape_is_solid(s->kind[i]) && s->color[4 * i + 3] > HIDDEN; }

/* Binds the new vertices to the joint and gives them the colour. */
static Status finish_shape(MannequinBuild *b, int joint, Vec3 tint, Error *err)
{
    Status status = mannequin_bind(b, joint, err);
    Vec3 *more = status ? NULL : realloc(b->tint, ((size_t)b->surface.vertex_count + 1) * sizeof *more);
    if (!more)
        return status ? status : error_no_memory(err);
    b->tint = more;
    for (; b->tint_count < b->surface.vertex_count; b->tint_count++)
        b->tint[b->tint_count] = tint;
    return STATUS_OK;
}

/* Adds a rod from a joint without a shape to its child. */
static Status add_rod(MannequinBuild *b, int joint, Vec3 along, Error *err)
{
    double length = vec3_norm(along), radius = fmin(ROD * length, THIN_ROD);
    Vec3 middle = vec3_mad(b->position[joint], 0.5, along);
    ShapeBuild own = {b, middle, quat_between(vec3(0, 0, 1), along), COARSE_SIDES};
    if (!(length > 0))
        return STATUS_OK;
    add_round(&own, vec3(radius, radius, radius), 0.5 * length);
    return finish_shape(b, joint, rod_tint, err);
}

/* Adds rods for bodies without a shape, such as those of a robot whose meshes are missing. */
static Status add_rods(MannequinBuild *b, const unsigned char *has_shape, Error *err)
{
    const Skeleton *s = b->skeleton;
    Status status = STATUS_OK;
    for (int j = 1; j < s->joint_count && !status; j++)
        if (s->parent[j] > 0 && !has_shape[s->parent[j]])
            status = add_rod(b, s->parent[j], s->offset[j], err);
    for (int e = 0; e < s->end_count && !status; e++)
        if (s->end_parent[e] > 0 && !has_shape[s->end_parent[e]])
            status = add_rod(b, s->end_parent[e], s->end_offset[e], err);
    return status;
}

Status scene_body(MannequinBuild *b, const Shapes *s, Error *err)
{
    unsigned char *has_shape = arena_array(&b->arena, (size_t)b->skeleton->joint_count, 1, 1);
    Status status = has_shape ? STATUS_OK : error_no_memory(err);
    if (!status)
        skeleton_rest_positions(b->skeleton, b->position);
    for (int j = 0; j < b->skeleton->joint_count; j++)
        b->bone[j] = (Bone){.joint = j, .from = -1};
    b->bone_count = b->skeleton->joint_count;
    b->is_rigid = 1;
    for (int i = 0; i < s->count && !status; i++) {
        const double *color = s->color + 4 * i;
        ShapeBuild own = {b, vec3_add(b->position[s->joint[i]], s->position[i]), s->orientation[i],
                          s->count > MANY ? COARSE_SIDES : FINE_SIDES};
        if (!is_shown(s, i))
            continue;
        add_shape(&own, s, i);
        has_shape[s->joint[i]] = 1;
        status = finish_shape(b, s->joint[i], vec3(color[0], color[1], color[2]), err);
    }
    return status ? status : add_rods(b, has_shape, err);
}
