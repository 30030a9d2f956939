/* Paths of containers relative to the folder of an index. */
#ifndef KANE_FORMATS_RELATIVE_PATH_H
#define KANE_FORMATS_RELATIVE_PATH_H

#include "analysis/base/status.h"

/* Path of file relative to the folder that holds database; both folders must exist. *out is owned by the caller. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* The same for a path that is relative to the folder of another database: its own folder need not exist here. */
Status relative_path_move(const char *path, const char *from_database, const char *to_database, char **out, Error *err);

#endif
