#include "formats/export/gait_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"

/* A number of a stride or a step. */
typedef struct Column {
    const char *name;
    size_t offset;
} Column;

static const Column stride_columns[] = {
    {"time_s", offsetof(GaitStride, time)},       {"duration_s", offsetof(GaitStride, duration)},
    {"length_m", offsetof(GaitStride, length)},   {"speed_m_s", offsetof(GaitStride, speed)},
    {"cadence_min", offsetof(GaitStride, cadence)}, {"stance_share", offsetof(GaitStride, stance)},
};
static const Column step_columns[] = {
    {"time_s", offsetof(GaitStep, time)},
    {"duration_s", offsetof(GaitStep, duration)},
    {"length_m", offsetof(GaitStep, length)},
    {"width_m", offsetof(GaitStep, width)},
};
enum { STRIDE_COLUMNS = sizeof stride_columns / sizeof *stride_columns,
       STEP_COLUMNS = sizeof step_columns / sizeof *step_columns };

/* Strides or steps: rows with a foot and columns. */
typedef struct Rows {
    const Column *column;
    int column_count, count;
    const char *row; /* [count] of size bytes, the foot at their beginning */
    size_t size;
} Rows;

static Rows rows_of(const Gait *gait, GaitTableKind kind)
{
    static const Gait none;
    const Gait *g = gait ? gait : &none;
    if (kind == GAIT_STRIDES)
        return (Rows){stride_columns, STRIDE_COLUMNS, g->stride_count, (const char *)g->stride, sizeof *g->stride};
    return (Rows){step_columns, STEP_COLUMNS, g->step_count, (const char *)g->step, sizeof *g->step};
}

static double value_at(const Rows *rows, int row, int column)
{
    double value;
    memcpy(&value, rows->row + (size_t)row * rows->size + rows->column[column].offset, sizeof value);
    return value;
}

static const char *foot_at(const Rows *rows, int row)
{
    int foot;
    memcpy(&foot, rows->row + (size_t)row * rows->size, sizeof foot);
    return foot == FOOT_LEFT ? "left" : "right";
}

static void put_cell(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE] = "nan";
    if (isfinite(value))
        number_print(value, text);
    fprintf(stream, "\t%s", text);
}

void gait_table_head(GaitTableKind kind, FILE *stream)
{
    Rows rows = rows_of(NULL, kind);
    fputs(kind == GAIT_CURVES ? "clip\tcoordinate\tquantity\tunit\tstrides\tpercent\tmean\tsd" : "clip\tfoot", stream);
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
                putc('\t', stream); /* one stride has no deviation */
            putc('\n', stream);
        }
}

void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream)
{
    Rows rows = rows_of(gait, kind);
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

static void put_objects(FILE *stream, const Rows *rows)
{
    for (int row = 0; row < rows->count; row++) {
        fprintf(stream, "%s{\"foot\": \"%s\"", row ? ", " : "", foot_at(rows, row));
        for (int i = 0; i < rows->column_count; i++) {
            fprintf(stream, ", \"%s\": ", rows->column[i].name);
            json_put_number(stream, value_at(rows, row, i));
        }
        putc('}', stream);
    }
}

static void put_numbers(FILE *stream, const char *name, const double *value)
{
    fprintf(stream, ", \"%s\": [", name);
    for (int i = 0; i < GAIT_POINTS; i++) {
        fputs(i ? ", " : "", stream);
        json_put_number(stream, value[i]);
    }
    putc(']', stream);
}

void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream)
{
    Rows strides = rows_of(gait, GAIT_STRIDES), steps = rows_of(gait, GAIT_STEPS);
    fputs("{\"clip\": ", stream);
    json_put_text(stream, title);
    fputs(", \"strides\": [", stream);
    put_objects(stream, &strides);
    fputs("], \"steps\": [", stream);
    put_objects(stream, &steps);
    fputs("], \"curves\": [", stream);
    for (int i = 0; i < gait->curve_count; i++) {
        const GaitCurve *c = &gait->curve[i];
        fprintf(stream, "%s{\"coordinate\": \"%s\", \"quantity\": \"%s\", \"unit\": \"%s\", \"strides\": %d",
                i ? ", " : "", coordinate_name(c->coordinate), gait_quantity_name(c->quantity),
                gait_unit(c->quantity, normal), c->strides);
        put_numbers(stream, "mean", c->mean);
        put_numbers(stream, "sd", c->deviation);
        putc('}', stream);
    }
    fputs("]}\n", stream);
}
