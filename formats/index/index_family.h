/* What the clips of one skeleton decided together, in the index: later batches go on with it. No container holds it. */
#ifndef KANE_FORMATS_INDEX_FAMILY_H
#define KANE_FORMATS_INDEX_FAMILY_H

#include "analysis/base/status.h"
#include "analysis/evidence/family.h"

typedef struct Index Index; /* index.h */

/* What this version of kane decided of the skeleton of a key (family_key); {0} where it decided nothing. */
Status index_find_family(Index *index, const char *key, Family *out, Error *err);

/* Keeps the decisions of a skeleton; of what it does not decide the index keeps what it has. clips: how many were
 * read. */
Status index_put_family(Index *index, const char *key, const Family *family, int clips, Error *err);

/* An index that takes the place of another one keeps its decisions. */
Status index_families_keep(Index *index, Error *err);

#endif
