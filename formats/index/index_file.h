/* The file of an index: detection of its maker, journal mode while writing, and replacement of an index of another
 * version.
 *
 * Three marks identify the maker: application_id, user_version (INDEX_SCHEMA) and the fingerprint of the tables
 * (index_schema.h). An index of another version is never modified: the new one is built beside it as PATH.rebuild and
 * replaces it when complete. */
#ifndef KANE_FORMATS_INDEX_FILE_H
#define KANE_FORMATS_INDEX_FILE_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/index/index_schema.h"

typedef struct IndexFile {
    sqlite3 *db;           /* the database that is written */
    int is_writing;        /* 1: changed since it was opened, or left unfinished before; in WAL mode if possible */
    int is_new;            /* 1: it was empty, without tables, when opened */
    sqlite3 *replaced;     /* index that db replaces, locked against other writers; NULL: none */
    char *path, *beside;   /* final and temporary path of db; owned; NULL if nothing is replaced */
    const char *maker;     /* of replaced: "an older kane"; NULL if irrelevant */
} IndexFile;

/* Opens an existing index for reading. STATUS_BAD_INPUT if the file is not a kane index, damaged, or of another version
 * (the error then has the rebuild command); STATUS_IO if it cannot be read. On failure *db is NULL. */
Status index_file_read(const char *path, sqlite3 **db, Error *err);

/* Opens for writing, creates the file if absent, and begins a transaction; STATUS_IO if another process is writing. An
 * index of an older version, or of another one with the same INDEX_SCHEMA, is replaced; one of a newer version is
 * refused. is_rebuild: every index is replaced. *file is empty before and, on failure, after. */
Status index_file_open(IndexFile *file, const char *path, int is_rebuild, const IndexSchema *schema, Error *err);

/* Reads from table meta whether an index has no traces (--no-trace); makes an index without clips one without
 * traces. */
Status index_file_lacks_traces(sqlite3 *db, int *lacks, Error *err);
Status index_file_drop_traces(sqlite3 *db, Error *err);

/* Call before the first change: switches to WAL mode, so that readers are not blocked. */
Status index_file_begin(IndexFile *file, Error *err);

/* Commits, attaches another index as `name`, and begins the next transaction with foreign keys off; path NULL detaches
 * it. For this a new index leaves WAL mode: it has no readers, and its pages are then written only once. */
Status index_file_attach(IndexFile *file, const char *name, const char *path, Error *err);

/* Commits and begins the next transaction. */
Status index_file_commit(IndexFile *file, Error *err);

/* Commits, returns to a rollback journal, and replaces the outdated file. Finalize all statements of db before; call
 * only index_file_close afterwards. */
Status index_file_finish(IndexFile *file, Error *err);

/* Closes; without index_file_finish uncommitted changes are lost and nothing is replaced. Accepts an empty file. */
void index_file_close(IndexFile *file);

#endif
