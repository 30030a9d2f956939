/* The file of an index: which kane made it, its journal while it is written, and how one that another version made is
 * replaced.
 *
 * A file identifies its maker by three marks: application_id, user_version (INDEX_SCHEMA) and the fingerprint of its
 * tables (index_schema.h). One that another version made is never changed: the new one grows beside it under the name
 * PATH.rebuild, and takes its place whole when it is finished. */
#ifndef KANE_FORMATS_INDEX_FILE_H
#define KANE_FORMATS_INDEX_FILE_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/index/index_schema.h"

typedef struct IndexFile {
    sqlite3 *db;           /* what is written */
    int is_writing;        /* 1: changed since it was opened, or left unfinished before; in WAL mode where possible */
    int is_new;            /* 1: it held nothing, not even tables, when it was opened */
    sqlite3 *replaced;     /* an index that db takes the place of, locked against other writers; NULL: none */
    char *path, *beside;   /* where db is in the end and until then; owned; NULL where nothing is replaced */
    const char *maker;     /* of replaced: "an older kane"; NULL where it does not matter */
} IndexFile;

/* Opens an existing index to read. STATUS_BAD_INPUT where the file is no kane index, damaged, or made by another kane,
 * and then states how to rebuild it; STATUS_IO where it cannot be read. On failure *db is NULL. */
Status index_file_read(const char *path, sqlite3 **db, Error *err);

/* Opens for writing, creates the file where it is absent, and begins a transaction; STATUS_IO where another process
 * writes. An index of an older kane, or of another one with the same INDEX_SCHEMA, is replaced; one of a newer kane is
 * refused. With anew every index is replaced. file is empty before and, on failure, after. */
Status index_file_open(IndexFile *file, const char *path, int anew, const IndexSchema *schema, Error *err);

/* Whether an index is one without traces (--no-trace), as its table meta states; and makes one without clips so. */
Status index_file_lacks_traces(sqlite3 *db, int *lacks, Error *err);
Status index_file_drop_traces(sqlite3 *db, Error *err);

/* Called before the first change: switches to WAL, so that readers go on. */
Status index_file_begin(IndexFile *file, Error *err);

/* Commits, lets name stand for the tables of another index in statements, and begins the next transaction with foreign
 * keys off; without path it takes the name away again. A new index leaves WAL mode for that: nobody reads it, and its
 * pages are written once. */
Status index_file_attach(IndexFile *file, const char *name, const char *path, Error *err);

/* Commits what was written so far and begins the next transaction. */
Status index_file_commit(IndexFile *file, Error *err);

/* Commits, returns to a rollback journal, puts the file in the place of the one it replaces. No statement of db may be
 * left. Then only index_file_close. */
Status index_file_finish(IndexFile *file, Error *err);

/* Without index_file_finish what was not committed is lost, and nothing is replaced. Fine for an empty one. */
void index_file_close(IndexFile *file);

#endif
