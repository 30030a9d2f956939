#include "formats/tables/spring_table.h"

#include <stdio.h>
#include <string.h>

#include "formats/base/table.h"

static const char *const number_columns[] = {"ax", "ay", "az", "bx", "by", "bz", "stiffness", "damping", "rest"};
enum { NUMBERS = sizeof number_columns / sizeof *number_columns };

typedef struct SpringColumns {
    int name, kind, joint_a, joint_b, number[NUMBERS];
} SpringColumns;

static Status find_columns(const Table *t, SpringColumns *c, Error *err)
{
    Status status = table_require(t, "name", &c->name, err);
    if (!status)
        status = table_require(t, "kind", &c->kind, err);
    if (!status)
        status = table_require(t, "joint_a", &c->joint_a, err);
    if (!status)
        status = table_require(t, "joint_b", &c->joint_b, err);
    return status ? status : table_require_all(t, number_columns, NUMBERS, c->number, err);
}

static Status read_joint(const Table *t, int row, int column, const Skeleton *skeleton, int *joint, Error *err)
{
    const char *name = table_cell(t, row, column);
    *joint = skeleton_find_name_or_role(skeleton, name);
    if (*joint < 0 && strcmp(name, "world") != 0)
        return table_error(t, row, column, err, "no joint is called \"%s\" or has that role", name);
    return STATUS_OK;
}

static Status read_kind(const Table *t, int row, int column, SpringKind *kind, Error *err)
{
    const char *name = table_cell(t, row, column);
    char known[128] = "";
    *kind = spring_kind_from_name(name);
    if (*kind != SPRING_KIND_COUNT)
        return STATUS_OK;
    for (int k = 0; k < SPRING_KIND_COUNT; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", spring_kind_name((SpringKind)k));
    }
    return table_error(t, row, column, err, "no spring is of kind \"%s\": %s", name, known);
}

static Status read_row(const Table *t, int row, const SpringColumns *c, const Skeleton *skeleton, SpringElement *e,
                       Error *err)
{
    double v[NUMBERS];
    Status status = read_kind(t, row, c->kind, &e->kind, err);
    if (!status)
        status = read_joint(t, row, c->joint_a, skeleton, &e->joint_a, err);
    if (!status)
        status = read_joint(t, row, c->joint_b, skeleton, &e->joint_b, err);
    if (!status)
        status = table_numbers(t, row, c->number, NUMBERS, v, err);
    if (status)
        return status;
    e->name = strdup(table_cell(t, row, c->name));
    if (!e->name)
        return error_no_memory(err);
    e->a = vec3(v[0], v[1], v[2]);
    e->b = vec3(v[3], v[4], v[5]);
    e->stiffness = v[6];
    e->damping = v[7];
    e->rest = v[8];
    return STATUS_OK;
}

/* What the springs themselves object to, with the line of the spring. */
static Status check(const Table *t, const Springs *s, int joint_count, Error *err)
{
    Error inner = {0};
    int at = 0;
    Status status = springs_check(s, joint_count, &at, &inner);
    return status ? error_set_at(err, status, t->line[at], 0, "%s", inner.text) : STATUS_OK;
}

Status springs_read(const char *path, const Skeleton *skeleton, Springs *out, Error *err)
{
    Table table = {0};
    SpringColumns columns;
    *out = (Springs){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = find_columns(&table, &columns, err);
    if (!status)
        status = table_require_rows(&table, err);
    if (!status)
        status = springs_init(out, table.row_count, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = read_row(&table, row, &columns, skeleton, &out->element[row], err);
    if (!status)
        status = check(&table, out, skeleton->joint_count, err);
    if (status)
        springs_free(out);
    table_free(&table);
    return status;
}
