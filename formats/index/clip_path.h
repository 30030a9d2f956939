/* The path by which an index knows a clip: relative to the folder of the index, and its words, by which the text search
 * finds it. */
#ifndef KANE_FORMATS_CLIP_PATH_H
#define KANE_FORMATS_CLIP_PATH_H

#include "analysis/base/status.h"

/* Path of file relative to the folder that holds database; both folders must exist. *out is owned by the caller. */
Status relative_path(const char *file, const char *database, char **out, Error *err);

/* The same for a path that is relative to the folder of another database: its own folder need not exist here. */
Status relative_path_move(const char *path, const char *from_database, const char *to_database, char **out, Error *err);

/* "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" gives "la fan jumps and stumbles 1 subject 2". Words end at anything but
 * letters and digits, where a digit meets a letter, and before a capital that follows a small letter or that a small
 * letter follows; the suffixes of containers are left out. Owned by the caller; NULL without memory. */
char *path_words(const char *path);

#endif
