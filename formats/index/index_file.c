#include "formats/index/index_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/database.h"
#include "formats/container/output_rule.h"
#include "formats/index/index_schema.h"

#define READ_WAIT_MS 2000    /* time a reader waits for a writer that changes the journal mode */
#define READERS_WAIT_MS 2000 /* time a writer waits for readers that prevent a change of the journal mode */

typedef enum IndexMaker {
    MADE_BY_THIS,
    MADE_BY_NONE, /* empty file */
    MADE_BY_OLDER,
    MADE_BY_OTHER, /* a development version: same INDEX_SCHEMA, other tables */
    MADE_BY_NEWER,
} IndexMaker;

static const char *const maker_names[] = {
    [MADE_BY_THIS] = "this kane",     [MADE_BY_NONE] = "nobody",        [MADE_BY_OLDER] = "an older kane",
    [MADE_BY_OTHER] = "another kane", [MADE_BY_NEWER] = "a newer kane",
};

/* Marks that identify the maker of a file. */
typedef struct Marks {
    sqlite3_int64 application, schema, tables;
    int is_same; /* 1: the fingerprint is that of this version */
} Marks;

static Status read_fingerprint(sqlite3 *db, const IndexSchema *schema, Marks *marks, Error *err)
{
    sqlite3_int64 has_meta = 0;
    sqlite3_stmt *row = NULL;
    Status status = database_integer(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'meta'", 0, &has_meta, err);
    if (status || !has_meta)
        return status;
    status = database_prepare(db, "SELECT value FROM meta WHERE name = 'schema'", &row, err);
    if (status)
        return status;
    int code = sqlite3_step(row);
    const char *value = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    marks->is_same = value && strcmp(value, schema->fingerprint) == 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(row);
    return status;
}

static Status read_marks(sqlite3 *db, const IndexSchema *schema, Marks *marks, Error *err)
{
    *marks = (Marks){0};
    Status status = database_integer(db, "PRAGMA application_id", 0, &marks->application, err);
    if (!status)
        status = database_integer(db, "PRAGMA user_version", 0, &marks->schema, err);
    if (!status)
        status = database_integer(db, "SELECT count(*) FROM sqlite_schema", 0, &marks->tables, err);
    if (!status && marks->application == INDEX_APPLICATION_ID)
        status = read_fingerprint(db, schema, marks, err);
    return status;
}

static IndexMaker marks_maker(const Marks *marks)
{
    if (marks->schema != INDEX_SCHEMA)
        return marks->schema < INDEX_SCHEMA ? MADE_BY_OLDER : MADE_BY_NEWER;
    return marks->is_same ? MADE_BY_THIS : MADE_BY_OTHER;
}

static Status find_maker(sqlite3 *db, const IndexSchema *schema, IndexMaker *maker, Marks *marks, Error *err)
{
    Status status = read_marks(db, schema, marks, err);
    if (status)
        return status;
    int is_new = marks->application == 0 && marks->schema == 0 && marks->tables == 0;
    if (!is_new && marks->application != INDEX_APPLICATION_ID)
        return error_set(err, STATUS_BAD_INPUT, "not a kane index, but a database of another program");
    *maker = is_new ? MADE_BY_NONE : marks_maker(marks);
    return STATUS_OK;
}

static Status refuse(IndexMaker maker, const Marks *marks, const char *path, Error *err)
{
    if (maker == MADE_BY_NONE)
        return error_set(err, STATUS_BAD_INPUT, "not a kane index: the file is empty");
    if (maker == MADE_BY_NEWER)
        return error_set(err, STATUS_BAD_INPUT,
                         "made by a newer kane (schema %lld, this one has %d): use that version, or rebuild: kane "
                         "index --rebuild %.200s FILE.h5|DIR...", (long long)marks->schema, INDEX_SCHEMA, path);
    if (maker == MADE_BY_OLDER)
        return error_set(err, STATUS_BAD_INPUT,
                         "an older kane made it (schema %lld, this one has %d): kane index %.200s FILE.h5|DIR... or "
                         "kane batch brings it up to date", (long long)marks->schema, INDEX_SCHEMA, path);
    return error_set(err, STATUS_BAD_INPUT,
                     "another kane made it (its tables are not those of this one): kane index %.200s FILE.h5|DIR... or "
                     "kane batch brings it up to date", path);
}

static Status check_readable(sqlite3 *db, const char *path, Error *err)
{
    IndexSchema schema;
    IndexMaker maker = MADE_BY_THIS;
    Marks marks;
    Status status;
    if ((status = database_exec(db, "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY", err)) ||
        (status = index_schema_init(&schema, err)))
        return status;
    status = find_maker(db, &schema, &maker, &marks, err);
    if (!status && maker != MADE_BY_THIS)
        status = refuse(maker, &marks, path, err);
    index_schema_free(&schema);
    return status;
}

Status index_file_read(const char *path, sqlite3 **db, Error *err)
{
    *db = NULL;
    if (access(path, R_OK) != 0)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    Status status = database_open(path, SQLITE_OPEN_READONLY, db, err);
    if (status)
        return status;
    sqlite3_busy_timeout(*db, READ_WAIT_MS);
    status = check_readable(*db, path, err);
    if (status)
        database_close(db);
    return status;
}

Status index_file_lacks_traces(sqlite3 *db, int *lacks, Error *err)
{
    sqlite3_int64 count = 0;
    Status status = database_integer(db, "SELECT count(*) FROM meta WHERE name = 'trace'", 0, &count, err);
    *lacks = count > 0;
    return status;
}

Status index_file_drop_traces(sqlite3 *db, Error *err)
{
    return database_exec(db, "INSERT INTO meta(name, value) VALUES ('trace', 'none')", err);
}

static Status open_to_write(const char *path, sqlite3 **db, Error *err)
{
    Status status = database_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, db, err);
    if (status)
        return status;
    status = database_exec(*db, "PRAGMA page_size = 16384; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; "
                                "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536",
                           err);
    if (status)
        database_close(db);
    return status;
}

/* Detects a file that was left in WAL mode, without index_file_finish. */
static Status was_left_unfinished(sqlite3 *db, int *unfinished, Error *err)
{
    sqlite3_stmt *mode = NULL;
    Status status = database_prepare(db, "PRAGMA journal_mode", &mode, err);
    if (status)
        return status;
    int code = sqlite3_step(mode);
    if (code == SQLITE_ROW)
        *unfinished = strcmp((const char *)sqlite3_column_text(mode, 0), "wal") == 0;
    else
        status = database_error(db, code, err);
    sqlite3_finalize(mode);
    return status;
}

/* Takes the write lock. Fails at once if another process is writing, or has replaced the file since it was opened. */
static Status lock(sqlite3 *db, Error *err)
{
    int has_moved = 0;
    Status status = database_exec(db, "BEGIN IMMEDIATE", err);
    sqlite3_busy_timeout(db, READERS_WAIT_MS);
    sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    return status || !has_moved ? status : database_error(db, SQLITE_BUSY, err);
}

/* Opens an index of this version, or an empty file that becomes one. */
static Status open_in_place(IndexFile *file, IndexMaker maker, const IndexSchema *schema, Error *err)
{
    Status status = was_left_unfinished(file->db, &file->is_writing, err);
    if (!status)
        status = lock(file->db, err);
    file->is_new = maker == MADE_BY_NONE;
    if (!status && maker == MADE_BY_NONE)
        status = index_schema_create(schema, file->db, err);
    if (!status && maker == MADE_BY_NONE)
        status = index_file_begin(file, err);
    return status;
}

/* Locks the index to be replaced. An unfinished one is finished first; otherwise its journal would apply to the new
 * file of that name. */
static Status lock_replaced(IndexFile *file, Error *err)
{
    int unfinished = 0;
    Status status = was_left_unfinished(file->replaced, &unfinished, err);
    if (!status && unfinished)
        status = database_exec(file->replaced, "PRAGMA journal_mode = DELETE", err);
    return status ? status : lock(file->replaced, err);
}

/* Checks the file beside the index: it must be absent, or left by a killed process: a kane index (application_id is at
 * byte 68 of the header) or an empty one. */
static Status check_beside(const char *beside, Error *err)
{
    unsigned char header[72] = {0};
    int descriptor = open(beside, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? STATUS_OK : error_set(err, STATUS_IO, "%s: cannot read: %s", beside, strerror(errno));
    ssize_t got = read(descriptor, header, sizeof header);
    close(descriptor);
    uint32_t mark = (uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 | (uint32_t)header[70] << 8 | header[71];
    if (got == 0 || mark == INDEX_APPLICATION_ID)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "%s is in the way", beside);
}

static void remove_beside(const char *beside)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4200];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if ((size_t)snprintf(name, sizeof name, "%s%s", beside, suffixes[i]) < sizeof name)
            unlink(name);
}

/* Sets the path of the new file, with symbolic links resolved, so that a link stays a link. */
static Status name_beside(IndexFile *file, const char *path, Error *err)
{
    file->path = realpath(path, NULL);
    if (!file->path)
        return error_set(err, errno == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "cannot read: %s", strerror(errno));
    char *beside = NULL;
    if (asprintf(&beside, "%s.rebuild", file->path) < 0)
        return error_no_memory(err);
    Status status = check_beside(beside, err);
    if (status)
        free(beside);
    else
        file->beside = beside; /* from here on this process may remove it */
    return status;
}

/* Makes db the replaced file, and opens a new file beside it with the same permissions. */
static Status open_beside(IndexFile *file, const char *path, const IndexSchema *schema, Error *err)
{
    struct stat info;
    file->replaced = file->db;
    file->db = NULL;
    Status status;
    if ((status = lock_replaced(file, err)) || (status = name_beside(file, path, err)))
        return status;
    remove_beside(file->beside);
    status = open_to_write(file->beside, &file->db, err);
    if (!status)
        status = open_in_place(file, MADE_BY_NONE, schema, err);
    if (!status && (stat(file->path, &info) || chmod(file->beside, info.st_mode & 07777)))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}

Status index_file_open(IndexFile *file, const char *path, int is_rebuild, const IndexSchema *schema, Error *err)
{
    IndexMaker maker = MADE_BY_THIS;
    Marks marks;
    *file = (IndexFile){0};
    Status status = output_updatable(path, err);
    if (!status)
        status = open_to_write(path, &file->db, err);
    if (!status)
        status = find_maker(file->db, schema, &maker, &marks, err);
    int replaces = maker != MADE_BY_NONE && (is_rebuild || maker != MADE_BY_THIS);
    if (!status && maker == MADE_BY_NEWER && !is_rebuild)
        status = refuse(maker, &marks, path, err);
    if (!status && replaces)
        status = open_beside(file, path, schema, err);
    else if (!status)
        status = open_in_place(file, maker, schema, err);
    file->maker = replaces ? maker_names[maker] : NULL;
    if (status)
        index_file_close(file);
    return status;
}

Status index_file_begin(IndexFile *file, Error *err)
{
    if (file->is_writing)
        return STATUS_OK;
    file->is_writing = 1;
    Status status = database_exec(file->db, "COMMIT", err);
    if (status)
        return status;
    /* If WAL mode is not possible, because of a reader or a file system without shared memory, the rollback journal
     * works too, but readers wait. */
    sqlite3_exec(file->db, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4096", NULL, NULL, NULL);
    return database_exec(file->db, "BEGIN IMMEDIATE", err);
}

/* Ends the transaction for ATTACH. A file created by this call has no readers; its rollback journal has only the little
 * that was there before, while WAL would write every page twice. */
static Status leave_transaction(IndexFile *file, Error *err)
{
    Status status = file->is_new ? STATUS_OK : index_file_begin(file, err);
    file->is_writing = 1;
    if (!status)
        status = database_exec(file->db, "COMMIT; PRAGMA foreign_keys = OFF", err);
    return status || !file->is_new ? status : database_exec(file->db, "PRAGMA journal_mode = DELETE", err);
}

/* Attaches a database. "./" prevents SQLite from interpreting names such as "file:" and ":memory:". */
static Status attach(sqlite3 *db, const char *name, const char *path, Error *err)
{
    char *sql = sqlite3_mprintf("ATTACH '%s%q' AS %s", strchr(path, ':') && path[0] != '/' ? "./" : "", path, name);
    Status status = sql ? database_exec(db, sql, err) : error_no_memory(err);
    sqlite3_free(sql);
    return status;
}

static Status detach(sqlite3 *db, const char *name, Error *err)
{
    char *sql = sqlite3_mprintf("DETACH %s; PRAGMA foreign_keys = ON", name);
    Status status = sql ? database_exec(db, sql, err) : error_no_memory(err);
    sqlite3_free(sql);
    return status;
}

Status index_file_attach(IndexFile *file, const char *name, const char *path, Error *err)
{
    Status status = leave_transaction(file, err);
    if (!status)
        status = path ? attach(file->db, name, path, err) : detach(file->db, name, err);
    return status ? status : database_exec(file->db, "BEGIN IMMEDIATE", err);
}

Status index_file_commit(IndexFile *file, Error *err)
{
    return file->is_writing ? database_exec(file->db, "COMMIT; BEGIN IMMEDIATE", err) : STATUS_OK;
}

/* Replaces the old file. Processes that have it open keep it until they close it. */
static Status replace(IndexFile *file, Error *err)
{
    database_close(&file->db);
    if (rename(file->beside, file->path))
        return error_set(err, STATUS_IO, "%s: cannot write: %s", file->path, strerror(errno));
    free(file->beside);
    file->beside = NULL;
    return STATUS_OK;
}

Status index_file_finish(IndexFile *file, Error *err)
{
    Status status = database_exec(file->db, "COMMIT", err);
    if (status || !file->is_writing)
        return status;
    /* A reader may keep the file in WAL mode: the content is complete, and the next writer tries again. */
    int code = sqlite3_exec(file->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    int is_held = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
    if (code != SQLITE_OK && (!is_held || file->replaced))
        return database_error(file->db, code, err);
    return file->replaced ? replace(file, err) : STATUS_OK;
}

void index_file_close(IndexFile *file)
{
    database_close(&file->db);
    if (file->beside)
        remove_beside(file->beside);
    database_close(&file->replaced); /* closed last, to exclude other writers until here */
    free(file->path);
    free(file->beside);
    *file = (IndexFile){0};
}
