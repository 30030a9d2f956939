/* The layout of a clip file: what libhdf5 finds, as plain data that a child process can return.
 *
 * Arrays stored as in memory (contiguous float64, float32, int32, uint8) are given by their position in the image and
 * copied from there. All others (text, compressed or converted arrays) are decoded into scratch. */
#ifndef KANE_CONTAINER_CONTAINER_LAYOUT_H
#define KANE_CONTAINER_CONTAINER_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

typedef enum ExtentSource {
    EXTENT_ABSENT = 0,
    EXTENT_IMAGE,
    EXTENT_IMAGE_FLOAT32,
    EXTENT_SCRATCH,
    EXTENT_STORED, /* only in an outline: numbers that libhdf5 must decode */
    EXTENT_LEFT_OUT, /* absent, and computed again from the others (container_restore.h) */
} ExtentSource;

typedef struct Extent {
    ExtentSource source;
    uint64_t offset; /* bytes */
    uint64_t size;   /* bytes; text: all strings with their NULs */
} Extent;

enum { LAYOUT_MAX_NUMBERS = RETARGET_FRAMES, LAYOUT_WARNING_SIZE = 256 };
_Static_assert((int)LAYOUT_MAX_NUMBERS >= (int)DECISION_COUNT, "room for the longest attribute of numbers");

typedef struct ContainerLayout {
    uint64_t dim[DIM_COUNT];             /* 0: unknown */
    int has_group[GROUP_COUNT];
    Extent dataset[SCHEMA_DATASET_COUNT];
    Extent text[SCHEMA_ATTRIBUTE_COUNT]; /* in scratch */
    Extent checksums, version;           /* in scratch: texts of the root attributes checksum and kane_version */
    int has_number[SCHEMA_ATTRIBUTE_COUNT];
    int is_lean;                         /* 1: datasets are left out */
    int has_others;                      /* 1: /retarget has attributes that are not in the table */
    double number[SCHEMA_ATTRIBUTE_COUNT][LAYOUT_MAX_NUMBERS];
    char warning[LAYOUT_WARNING_SIZE];   /* names of what was dropped */
} ContainerLayout;

/* Growing bytes; free with free(bytes). */
typedef struct Scratch {
    unsigned char *bytes;
    size_t size, capacity;
} Scratch;

/* Reads the structure of an image. Rejects, anywhere in the file, external storage, links other than hard ones, virtual
 * datasets, and filters other than deflate and shuffle. STATUS_BAD_INPUT with the dataset. */
Status container_layout(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err);

/* Likewise without decoding numbers: those that are not stored directly are EXTENT_STORED. */
Status container_outline(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err);

/* Rows of a numeric dataset, along its first dimension. */
typedef struct RowRange {
    int dataset; /* index into schema_datasets */
    uint64_t first, count;
} RowRange;

/* Decodes rows into scratch, in their memory type (double, int, byte). */
Status container_rows(const ContainerImage *image, const RowRange *rows, Scratch *scratch, Error *err);

/* Builds the clip from an untrusted layout, without libhdf5; conversions of an image are in container.h. On failure
 * *out is empty. With findings (may be NULL) errors of content are recorded there and are not failures; *out can then
 * only be freed. */
Status container_assemble(const ContainerImage *image, const ContainerLayout *layout, const Scratch *scratch, Clip *out,
                          ContainerFindings *findings, Error *err);

#endif
