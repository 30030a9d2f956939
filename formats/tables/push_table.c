/* See push_table.h. */
#include "formats/tables/push_table.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

enum { NEWTON, START, SECONDS, PUSH_NUMBERS };
static const char *const number_columns[PUSH_NUMBERS] = {"newton", "start", "seconds"};
static const char *const point_columns[3] = {"x", "y", "z"};

typedef struct PushColumns {
    int joint, direction, number[PUSH_NUMBERS], point[3];
    int has_point; /* the table has columns x y z */
} PushColumns;

static Status find_columns(const Table *t, PushColumns *c, Error *err)
{
    Status status;
    if ((status = table_require(t, "joint", &c->joint, err)) ||
        (status = table_require(t, "direction", &c->direction, err)) ||
        (status = table_require_all(t, number_columns, PUSH_NUMBERS, c->number, err)) ||
        (status = table_require_rows(t, err)))
        return status;
    c->has_point = table_find(t, "x") >= 0 || table_find(t, "y") >= 0 || table_find(t, "z") >= 0;
    return c->has_point ? table_require_all(t, point_columns, 3, c->point, err) : STATUS_OK;
}

/* All three cells of a point, or none. */
static Status read_point(const Table *t, int row, const PushColumns *c, Push *out, Error *err)
{
    double v[3];
    if (!c->has_point)
        return STATUS_OK;
    if (!*table_cell(t, row, c->point[0]) && !*table_cell(t, row, c->point[1]) && !*table_cell(t, row, c->point[2]))
        return STATUS_OK;
    Status status = table_numbers(t, row, c->point, 3, v, err);
    if (!status) {
        out->point = vec3_load(v);
        out->has_point = 1;
    }
    return status;
}

static Status read_push(const Table *t, int row, const PushColumns *c, const Skeleton *skeleton, Push *out, Error *err)
{
    double v[PUSH_NUMBERS];
    const char *word = table_cell(t, row, c->direction);
    *out = (Push){.joint = skeleton_find_name_or_role(skeleton, table_cell(t, row, c->joint))};
    if (out->joint < 0)
        return joint_cell_unknown(t, row, c->joint, skeleton, err);
    if (!push_direction_parse(word, &out->direction))
        return table_error(t, row, c->direction, err, PUSH_DIRECTIONS_EXPECTED, word);
    Status status = table_numbers(t, row, c->number, PUSH_NUMBERS, v, err);
    if (!status)
        status = read_point(t, row, c, out, err);
    out->force = v[NEWTON];
    out->start = v[START];
    out->seconds = v[SECONDS];
    if (!status && !push_is_sound(out))
        status = table_error(t, row, c->number[NEWTON], err, "newton and seconds must be positive, start at least 0");
    return status;
}

Status pushes_read(const char *path, const Skeleton *skeleton, Pushes *out, Error *err)
{
    Table table = {0};
    PushColumns column;
    *out = (Pushes){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = find_columns(&table, &column, err);
    if (!status) {
        out->push = array_new((size_t)table.row_count, 1, sizeof *out->push);
        out->count = out->push ? table.row_count : 0;
        status = out->push ? STATUS_OK : error_no_memory(err);
    }
    for (int row = 0; row < out->count && !status; row++)
        status = read_push(&table, row, &column, skeleton, &out->push[row], err);
    table_free(&table);
    if (status) {
        free(out->push);
        *out = (Pushes){0};
    }
    return status;
}
