/* Merges several indexes: SQLite copies their rows table by table, so
 * statistics are unchanged.
 *
 * temp.moved has a row per clip of the shard: its ID there (id), its path and path words in this index, its ID in this
 * index (place), and whether this index already has it with the same statistics (same). temp.given has every path of a
 * clip in this call, temp.failed every failure. If a path failed in one shard and succeeded in another, the clip is
 * kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/base/relative_path.h"
#include "formats/index/index.h"
#include "formats/index/index_handle.h"
#include "formats/index/index_schema.h"
#include "formats/index/path_words.h"

#define CREATE_TEMP \
    "CREATE TEMP TABLE moved(id INTEGER PRIMARY KEY, path TEXT, path_words TEXT, checksum INTEGER," \
    " place INTEGER, same INTEGER);" \
    "CREATE TEMP TABLE given(path TEXT PRIMARY KEY) WITHOUT ROWID;" \
    "CREATE TEMP TABLE failed(path TEXT PRIMARY KEY, stage TEXT, message TEXT, shard TEXT, stale INTEGER)"\
    " WITHOUT ROWID"
#define DROP_TEMP "DROP TABLE temp.moved; DROP TABLE temp.given; DROP TABLE temp.failed"

/* Marks failures whose clip is in the same shard: the source can no longer be read, and its last clip is kept. */
#define MARK_STALE "UPDATE temp.failed SET stale = 1 WHERE path IN (SELECT path FROM temp.moved)" \
    " OR path || '.h5' IN (SELECT path FROM temp.moved)"

/* Clips that are new or different in this index. */
#define CHANGED "(SELECT place FROM temp.moved WHERE same IS NULL)"

typedef struct IndexShard {
    const char *path;
    char *seen;    /* its path relative to the index; owned */
    PathMove move; /* owned */
} IndexShard;

static void shard_free(IndexShard *shard)
{
    free(shard->seen);
    path_move_free(&shard->move);
}

static Status shard_init(IndexShard *shard, const char *path, const char *index_path, Error *err)
{
    *shard = (IndexShard){.path = path};
    Status status = path_move_init(&shard->move, path, index_path, err);
    return status ? status : relative_path(path, index_path, &shard->seen, err);
}

/* Prefixes an error with the shard's path. */
static Status name_shard(const char *path, Status status, Error *err)
{
    if (!status || !err)
        return status;
    Error cause = *err;
    return error_set(err, status, "%s: %.300s", path, cause.text);
}

/* STATUS_BAD_INPUT unless the tables are of this version; *lacks_traces: 1 for an index without traces. */
static Status check_shard(const char *path, int *lacks_traces, Error *err)
{
    sqlite3 *db = NULL;
    Status status = index_file_read(path, &db, err);
    if (!status)
        status = index_file_lacks_traces(db, lacks_traces, err);
    database_close(&db);
    return name_shard(path, status, err);
}

/* Checks that all indexes have traces or none has: otherwise some clips would be missing from results. An empty index
 * follows the first shard. */
static Status check_traces(Index *index, const char *const *shards, size_t count, Error *err)
{
    Status status = STATUS_OK;
    int lacks = 0;
    for (size_t i = 0; i < count && !status; i++) {
        status = check_shard(shards[i], &lacks, err);
        if (!status && i == 0 && lacks && index_is_empty(index))
            status = index_leave_out_traces(index, err);
        if (!status && lacks != index->rows.lacks_traces)
            status = error_set(err, STATUS_BAD_INPUT, "%s has %s traces, the clips before have %s (--no-trace); kane "
                               "index --rebuild%s makes it like them", shards[i], lacks ? "no" : "the",
                               lacks ? "them" : "none", lacks ? "" : " --no-trace");
    }
    return status;
}

/* Runs insert for every row of list. Its parameters, if used: ?1 to ?3 the columns of the row, with the path at
 * path_column moved; ?4 the path words; ?5 the shard; ?6 the third column as the checksum of a moved clip. */
static Status copy_moved(const IndexShard *shard, sqlite3_stmt *list, int path_column, sqlite3_stmt *insert, Error *err)
{
    Status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        char *path = NULL, *words = NULL;
        const char *from = (const char *)sqlite3_column_text(list, path_column);
        status = from ? path_move(&shard->move, from, &path, err)
                      : error_set(err, STATUS_BAD_INPUT, "the index is damaged: a clip without a path");
        if (!status && !(words = path_words(path)))
            status = error_no_memory(err);
        for (int c = 0; c < sqlite3_column_count(list) && !status; c++)
            sqlite3_bind_value(insert, c + 1, sqlite3_column_value(list, c));
        if (!status) {
            sqlite3_bind_text(insert, path_column + 1, path, -1, SQLITE_STATIC);
            sqlite3_bind_text(insert, 4, words, -1, SQLITE_STATIC);
            sqlite3_bind_text(insert, 5, shard->seen, -1, SQLITE_STATIC);
            sqlite3_bind_int64(insert, 6, (sqlite3_int64)((uint64_t)sqlite3_column_int64(list, 2) -
                                                          index_hash_path(from) + index_hash_path(path)));
            status = database_step(insert, err);
        }
        free(path);
        free(words);
    }
    return !status && code != SQLITE_DONE ? database_error(sqlite3_db_handle(list), code, err) : status;
}

static Status fill_from(sqlite3 *db, const IndexShard *shard, const char *select, int path_column, const char *into,
                        Error *err)
{
    sqlite3_stmt *list = NULL, *insert = NULL;
    Status status = database_prepare(db, select, &list, err);
    if (!status)
        status = database_prepare(db, into, &insert, err);
    if (!status)
        status = copy_moved(shard, list, path_column, insert, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}

static Status list_shard(sqlite3 *db, const IndexShard *shard, Error *err)
{
    Status status = database_exec(db, "DELETE FROM temp.moved", err);
    if (!status)
        status = fill_from(db, shard, "SELECT id, path, checksum FROM shard.clip ORDER BY id", 1,
                           "INSERT INTO temp.moved(id, path, path_words, checksum) VALUES (?1, ?2, ?4, ?6)", err);
    if (!status)
        status = fill_from(db, shard, "SELECT path, stage, message FROM shard.failure", 0,
                           "INSERT OR REPLACE INTO temp.failed(path, stage, message, shard)"
                           " VALUES (?1, ?2, ?3, ?5)", err);
    if (status)
        return status;
    return database_exec(db, "INSERT OR IGNORE INTO temp.given SELECT path FROM temp.moved;" MARK_STALE, err);
}

/* Prints an expression for each column of a table, comma-separated; print determines the expression. */
typedef void PrintColumn(FILE *sql, const char *name);

static void print_columns(const Index *index, IndexTable table, PrintColumn *print, FILE *sql)
{
    for (int c = 0; c < index->schema.count[table]; c++) {
        if (c > 0)
            fputs(", ", sql);
        print(sql, index->schema.column[table][c].name);
    }
}

static void print_name(FILE *sql, const char *name)
{
    fputs(name, sql);
}

/* Prints a copied column: clip ID, path and words are those of this index. A row of a clip that the shard lacks gets a
 * value of the wrong type and fails. */
static void print_copied(FILE *sql, const char *name)
{
    if (strcmp(name, "clip_id") == 0 || strcmp(name, "id") == 0)
        fputs("CASE WHEN m.id IS NULL THEN 'unknown clip' ELSE m.place END", sql);
    else if (strcmp(name, "path") == 0 || strcmp(name, "path_words") == 0 || strcmp(name, "checksum") == 0)
        fprintf(sql, "m.%s", name);
    else
        fprintf(sql, "s.%s", name);
}

static const char *table_key(IndexTable table)
{
    return table == TABLE_CLIP ? "id" : "clip_id";
}

/* Prints and runs the SQL for one table. */
typedef void PrintTable(const Index *index, IndexTable table, FILE *sql);

static Status run_printed(Index *index, IndexTable table, PrintTable *print, Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return error_no_memory(err);
    print(index, table, sql);
    Status status = fclose(sql) == 0 ? database_exec(index->file.db, text, err) : error_no_memory(err);
    free(text);
    return status;
}

static void print_copy(const Index *index, IndexTable table, FILE *sql)
{
    fprintf(sql, "INSERT INTO main.%s(", index_table_name(table));
    print_columns(index, table, print_name, sql);
    fputs(") SELECT ", sql);
    print_columns(index, table, print_copied, sql);
    fprintf(sql, " FROM shard.%s s LEFT JOIN temp.moved m ON m.id = s.%s WHERE m.same IS NULL",
            index_table_name(table), table_key(table));
}

/* Prints statements that copy a table as it is. Into an empty table SQLite then copies records without decoding them.
 * The first one inserts nothing, and fails as print_copied does if the shard lacks a clip of a row. */
static void print_copy_whole(const Index *index, IndexTable table, FILE *sql)
{
    (void)index;
    const char *name = index_table_name(table), *key = table_key(table);
    fprintf(sql, "INSERT INTO main.%s(%s) SELECT 'unknown clip' FROM (SELECT DISTINCT %s AS id FROM shard.%s)"
                 " WHERE id NOT IN (SELECT id FROM temp.moved);"
                 "INSERT INTO main.%s SELECT * FROM shard.%s", name, key, key, name, name, name);
}

static void print_delete(const Index *index, IndexTable table, FILE *sql)
{
    (void)index;
    fprintf(sql, "DELETE FROM main.%s WHERE %s IN " CHANGED, index_table_name(table), table_key(table));
}

/* Assigns IDs: existing clips keep theirs, new clips get unused ones. Clips with the same checksum, hence the same
 * rows, are left unchanged. */
static Status place_clips(Index *index, Error *err)
{
    static const char same[] = "UPDATE temp.moved SET place = c.id, same = CASE WHEN c.checksum = moved.checksum THEN 1"
                               " END FROM main.clip c WHERE c.path = moved.path";
    static const char others[] = "UPDATE temp.moved SET place = id + (SELECT coalesce(max(seq), 0)"
                                 " FROM main.sqlite_sequence WHERE name = 'clip') WHERE place IS NULL";
    Status status = database_exec(index->file.db, same, err);
    return status ? status : database_exec(index->file.db, others, err);
}

/* *is_whole: 1 if the clips keep ID, path and checksum, and this index has none of them. */
static Status copies_whole(Index *index, int *is_whole, Error *err)
{
    static const char changes[] = "SELECT count(*) FROM temp.moved m JOIN shard.clip s ON s.id = m.id WHERE"
                                  " m.place <> s.id OR m.same OR m.path <> s.path OR m.path_words <> s.path_words"
                                  " OR m.checksum <> s.checksum OR EXISTS (SELECT 1 FROM main.clip)";
    sqlite3_int64 count = 0;
    Status status = database_integer(index->file.db, changes, 0, &count, err);
    *is_whole = count == 0;
    return status;
}

static Status copy_clips(Index *index, Error *err)
{
    sqlite3 *db = index->file.db;
    int is_whole = 0;
    Status status = copies_whole(index, &is_whole, err);
    if (status)
        return status;
    status = database_exec(db, "INSERT INTO main.clip_text(clip_text, rowid, path, source, path_words)"
                               " SELECT 'delete', id, path, source, path_words FROM main.clip WHERE id IN " CHANGED ";"
                               "DELETE FROM main.failure WHERE path IN (SELECT path FROM temp.moved UNION ALL"
                               " SELECT substr(path, 1, length(path) - 3) FROM temp.moved)", err);
    for (int t = TABLE_FAILURE; t-- > 0 && !status;)
        status = run_printed(index, (IndexTable)t, print_delete, err);
    for (int t = 0; t < TABLE_FAILURE && !status; t++)
        status = run_printed(index, (IndexTable)t, is_whole ? print_copy_whole : print_copy, err);
    return status ? status : database_exec(db, "INSERT INTO main.clip_text(rowid, path, source, path_words)"
                                               " SELECT id, path, source, path_words FROM main.clip"
                                               " WHERE id IN " CHANGED, err);
}

/* Removes what came from this shard before and is no longer in it. */
static Status lapse(void *context, const char *path, Error *err)
{
    Index *index = context;
    sqlite3_stmt *find = NULL;
    Status status = database_prepare(index->file.db, "SELECT 1 FROM temp.given WHERE path = ?1 UNION ALL"
                                                    " SELECT 1 FROM temp.failed WHERE path = ?1", &find, err);
    if (status)
        return status;
    sqlite3_bind_text(find, 1, path, -1, SQLITE_STATIC);
    int is_given = sqlite3_step(find) == SQLITE_ROW;
    sqlite3_finalize(find);
    if (is_given)
        return STATUS_OK;
    status = index_remove(index, path, err);
    return status ? status : batch_stamps_set_origin(&index->stamps, path, NULL, err);
}

static Status note_origins(Index *index, const char *select, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(index->file.db, select, &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW)
        status = batch_stamps_set_origin(&index->stamps, (const char *)sqlite3_column_text(list, 0),
                                         (const char *)sqlite3_column_text(list, 1), err);
    sqlite3_finalize(list);
    return status;
}

static Status note_clips(Index *index, const IndexShard *shard, Error *err)
{
    char *select = sqlite3_mprintf("SELECT path, %Q FROM temp.moved", shard->seen);
    Status status = select ? note_origins(index, select, err) : error_no_memory(err);
    sqlite3_free(select);
    return status;
}

static Status copy_shard(Index *index, const IndexShard *shard, Error *err)
{
    /* Shards of one batch have the same detections of a family; existing ones are kept. */
    static const char families[] = "INSERT OR IGNORE INTO main.family SELECT * FROM shard.family";
    Status status;
    if ((status = index_file_attach(&index->file, "shard", shard->path, err)) ||
        (status = list_shard(index->file.db, shard, err)) ||
        (status = place_clips(index, err)) ||
        (status = copy_clips(index, err)) ||
        (status = database_exec(index->file.db, families, err)) ||
        (status = batch_stamps_merge(&index->stamps, shard->path, &shard->move, err)) ||
        (status = note_clips(index, shard, err)) ||
        (status = index_file_attach(&index->file, "shard", NULL, err)))
        return status;
    return batch_stamps_commit(&index->stamps, err);
}

/* Copies failures for which no shard of this call has a clip. */
static Status copy_failures(Index *index, Error *err)
{
    sqlite3_stmt *list = NULL;
    Status status = database_prepare(index->file.db,
                                     "SELECT path, stage, message, stale FROM temp.failed WHERE stale OR (path NOT IN"
                                     " (SELECT path FROM temp.given) AND path || '.h5' NOT IN (SELECT path FROM"
                                     " temp.given))", &list, err);
    while (!status && sqlite3_step(list) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(list, 0);
        char *clip = NULL;
        int is_stale = sqlite3_column_int(list, 3);
        status = asprintf(&clip, "%s.h5", path) < 0 ? error_no_memory(err) : STATUS_OK;
        if (!status && !is_stale)
            status = index_remove(index, clip, err);
        free(clip);
        if (!status)
            status = index_put_failure(index, path, 0, (const char *)sqlite3_column_text(list, 1),
                                       (const char *)sqlite3_column_text(list, 2), err);
    }
    sqlite3_finalize(list);
    return status ? status : note_origins(index, "SELECT path, shard FROM temp.failed", err);
}

static Status merge_shards(Index *index, const IndexShard *shard, size_t count, Error *err)
{
    Status status = database_exec(index->file.db, CREATE_TEMP, err);
    for (size_t i = 0; i < count && !status; i++)
        status = name_shard(shard[i].path, copy_shard(index, &shard[i], err), err);
    for (size_t i = 0; i < count && !status; i++)
        status = batch_stamps_origins(&index->stamps, shard[i].seen, lapse, index, err);
    if (!status)
        status = copy_failures(index, err);
    return status ? status : database_exec(index->file.db, DROP_TEMP, err);
}

Status index_merge(Index *index, const char *const *shards, size_t count, Error *err)
{
    IndexShard *shard = calloc(count + 1, sizeof *shard);
    Status status = shard ? check_traces(index, shards, count, err) : error_no_memory(err);
    for (size_t i = 0; i < count && !status; i++)
        status = shard_init(&shard[i], shards[i], index->path, err);
    if (!status)
        status = merge_shards(index, shard, count, err);
    for (size_t i = 0; i < count && shard; i++)
        shard_free(&shard[i]);
    free(shard);
    return status;
}
