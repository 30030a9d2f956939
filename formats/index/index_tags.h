/* Tags of clips in an index: what a person says of them, which no container holds. */
#ifndef KANE_FORMATS_INDEX_TAGS_H
#define KANE_FORMATS_INDEX_TAGS_H

#include "analysis/base/status.h"

typedef struct Index Index; /* index.h */

/* What a person says of a clip, in columns of a table of clips: {"actor", "Anna"}. */
typedef struct IndexTag {
    const char *name, *value;
} IndexTag;

/* The clip of a path has these tags and no others, each of another name; *changed is set to 1 where that is news. They
 * stay when the clip is put again. Nothing where there is no such clip. */
Status index_put_tags(Index *index, const char *path, const IndexTag *tags, int count, int *changed, Error *err);

/* Whether a question over clips finds a column of this name, which therefore is none for a tag. */
int index_has_column(const char *name);

#endif
