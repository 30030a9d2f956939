/* A motion file as its reader receives it: its bytes, its path, and the files beside it that belong to it, such as the
 * ASF of an AMC. */
#ifndef KANE_BASE_SOURCE_FILE_H
#define KANE_BASE_SOURCE_FILE_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct SourceFile {
    const char *path;  /* without the number of a take; NULL: a pipe */
    const char *bytes; /* [size], followed by a NUL that size does not count */
    size_t size;
    const struct SourceFile *companion; /* [companion_count] in the order of find_companions; a pipe has none */
    int companion_count;
} SourceFile;

/* Paths of companions. */
typedef struct Companions {
    char **path; /* [count] owned */
    int count;
} Companions;

/* Takes over path, from companion_named or companion_only; NULL: adds nothing. Frees it after failure. */
Status companions_add(Companions *companions, char *path, Error *err);
void companions_free(Companions *companions);

/* Finds the regular file `name`, relative to the folder of path: "walk.asf", "../Model/scaled.osim". *found is NULL if
 * there is none; the caller frees it. */
Status companion_named(const char *path, const char *name, char **found, Error *err);

/* Finds the only regular file in `folder`, relative to the folder of path ("", "..", "../Model"), with this extension
 * (".asf", case-insensitive). *found is NULL if there is none or several; the caller frees it. */
Status companion_only(const char *path, const char *folder, const char *ending, char **found, Error *err);

#endif
