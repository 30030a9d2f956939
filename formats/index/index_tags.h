/* Tags of clips: labels by the user, which no clip file contains. */
#ifndef KANE_INDEX_INDEX_TAGS_H
#define KANE_INDEX_INDEX_TAGS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/index/index_type.h"
#include "formats/index/index_tags.h"

/* A label of a clip, from a column of a table of clips: {"actor", "Anna"}. */
typedef struct IndexTag {
    const char *name, *value;
} IndexTag;

/* Replaces the tags of a path's clip, which have distinct names; sets *changed to 1 if they differ. They stay when the
 * clip is put again. Does nothing without the clip. */
Status index_put_tags(Index *index, const char *path, const IndexTag *tags, int count, int *changed, Error *err);

/* Returns 1 if queries of clips have a column of this name, which therefore cannot be a tag. */
int index_has_column(const char *name);

/* Deletes the tags of a clip that was removed. */
Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err);

/* Copies the tags of existing clips from the replaced index, because no clip file contains them. Fails if they cannot
 * be read, so that the old file is kept. */
Status index_tags_keep(Index *index, Error *err);

#endif
