/* Where everything lies in a container: what libhdf5 finds out, as plain data that a child process can hand back.
 *
 * Arrays that are stored as they lie in memory (contiguous, float64, float32, int32, uint8) are named by their place
 * in the image and copied from there. All else - text, compressed or converted arrays - is decoded into scratch. */
#ifndef KANE_CONTAINER_CONTAINER_LAYOUT_H
#define KANE_CONTAINER_CONTAINER_LAYOUT_H

#include <stdint.h>

#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

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

enum { LAYOUT_MAX_NUMBERS = RETARGET_FRAMES, LAYOUT_WARNING_SIZE = 256 };
_Static_assert((int)LAYOUT_MAX_NUMBERS >= (int)DECISION_COUNT, "room for the longest attribute of numbers");

typedef struct ContainerLayout {
    uint64_t dim[DIM_COUNT];             /* 0: not met */
    int has_group[GROUP_COUNT];
    Extent dataset[SCHEMA_DATASET_COUNT];
    Extent text[SCHEMA_ATTRIBUTE_COUNT]; /* in scratch */
    Extent checksums;                    /* in scratch: the text of the root attribute */
    int has_number[SCHEMA_ATTRIBUTE_COUNT];
    int has_others;                      /* attributes of /retarget that the table does not have */
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

/* What libhdf5 does with a container from outside, it does in a child process with limits.
 *
 * libhdf5 is not hardened: flipped bytes make it crash or run for ever. The child works under limits of time and memory
 * and hands its result back through a pipe; what comes back is not trusted either. The parent never looks into the
 * image, so that a mapping of a file that others cut short harms the child alone. Cost: a fork, some 0.3 ms; in a host
 * program with gigabytes of memory 10 ms or more, since its page tables are copied.
 *
 * In a host program with threads: the child starts as a copy of this thread alone. Where another thread is inside the
 * same libhdf5 at that moment the child may fail, which reads as a damaged container. */

/* Runs in the child. Fills layout and scratch; wish is the parent's, as it was at the call. */
typedef Status (*GuardedWork)(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                              Error *err);

/* The result of work; STATUS_BAD_INPUT where the child died over it. scratch->bytes are the caller's to free. */
Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err);

/* From a layout to a clip; the functions from an image to a clip are in container.h. */

/* Builds the clip from a layout without libhdf5; layout is not trusted. On failure *out is empty. With findings (may be
 * NULL) what is wrong with the content is noted there and is no failure; *out is then only to be freed. */
Status container_assemble(const ContainerImage *image, const ContainerLayout *layout, const Scratch *scratch, Clip *out,
                          ContainerFindings *findings, Error *err);

#endif
