/* See role_table.h. */
#include "formats/tables/role_table.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"

static const char none[] = "-";

static Status read_role(const Table *t, int row, int column, Role *role, Error *err)
{
    const char *text = table_cell(t, row, column);
    *role = role_from_name(text);
    return *role != ROLE_NONE || !*text || strcmp(text, none) == 0
               ? STATUS_OK
               : table_error(t, row, column, err, "unknown role \"%.40s\"; kane import --print-map prints roles", text);
}

static Status read_row(const Table *t, int row, const int column[2], RoleMap *out, Error *err)
{
    StatedRole *stated = &out->row[row];
    Status status = read_role(t, row, column[1], &stated->role, err);
    if (status)
        return status;
    for (int i = 0; i < row; i++)
        if (stated->role != ROLE_NONE && out->row[i].role == stated->role)
            return table_error(t, row, column[1], err, "role %s has a row already, in line %d",
                               role_name(stated->role), t->line[i]);
    stated->joint = strdup(table_cell(t, row, column[0]));
    out->count++;
    return stated->joint ? STATUS_OK : error_no_memory(err);
}

static Status read_rows(const Table *t, RoleMap *out, Error *err)
{
    static const char *const columns[] = {"joint", "role"};
    int column[2];
    Status status = table_require_all(t, columns, 2, column, err);
    if (status || (status = table_require_rows(t, err)))
        return status;
    if (!(out->row = array_new((size_t)t->row_count, 1, sizeof *out->row)))
        return error_no_memory(err);
    for (int row = 0; row < t->row_count && !status; row++)
        status = read_row(t, row, column, out, err);
    return status;
}

Status role_table_read(const char *path, RoleMap *out, Error *err)
{
    Table table;
    *out = (RoleMap){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = read_rows(&table, out, err);
    table_free(&table);
    if (status)
        role_map_free(out);
    return status;
}

Status role_table_write(const Skeleton *skeleton, const double *likelihood, FILE *stream, Error *err)
{
    fprintf(stream, "joint\trole\tlikelihood\n");
    for (int j = 0; j < skeleton->joint_count; j++) {
        Role role = skeleton->role[j];
        if (role == ROLE_NONE)
            fprintf(stream, "%s\t%s\t\n", skeleton->name[j], none);
        else
            fprintf(stream, "%s\t%s\t%.3f\n", skeleton->name[j], role_name(role), likelihood[role]);
    }
    return fflush(stream) || ferror(stream) ? error_set(err, STATUS_IO, "cannot write the map") : STATUS_OK;
}
