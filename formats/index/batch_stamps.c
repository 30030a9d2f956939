#include "formats/index/batch_stamps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/database.h"
#include "formats/base/relative_path.h"
#include "formats/source/source.h"

#define SUFFIX ".batch"
#define LOST "lost" /* request of a path that was lost */
#define COLUMNS "input_size, input_mtime_ns, input_sha256, output_size, output_mtime_ns, request, input"

/* A file whose table was created by another text is of another version. */
static const char create[] = "CREATE TABLE batch_file(path TEXT PRIMARY KEY, input_size INTEGER,"
                             " input_mtime_ns INTEGER, input_sha256 TEXT, output_size INTEGER,"
                             " output_mtime_ns INTEGER, request TEXT, input TEXT) STRICT, WITHOUT ROWID";

/* The index from which an earlier merge took each clip or failure. */
static const char create_origin[] = "CREATE TABLE IF NOT EXISTS origin(path TEXT PRIMARY KEY, shard TEXT) STRICT,"
                                    " WITHOUT ROWID";

/* Clip files as kane index read them; batch_file has those that a batch wrote. */
static const char create_file[] = "CREATE TABLE IF NOT EXISTS clip_file(path TEXT PRIMARY KEY, size INTEGER,"
                                  " mtime_ns INTEGER) STRICT, WITHOUT ROWID";

static char *stamps_path(const char *index_path)
{
    char *path = NULL;
    return asprintf(&path, "%s" SUFFIX, index_path) < 0 ? NULL : path;
}

int batch_stamps_exist(const char *index_path)
{
    char *path = stamps_path(index_path);
    int is_there = path && access(path, R_OK) == 0;
    free(path);
    return is_there;
}

void batch_stamps_delete(const char *index_path)
{
    char *path = stamps_path(index_path);
    if (path)
        unlink(path);
    free(path);
}

static Status make_table(sqlite3 *db, Error *err)
{
    sqlite3_stmt *same = NULL;
    Status status = database_prepare(db, "SELECT 1 FROM sqlite_schema WHERE name = 'batch_file' AND sql = ?", &same,
                                     err);
    if (status)
        return status;
    sqlite3_bind_text(same, 1, create, -1, SQLITE_STATIC);
    int code = sqlite3_step(same);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(same);
    if (status || code == SQLITE_ROW)
        return status;
    status = database_exec(db, "DROP TABLE IF EXISTS batch_file", err);
    return status ? status : database_exec(db, create, err);
}

/* Opens the file. It survives a killed process (rollback journal), but not a power failure (no sync), after which it is
 * rebuilt. */
static Status open_once(BatchStamps *s, const char *path, Error *err)
{
    database_make_file(path);
    if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return error_set(err, STATUS_IO, "cannot open %s", path);
    Status status = database_exec(s->db, "PRAGMA synchronous = OFF; BEGIN IMMEDIATE", err);
    if (!status)
        status = make_table(s->db, err);
    if (!status)
        status = database_exec(s->db, create_origin, err);
    if (!status)
        status = database_exec(s->db, create_file, err);
    if (!status)
        status = database_prepare(s->db, "INSERT OR REPLACE INTO clip_file VALUES (?, ?, ?)", &s->put_file, err);
    if (!status)
        status = database_prepare(s->db, "DELETE FROM clip_file WHERE path = ?", &s->forget_file, err);
    if (!status)
        status = database_prepare(s->db, "SELECT " COLUMNS " FROM batch_file WHERE path = ?", &s->find, err);
    if (!status)
        status = database_prepare(s->db, "INSERT OR REPLACE INTO batch_file(path, " COLUMNS ")"
                                         " VALUES (?, ?, ?, ?, ?, ?, ?, ?)", &s->put, err);
    if (!status)
        status = database_prepare(s->db, "DELETE FROM batch_file WHERE path = ?", &s->forget, err);
    if (!status)
        status = database_prepare(s->db, "UPDATE batch_file SET request = '" LOST "' WHERE path = ?", &s->lose, err);
    return status;
}

void batch_stamps_close(BatchStamps *s)
{
    sqlite3_finalize(s->find);
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->forget);
    sqlite3_finalize(s->lose);
    sqlite3_finalize(s->put_file);
    sqlite3_finalize(s->forget_file);
    sqlite3_finalize(s->set_origin);
    sqlite3_finalize(s->drop_origin);
    s->put_file = s->forget_file = NULL;
    s->find = s->put = s->forget = s->lose = s->set_origin = s->drop_origin = NULL;
    database_close(&s->db);
}

static Status open_stamps(BatchStamps *s, Error *err)
{
    if (s->db)
        return STATUS_OK;
    char *path = stamps_path(s->index);
    if (!path)
        return error_no_memory(err);
    Status status = open_once(s, path, err);
    if (status == STATUS_BAD_INPUT || status == STATUS_INTERNAL) {
        batch_stamps_close(s);
        unlink(path);
        status = open_once(s, path, err);
    }
    if (status)
        batch_stamps_close(s);
    free(path);
    return status;
}

/* input: relative to the folder of the index. */
static Status put_row(BatchStamps *s, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                      Error *err)
{
    sqlite3_stmt *put = s->put;
    sqlite3_bind_text(put, 1, path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, stamp->input_size);
    sqlite3_bind_int64(put, 3, stamp->input_mtime_ns);
    sqlite3_bind_text(put, 4, stamp->input_sha256, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 5, stamp->output_size);
    sqlite3_bind_int64(put, 6, stamp->output_mtime_ns);
    sqlite3_bind_text(put, 7, request, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 8, input, -1, SQLITE_STATIC);
    return database_step(put, err);
}

static Status run_on(sqlite3_stmt *statement, const char *path, Error *err)
{
    sqlite3_bind_text(statement, 1, path, -1, SQLITE_TRANSIENT);
    return database_step(statement, err);
}

Status batch_stamps_put(BatchStamps *s, const char *path, const char *input, const IndexStamp *stamp,
                        const char *request, Error *err)
{
    char *relative = NULL;
    Status status = open_stamps(s, err);
    if (status)
        return status;
    status = relative_path(input, s->index, &relative, err);
    if (status == STATUS_IO) /* its folder was removed: the input is unknown */
        status = STATUS_OK;
    if (!status)
        status = put_row(s, path, relative, stamp, request, err);
    if (!status)
        status = run_on(s->forget_file, path, err);
    free(relative);
    return status;
}

/* Resolves a path relative to the folder of the index. NULL if memory runs out. */
static char *path_beside(const char *index, const char *relative)
{
    const char *slash = relative[0] == '/' ? NULL : strrchr(index, '/');
    char *path = NULL;
    return asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - index) : 0, index, relative) < 0 ? NULL : path;
}

static char *path_here(const BatchStamps *s, const char *relative)
{
    return path_beside(s->index, relative);
}

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

Status batch_stamps_put_file(BatchStamps *s, const char *path, const char *file, Error *err)
{
    struct stat info;
    Status status = open_stamps(s, err);
    if (status || stat(file, &info))
        return status;
    sqlite3_bind_text(s->put_file, 1, path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s->put_file, 2, info.st_size);
    sqlite3_bind_int64(s->put_file, 3, nanoseconds(&info.st_mtim));
    return database_step(s->put_file, err);
}

static double now_in_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Visits changed files among the rows of a statement: path, size, time. */
static Status visit_changed(const char *index, sqlite3_stmt *list, double end, VisitPath *visit, void *context,
                            Error *err)
{
    Status status = STATUS_OK;
    struct stat info;
    while (!status && now_in_seconds() < end && sqlite3_step(list) == SQLITE_ROW) {
        const char *relative = (const char *)sqlite3_column_text(list, 0);
        char *path = relative ? path_beside(index, relative) : NULL;
        if (relative && !path)
            return error_no_memory(err);
        if (path && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
            (info.st_size != sqlite3_column_int64(list, 1) ||
             nanoseconds(&info.st_mtim) != sqlite3_column_int64(list, 2)))
            status = visit(context, relative, err);
        free(path);
    }
    return status;
}

Status batch_stamps_changed(const char *index, double seconds, VisitPath *visit, void *context, Error *err)
{
    static const char *const files[] = {
        "SELECT path, size, mtime_ns FROM clip_file ORDER BY path",
        "SELECT path, output_size, output_mtime_ns FROM batch_file WHERE output_size > 0 AND request <> '" LOST "'"
        " AND path NOT IN (SELECT path FROM clip_file) ORDER BY path",
    };
    double end = now_in_seconds() + seconds;
    char *beside = stamps_path(index);
    sqlite3 *db = NULL;
    if (!beside)
        return error_no_memory(err);
    Status status = STATUS_OK;
    int is_there = sqlite3_open_v2(beside, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    for (size_t i = 0; is_there && i < sizeof files / sizeof *files && !status; i++) {
        sqlite3_stmt *list = NULL;
        if (sqlite3_prepare_v2(db, files[i], -1, &list, NULL) == SQLITE_OK) /* else of another version */
            status = visit_changed(index, list, end, visit, context, err);
        sqlite3_finalize(list);
    }
    database_close(&db);
    free(beside);
    return status;
}

/* Returns 1 if two paths name the same take of the same file. */
static int is_same_source(const char *a, const char *b)
{
    char left_file[SOURCE_PATH_SIZE], right_file[SOURCE_PATH_SIZE];
    struct stat left, right;
    return source_split(a, left_file, sizeof left_file) == source_split(b, right_file, sizeof right_file) &&
           stat(left_file, &left) == 0 && stat(right_file, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

static int is_there(const char *path)
{
    char text[SOURCE_PATH_SIZE];
    return access(source_file(path, text), F_OK) == 0;
}

Status batch_stamps_other_input(BatchStamps *s, const char *path, const char *input, char **other, Error *err)
{
    *other = NULL;
    Status status = open_stamps(s, err);
    if (status)
        return status;
    sqlite3_bind_text(s->find, 1, path, -1, SQLITE_STATIC);
    const char *known = sqlite3_step(s->find) == SQLITE_ROW ? (const char *)sqlite3_column_text(s->find, 6) : NULL;
    if (known && !(*other = path_here(s, known)))
        status = error_no_memory(err);
    sqlite3_reset(s->find);
    if (*other && (!is_there(*other) || is_same_source(*other, input))) {
        free(*other);
        *other = NULL;
    }
    return status;
}

int batch_stamps_is_own(BatchStamps *s, const char *path, const char *input, const IndexStamp *now)
{
    if (open_stamps(s, NULL))
        return 0;
    int is_own = 0;
    sqlite3_bind_text(s->find, 1, path, -1, SQLITE_STATIC);
    if (sqlite3_step(s->find) == SQLITE_ROW && sqlite3_column_int64(s->find, 3) == now->output_size &&
        sqlite3_column_int64(s->find, 4) == now->output_mtime_ns) {
        const char *known = (const char *)sqlite3_column_text(s->find, 6);
        char *here = known ? path_here(s, known) : NULL;
        is_own = here && is_same_source(here, input);
        free(here);
    }
    sqlite3_reset(s->find);
    return is_own;
}

/* The file whose takes were counted last: takes of a file are consecutive. */
typedef struct Counted {
    char file[SOURCE_PATH_SIZE];
    int count; /* 0: unreadable */
} Counted;

static int takes_in(const char *file, Counted *last)
{
    SourceDef limits = source_default_def();
    if (strcmp(file, last->file) != 0) {
        snprintf(last->file, sizeof last->file, "%s", file);
        last->count = 0;
        (void)source_count_takes(file, &limits, &last->count, NULL);
    }
    return last->count;
}

/* Returns 1 if a path does not exist, or is a take that its file does not have. Paths that cannot be examined count as
 * existing. */
static int is_gone(const BatchStamps *s, const char *relative, Counted *last)
{
    char file[SOURCE_PATH_SIZE], *path = path_here(s, relative);
    if (!path)
        return 0;
    int gone = !is_there(path) && errno == ENOENT, take = source_split(path, file, sizeof file);
    int count = gone ? 0 : takes_in(file, last);
    free(path);
    return gone || (count > 0 && (take > count || (take > 0) != (count > 1)));
}

/* Returns 1 if path is below prefix, both relative to the folder of the index. An empty prefix, or one that ends in
 * "../", does not include folders further up. */
static int is_below(const char *path, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 && strncmp(path + length, "../", 3) != 0;
}

/* Visits the stamps below a prefix. */
static Status visit_below(BatchStamps *s, const char *prefix, VisitLost *visit, void *context, Error *err)
{
    sqlite3_stmt *list = NULL;
    Counted last = {0};
    Status status = database_prepare(s->db, "SELECT path, input, output_size, output_mtime_ns, request <> '" LOST "'"
                                            " FROM batch_file ORDER BY path", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(list, 0);
        const char *input = (const char *)sqlite3_column_text(list, 1);
        LostFile lost = {path, sqlite3_column_int64(list, 2), sqlite3_column_int64(list, 3),
                         sqlite3_column_int(list, 4)};
        if (path && input && is_below(input, prefix) && is_gone(s, input, &last))
            status = visit(context, &lost, err);
    }
    sqlite3_finalize(list);
    return status;
}

Status batch_stamps_lost(BatchStamps *s, const char *folder, VisitLost *visit, void *context, Error *err)
{
    char *inside = NULL, *prefix = NULL;
    if (asprintf(&inside, "%s/x", folder) < 0) /* any file in it */
        return error_no_memory(err);
    Status status = open_stamps(s, err);
    if (!status)
        status = relative_path(inside, s->index, &prefix, err);
    if (!status) {
        prefix[strlen(prefix) - 1] = 0;
        status = visit_below(s, prefix, visit, context, err);
    }
    free(inside);
    free(prefix);
    return status;
}

Status batch_stamps_mark_lost(BatchStamps *s, const char *path, Error *err)
{
    Status status = open_stamps(s, err);
    return status ? status : run_on(s->lose, path, err);
}

int batch_stamps_is_lost(BatchStamps *s, const char *path)
{
    if (!batch_stamps_exist(s->index) || open_stamps(s, NULL))
        return 0;
    sqlite3_bind_text(s->find, 1, path, -1, SQLITE_STATIC);
    const char *request = sqlite3_step(s->find) == SQLITE_ROW ? (const char *)sqlite3_column_text(s->find, 5) : NULL;
    int is_lost = request && strcmp(request, LOST) == 0;
    sqlite3_reset(s->find);
    return is_lost;
}

Status batch_stamps_forget(BatchStamps *s, const char *path, Error *err)
{
    Status status = open_stamps(s, err);
    if (!status)
        status = run_on(s->forget_file, path, err);
    return status ? status : run_on(s->forget, path, err);
}

static const char *const change_names[] = {"unchanged", "unchanged", "unchanged", "new",    "failed", "content",
                                           "option",    "version",   "output", "redo"};
_Static_assert(sizeof change_names / sizeof *change_names == INDEX_CHANGE_COUNT, "a name for every IndexChange");

const char *index_change_name(IndexChange change)
{
    return change_names[change];
}

/* Compares requests: the first line is the version, the rest are options. */
static IndexChange compare_requests(const char *asked, const char *request)
{
    const char *old = strchr(asked, '\n'), *now = strchr(request, '\n');
    if (strcmp(asked, request) == 0)
        return INDEX_UNCHANGED;
    return old && now && strcmp(old, now) == 0 ? INDEX_OTHER_VERSION : INDEX_OTHER_OPTIONS;
}

/* Compares a stamp with the current row of find. */
static IndexChange compare_row(sqlite3_stmt *row, const IndexStamp *now, const char *request)
{
    const char *digest = (const char *)sqlite3_column_text(row, 2), *asked = (const char *)sqlite3_column_text(row, 5);
    if (!digest || !asked)
        return INDEX_NEW;
    if (sqlite3_column_int64(row, 0) != now->input_size)
        return INDEX_OTHER_CONTENT;
    IndexChange change = compare_requests(asked, request);
    if (change != INDEX_UNCHANGED)
        return change;
    if (sqlite3_column_int64(row, 3) != now->output_size)
        return INDEX_OTHER_OUTPUT;
    if (sqlite3_column_int64(row, 4) != now->output_mtime_ns && !now->output_is_same)
        return INDEX_ASK_OUTPUT;
    if (now->input_sha256[0])
        return strcmp(digest, now->input_sha256) == 0 ? INDEX_UNCHANGED : INDEX_OTHER_CONTENT;
    return sqlite3_column_int64(row, 1) == now->input_mtime_ns ? INDEX_UNCHANGED : INDEX_ASK_CONTENT;
}

IndexChange batch_stamps_compare(BatchStamps *s, const char *path, const IndexStamp *now, const char *request)
{
    if (open_stamps(s, NULL))
        return INDEX_NEW;
    IndexChange change = INDEX_NEW;
    sqlite3_bind_text(s->find, 1, path, -1, SQLITE_STATIC);
    if (sqlite3_step(s->find) == SQLITE_ROW)
        change = compare_row(s->find, now, request);
    sqlite3_reset(s->find);
    return change;
}

Status batch_stamps_commit(BatchStamps *s, Error *err)
{
    return s->db ? database_exec(s->db, "COMMIT; BEGIN IMMEDIATE", err) : STATUS_OK;
}

static IndexStamp stamp_of_row(sqlite3_stmt *row)
{
    IndexStamp stamp = {.input_size = sqlite3_column_int64(row, 1),
                        .input_mtime_ns = sqlite3_column_int64(row, 2),
                        .output_size = sqlite3_column_int64(row, 4),
                        .output_mtime_ns = sqlite3_column_int64(row, 5)};
    const char *digest = (const char *)sqlite3_column_text(row, 3);
    snprintf(stamp.input_sha256, sizeof stamp.input_sha256, "%s", digest ? digest : "");
    return stamp;
}

static Status copy_stamps(BatchStamps *s, sqlite3 *from, const PathMove *move, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(from, "SELECT path, " COLUMNS " FROM batch_file", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        char *path = NULL, *input = NULL;
        const char *from_input = (const char *)sqlite3_column_text(list, 7);
        IndexStamp stamp = stamp_of_row(list);
        status = path_move(move, (const char *)sqlite3_column_text(list, 0), &path, err);
        if (!status && from_input)
            status = path_move(move, from_input, &input, err);
        if (!status)
            status = put_row(s, path, input, &stamp, (const char *)sqlite3_column_text(list, 6), err);
        free(path);
        free(input);
    }
    sqlite3_finalize(list);
    return status;
}

static Status copy_files(BatchStamps *s, sqlite3 *from, const PathMove *move, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(from, "SELECT path, size, mtime_ns FROM clip_file", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        char *path = NULL;
        status = path_move(move, (const char *)sqlite3_column_text(list, 0), &path, err);
        sqlite3_bind_text(s->put_file, 1, path, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s->put_file, 2, sqlite3_column_int64(list, 1));
        sqlite3_bind_int64(s->put_file, 3, sqlite3_column_int64(list, 2));
        if (!status)
            status = database_step(s->put_file, err);
        free(path);
    }
    sqlite3_finalize(list);
    return status;
}

Status batch_stamps_merge(BatchStamps *s, const char *shard, const PathMove *move, Error *err)
{
    char *path = stamps_path(shard);
    sqlite3 *from = NULL;
    if (!path)
        return error_no_memory(err);
    int is_there = sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    free(path);
    Status status = is_there ? open_stamps(s, err) : STATUS_OK;
    if (is_there && !status) { /* unreadable stamps count as none */
        (void)copy_stamps(s, from, move, NULL);
        (void)copy_files(s, from, move, NULL);
    }
    database_close(&from);
    return status;
}

Status batch_stamps_origins(BatchStamps *s, const char *shard, VisitPath *lapse, void *context, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = open_stamps(s, err);
    if (!status)
        status = database_prepare(s->db, "SELECT path FROM origin WHERE shard = ? ORDER BY path", &list, err);
    if (!status)
        sqlite3_bind_text(list, 1, shard, -1, SQLITE_STATIC);
    while (!status && sqlite3_step(list) == SQLITE_ROW)
        status = lapse(context, (const char *)sqlite3_column_text(list, 0), err);
    sqlite3_finalize(list);
    return status;
}

Status batch_stamps_set_origin(BatchStamps *s, const char *path, const char *shard, Error *err)
{
    Status status = open_stamps(s, err);
    if (!status && !s->set_origin)
        status = database_prepare(s->db, "INSERT OR REPLACE INTO origin(path, shard) VALUES (?, ?)",
                                  &s->set_origin, err);
    if (!status && !s->drop_origin)
        status = database_prepare(s->db, "DELETE FROM origin WHERE path = ?", &s->drop_origin, err);
    if (status)
        return status;
    sqlite3_stmt *step = shard ? s->set_origin : s->drop_origin;
    sqlite3_bind_text(step, 1, path, -1, SQLITE_STATIC);
    if (shard)
        sqlite3_bind_text(step, 2, shard, -1, SQLITE_STATIC);
    return database_step(step, err);
}
