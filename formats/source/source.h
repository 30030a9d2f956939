/* Motion files of any format in the table (source_table.h), and the takes in them.
 *
 * A path names a file, "walk.bvh", or the second of its takes, "walk.x#2". */
#ifndef KANE_SOURCE_SOURCE_H
#define KANE_SOURCE_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/detect/take.h"
#include "formats/base/bytes.h"
#include "formats/base/source_format.h"

enum { SOURCE_NAME_SIZE = 256, SOURCE_PATH_SIZE = 4352 };

/* Splits a path into file (at most size - 1 bytes) and take number. Returns 0 if path names no take, also if a file of
 * the full name exists. */
int source_split(const char *path, char *file, size_t size);

/* Returns the file of a path: path itself, or a copy of its beginning in text. */
const char *source_file(const char *path, char text[SOURCE_PATH_SIZE]);

/* An open motion file; not to be copied. */
typedef struct Source {
    const SourceFormat *format;
    SourceFile file; /* bytes and companions are owned */
    int take;        /* number in the path, or by def->take of a file with several; 0: none */
    int index;       /* number of the take to read, from 1 */
    char name[SOURCE_PATH_SIZE]; /* of the file: file.path points to it */
} Source;

/* Reads the whole file and its companions; path "-": standard input. Pipes and devices are read only up to the limit of
 * their format, and no further than the first bytes if the format is unknown. STATUS_BAD_INPUT if path names no take of
 * several, or one that does not exist. */
Status source_open(const char *path, const SourceDef *def, Source *out, Error *err);
void source_close(Source *source);

/* STATUS_BAD_INPUT if the file has another format; err names it. */
Status source_require(const Source *source, const SourceFormat *format, Error *err);

/* Returns 1 if a file found in a folder is a motion file by its name, and by its first bytes if files of other contents
 * share its ending. */
int source_is_motion(const char *path);

/* Reads the take. Free *out also after failure. Its name is UTF-8 without control characters, at most SOURCE_NAME_SIZE
 * - 1 bytes. STATUS_BAD_INPUT, with advice, for a file of a foreign format. */
Status source_take(const Source *source, const SourceDef *def, Take *out, Error *err);

/* Returns the number of takes; reads the file only if its format can have several. Returns 1 also for an unreadable
 * file: opening it reports the error. */
int source_count(const char *path, const SourceDef *def);

/* Likewise with an error; *count is then unchanged. */
Status source_count_takes(const char *path, const SourceDef *def, int *count, Error *err);

/* Finds the take that def->take names: *number is 0 for the only one. */
Status source_find_take(const char *path, const SourceDef *def, int *number, Error *err);

/* Reads the skeleton in file units and axes, without roles. Free *out also after failure. STATUS_IO if path is not a
 * regular file. */
Status source_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err);

/* SHA-256 of the content: of the file, or with companions of the lines "digest\n" of the file and of each of them. */
Status source_digest(const Source *source, char digest[DIGEST_SIZE], Error *err);
Status source_digest_path(const char *path, const SourceDef *def, char digest[DIGEST_SIZE], Error *err);

/* Size and time of the last change of a file with its companions. */
typedef struct SourceStamp {
    long long size;     /* bytes; 0: the file does not exist */
    long long mtime_ns; /* since 1970 */
} SourceStamp;

SourceStamp source_stamp(const char *path, const SourceDef *def);

/* Estimates the size of the longest take from the beginning of the file; *file_size: bytes. All are 0 for a file that
 * cannot be read. */
void source_measure(const char *path, SourceSize *out, double *file_size);

/* Read the bytes of a motion file; of other files in a pipe at least the first bytes. The caller frees *bytes, which is
 * followed by a NUL that size does not count. */
Status source_bytes_stream(FILE *stream, const SourceDef *def, char **bytes, size_t *size, Error *err);
Status source_bytes_path(const char *path, const SourceDef *def, char **bytes, size_t *size, Error *err);

#endif
