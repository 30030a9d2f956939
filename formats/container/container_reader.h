/* Reads rows of single arrays of a clip file without the rest, for queries of few columns of long clips.
 *
 * The file is untrusted. A child process finds where its arrays are (container_layout.h); arrays stored as in memory
 * are read with one pread per call, compressed ones are decoded by a child, some megabytes at a time. If the file
 * changes while open, results are an error or different numbers, never a crash. */
#ifndef KANE_CONTAINER_CONTAINER_READER_H
#define KANE_CONTAINER_CONTAINER_READER_H

#include "analysis/clip/clip_schema.h"

typedef struct ContainerReader ContainerReader;

/* Opens a regular file. On failure *out is NULL. */
Status container_reader_open(const char *path, ContainerReader **out, Error *err);
void container_reader_close(ContainerReader *reader);

/* Returns 1 if path is still the unchanged file that was opened. */
int container_reader_is(const ContainerReader *reader, const char *path);

/* Returns the length of a dimension, at most INT_MAX; 0 if no array has it. */
int container_reader_size(const ContainerReader *reader, SchemaDim dim);

/* Returns 1 if the file has the dataset, an index into schema_datasets. */
int container_reader_has(const ContainerReader *reader, int dataset);

int container_reader_has_group(const ContainerReader *reader, SchemaGroupId group);

/* Returns the labels of an existing dataset of names or roles: concatenated strings, each with its NUL, owned by the
 * reader. NULL if they are damaged. */
const char *container_reader_labels(const ContainerReader *reader, int dataset);

/* Returns a text attribute of the root group, owned by the reader; "" if absent. */
const char *container_reader_text(const ContainerReader *reader, const char *attribute);

/* Reads rows first to first + count - 1 of an existing numeric dataset as doubles: count times the values per row.
 * STATUS_BAD_INPUT if a value is not finite. */
Status container_reader_rows(ContainerReader *reader, int dataset, int first, int count, double *out, Error *err);

#endif
