/* Containers into an index, and an index of an older schema brought up to date from the containers that it lists. */
#ifndef KANE_PIPELINE_RESTORE_H
#define KANE_PIPELINE_RESTORE_H

#include "formats/index/index.h"

/* One container; relative as the index knows it. What is wrong with the container becomes a failure in the index, is
 * told and makes *code 1. Only the index itself can fail. */
Status restore_clip(const char *verb, Index *index, const char *path, const char *relative, int *code, Error *err);

/* Puts what index_outdated lists, and says so. Does nothing for an index of today. */
Status restore_outdated(const char *verb, Index *index, const char *database, int *code, Error *err);

#endif
