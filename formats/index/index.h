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
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_stamp.h"
#include "formats/index/index_type.h"

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
int index_has_clip(Index *index, const char *path, const char *source_sha256, const char *history);

/* Likewise for a stale clip. */
int index_has_stale_clip(Index *index, const char *path, const char *source_sha256, const char *history);

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

/* Deletes the files of a new index that was not finished. */
void index_delete_new(const char *path);

/* Records size and time of a clip file that was put into the index, for index_changed_files. */
Status index_put_file(Index *index, const char *path, const char *file, Error *err);

/* Visits clip files of an index (database: its path) whose size or time differs from when they were indexed, for at
 * most `seconds`. Files that no longer exist, or of unknown time, are skipped. */
Status index_changed_files(const char *database, double seconds, VisitPath *visit, void *context, Error *err);

/* Makes long statements of this index, those of index_merge, end when is_asked returns nonzero: STATUS_IO, and
 * uncommitted changes are lost. */
void index_stop_when(Index *index, int (*is_asked)(void));

/* Commits, returns to a rollback journal and replaces an outdated index, with tags of clips copied. Call only
 * index_close afterwards. */
Status index_finish(Index *index, Error *err);

/* Closes; uncommitted changes are lost without index_finish. Accepts NULL. */
void index_close(Index *index);

#endif
