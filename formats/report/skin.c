#include "formats/report/skin.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/figure/mannequin.h"
#include "formats/base/text.h"

#define STEP 4e-4 /* m, at least; a body of more than 26 m has larger ones */
enum { LAST_CODE = 65534 };

static void span_of(const Mannequin *m, double *least, double *step)
{
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < m->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            low = fmin(low, vec3_component(m->position[v], axis));
            high = fmax(high, vec3_component(m->position[v], axis));
        }
    *least = m->vertex_count ? low : 0;
    *step = m->vertex_count ? fmax(STEP, (high - low) / LAST_CODE) : STEP;
}

typedef struct SkinWriter {
    const Mannequin *mannequin;
    double *value; /* [vertex or face] the series on its way */
    SeriesBlock *block;
} SkinWriter;

static Status put_vertices(const SkinWriter *to, int axis, SeriesScale scale, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = vec3_component(m->position[v], axis);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, scale, err);
}

/* kind 0, 1: the joints; 2: the share. */
static Status put_binding(const SkinWriter *to, int kind, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int v = 0; v < m->vertex_count; v++)
        to->value[v] = kind < 2 ? m->joint[v][kind] : nearbyint(SKIN_SHARES * m->share[v]);
    return series_append_scaled(to->block, to->value, (size_t)m->vertex_count, (SeriesScale){0, 1}, err);
}

static Status put_corners(const SkinWriter *to, int corner, Error *err)
{
    const Mannequin *m = to->mannequin;
    for (int f = 0; f < m->face_count; f++)
        to->value[f] = m->face[f][corner];
    return series_append_scaled(to->block, to->value, (size_t)m->face_count, (SeriesScale){0, 1}, err);
}

static void put_bind(const Mannequin *m, FILE *json)
{
    fputs(",\"bind\":[", json);
    for (int j = 0; j < m->joint_count; j++)
        fprintf(json, "%s%.5g,%.5g,%.5g,%.6g,%.6g,%.6g,%.6g", j ? "," : "", m->place[j].x, m->place[j].y, m->place[j].z,
                m->turn[j].x, m->turn[j].y, m->turn[j].z, m->turn[j].w);
    putc(']', json);
}

static Status put_series(const Mannequin *m, SeriesScale scale, SeriesBlock *block, Error *err)
{
    Arena arena = {0};
    int most = m->vertex_count > m->face_count ? m->vertex_count : m->face_count;
    SkinWriter to = {m, arena_array(&arena, (size_t)most, 1, sizeof(double)), block};
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

Status skin_write(const Clip *clip, SeriesBlock *block, FILE *json, Error *err)
{
    Mannequin m;
    SeriesScale scale;
    ClipView view = clip_view(clip);
    Status status = mannequin_init(&m, &view, err);
    if (status && status != STATUS_LIMIT)
        return status;
    if (m.vertex_count > LAST_CODE)
        m.vertex_count = m.face_count = 0; /* shown as joints alone */
    span_of(&m, &scale.least, &scale.step);
    fprintf(json, "{\"vertices\":%d,\"faces\":%d,\"least\":", m.vertex_count, m.face_count);
    json_put_number(json, scale.least);
    fputs(",\"step\":", json);
    json_put_number(json, scale.step);
    put_bind(&m, json);
    putc('}', json);
    status = put_series(&m, scale, block, err);
    mannequin_free(&m);
    return status;
}
