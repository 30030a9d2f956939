/* Stamps of a batch beside the index in <path>.batch: sizes, times, digests and requested options by the path of the
 * clip.
 *
 * They are not content of the index: if the file is missing, damaged or of another version, the batch only has to
 * recompute. */
#ifndef KANE_INDEX_BATCH_STAMPS_H
#define KANE_INDEX_BATCH_STAMPS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/base/relative_path.h"
#include "formats/index/index_file.h"
#include "formats/index/index_stamp.h"

/* {.index = path} has no open file yet; functions open it when needed. */
typedef struct BatchStamps {
    const char *index; /* path; not owned */
    sqlite3 *db;       /* NULL until needed */
    sqlite3_stmt *find, *put, *forget, *lose, *put_file, *forget_file, *set_origin, *drop_origin;
} BatchStamps;

void batch_stamps_delete(const char *index_path);

/* Returns 1 if stamps exist beside an index. */
int batch_stamps_exist(const char *index_path);

void batch_stamps_close(BatchStamps *stamps);

/* input: the file of the clip or failure, relative to the current folder. request: every option that affects the
 * result, as text. */
Status batch_stamps_put(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *stamp,
                        const char *request, Error *err);

/* Records size and time of a clip file, by its path relative to the current folder, until the next batch_stamps_put. */
Status batch_stamps_put_file(BatchStamps *stamps, const char *path, const char *file, Error *err);

/* index_changed_files. */
Status batch_stamps_changed(const char *index_path, double seconds, VisitPath *visit, void *context, Error *err);

/* Compares with the stamp of the last batch_stamps_put. If input_sha256 is given, the content decides instead of the
 * input's time. */
IndexChange batch_stamps_compare(BatchStamps *stamps, const char *path, const IndexStamp *now, const char *request);

/* Returns the input from which path was made, if it is another file than input and still exists: *other, relative to
 * the current folder, freed by the caller. NULL: unknown, the same file, or deleted. */
Status batch_stamps_other_input(BatchStamps *stamps, const char *path, const char *input, char **other, Error *err);

/* Returns 1 if the file at path was written by an earlier batch from this input, which may have been edited since. */
int batch_stamps_is_own(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *now);

/* Visits the paths whose input was below a folder and no longer exists. */
Status batch_stamps_lost(BatchStamps *stamps, const char *folder, VisitLost *visit, void *context, Error *err);

/* Marks a path whose clip was removed from the index while its clip file may stay. */
Status batch_stamps_mark_lost(BatchStamps *stamps, const char *path, Error *err);

/* Returns 1 if batch_stamps_mark_lost marked the path: its clip file stays, its clip was removed from the index. */
int batch_stamps_is_lost(BatchStamps *stamps, const char *path);

/* Removes everything known of a path. */
Status batch_stamps_forget(BatchStamps *stamps, const char *path, Error *err);

/* Copies the stamps beside another index, with paths moved; there may be none. */
Status batch_stamps_merge(BatchStamps *stamps, const char *shard, const PathMove *move, Error *err);

/* Calls lapse for every path that an earlier merge took from an index (shard: its path relative to this one). */
Status batch_stamps_origins(BatchStamps *stamps, const char *shard, VisitPath *lapse, void *context, Error *err);

/* Records the index that a path came from; shard NULL: none. */
Status batch_stamps_set_origin(BatchStamps *stamps, const char *path, const char *shard, Error *err);

/* Commits and begins the next transaction. */
Status batch_stamps_commit(BatchStamps *stamps, Error *err);

#endif
