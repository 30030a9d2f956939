/* What kinds of files there are, told by what they begin with, so that none is taken for another and written over. */
#ifndef KANE_FORMATS_FILE_KIND_H
#define KANE_FORMATS_FILE_KIND_H

#include <stddef.h>

typedef enum FileKind {
    FILE_OTHER, /* none of kane's: somebody's work */
    FILE_EMPTY, /* a file without bytes */
    FILE_CONTAINER,
    FILE_INDEX,
    FILE_BVH,
    FILE_TEXT, /* tables and logs */
    FILE_JSON, /* also lines of JSON */
    FILE_OPENSIM,
    FILE_NPZ,
    FILE_GLB,
    FILE_SVG,
    FILE_PNG,
    FILE_GNUPLOT,
    FILE_PAGE,
    FILE_KIND_COUNT
} FileKind;

/* Bytes of a file's beginning that tell its kind: metadata of a container lies in front, with kane's mark in it. */
enum { FILE_FRONT_SIZE = 65536 };

/* Of the first bytes of a file of this size. A container that was cut off is one. */
FileKind file_kind_of(const void *front, size_t count, unsigned long long size);

/* "a kane container", for a sentence. */
const char *file_kind_name(FileKind kind);

/* "an FBX file: export the take as BVH from the program that made it" for the front of a file that was given for a
 * motion and is none that kane reads; NULL where it is not known. Valid for the life of the program. */
const char *foreign_file(const char *front, size_t size);

#endif
