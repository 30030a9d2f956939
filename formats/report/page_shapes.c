/* See page_shapes.h. */
#include "formats/report/page_shapes.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/mannequin/mannequin.h"

#define STEP 4e-4 /* m, smallest step of vertex positions; bodies over 26 m use a larger one */
enum { LAST_CODE = 65534 };

static void mannequin_span(const Mannequin *m, double *min, double *step)
{
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < m->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            low = fmin(low, vec3_component(m->position[v], axis));
            high = fmax(high, vec3_component(m->position[v], axis));
        }
    *min = m->vertex_count ? low : 0;
    *step = m->vertex_count ? fmax(STEP, (high - low) / LAST_CODE) : STEP;
}

typedef struct SkinWriter {
    const Mannequin *mannequin;
    double *value; /* [vertex or face] values of the current series */
    SeriesBlock *block;
} SkinWriter;

static Status put_vertices(const SkinWriter *to, int axis, SeriesScale scale, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = vec3_component(m->position[v], axis);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, scale, err);
}

/* kind 0, 1: joints of the vertex; 2: weight of the second joint. */
static Status put_binding(const SkinWriter *to, int kind, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = kind < 2 ? m->joint[v][kind] : nearbyint(SKIN_WEIGHT_STEPS * m->weight[v]);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, (SeriesScale){0, 1}, err);
}

static Status put_corners(const SkinWriter *to, int corner, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int f = 0; f < m->face_count; f++)
        to->value[f] = m->face[f][corner];
    return series_append_scaled(to->block, to->value, (size_t)m->face_count, (SeriesScale){0, 1}, err);
}

static void put_bind(const Mannequin *m, Json *json)
{
    json_member_open(json, "bind", '[');
    for (int j = 0; j < m->joint_count; j++)
        json_print(json, "%.5g,%.5g,%.5g,%.6g,%.6g,%.6g,%.6g", m->joint_position[j].x, m->joint_position[j].y,
                   m->joint_position[j].z, m->joint_orientation[j].x, m->joint_orientation[j].y,
                   m->joint_orientation[j].z, m->joint_orientation[j].w);
    json_close(json, ']');
}

/* Writes the vertex colours of a scene as runs: number of vertices, then red, green, blue, 0 to 255. */
static void put_tints(const Mannequin *m, Json *json)
{
    json_member_open(json, "tints", '[');
    for (int v = 0, end; v < m->vertex_count; v = end) {
        for (end = v + 1; end < m->vertex_count && !memcmp(&m->tint[end], &m->tint[v], sizeof *m->tint);)
            end++;
        json_print(json, "%d,%.0f,%.0f,%.0f", end - v, 255 * m->tint[v].x, 255 * m->tint[v].y, 255 * m->tint[v].z);
    }
    json_close(json, ']');
}

static Status put_series(const Mannequin *m, SeriesScale scale, SeriesBlock *block, Error *err)
{
    Arena arena = {0};
    int max = m->vertex_count > m->face_count ? m->vertex_count : m->face_count;
    SkinWriter to = {m, arena_array(&arena, (size_t)max, 1, sizeof(double)), block};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int axis = 0; axis < 3 && !status; axis++)
        status = put_vertices(&to, axis, scale, err);
    for (int kind = 0; kind < 3 && !status; kind++)
        status = put_binding(&to, kind, err);
    for (int corner = 0; corner < 3 && !status; corner++)
        status = put_corners(&to, corner, err);
    arena_free(&arena);
    return status;
}

Status skin_write(const Clip *clip, SeriesBlock *block, Json *json, Error *err)
{
    Mannequin m;
    SeriesScale scale;
    ClipView view = clip_view(clip);
    Status status = mannequin_init(&m, &view, clip->has_shapes ? &clip->shapes : NULL, err);
    if (status && status != STATUS_LIMIT)
        return status;
    if (m.vertex_count > LAST_CODE)
        m.vertex_count = m.face_count = 0; /* too many vertices: only joints are shown */
    mannequin_span(&m, &scale.min, &scale.step);
    json_open(json, '{');
    json_member_integer(json, "vertices", m.vertex_count);
    json_member_integer(json, "faces", m.face_count);
    json_member_number(json, "min", scale.min);
    json_member_number(json, "step", scale.step);
    put_bind(&m, json);
    if (m.tint)
        put_tints(&m, json);
    json_close(json, '}');
    status = put_series(&m, scale, block, err);
    mannequin_free(&m);
    return status;
}

void page_lines_write(const Shapes *s, Json *json)
{
    json_open(json, '[');
    for (int i = 0; i < s->count; i++) {
        const double *color = s->color + 4 * i;
        if (shape_is_solid(s->kind[i]))
            continue;
        json_open(json, '{');
        json_member_text(json, "kind", shape_kind_name(s->kind[i]));
        json_key(json, "color");
        json_print(json, "[%.0f,%.0f,%.0f]", 255 * color[0], 255 * color[1], 255 * color[2]);
        json_member_open(json, "points", '[');
        for (int p = s->point_start[i]; p < s->point_start[i] + s->points[i]; p++)
            json_print(json, "[%d,%d,%.6g,%.6g,%.6g]", s->point_joint[p], s->point_particle[p], s->point[p].x,
                       s->point[p].y, s->point[p].z);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}
