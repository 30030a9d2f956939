/* Table of motion file formats, detection of a file's kind from its first bytes, and reading of takes.
 *
 * A reader is a row of SOURCES and a `const SourceFormat source_NAME` in its own folder. All commands that read motion
 * use this table to find files in folders by name, to identify the content of a pipe, and to count the takes of a
 * file. */
#ifndef KANE_SOURCE_SOURCE_H
#define KANE_SOURCE_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/detect/take.h"

/* Kinds of files, detected from their first bytes, so that kane does not overwrite a file of another kind. */

typedef enum FileKind {
    FILE_OTHER, /* not written by kane */
    FILE_EMPTY, /* a file without bytes */
    FILE_CONTAINER,
    FILE_INDEX,
    FILE_BVH,
    FILE_TEXT, /* tables and logs */
    FILE_JSON, /* including JSON lines */
    FILE_OPENSIM,
    FILE_NPZ,
    FILE_GLB,
    FILE_SVG,
    FILE_PNG,
    FILE_GNUPLOT,
    FILE_PAGE,
    FILE_KIND_COUNT
} FileKind;

/* Number of first bytes that identify the kind: they include the metadata of a clip file with kane's mark. */
enum { FILE_FRONT_SIZE = 65536 };

/* Returns the kind of a file of `size` bytes from its first `count` bytes. A truncated clip file counts as one. */
FileKind file_kind_of(const void *front, size_t count, unsigned long long size);

/* Returns "a clip file" or another noun phrase for messages. */
const char *file_kind_name(FileKind kind);

/* Returns what a file is that was given as motion but has another format, with advice: "an FBX file: export the take as
 * BVH from the original program"; NULL if unknown. The text is static. */
const char *foreign_file(const char *front, size_t size);

/* Limits and mode of reading. */

typedef struct SourceDef {
    int max_depth;   /* of nested joints; default 1000 */
    int max_joints;  /* default 4096 */
    int max_frames;  /* default 10 million */
    int tolerant;    /* 1, for kane check: unreadable parts become findings and are filled, and the take has rows and
                        positions; default 0 */
} SourceDef;

SourceDef source_default_def(void);

typedef struct SourceFormat {
    const char *name;           /* "BVH" */
    FileKind kind;              /* FILE_TEXT or FILE_OTHER if kane does not write the format */
    const char *const *endings; /* ".bvh", case-insensitive; terminated by NULL */

    /* Returns 1 if the first bytes, at most FILE_FRONT_SIZE, are of this format. */
    int (*begins)(const char *front, size_t size);

    /* Computes the largest size, bytes, of a file within the limits from its first size bytes; STATUS_LIMIT if they
     * already exceed it. NULL: SOURCE_MOST bytes. */
    Status (*bound)(const char *bytes, size_t size, const SourceDef *def, size_t *most, Error *err);

    /* Counts the takes; NULL: always one. */
    Status (*count)(const char *bytes, size_t size, const SourceDef *def, int *count, Error *err);

    /* Reads take `number`, from 1. *out is (Take){0} before. Free it also after failure: it then has the findings up to
     * the error. err has the position. */
    Status (*read)(const char *bytes, size_t size, int number, const SourceDef *def, Take *out, Error *err);

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

/* The formats. If neither content nor name identifies the format, the first reader reports the error. */
#ifndef SOURCES /* tests may define their own */
#define SOURCES(SOURCE) SOURCE(bvh)
#endif

#define SOURCE_DECLARE(name) extern const SourceFormat source_##name;
SOURCES(SOURCE_DECLARE)

/* Writes the names for a message: "BVH", of several formats "BVH or CSV". */
void source_names(char *text, size_t size);

/* Returns the format of a file with these first bytes, or NULL. */
const SourceFormat *source_of_front(const char *front, size_t size);

/* Returns 1 if a name is longer than, and ends in, the extension of a format; for found_files_add. */
int source_has_ending(const char *name);

/* Returns the length of a name without the extension of a format. */
size_t source_stem(const char *name, size_t length);

/* Describes a kind of finding. Static. */
const FindingInfo *source_finding(const SourceFormat *format, int kind);

/* Returns the kind of this name, of any format, or NULL. */
const FindingInfo *source_finding_named(const char *name, size_t length);

/* ---- A take of a file: "walk.bvh", or "walk.x#2" for the second of several takes ---- */

#define SOURCE_MOST ((size_t)1 << 30) /* bytes, for pipes and devices if the format sets no limit */

/* Splits a path into file (at most size - 1 bytes) and take number. Returns 0 if path names no take, also if a file of
 * the full name exists. */
int source_split(const char *path, char *file, size_t size);

/* Returns the file of a path: path itself, or a copy of its beginning in text. */
#define SOURCE_PATH_SIZE 4352
const char *source_file(const char *path, char text[SOURCE_PATH_SIZE]);

typedef struct SourceFile {
    const SourceFormat *format;
    char *bytes; /* owned, terminated by NUL */
    size_t size;
    int take;    /* number in the path; 0: none */
    int index;   /* number of the take to read, from 1 */
} SourceFile;

/* Reads the whole file; path "-": standard input. Pipes and devices are read only up to the limit of their format, and
 * no further than the first bytes if the format is unknown. STATUS_BAD_INPUT if path names no take of several, or one
 * that does not exist. */
Status source_open(const char *path, const SourceDef *def, SourceFile *out, Error *err);
void source_close(SourceFile *file);

/* Reads the take. Free *out also after failure. Its name is UTF-8 without control characters, at most SOURCE_NAME_SIZE
 * - 1 bytes. */
enum { SOURCE_NAME_SIZE = 256 };
Status source_take(const SourceFile *file, const SourceDef *def, Take *out, Error *err);

/* Returns the number of takes; reads the file only if its format can have several. Returns 1 also for an unreadable
 * file: opening it reports the error. */
int source_count(const char *path, const SourceDef *def);

/* Likewise with an error; *count is then unchanged. */
Status source_count_takes(const char *path, const SourceDef *def, int *count, Error *err);

/* Reads the skeleton in file units and axes, without roles. Free *out also after failure. STATUS_IO if path is not a
 * regular file. */
Status source_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err);

/* Read the bytes of a motion file; of other files in a pipe at least the first bytes. The caller frees *bytes, which is
 * followed by a NUL that size does not count. */
Status source_bytes_stream(FILE *stream, const SourceDef *def, char **bytes, size_t *size, Error *err);
Status source_bytes_path(const char *path, const SourceDef *def, char **bytes, size_t *size, Error *err);

#endif
