/* Moments and convex hulls of triangle meshes (model.h). */
#include "analysis/model/mesh.h"

#include <math.h>
#include <string.h>

/* Hulls are computed on a grid: coordinates are whole numbers up to GRID, so that 128 bits hold the volume of four
 * points. With exact signs a hull stays convex however thin its triangles are; rounded signs need faces merged (Barber
 * et al., section 4). */
#define GRID 549755813888.0 /* 2^39: a step is 1.8e-12 of the size */

/* Grid steps above which the sign of a rounded distance is certain; it is rounded by at most 1e-3. */
#define CERTAIN 1.0

/* ---- Integrals over a mesh ---- */

typedef struct Sums {
    double volume;
    Vec3 moment;
    double product[6]; /* xx, yy, zz, xy, xz, yz: integrals of x_i x_j */
} Sums;

static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* Corners of a face relative to an origin; returns six times the signed volume of its tetrahedron with the origin. */
static double corners(const MeshTriangles *m, int face, Vec3 origin, Vec3 at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = vec3_sub(m->vertex[m->face[face][k]], origin);
    return vec3_dot(at[0], vec3_cross(at[1], at[2]));
}

static double triangle_area(const Vec3 at[3])
{
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0])));
}

static Vec3 corner_sum(const Vec3 at[3]) { return vec3_add(at[0], vec3_add(at[1], at[2])); }

/* Adds the integrals over a tetrahedron with a corner at the origin, or over a triangle: those of x_i x_j are size / n
 * times the sum of v v' over the corners and (sum v)(sum v)', with n = 20 or 12. */
static void add_part(Sums *s, double size, const Vec3 at[3], int is_shell)
{
    Vec3 sum = corner_sum(at);
    double share = size / (is_shell ? 12 : 20);
    s->volume += size;
    s->moment = vec3_mad(s->moment, size / (is_shell ? 3 : 4), sum);
    for (int p = 0; p < 6; p++) {
        int i = pairs[p][0], k = pairs[p][1];
        double own = vec3_component(sum, i) * vec3_component(sum, k);
        for (int c = 0; c < 3; c++)
            own += vec3_component(at[c], i) * vec3_component(at[c], k);
        s->product[p] += share * own;
    }
}

/* Sums all parts about an origin. */
static Sums add_parts(const MeshTriangles *m, MeshInertia mode, Vec3 origin)
{
    Sums s = {0};
    for (int f = 0; f < m->face_count; f++) {
        Vec3 at[3];
        double volume = corners(m, f, origin, at) / 6;
        add_part(&s, mode == MESH_SHELL ? triangle_area(at) : mode == MESH_LEGACY ? fabs(volume) : volume, at,
                 mode == MESH_SHELL);
    }
    return s;
}

/* Centroid of the faces, weighted by area. */
static Vec3 face_middle(const MeshTriangles *m)
{
    Vec3 sum = vec3(0, 0, 0);
    double all = 0;
    for (int f = 0; f < m->face_count; f++) {
        Vec3 at[3];
        corners(m, f, vec3(0, 0, 0), at);
        double area = triangle_area(at);
        sum = vec3_mad(sum, area / 3, corner_sum(at));
        all += area;
    }
    return all > 0 ? vec3_scale(sum, 1 / all) : sum;
}

MeshMoments mesh_moments(const MeshTriangles *m, MeshInertia mode)
{
    Vec3 origin = face_middle(m);
    Sums s = add_parts(m, mode, origin);
    MeshMoments out = {s.volume, origin, {0, 0, 0, 0, 0, 0}};
    if (s.volume == 0)
        return out;
    out.com = vec3_mad(origin, 1 / s.volume, s.moment);
    s = add_parts(m, mode, out.com);
    const double *p = s.product;
    out.volume = s.volume;
    out.inertia = (Sym3){p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5]};
    return out;
}

/* ---- Convex hull ---- */

typedef struct Face {
    int v[3], beside[3]; /* vertices; beside[k]: the face across the edge from v[k] to v[k + 1] */
    Vec3 normal;
    int outside, farthest; /* first vertex of the list outside this face, and the farthest of it; -1: none */
    double far;
    int is_gone, is_seen;
} Face;

typedef struct Hull {
    Vec3 *at; /* [count] steps of the grid */
    int count, face_count, face_room;
    Face *face;
    int *next;      /* [count] next vertex in the list of a face; -1: last */
    int *new_face;  /* [count] new face that begins at a vertex of the horizon */
    int *stack;     /* faces to visit */
    Arena *memory;
} Hull;

__extension__ typedef __int128 Wide;

/* Vector area of a triangle, times two, without rounding. */
static void area_vector(const Hull *h, const int v[3], Wide n[3])
{
    Vec3 a = vec3_sub(h->at[v[1]], h->at[v[0]]), b = vec3_sub(h->at[v[2]], h->at[v[0]]);
    n[0] = (Wide)a.y * (Wide)b.z - (Wide)a.z * (Wide)b.y;
    n[1] = (Wide)a.z * (Wide)b.x - (Wide)a.x * (Wide)b.z;
    n[2] = (Wide)a.x * (Wide)b.y - (Wide)a.y * (Wide)b.x;
}

static double above(const Hull *h, const Face *f, int v)
{
    return vec3_dot(f->normal, vec3_sub(h->at[v], h->at[f->v[0]]));
}

static int is_above(const Hull *h, const Face *f, int v)
{
    double far = above(h, f, v);
    if (fabs(far) > CERTAIN)
        return far > 0;
    Wide n[3];
    area_vector(h, f->v, n);
    Vec3 to = vec3_sub(h->at[v], h->at[f->v[0]]);
    return n[0] * (Wide)to.x + n[1] * (Wide)to.y + n[2] * (Wide)to.z > 0;
}

/* Returns -1 if out of memory. */
static int add_face(Hull *h, int a, int b, int c)
{
    if (h->face_count == h->face_room) {
        int room = 2 * h->face_room + 64;
        Face *grown = arena_array(h->memory, (size_t)room, 1, sizeof *grown);
        h->stack = arena_array(h->memory, (size_t)room, 1, sizeof *h->stack);
        if (!grown || !h->stack)
            return -1;
        if (h->face_count)
            memcpy(grown, h->face, (size_t)h->face_count * sizeof *grown);
        h->face = grown;
        h->face_room = room;
    }
    Face *f = &h->face[h->face_count];
    *f = (Face){.v = {a, b, c}, .beside = {-1, -1, -1}, .outside = -1, .farthest = -1};
    Wide n[3];
    area_vector(h, f->v, n);
    f->normal = vec3_normalize(vec3((double)n[0], (double)n[1], (double)n[2]));
    return h->face_count++;
}

/* Assigns a vertex to the first face from first_face on that it lies outside of; a vertex inside all of them is
 * dropped. */
static void give(Hull *h, int v, int first_face)
{
    for (int i = first_face; i < h->face_count; i++) {
        Face *f = &h->face[i];
        if (f->is_gone || !is_above(h, f, v))
            continue;
        double far = above(h, f, v);
        h->next[v] = f->outside;
        f->outside = v;
        if (f->farthest < 0 || far > f->far) {
            f->farthest = v;
            f->far = far;
        }
        return;
    }
}

static int farthest(const Hull *h, Vec3 from, Vec3 along, Vec3 normal, double *max)
{
    int best = 0;
    *max = -1;
    for (int i = 0; i < h->count; i++) {
        Vec3 to = vec3_sub(h->at[i], from);
        double size = vec3_norm(normal) > 0 ? fabs(vec3_dot(to, normal))
                                            : vec3_norm(vec3_mad(to, -vec3_dot(to, along), along));
        if (size > *max) {
            *max = size;
            best = i;
        }
    }
    return best;
}

/* Places the vertices on the grid. Returns 0 if they coincide or their distances overflow. */
static int place(Hull *h, const Vec3 *vertex)
{
    double size = 0;
    for (int i = 0; i < h->count; i++) {
        Vec3 to = vec3_sub(vertex[i], vertex[0]);
        size = fmax(size, fmax(fabs(to.x), fmax(fabs(to.y), fabs(to.z))));
    }
    double scale = GRID / size;
    for (int i = 0; i < h->count; i++) {
        Vec3 to = vec3_scale(vec3_sub(vertex[i], vertex[0]), scale);
        h->at[i] = vec3(rint(to.x), rint(to.y), rint(to.z));
    }
    return scale > 0 && isfinite(scale);
}

/* Finds four vertices that span a volume; 0: there are none. */
static int find_tetrahedron(Hull *h, int v[4])
{
    Vec3 none = vec3(0, 0, 0);
    double max;
    v[0] = farthest(h, h->at[0], none, none, &max);
    v[1] = farthest(h, h->at[v[0]], none, none, &max);
    double size = max;
    Vec3 along = vec3_sub(h->at[v[1]], h->at[v[0]]);
    along = size > 0 ? vec3_scale(along, 1 / size) : along;
    v[2] = farthest(h, h->at[v[0]], along, none, &max);
    if (!(max > 1e-6 * size))
        return 0;
    Vec3 normal = vec3_normalize(vec3_cross(along, vec3_sub(h->at[v[2]], h->at[v[0]])));
    v[3] = farthest(h, h->at[v[0]], along, normal, &max);
    return max > 1e-6 * size;
}

static void link_all(Hull *h)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            for (int other = 0; other < 4; other++)
                for (int e = 0; e < 3; e++)
                    if (h->face[other].v[e] == h->face[i].v[(k + 1) % 3] &&
                        h->face[other].v[(e + 1) % 3] == h->face[i].v[k])
                        h->face[i].beside[k] = other;
}

static int begin(Hull *h)
{
    int v[4];
    if (!find_tetrahedron(h, v))
        return 0;
    Vec3 n = vec3_cross(vec3_sub(h->at[v[1]], h->at[v[0]]), vec3_sub(h->at[v[2]], h->at[v[0]]));
    if (vec3_dot(n, vec3_sub(h->at[v[3]], h->at[v[0]])) > 0) {
        int other = v[1];
        v[1] = v[2];
        v[2] = other;
    }
    const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (int f = 0; f < 4; f++)
        add_face(h, v[faces[f][0]], v[faces[f][1]], v[faces[f][2]]);
    if (h->face_count < 4)
        return 0;
    link_all(h);
    for (int i = 0; i < h->count; i++)
        give(h, i, 0);
    return 1;
}

/* Marks the faces visible from a vertex, starting from one, and lists them on the stack; returns their number. */
static int see(Hull *h, int v, int from)
{
    int count = 1;
    h->stack[0] = from;
    h->face[from].is_seen = 1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            int beside = h->face[h->stack[i]].beside[k];
            if (!h->face[beside].is_seen && is_above(h, &h->face[beside], v)) {
                h->face[beside].is_seen = 1;
                h->stack[count++] = beside;
            }
        }
    return count;
}

/* Replaces the visible faces by faces from the vertex to the horizon. Returns 0 if out of memory. */
static int cover(Hull *h, int v, int seen, int first_new)
{
    int *stack = h->stack;
    for (int i = 0; i < seen; i++)
        for (int k = 0; k < 3; k++) {
            int old = stack[i], beside = h->face[old].beside[k], a = h->face[old].v[k], b = h->face[old].v[(k + 1) % 3];
            if (h->face[beside].is_seen)
                continue;
            int made = add_face(h, a, b, v);
            if (made < 0)
                return 0;
            h->face[made].beside[0] = beside;
            for (int e = 0; e < 3; e++)
                if (h->face[beside].v[e] == b && h->face[beside].v[(e + 1) % 3] == a)
                    h->face[beside].beside[e] = made;
            h->new_face[a] = made;
        }
    for (int i = first_new; i < h->face_count; i++) { /* the next face begins at v[1] */
        int next = h->new_face[h->face[i].v[1]];
        h->face[i].beside[1] = next;
        h->face[next].beside[2] = i;
    }
    return 1;
}

/* Adds the vertex farthest above a face to the hull. Returns 0 if out of memory. */
static int grow(Hull *h, int face)
{
    int v = h->face[face].farthest, first_new = h->face_count, seen = see(h, v, face);
    int *stack = h->stack;
    if (!cover(h, v, seen, first_new))
        return 0;
    for (int i = 0; i < seen; i++) {
        Face *f = &h->face[stack[i]];
        f->is_gone = 1;
        for (int rest = f->outside, next; rest >= 0; rest = next) {
            next = h->next[rest];
            if (rest != v)
                give(h, rest, first_new);
        }
    }
    return 1;
}

/* Copies the vertices of the remaining faces, renumbered in order, and the faces. */
static Status hull_to_mesh(Hull *h, const Vec3 *vertex, Vec3 origin, Arena *memory, ModelMesh *out, Error *err)
{
    int *number = h->new_face;
    out->vertex_count = out->face_count = 0;
    for (int i = 0; i < h->count; i++)
        number[i] = -1;
    for (int i = 0; i < h->face_count; i++)
        for (int k = 0; k < 3 && !h->face[i].is_gone; k++) {
            number[h->face[i].v[k]] = 0;
            out->face_count += k == 0;
        }
    for (int i = 0; i < h->count; i++)
        if (number[i] == 0)
            number[i] = out->vertex_count++;
    out->vertex = arena_array(memory, (size_t)out->vertex_count, 1, sizeof *out->vertex);
    out->face = arena_array(memory, (size_t)out->face_count, 1, sizeof *out->face);
    out->normal = arena_array(memory, (size_t)out->face_count, 1, sizeof *out->normal);
    if (!out->vertex || !out->face || !out->normal)
        return error_no_memory(err);
    for (int i = 0; i < h->count; i++)
        if (number[i] >= 0) {
            out->vertex[number[i]] = vec3_sub(vertex[i], origin);
            out->reach = fmax(out->reach, vec3_norm(out->vertex[number[i]]));
        }
    for (int i = 0, at = 0; i < h->face_count; i++) {
        for (int k = 0; k < 3 && !h->face[i].is_gone; k++)
            out->face[at][k] = number[h->face[i].v[k]];
        if (!h->face[i].is_gone)
            out->normal[at++] = h->face[i].normal;
    }
    return STATUS_OK;
}

Status mesh_hull(const Vec3 *vertex, int count, Vec3 origin, Arena *memory, ModelMesh *out, Error *err)
{
    Arena scratch = {0};
    Hull h = {.count = count, .memory = &scratch,
              .at = arena_array(&scratch, (size_t)count, 1, sizeof *h.at),
              .next = arena_array(&scratch, (size_t)count, 1, sizeof *h.next),
              .new_face = arena_array(&scratch, (size_t)count, 1, sizeof *h.new_face)};
    int is_solid = !scratch.failed && count > 3 && place(&h, vertex) && begin(&h);
    for (int i = 0; is_solid && i < h.face_count && !scratch.failed; i++)
        while (!h.face[i].is_gone && h.face[i].farthest >= 0 && grow(&h, i))
            ;
    Status status = scratch.failed ? error_no_memory(err)
                  : is_solid ? hull_to_mesh(&h, vertex, origin, memory, out, err)
                             : error_set(err, STATUS_BAD_INPUT, "all vertices lie in a plane");
    arena_free(&scratch);
    return status;
}
