#include "formats/tables/external.h"

#include "analysis/base/memory.h"
#include "formats/base/table.h"

/* Columns in the order of the design: three for each of force, point and couple. */
static const char *const vector_columns[9] = {"fx", "fy", "fz", "px", "py", "pz", "tx", "ty", "tz"};

typedef struct ExternalColumns {
    int time, joint, vector[9];
} ExternalColumns;

static Status find_columns(const Table *t, ExternalColumns *c, Error *err)
{
    Status status = table_require(t, "time", &c->time, err);
    if (!status)
        status = table_require(t, "joint", &c->joint, err);
    for (int i = 0; !status && i < 9; i++)
        status = table_require(t, vector_columns[i], &c->vector[i], err);
    return status;
}

static Status read_row(const Table *t, int row, const ExternalColumns *c, const Skeleton *skeleton, ExternalRows *out,
                       Error *err)
{
    size_t joint_cell = (size_t)row * (size_t)t->column_count + (size_t)c->joint;
    double v[9];
    Status status = table_number(t, row, c->time, &out->time[row], err);
    for (int i = 0; !status && i < 9; i++)
        status = table_number(t, row, c->vector[i], &v[i], err);
    if (status)
        return status;
    out->joint[row] = skeleton_find(skeleton, t->cell[joint_cell]);
    if (out->joint[row] < 0)
        return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->place[joint_cell], "no joint is called \"%s\"",
                            t->cell[joint_cell]);
    out->force[row] = vec3(v[0], v[1], v[2]);
    out->point[row] = vec3(v[3], v[4], v[5]);
    out->couple[row] = vec3(v[6], v[7], v[8]);
    return STATUS_OK;
}

/* The times of a joint never decrease. */
static Status check_times(const Table *t, const ExternalColumns *c, const Skeleton *skeleton, const ExternalRows *rows,
                          Error *err)
{
    double *last_time = array_new((size_t)skeleton->joint_count, 1, sizeof *last_time);
    Status status = STATUS_OK;
    if (!last_time)
        return error_no_memory(err);
    for (int j = 0; j < skeleton->joint_count; j++)
        last_time[j] = -INFINITY;
    for (int i = 0; !status && i < rows->row_count; i++) {
        double *last = &last_time[rows->joint[i]];
        size_t cell = (size_t)i * (size_t)t->column_count + (size_t)c->time;
        if (rows->time[i] < *last)
            status = error_set_at(err, STATUS_BAD_INPUT, t->line[i], t->place[cell],
                                  "time %g of joint %s comes after %g", rows->time[i],
                                  skeleton->name[rows->joint[i]], *last);
        *last = rows->time[i];
    }
    free(last_time);
    return status;
}

Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err)
{
    Table table = {0};
    ExternalColumns columns;
    *out = (ExternalRows){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = find_columns(&table, &columns, err);
    if (!status)
        status = external_rows_init(out, table.row_count, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = read_row(&table, row, &columns, skeleton, out, err);
    if (!status)
        status = check_times(&table, &columns, skeleton, out, err);
    if (status)
        external_rows_free(out);
    table_free(&table);
    return status;
}
