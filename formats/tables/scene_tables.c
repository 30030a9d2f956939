/* See scene_tables.h. */
#include "formats/tables/scene_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sim/scene.h"
#include "formats/base/bytes.h"
#include "formats/base/number.h"
#include "formats/base/table.h"
#include "formats/tables/external_table.h"
#include "formats/tables/retarget_tables.h"

void scene_tables_free(SceneTables *t)
{
    if (!t)
        return;
    free(t->drive);
    free(t->controller);
    free(t->grid);
    free(t->attachment);
    free(t->angle_limit);
    free(t->compliance);
    free(t->rolling);
    free(t->path);
    arena_free(&t->memory);
    *t = (SceneTables){0};
}

/* Adds an empty drive with room for all rows of a table. */
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

/* Forces are interpolated between two times: a single row is an error. */
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

static Status find_joint(const Table *t, int row, int column, const Model *m, int *joint, Error *err)
{
    const char *name = table_cell(t, row, column);
    *joint = model_find_joint(m, name);
    return *joint < 0 || !*name ? table_error(t, row, column, err, "unknown joint \"%s\"", name) : STATUS_OK;
}

/* Finds the joint of a cell, which must be a hinge or slide. */
static Status read_joint(const Table *t, int row, int column, const Model *m, int *joint, Error *err)
{
    Status status = find_joint(t, row, column, m, joint, err);
    if (status)
        return status;
    const char *name = table_cell(t, row, column);
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

/* STATUS_BAD_INPUT unless the joint is a ball joint. */
static Status check_ball(const Table *t, int row, int column, const Model *m, int joint, Error *err)
{
    const ModelJoint *j = &m->joint[joint];
    return j->kind == MODEL_BALL ? STATUS_OK
                                 : table_error(t, row, column, err, "joint \"%s\" is not a ball joint", j->name);
}

/* Reads the driven coordinate: `angle`, empty for hinges and slides. */
static Status read_driven(const Table *t, int row, const int *column, const Model *m, SceneController *c, Error *err)
{
    static const char *const names[] = {"", "roll", "pitch", "yaw", "rotation"};
    const char *angle = column[4] < 0 ? "" : table_cell(t, row, column[4]);
    size_t k = 0;
    while (k < sizeof names / sizeof *names && strcmp(names[k], angle) != 0)
        k++;
    c->driven = (SceneDriven)k;
    if (k == sizeof names / sizeof *names)
        return table_error(t, row, column[4], err, "angle: expected roll, pitch, yaw or rotation, found \"%s\"", angle);
    if (k > 0)
        return check_ball(t, row, column[0], m, c->joint, err);
    const ModelJoint *j = &m->joint[c->joint];
    if (j->kind == MODEL_BALL)
        return table_error(t, row, column[0], err, "joint \"%s\" is a ball joint: name its roll, pitch, yaw or "
                           "rotation in the column angle", j->name);
    return read_joint(t, row, column[0], m, &c->joint, err);
}

/* Reads the target: a number, or for a rotation a quaternion w x y z. */
static Status read_target(const Table *t, int row, int column, SceneController *c, Error *err)
{
    double q[4];
    const char *text = table_cell(t, row, column);
    if (c->driven != DRIVEN_ROTATION)
        return table_number(t, row, column, &c->target, err);
    for (int i = 0; i < 4; i++) {
        text += strspn(text, " ");
        text = number_scan(text, text + strlen(text), &q[i]);
        if (!text)
            return table_error(t, row, column, err, "expected a quaternion w x y z, found \"%s\"",
                               table_cell(t, row, column));
    }
    c->rotation = (Quat){q[0], q[1], q[2], q[3]};
    double square = quat_dot(c->rotation, c->rotation);
    if (text[strspn(text, " ")] || !(fabs(square - 1) < 1e-3))
        return table_error(t, row, column, err, "expected a unit quaternion w x y z, found \"%s\"",
                           table_cell(t, row, column));
    c->rotation = quat_normalize(c->rotation);
    return STATUS_OK;
}

/* Reads the optional columns integral and integral_max; cells may be empty. */
static Status take_integral(const Table *t, int row, SceneController *c, Error *err)
{
    const int column[2] = {table_find(t, "integral"), table_find(t, "integral_max")};
    double v[2] = {0, INFINITY};
    Status status = STATUS_OK;
    for (int i = 0; !status && i < 2; i++)
        if (column[i] >= 0 && *table_cell(t, row, column[i])) {
            status = table_number(t, row, column[i], &v[i], err);
            if (!status && v[i] < 0)
                status = table_error(t, row, column[i], err, "an integral gain or its bound is below 0");
        }
    c->integral = v[0];
    c->integral_max = v[1];
    return status;
}

static Status take_controller(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                              Error *err)
{
    SceneController c = {.rotation = QUAT_IDENTITY};
    double v[2] = {0, 0};
    Status status = find_joint(t, row, column[0], m, &c.joint, err);
    if (!status)
        status = read_driven(t, row, column, m, &c, err);
    if (!status)
        status = table_numbers(t, row, column + 1, 2, v, err);
    if (!status)
        status = read_target(t, row, column[3], &c, err);
    if (!status && (v[0] < 0 || v[1] < 0))
        status = table_error(t, row, column[1], err, "a drive has a stiffness or damping below 0");
    if (!status)
        status = take_integral(t, row, &c, err);
    if (status)
        return status;
    if (!array_grow(&tables->controller, tables->controller_count, sizeof *tables->controller))
        return error_no_memory(err);
    c.stiffness = v[0];
    c.damping = v[1];
    tables->controller[tables->controller_count++] = c;
    return STATUS_OK;
}

static Status take_limit(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err)
{
    SceneAngleLimits a = {.limits = {.child = QUAT_IDENTITY}};
    Status status = find_joint(t, row, column[0], m, &a.joint, err);
    if (!status)
        status = check_ball(t, row, column[0], m, a.joint, err);
    if (!status)
        status = angle_range_read(t, row, column + 1, &a.limits.min, &a.limits.max, err);
    for (int i = 0; !status && i < tables->angle_limit_count; i++)
        if (tables->angle_limit[i].joint == a.joint)
            status = table_error(t, row, column[0], err, "a second row for joint \"%s\"", m->joint[a.joint].name);
    if (status)
        return status;
    a.limits.min = angle_limits_bounds(a.limits.min);
    a.limits.max = angle_limits_bounds(a.limits.max);
    a.limits.parent = m->body[m->joint[a.joint].body].orientation;
    if (!array_grow(&tables->angle_limit, tables->angle_limit_count, sizeof *tables->angle_limit))
        return error_no_memory(err);
    tables->angle_limit[tables->angle_limit_count++] = a;
    return STATUS_OK;
}

typedef Status TakeRow(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err);

/* A table form: its columns, of which the last `optional` may be absent (column -1), and the reader of a row. */
typedef struct RowForm {
    const char *names[12];
    int count;
    TakeRow *take;
    int optional;
} RowForm;

static Status read_rows(const char *path, const RowForm *form, const Model *m, SceneTables *tables, Error *err)
{
    Table table = {0};
    int column[12];
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = table_require_all(&table, form->names, form->count - form->optional, column, err);
    for (int k = form->count - form->optional; k < form->count; k++)
        column[k] = table_find(&table, form->names[k]);
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

/* Reads body and face of an attached grid: both or neither. */
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
    ParticleGrid g = {.name = ""};
    int name = table_find(t, "name");
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
    if (name >= 0 && *table_cell(t, row, name)) {
        size_t size = strlen(table_cell(t, row, name)) + 1;
        char *copy = arena_array(&tables->memory, size, 1, 1);
        g.name = copy ? memcpy(copy, table_cell(t, row, name), size) : "";
    }
    if (tables->memory.failed)
        return error_no_memory(err);
    if (!array_grow(&tables->grid, tables->grid_count, sizeof *tables->grid))
        return error_no_memory(err);
    tables->grid[tables->grid_count++] = g;
    return STATUS_OK;
}

Status scene_particles_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"nx", "ny", "nz", "x", "y", "z", "spacing", "mass", "stiffness", "damping", "body",
                                  "face"}, 12, take_grid, 0};
    return read_rows(path, &form, model, tables, err);
}

Status scene_torques_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "time", "torque"}, 3, take_torque, 0};
    Status status = read_rows(path, &form, model, tables, err);
    return status ? status : check_drives(tables, err);
}

Status scene_controllers_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "stiffness", "damping", "target", "angle"}, 5, take_controller, 1};
    return read_rows(path, &form, model, tables, err);
}

Status scene_limits_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "roll_min", "roll_max", "pitch_min", "pitch_max", "yaw_min", "yaw_max"},
                                 1 + ANGLE_BOUNDS, take_limit, 0};
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
    SceneAttachment a = {.weight = 1};
    const char *kind = table_cell(t, row, column[2]);
    int weight = table_find(t, "weight");
    Status status = read_body(t, row, column[0], m, &a.body, err);
    if (!status)
        status = read_body(t, row, column[1], m, &a.to, err);
    a.turns = !strcmp(kind, "point");
    if (!status && !a.turns && strcmp(kind, "rigid"))
        status = table_error(t, row, column[2], err, "kind: expected rigid or point");
    if (!status && a.body == 0)
        status = table_error(t, row, column[0], err, "the world cannot be attached");
    if (!status && weight >= 0 && *table_cell(t, row, weight))
        status = table_number(t, row, weight, &a.weight, err);
    if (!status && a.weight == 0)
        status = table_error(t, row, weight, err, "a weight of 0 attaches nothing; leave the row out");
    if (!status && a.weight != 1 && !a.turns)
        status = table_error(t, row, weight, err, "a rigid attachment has no weight; expected kind point");
    if (status)
        return status;
    if (!array_grow(&tables->attachment, tables->attachment_count, sizeof *tables->attachment))
        return error_no_memory(err);
    tables->attachment[tables->attachment_count++] = a;
    return STATUS_OK;
}

Status scene_attachments_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"body", "to", "kind"}, 3, take_attachment, 0};
    return read_rows(path, &form, model, tables, err);
}

/* Returns the index of a geom, equality, joint or body by name; -1: none. */
static int find_part(const Model *m, SceneSoftPart part, const char *name)
{
    int found = -1;
    if (part == SOFT_LIMIT)
        return model_find_joint(m, name);
    if (part == SOFT_BODY)
        return strcmp(name, "world") ? model_find_body(m, name) : 0;
    for (int i = 0; part == SOFT_GEOM && i < m->geom_count; i++)
        found = strcmp(m->geom[i].name, name) ? found : i;
    for (int i = 0; part == SOFT_EQUALITY && i < m->equality_count; i++)
        found = strcmp(m->equality[i].name, name) ? found : i;
    return found;
}

/* Reads the axis of a compliance; -1: all axes, or the limit of a hinge or slide. */
static Status read_axis(const Table *t, int row, int column, SceneCompliance *c, Error *err)
{
    static const char *const axes[2][7] = {{"x", "y", "z", "rx", "ry", "rz", NULL}, {"roll", "pitch", "yaw", NULL}};
    const char *name = column < 0 ? "" : table_cell(t, row, column);
    c->axis = -1;
    if (!*name)
        return STATUS_OK;
    int limit = c->part == SOFT_LIMIT;
    for (int k = 0; c->part <= SOFT_LIMIT && axes[limit][k]; k++)
        if (!strcmp(axes[limit][k], name))
            c->axis = k;
    return c->axis >= 0 ? STATUS_OK
                        : table_error(t, row, column, err, "axis: expected %s, found \"%s\"",
                                      c->part == SOFT_EQUALITY ? "x, y, z, rx, ry or rz of an equality"
                                      : limit ? "roll, pitch or yaw of a ball joint" : "no axis of a contact", name);
}

static Status read_part(const Table *t, int row, const int *column, const Model *m, SceneCompliance *c, Error *err)
{
    static const char *const parts[] = {"equality", "limit", "geom", "body"};
    const char *kind = table_cell(t, row, column[0]), *name = table_cell(t, row, column[1]);
    size_t k = 0;
    while (k < 4 && strcmp(parts[k], kind) != 0)
        k++;
    if (k == 4)
        return table_error(t, row, column[0], err, "kind: expected equality, limit, geom or body, found \"%s\"", kind);
    c->part = (SceneSoftPart)k;
    c->index = *name ? find_part(m, c->part, name) : -1;
    if (c->index < 0)
        return table_error(t, row, column[1], err, "unknown %s \"%s\"", k == 1 ? "joint" : kind, name);
    return STATUS_OK;
}

/* Reads the other side of a contact; -1: any. */
static Status read_other(const Table *t, int row, int column, const Model *m, SceneCompliance *c, Error *err)
{
    const char *name = column < 0 ? "" : table_cell(t, row, column);
    c->other = -1;
    if (!*name)
        return STATUS_OK;
    if (c->part < SOFT_GEOM)
        return table_error(t, row, column, err, "other: of contacts only");
    c->other = find_part(m, c->part, name);
    return c->other < 0 ? table_error(t, row, column, err, "unknown name \"%s\"", name) : STATUS_OK;
}

static int equality_axes(ModelEqualityKind kind) { return kind == MODEL_WELD ? 6 : kind == MODEL_CONNECT ? 3 : 0; }

static int acts_on_limit(const Model *m, const SceneTables *tables, const SceneCompliance *c)
{
    int acts = c->axis < 0 && m->joint[c->index].limited && !m->off.no_limits;
    for (int i = 0; i < tables->angle_limit_count; i++)
        acts |= tables->angle_limit[i].joint == c->index;
    return acts;
}

static Status acts_on_contacts(const Model *m, const SceneCompliance *c, int *acts, Error *err)
{
    char *collides = array_new((size_t)m->geom_count, 1, 1);
    if (!collides)
        return error_no_memory(err);
    scene_find_colliders(m, collides);
    *acts = 0;
    for (int g = 0; g < m->geom_count; g++)
        *acts |= collides[g] && (c->part == SOFT_GEOM ? g == c->index : m->geom[g].body == c->index);
    free(collides);
    return STATUS_OK;
}

/* STATUS_BAD_INPUT if the row has no effect: the axis or limit does not exist, or no geom can collide. */
static Status check_soft(const Table *t, int row, const int *column, const Model *m, const SceneTables *tables,
                         const SceneCompliance *c, Error *err)
{
    static const char *const missing[] = {"such axis", "such limit", "contacts", "contacts"};
    int acts = c->part == SOFT_EQUALITY ? c->axis < equality_axes(m->equality[c->index].kind)
                                        : c->part == SOFT_LIMIT && acts_on_limit(m, tables, c);
    Status status = c->part >= SOFT_GEOM ? acts_on_contacts(m, c, &acts, err) : STATUS_OK;
    if (status || acts)
        return status;
    return table_error(t, row, column[1], err, "\"%s\" has no %s: the row has no effect", table_cell(t, row, column[1]),
                       missing[c->part]);
}

static Status take_compliance(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                              Error *err)
{
    SceneCompliance c = {0};
    double v[2];
    Status status = read_part(t, row, column, m, &c, err);
    if (!status)
        status = table_numbers(t, row, column + 2, 2, v, err);
    if (!status && (!(v[0] > 0) || v[1] < 0))
        status = table_error(t, row, column[2], err, "expected a compliance above 0 and a time constant of 0 or more");
    if (!status)
        status = read_axis(t, row, column[4], &c, err);
    if (!status)
        status = read_other(t, row, column[5], m, &c, err);
    if (!status)
        status = check_soft(t, row, column, m, tables, &c, err);
    if (status)
        return status;
    if (!array_grow(&tables->compliance, tables->compliance_count, sizeof *tables->compliance))
        return error_no_memory(err);
    c.compliance = v[0];
    c.time = v[1];
    tables->compliance[tables->compliance_count++] = c;
    return STATUS_OK;
}

Status scene_compliance_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"kind", "name", "compliance", "time_constant", "axis", "other"}, 6, take_compliance,
                                 2};
    return read_rows(path, &form, model, tables, err);
}

/* Reads radius and normal of a wheel; an edge has neither. */
static Status read_wheel(const Table *t, int row, const int *column, SceneRolling *r, Error *err)
{
    int has_radius = column[0] >= 0 && *table_cell(t, row, column[0]);
    int has_normal = column[1] >= 0 && column[2] >= 0 && column[3] >= 0 && *table_cell(t, row, column[1]);
    double n[3];
    if (r->kind == ROLLING_EDGE)
        return has_radius ? table_error(t, row, column[0], err, "an edge has no radius") : STATUS_OK;
    if (!has_radius)
        return table_error(t, row, column[0] < 0 ? 0 : column[0], err, "a wheel requires a radius");
    Status status = table_number(t, row, column[0], &r->radius, err);
    if (!status && !(r->radius > 0))
        status = table_error(t, row, column[0], err, "radius: expected a positive number");
    if (!status && has_normal)
        status = table_numbers(t, row, column + 1, 3, n, err);
    if (!status && has_normal)
        r->normal = vec3_load(n);
    return status;
}

static Status take_rolling(const Table *t, int row, const int *column, const Model *m, SceneTables *tables, Error *err)
{
    SceneRolling r = {0};
    double v[6] = {0};
    const char *kind = table_cell(t, row, column[0]);
    r.kind = strcmp(kind, "wheel") ? ROLLING_EDGE : ROLLING_WHEEL;
    if (r.kind == ROLLING_EDGE && strcmp(kind, "edge") != 0)
        return table_error(t, row, column[0], err, "kind: expected edge or wheel, found \"%s\"", kind);
    Status status = read_body(t, row, column[1], m, &r.body, err);
    if (!status && model_mover(m, r.body) == 0)
        status = table_error(t, row, column[1], err, "body \"%s\" does not move", table_cell(t, row, column[1]));
    if (!status)
        status = table_numbers(t, row, column + 2, 6, v, err);
    r.point = vec3_load(v);
    r.axis = vec3_load(v + 3);
    if (!status && !(vec3_norm(r.axis) > 0))
        status = table_error(t, row, column[5], err, "expected a direction, found 0 0 0");
    if (!status)
        status = read_wheel(t, row, column + 8, &r, err);
    if (status)
        return status;
    if (!array_grow(&tables->rolling, tables->rolling_count, sizeof *tables->rolling))
        return error_no_memory(err);
    tables->rolling[tables->rolling_count++] = r;
    return STATUS_OK;
}

Status scene_rolling_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"kind", "body", "x", "y", "z", "ax", "ay", "az", "radius", "nx", "ny", "nz"}, 12,
                                 take_rolling, 4};
    return read_rows(path, &form, model, tables, err);
}

/* Returns the path of a joint, a new one if it has none; NULL if memory runs out. */
static ScenePath *find_path(SceneTables *t, int joint, int width, int rows)
{
    size_t room = (size_t)rows;
    for (int i = 0; i < t->path_count; i++)
        if (t->path[i].joint == joint)
            return &t->path[i];
    if (!array_grow(&t->path, t->path_count, sizeof *t->path))
        return NULL;
    ScenePath *p = &t->path[t->path_count];
    *p = (ScenePath){.joint = joint, .width = width, .time = arena_array(&t->memory, room, 1, sizeof *p->time),
                     .value = arena_array(&t->memory, room, (size_t)width, sizeof *p->value),
                     .curve = arena_array(&t->memory, room, (size_t)width, sizeof *p->curve)};
    t->path_count += !t->memory.failed;
    return t->memory.failed ? NULL : p;
}

/* Adds a row to a path; its time must be after the last. */
static Status add_to_path(const Table *t, int row, ScenePath *p, const double *value, Error *err)
{
    double time;
    int column = table_find(t, "time");
    Status status = p ? table_number(t, row, column, &time, err) : error_no_memory(err);
    if (status)
        return status;
    if (p->row_count && !(time > p->time[p->row_count - 1]))
        return table_error(t, row, column, err, "time %g comes after %g", time, p->time[p->row_count - 1]);
    p->time[p->row_count] = time;
    memcpy(p->value + (size_t)p->row_count * (size_t)p->width, value, (size_t)p->width * sizeof *value);
    p->row_count++;
    return STATUS_OK;
}

static Status take_joint_path(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                              Error *err)
{
    int joint;
    double position;
    Status status;
    if ((status = read_joint(t, row, column[0], m, &joint, err)) ||
        (status = table_number(t, row, column[1], &position, err)))
        return status;
    return add_to_path(t, row, find_path(tables, joint, 1, t->row_count), &position, err);
}

static Status prepare_paths(SceneTables *tables, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < tables->path_count; i++)
        status = scene_path_prepare(&tables->path[i], err);
    return status;
}

Status scene_joint_paths_read(const char *path, const Model *model, SceneTables *tables, Error *err)
{
    static const RowForm form = {{"joint", "position", "time"}, 3, take_joint_path, 0};
    Status status = read_rows(path, &form, model, tables, err);
    return status ? status : prepare_paths(tables, err);
}

/* Reads the rotation vector of a row; without these columns the orientation is that of the scene file. */
static Status read_rotation(const Table *t, int row, Quat rest, Quat *rotation, Error *err)
{
    static const char *const names[] = {"rotation_x", "rotation_y", "rotation_z"};
    double v[3] = {0};
    int given = 0;
    for (int i = 0; i < 3; i++) {
        int column = table_find(t, names[i]);
        if (column < 0)
            continue;
        Status status = table_number(t, row, column, &v[i], err);
        if (status)
            return status;
        given = 1;
    }
    *rotation = given ? quat_exp(vec3_scale(vec3_load(v), 0.5)) : rest;
    return STATUS_OK;
}

static Status take_body_path(const Table *t, int row, const int *column, const Model *m, SceneTables *tables,
                             Error *err)
{
    int body;
    double v[3];
    Quat rotation;
    Status status;
    if ((status = read_body(t, row, column[0], m, &body, err)) ||
        (status = table_numbers(t, row, column + 1, 3, v, err)) ||
        (status = read_rotation(t, row, m->body[body].orientation, &rotation, err)))
        return status;
    const double value[PATH_OF_BODY] = {v[0], v[1], v[2], rotation.w, rotation.x, rotation.y, rotation.z};
    ScenePath *p = find_path(tables, m->body[body].joint_start, PATH_OF_BODY, t->row_count);
    return add_to_path(t, row, p, value, err);
}

/* Adds a free joint to a body of the table that has none. */
static Status release_body(const Table *t, int row, const int *column, Model *m, Error *err)
{
    Error inner = {0};
    int body;
    Status status = read_body(t, row, column[0], m, &body, err);
    const ModelBody *b = &m->body[status ? 0 : body];
    if (status || (b->joint_count == 1 && m->joint[b->joint_start].kind == MODEL_FREE))
        return status;
    status = model_release(m, body, &inner);
    return status ? table_error(t, row, column[0], err, "%s", inner.text) : STATUS_OK;
}

Status scene_body_paths_read(const char *path, Model *model, SceneTables *tables, Error *err)
{
    static const char *const names[] = {"body", "x", "y", "z", "time"};
    Table table = {0};
    int column[5];
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = table_require_all(&table, names, 5, column, err);
    if (!status)
        status = table_require_rows(&table, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = release_body(&table, row, column, model, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = take_body_path(&table, row, column, model, tables, err);
    table_free(&table);
    return status ? status : prepare_paths(tables, err);
}
