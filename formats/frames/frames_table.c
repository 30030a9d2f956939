#ifndef KANE_EXTENSION
#define SQLITE_CORE 1 /* sqlite3ext.h then does not redefine SQLite's functions */
#endif
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#include "formats/frames/frames_table.h"

#include <stdio.h>
#include <string.h>

#include "formats/frames/frames_scan.h"

static const char schema[] =
    "CREATE TABLE kane_frames(time REAL, frame INTEGER, joint TEXT, role TEXT,"
    " torque_x REAL, torque_y REAL, torque_z REAL, torque REAL, power REAL,"
    " angular_velocity_x REAL, angular_velocity_y REAL, angular_velocity_z REAL, angular_velocity REAL,"
    " contact_force_x REAL, contact_force_y REAL, contact_force_z REAL, contact_force REAL,"
    " valid INTEGER, trusted INTEGER, residual_torque REAL, path TEXT HIDDEN,"
    " coordinate_1 TEXT, coordinate_2 TEXT, coordinate_3 TEXT, angle_1 REAL, angle_2 REAL, angle_3 REAL,"
    " moment_1 REAL, moment_2 REAL, moment_3 REAL, utilization_1 REAL, utilization_2 REAL, utilization_3 REAL)";

typedef struct FramesTable {
    sqlite3_vtab base; /* must be first */
    sqlite3 *db;
    FramesSource *recent; /* file of the last scan, which an IN list or a join may use again */
} FramesTable;

typedef struct FramesCursor {
    sqlite3_vtab_cursor base; /* must be first */
    FramesScan scan;
    int row; /* index in the block */
    char *path; /* as in the statement; owned (sqlite3_free) */
} FramesCursor;

/* Constraints of the WHERE clause that a scan applies, in the order of its arguments. idxNum has a bit for each, and
 * from COLUMN_BIT a bit for each wanted column. */
typedef enum Push {
    PUSH_PATH, PUSH_JOINT, PUSH_ROLE, PUSH_TIME, PUSH_TIME_FROM, PUSH_TIME_TO,
    PUSH_FRAME, PUSH_FRAME_FROM, PUSH_FRAME_TO,
    PUSH_COUNT
} Push;

enum { COLUMN_BIT = PUSH_COUNT };
_Static_assert(COLUMN_BIT + FRAME_PATH <= 30, "pushed constraints and columns fit into idxNum");

/* share: estimated fraction of rows that match. */
static const struct {
    FrameColumn column;
    unsigned char operator, same; /* also the strict inequality: SQLite checks every row again */
    const char *text;
    double fraction;
} pushes[PUSH_COUNT] = {
    [PUSH_PATH] = {FRAME_PATH, SQLITE_INDEX_CONSTRAINT_EQ, 0, "path=", 1},
    [PUSH_JOINT] = {FRAME_JOINT, SQLITE_INDEX_CONSTRAINT_EQ, 0, "joint=", 0.04},
    [PUSH_ROLE] = {FRAME_ROLE, SQLITE_INDEX_CONSTRAINT_EQ, 0, "role=", 0.04},
    [PUSH_TIME] = {FRAME_TIME, SQLITE_INDEX_CONSTRAINT_EQ, 0, "time=", 0.001},
    [PUSH_TIME_FROM] = {FRAME_TIME, SQLITE_INDEX_CONSTRAINT_GE, SQLITE_INDEX_CONSTRAINT_GT, "time>=", 0.3},
    [PUSH_TIME_TO] = {FRAME_TIME, SQLITE_INDEX_CONSTRAINT_LE, SQLITE_INDEX_CONSTRAINT_LT, "time<=", 0.3},
    [PUSH_FRAME] = {FRAME_NUMBER, SQLITE_INDEX_CONSTRAINT_EQ, 0, "frame=", 0.001},
    [PUSH_FRAME_FROM] = {FRAME_NUMBER, SQLITE_INDEX_CONSTRAINT_GE, SQLITE_INDEX_CONSTRAINT_GT, "frame>=", 0.3},
    [PUSH_FRAME_TO] = {FRAME_NUMBER, SQLITE_INDEX_CONSTRAINT_LE, SQLITE_INDEX_CONSTRAINT_LT, "frame<=", 0.3},
};
static const double typical_rows = 1e6;

static int table_connect(sqlite3 *db, void *context, int argc, const char *const *argv, sqlite3_vtab **out,
                         char **error)
{
    (void)context, (void)argc, (void)argv, (void)error;
    int code = sqlite3_declare_vtab(db, schema);
    FramesTable *table = code == SQLITE_OK ? sqlite3_malloc(sizeof *table) : NULL;
    if (!table)
        return code == SQLITE_OK ? SQLITE_NOMEM : code;
    *table = (FramesTable){.db = db};
    *out = &table->base;
    return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

static int table_disconnect(sqlite3_vtab *base)
{
    FramesTable *table = (FramesTable *)base;
    frames_source_release(table->recent);
    sqlite3_free(table);
    return SQLITE_OK;
}

/* Returns the push for a constraint, PUSH_COUNT if there is none. */
static Push constraint_push(sqlite3_index_info *info, int i)
{
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    for (Push p = PUSH_PATH; p < PUSH_COUNT; p++)
        if (c->iColumn == (int)pushes[p].column && (c->op == pushes[p].operator|| (c->op == pushes[p].same && c->op)))
            return sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0 ? p : PUSH_COUNT;
    return PUSH_COUNT;
}

/* Chooses one constraint per push; returns 0 if a path constraint exists but is not usable yet. */
static int choose(sqlite3_index_info *info, int chosen[PUSH_COUNT])
{
    int waits = 0;
    for (Push p = PUSH_PATH; p < PUSH_COUNT; p++)
        chosen[p] = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        Push p = constraint_push(info, i);
        waits |= p == PUSH_PATH && !info->aConstraint[i].usable;
        if (p < PUSH_COUNT && info->aConstraint[i].usable && chosen[p] < 0)
            chosen[p] = i;
    }
    return chosen[PUSH_PATH] >= 0 || !waits;
}

/* Returns 1 if the requested order is that of the rows, by frame or time. */
static int is_in_order(const sqlite3_index_info *info)
{
    return info->nOrderBy == 1 && !info->aOrderBy[0].desc &&
           (info->aOrderBy[0].iColumn == FRAME_TIME || info->aOrderBy[0].iColumn == FRAME_NUMBER);
}

static int table_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    int chosen[PUSH_COUNT], arguments = 0;
    char text[128] = "";
    double rows = typical_rows;
    (void)base;
    if (!choose(info, chosen))
        return SQLITE_CONSTRAINT;
    info->idxNum = (int)((info->colUsed & ((1u << FRAME_PATH) - 1)) << COLUMN_BIT);
    info->idxNum |= info->colUsed >> FRAME_ANGLE ? 1 << (COLUMN_BIT + FRAME_PATH) : 0;
    for (Push p = PUSH_PATH; p < PUSH_COUNT; p++) {
        if (chosen[p] < 0)
            continue;
        info->idxNum |= 1 << p;
        info->aConstraintUsage[chosen[p]].argvIndex = ++arguments;
        info->aConstraintUsage[chosen[p]].omit = p == PUSH_PATH;
        rows *= pushes[p].fraction;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", arguments > 1 ? " " : "", pushes[p].text);
    }
    info->idxStr = sqlite3_mprintf("%s", text); /* for EXPLAIN QUERY PLAN */
    info->needToFreeIdxStr = 1;
    info->orderByConsumed = is_in_order(info);
    /* prohibitive cost without a path, as in one part of an OR: such a scan fails */
    info->estimatedCost = chosen[PUSH_PATH] < 0 ? 1e99 : rows + typical_rows / 100;
    info->estimatedRows = (sqlite3_int64)rows + 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static int table_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    FramesCursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    *cursor = (FramesCursor){.row = 0};
    *out = &cursor->base;
    return SQLITE_OK;
}

static int table_close(sqlite3_vtab_cursor *base)
{
    FramesCursor *cursor = (FramesCursor *)base;
    frames_scan_free(&cursor->scan);
    sqlite3_free(cursor->path);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int fail(FramesCursor *cursor, Status status, const Error *err)
{
    sqlite3_vtab *table = cursor->base.pVtab;
    if (status == STATUS_NO_MEMORY)
        return SQLITE_NOMEM;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("kane_frames: %s: %s", cursor->path, err->text);
    return FRAMES_TABLE_FAILED;
}

/* Returns the path, resolved relative to the folder of the database; NULL if memory runs out. */
static char *resolve(const FramesTable *table, const char *path)
{
    const char *file = path[0] == '/' ? NULL : sqlite3_db_filename(table->db, "main");
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? sqlite3_mprintf("%.*s/%s", (int)(slash - file), file, path) : sqlite3_mprintf("%s", path);
}

/* Makes table->recent the source of the cursor's path. */
static Status find_source(FramesTable *table, const FramesCursor *cursor, Error *err)
{
    Status status = STATUS_OK;
    char *path = resolve(table, cursor->path);
    if (!path)
        return error_no_memory(err);
    if (!table->recent || !container_reader_is(table->recent->reader, path)) {
        frames_source_release(table->recent);
        status = frames_source_open(path, &table->recent, err);
    }
    sqlite3_free(path);
    return status;
}

/* Narrows a range if the value is a number; otherwise SQLite compares row by row. */
static void narrow(sqlite3_value *value, double *from, double *to)
{
    int type = sqlite3_value_numeric_type(value);
    double number = sqlite3_value_double(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    if (from && number > *from)
        *from = number;
    if (to && number < *to)
        *to = number;
}

/* Builds the scan from the arguments after the path, as idxNum lists them. */
static FramesScanDef scan_def(int pushed, sqlite3_value **argument)
{
    FramesScanDef def = frames_scan_default_def();
    def.columns = (uint32_t)pushed >> COLUMN_BIT;
    for (Push p = PUSH_JOINT; p < PUSH_COUNT; p++) {
        if (!(pushed >> p & 1))
            continue;
        sqlite3_value *value = *argument++;
        switch (p) {
        case PUSH_JOINT: def.joint = (const char *)sqlite3_value_text(value); break;
        case PUSH_ROLE: def.role = (const char *)sqlite3_value_text(value); break;
        case PUSH_TIME: narrow(value, &def.time_from, &def.time_to); break;
        case PUSH_TIME_FROM: narrow(value, &def.time_from, NULL); break;
        case PUSH_TIME_TO: narrow(value, NULL, &def.time_to); break;
        case PUSH_FRAME: narrow(value, &def.frame_from, &def.frame_to); break;
        case PUSH_FRAME_FROM: narrow(value, &def.frame_from, NULL); break;
        default: narrow(value, NULL, &def.frame_to); break;
        }
    }
    return def;
}

static int next_block(FramesCursor *cursor)
{
    Error err;
    Status status = frames_scan_next(&cursor->scan, &err);
    cursor->row = 0;
    return status ? fail(cursor, status, &err) : SQLITE_OK;
}

/* Sets the error message of the table. */
static int refuse(FramesTable *table, const char *text)
{
    sqlite3_free(table->base.zErrMsg);
    table->base.zErrMsg = sqlite3_mprintf("kane_frames %s", text);
    return SQLITE_ERROR;
}

/* Starts a scan; no rows if the path is NULL, as after an outer join. */
static int table_filter(sqlite3_vtab_cursor *base, int pushed, const char *text, int argc, sqlite3_value **argv)
{
    FramesCursor *cursor = (FramesCursor *)base;
    FramesTable *table = (FramesTable *)base->pVtab;
    Error err;
    (void)text, (void)argc;
    frames_scan_free(&cursor->scan);
    cursor->row = 0;
    if (!(pushed >> PUSH_PATH & 1))
        return refuse(table, "expected the path of a clip file: kane_frames(path)");
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return SQLITE_OK;
    if (sqlite3_value_type(argv[0]) != SQLITE_TEXT || sqlite3_value_bytes(argv[0]) == 0)
        return refuse(table, "expected the path of a clip file");
    sqlite3_free(cursor->path);
    cursor->path = sqlite3_mprintf("%s", sqlite3_value_text(argv[0]));
    if (!cursor->path)
        return SQLITE_NOMEM;
    FramesScanDef def = scan_def(pushed, argv + 1);
    Status status = find_source(table, cursor, &err);
    if (!status)
        status = frames_scan_init(&cursor->scan, table->recent, &def, &err);
    return status ? fail(cursor, status, &err) : next_block(cursor);
}

static int table_next(sqlite3_vtab_cursor *base)
{
    FramesCursor *cursor = (FramesCursor *)base;
    return ++cursor->row < cursor->scan.row_count ? SQLITE_OK : next_block(cursor);
}

static int table_eof(sqlite3_vtab_cursor *base)
{
    const FramesCursor *cursor = (const FramesCursor *)base;
    return cursor->row >= cursor->scan.row_count;
}

static int cursor_frame(const FramesCursor *cursor)
{
    return cursor->scan.first + cursor->row / cursor->scan.joint_count;
}

static int cursor_joint(const FramesCursor *cursor)
{
    return cursor->scan.joint[cursor->row % cursor->scan.joint_count];
}

/* Returns the name of one of the joint's coordinates, which its role determines. */
static void put_coordinate(const FramesCursor *cursor, sqlite3_context *context, int index)
{
    const FramesSource *source = cursor->scan.source;
    int joint = cursor_joint(cursor);
    Coordinate first = coordinate_of_role(source->role[joint]);
    if (source->first_coordinate[joint] >= 0 && first != COORDINATE_NONE)
        sqlite3_result_text(context, coordinate_name(first + index), -1, SQLITE_STATIC);
}

static int table_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const FramesCursor *cursor = (const FramesCursor *)base;
    const FramesScan *scan = &cursor->scan;
    const double *value = scan->column[column];
    if (value && column != FRAME_VALID && column != FRAME_TRUSTED) { /* NaN becomes NULL */
        sqlite3_result_double(context, value[cursor->row]);
        return SQLITE_OK;
    }
    switch (column) {
    case FRAME_NUMBER: sqlite3_result_int(context, cursor_frame(cursor)); break;
    case FRAME_JOINT: /* copied, because an aggregate may outlive the open file */
        sqlite3_result_text(context, scan->source->name[cursor_joint(cursor)], -1, SQLITE_TRANSIENT);
        break;
    case FRAME_ROLE:
        if (scan->source->role[cursor_joint(cursor)] != ROLE_NONE)
            sqlite3_result_text(context, role_name(scan->source->role[cursor_joint(cursor)]), -1, SQLITE_STATIC);
        break;
    case FRAME_VALID:
    case FRAME_TRUSTED:
        if (value)
            sqlite3_result_int(context, (int)value[cursor->row]);
        break;
    case FRAME_PATH: sqlite3_result_text(context, cursor->path, -1, SQLITE_TRANSIENT); break;
    case FRAME_COORDINATE:
    case FRAME_COORDINATE + 1:
    case FRAME_COORDINATE + 2: put_coordinate(cursor, context, column - FRAME_COORDINATE); break;
    default: break; /* NULL: not in the clip file */
    }
    return SQLITE_OK;
}

static int table_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
    const FramesCursor *cursor = (const FramesCursor *)base;
    *rowid = (sqlite3_int64)cursor_frame(cursor) * cursor->scan.source->joint_count + cursor_joint(cursor);
    return SQLITE_OK;
}

/* No xCreate: the table is eponymous-only and cannot be created in a database. */
static const sqlite3_module module = {
    .iVersion = 0,
    .xConnect = table_connect,
    .xBestIndex = table_best_index,
    .xDisconnect = table_disconnect,
    .xOpen = table_open,
    .xClose = table_close,
    .xFilter = table_filter,
    .xNext = table_next,
    .xEof = table_eof,
    .xColumn = table_column,
    .xRowid = table_rowid,
};

int frames_table_register(sqlite3 *db)
{
    return sqlite3_create_module_v2(db, "kane_frames", &module, NULL, NULL);
}
