/* The layout of a clip file: what libhdf5 finds, as plain data that a child process can return.
 *
 * Arrays stored as in memory (contiguous float64, float32, int32, uint8) are given by their position in the image and
 * copied from there. All others (text, compressed or converted arrays) are decoded into scratch. */
#ifndef KANE_CONTAINER_CONTAINER_LAYOUT_H
#define KANE_CONTAINER_CONTAINER_LAYOUT_H

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

/* Opens HDF5 files in memory with libhdf5, without a copy and without file system access.
 *
 * Reference: libhdf5, "Virtual File Layer". */

typedef struct ImageView {
    const ContainerImage *image;
    int is_short; /* 1: HDF5 failed for lack of memory */
    hid_t driver; /* of the open file */
} ImageView;

/* Opens an image read-only; image and view must outlive the file. Negative if it is not an HDF5 file. */
hid_t image_open(ImageView *view);
void image_close(ImageView *view, hid_t file);

/* Error reporting of libhdf5, which prints errors unless silenced. */
typedef struct ImageErrors {
    H5E_auto2_t report;
    void *data;
} ImageErrors;

ImageErrors image_errors_silence(void);
void image_errors_restore(ImageErrors errors);

/* Returns the end-of-file address in the first IMAGE_HEADER_SIZE bytes of a clip file; 0 if they are not of one. */
enum { IMAGE_HEADER_SIZE = 48 };
unsigned long long image_end(const unsigned char header[IMAGE_HEADER_SIZE]);

typedef enum ExtentSource {
    EXTENT_ABSENT = 0,
    EXTENT_IMAGE,
    EXTENT_IMAGE_FLOAT32,
    EXTENT_SCRATCH,
    EXTENT_STORED, /* only in an outline: numbers that libhdf5 must decode */
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
    Extent checksums;                    /* in scratch: text of the root attribute */
    int has_number[SCHEMA_ATTRIBUTE_COUNT];
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

/* Reads untrusted clip files with libhdf5 in a child process with resource limits.
 *
 * libhdf5 is not hardened: corrupted bytes can make it crash or loop. The child has limits of time and memory and
 * returns its result through a pipe; the result is untrusted too. The parent never reads the image, so a mapped file
 * that is truncated meanwhile only affects the child. Cost: a fork, about 0.3 ms; in a host program with gigabytes of
 * memory 10 ms or more, because page tables are copied.
 *
 * In a multithreaded host program, the child is a copy of this thread only. If another thread is inside the same
 * libhdf5 at that moment, the child may fail, which is reported as a damaged file. */

/* Runs in the child: fills layout and scratch; wish is a copy of the parent's data at the call. */
typedef Status (*GuardedWork)(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                              Error *err);

/* Returns the result of work; STATUS_BAD_INPUT if the child died. The caller frees scratch->bytes. */
Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err);

/* Conversion of a layout to a clip; conversions of an image are in container.h. */

/* Builds the clip from an untrusted layout, without libhdf5. On failure *out is empty. With findings (may be NULL)
 * errors of content are recorded there and are not failures; *out can then only be freed. */
Status container_assemble(const ContainerImage *image, const ContainerLayout *layout, const Scratch *scratch, Clip *out,
                          ContainerFindings *findings, Error *err);

#endif
