/* Formats of motion files, in one table; the kind of a file, from its first bytes; takes out of files.
 *
 * A reader is a row of SOURCES and `const SourceFormat source_NAME` in a folder of its own. Every command that reads
 * motion asks this table: which endings a folder is searched for, what a pipe holds, how many takes a file has. */
#ifndef KANE_SOURCE_SOURCE_H
#define KANE_SOURCE_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/detect/take.h"

/* Kinds of files, recognized by their first bytes, so that none is taken for another and overwritten. */

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

/* First bytes of a file that identify its kind: metadata of a container lies in front, with kane's mark in it. */
enum { FILE_FRONT_SIZE = 65536 };

/* Of the first bytes of a file of this size. A container that was cut off is one. */
FileKind file_kind_of(const void *front, size_t count, unsigned long long size);

/* "a kane container", for a sentence. */
const char *file_kind_name(FileKind kind);

/* "an FBX file: export the take as BVH from the program that made it" for the front of a file that was given for a
 * motion and is none that kane reads; NULL where it is not known. Valid for the life of the program. */
const char *foreign_file(const char *front, size_t size);

/* Formats of motion. */

typedef struct SourceDef {
    int max_depth;   /* nesting; default 1000 */
    int max_joints;  /* default 4096 */
    int max_frames;  /* default 10 million */
    int tolerant;    /* 1: for kane check: what cannot be read is filled in and a finding, the take has rows and places;
                        default 0 */
} SourceDef;

SourceDef source_default_def(void);

typedef struct SourceFormat {
    const char *name;           /* "BVH" */
    FileKind kind;              /* of its files; FILE_TEXT or FILE_OTHER where kane writes none */
    const char *const *endings; /* ".bvh" in any case; ends with NULL */

    /* Whether a file begins so: its first bytes, at most FILE_FRONT_SIZE. */
    int (*begins)(const char *front, size_t size);

    /* Sets the bytes that a file within the limits can have, as far as its first size bytes show;
     * STATUS_LIMIT where there are more already. NULL: SOURCE_MOST bytes. */
    Status (*bound)(const char *bytes, size_t size, const SourceDef *def, size_t *most, Error *err);

    /* How many takes the bytes hold; NULL: one. */
    Status (*count)(const char *bytes, size_t size, const SourceDef *def, int *count, Error *err);

    /* Reads a take, from 1. *out is (Take){0} before and is to be freed, also on failure: findings list what was read
     * before. err names the place. */
    Status (*read)(const char *bytes, size_t size, int number, const SourceDef *def, Take *out, Error *err);

    /* The skeleton alone, where that is less work than the whole file; NULL: it is not. */
    Status (*read_skeleton)(const char *path, const SourceDef *def, Skeleton *out, Error *err);

    const FindingInfo *kinds; /* [kind_count] of its own kinds of findings, from FINDING_KIND_COUNT on */
    int kind_count;

    /* What repair does about a kind of finding; NULL: nothing. Both NULL: files of the format are not repaired. */
    const char *(*repair_words)(int kind);

    /* Repairs the file of a take that was read with def.tolerant and inspected, as the options state, and marks
     * findings that are gone. repair_write writes it then. */
    Status (*repair)(Take *take, const ImportGuessDef *def, Error *err);
    Status (*repair_write)(const Take *take, FILE *stream, Error *err);
} SourceFormat;

/* The table. Where neither content nor name identifies the format, the first reader reports the error. */
#ifndef SOURCES /* a test may have a reader of its own */
#define SOURCES(SOURCE) SOURCE(bvh)
#endif

#define SOURCE_DECLARE(name) extern const SourceFormat source_##name;
SOURCES(SOURCE_DECLARE)

/* "BVH" for a sentence; of several formats "BVH or CSV". */
void source_names(char *text, size_t size);

/* The format of which a file with this front is one; NULL: of none. */
const SourceFormat *source_of_front(const char *front, size_t size);

/* Whether a name ends as those of a format, and is more than the ending; found_files_add takes it. */
int source_has_ending(const char *name);

/* How many of the first length bytes of a name are left without the ending of a format. */
size_t source_stem(const char *name, size_t length);

/* What a kind of finding means. Valid for the life of the program. */
const FindingInfo *source_finding(const SourceFormat *format, int kind);

/* The kind of that name, of any format; NULL: there is none. */
const FindingInfo *source_finding_named(const char *name, size_t length);

/* ---- A take of a file: "walk.bvh", or "walk.x#2" for the second of several ---- */

#define SOURCE_MOST ((size_t)1 << 30) /* bytes of a file that may have no end, where its format sets no bound */

/* The file that a path with or without a take names, with at most size - 1 bytes. Returns the number of the take, 0
 * where none is named. A file whose own name ends so is no take. */
int source_split(const char *path, char *file, size_t size);

/* The file alone: path, or text with a copy of its beginning. */
#define SOURCE_PATH_SIZE 4352
const char *source_file(const char *path, char text[SOURCE_PATH_SIZE]);

typedef struct SourceFile {
    const SourceFormat *format;
    char *bytes; /* owned, with a NUL behind */
    size_t size;
    int take;    /* which one the path names; 0: the file has one alone */
    int index;   /* of the take that is read, from 1 */
} SourceFile;

/* The whole file; path "-": standard input. What is no regular file may never end: it is read as far as the limits let
 * its format go, and not at all where it begins as none. STATUS_BAD_INPUT where it has several takes and path names
 * none of them, or one that is not there. */
Status source_open(const char *path, const SourceDef *def, SourceFile *out, Error *err);
void source_close(SourceFile *file);

/* The take of the file; *out is to be freed, also on failure, and its name is clean: UTF-8 without control characters,
 * of at most SOURCE_NAME_SIZE - 1 bytes. */
enum { SOURCE_NAME_SIZE = 256 };
Status source_take(const SourceFile *file, const SourceDef *def, Take *out, Error *err);

/* How many takes a file has, without reading one of a format that has always one. 1 also where it cannot be read: who
 * opens it reports why. */
int source_count(const char *path, const SourceDef *def);

/* The same; where it cannot be read *count is as it was. */
Status source_count_takes(const char *path, const SourceDef *def, int *count, Error *err);

/* The skeleton in file units and axes, without roles. *out is to be freed, also on failure. STATUS_IO for what is no
 * regular file. */
Status source_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err);

/* The bytes of a motion file, or of another kind of file for who looks (they begin as it does). *bytes is owned by the
 * caller and ends in a NUL that size does not count. */
Status source_bytes_stream(FILE *stream, const SourceDef *def, char **bytes, size_t *size, Error *err);
Status source_bytes_path(const char *path, const SourceDef *def, char **bytes, size_t *size, Error *err);

#endif
