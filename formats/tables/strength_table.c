/* See strength_table.h. */
#include "formats/tables/strength_table.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"

enum { TORQUE, SPEED, ANGLE, WIDTH, ECCENTRIC, HALF, PASSIVE_ZERO, PASSIVE_ONE, STRENGTH_VALUES };

static const char *const strength_columns[STRENGTH_VALUES] = {"torque_max", "speed_max", "angle",        "width",
                                                  "eccentric",  "half",      "passive_zero", "passive_one"};

static Status find_motion(const Table *t, int row, int column, StrengthMotion *motion, Error *err)
{
    const char *name = table_cell(t, row, column);
    for (int i = 0; strength_motion_names[i]; i++)
        if (!strcmp(strength_motion_names[i], name)) {
            *motion = (StrengthMotion)i;
            return STATUS_OK;
        }
    return table_error(t, row, column, err, "unknown motion \"%s\"; expected hip_flexion, knee_extension, ...", name);
}

static Status check_values(const Table *t, int row, const int *column, const double *v, Error *err)
{
    static const int positive[] = {TORQUE, SPEED, WIDTH, HALF};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(v[positive[i]] > 0))
            return table_error(t, row, column[positive[i]], err, "%s is not above 0", strength_columns[positive[i]]);
    if (v[HALF] >= 1)
        return table_error(t, row, column[HALF], err, "half: expected a fraction of the isometric torque below 1");
    if (v[ECCENTRIC] < 1)
        return table_error(t, row, column[ECCENTRIC], err, "eccentric is a gain of 1 or more");
    if (v[PASSIVE_ZERO] == v[PASSIVE_ONE])
        return table_error(t, row, column[PASSIVE_ONE], err, "passive_one equals passive_zero");
    return STATUS_OK;
}

static Status read_strength(const Table *t, int row, int motion_column, const int *column, PersonCurve *out, Error *err)
{
    double v[STRENGTH_VALUES];
    Status status = find_motion(t, row, motion_column, &out->motion, err);
    if (!status)
        status = table_numbers(t, row, column, STRENGTH_VALUES, v, err);
    if (!status)
        status = check_values(t, row, column, v, err);
    if (!status)
        *out = (PersonCurve){out->motion, v[TORQUE], v[SPEED], v[ANGLE], v[WIDTH], v[ECCENTRIC],
                             v[HALF], v[PASSIVE_ZERO], v[PASSIVE_ONE]};
    return status;
}

Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err)
{
    Table table;
    int motion = 0, column[STRENGTH_VALUES];
    *curves = NULL;
    *count = 0;
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = table_require(&table, "motion", &motion, err);
    if (!status)
        status = table_require_all(&table, strength_columns, STRENGTH_VALUES, column, err);
    if (!status && !(*curves = array_new((size_t)table.row_count, 1, sizeof **curves)))
        status = error_no_memory(err);
    for (int row = 0; row < table.row_count && !status; row++)
        status = read_strength(&table, row, motion, column, &(*curves)[(*count)++], err);
    if (status) {
        free(*curves);
        *curves = NULL;
        *count = 0;
    }
    table_free(&table);
    return status;
}
