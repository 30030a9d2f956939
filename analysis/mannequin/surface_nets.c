/* See surface_nets.h. */
#include "analysis/mannequin/surface_nets.h"

#include <stdlib.h>

#include "analysis/base/arena.h"

enum { MAX_CORNERS = 8000000, CUBE = 8, EVENINGS = 3, STEPS_TO_SURFACE = 3 };

void surface_free(Surface *s)
{
    free(s->position);
    free(s->face);
    *s = (Surface){0};
}

static int room_for(void **array, int count, int *room, size_t size)
{
    if (count < *room)
        return 1;
    int wanted = *room ? 2 * *room : 1024;
    void *more = realloc(*array, (size_t)wanted * size);
    if (!more)
        return 0;
    *array = more;
    *room = wanted;
    return 1;
}

int surface_add_vertex(Surface *s, Vec3 position)
{
    void *array = s->position;
    if (!room_for(&array, s->vertex_count, &s->vertex_room, sizeof *s->position)) {
        s->failed = 1;
        return 0;
    }
    s->position = array;
    s->position[s->vertex_count] = position;
    return s->vertex_count++;
}

void surface_add_face(Surface *s, int a, int b, int c)
{
    void *array = s->face;
    if (!room_for(&array, s->face_count, &s->face_room, sizeof *s->face)) {
        s->failed = 1;
        return;
    }
    s->face = array;
    s->face[s->face_count][0] = a;
    s->face[s->face_count][1] = b;
    s->face[s->face_count++][2] = c;
}

/* Grid corners with the field values there. */
typedef struct Grid {
    const Implicit *shape;
    Vec3 low;
    double cell;
    int size[3];  /* corners along x, y, z */
    float *value; /* [x][y][z] */
    int *vertex;  /* [x][y][z] vertex of the cell above that corner; -1: none */
} Grid;

static size_t corner(const Grid *g, int x, int y, int z)
{
    return ((size_t)x * (size_t)g->size[1] + (size_t)y) * (size_t)g->size[2] + (size_t)z;
}

static Vec3 grid_point(const Grid *g, double x, double y, double z) { return vec3_mad(g->low, g->cell, vec3(x, y, z)); }

static Status lay_grid(Grid *g, Arena *arena, Error *err)
{
    Vec3 high;
    double corners = 1;
    implicit_box(g->shape, &g->low, &high);
    g->low = vec3_sub(g->low, vec3(g->cell, g->cell, g->cell));
    for (int i = 0; i < 3; i++) {
        double length = vec3_component(high, i) - vec3_component(g->low, i);
        corners *= length / g->cell + 3;
        if (!(corners < MAX_CORNERS))
            return error_set(err, STATUS_LIMIT, "a body of more than %d cells", MAX_CORNERS);
        g->size[i] = (int)(length / g->cell) + 3;
    }
    size_t count = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
    g->value = arena_array(arena, count, 1, sizeof *g->value);
    g->vertex = arena_array(arena, count, 1, sizeof *g->vertex);
    return arena->failed ? error_no_memory(err) : STATUS_OK;
}

/* Samples the field at the corners of a cube of `size` corners, a power of two, from (x, y, z). Where the surface is
 * farther than a cell, corners have any value of the same sign. */
static void sample(Grid *g, int x, int y, int z, int size)
{
    if (x >= g->size[0] || y >= g->size[1] || z >= g->size[2])
        return;
    double half = 0.5 * (size - 1), value = implicit_value(g->shape, grid_point(g, x + half, y + half, z + half));
    int end[3] = {x + size, y + size, z + size}, half_size = size / 2;
    if (size > 1 && fabs(value) <= g->shape->steepest * g->cell * (sqrt(3) * half + 1)) {
        for (int i = 0; i < 8; i++)
            sample(g, x + (i & 1) * half_size, y + (i >> 1 & 1) * half_size, z + (i >> 2 & 1) * half_size, half_size);
        return;
    }
    for (int i = 0; i < 3; i++)
        end[i] = end[i] < g->size[i] ? end[i] : g->size[i];
    for (int i = x; i < end[0]; i++)
        for (int j = y; j < end[1]; j++)
            for (int k = z; k < end[2]; k++)
                g->value[corner(g, i, j, k)] = (float)value;
}

static void sample_all(Grid *g)
{
    for (int x = 0; x < g->size[0]; x += CUBE)
        for (int y = 0; y < g->size[1]; y += CUBE)
            for (int z = 0; z < g->size[2]; z += CUBE)
                sample(g, x, y, z, CUBE);
}

/* Corners 0..7 of a cell: bit 0 x, bit 1 y, bit 2 z. */
static float corner_value(const Grid *g, int x, int y, int z, int i)
{
    return g->value[corner(g, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2 & 1))];
}

/* Adds a vertex at the mean of the points where the surface crosses the edges of a cell; returns -1 if there are
 * none. */
static int add_cell(const Grid *g, int x, int y, int z, Surface *out)
{
    static const int edge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                    {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    Vec3 sum = {0, 0, 0};
    int count = 0;
    for (int e = 0; e < 12; e++) {
        int i = edge[e][0], k = edge[e][1];
        double a = corner_value(g, x, y, z, i), b = corner_value(g, x, y, z, k);
        if ((a < 0) == (b < 0))
            continue;
        double t = a / (a - b);
        Vec3 from = vec3(i & 1, i >> 1 & 1, i >> 2 & 1), to = vec3(k & 1, k >> 1 & 1, k >> 2 & 1);
        sum = vec3_add(sum, vec3_lerp(from, to, t));
        count++;
    }
    if (count == 0)
        return -1;
    sum = vec3_scale(sum, 1.0 / count);
    return surface_add_vertex(out, grid_point(g, x + sum.x, y + sum.y, z + sum.z));
}

static void add_vertices(Grid *g, Surface *out)
{
    for (int x = 0; x + 1 < g->size[0]; x++)
        for (int y = 0; y + 1 < g->size[1]; y++)
            for (int z = 0; z + 1 < g->size[2]; z++)
                g->vertex[corner(g, x, y, z)] = add_cell(g, x, y, z, out);
}

/* Adds a quadrilateral from the four cells around an edge, in order; is_inside: the edge's first end is inside. */
static void add_quad(const Grid *g, const size_t cell[4], int is_inside, Surface *out)
{
    int v[4];
    for (int i = 0; i < 4; i++)
        v[i] = g->vertex[cell[is_inside ? 3 - i : i]];
    int short_first = vec3_distance(out->position[v[0]], out->position[v[2]]) <=
                      vec3_distance(out->position[v[1]], out->position[v[3]]);
    if (short_first) {
        surface_add_face(out, v[0], v[1], v[2]);
        surface_add_face(out, v[0], v[2], v[3]);
    } else {
        surface_add_face(out, v[1], v[2], v[3]);
        surface_add_face(out, v[1], v[3], v[0]);
    }
}

static void add_faces(const Grid *g, Surface *out)
{
    for (int x = 1; x + 1 < g->size[0]; x++)
        for (int y = 1; y + 1 < g->size[1]; y++)
            for (int z = 1; z + 1 < g->size[2]; z++) {
                size_t at = corner(g, x, y, z);
                int inside = g->value[at] < 0;
                if (inside != (g->value[corner(g, x + 1, y, z)] < 0))
                    add_quad(
                        g, (size_t[4]){at, corner(g, x, y - 1, z), corner(g, x, y - 1, z - 1), corner(g, x, y, z - 1)},
                        !inside, out);
                if (inside != (g->value[corner(g, x, y + 1, z)] < 0))
                    add_quad(
                        g, (size_t[4]){at, corner(g, x, y, z - 1), corner(g, x - 1, y, z - 1), corner(g, x - 1, y, z)},
                        !inside, out);
                if (inside != (g->value[corner(g, x, y, z + 1)] < 0))
                    add_quad(
                        g, (size_t[4]){at, corner(g, x - 1, y, z), corner(g, x - 1, y - 1, z), corner(g, x, y - 1, z)},
                        !inside, out);
            }
}

static void step_to_surface(const Implicit *shape, ImplicitNear *near, double cell, Vec3 *p)
{
    double step = 0.05 * cell;
    implicit_keep_near(shape, *p, step, near);
    double here = implicit_value(&near->shape, *p);
    Vec3 ahead = vec3(implicit_value(&near->shape, vec3_add(*p, vec3(step, 0, 0))) - here,
                      implicit_value(&near->shape, vec3_add(*p, vec3(0, step, 0))) - here,
                      implicit_value(&near->shape, vec3_add(*p, vec3(0, 0, step))) - here);
    double step_back = here / fmax(vec3_norm(ahead) / step, 0.3);
    *p = vec3_mad(*p, -fmax(fmin(step_back, 0.5 * cell), -0.5 * cell), vec3_normalize(ahead));
}

/* Moves every vertex half way to the mean of its neighbours, then back to the surface: in one step, and at last in
 * several. */
static Status even_out(const Grid *g, ImplicitNear *near, Surface *s, int first_vertex, int first_face, Error *err)
{
    Arena arena = {0};
    size_t count = (size_t)(s->vertex_count - first_vertex);
    Vec3 *sum = arena_array(&arena, count, 1, sizeof *sum);
    int *neighbours = arena_array(&arena, count, 1, sizeof *neighbours);
    for (int round = 0; round < EVENINGS && !arena.failed; round++) {
        for (size_t i = 0; i < count; i++) {
            sum[i] = vec3(0, 0, 0);
            neighbours[i] = 0;
        }
        for (int f = first_face; f < s->face_count; f++)
            for (int i = 0; i < 3; i++) {
                int at = s->face[f][i] - first_vertex;
                sum[at] = vec3_add(sum[at], s->position[s->face[f][(i + 1) % 3]]);
                neighbours[at]++;
            }
        for (size_t i = 0; i < count; i++) {
            Vec3 *p = &s->position[(size_t)first_vertex + i];
            if (neighbours[i] > 0)
                *p = vec3_scale(vec3_mad(*p, 1.0 / neighbours[i], sum[i]), 0.5);
            for (int step = round < EVENINGS - 1 ? STEPS_TO_SURFACE - 1 : 0; step < STEPS_TO_SURFACE; step++)
                step_to_surface(g->shape, near, g->cell, p);
        }
    }
    int failed = arena.failed;
    arena_free(&arena);
    return failed ? error_no_memory(err) : STATUS_OK;
}

Status surface_nets(const Implicit *shape, double cell, Surface *out, Error *err)
{
    Arena arena = {0};
    Grid grid = {.shape = shape, .cell = cell};
    ImplicitNear near = {.shape = *shape};
    int first_vertex = out->vertex_count, first_face = out->face_count;
    near.shape.blob = arena_array(&arena, (size_t)shape->blob_count, 1, sizeof *near.shape.blob);
    near.value = arena_array(&arena, (size_t)shape->blob_count, 1, sizeof *near.value);
    Status status = lay_grid(&grid, &arena, err);
    if (!status) {
        sample_all(&grid);
        add_vertices(&grid, out);
        if (!out->failed)
            add_faces(&grid, out);
        status = out->failed ? error_no_memory(err) : even_out(&grid, &near, out, first_vertex, first_face, err);
    }
    arena_free(&arena);
    return status;
}
