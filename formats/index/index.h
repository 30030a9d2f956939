/* The index of a library: one SQLite file derived from the containers (docs/formats/index.md).
 *
 * The content, every table but for the ids and by path, is a function of the clips put into it. A clip keeps its id
 * while its path stays, and no id is given twice, so that a change costs what changes. One writer; WAL while writing, a
 * rollback journal when done. What a batch knows of its files (sizes, times, requested options) is no content: it lies
 * beside the index in <path>.batch, which may be deleted at any time.
 *
 * A writer calls: index_open, any number of index_put_* and index_commit, index_finish, index_close. */
#ifndef KANE_INDEX_INDEX_H
#define KANE_INDEX_INDEX_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/detect/family.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_file.h"
#include "formats/index/index_schema.h"

/* What a batch knows of its files, beside the index in <path>.batch: sizes, times, digests and requested options by
 * the path of the clip.
 *
 * No content of the index: a file that is missing, damaged or of another version only makes the batch work again. */

/* Of the files behind a clip. */
typedef struct IndexStamp {
    int64_t input_size, input_mtime_ns;
    int64_t output_size, output_mtime_ns;
    char input_sha256[65]; /* "" : not computed */
    int output_is_same;    /* 1: compared by content, so that its time does not matter; not stored */
} IndexStamp;

typedef enum IndexChange {
    INDEX_UNCHANGED,   /* sizes, times and request as they were */
    INDEX_ASK_CONTENT, /* only the input's time differs: call again with input_sha256 */
    INDEX_ASK_OUTPUT,  /* only the output's time differs: call again with output_is_same, or it is another output */
    INDEX_NEW,           /* not known */
    INDEX_FAILED,        /* the index lists the last attempt as a failure, and no clip */
    INDEX_OTHER_CONTENT, /* of the input */
    INDEX_OTHER_OPTIONS,
    INDEX_OTHER_VERSION, /* of kane, with the same options */
    INDEX_OTHER_OUTPUT,  /* the output is not there or not what was written */
    INDEX_REDO,          /* nothing has changed, but everything is asked for; of no comparison */
    INDEX_CHANGE_COUNT
} IndexChange;

/* "content"; of what is unchanged "unchanged". Valid for the life of the program. */
const char *index_change_name(IndexChange change);

/* {.index = path} has opened nothing yet: the first function that needs the file does. */
typedef struct BatchStamps {
    const char *index; /* path; not owned */
    sqlite3 *db;       /* NULL until needed */
    sqlite3_stmt *find, *put, *forget, *lose, *set_origin, *drop_origin;
} BatchStamps;

/* Whether there is a file of them beside an index. */
int batch_stamps_exist(const char *index_path);

void batch_stamps_close(BatchStamps *stamps);

/* input: the file behind the clip or failure, seen from here. request: every option that affects the result, as
 * text. */
Status batch_stamps_put(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *stamp,
                        const char *request, Error *err);

/* Compares with the stamp of the last batch_stamps_put. With input_sha256 given the content decides instead of the
 * input's time. */
IndexChange batch_stamps_compare(BatchStamps *stamps, const char *path, const IndexStamp *now, const char *request);

/* What path was made of, where that is another file than input and is still there: *other, seen from here, owned by the
 * caller. NULL: nothing is known, or it is the same file, or it has gone. */
Status batch_stamps_other_input(BatchStamps *stamps, const char *path, const char *input, char **other, Error *err);

/* Whether what stands at path is what an earlier batch wrote of this very input, which may have been edited since. */
int batch_stamps_is_own(BatchStamps *stamps, const char *path, const char *input, const IndexStamp *now);

typedef Status VisitPath(void *context, const char *path, Error *err);

/* A path whose input is not there any more. */
typedef struct LostFile {
    const char *path;
    int64_t output_size, output_mtime_ns; /* of what a batch wrote there */
    int is_new; /* 1: no call of batch_stamps_mark_lost has reported it */
} LostFile;

/* Visits the paths whose input lay below a folder and is not there any more. */
typedef Status VisitLost(void *context, const LostFile *lost, Error *err);
Status batch_stamps_lost(BatchStamps *stamps, const char *folder, VisitLost *visit, void *context, Error *err);

/* The clip has left the index, what was written for it may stay: its stamp states no more than that. */
Status batch_stamps_mark_lost(BatchStamps *stamps, const char *path, Error *err);

/* Whether batch_stamps_mark_lost reported it: its clip file stays, its clip has left the index. */
int batch_stamps_is_lost(BatchStamps *stamps, const char *path);

/* Nothing is known of the path any more. */
Status batch_stamps_forget(BatchStamps *stamps, const char *path, Error *err);

/* Copies the stamps that lie beside another index, whose paths move; none there is fine. */
Status batch_stamps_merge(BatchStamps *stamps, const char *shard, const PathMove *move, Error *err);

/* Calls lapse for every path that an earlier merge took from an index (its path seen from this one). */
Status batch_stamps_origins(BatchStamps *stamps, const char *shard, VisitPath *lapse, void *context, Error *err);

/* shard NULL: the path has not come from another index. */
Status batch_stamps_set_origin(BatchStamps *stamps, const char *path, const char *shard, Error *err);

/* Commits what was put so far and begins the next transaction. */
Status batch_stamps_commit(BatchStamps *stamps, Error *err);

/* The rows of one clip: from ClipStats to the tables of the index, column by column as index_schema.c states. */

typedef struct IndexRows {
    const IndexSchema *schema;         /* not owned */
    sqlite3_stmt *insert[TABLE_COUNT]; /* prepared once, as is the next */
    sqlite3_stmt *seal;
    int lacks_traces;                  /* 1: none are inserted; 0 after index_rows_prepare */
    uint64_t sum;                      /* of the hashes of rows inserted since it was set */
} IndexRows;

/* A clip's checksum is the sum, modulo 2^64, of the hash of its path and the hashes of its rows in all tables, without
 * their ids, paths and their words: the same wherever the clip stands. A row's hash is XXH64 value by value, each with
 * the one before as its seed, beginning with the table's number. */

/* type: of SQLite, SQLITE_INTEGER (8 bytes), ... */
uint64_t index_hash(uint64_t hash, int type, const void *bytes, size_t size);
uint64_t index_hash_path(const char *path);

/* Whether a column is part of its row's hash. */
int index_column_is_hashed(const Column *column);

/* Sums of a clip's rows, read from an index. */
typedef struct RowSums {
    const IndexSchema *schema;        /* not owned */
    sqlite3_stmt *read[TABLE_COUNT];  /* by the id of the clip; NULL until needed, and of tables without clips */
} RowSums;

/* The sum of the hashes of a clip's rows in a table. */
Status row_sums_of(RowSums *sums, sqlite3 *db, IndexTable table, sqlite3_int64 id, uint64_t *sum, Error *err);
void row_sums_finalize(RowSums *sums);

/* The hash of the row that a statement of index_schema_prepare_select stands on. */
uint64_t index_hash_row(const IndexSchema *schema, IndexTable table, sqlite3_stmt *row);

/* Stores a clip's checksum. */
Status index_rows_seal(IndexRows *rows, sqlite3_int64 id, uint64_t checksum, Error *err);

/* schema must live as long as the rows. */
Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err);
void index_rows_finalize(IndexRows *rows);

/* Inserts clip *id, or, where that is 0, one whose id no clip has had, and states which; neither it nor its path may be
 * there. */
Status index_rows_insert(IndexRows *rows, sqlite3_int64 *id, const char *path, const ClipStats *stats, Error *err);

/* Inserts a warning of clip id, with a number that none of its others has. */
Status index_rows_insert_warning(IndexRows *rows, sqlite3_int64 id, int number, const char *kind, const char *message,
                                 Error *err);

/* Inserts a tag of clip id, of a name that none of its others has. */
Status index_rows_insert_tag(IndexRows *rows, sqlite3_int64 id, const TagRow *tag, Error *err);

/* Inserts a decision of a skeleton, which may not be there. */
Status index_rows_insert_family(IndexRows *rows, const FamilyRow *family, Error *err);

/* Inserts a failure; its path may not be there. */
Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err);

/* The handle of an index, shared by the files that work on it. */

typedef struct Index Index;

struct Index {
    char *path; /* owned */
    IndexSchema schema;
    IndexFile file;
    IndexRows rows;
    RowSums sums;
    BatchStamps stamps;
    sqlite3_stmt *delete_clip;    /* by id; cascades take its other rows */
    sqlite3_stmt *add_text;       /* of a clip, by id, for the text search */
    sqlite3_stmt *drop_text;      /* before the clip goes */
    sqlite3_stmt *delete_failure; /* by path */
    sqlite3_stmt *find_clip;      /* id by path */
    sqlite3_stmt *find_failure;   /* by path */
    sqlite3_stmt *find_checksum;  /* by the id of a clip */
    int (*is_asked_to_stop)(void);
    char **outdated;              /* [outdated_count] owned: paths of clips in the file that is replaced */
    size_t outdated_count;
};

/* The statements, of a schema and a file that are open; finalize also where preparing failed. */
Status index_handle_prepare(Index *index, Error *err);
void index_handle_finalize(Index *index);

/* Without a clip, its tags are not used. */
Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err);

/* Clips that are here get the tags that they have in the index that is replaced: no container holds them. A failure
 * where those cannot be read, so that the old file stays. */
Status index_tags_keep(Index *index, Error *err);

/* STATUS_OK with *id 0 where there is no clip of that path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

typedef struct Index Index;

/* Opens for writing, creating the file where it is absent, and begins a transaction. STATUS_IO where another process
 * writes, STATUS_BAD_INPUT for a file that is no kane index or made by a newer kane. One that an older kane made, or
 * another one whose tables are not those of this one, is replaced: see index_outdated. */
Status index_open(const char *path, Index **out, Error *err);

/* The same, but what follows is a rebuild: an index that is there, whichever kane made it, is replaced,
 * but for failures, and for the tags and stale marks of clips that are put again. */
Status index_open_anew(const char *path, Index **out, Error *err);

/* Makes an index without clips one without traces. STATUS_USAGE where it has traces. */
Status index_leave_out_traces(Index *index, Error *err);

/* The path that the index was opened by; belongs to the index. */
const char *index_path(const Index *index);

/* Who made the index that is being replaced ("an older kane"); NULL: none is. The failures that it held are here; the
 * caller puts its clips, *paths, again from their containers. The old file stays as it is until index_finish puts the
 * new one, which has grown beside it, in its place; index_open it again then. *paths belongs to the index. */
const char *index_outdated(const Index *index, const char *const **paths, size_t *count);

/* Puts or replaces a clip; a failure of the same path goes. path: relative to the index's folder. */
Status index_put_clip(Index *index, const char *path, const ClipStats *stats, Error *err);

/* Records why a clip is not here; path is the one the clip would have, an older clip of that path goes. The row names
 * what could not be read: the source "a.bvh" of a clip "a.bvh.h5" where is_source, else path itself. */
Status index_put_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                         Error *err);

/* The same of a source whose container of an earlier state stands: its clip stays too, and is stale. */
Status index_put_stale(Index *index, const char *path, const char *stage, const char *message, Error *err);

/* Clips that have a warning; an unsure decision is one. */
Status index_count_warned(Index *index, long long *count, Error *err);

/* Clips whose source can no longer be read. */
Status index_count_stale(Index *index, long long *count, Error *err);

/* Removes the clip or failure of a path; fine where there is none. */
Status index_remove(Index *index, const char *path, Error *err);

/* input: the file behind the clip or failure, seen from here. */
Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err);

/* What the clip of a path was made of, where that is another file than input and still there; see index.h. */
Status index_other_input(Index *index, const char *path, const char *input, char **other, Error *err);

/* Whether the container of a path is what an earlier batch wrote of this input; see index.h. */
int index_is_own(Index *index, const char *path, const char *input, const IndexStamp *now);

/* Removes the clips and failures whose input lay below a folder, by their stamps, and is not there any more. What was
 * written for them stays, and stays known to index_lost. */
Status index_prune(Index *index, const char *folder, size_t *removed, Error *err);

/* Visits what was lost below a folder, now or in an earlier call. */
Status index_lost(Index *index, const char *folder, VisitLost *visit, void *context, Error *err);

/* Whether a clip has left the index because its source has, although its clip file stays. */
int index_is_lost(Index *index, const char *path);

/* What was written for a path that was lost is there no more. */
Status index_forget_lost(Index *index, const char *path, Error *err);

/* Compares with the stamp of the last index_put_stamp for a clip that is in the index. request: every option that
 * affects the result, as text. With input_sha256 given the content decides instead of the input's time. */
IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request);

/* Whether the clip of a path came from this source and has this history: a copy of its clip file has both. */
int index_is_clip_of(Index *index, const char *path, const char *source_sha256, const char *history);

/* The same of a clip that is stale. */
int index_is_stale_clip_of(Index *index, const char *path, const char *source_sha256, const char *history);

/* Whether it holds neither clips nor failures. */
int index_is_empty(Index *index);

/* Calls visit for the path of every clip, which may remove it. */
Status index_visit(Index *index, VisitPath *visit, void *context, Error *err);

/* Whether an index that this kane made is at path, and what a batch noted of its files beside it. */
int index_is_current(const char *path);
int index_has_stamps(const char *path);

/* Commits what was put so far and begins the next transaction; about once a second. */
Status index_commit(Index *index, Error *err);

/* Makes the clips and failures of other indexes part of this one: of equal paths the last one stays, a clip before a
 * failure; what an earlier merge took from one of them and it holds no more goes (known from <path>.batch). Paths are
 * made relative to this index's folder. Merging again changes nothing. Each index is committed as it is done. */
Status index_merge(Index *index, const char *const *shards, size_t count, Error *err);

/* An option whose values differ between the clips of two indexes. */
typedef struct OptionDifference {
    const char *option; /* "body --mass" */
    struct {
        const char *index;      /* path */
        const char *value;      /* one of its values */
        long long values, clips; /* how many of each have the option */
    } side[2];
} OptionDifference;

typedef Status VisitDifference(void *context, const OptionDifference *difference, Error *err);

/* Visits options without a common value in two indexes that index_merge would join: each shard against the first index
 * that has the option. Values that a table sets clip by clip, several in an index, are no difference. */
Status index_compare_options(Index *index, const char *const *shards, size_t count, VisitDifference *visit,
                             void *context, Error *err);

/* What is wrong with an index, and what its clip files state otherwise. */

typedef struct IndexCheck IndexCheck;

/* clip: its path, as the index has it; NULL: of the index as a whole. */
typedef Status VisitDamage(void *context, const char *clip, const char *text, Error *err);

/* Opens to read, as index_file_read. */
Status index_check_open(const char *path, IndexCheck **out, Error *err);

/* Visits damage: pages and order (SQLite's own check), tables and docs other than this kane's, rows of clips, failures
 * and families without their checksum, a text search that finds other clips. Cost: reads the whole file. */
Status index_check_file(IndexCheck *check, VisitDamage *visit, void *context, Error *err);

/* Calls visit for the path of every clip. */
Status index_check_paths(IndexCheck *check, VisitPath *visit, void *context, Error *err);

/* Whether the rows of a clip are those of these statistics. */
Status index_check_clip(IndexCheck *check, const char *path, const ClipStats *stats, int *is_same, Error *err);

/* Accepts NULL. */
void index_check_close(IndexCheck *check);

/* Fills temp.option_kind(clip_id, options): the history without what the source determines, lines joined by "; ". */
Status index_option_kinds(sqlite3 *db, Error *err);

/* Long statements of this index, those of index_merge, end where is_asked answers other than 0: STATUS_IO, and what was
 * not committed is lost. */
void index_stop_when(Index *index, int (*is_asked)(void));

/* Commits, returns to a rollback journal; a replaced index gives way, and its clips keep their tags. Then only
 * index_close. */
Status index_finish(Index *index, Error *err);

/* Without index_finish what was not committed is lost. Accepts NULL. */
void index_close(Index *index);

/* Tags of clips in an index: labels by a person, which no clip file contains. */

typedef struct Index Index; /* index.h */

/* Labels of a clip by a person, in columns of a table of clips: {"actor", "Anna"}. */
typedef struct IndexTag {
    const char *name, *value;
} IndexTag;

/* The clip of a path has these tags and no others, each of another name; *changed is set to 1 where that is news. They
 * stay when the clip is put again. Nothing where there is no such clip. */
Status index_put_tags(Index *index, const char *path, const IndexTag *tags, int count, int *changed, Error *err);

/* Whether a question over clips finds a column of this name, which therefore is none for a tag. */
int index_has_column(const char *name);

/* What the clips of one skeleton decided together, in the index: later batches go on with it. No container holds it. */

typedef struct Index Index; /* index.h */

/* What this version of kane decided of the skeleton of a key (family_key); {0} where it decided nothing. */
Status index_find_family(Index *index, const char *key, Family *out, Error *err);

/* Keeps the decisions of a skeleton; of what it does not decide the index keeps what it has. clips: how many were
 * read. */
Status index_put_family(Index *index, const char *key, const Family *family, int clips, Error *err);

/* An index that takes the place of another one keeps its decisions. */
Status index_families_keep(Index *index, Error *err);

#endif
