/* The index of a library: one SQLite file derived from the containers (docs/formats.md "The index").
 *
 * The content is a function of the clips put into it: clip.id is the rank of the path, whatever the order of
 * completion. One writer; WAL while writing, a rollback journal when done. What a batch knows of its files (sizes,
 * times, requested options) is no content: it lies beside the index in <path>.batch, which may be deleted at any time.
 *
 * A writer calls: index_open, index_plan, any number of index_put_* and index_commit, index_finish, index_close. */
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

/* The same, but what follows is a rebuild: an index that is there, whichever kane made it, is replaced. */
Status index_open_anew(const char *path, Index **out, Error *err);

/* Who made the index that is being replaced ("an older kane"); NULL: none is. The failures that it held are here; the
 * caller puts its clips, *paths, again from their containers. The old file stays as it is until index_finish puts the
 * new one, which has grown beside it, in its place; index_open it again then. *paths belongs to the index. */
const char *index_outdated(const Index *index, const char *const **paths, size_t *count);

/* Announces the paths that may be put from here on (relative to the index's folder, any order), so that each clip gets
 * its place at once. Cost: the rows of the clips that have to make room. */
Status index_plan(Index *index, const char *const *paths, size_t count, Error *err);

/* Puts or replaces a clip; a failure of the same path goes. path as in the plan. */
Status index_put_clip(Index *index, const char *path, const ClipStats *stats, Error *err);

/* Records why a clip is not here; path is the one the clip would have, an older clip of that path goes. The row names
 * what could not be read: the source "a.bvh" of a clip "a.bvh.h5" where is_source, else path itself. */
Status index_put_failure(Index *index, const char *path, int is_source, const char *stage, const char *message,
                         Error *err);

/* Removes the clip or failure of a path; fine where there is none. */
Status index_remove(Index *index, const char *path, Error *err);

/* input: the file behind the clip or failure, seen from here. */
Status index_put_stamp(Index *index, const char *path, const char *input, const IndexStamp *stamp, const char *request,
                       Error *err);

/* Removes the clips and failures whose input lay below a folder, by their stamps, and is not there any more. */
Status index_prune(Index *index, const char *folder, size_t *removed, Error *err);

/* Compares with the stamp of the last index_put_stamp for a clip that is in the index. request: every option that
 * bears on the result, as text. With input_sha256 given the content decides instead of the input's time. */
IndexChange index_compare(Index *index, const char *path, const IndexStamp *now, const char *request);

/* Commits what was put so far and begins the next transaction; about once a second. */
Status index_commit(Index *index, Error *err);

/* Adds the clips and failures of other indexes; of equal paths the last one stays. Paths are made relative to this
 * index's folder. No plan is needed. */
Status index_merge(Index *index, const char *const *shards, size_t count, Error *err);

/* Closes gaps in the ranks, fills the text search, commits, returns to a rollback journal; a replaced index gives way.
 * Then only index_close. */
Status index_finish(Index *index, Error *err);

/* Without index_finish what was not committed is lost. Accepts NULL. */
void index_close(Index *index);

#endif
