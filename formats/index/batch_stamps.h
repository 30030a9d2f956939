/* What a batch knows of its files, beside the index in <path>.batch: sizes, times, digests and requested options by
 * the path of the clip.
 *
 * No content of the index: a file that is missing, damaged or of another version only makes the batch work again. */
#ifndef KANE_FORMATS_BATCH_STAMPS_H
#define KANE_FORMATS_BATCH_STAMPS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "formats/index/clip_path.h"

/* Of the files behind a clip. */
typedef struct IndexStamp {
    int64_t input_size, input_mtime_ns;
    int64_t output_size, output_mtime_ns;
    char input_sha256[65]; /* "" : not computed */
} IndexStamp;

typedef enum IndexChange {
    INDEX_UNCHANGED,   /* sizes, times and request as they were */
    INDEX_ASK_CONTENT, /* only the input's time differs: call again with input_sha256 */
    INDEX_NEW,           /* not known */
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

/* input: the file behind the clip or failure, seen from here. request: every option that bears on the result, as
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

typedef Status RemovePath(void *context, const char *path, Error *err);

/* A path whose input is not there any more. */
typedef struct LostFile {
    const char *path;
    int64_t output_size, output_mtime_ns; /* of what a batch wrote there */
    int is_new; /* 1: no call of batch_stamps_mark_lost has reported it */
} LostFile;

/* Visits the paths whose input lay below a folder and is not there any more. */
typedef Status VisitLost(void *context, const LostFile *lost, Error *err);
Status batch_stamps_lost(BatchStamps *stamps, const char *folder, VisitLost *visit, void *context, Error *err);

/* The clip has left the index, what was written for it may stay: its stamp says no more than that. */
Status batch_stamps_mark_lost(BatchStamps *stamps, const char *path, Error *err);

/* Nothing is known of the path any more. */
Status batch_stamps_forget(BatchStamps *stamps, const char *path, Error *err);

/* Copies the stamps that lie beside another index, whose paths move; none there is fine. */
Status batch_stamps_merge(BatchStamps *stamps, const char *shard, const PathMove *move, Error *err);

/* Calls lapse for every path that an earlier merge took from an index (its path seen from this one). */
Status batch_stamps_origins(BatchStamps *stamps, const char *shard, RemovePath *lapse, void *context, Error *err);

/* shard NULL: the path has not come from another index. */
Status batch_stamps_set_origin(BatchStamps *stamps, const char *path, const char *shard, Error *err);

/* Commits what was put so far and begins the next transaction. */
Status batch_stamps_commit(BatchStamps *stamps, Error *err);

#endif
