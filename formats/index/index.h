/* The index of a library: one SQLite file derived from the containers (docs/formats.md "The index").
 *
 * The content, every table but for the ids and by path, is a function of the clips put into it. A clip keeps its id
 * while its path stays, and no id is given twice, so that a change costs what changes. One writer; WAL while writing, a
 * rollback journal when done. What a batch knows of its files (sizes, times, requested options) is no content: it lies
 * beside the index in <path>.batch, which may be deleted at any time.
 *
 * A writer calls: index_open, any number of index_put_* and index_commit, index_finish, index_close. */
#ifndef KANE_FORMATS_INDEX_H
#define KANE_FORMATS_INDEX_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/batch_stamps.h"

typedef struct Index Index;

/* Opens for writing, creating the file where it is absent, and begins a transaction. STATUS_IO where another process
 * writes, STATUS_BAD_INPUT for a file that is no kane index or made by a newer kane. One that an older kane made, or
 * another one whose tables are not those of this one, is replaced: see index_outdated. */
Status index_open(const char *path, Index **out, Error *err);

/* The same, but what follows is a rebuild: an index that is there, whichever kane made it, is replaced,
 * but for the tags of clips that are put again. */
Status index_open_anew(const char *path, Index **out, Error *err);

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

/* Removes the clip or failure of a path; fine where there is none. */
Status index_remove(Index *index, const char *path, Error *err);

/* input: the file behind the clip or failure, seen from here. */
Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err);

/* What the clip of a path was made of, where that is another file than input and still there; see batch_stamps.h. */
Status index_other_input(Index *index, const char *path, const char *input, char **other, Error *err);

/* Whether the container of a path is what an earlier batch wrote of this input; see batch_stamps.h. */
int index_is_own(Index *index, const char *path, const char *input, const IndexStamp *now);

/* Removes the clips and failures whose input lay below a folder, by their stamps, and is not there any more. What was
 * written for them stays, and stays known to index_lost. */
Status index_prune(Index *index, const char *folder, size_t *removed, Error *err);

/* Visits what was lost below a folder, now or in an earlier call. */
Status index_lost(Index *index, const char *folder, VisitLost *visit, void *context, Error *err);

/* What was written for a path that was lost is there no more. */
Status index_forget_lost(Index *index, const char *path, Error *err);

/* Compares with the stamp of the last index_put_stamp for a clip that is in the index. request: every option that
 * bears on the result, as text. With input_sha256 given the content decides instead of the input's time. */
IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request);

/* Whether it holds neither clips nor failures. */
int index_is_empty(Index *index);

/* Calls visit for the path of every clip, which may remove it. */
Status index_visit(Index *index, RemovePath *visit, void *context, Error *err);

/* Whether an index that this kane made is at path, and what a batch noted of its files beside it. */
int index_is_current(const char *path);
int index_has_stamps(const char *path);

/* Commits what was put so far and begins the next transaction; about once a second. */
Status index_commit(Index *index, Error *err);

/* Makes the clips and failures of other indexes part of this one: of equal paths the last one stays, a clip before a
 * failure; what an earlier merge took from one of them and it holds no more goes (known from <path>.batch). Paths are
 * made relative to this index's folder. Merging again changes nothing. Each index is committed as it is done. */
Status index_merge(Index *index, const char *const *shards, size_t count, Error *err);

/* Long statements of this index, those of index_merge, end where is_asked answers other than 0: STATUS_IO, and what was
 * not committed is lost. */
void index_stop_when(Index *index, int (*is_asked)(void));

/* Commits, returns to a rollback journal; a replaced index gives way, and its clips keep their tags. Then only
 * index_close. */
Status index_finish(Index *index, Error *err);

/* Without index_finish what was not committed is lost. Accepts NULL. */
void index_close(Index *index);

#endif
