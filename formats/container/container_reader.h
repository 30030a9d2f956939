/* Single arrays of a container file, in rows, without reading the rest: for questions to few columns of long clips.
 *
 * The file is from outside. A child process finds where its arrays lie (container_layout.h); those that lie in it as
 * they are in memory are read from there by one pread a call, compressed ones are decoded by a child, some megabytes at
 * a time. Files that change while they are open give an error or other numbers, never a crash. */
#ifndef KANE_CONTAINER_CONTAINER_READER_H
#define KANE_CONTAINER_CONTAINER_READER_H

#include "analysis/clip/clip_schema.h"

typedef struct ContainerReader ContainerReader;

/* Regular files alone. On failure *out is NULL. */
Status container_reader_open(const char *path, ContainerReader **out, Error *err);
void container_reader_close(ContainerReader *reader);

/* Whether path still names the file that was opened, unchanged. */
int container_reader_is(const ContainerReader *reader, const char *path);

/* Places along a dimension; 0 where no array has it. At most INT_MAX. */
int container_reader_size(const ContainerReader *reader, SchemaDim dim);

/* Whether the file holds the dataset, an index into schema_datasets. */
int container_reader_has(const ContainerReader *reader, int dataset);

/* Labels of a dataset of names or roles: owned by the reader, each with its NUL, one after the other. The file must
 * hold it. NULL where they are damaged. */
const char *container_reader_labels(const ContainerReader *reader, int dataset);

/* A text attribute of the root group: owned by the reader, "" where the file has none. */
const char *container_reader_text(const ContainerReader *reader, const char *attribute);

/* Rows first to first + count - 1 of a dataset of numbers that the file holds, as doubles, into out: rows times what a
 * row has. STATUS_BAD_INPUT where a value is not finite. */
Status container_reader_rows(ContainerReader *reader, int dataset, int first, int count, double *out, Error *err);

#endif
