/* What a container from outside must not hold: ways to other files, and code that kane does not need.
 *
 * Refused anywhere in the file: soft and external links, virtual datasets, external storage, filters other than
 * deflate and shuffle. */
#ifndef KANE_FORMATS_CONTAINER_LINKS_H
#define KANE_FORMATS_CONTAINER_LINKS_H

#include <stddef.h>

#include <hdf5.h>

#include "analysis/base/status.h"

/* Walks all links of a file. Datasets of the schema are left to storage_check, when they are read. warning receives
 * the names of what is not in the schema, "" where there is nothing. */
Status links_check(hid_t file, char *warning, size_t warning_size, Error *err);

/* path is for the message. */
Status storage_check(hid_t dataset, const char *path, Error *err);

#endif
