/* HDF5 files written without libhdf5: the part of the format that clip files need.
 *
 * Superblock of version 2, object headers of version 2 in one piece, links and attributes in the headers themselves,
 * contiguous arrays, chunks with shuffle and deflate, text in the global heap. Readable since HDF5 1.8. A file is
 *
 *     superblock | mark | object headers, labels, trees of chunks | global heap | arrays
 *
 * in that order, each array on a multiple of 8 bytes. Its bytes follow from the calls: no times, no padding of chance.
 * Objects are written one at a time, a group after what it contains:
 *
 *     hdf5_begin(&file, "kane-1");
 *     address = hdf5_open_dataset(&file, &dataset);    hdf5_put_text(&file, "units", "m");    hdf5_close_object(&file);
 *     address = hdf5_open_group(&file, links, count);  ...                                    hdf5_close_object(&file);
 *     hdf5_end(&file, address);
 *     ... hdf5_pieces ...
 *     hdf5_free(&file);
 *
 * Without memory file.failed becomes 1 and stays; nothing else can fail. Source: The HDF Group, HDF5 File Format
 * Specification, version 3.0; comments in hdf5_encode.c name its sections. */
#ifndef KANE_CONTAINER_HDF5_ENCODE_H
#define KANE_CONTAINER_HDF5_ENCODE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { HDF5_SUPERBLOCK_SIZE = 48, HDF5_MAX_RANK = 3 };

/* Bytes that grow. */
typedef struct Hdf5Bytes {
    unsigned char *bytes;
    size_t size, capacity;
} Hdf5Bytes;

typedef struct Hdf5Raw Hdf5Raw;
typedef struct Hdf5Patch Hdf5Patch;

typedef struct Hdf5File {
    Hdf5Bytes front;   /* superblock, object headers, labels, trees of chunks: begins at address 0 */
    Hdf5Bytes heap;    /* global heap collections */
    size_t collection; /* where the last one begins */
    unsigned objects;  /* in it; 0: none is open */
    Hdf5Raw *raw;      /* arrays and chunks */
    int raw_count;
    uint64_t raw_size; /* their bytes, padded */
    Hdf5Patch *patch;  /* addresses and checksums that hdf5_end fills in */
    int patch_count;
    size_t header;     /* of the open object: where it begins, and its count of attributes */
    size_t attribute_count_at;
    unsigned attributes;
    int failed;        /* 1: no memory */
} Hdf5File;

typedef enum Hdf5Type {
    HDF5_FLOAT64,
    HDF5_FLOAT32, /* of doubles in memory, which are rounded */
    HDF5_FLOAT32_BIG_ENDIAN,
    HDF5_INT32,
    HDF5_UINT8,
    HDF5_UINT32,
    HDF5_TEXT /* variable-length UTF-8; in memory const char * */
} Hdf5Type;

typedef struct Hdf5Dataset {
    Hdf5Type type;
    int rank; /* 1 to HDF5_MAX_RANK */
    uint64_t size[HDF5_MAX_RANK];
    const void *values;  /* must live until the file is written; NULL: nothing is stored */
    uint64_t chunk_rows; /* rows of the first dimension per chunk; 0: contiguous */
    int level;           /* of deflate, where there are chunks */
} Hdf5Dataset;

typedef struct Hdf5Link {
    const char *name; /* ASCII */
    uint64_t address;
} Hdf5Link;

/* The mark is text behind the superblock, in bytes of no object: programs recognise the file by its first ones. */
void hdf5_begin(Hdf5File *file, const char *mark);
void hdf5_free(Hdf5File *file);

/* Begin an object; its address. */
uint64_t hdf5_open_dataset(Hdf5File *file, const Hdf5Dataset *dataset);
uint64_t hdf5_open_group(Hdf5File *file, const Hdf5Link *link, int count);
void hdf5_close_object(Hdf5File *file);

/* Attributes of the open object; names are ASCII. */

/* Variable-length UTF-8, and the ASCII of fixed length, with its NUL, that the dimension-scale specification wants. */
void hdf5_put_text(Hdf5File *file, const char *name, const char *value);
void hdf5_put_fixed_text(Hdf5File *file, const char *name, const char *value);

/* Numbers of any type but HDF5_TEXT and HDF5_FLOAT32, as in memory: one row of count; rank 0: a scalar. */
void hdf5_put_numbers(Hdf5File *file, const char *name, Hdf5Type type, int rank, uint64_t count, const void *value);

/* Lists of one object reference each: DIMENSION_LIST. */
void hdf5_put_references(Hdf5File *file, const char *name, const uint64_t *address, int count);

/* Room for count uses of this dataset by others, each {dataset, dimension}: REFERENCE_LIST. A use is set later, at the
 * position that the first function returns or the one behind the use before, which the second returns. */
size_t hdf5_put_uses(Hdf5File *file, const char *name, int count);
size_t hdf5_set_use(Hdf5File *file, size_t position, uint64_t dataset, int dimension);

/* Ends the file whose root group is at that address. */
void hdf5_end(Hdf5File *file, uint64_t root);

/* The bytes of the file that has ended, in order: *count pieces, none empty, valid as long as the file and its arrays.
 * The caller frees what it gets; NULL without memory. */
struct iovec *hdf5_pieces(const Hdf5File *file, int *count);

/* Checksum of metadata: Jenkins' lookup3, initial value 0 (specification, "Disk Format: Level 0A", checksums). */
uint32_t hdf5_checksum(const void *bytes, size_t size);

#endif
