#include "formats/tables/body_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/base/table.h"

void scene_tables_free(SceneTables *t)
{
    if (!t)
        return;
    free(t->drive);
    free(t->controller);
    free(t->grid);
    free(t->attachment);
    arena_free(&t->memory);
    *t = (SceneTables){0};
}

/* An empty drive with room for all rows of a table. */
static SceneDrive *add_drive(SceneTables *t, int rows, Error *err)
{
    if (!array_grow(&t->drive, t->drive_count, sizeof *t->drive)) {
        error_no_memory(err);
        return NULL;
    }
    SceneDrive *d = &t->drive[t->drive_count];
    *d = (SceneDrive){.body = -1, .joint = -1,
                      .time = arena_array(&t->memory, (size_t)rows, 1, sizeof *d->time),
                      .force = arena_array(&t->memory, (size_t)rows, 1, sizeof *d->force),
                      .moment = arena_array(&t->memory, (size_t)rows, 1, sizeof *d->moment)};
    if (t->memory.failed) {
        error_no_memory(err);
        return NULL;
    }
    t->drive_count++;
    return d;
}

static Status take_forces(const ExternalRows *rows, int body, SceneTables *tables, Error *err)
{
    int count = 0;
    for (int i = 0; i < rows->row_count; i++)
        count += rows->joint[i] == body;
    SceneDrive *d = count ? add_drive(tables, count, err) : NULL;
    if (!d)
        return count ? STATUS_NO_MEMORY : STATUS_OK;
    d->body = body;
    for (int i = 0; i < rows->row_count; i++) {
        if (rows->joint[i] != body)
            continue;
        d->time[d->row_count] = rows->time[i];
        d->force[d->row_count] = rows->force[i];
        d->moment[d->row_count++] = vec3_add(rows->couple[i], vec3_cross(rows->point[i], rows->force[i]));
    }
    return STATUS_OK;
}

/* A force runs between two times: one row alone would do nothing. */
static Status check_drives(const SceneTables *t, Error *err)
{
    for (int i = 0; i < t->drive_count; i++)
        if (t->drive[i].row_count < 2)
            return error_set(err, STATUS_BAD_INPUT, "one row alone, at %g s, of a body or joint does nothing: forces "
                             "run between two times", t->drive[i].time[0]);
    return STATUS_OK;
}

Status scene_forces_read(const char *path, const Skeleton *bodies, SceneTables *tables, Error *err)
{
    ExternalRows rows = {0};
    Status status = external_read(path, bodies, &rows, err);
    for (int b = 0; !status && b < bodies->joint_count; b++)
        status = take_forces(&rows, b, tables, err);
    if (!status && rows.row_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "has no rows below its header");
    external_rows_free(&rows);
    return status ? status : check_drives(tables, err);
}

/* The joint that a cell names, which has one coordinate. */
static Status read_joint(const Table *t, int row, int column, const Model *m, int *joint, Error *err)
{
    const char *name = table_cell(t, row, column);
    *joint = model_find_joint(m, name);
    if (*joint < 0 || !*name)
        return table_error(t, row, column, err, "unknown joint \"%s\"", name);
    if (m->joint[*joint].kind != MODEL_HINGE && m->joint[*joint].kind != MODEL_SLIDE)
        return table_error(t, row, column, err, "joint \"%s\" is neither hinge nor slide", name);
    return STATUS_OK;
}

static Status take_torque(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err)
{
    int joint, at = 0;
    double v[2];
    Status status;
    if ((status = read_joint(t, row, column[0], m, &joint, err)) ||
        (status = table_numbers(t, row, column + 1, 2, v, err)))
        return status;
    while (at < tables->drive_count && tables->drive[at].joint != joint)
        at++;
    SceneDrive *d = at < tables->drive_count ? &tables->drive[at] : add_drive(tables, t->row_count, err);
    if (!d)
        return STATUS_NO_MEMORY;
    d->joint = joint;
    if (d->row_count && !(v[0] > d->time[d->row_count - 1]))
        return table_error(t, row, column[1], err, "time %g of joint %s comes after %g", v[0], m->joint[joint].name,
                           d->time[d->row_count - 1]);
    d->time[d->row_count] = v[0];
    d->force[d->row_count++] = vec3(v[1], 0, 0);
    return STATUS_OK;
}

static Status take_controller(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                              Error *err)
{
    SceneController c;
    double v[3];
    Status status = read_joint(t, row, column[0], m, &c.joint, err);
    if (!status)
        status = table_numbers(t, row, column + 1, 3, v, err);
    if (!status && (v[0] < 0 || v[1] < 0))
        status = table_error(t, row, column[1], err, "a drive has a stiffness or damping below 0");
    if (status)
        return status;
    if (!array_grow(&tables->controller, tables->controller_count, sizeof *tables->controller))
        return error_no_memory(err);
    c.stiffness = v[0];
    c.damping = v[1];
    c.target = v[2];
    tables->controller[tables->controller_count++] = c;
    return STATUS_OK;
}

typedef Status TakeRow(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err);

/* A form of table: its columns, and what takes a row. */
typedef struct RowForm {
    const char *names[12];
    int count;
    TakeRow *take;
} RowForm;

static Status read_rows(const char *path, const RowForm *form, const Model *m, SceneTables *tables, Error *err)
{
    Table table = {0};
    int column[12];
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = table_require_all(&table, form->names, form->count, column, err);
    if (!status)
        status = table_require_rows(&table, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = form->take(&table, row, column, m, tables, err);
    table_free(&table);
    return status;
}

enum { GRID_NUMBERS = 10 };

static Status check_grid(const Table *t, int row, const int *column, const double *v, Error *err)
{
    for (int k = 0; k < 3; k++)
        if (!(v[k] >= 1) || v[k] > 1e5 || v[k] != floor(v[k]))
            return table_error(t, row, column[k], err, "a grid has 1 particle or more along each axis");
    if (!(v[6] > 0) || !(v[7] > 0) || v[8] < 0 || v[9] < 0)
        return table_error(t, row, column[6], err,
                           "spacing and mass must be above 0, stiffness and damping not below");
    return STATUS_OK;
}

/* Both the body and the face of a grid that is attached, or neither. */
static Status read_attachment(const Table *t, int row, const int *column, const Model *m, ParticleGrid *g, Error *err)
{
    static const char *const faces[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const char *body = table_cell(t, row, column[0]), *face = table_cell(t, row, column[1]);
    g->body = g->face = -1;
    if (!*body && !*face)
        return STATUS_OK;
    g->body = model_find_body(m, body);
    if (g->body < 0)
        return table_error(t, row, column[0], err, "unknown body \"%s\"", body);
    for (int k = 0; k < 6; k++)
        if (!strcmp(face, faces[k]))
            g->face = k;
    return g->face < 0 ? table_error(t, row, column[1], err, "face: expected -x, +x, -y, +y, -z or +z") : STATUS_OK;
}

static Status take_grid(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err)
{
    double v[GRID_NUMBERS];
    ParticleGrid g;
    Status status;
    if ((status = table_numbers(t, row, column, GRID_NUMBERS, v, err)) ||
        (status = check_grid(t, row, column, v, err)) ||
        (status = read_attachment(t, row, column + GRID_NUMBERS, m, &g, err)))
        return status;
    for (int k = 0; k < 3; k++)
        g.size[k] = (int)v[k];
    g.corner = vec3(v[3], v[4], v[5]);
    g.spacing = v[6];
    g.mass = v[7];
    g.stiffness = v[8];
    g.damping = v[9];
    if (!array_grow(&tables->grid, tables->grid_count, sizeof *tables->grid))
        return error_no_memory(err);
    tables->grid[tables->grid_count++] = g;
    return STATUS_OK;
}

Status scene_particles_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"nx", "ny", "nz", "x", "y", "z", "spacing", "mass", "stiffness", "damping", "body",
                                  "face"}, 12, take_grid};
    return read_rows(path, &form, model, tables, err);
}

Status scene_torques_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "time", "torque"}, 3, take_torque};
    Status status = read_rows(path, &form, model, tables, err);
    return status ? status : check_drives(tables, err);
}

Status scene_controllers_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "stiffness", "damping", "target"}, 4, take_controller};
    return read_rows(path, &form, model, tables, err);
}

static Status read_body(const Table *t, int row, int column, const Model *m, int *body, Error *err)
{
    const char *name = table_cell(t, row, column);
    *body = strcmp(name, "world") ? model_find_body(m, name) : 0;
    return *body < 0 || !*name ? table_error(t, row, column, err, "unknown body \"%s\"", name) : STATUS_OK;
}

static Status take_attachment(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                              Error *err)
{
    SceneAttachment a;
    const char *kind = table_cell(t, row, column[2]);
    Status status = read_body(t, row, column[0], m, &a.body, err);
    if (!status)
        status = read_body(t, row, column[1], m, &a.to, err);
    a.turns = !strcmp(kind, "point");
    if (!status && !a.turns && strcmp(kind, "rigid"))
        status = table_error(t, row, column[2], err, "kind: expected rigid or point");
    if (!status && a.body == 0)
        status = table_error(t, row, column[0], err, "the world cannot be attached");
    if (status)
        return status;
    if (!array_grow(&tables->attachment, tables->attachment_count, sizeof *tables->attachment))
        return error_no_memory(err);
    tables->attachment[tables->attachment_count++] = a;
    return STATUS_OK;
}

Status scene_attachments_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"body", "to", "kind"}, 3, take_attachment};
    return read_rows(path, &form, model, tables, err);
}
