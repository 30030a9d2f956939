/* See hdf5_encode.h. Quoted titles are sections of the HDF5 File Format Specification, version 3.0. */
#include "formats/container/hdf5_encode.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "numbers are copied to a little-endian file as they are in memory"
#endif

/* Bit fields and properties of data types. */
#define FIXED_POINT(sign, size) 0x10, sign, 0, 0, size, 0, 0, 0, 0, 0, 8 * (size), 0
#define FLOAT32(order) 0x11, 0x20 | (order), 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0
#define OBJECT_REFERENCE 0x17, 0, 0, 0, 8, 0, 0, 0
#define ZEROS_28 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

static const uint64_t undefined_address = ~UINT64_C(0);

struct Hdf5Raw {
    const void *bytes;
    void *owned; /* same pointer if allocated here */
    uint64_t size;
    int is_wide; /* 1: doubles in memory, which the file has as 32-bit floats */
};

/* Values that are known only at the end of the file. */
typedef enum PatchKind { PATCH_HEAP_ADDRESS, PATCH_RAW_ADDRESS, PATCH_CHECKSUM } PatchKind;

struct Hdf5Patch {
    PatchKind kind;
    size_t at;   /* position in front; an address there is relative to the heap or the arrays */
    size_t from; /* checksum: first byte that it covers */
};

static inline uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

static inline void mix(uint32_t *a, const uint32_t *b, uint32_t *c, int bits)
{
    *a = (*a - *c) ^ rotate(*c, bits);
    *c += *b;
}

static inline void mix_last(uint32_t *to, uint32_t from, int bits)
{
    *to = (*to ^ from) - rotate(from, bits);
}

/* Bob Jenkins, lookup3, hashlittle, 2006: 12 bytes at a time in three words. */
uint32_t hdf5_checksum(const void *bytes, size_t size)
{
    uint32_t a = UINT32_C(0xdeadbeef) + (uint32_t)size, b = a, c = a;
    if (size == 0)
        return c;
    for (const unsigned char *at = bytes; size > 0; at += 12) {
        uint32_t word[3] = {0};
        size_t step = size < 12 ? size : 12;
        memcpy(word, at, step);
        a += word[0];
        b += word[1];
        c += word[2];
        size -= step;
        if (size == 0)
            break;
        mix(&a, &b, &c, 4);
        mix(&b, &c, &a, 6);
        mix(&c, &a, &b, 8);
        mix(&a, &b, &c, 16);
        mix(&b, &c, &a, 19);
        mix(&c, &a, &b, 4);
    }
    mix_last(&c, b, 14);
    mix_last(&a, c, 11);
    mix_last(&b, a, 25);
    mix_last(&c, b, 16);
    mix_last(&a, c, 4);
    mix_last(&b, a, 14);
    mix_last(&c, b, 24);
    return c;
}

/* ---- Bytes ---- */

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

/* Makes room for further bytes; 0 if memory runs out. */
static int grow(Hdf5File *file, Hdf5Bytes *to, size_t size)
{
    enum { FIRST_CAPACITY = 32768 };
    size_t capacity = to->capacity ? to->capacity : FIRST_CAPACITY;
    while (capacity - to->size < size)
        capacity *= 2;
    unsigned char *grown = realloc(to->bytes, capacity);
    if (!grown) {
        file->failed = 1;
        return 0;
    }
    to->bytes = grown;
    to->capacity = capacity;
    return 1;
}

/* Appends bytes of any value; NULL if memory runs out. */
static inline unsigned char *reserve(Hdf5File *file, Hdf5Bytes *to, size_t size)
{
    if (file->failed || (to->capacity - to->size < size && !grow(file, to, size)))
        return NULL;
    to->size += size;
    return to->bytes + to->size - size;
}

/* Appends zeroed bytes; NULL if memory runs out. */
static unsigned char *extend(Hdf5File *file, Hdf5Bytes *to, size_t size)
{
    unsigned char *at = reserve(file, to, size);
    return at ? memset(at, 0, size) : NULL;
}

static inline void put_bytes(Hdf5File *file, const void *bytes, size_t size)
{
    unsigned char *to = reserve(file, &file->front, size);
    if (to && size > 0)
        memcpy(to, bytes, size);
}

/* Appends the low bytes of a number. */
static inline void write_integer(Hdf5File *file, uint64_t value, size_t size)
{
    put_bytes(file, &value, size);
}

/* Overwrites existing bytes. */
static void put_at(Hdf5File *file, size_t at, uint64_t value, size_t size)
{
    if (!file->failed)
        memcpy(file->front.bytes + at, &value, size);
}

static void align_front(Hdf5File *file)
{
    extend(file, &file->front, padded(file->front.size) - file->front.size);
}

static void patch(Hdf5File *file, PatchKind kind, size_t at, size_t from)
{
    if (file->failed || !array_grow(&file->patch, file->patch_count, sizeof *file->patch))
        file->failed = 1;
    else
        file->patch[file->patch_count++] = (Hdf5Patch){kind, at, from};
}

/* Appends an address in the heap or among the arrays. */
static void put_address(Hdf5File *file, PatchKind kind, uint64_t offset)
{
    patch(file, kind, file->front.size, 0);
    write_integer(file, offset, 8);
}

/* Adds an array and takes ownership of owned, which may be NULL; returns its offset among the arrays. */
static uint64_t add_raw(Hdf5File *file, const void *bytes, void *owned, uint64_t size)
{
    uint64_t offset = file->raw_size;
    if (file->failed || !array_grow(&file->raw, file->raw_count, sizeof *file->raw)) {
        file->failed = 1;
        free(owned);
        return offset;
    }
    file->raw[file->raw_count++] = (Hdf5Raw){bytes, owned, size, 0};
    file->raw_size += padded(size);
    return offset;
}

/* ---- "Disk Format: Level 1E - Global Heap" ---- */

/* A new collection begins after LARGE bytes, so that 16-bit object indices suffice. */
enum { COLLECTION_HEADER = 16, HEAP_OBJECT_HEADER = 16, COLLECTION_MIN = 4096, COLLECTION_LARGE = 65536 };

/* Fills the open collection with free space, which is object 0. */
static void close_collection(Hdf5File *file)
{
    if (file->objects == 0)
        return;
    uint64_t size = file->heap.size - file->collection;
    uint64_t rest = size < COLLECTION_MIN ? COLLECTION_MIN - size : 0;
    unsigned char *free_space = extend(file, &file->heap, rest);
    if (file->failed)
        return;
    if (rest >= HEAP_OBJECT_HEADER)
        memcpy(free_space + 8, &rest, 8);
    size += rest;
    memcpy(file->heap.bytes + file->collection + 8, &size, 8);
    file->objects = 0;
}

static void open_collection(Hdf5File *file)
{
    static const char begin[5] = {'G', 'C', 'O', 'L', 1};
    file->collection = file->heap.size;
    unsigned char *header = extend(file, &file->heap, COLLECTION_HEADER);
    if (header)
        memcpy(header, begin, sizeof begin);
}

/* Appends a variable-length element: its length in elements and its address in the heap. */
static void put_variable(Hdf5File *file, const void *bytes, size_t size, uint64_t length)
{
    size_t whole = HEAP_OBJECT_HEADER + padded(size);
    if (file->objects > 0 && file->heap.size - file->collection + whole > COLLECTION_LARGE)
        close_collection(file);
    if (file->objects == 0)
        open_collection(file);
    unsigned char *object = extend(file, &file->heap, whole);
    if (!object)
        return;
    uint64_t bytes_held = size;
    uint16_t index = (uint16_t)++file->objects;
    memcpy(object, &index, 2);
    memcpy(object + 8, &bytes_held, 8);
    if (size > 0)
        memcpy(object + HEAP_OBJECT_HEADER, bytes, size);
    write_integer(file, length, 4);
    put_address(file, PATCH_HEAP_ADDRESS, file->collection);
    write_integer(file, index, 4);
}

static void put_string(Hdf5File *file, const char *text)
{
    put_variable(file, text, strlen(text), strlen(text));
}

/* ---- "Data Object Header Prefix", version 2, and the messages ---- */

enum { MESSAGE_DATASPACE = 1, MESSAGE_LINK_INFO = 2, MESSAGE_DATATYPE = 3, MESSAGE_FILL_VALUE = 5, MESSAGE_LINK = 6,
       MESSAGE_LAYOUT = 8, MESSAGE_GROUP_INFO = 10, MESSAGE_FILTERS = 11, MESSAGE_ATTRIBUTE = 12,
       MESSAGE_ATTRIBUTE_INFO = 21 };
/* Flags: size in 4 bytes; attribute order tracked and indexed; phase change stored. */
enum { HEADER_FLAGS = 2 | 4 | 8 | 16, HEADER_SIZE_AT = 10, HEADER_PREFIX = 14, MESSAGE_HEADER = 6 };
/* All links and attributes stay in the header. */
enum { MAX_COMPACT = 65535, MIN_DENSE = 0 };
enum { ORDER_TRACKED_INDEXED = 3 };

/* Returns the position of the message's content, for end_message. */
static size_t begin_message(Hdf5File *file, int type, unsigned order)
{
    write_integer(file, (uint64_t)type, 1);
    write_integer(file, 0, 3); /* size and flags */
    write_integer(file, order, 2);
    return file->front.size;
}

static void end_message(Hdf5File *file, size_t begin)
{
    size_t size = file->front.size - begin;
    file->failed |= size > UINT16_MAX;
    put_at(file, begin - MESSAGE_HEADER + 1, size, 2);
}

static uint64_t open_object(Hdf5File *file)
{
    align_front(file);
    file->header = file->front.size;
    file->attributes = 0;
    put_bytes(file, "OHDR\2", 5);
    write_integer(file, HEADER_FLAGS, 1);
    write_integer(file, MAX_COMPACT, 2);
    write_integer(file, MIN_DENSE, 2);
    write_integer(file, 0, 4);
    return file->header;
}

void hdf5_close_object(Hdf5File *file)
{
    put_at(file, file->header + HEADER_SIZE_AT, file->front.size - file->header - HEADER_PREFIX, 4);
    put_at(file, file->attribute_count_at, file->attributes, 2);
    patch(file, PATCH_CHECKSUM, file->front.size, file->header);
    write_integer(file, 0, 4);
}

/* "The Attribute Info Message", without heap and B-trees. */
static void put_attribute_info(Hdf5File *file)
{
    size_t begin = begin_message(file, MESSAGE_ATTRIBUTE_INFO, 0);
    write_integer(file, 0, 1);
    write_integer(file, ORDER_TRACKED_INDEXED, 1);
    file->attribute_count_at = file->front.size;
    write_integer(file, 0, 2);
    for (int i = 0; i < 3; i++)
        write_integer(file, undefined_address, 8);
    end_message(file, begin);
}

/* "The Dataspace Message", version 2; maximum sizes equal the sizes. */
static size_t dataspace_size(int rank)
{
    return 4 + 2 * 8 * (size_t)rank;
}

static void put_dataspace(Hdf5File *file, int rank, const uint64_t *size)
{
    int is_simple = rank > 0; /* not scalar */
    write_integer(file, 2, 1);
    write_integer(file, (uint64_t)rank, 1);
    write_integer(file, (uint64_t)is_simple, 1);
    write_integer(file, (uint64_t)is_simple, 1);
    put_bytes(file, size, 8 * (size_t)rank);
    put_bytes(file, size, 8 * (size_t)rank);
}

/* "The Datatype Message": class and version, bit field, size, properties. */
typedef struct Datatype {
    unsigned size, length;
    unsigned char bytes[116];
} Datatype;

static const Datatype datatypes[] = {
    [HDF5_FLOAT64] = {8, 20, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0}},
    [HDF5_FLOAT32] = {4, 20, {FLOAT32(0)}},
    [HDF5_FLOAT32_BIG_ENDIAN] = {4, 20, {FLOAT32(1)}},
    [HDF5_INT32] = {4, 12, {FIXED_POINT(8, 4)}},
    [HDF5_UINT8] = {1, 12, {FIXED_POINT(0, 1)}},
    [HDF5_UINT32] = {4, 12, {FIXED_POINT(0, 4)}},
    [HDF5_TEXT] = {16, 20, {0x19, 1, 1, 0, 16, 0, 0, 0, FIXED_POINT(0, 1)}},
};
static const Datatype reference_list = {16, 16, {0x19, 0, 0, 0, 16, 0, 0, 0, OBJECT_REFERENCE}};
/* Compound of version 1: member names padded to 8 bytes, offsets, and unused dimensions. */
static const Datatype use = {16, 116, {0x16, 2, 0, 0, 16, 0, 0, 0,
    'd', 'a', 't', 'a', 's', 'e', 't', 0, 0, 0, 0, 0, ZEROS_28, OBJECT_REFERENCE,
    'd', 'i', 'm', 'e', 'n', 's', 'i', 'o', 'n', 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, ZEROS_28, FIXED_POINT(8, 4)}};

/* "The Attribute Message", version 3, without the value; returns the position for end_message. */
static size_t begin_attribute(Hdf5File *file, const char *name, const Datatype *type, int rank, uint64_t count)
{
    size_t begin = begin_message(file, MESSAGE_ATTRIBUTE, file->attributes++);
    size_t name_size = strlen(name) + 1;
    write_integer(file, 3, 1);
    write_integer(file, 0, 1);
    write_integer(file, name_size, 2);
    write_integer(file, type->length, 2);
    write_integer(file, dataspace_size(rank), 2);
    write_integer(file, 0, 1); /* ASCII */
    put_bytes(file, name, name_size);
    put_bytes(file, type->bytes, type->length);
    put_dataspace(file, rank, &count);
    return begin;
}

void hdf5_put_text(Hdf5File *file, const char *name, const char *value)
{
    size_t begin = begin_attribute(file, name, &datatypes[HDF5_TEXT], 0, 1);
    put_string(file, value);
    end_message(file, begin);
}

void hdf5_put_fixed_text(Hdf5File *file, const char *name, const char *value)
{
    size_t size = strlen(value) + 1;
    Datatype type = {(unsigned)size, 8, {0x13, 0, 0, 0, (unsigned char)size, (unsigned char)(size >> 8)}};
    size_t begin = begin_attribute(file, name, &type, 0, 1);
    put_bytes(file, value, size);
    end_message(file, begin);
}

void hdf5_put_numbers(Hdf5File *file, const char *name, Hdf5Type type, int rank, uint64_t count, const void *value)
{
    size_t begin = begin_attribute(file, name, &datatypes[type], rank, count);
    put_bytes(file, value, count * datatypes[type].size);
    end_message(file, begin);
}

void hdf5_put_references(Hdf5File *file, const char *name, const uint64_t *address, int count)
{
    size_t begin = begin_attribute(file, name, &reference_list, 1, (uint64_t)count);
    for (int i = 0; i < count; i++)
        put_variable(file, &address[i], sizeof address[i], 1);
    end_message(file, begin);
}

size_t hdf5_put_uses(Hdf5File *file, const char *name, int count)
{
    size_t begin = begin_attribute(file, name, &use, 1, (uint64_t)count), position = file->front.size;
    extend(file, &file->front, use.size * (size_t)count);
    end_message(file, begin);
    return position;
}

size_t hdf5_set_use(Hdf5File *file, size_t position, uint64_t dataset, int dimension)
{
    put_at(file, position, dataset, 8);
    put_at(file, position + 8, (uint64_t)dimension, 4);
    return position + use.size;
}

/* "The Link Info Message", "The Group Info Message", and a hard link per "The Link Message". */
uint64_t hdf5_open_group(Hdf5File *file, const Hdf5Link *link, int count)
{
    enum { PHASE_CHANGE_STORED = 1, ORDER_STORED = 4 };
    uint64_t address = open_object(file);
    size_t begin = begin_message(file, MESSAGE_LINK_INFO, 0);
    write_integer(file, 0, 1);
    write_integer(file, ORDER_TRACKED_INDEXED, 1);
    write_integer(file, (uint64_t)count, 8);
    for (int i = 0; i < 3; i++)
        write_integer(file, undefined_address, 8);
    end_message(file, begin);
    begin = begin_message(file, MESSAGE_GROUP_INFO, 0);
    write_integer(file, 0, 1);
    write_integer(file, PHASE_CHANGE_STORED, 1);
    write_integer(file, MAX_COMPACT, 2);
    write_integer(file, MIN_DENSE, 2);
    end_message(file, begin);
    put_attribute_info(file);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(link[i].name);
        begin = begin_message(file, MESSAGE_LINK, 0);
        write_integer(file, 1, 1);
        write_integer(file, ORDER_STORED, 1);
        write_integer(file, (uint64_t)i, 8);
        write_integer(file, length, 1);
        put_bytes(file, link[i].name, length);
        write_integer(file, link[i].address, 8);
        end_message(file, begin);
    }
    return address;
}

/* ---- Datasets ---- */

static uint64_t row_elements(const Hdf5Dataset *d)
{
    uint64_t elements = 1;
    for (int i = 1; i < d->rank; i++)
        elements *= d->size[i];
    return elements;
}

static void narrow(const double *value, size_t count, float *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float)value[i];
}

/* Longer arrays are rounded while the file is written. */
enum { NARROWED_AT_ONCE = 1 << 20 };

/* Adds an array; returns its offset among the arrays. */
static uint64_t add_array(Hdf5File *file, const Hdf5Dataset *d)
{
    uint64_t count = d->size[0] * row_elements(d), size = count * datatypes[d->type].size;
    if (d->type != HDF5_FLOAT32 || size > NARROWED_AT_ONCE) {
        uint64_t offset = add_raw(file, d->values, NULL, size);
        if (!file->failed)
            file->raw[file->raw_count - 1].is_wide = d->type == HDF5_FLOAT32;
        return offset;
    }
    float *narrowed = file->failed ? NULL : malloc(size);
    file->failed |= !narrowed;
    if (narrowed)
        narrow(d->values, count, narrowed);
    return add_raw(file, narrowed, narrowed, size);
}

/* A chunk after "shuffle", which groups the bytes of elements by significance, and "deflate". */
typedef struct Chunk {
    uint64_t offset, size;
} Chunk;

/* Room for packed chunks one after the other. */
typedef struct Region {
    unsigned char *start;
    size_t used, size;
    void *owned; /* until a chunk has it */
} Region;

enum { REGION = 8 << 20 };

/* Returns room for a packed chunk of at most `bound` bytes, of which `left` chunks follow; NULL if memory runs out. */
static unsigned char *region_room(Region *region, size_t bound, uint64_t left)
{
    if (region->size - region->used < bound) {
        size_t size = left < REGION / bound ? (size_t)left * bound : bound < REGION ? REGION : bound;
        *region = (Region){.start = array_space(size, 1, 1), .size = size};
        region->owned = region->start;
    }
    return region->start ? region->start + region->used : NULL;
}

/* Adds a chunk of rows from `first`, padded with zeros; plain and shuffled have room for one. */
static Chunk add_chunk(Hdf5File *file, const Hdf5Dataset *d, uint64_t first, unsigned char *plain,
                       unsigned char *shuffled, Region *region)
{
    size_t element = datatypes[d->type].size, row = row_elements(d), elements = d->chunk_rows * row;
    size_t rows = d->size[0] - first < d->chunk_rows ? d->size[0] - first : d->chunk_rows;
    const unsigned char *values = d->values;
    uLongf size = compressBound(elements * element);
    uint64_t left = (d->size[0] - first + d->chunk_rows - 1) / d->chunk_rows;
    unsigned char *packed = region_room(region, padded(size), left); /* the next begins at a multiple of eight */
    if (!packed) {
        file->failed = 1;
        return (Chunk){0};
    }
    if (d->type == HDF5_FLOAT32)
        narrow((const double *)d->values + first * row, rows * row, (float *)(void *)plain);
    else
        memcpy(plain, values + first * row * element, rows * row * element);
    memset(plain + rows * row * element, 0, (d->chunk_rows - rows) * row * element);
    for (size_t b = 0; b < element; b++)
        for (size_t i = 0; i < elements; i++)
            shuffled[b * elements + i] = plain[i * element + b];
    file->failed |= compress2(packed, &size, shuffled, elements * element, d->level) != Z_OK;
    Chunk chunk = {add_raw(file, packed, region->owned, size), size};
    region->owned = NULL;
    region->used += padded(size);
    return chunk;
}

/* "Version 1 B-trees", type 1: nodes of CHILDREN chunks, then nodes of nodes, up to one root. */
enum { CHILDREN = 64, NODE_HEADER = 24 };

/* Appends the key of a chunk by index; after the last chunk, the key of the end. */
static void put_key(Hdf5File *file, const Hdf5Dataset *d, const Chunk *chunk, uint64_t count, uint64_t number)
{
    write_integer(file, number < count ? chunk[number].size : 0, 4);
    write_integer(file, 0, 4); /* no filter is skipped */
    write_integer(file, number * d->chunk_rows, 8);
    extend(file, &file->front, 8 * (size_t)d->rank);
}

static uint64_t put_tree(Hdf5File *file, const Hdf5Dataset *d, const Chunk *chunk, uint64_t count)
{
    uint64_t key = 16 + 8 * (uint64_t)d->rank, node_size = padded(NODE_HEADER + CHILDREN * (key + 8) + key);
    uint64_t entries = count, span = 1, below = 0, first = 0;
    for (int level = 0; level == 0 || entries > 1; level++, span *= CHILDREN) {
        uint64_t nodes = (entries + CHILDREN - 1) / CHILDREN;
        align_front(file);
        first = file->front.size;
        for (uint64_t n = 0, i = 0; n < nodes; n++) {
            uint64_t used = entries - i < CHILDREN ? entries - i : CHILDREN, end = i + used;
            size_t begin = file->front.size;
            put_bytes(file, "TREE\1", 5);
            write_integer(file, (uint64_t)level, 1);
            write_integer(file, used, 2);
            write_integer(file, n > 0 ? first + (n - 1) * node_size : undefined_address, 8);
            write_integer(file, n + 1 < nodes ? first + (n + 1) * node_size : undefined_address, 8);
            for (; i < end; i++) {
                put_key(file, d, chunk, count, i * span);
                if (level == 0)
                    put_address(file, PATCH_RAW_ADDRESS, chunk[i].offset);
                else
                    write_integer(file, below + i * node_size, 8);
            }
            put_key(file, d, chunk, count, end * span < count ? end * span : count);
            extend(file, &file->front, node_size - (file->front.size - begin));
        }
        below = first;
        entries = nodes;
    }
    return first;
}

/* Adds all chunks; returns the address of their B-tree. */
static uint64_t put_chunks(Hdf5File *file, const Hdf5Dataset *d)
{
    size_t count = (d->size[0] + d->chunk_rows - 1) / d->chunk_rows;
    size_t bytes = d->chunk_rows * row_elements(d) * datatypes[d->type].size;
    Chunk *chunk = calloc(count, sizeof *chunk);
    unsigned char *plain = calloc(bytes, 1), *shuffled = malloc(bytes);
    Region region = {0};
    file->failed |= !chunk || !plain || !shuffled;
    for (size_t i = 0; i < count && !file->failed; i++)
        chunk[i] = add_chunk(file, d, i * d->chunk_rows, plain, shuffled, &region);
    uint64_t address = file->failed ? 0 : put_tree(file, d, chunk, count);
    free(chunk);
    free(plain);
    free(shuffled);
    return address;
}

/* Appends labels beside the headers: 16 bytes each, with the text in the heap. */
static uint64_t put_labels(Hdf5File *file, const Hdf5Dataset *d)
{
    const char *const *label = d->values;
    align_front(file);
    uint64_t address = file->front.size;
    for (uint64_t i = 0; i < d->size[0] * row_elements(d); i++)
        put_string(file, label[i]);
    return address;
}

/* "The Data Layout Message", version 3. */
static void put_layout(Hdf5File *file, const Hdf5Dataset *d, uint64_t address)
{
    enum { CONTIGUOUS = 1, CHUNKED = 2 };
    size_t begin = begin_message(file, MESSAGE_LAYOUT, 0);
    unsigned element = datatypes[d->type].size;
    write_integer(file, 3, 1);
    write_integer(file, d->chunk_rows ? CHUNKED : CONTIGUOUS, 1);
    if (d->chunk_rows) {
        write_integer(file, (uint64_t)d->rank + 1, 1);
        write_integer(file, address, 8);
        write_integer(file, d->chunk_rows, 4);
        for (int i = 1; i < d->rank; i++)
            write_integer(file, d->size[i], 4);
        write_integer(file, element, 4);
    } else {
        if (!d->values || d->type == HDF5_TEXT)
            write_integer(file, address, 8);
        else
            put_address(file, PATCH_RAW_ADDRESS, address);
        write_integer(file, d->size[0] * row_elements(d) * element, 8);
    }
    end_message(file, begin);
}

/* "The Data Storage - Filter Pipeline Message", version 2: each filter with ID, optional flag and one value. */
static void put_filters(Hdf5File *file, const Hdf5Dataset *d)
{
    enum { DEFLATE = 1, SHUFFLE = 2, OPTIONAL = 1 };
    const uint16_t filter[] = {SHUFFLE, OPTIONAL, 1, (uint16_t)datatypes[d->type].size, 0, /* value: 32 bits */
                               DEFLATE, OPTIONAL, 1, (uint16_t)d->level, 0};
    size_t begin = begin_message(file, MESSAGE_FILTERS, 0);
    write_integer(file, 2, 1);
    write_integer(file, 2, 1);
    put_bytes(file, filter, sizeof filter);
    end_message(file, begin);
}

/* "The Data Storage - Fill Value Message", version 3: times of allocation and filling. */
static void put_fill_value(Hdf5File *file, const Hdf5Dataset *d)
{
    enum { EARLY = 1, LATE = 2, INCREMENTAL = 3, ON_ALLOCATION = 0 << 2, NEVER = 1 << 2, IF_SET = 2 << 2 };
    int when = !d->values             ? LATE | IF_SET
               : d->type == HDF5_TEXT ? LATE | ON_ALLOCATION
               : d->chunk_rows        ? INCREMENTAL | NEVER
                                      : EARLY | NEVER;
    size_t begin = begin_message(file, MESSAGE_FILL_VALUE, 0);
    write_integer(file, 3, 1);
    write_integer(file, (uint64_t)when, 1);
    end_message(file, begin);
}

uint64_t hdf5_open_dataset(Hdf5File *file, const Hdf5Dataset *d)
{
    uint64_t values = !d->values             ? undefined_address
                      : d->type == HDF5_TEXT ? put_labels(file, d)
                      : d->chunk_rows        ? put_chunks(file, d)
                                             : add_array(file, d);
    uint64_t address = open_object(file);
    size_t begin = begin_message(file, MESSAGE_DATASPACE, 0);
    put_dataspace(file, d->rank, d->size);
    end_message(file, begin);
    begin = begin_message(file, MESSAGE_DATATYPE, 0);
    put_bytes(file, datatypes[d->type].bytes, datatypes[d->type].length);
    end_message(file, begin);
    put_fill_value(file, d);
    put_layout(file, d, values);
    if (d->chunk_rows)
        put_filters(file, d);
    put_attribute_info(file);
    return address;
}

/* ---- The file ---- */

void hdf5_begin(Hdf5File *file, const char *mark)
{
    *file = (Hdf5File){0};
    extend(file, &file->front, HDF5_SUPERBLOCK_SIZE);
    put_bytes(file, mark, strlen(mark));
}

void hdf5_free(Hdf5File *file)
{
    for (int i = 0; i < file->raw_count; i++)
        free(file->raw[i].owned);
    free(file->front.bytes);
    free(file->heap.bytes);
    free(file->raw);
    free(file->patch);
    *file = (Hdf5File){0};
}

static void apply(Hdf5File *file, const Hdf5Patch *p, uint64_t heap, uint64_t raw)
{
    uint64_t offset;
    if (p->kind == PATCH_CHECKSUM) {
        put_at(file, p->at, hdf5_checksum(file->front.bytes + p->from, p->at - p->from), 4);
        return;
    }
    memcpy(&offset, file->front.bytes + p->at, sizeof offset);
    put_at(file, p->at, offset + (p->kind == PATCH_HEAP_ADDRESS ? heap : raw), 8);
}

/* "Disk Format: Level 0A - Format Signature and Superblock", version 2. */
void hdf5_end(Hdf5File *file, uint64_t root)
{
    static const unsigned char begin[12] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 2, 8, 8, 0};
    close_collection(file);
    align_front(file);
    if (file->failed)
        return;
    uint64_t heap = file->front.size, raw = heap + file->heap.size;
    uint64_t address[] = {0, undefined_address, raw + file->raw_size, root}; /* base, extension, end of file, root */
    for (int i = 0; i < file->patch_count; i++) /* patches of a header precede its checksum */
        apply(file, &file->patch[i], heap, raw);
    memcpy(file->front.bytes, begin, sizeof begin);
    memcpy(file->front.bytes + sizeof begin, address, sizeof address);
    put_at(file, sizeof begin + sizeof address, hdf5_checksum(file->front.bytes, sizeof begin + sizeof address), 4);
}

uint64_t hdf5_size(const Hdf5File *file)
{
    return file->front.size + file->heap.size + file->raw_size;
}

/* Passes doubles as 32-bit floats, in blocks. */
static int deliver_narrowed(const Hdf5Raw *raw, Hdf5Sink *sink, void *to)
{
    enum { BLOCK = 16384 };
    const double *value = raw->bytes;
    uint64_t count = raw->size / sizeof(float);
    float *block = malloc(BLOCK * sizeof *block);
    int is_good = block != NULL;
    for (uint64_t i = 0; i < count && is_good; i += BLOCK) {
        size_t some = count - i < BLOCK ? count - i : BLOCK;
        narrow(value + i, some, block);
        is_good = sink(to, &(struct iovec){block, some * sizeof *block}, 1);
    }
    free(block);
    return is_good;
}

static int flush(struct iovec *piece, int *count, Hdf5Sink *sink, void *to)
{
    int held = *count;
    *count = 0;
    return held == 0 || sink(to, piece, held);
}

int hdf5_deliver(const Hdf5File *file, Hdf5Sink *sink, void *to)
{
    static unsigned char zeros[8];
    struct iovec *piece = calloc(2 + 2 * (size_t)file->raw_count, sizeof *piece);
    int count = 0, is_good = piece != NULL;
    if (is_good)
        piece[count++] = (struct iovec){file->front.bytes, file->front.size};
    if (is_good && file->heap.size > 0)
        piece[count++] = (struct iovec){file->heap.bytes, file->heap.size};
    for (int i = 0; i < file->raw_count && is_good; i++) {
        const Hdf5Raw *raw = &file->raw[i];
        if (raw->is_wide)
            is_good = flush(piece, &count, sink, to) && deliver_narrowed(raw, sink, to);
        else
            piece[count++] = (struct iovec){(void *)(uintptr_t)raw->bytes, raw->size};
        if (padded(raw->size) > raw->size)
            piece[count++] = (struct iovec){zeros, padded(raw->size) - raw->size};
    }
    is_good = is_good && flush(piece, &count, sink, to);
    free(piece);
    return is_good;
}
