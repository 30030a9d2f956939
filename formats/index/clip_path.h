/* The path by which an index knows a clip: relative to the folder of the index, and its words, by which the text search
 * finds it. */
#ifndef KANE_FORMATS_CLIP_PATH_H
#define KANE_FORMATS_CLIP_PATH_H

#include "analysis/base/status.h"

/* Path of file relative to the folder that holds database; both folders must exist. *out is owned by the caller. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* From the folder of one database to that of another, for any number of paths. {0} is empty. */
typedef struct PathMove {
    char *from, *to; /* absolute folders; owned */
} PathMove;

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err);
void path_move_free(PathMove *move);

/* A path relative to the first folder as one relative to the second; its own folder need not exist. *out is owned by
 * the caller. */
Status path_move(const PathMove *move, const char *path, char **out, Error *err);

/* "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" gives "la fan jumps and stumbles 1 subject 2". Words end at anything but
 * letters and digits, where a digit meets a letter, and before a capital that follows a small letter or that a small
 * letter follows; the suffixes of containers are left out. Owned by the caller; NULL without memory. */
char *path_words(const char *path);

#endif
