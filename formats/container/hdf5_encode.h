/* Writes HDF5 files without libhdf5: the subset of the format that clip files use.
 *
 * Version 2 superblock and object headers (without continuation), links and attributes in the headers, contiguous
 * arrays, chunks with shuffle and deflate, text in the global heap. Readable by HDF5 1.8 and later. A file is
 *
 *     superblock | mark | object headers, labels, trees of chunks | global heap | arrays
 *
 * in that order, each array aligned to 8 bytes. The bytes depend only on the calls: no timestamps, padding is zero.
 * Objects are written one at a time, a group after its members:
 *
 *     hdf5_begin(&file, "kane-1");
 *     address = hdf5_open_dataset(&file, &dataset);    hdf5_put_text(&file, "units", "m");    hdf5_close_object(&file);
 *     address = hdf5_open_group(&file, links, count);  ...                                    hdf5_close_object(&file);
 *     hdf5_end(&file, address);
 *     ... hdf5_deliver ...
 *     hdf5_free(&file);
 *
 * If memory runs out, file.failed becomes and stays 1; nothing else can fail. Source: The HDF Group, HDF5 File Format
 * Specification, version 3.0; comments in hdf5_encode.c name its sections. */
#ifndef KANE_CONTAINER_HDF5_ENCODE_H
#define KANE_CONTAINER_HDF5_ENCODE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { HDF5_SUPERBLOCK_SIZE = 48, HDF5_MAX_RANK = 3 };

/* Growing bytes. */
typedef struct Hdf5Bytes {
    unsigned char *bytes;
    size_t size, capacity;
} Hdf5Bytes;

typedef struct Hdf5Raw Hdf5Raw;
typedef struct Hdf5Patch Hdf5Patch;

typedef struct Hdf5File {
    Hdf5Bytes front;   /* superblock, object headers, labels, B-trees of chunks: begins at address 0 */
    Hdf5Bytes heap;    /* global heap collections */
    size_t collection; /* start of the last collection */
    unsigned objects;  /* objects in it; 0: none open */
    Hdf5Raw *raw;      /* arrays and chunks */
    int raw_count;
    uint64_t raw_size; /* their bytes, padded */
    Hdf5Patch *patch;  /* addresses and checksums that hdf5_end fills in */
    int patch_count;
    size_t header;     /* open object: its start, position of its attribute count, number of attributes */
    size_t attribute_count_at;
    unsigned attributes;
    int failed;        /* 1: memory ran out */
} Hdf5File;

typedef enum Hdf5Type {
    HDF5_FLOAT64,
    HDF5_FLOAT32, /* doubles in memory, rounded */
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
    const void *values;  /* must live until the file is written; NULL: no storage */
    uint64_t chunk_rows; /* rows of the first dimension per chunk; 0: contiguous */
    int level;           /* deflate level of chunks */
} Hdf5Dataset;

typedef struct Hdf5Link {
    const char *name; /* ASCII */
    uint64_t address;
} Hdf5Link;

/* Begins a file. mark: text after the superblock, outside of all objects, by which programs recognise the file. */
void hdf5_begin(Hdf5File *file, const char *mark);
void hdf5_free(Hdf5File *file);

/* Begin an object and return its address. */
uint64_t hdf5_open_dataset(Hdf5File *file, const Hdf5Dataset *dataset);
uint64_t hdf5_open_group(Hdf5File *file, const Hdf5Link *link, int count);
void hdf5_close_object(Hdf5File *file);

/* Attributes of the open object; names are ASCII. Variable-length UTF-8, and fixed-length ASCII with NUL, which the
 * dimension scale specification requires. */
void hdf5_put_text(Hdf5File *file, const char *name, const char *value);
void hdf5_put_fixed_text(Hdf5File *file, const char *name, const char *value);

/* Numbers of a type other than HDF5_TEXT and HDF5_FLOAT32, as in memory: one row of count; rank 0: a scalar. */
void hdf5_put_numbers(Hdf5File *file, const char *name, Hdf5Type type, int rank, uint64_t count, const void *value);

/* Lists of one object reference each (DIMENSION_LIST). */
void hdf5_put_references(Hdf5File *file, const char *name, const uint64_t *address, int count);

/* Reserves count entries {dataset, dimension} for uses of this dataset (REFERENCE_LIST) and returns the position of the
 * first. hdf5_set_use fills an entry later and returns the position of the next. */
size_t hdf5_put_uses(Hdf5File *file, const char *name, int count);
size_t hdf5_set_use(Hdf5File *file, size_t position, uint64_t dataset, int dimension);

/* Ends the file with the address of its root group. */
void hdf5_end(Hdf5File *file, uint64_t root);

/* Takes the next bytes of a file: count pieces, none empty, valid during the call; may modify the list. 0: failed. */
typedef int Hdf5Sink(void *to, struct iovec *piece, int count);

/* Passes the bytes of the ended file to a sink, in order. Returns 0 if memory runs out or the sink fails. */
int hdf5_deliver(const Hdf5File *file, Hdf5Sink *sink, void *to);

/* Returns the size of the ended file. */
uint64_t hdf5_size(const Hdf5File *file);

/* Returns the metadata checksum: Jenkins' lookup3, initial value 0 (specification, "Disk Format: Level 0A",
 * checksums). */
uint32_t hdf5_checksum(const void *bytes, size_t size);

#endif
