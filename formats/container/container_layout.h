/* Where everything lies in a container: what libhdf5 finds out, as plain data that a child process can hand back.
 *
 * Arrays that are stored as they lie in memory (contiguous, float64, float32, int32, uint8) are named by their place
 * in the image and copied from there. All else - text, compressed or converted arrays - is decoded into scratch. */
#ifndef KANE_FORMATS_CONTAINER_LAYOUT_H
#define KANE_FORMATS_CONTAINER_LAYOUT_H

#include <stdint.h>

#include "formats/container/container.h"
#include "formats/container/container_schema.h"

typedef enum ExtentPlace {
    EXTENT_ABSENT = 0,
    EXTENT_IMAGE,
    EXTENT_IMAGE_FLOAT32,
    EXTENT_SCRATCH,
    EXTENT_STORED, /* only in an outline: numbers that libhdf5 has to decode */
} ExtentPlace;

typedef struct Extent {
    ExtentPlace place;
    uint64_t offset; /* bytes */
    uint64_t size;   /* bytes; text: every string with its final NUL */
} Extent;

enum { LAYOUT_MAX_NUMBERS = DECISION_COUNT, LAYOUT_WARNING_SIZE = 256 };

typedef struct ContainerLayout {
    uint64_t dim[DIM_COUNT];             /* 0: not met */
    int has_group[GROUP_COUNT];
    Extent dataset[SCHEMA_DATASET_COUNT];
    Extent text[SCHEMA_ATTRIBUTE_COUNT]; /* in scratch */
    Extent checksums;                    /* in scratch: the text of the root attribute */
    int has_number[SCHEMA_ATTRIBUTE_COUNT];
    double number[SCHEMA_ATTRIBUTE_COUNT][LAYOUT_MAX_NUMBERS];
    char warning[LAYOUT_WARNING_SIZE];   /* names of what is dropped */
} ContainerLayout;

/* Bytes that grow; freed with free(bytes). */
typedef struct Scratch {
    unsigned char *bytes;
    size_t size, capacity;
} Scratch;

/* Reads the structure of an image. Refuses external storage, links other than hard ones, virtual datasets and filters
 * other than deflate and shuffle, anywhere in the file. STATUS_BAD_INPUT names the dataset. */
Status container_layout(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err);

/* The same without decoding any numbers: those that do not lie in the image are EXTENT_STORED. */
Status container_outline(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err);

/* Rows of a dataset of numbers, along its first dimension. */
typedef struct RowRange {
    int dataset; /* index into schema_datasets */
    uint64_t first, count;
} RowRange;

/* Decodes rows into scratch, as they lie in memory (double, int, byte). */
Status container_rows(const ContainerImage *image, const RowRange *rows, Scratch *scratch, Error *err);

#endif
