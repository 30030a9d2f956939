/* Check of an index and of its agreement with its clip files. */
#ifndef KANE_INDEX_INDEX_CHECK_H
#define KANE_INDEX_INDEX_CHECK_H

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_stamp.h"

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

#endif
