/* The path of a file relative to the folder of a database, as an index stores it. */
#ifndef KANE_BASE_RELATIVE_PATH_H
#define KANE_BASE_RELATIVE_PATH_H

#include "analysis/base/status.h"

/* Returns the path of file relative to the folder of database; both folders must exist. The caller frees *out. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* Converts paths from the folder of one database to that of another. {0} is empty. */
typedef struct PathMove {
    char *from, *to; /* absolute folders; owned */
} PathMove;

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err);
void path_move_free(PathMove *move);

/* Converts a path relative to the first folder to one relative to the second; the folder of the path itself need not
 * exist. The caller frees *out. */
Status path_move(const PathMove *move, const char *path, char **out, Error *err);

#endif
