/* Joint detections for the clips of one skeleton. Later batches use them; no clip file contains them. */
#ifndef KANE_INDEX_INDEX_FAMILIES_H
#define KANE_INDEX_INDEX_FAMILIES_H

#include "analysis/base/status.h"
#include "analysis/detect/import_guess.h"
#include "formats/index/index_type.h"
#include "formats/index/index_families.h"

/* Returns the detections of this version for a skeleton by key (family_key); {0} if there are none. */
Status index_find_family(Index *index, const char *key, Family *out, Error *err);

/* Stores the detections of a skeleton; those that *family lacks are kept. clips: number of clips they are based on. */
Status index_put_family(Index *index, const char *key, const Family *family, int clips, Error *err);

/* Copies the detections of the replaced index. */
Status index_families_keep(Index *index, Error *err);

#endif
