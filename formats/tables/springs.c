#include "formats/tables/springs.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "formats/base/table.h"

static const char *const number_columns[9] = {"ax", "ay", "az", "bx", "by", "bz", "stiffness", "damping", "rest"};

typedef struct SpringColumns {
    int name, kind, joint_a, joint_b, number[9];
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
    for (int i = 0; !status && i < 9; i++)
        status = table_require(t, number_columns[i], &c->number[i], err);
    return status;
}

static size_t cell_at(const Table *t, int row, int column)
{
    return (size_t)row * (size_t)t->column_count + (size_t)column;
}

static Status read_joint(const Table *t, int row, int column, const Skeleton *skeleton, int *joint, Error *err)
{
    size_t cell = cell_at(t, row, column);
    *joint = skeleton_find_name_or_role(skeleton, t->cell[cell]);
    if (*joint < 0 && strcmp(t->cell[cell], "world") != 0)
        return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->place[cell],
                            "no joint is called \"%s\" or has that role", t->cell[cell]);
    return STATUS_OK;
}

static Status read_kind(const Table *t, int row, int column, SpringKind *kind, Error *err)
{
    size_t cell = cell_at(t, row, column);
    *kind = spring_kind_from_name(t->cell[cell]);
    if (*kind == SPRING_KIND_COUNT)
        return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->place[cell],
                            "no spring is of kind \"%s\": axial, ligament, stress, path, passive, translation, turning",
                            t->cell[cell]);
    return STATUS_OK;
}

static Status read_row(const Table *t, int row, const SpringColumns *c, const Skeleton *skeleton, SpringElement *e,
                       Error *err)
{
    double v[9];
    Status status = read_kind(t, row, c->kind, &e->kind, err);
    if (!status)
        status = read_joint(t, row, c->joint_a, skeleton, &e->joint_a, err);
    if (!status)
        status = read_joint(t, row, c->joint_b, skeleton, &e->joint_b, err);
    for (int i = 0; !status && i < 9; i++)
        status = table_number(t, row, c->number[i], &v[i], err);
    if (status)
        return status;
    e->name = strdup(t->cell[cell_at(t, row, c->name)]);
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
