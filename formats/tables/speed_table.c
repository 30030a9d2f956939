/* See speed_table.h. */
#include "formats/tables/speed_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"

/* Returns the index of a name in a list; appends it if new. */
static int speed_index(SpeedName *list, int *count, const char *text)
{
    int at = 0;
    while (at < *count && strncmp(list[at], text, SPEED_NAME_SIZE - 1))
        at++;
    if (at == *count)
        snprintf(list[(*count)++], SPEED_NAME_SIZE, "%s", text);
    return at;
}

static Status find_old_speed(const Table *t, const int cell[2], const SpeedName *name, int count, int *old, Error *err)
{
    const char *text = table_cell(t, cell[0], cell[1]);
    for (*old = 0; *old < count; ++*old)
        if (!strcmp(name[*old], text))
            return STATUS_OK;
    return table_error(t, cell[0], cell[1], err, "unknown speed \"%s\"; kane explain --equations lists them", text);
}

/* Lists the names of new speeds and the old speeds in them, in order of first use. */
static Status list_speeds(const Table *t, const int *column, const SpeedName *name, int count, SpeedForms *out,
                          Error *err)
{
    int old_count = 0;
    for (int row = 0; row < t->row_count; row++) {
        int old, at = 0;
        Status status = find_old_speed(t, (int[]){row, column[1]}, name, count, &old, err);
        if (status)
            return status;
        while (at < old_count && out->of[at] != old)
            at++;
        if (at == old_count)
            out->of[old_count++] = old;
        speed_index(out->name, &out->count, table_cell(t, row, column[0]));
    }
    return out->count == old_count ? STATUS_OK
           : table_error(t, 0, column[0], err, "%d new speeds are made of %d old ones; there must be as many",
                         out->count, old_count);
}

static Status fill_forms(const Table *t, const int *column, const SpeedName *name, SpeedForms *out, Error *err)
{
    for (int row = 0; row < t->row_count; row++) {
        double value;
        int count = out->count, form = speed_index(out->name, &count, table_cell(t, row, column[0])), at = 0;
        Status status = table_number(t, row, column[2], &value, err);
        if (status)
            return status;
        while (strcmp(name[out->of[at]], table_cell(t, row, column[1])))
            at++;
        out->coefficient[(size_t)form * (size_t)out->count + (size_t)at] += value;
    }
    return STATUS_OK;
}

static Status read_forms(const Table *t, const SpeedName *name, int count, SpeedForms *out, Error *err)
{
    static const char *const columns[] = {"speed", "of", "coefficient"};
    int column[3];
    size_t rows = (size_t)t->row_count;
    Status status = table_require_all(t, columns, 3, column, err);
    if (status || (status = table_require_rows(t, err)))
        return status;
    out->name = array_new(rows, 1, sizeof *out->name);
    out->of = array_new(rows, 1, sizeof *out->of);
    if (!out->name || !out->of)
        return error_no_memory(err);
    if ((status = list_speeds(t, column, name, count, out, err)))
        return status;
    if (!(out->coefficient = array_new((size_t)out->count, (size_t)out->count, sizeof *out->coefficient)))
        return error_no_memory(err);
    return fill_forms(t, column, name, out, err);
}

Status speed_forms_read(const char *path, const SpeedName *name, int count, SpeedForms *out, Error *err)
{
    Table table;
    *out = (SpeedForms){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = read_forms(&table, name, count, out, err);
    table_free(&table);
    if (status)
        speed_forms_free(out);
    return status;
}

void speed_forms_free(SpeedForms *forms)
{
    free(forms->name);
    free(forms->of);
    free(forms->coefficient);
    *forms = (SpeedForms){0};
}
