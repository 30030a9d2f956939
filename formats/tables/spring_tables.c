/* See spring_tables.h. */
#include "formats/tables/spring_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"
#include "formats/base/text.h"
#include "formats/tables/joint_cell.h"

enum { MAX_LAW_ROWS = 10000 };

/* A table of laws, which springs refer to by name. */
typedef struct Laws {
    Table table;
    int name, number[3]; /* columns */
    int used;            /* number of springs with a law */
} Laws;

static Status read_laws(const char *path, Laws *laws, Error *err)
{
    static const char *const names[] = {"length", "rate", "force"};
    Status status = table_read_path(path, &laws->table, err);
    if (!status)
        status = table_require(&laws->table, "law", &laws->name, err);
    if (!status)
        status = table_require_all(&laws->table, names, 3, laws->number, err);
    if (!status && laws->table.row_count > MAX_LAW_ROWS)
        status = error_set(err, STATUS_LIMIT, "has more than %d rows", MAX_LAW_ROWS);
    return status ? status : table_require_rows(&laws->table, err);
}

static int is_law_row(const Laws *laws, int row, const char *name)
{
    return !strcmp(table_cell(&laws->table, row, laws->name), name);
}

/* Inserts a value into `count` ascending values unless present; returns the new count. */
static int insert(double *value, int count, double x)
{
    int at = 0;
    while (at < count && value[at] < x)
        at++;
    if (at < count && value[at] == x)
        return count;
    memmove(value + at + 1, value + at, (size_t)(count - at) * sizeof *value);
    value[at] = x;
    return count + 1;
}

static int grid_index(const double *value, double x)
{
    int at = 0;
    while (value[at] < x)
        at++;
    return at;
}

/* Lengths and rates of a law, ascending, and its number of rows. */
typedef struct LawGrid {
    const char *name;
    double *length, *rate;
    int length_count, rate_count, rows;
} LawGrid;

static Status collect(const Laws *laws, LawGrid *grid, Error *err)
{
    double v[3];
    for (int row = 0; row < laws->table.row_count; row++) {
        if (!is_law_row(laws, row, grid->name))
            continue;
        Status status = table_numbers(&laws->table, row, laws->number, 3, v, err);
        if (status)
            return status;
        grid->length_count = insert(grid->length, grid->length_count, v[0]);
        grid->rate_count = insert(grid->rate, grid->rate_count, v[1]);
        grid->rows++;
    }
    if (grid->length_count >= 2 && grid->length_count * grid->rate_count == grid->rows)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "law \"%s\" has %d row%s of %d lengths and %d rates; expected two lengths "
                     "or more, each with every rate", grid->name, grid->rows, grid->rows == 1 ? "" : "s",
                     grid->length_count, grid->rate_count);
}

static Status fill(const Laws *laws, const LawGrid *grid, SpringLaw *law, Error *err)
{
    double v[3];
    memcpy(law->length, grid->length, (size_t)grid->length_count * sizeof *law->length);
    memcpy(law->rate, grid->rate, (size_t)grid->rate_count * sizeof *law->rate);
    for (int i = 0; i < grid->rows; i++)
        law->force[i] = NAN;
    for (int row = 0; row < laws->table.row_count; row++) {
        if (!is_law_row(laws, row, grid->name))
            continue;
        table_numbers(&laws->table, row, laws->number, 3, v, NULL);
        double *force = &law->force[grid_index(law->length, v[0]) * law->rate_count + grid_index(law->rate, v[1])];
        if (!isnan(*force))
            return table_error(&laws->table, row, laws->number[0], err, "law \"%s\" has two rows of length %g and "
                               "rate %g", grid->name, v[0], v[1]);
        *force = v[2];
    }
    return STATUS_OK;
}

static Status make_law(const Laws *laws, const char *name, SpringLaw **out, Error *err)
{
    Arena memory = {0};
    size_t rows = (size_t)laws->table.row_count;
    LawGrid grid = {.name = name, .length = arena_array(&memory, rows, 1, sizeof(double)),
                    .rate = arena_array(&memory, rows, 1, sizeof(double))};
    SpringLaw *law = NULL;
    Status status = memory.failed ? error_no_memory(err) : collect(laws, &grid, err);
    if (!status && !(law = spring_law_create(name, grid.length_count, grid.rate_count)))
        status = error_no_memory(err);
    if (!status)
        status = fill(laws, &grid, law, err);
    if (status)
        spring_law_free(law);
    *out = status ? NULL : law;
    arena_free(&memory);
    return status;
}

static const char *const spring_columns[] = {"ax", "ay", "az", "bx", "by", "bz", "stiffness", "damping"};
enum { SPRING_NUMBERS = sizeof spring_columns / sizeof *spring_columns };

/* Optional columns; an empty cell is 0. */
static const char *const rotation_columns[] = {"rotation_ax", "rotation_ay", "rotation_az",
                                               "rotation_bx", "rotation_by", "rotation_bz"};
enum { ROTATION_NUMBERS = sizeof rotation_columns / sizeof *rotation_columns };

typedef struct SpringReader {
    Table table;
    const Skeleton *skeleton;
    const SpringFiles *files;
    const char *laws_path; /* NULL: none */
    Laws laws;
    int is_of_laws;        /* 1: the error already has its file */
    int name, kind, joint_a, joint_b, number[SPRING_NUMBERS], rest;
    int law, rotation[ROTATION_NUMBERS]; /* -1: absent */
} SpringReader;

static Status find_columns(SpringReader *r, Error *err)
{
    const Table *t = &r->table;
    Status status;
    if ((status = table_require(t, "name", &r->name, err)) ||
        (status = table_require(t, "kind", &r->kind, err)) ||
        (status = table_require(t, "joint_a", &r->joint_a, err)) ||
        (status = table_require(t, "joint_b", &r->joint_b, err)) ||
        (status = table_require(t, "rest", &r->rest, err)))
        return status;
    r->law = table_find(t, "law");
    for (int i = 0; i < ROTATION_NUMBERS; i++)
        r->rotation[i] = table_find(t, rotation_columns[i]);
    return table_require_all(t, spring_columns, SPRING_NUMBERS, r->number, err);
}

static Status read_end(const SpringReader *r, int row, int column, int *joint, Error *err)
{
    const char *name = table_cell(&r->table, row, column);
    *joint = skeleton_find_name_or_role(r->skeleton, name);
    if (*joint >= 0 || !strcmp(name, "world"))
        return STATUS_OK;
    int particle = particle_find(r->files->grid, r->files->grid_count, name);
    *joint = SPRING_PARTICLE(particle);
    if (particle >= 0)
        return STATUS_OK;
    return joint_cell_unknown(&r->table, row, column, r->skeleton, err);
}

static Status read_kind(const SpringReader *r, int row, SpringKind *kind, Error *err)
{
    const char *name = table_cell(&r->table, row, r->kind);
    char known[128] = "";
    *kind = spring_kind_from_name(name);
    if (*kind != SPRING_KIND_COUNT)
        return STATUS_OK;
    for (int k = 0; k < SPRING_KIND_COUNT; k++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", spring_kind_name((SpringKind)k));
    }
    return table_error(&r->table, row, r->kind, err, "unknown kind \"%s\"; expected %s", name, known);
}

/* Reads a length, or `start`. */
static Status read_rest(const SpringReader *r, int row, SpringElement *e, Error *err)
{
    e->rests_at_start = !strcmp(table_cell(&r->table, row, r->rest), "start");
    return e->rests_at_start ? STATUS_OK : table_number(&r->table, row, r->rest, &e->rest, err);
}

static Status read_rotations(const SpringReader *r, int row, SpringElement *e, Error *err)
{
    double v[ROTATION_NUMBERS] = {0};
    Status status = STATUS_OK;
    for (int i = 0; !status && i < ROTATION_NUMBERS; i++)
        if (r->rotation[i] >= 0 && *table_cell(&r->table, row, r->rotation[i]))
            status = table_number(&r->table, row, r->rotation[i], &v[i], err);
    e->turn_a = vec3_load(v);
    e->turn_b = vec3_load(v + 3);
    return status;
}

static Status read_law(SpringReader *r, int row, SpringElement *e, Error *err)
{
    const char *name = r->law >= 0 ? table_cell(&r->table, row, r->law) : "";
    int found = 0;
    if (!*name)
        return STATUS_OK;
    if (!r->laws_path)
        return table_error(&r->table, row, r->law, err, "law \"%s\" requires --spring-laws", name);
    for (int i = 0; !found && i < r->laws.table.row_count; i++)
        found = is_law_row(&r->laws, i, name);
    if (!found)
        return table_error(&r->table, row, r->law, err, "unknown law \"%s\"; %s has none of that name", name,
                           r->laws_path);
    r->laws.used++;
    Status status = error_of_file(err, r->laws_path, make_law(&r->laws, name, &e->law, err));
    r->is_of_laws = status ? 1 : 0;
    return status;
}

static Status read_spring(SpringReader *r, int row, SpringElement *e, Error *err)
{
    double v[SPRING_NUMBERS];
    Status status;
    if ((status = read_kind(r, row, &e->kind, err)) ||
        (status = read_end(r, row, r->joint_a, &e->joint_a, err)) ||
        (status = read_end(r, row, r->joint_b, &e->joint_b, err)) ||
        (status = table_numbers(&r->table, row, r->number, SPRING_NUMBERS, v, err)) ||
        (status = read_rest(r, row, e, err)) || (status = read_rotations(r, row, e, err)))
        return status;
    e->name = strdup(table_cell(&r->table, row, r->name));
    e->a = vec3_load(v);
    e->b = vec3(v[3], v[4], v[5]);
    e->stiffness = v[6];
    e->damping = v[7];
    return e->name ? read_law(r, row, e, err) : error_no_memory(err);
}

/* Checks the springs; errors have the line of the spring. */
static Status check_springs(const SpringReader *r, const Springs *s, Error *err)
{
    Error inner = {0};
    int at = 0;
    Status status = springs_check(s, r->skeleton->joint_count, &at, &inner);
    if (status)
        return error_set_at(err, status, r->table.line[at], 0, "%s", inner.text);
    if (r->laws_path && !r->laws.used)
        return error_set(err, STATUS_USAGE, "no spring follows a law of %s; name one in a column law", r->laws_path);
    return STATUS_OK;
}

static Status read_rows(SpringReader *r, Springs *out, Error *err)
{
    Status status = find_columns(r, err);
    if (!status)
        status = table_require_rows(&r->table, err);
    if (!status)
        status = springs_init(out, r->table.row_count, err);
    for (int row = 0; !status && row < r->table.row_count; row++)
        status = read_spring(r, row, &out->element[row], err);
    return status ? status : check_springs(r, out, err);
}

Status springs_read(const SpringFiles *files, const Skeleton *skeleton, Springs *out, Error *err)
{
    SpringReader r = {.skeleton = skeleton, .files = files, .laws_path = files->laws};
    *out = (Springs){0};
    Status status = files->laws ? error_of_file(err, files->laws, read_laws(files->laws, &r.laws, err)) : STATUS_OK;
    if (!status)
        status = error_of_file(err, files->springs, table_read_path(files->springs, &r.table, err));
    if (!status)
        status = read_rows(&r, out, err);
    if (status && r.table.text && !r.is_of_laws)
        error_of_file(err, files->springs, status);
    if (status)
        springs_free(out);
    table_free(&r.laws.table);
    table_free(&r.table);
    return status;
}
