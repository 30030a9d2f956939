/* See gait_norms.h. */
#include "formats/plot/gait_norms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/base/bytes.h"
#include "formats/base/table.h"

/* Mapping of published curves to coordinates, quantities and signs. */
static const struct {
    const char *quantity, *axis;
    Coordinate coordinate;
    GaitQuantity what;
    double scale;
} published[] = {
    {"HipAngles", "X", COORDINATE_LEFT_HIP_FLEXION, GAIT_ANGLE, 1},
    {"HipAngles", "Y", COORDINATE_LEFT_HIP_ADDUCTION, GAIT_ANGLE, 1},
    {"KneeAngles", "X", COORDINATE_LEFT_KNEE_FLEXION, GAIT_ANGLE, 1},
    {"AnkleAngles", "X", COORDINATE_LEFT_ANKLE_DORSIFLEXION, GAIT_ANGLE, 1},
    {"HipMoment", "X", COORDINATE_LEFT_HIP_FLEXION, GAIT_MOMENT, -1e-3},
    {"HipMoment", "Y", COORDINATE_LEFT_HIP_ADDUCTION, GAIT_MOMENT, -1e-3},
    {"KneeMoment", "X", COORDINATE_LEFT_KNEE_FLEXION, GAIT_MOMENT, -1e-3},
    {"KneeMoment", "Y", COORDINATE_LEFT_KNEE_ADDUCTION, GAIT_MOMENT, -1e-3},
    {"AnkleMoment", "X", COORDINATE_LEFT_ANKLE_DORSIFLEXION, GAIT_MOMENT, -1e-3},
    {"HipPower", "Z", COORDINATE_LEFT_HIP_FLEXION, GAIT_POWER, 1},
    {"KneePower", "Z", COORDINATE_LEFT_KNEE_FLEXION, GAIT_POWER, 1},
    {"AnklePower", "Z", COORDINATE_LEFT_ANKLE_DORSIFLEXION, GAIT_POWER, 1},
};
enum { PUBLISHED = sizeof published / sizeof *published };

/* Columns of the table, -1: absent. */
typedef struct PlotColumns {
    int speed, quantity, axis, coordinate, percent, low, high;
} PlotColumns;

/* State while the rows of a curve are read; percent, low and high are of the last row. */
typedef struct Reading {
    const Table *table;
    PlotColumns column;
    GaitNorms *out;
    double percent, low, high;
    int is_open; /* 1: the last norm of out is being read */
} Reading;

static Coordinate left_coordinate(Coordinate coordinate)
{
    if (coordinate < COORDINATE_RIGHT_SHOULDER_PLANE)
        return coordinate;
    return coordinate - (COORDINATE_RIGHT_SHOULDER_PLANE - COORDINATE_LEFT_SHOULDER_PLANE);
}

/* Identifies the curve of a row; returns 0 if it is not drawn. */
static int row_curve(const Reading *r, int row, GaitNorm *norm, double *scale)
{
    const char *quantity = table_cell(r->table, row, r->column.quantity);
    *scale = 1;
    if (r->column.coordinate >= 0) {
        norm->coordinate = coordinate_from_name(table_cell(r->table, row, r->column.coordinate));
        for (norm->quantity = 0; norm->quantity < GAIT_QUANTITY_COUNT; norm->quantity++)
            if (strcmp(quantity, gait_quantity_name(norm->quantity)) == 0)
                break;
        int known = norm->coordinate != COORDINATE_NONE && norm->quantity < GAIT_QUANTITY_COUNT;
        norm->coordinate = known ? left_coordinate(norm->coordinate) : COORDINATE_NONE;
        return known;
    }
    for (int i = 0; i < PUBLISHED; i++)
        if (!strcmp(quantity, published[i].quantity) &&
            !strcmp(table_cell(r->table, row, r->column.axis), published[i].axis)) {
            *norm = (GaitNorm){.coordinate = published[i].coordinate, .quantity = published[i].what};
            *scale = published[i].scale;
            return 1;
        }
    return 0;
}

/* Interpolates linearly from the last row to this one. */
static void fill(const Reading *r, GaitNorm *norm, double percent, double low, double high)
{
    for (int p = 0; p < GAIT_POINTS; p++) {
        double at = 100.0 * p / (GAIT_POINTS - 1), gap = percent - r->percent;
        double part = gap > 0 ? (at - r->percent) / gap : 0;
        if (r->is_open ? at >= r->percent : 1) { /* end values extend to 0 and 100 % */
            part = part > 1 ? 1 : part;
            norm->low[p] = r->is_open ? r->low + part * (low - r->low) : low;
            norm->high[p] = r->is_open ? r->high + part * (high - r->high) : high;
        }
    }
}

static Status read_row(Reading *r, int row, Error *err)
{
    const int columns[] = {r->column.percent, r->column.low, r->column.high};
    double value[3], scale;
    GaitNorm norm = {0};
    if (!row_curve(r, row, &norm, &scale))
        return STATUS_OK;
    Status status = table_numbers(r->table, row, columns, 3, value, err);
    if (status)
        return status;
    GaitNorms *out = r->out;
    GaitNorm *last = out->count ? &out->norm[out->count - 1] : NULL;
    r->is_open = last && last->coordinate == norm.coordinate && last->quantity == norm.quantity;
    if (r->is_open && !(value[0] > r->percent))
        return table_error(r->table, row, r->column.percent, err, "percent of one curve do not increase");
    if (!r->is_open) {
        if (!array_grow(&out->norm, out->count, sizeof *out->norm) || !out->norm)
            return error_no_memory(err);
        last = &out->norm[out->count++];
        *last = norm;
    }
    double low = scale * value[1 + (scale < 0)], high = scale * value[2 - (scale < 0)];
    fill(r, last, value[0], low, high);
    r->percent = value[0];
    r->low = low;
    r->high = high;
    return STATUS_OK;
}

/* Chooses the speed to read: the given one, else "Free", else the first. */
static void choose_speed(const Table *table, int column, const char *speed, char *chosen, size_t size)
{
    if (column < 0 || table->row_count == 0)
        return;
    snprintf(chosen, size, "%s", speed ? speed : table_cell(table, 0, column));
    for (int row = 0; !speed && row < table->row_count; row++)
        if (!strcmp(table_cell(table, row, column), "Free"))
            snprintf(chosen, size, "Free");
}

static Status find_columns(const Table *table, PlotColumns *c, Error *err)
{
    static const char *const names[] = {"quantity", "percent", "low", "high"};
    int column[4];
    Status status = table_require_all(table, names, 4, column, err);
    if (status)
        return status;
    *c = (PlotColumns){table_find(table, "speed"),
                       column[0],
                       table_find(table, "axis"),
                       table_find(table, "coordinate"),
                       column[1],
                       column[2],
                       column[3]};
    return c->axis < 0 && c->coordinate < 0 ? table_require(table, "coordinate", &c->coordinate, err) : STATUS_OK;
}

Status gait_norms_read(const char *path, const char *speed, GaitNorms *out, Error *err)
{
    Table table = {0};
    Reading reading = {.table = &table, .out = out};
    *out = (GaitNorms){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = find_columns(&table, &reading.column, err);
    if (!status)
        choose_speed(&table, reading.column.speed, speed, out->speed, sizeof out->speed);
    for (int row = 0; !status && row < table.row_count; row++)
        if (reading.column.speed < 0 || !strcasecmp(table_cell(&table, row, reading.column.speed), out->speed))
            status = read_row(&reading, row, err);
    if (!status && out->count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "has no known curve%s%s", *out->speed ? " of the speed " : "",
                           out->speed);
    table_free(&table);
    if (status)
        gait_norms_free(out);
    return status;
}

void gait_norms_free(GaitNorms *norms)
{
    free(norms->norm);
    *norms = (GaitNorms){0};
}

const GaitNorm *gait_norms_find(const GaitNorms *norms, Coordinate coordinate, GaitQuantity quantity)
{
    for (int i = 0; i < norms->count; i++)
        if (norms->norm[i].coordinate == left_coordinate(coordinate) && norms->norm[i].quantity == quantity)
            return &norms->norm[i];
    return NULL;
}
