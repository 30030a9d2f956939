/* See target_table.h. */
#include "formats/tables/target_table.h"

#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

enum { TARGET_NUMBERS = 4 };

static Status read_target(const Table *t, int row, const int *column, const Skeleton *skeleton, TargetRows *out,
                          Error *err)
{
    double v[TARGET_NUMBERS];
    out->joint[row] = skeleton_find_name_or_role(skeleton, table_cell(t, row, column[0]));
    if (out->joint[row] < 0)
        return joint_cell_unknown(t, row, column[0], skeleton, err);
    Status status = table_numbers(t, row, column + 1, TARGET_NUMBERS, v, err);
    if (status)
        return status;
    out->time[row] = v[0];
    out->position[row] = vec3(v[1], v[2], v[3]);
    return STATUS_OK;
}

Status targets_read(const char *path, const Skeleton *skeleton, TargetRows *out, Error *err)
{
    static const char *const names[1 + TARGET_NUMBERS] = {"joint", "time", "x", "y", "z"};
    int column[1 + TARGET_NUMBERS];
    Table table = {0};
    *out = (TargetRows){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require_all(&table, names, 1 + TARGET_NUMBERS, column, err);
    if (!status)
        status = table_require_rows(&table, err);
    size_t rows = (size_t)table.row_count;
    if (!status) {
        out->time = arena_array(&out->memory, rows, 1, sizeof *out->time);
        out->joint = arena_array(&out->memory, rows, 1, sizeof *out->joint);
        out->position = arena_array(&out->memory, rows, 1, sizeof *out->position);
        status = out->memory.failed ? error_no_memory(err) : STATUS_OK;
    }
    for (; !status && out->row_count < table.row_count; out->row_count++)
        status = read_target(&table, out->row_count, column, skeleton, out, err);
    table_free(&table);
    if (status) {
        arena_free(&out->memory);
        *out = (TargetRows){0};
    }
    return status;
}
