/* The index of a library: an SQLite file derived from the clip files (docs/formats/index.md).
 *
 * Its content, except IDs and order, depends only on the clips put into it. A clip keeps its ID while its path stays,
 * and IDs are never reused, so that an update costs only what changed. There is one writer; WAL mode while writing, a
 * rollback journal when finished. What a batch knows of its files (sizes, times, requested options) is not part of the
 * content: it is beside the index in <path>.batch, which may be deleted at any time.
 *
 * A writer calls: index_open, any number of index_put_* and index_commit, index_finish, index_close. */
#ifndef KANE_INDEX_INDEX_H
#define KANE_INDEX_INDEX_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/detect/import_guess.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_file.h"
#include "formats/index/index_schema.h"

/* Stamps of a batch beside the index in <path>.batch: sizes, times, digests and requested options by the path of the
 * clip.
 *
 * They are not content of the index: if the file is missing, damaged or of another version, the batch only has to
 * recompute. */

/* State of the files of a clip. */
typedef struct IndexStamp {
    int64_t input_size, input_mtime_ns;
    int64_t output_size, output_mtime_ns;
    char input_sha256[65]; /* "": not computed */
    int output_is_same;    /* 1: equal by content, so its time does not matter; not stored */
} IndexStamp;

typedef enum IndexChange {
    INDEX_UNCHANGED,   /* sizes, times and request are unchanged */
    INDEX_ASK_CONTENT, /* only the input's time differs: call again with input_sha256 */
    INDEX_ASK_OUTPUT,  /* only the output's time differs: call again with output_is_same, or it counts as another
                          output */
    INDEX_NEW,           /* unknown path */
    INDEX_FAILED,        /* the last attempt failed, and there is no clip */
    INDEX_OTHER_CONTENT, /* of the input */
    INDEX_OTHER_OPTIONS,
    INDEX_OTHER_VERSION, /* other version of kane, same options */
    INDEX_OTHER_OUTPUT,  /* output missing, or not what was written */
    INDEX_REDO,          /* unchanged, but recomputation was requested; not a result of comparison */
    INDEX_CHANGE_COUNT
} IndexChange;

/* Returns "content" etc., "unchanged" for INDEX_UNCHANGED. Static. */
const char *index_change_name(IndexChange change);

/* {.index = path} has no open file yet; functions open it when needed. */
typedef struct BatchStamps {
    const char *index; /* path; not owned */
    sqlite3 *db;       /* NULL until needed */
    sqlite3_stmt *find, *put, *forget, *lose, *set_origin, *drop_origin;
} BatchStamps;

/* Returns 1 if stamps exist beside an index. */
int batch_stamps_exist(const char *index_path);

void batch_stamps_close(BatchStamps *stamps);

/* input: the file of the clip or failure, relative to the current folder. request: every option that affects the
 * result, as text. */
Status batch_stamps_put(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *stamp,
                        const char *request, Error *err);

/* Compares with the stamp of the last batch_stamps_put. If input_sha256 is given, the content decides instead of the
 * input's time. */
IndexChange batch_stamps_compare(BatchStamps *stamps, const char *path, const IndexStamp *now, const char *request);

/* Returns the input from which path was made, if it is another file than input and still exists: *other, relative to
 * the current folder, freed by the caller. NULL: unknown, the same file, or deleted. */
Status batch_stamps_other_input(BatchStamps *stamps, const char *path, const char *input, char **other, Error *err);

/* Returns 1 if the file at path was written by an earlier batch from this input, which may have been edited since. */
int batch_stamps_is_own(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *now);

typedef Status VisitPath(void *context, const char *path, Error *err);

/* A path whose input no longer exists. */
typedef struct LostFile {
    const char *path;
    int64_t output_size, output_mtime_ns; /* of the file that a batch wrote */
    int is_new; /* 1: not marked by batch_stamps_mark_lost yet */
} LostFile;

/* Visits the paths whose input was below a folder and no longer exists. */
typedef Status VisitLost(void *context, const LostFile *lost, Error *err);
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

/* Inserts the rows of one clip: from ClipStats into the tables of the index, by the columns of index_schema.c. */

typedef struct IndexRows {
    const IndexSchema *schema;         /* not owned */
    sqlite3_stmt *insert[TABLE_COUNT]; /* prepared once, as is seal */
    sqlite3_stmt *seal;
    int lacks_traces;                  /* 1: no traces are inserted; 0 after index_rows_prepare */
    uint64_t sum;                      /* of the hashes of rows inserted since it was set */
} IndexRows;

/* The checksum of a clip is the sum modulo 2^64 of the hash of its path and the hashes of its rows in all tables,
 * without IDs, paths and path words, so it does not depend on where the clip is stored. The hash of a row is XXH64
 * value by value, each seeded with the previous one, starting with the table's number. */

/* Hashes a value of an SQLite type: SQLITE_INTEGER (8 bytes), ... */
uint64_t index_hash(uint64_t hash, int type, const void *bytes, size_t size);
uint64_t index_hash_path(const char *path);

/* Returns 1 if a column is part of the hash of its row. */
int index_column_is_hashed(const Column *column);

/* Sums of the row hashes of a clip, read from an index. */
typedef struct RowSums {
    const IndexSchema *schema;        /* not owned */
    sqlite3_stmt *read[TABLE_COUNT];  /* by clip ID; NULL until needed, and for tables without clips */
} RowSums;

/* Sums the hashes of a clip's rows in a table. */
Status row_sums_of(RowSums *sums, sqlite3 *db, IndexTable table, sqlite3_int64 id, uint64_t *sum, Error *err);
void row_sums_finalize(RowSums *sums);

/* Returns the hash of the current row of a statement from index_schema_prepare_select. */
uint64_t index_hash_row(const IndexSchema *schema, IndexTable table, sqlite3_stmt *row);

/* Stores the checksum of a clip. */
Status index_rows_seal(IndexRows *rows, sqlite3_int64 id, uint64_t checksum, Error *err);

/* schema must outlive the rows. */
Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err);
void index_rows_finalize(IndexRows *rows);

/* Inserts a clip with ID *id, or if that is 0, with a new ID, which is returned. Neither ID nor path may exist. */
Status index_rows_insert(IndexRows *rows, sqlite3_int64 *id, const char *path, const ClipStats *stats, Error *err);

/* Inserts a warning of clip id with a number that is new for the clip. */
Status index_rows_insert_warning(IndexRows *rows, sqlite3_int64 id, int number, const char *kind, const char *message,
                                 Error *err);

/* Inserts a tag of clip id with a name that is new for the clip. */
Status index_rows_insert_tag(IndexRows *rows, sqlite3_int64 id, const TagRow *tag, Error *err);

/* Inserts a detection of a skeleton, which must be new. */
Status index_rows_insert_family(IndexRows *rows, const FamilyRow *family, Error *err);

/* Inserts a failure; its path must be new. */
Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err);

/* The handle of an index, shared by the files that implement it. */

typedef struct Index Index;

struct Index {
    char *path; /* owned */
    IndexSchema schema;
    IndexFile file;
    IndexRows rows;
    RowSums sums;
    BatchStamps stamps;
    sqlite3_stmt *delete_clip;    /* by ID; cascades delete its other rows */
    sqlite3_stmt *add_text;       /* adds a clip, by ID, to the full-text index */
    sqlite3_stmt *drop_text;      /* removes it, before the clip is deleted */
    sqlite3_stmt *delete_failure; /* by path */
    sqlite3_stmt *find_clip;      /* ID by path */
    sqlite3_stmt *find_failure;   /* by path */
    sqlite3_stmt *find_checksum;  /* by clip ID */
    int (*is_asked_to_stop)(void);
    char **outdated;              /* [outdated_count] owned: paths of clips in the replaced file */
    size_t outdated_count;
};

/* Prepare and finalize the statements; schema and file must be open. Finalize also after a failure of prepare. */
Status index_handle_prepare(Index *index, Error *err);
void index_handle_finalize(Index *index);

/* Deletes the tags of a clip that was removed. */
Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err);

/* Copies the tags of existing clips from the replaced index, because no clip file contains them. Fails if they cannot
 * be read, so that the old file is kept. */
Status index_tags_keep(Index *index, Error *err);

/* Returns STATUS_OK with *id 0 if there is no clip of this path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

typedef struct Index Index;

/* Opens an index for writing, creates it if absent, and begins a transaction. STATUS_IO if another process is writing,
 * STATUS_BAD_INPUT for a file that is not a kane index or was made by a newer version. An index of an older version, or
 * with other tables, is replaced: see index_outdated. */
Status index_open(const char *path, Index **out, Error *err);

/* Opens an index for rebuilding: an existing index of any version is replaced; failures, and tags and stale marks of
 * clips that are put again, are kept. */
Status index_open_anew(const char *path, Index **out, Error *err);

/* Turns an index without clips into one without traces. STATUS_USAGE if it has traces. */
Status index_leave_out_traces(Index *index, Error *err);

/* Returns the path that the index was opened with; owned by the index. */
const char *index_path(const Index *index);

/* Returns the maker of the index that is being replaced ("an older kane"), NULL if there is none. Its failures are
 * already copied; the caller puts its clips, *paths, again from their clip files. The old file stays unchanged until
 * index_finish replaces it by the new one; call index_open again afterwards. *paths is owned by the index. */
const char *index_outdated(const Index *index, const char *const **paths, size_t *count);

/* Inserts or replaces a clip and removes a failure of its path. path: relative to the index's folder. */
Status index_put_clip(Index *index, const char *path, const ClipStats *stats, Error *err);

/* Records a failure; path is that of the clip, which is removed if it exists. The row names what could not be read: the
 * source "a.bvh" of clip "a.bvh.h5" if is_source, else path itself. */
Status index_put_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                         Error *err);

/* Records the failure of a source whose clip file of an earlier version is kept: its clip stays too, marked stale. */
Status index_put_stale(Index *index, const char *path, const char *stage, const char *message, Error *err);

/* Counts clips with a warning; an uncertain detection is one. */
Status index_count_warned(Index *index, long long *count, Error *err);

/* Counts clips whose source can no longer be read. */
Status index_count_stale(Index *index, long long *count, Error *err);

/* Removes the clip or failure of a path, if any. */
Status index_remove(Index *index, const char *path, Error *err);

/* input: the file of the clip or failure, relative to the current folder. */
Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err);

/* Returns the input of a path's clip if it is another file than input and still exists: batch_stamps_other_input. */
Status index_other_input(Index *index, const char *path, const char *input, char **other, Error *err);

/* Returns 1 if an earlier batch wrote the clip file of a path from this input: batch_stamps_is_own. */
int index_is_own(Index *index, const char *path, const char *input, const IndexStamp *now);

/* Removes the clips and failures whose input, by their stamps, was below a folder and no longer exists. Their clip
 * files stay and remain known to index_lost. */
Status index_prune(Index *index, const char *folder, size_t *removed, Error *err);

/* Visits what was lost below a folder, in this or an earlier call. */
Status index_lost(Index *index, const char *folder, VisitLost *visit, void *context, Error *err);

/* Returns 1 if a clip was removed because its source no longer exists, although its clip file stays. */
int index_is_lost(Index *index, const char *path);

/* Forgets a lost path whose clip file was deleted. */
Status index_forget_lost(Index *index, const char *path, Error *err);

/* Compares with the stamp of the last index_put_stamp, for a clip in the index. request: every option that affects the
 * result, as text. If input_sha256 is given, the content decides instead of the input's time. */
IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request);

/* Returns 1 if the clip of a path has this source and history, as a copy of its clip file does. */
int index_is_clip_of(Index *index, const char *path, const char *source_sha256, const char *history);

/* Likewise for a stale clip. */
int index_is_stale_clip_of(Index *index, const char *path, const char *source_sha256, const char *history);

/* Returns 1 if there are neither clips nor failures. */
int index_is_empty(Index *index);

/* Calls visit for the path of every clip; visit may remove it. */
Status index_visit(Index *index, VisitPath *visit, void *context, Error *err);

/* Return 1 if path is an index of this version, or if stamps of a batch are beside it. */
int index_is_current(const char *path);
int index_has_stamps(const char *path);

/* Commits and begins the next transaction; call about once per second. */
Status index_commit(Index *index, Error *err);

/* Merges the clips and failures of other indexes. Of equal paths the last one is kept, a clip rather than a failure.
 * What an earlier merge took from one of them and is no longer in it is removed (known from <path>.batch). Paths become
 * relative to this index's folder. Merging again changes nothing. Commits after each index. */
Status index_merge(Index *index, const char *const *shards, size_t count, Error *err);

/* An option with different values in two indexes. */
typedef struct OptionDifference {
    const char *option; /* "body --mass" */
    struct {
        const char *index;      /* path */
        const char *value;      /* one of its values */
        long long values, clips; /* number of values, and of clips with the option */
    } side[2];
} OptionDifference;

typedef Status VisitDifference(void *context, const OptionDifference *difference, Error *err);

/* Visits options without a common value in two indexes to be merged: each shard is compared with the first index that
 * has the option. Values that a table sets per clip, several in an index, are not a difference. */
Status index_compare_options(Index *index, const char *const *shards, size_t count, VisitDifference *visit,
                             void *context, Error *err);

/* Check of an index and of its agreement with its clip files. */

typedef struct IndexCheck IndexCheck;

/* clip: path as in the index; NULL: concerns the whole index. */
typedef Status VisitDamage(void *context, const char *clip, const char *text, Error *err);

/* Opens for reading, like index_file_read. */
Status index_check_open(const char *path, IndexCheck **out, Error *err);

/* Visits damage: pages and key order (SQLite's own check), tables and documentation that differ from this version's,
 * rows of clips, failures and families that do not match their checksum, a full-text index with other content. Cost:
 * reads the whole file. */
Status index_check_file(IndexCheck *check, VisitDamage *visit, void *context, Error *err);

/* Calls visit for the path of every clip. */
Status index_check_paths(IndexCheck *check, VisitPath *visit, void *context, Error *err);

/* *is_same: 1 if the rows of a clip equal these statistics. */
Status index_check_clip(IndexCheck *check, const char *path, const ClipStats *stats, int *is_same, Error *err);

/* Accepts NULL. */
void index_check_close(IndexCheck *check);

/* Fills temp.option_kind(clip_id, options): the history without what the source determines, lines joined by "; ". */
Status index_option_kinds(sqlite3 *db, Error *err);

/* Makes long statements of this index, those of index_merge, end when is_asked returns nonzero: STATUS_IO, and
 * uncommitted changes are lost. */
void index_stop_when(Index *index, int (*is_asked)(void));

/* Commits, returns to a rollback journal and replaces an outdated index, with tags of clips copied. Call only
 * index_close afterwards. */
Status index_finish(Index *index, Error *err);

/* Closes; uncommitted changes are lost without index_finish. Accepts NULL. */
void index_close(Index *index);

/* Tags of clips: labels by the user, which no clip file contains. */

/* A label of a clip, from a column of a table of clips: {"actor", "Anna"}. */
typedef struct IndexTag {
    const char *name, *value;
} IndexTag;

/* Replaces the tags of a path's clip, which have distinct names; sets *changed to 1 if they differ. They stay when the
 * clip is put again. Does nothing without the clip. */
Status index_put_tags(Index *index, const char *path, const IndexTag *tags, int count, int *changed, Error *err);

/* Returns 1 if queries of clips have a column of this name, which therefore cannot be a tag. */
int index_has_column(const char *name);

/* Joint detections for the clips of one skeleton. Later batches use them; no clip file contains them. */

/* Returns the detections of this version for a skeleton by key (family_key); {0} if there are none. */
Status index_find_family(Index *index, const char *key, Family *out, Error *err);

/* Stores the detections of a skeleton; those that *family lacks are kept. clips: number of clips they are based on. */
Status index_put_family(Index *index, const char *key, const Family *family, int clips, Error *err);

/* Copies the detections of the replaced index. */
Status index_families_keep(Index *index, Error *err);

#endif
