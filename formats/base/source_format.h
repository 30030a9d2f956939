/* What a motion format is: a row of formats/source/source_table.h, which its reader defines in its own folder. */
#ifndef KANE_BASE_SOURCE_FORMAT_H
#define KANE_BASE_SOURCE_FORMAT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/detect/findings.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/take.h"
#include "formats/base/file_kind.h"
#include "formats/base/source_file.h"

/* Limits and mode of reading. */
typedef struct SourceDef {
    int max_depth;   /* of nested joints; default 1000 */
    int max_joints;  /* default 4096 */
    int max_frames;  /* default 10 million */
    int tolerant;    /* 1, for kane check: unreadable parts become findings and are filled, and the take has rows and
                        positions; default 0 */
    const char *root;        /* of a file with several: its name or number from 1, or "all"; NULL: the body's */
    const char *drop_joints; /* "auto": those without numbers in any row, with all below them; or their names, separated
                                by commas; NULL: none */
    int still;            /* 1, for targets: a file without motion gives one frame in its rest pose; default 0 */
    const char *take;     /* of a file with several: its name or number from 1; NULL: stated by the path */
    const char *skeleton; /* ASF file that AMC reads instead of the one beside; NULL: none */
    const char *model;    /* .osim file that OpenSim motions are read with, likewise */
} SourceDef;

static inline SourceDef source_default_def(void)
{
    return (SourceDef){.max_depth = 1000, .max_joints = 4096, .max_frames = 10000000};
}

/* Size of the longest take of a file, estimated from the file's beginning. */
typedef struct SourceSize {
    double joints;
    double frames;  /* < 0: not stated there */
    double reading; /* memory that the reader needs beside file and take, bytes */
} SourceSize;

/* The beginning of a file. */
typedef struct SourceHead {
    const char *text; /* [size], followed by a NUL */
    size_t size;      /* at most SOURCE_HEAD_SIZE */
    double file_size; /* of the whole file, bytes */
} SourceHead;

enum { SOURCE_HEAD_SIZE = 1 << 18 };

typedef struct SourceFormat {
    const char *name;           /* "BVH" */
    FileKind kind;              /* FILE_TEXT or FILE_OTHER if kane does not write the format */
    const char *const *endings; /* ".bvh", case-insensitive; terminated by NULL */

    /* Returns 1 if the first bytes, at most FILE_FRONT_SIZE, are of this format. */
    int (*begins)(const char *front, size_t size);

    /* Returns 0 if the first bytes are of a file with the same ending that has no motion, such as a table of forces.
     * NULL: all files of the ending have. */
    int (*holds_motion)(const char *front, size_t size);

    /* Computes the largest size, bytes, of a file within the limits from its first size bytes; STATUS_LIMIT if they
     * already exceed it. NULL: SOURCE_MAX bytes. */
    Status (*bound)(const char *bytes, size_t size, const SourceDef *def, size_t *max, Error *err);

    /* Estimates the size of a file, from which its memory is planned; NULL: only the file's size is known. */
    void (*measure)(const SourceHead *head, SourceSize *out);

    /* Finds the files beside `path` that its reader needs, by name (companion_named, companion_only), and adds them
     * with companions_add. Adds none if there is none: `read` reports that. NULL: the format has no companions. */
    Status (*find_companions)(const char *path, Companions *out, Error *err);

    /* The companion that the user states instead; NULL: none. */
    const char *(*stated_companion)(const SourceDef *def);

    /* Counts the takes; NULL: always one. */
    Status (*count)(const SourceFile *file, const SourceDef *def, int *count, Error *err);

    /* Copies the name of take `number`, NULL: it has none; the caller frees it. NULL: takes have no names. */
    Status (*take_name)(const SourceFile *file, int number, char **name, Error *err);

    /* Reads take `number`, from 1. *out is (Take){0} before. Free it also after failure: it then has the findings up to
     * the error. err has the position. */
    Status (*read)(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err);

    /* Reads only the skeleton, if that is faster than the whole file; NULL: it is not. */
    Status (*read_skeleton)(const char *path, const SourceDef *def, Skeleton *out, Error *err);

    const FindingInfo *kinds; /* [kind_count] kinds of findings specific to the format, from FINDING_KIND_COUNT */
    int kind_count;

    /* Describes the repair of a kind of finding; NULL: none. A NULL function: the format has no repair. */
    const char *(*repair_words)(int kind);

    /* Repairs the file of a take that was read with def.tolerant and inspected, and marks repaired findings.
     * repair_write then writes the file. */
    Status (*repair)(Take *take, const ImportGuessDef *def, Error *err);
    Status (*repair_write)(const Take *take, FILE *stream, Error *err);
} SourceFormat;

#define SOURCE_MAX ((size_t)1 << 30) /* bytes of a file if its format sets no limit */

#endif
