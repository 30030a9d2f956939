/* Containers into an index, and an index of another kane brought up to date from the containers that it lists. */
#ifndef KANE_PIPELINE_RESTORE_H
#define KANE_PIPELINE_RESTORE_H

#include "formats/index/index.h"

/* One container; relative as the index knows it. What is wrong with the container becomes a failure in the index, is
 * told and makes *code 1. Only the index itself can fail. */
Status restore_clip(const char *verb, Index *index, const char *path, const char *relative, int *code, Error *err);

/* index_open. An index that another kane made is first brought up to date from the containers that it lists, and that
 * is said; where one of them is not there it stays as it is: STATUS_BAD_INPUT. */
Status restore_open(const char *verb, const char *database, Index **out, int *code, Error *err);

#endif
