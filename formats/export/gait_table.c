/* See gait_table.h. */
#include "formats/export/gait_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"
#include "formats/base/json.h"

/* A number of a stride or a step. */
typedef struct GaitColumn {
    const char *name;
    size_t offset;
} GaitColumn;

static const GaitColumn stride_columns[] = {
    {"time_s", offsetof(GaitStride, time)},       {"duration_s", offsetof(GaitStride, duration)},
    {"length_m", offsetof(GaitStride, length)},   {"speed_m_s", offsetof(GaitStride, speed)},
    {"cadence_steps_per_min", offsetof(GaitStride, cadence)}, {"stance_fraction", offsetof(GaitStride, stance)},
};
static const GaitColumn step_columns[] = {
    {"time_s", offsetof(GaitStep, time)},
    {"duration_s", offsetof(GaitStep, duration)},
    {"length_m", offsetof(GaitStep, length)},
    {"width_m", offsetof(GaitStep, width)},
};
enum { STRIDE_COLUMNS = sizeof stride_columns / sizeof *stride_columns,
       STEP_COLUMNS = sizeof step_columns / sizeof *step_columns };

/* Strides or steps: rows with a foot and columns. */
typedef struct GaitRows {
    const GaitColumn *column;
    int column_count, count;
    const char *row; /* [count] structs of size bytes, which begin with the foot */
    size_t size;
} GaitRows;

static GaitRows gait_rows(const Gait *gait, GaitTableKind kind)
{
    static const Gait none;
    const Gait *g = gait ? gait : &none;
    if (kind == GAIT_STRIDES)
        return (GaitRows){stride_columns, STRIDE_COLUMNS, g->stride_count, (const char *)g->stride, sizeof *g->stride};
    return (GaitRows){step_columns, STEP_COLUMNS, g->step_count, (const char *)g->step, sizeof *g->step};
}

static double value_at(const GaitRows *rows, int row, int column)
{
    double value;
    memcpy(&value, rows->row + (size_t)row * rows->size + rows->column[column].offset, sizeof value);
    return value;
}

static const char *foot_at(const GaitRows *rows, int row)
{
    int foot;
    memcpy(&foot, rows->row + (size_t)row * rows->size, sizeof foot);
    return foot == FOOT_LEFT ? "left" : "right";
}

static void put_cell(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE] = "nan";
    if (isfinite(value))
        number_print_as(value, number_is_short(stream), text);
    fprintf(stream, "\t%s", text);
}

void gait_table_head(GaitTableKind kind, FILE *stream)
{
    GaitRows rows = gait_rows(NULL, kind);
    fputs(kind == GAIT_CURVES ? "clip\tcoordinate\tquantity\tunit\tstrides\tpercent\tmean\tsd\terror_sd"
                              : "clip\tfoot", stream);
    for (int i = 0; kind != GAIT_CURVES && i < rows.column_count; i++)
        fprintf(stream, "\t%s", rows.column[i].name);
    putc('\n', stream);
}

static void put_curves(const Gait *gait, GaitNormal normal, const char *title, FILE *stream)
{
    for (int i = 0; i < gait->curve_count; i++)
        for (int percent = 0; percent < GAIT_POINTS; percent++) {
            const GaitCurve *c = &gait->curve[i];
            utf8_put_shown(stream, title, strlen(title));
            fprintf(stream, "\t%s\t%s\t%s\t%d\t%d", coordinate_name(c->coordinate), gait_quantity_name(c->quantity),
                    gait_unit(c->quantity, normal), c->strides, percent);
            put_cell(stream, c->mean[percent]);
            if (c->strides > 1)
                put_cell(stream, c->deviation[percent]);
            else
                putc('\t', stream); /* undefined for one stride */
            if (isnan(c->error_sd[percent]))
                putc('\t', stream);
            else
                put_cell(stream, c->error_sd[percent]);
            putc('\n', stream);
        }
}

void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream)
{
    GaitRows rows = gait_rows(gait, kind);
    if (kind == GAIT_CURVES) {
        put_curves(gait, normal, title, stream);
        return;
    }
    for (int row = 0; row < rows.count; row++) {
        utf8_put_shown(stream, title, strlen(title));
        fprintf(stream, "\t%s", foot_at(&rows, row));
        for (int i = 0; i < rows.column_count; i++)
            put_cell(stream, value_at(&rows, row, i));
        putc('\n', stream);
    }
}

static void put_objects(Json *json, const char *key, const GaitRows *rows)
{
    json_member_open(json, key, '[');
    for (int row = 0; row < rows->count; row++) {
        json_open(json, '{');
        json_member_text(json, "foot", foot_at(rows, row));
        for (int i = 0; i < rows->column_count; i++)
            json_member_number(json, rows->column[i].name, value_at(rows, row, i));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_numbers(Json *json, const char *key, const double *value)
{
    json_member_open(json, key, '[');
    for (int i = 0; i < GAIT_POINTS; i++)
        json_number(json, value[i]);
    json_close(json, ']');
}

static void put_curve(Json *json, const GaitCurve *c, GaitNormal normal)
{
    json_open(json, '{');
    json_member_text(json, "coordinate", coordinate_name(c->coordinate));
    json_member_text(json, "quantity", gait_quantity_name(c->quantity));
    json_member_text(json, "unit", gait_unit(c->quantity, normal));
    json_member_integer(json, "strides", c->strides);
    put_numbers(json, "mean", c->mean);
    put_numbers(json, "sd", c->deviation);
    put_numbers(json, "error_sd", c->error_sd);
    json_close(json, '}');
}

void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream)
{
    GaitRows strides = gait_rows(gait, GAIT_STRIDES), steps = gait_rows(gait, GAIT_STEPS);
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_member_text(&json, "clip", title);
    put_objects(&json, "strides", &strides);
    put_objects(&json, "steps", &steps);
    json_member_open(&json, "curves", '[');
    for (int i = 0; i < gait->curve_count; i++)
        put_curve(&json, &gait->curve[i], normal);
    json_close(&json, ']');
    json_close(&json, '}');
    putc('\n', stream);
}
