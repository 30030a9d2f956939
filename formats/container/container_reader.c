/* See container_reader.h. */
#include "analysis/math/passes.h"
#include "formats/container/container_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/clip/clip_schema.h"
#include "formats/container/container_guard.h"
#include "formats/container/container_layout.h"
#include "formats/container/container_image.h"

/* Bytes of a compressed array that a child decodes at once: several chunks. */
enum { WINDOW_BYTES = 4 << 20 };
/* The compression ratio of deflate is at most 1032:1, so a valid array cannot be larger than this many times its
 * file. */
enum { MAX_EXPANSION = 1100 };

/* Decoded rows of a compressed array. */
typedef struct DatasetWindow {
    double *value; /* owned */
    int first, count;
} DatasetWindow;

struct ContainerReader {
    int descriptor;
    struct stat info;
    ContainerImage image; /* the mapped file, for the children; this process does not read it */
    ContainerLayout layout;
    Scratch scratch;
    DatasetWindow window[SCHEMA_DATASET_COUNT];
    Clip clip; /* restored, once an array is read that a lean file leaves out */
    int is_restored;
};

static Status bad(int dataset, const char *what, Error *err)
{
    char path[64];
    schema_path(&schema_datasets[dataset], path, sizeof path);
    return error_set(err, STATUS_BAD_INPUT, "%s %s", path, what);
}

/* Returns the number of values per row; the dimensions were checked before. */
static size_t row_size(const ContainerReader *r, const SchemaDataset *schema)
{
    size_t size = 1;
    for (int i = 1; i < schema_rank(schema); i++) {
        size_t fixed = schema_fixed_size(schema->dim[i]);
        size *= fixed ? fixed : r->layout.dim[schema->dim[i]];
    }
    return size;
}

static size_t stored_width(ExtentSource source, SchemaElement element)
{
    return source == EXTENT_IMAGE_FLOAT32 ? sizeof(float) : schema_element_size(element);
}

/* Checks that an extent is within bounds and has the size of its dimensions: the layout comes from a child and is
 * untrusted. */
static Status check_extent(const ContainerReader *r, int dataset, Error *err)
{
    const SchemaDataset *schema = &schema_datasets[dataset];
    const Extent *extent = &r->layout.dataset[dataset];
    int is_text = schema_is_text(schema->element);
    size_t size = extent->source == EXTENT_SCRATCH ? r->scratch.size : r->image.size, count;
    if (extent->source == EXTENT_ABSENT || extent->source == EXTENT_LEFT_OUT)
        return STATUS_OK;
    if (__builtin_mul_overflow(row_size(r, schema), r->layout.dim[schema->dim[0]], &count) || count > SIZE_MAX / 64)
        return bad(dataset, "is too large", err);
    if (count == 0)
        return bad(dataset, "is damaged", err);
    if (is_text)
        return extent->source == EXTENT_SCRATCH && extent->offset <= size && extent->size <= size - extent->offset
                   ? STATUS_OK
                   : bad(dataset, "is damaged", err);
    if (extent->size != count * stored_width(extent->source, schema->element))
        return bad(dataset, "is damaged", err);
    if (extent->source == EXTENT_STORED)
        return extent->size / MAX_EXPANSION <= r->image.size ? STATUS_OK
                                                             : bad(dataset, "is larger than the file can hold", err);
    int is_inside = extent->offset <= size && extent->size <= size - extent->offset;
    return is_inside ? STATUS_OK : bad(dataset, "is damaged", err);
}

static Status check_layout(const ContainerReader *r, Error *err)
{
    for (int i = 0; i < DIM_COUNT; i++)
        if (r->layout.dim[i] > INT_MAX)
            return error_set(err, STATUS_BAD_INPUT, "%s is too long", schema_dimensions[i].name);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        Status status = check_extent(r, i, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static Status find_outline(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                           Error *err)
{
    (void)wish;
    return container_outline(image, layout, scratch, err);
}

static Status decode_rows(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                          Error *err)
{
    *layout = (ContainerLayout){0};
    return container_rows(image, wish, scratch, err);
}

/* Checks that the file ends where its header says. */
static Status check_end(const ContainerReader *r, Error *err)
{
    unsigned char header[IMAGE_HEADER_SIZE];
    ssize_t got = pread(r->descriptor, header, sizeof header, 0);
    unsigned long long end = got == sizeof header ? image_end(header) : 0;
    if (got < 0)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    if (end == 0)
        return error_set(err, STATUS_BAD_INPUT, got ? "not a clip file of kane" : "the file is empty");
    if (end < r->image.size)
        return error_set(err, STATUS_BAD_INPUT, "more than one clip in a file");
    return STATUS_OK; /* the outline rejects a truncated file */
}

static Status open_file(ContainerReader *r, const char *path, Error *err)
{
    /* does not wait for the writer of a pipe */
    r->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (r->descriptor < 0 || fstat(r->descriptor, &r->info))
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    if (!S_ISREG(r->info.st_mode))
        return error_set(err, STATUS_IO, S_ISDIR(r->info.st_mode) ? "Is a directory" : "not a file");
    if (r->info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)r->info.st_size, PROT_READ, MAP_PRIVATE, r->descriptor, 0);
        if (bytes == MAP_FAILED)
            return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
        r->image = (ContainerImage){bytes, (size_t)r->info.st_size};
    }
    return check_end(r, err);
}

Status container_reader_open(const char *path, ContainerReader **out, Error *err)
{
    ContainerReader *r = *out = calloc(1, sizeof *r);
    if (!r)
        return error_no_memory(err);
    Status status = open_file(r, path, err);
    if (!status)
        status = container_guard(&r->image, find_outline, NULL, &r->layout, &r->scratch, err);
    if (!status)
        status = check_layout(r, err);
    if (status) {
        container_reader_close(r);
        *out = NULL;
    }
    return status;
}

void container_reader_close(ContainerReader *r)
{
    if (!r)
        return;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        free(r->window[i].value);
    free(r->scratch.bytes);
    clip_free(&r->clip);
    if (r->image.size)
        munmap(r->image.bytes, r->image.size);
    if (r->descriptor >= 0)
        close(r->descriptor);
    free(r);
}

int container_reader_is(const ContainerReader *r, const char *path)
{
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == r->info.st_dev && now.st_ino == r->info.st_ino &&
           now.st_size == r->info.st_size && now.st_mtim.tv_sec == r->info.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == r->info.st_mtim.tv_nsec;
}

int container_reader_size(const ContainerReader *r, SchemaDim dim)
{
    return (int)r->layout.dim[dim];
}

int container_reader_has(const ContainerReader *r, int dataset)
{
    return r->layout.dataset[dataset].source != EXTENT_ABSENT;
}

int container_reader_has_group(const ContainerReader *r, SchemaGroupId group)
{
    return r->layout.has_group[group];
}

const char *container_reader_labels(const ContainerReader *r, int dataset)
{
    const Extent *extent = &r->layout.dataset[dataset];
    const char *text = (const char *)r->scratch.bytes + extent->offset, *end = text + extent->size;
    uint64_t met = 0;
    for (const char *at = text; at < end; at++)
        met += *at == '\0';
    return met == r->layout.dim[schema_datasets[dataset].dim[0]] && end[-1] == '\0' ? text : NULL;
}

const char *container_reader_text(const ContainerReader *r, const char *attribute)
{
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++) {
        const Extent *extent = &r->layout.text[i];
        if (schema_attributes[i].group != GROUP_ROOT || strcmp(schema_attributes[i].name, attribute) != 0)
            continue;
        int is_inside = extent->source == EXTENT_SCRATCH && extent->size > 0 && extent->offset <= r->scratch.size &&
                        extent->size <= r->scratch.size - extent->offset;
        const char *text = is_inside ? (const char *)r->scratch.bytes + extent->offset : NULL;
        return text && text[extent->size - 1] == '\0' ? text : "";
    }
    return "";
}

/* Converts elements to doubles in place: they are at the end of the doubles' storage. */
static void widen(double *out, size_t count, ExtentSource source, SchemaElement element)
{
    size_t width = stored_width(source, element);
    const unsigned char *from = (const unsigned char *)(out + count) - count * width;
    for (size_t i = 0; i < count && width < sizeof *out; i++, from += width) {
        float real;
        int whole;
        uint32_t bits;
        if (element == ELEMENT_BYTE)
            out[i] = *from;
        else if (element == ELEMENT_BITS)
            memcpy(&bits, from, sizeof bits), out[i] = bits;
        else if (element == ELEMENT_INT)
            memcpy(&whole, from, sizeof whole), out[i] = whole;
        else
            memcpy(&real, from, sizeof real), out[i] = real;
    }
}

static Status read_at(int descriptor, void *to, size_t size, uint64_t offset, int dataset, Error *err)
{
    while (size > 0) {
        ssize_t got = pread(descriptor, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
        if (got == 0)
            return bad(dataset, "is cut off", err);
        to = (char *)to + got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

/* Reads count elements from index start as doubles, from the file or from scratch. */
static Status read_direct(const ContainerReader *r, int dataset, size_t start, size_t count, double *out, Error *err)
{
    const Extent *extent = &r->layout.dataset[dataset];
    SchemaElement element = schema_datasets[dataset].element;
    size_t width = stored_width(extent->source, element);
    unsigned char *to = (unsigned char *)(out + count) - count * width;
    uint64_t offset = extent->offset + start * width;
    Status status = STATUS_OK;
    if (extent->source == EXTENT_SCRATCH)
        memcpy(to, r->scratch.bytes + offset, count * width);
    else
        status = read_at(r->descriptor, to, count * width, offset, dataset, err);
    if (!status)
        widen(out, count, extent->source, element);
    return status;
}

/* Fills the window of a compressed array with the rows, and as many after them as fit. */
static Status fill_window(ContainerReader *r, int dataset, int first, int count, Error *err)
{
    const SchemaDataset *schema = &schema_datasets[dataset];
    DatasetWindow *window = &r->window[dataset];
    size_t row = row_size(r, schema), rows = WINDOW_BYTES / (row * sizeof(double));
    size_t left = (size_t)container_reader_size(r, schema->dim[0]) - (size_t)first;
    rows = rows < (size_t)count ? (size_t)count : rows > left ? left : rows;
    RowRange range = {dataset, (uint64_t)first, rows};
    ContainerLayout none;
    Scratch decoded;
    size_t width = schema_element_size(schema->element), room = rows * row * sizeof(double);
    free(window->value);
    *window = (DatasetWindow){.value = malloc(room)};
    if (!window->value)
        return error_no_memory(err);
    Status status = container_guard(&r->image, decode_rows, &range, &none, &decoded, err);
    if (!status && decoded.size != rows * row * width)
        status = bad(dataset, "is damaged", err);
    if (!status) {
        memcpy((char *)window->value + room - decoded.size, decoded.bytes, decoded.size);
        widen(window->value, rows * row, EXTENT_SCRATCH, schema->element);
        window->first = first;
        window->count = (int)rows;
    }
    free(decoded.bytes);
    return status;
}

static Status read_stored(ContainerReader *r, int dataset, int first, int count, double *out, Error *err)
{
    const DatasetWindow *window = &r->window[dataset];
    size_t row = row_size(r, &schema_datasets[dataset]);
    if (first < window->first || first + count > window->first + window->count) {
        Status status = fill_window(r, dataset, first, count, err);
        if (status)
            return status;
    }
    memcpy(out, window->value + (size_t)(first - window->first) * row, (size_t)count * row * sizeof *out);
    return STATUS_OK;
}

/* Decodes the whole file, with what it leaves out. */
static Status restore(ContainerReader *r, Error *err)
{
    ContainerImage image = {.bytes = malloc(r->image.size), .size = r->image.size};
    int first = schema_find(GROUP_ROOT, "time");
    Status status = image.bytes ? STATUS_OK : error_no_memory(err);
    if (!status)
        status = read_at(r->descriptor, image.bytes, image.size, 0, first, err);
    if (!status)
        status = container_decode_guarded(&image, &r->clip, NULL, 0, err);
    r->is_restored = !status;
    container_image_free(&image);
    return status;
}

/* Copies rows of an array that the file leaves out. */
static Status read_restored(ContainerReader *r, int dataset, int first, size_t values, double *out, Error *err)
{
    const SchemaDataset *schema = &schema_datasets[dataset];
    size_t row = row_size(r, schema), width = schema_element_size(schema->element);
    Status status = r->is_restored ? STATUS_OK : restore(r, err);
    if (status)
        return status;
    if (!schema_has_dataset(&r->clip, schema) || schema_row(&r->clip, schema) != row ||
        (size_t)first * row + values > schema_count(&r->clip, schema))
        return bad(dataset, "is left out and cannot be computed", err);
    const char *from = (const char *)schema_array(&r->clip, schema) + (size_t)first * row * width;
    memcpy((char *)(out + values) - values * width, from, values * width);
    widen(out, values, EXTENT_SCRATCH, schema->element);
    return STATUS_OK;
}

Status container_reader_rows(ContainerReader *r, int dataset, int first, int count, double *out, Error *err)
{
    size_t row = row_size(r, &schema_datasets[dataset]), values = (size_t)count * row;
    ExtentSource source = r->layout.dataset[dataset].source;
    Status status = source == EXTENT_LEFT_OUT ? read_restored(r, dataset, first, values, out, err)
                    : source == EXTENT_STORED ? read_stored(r, dataset, first, count, out, err)
                                              : read_direct(r, dataset, (size_t)first * row, values, out, err);
    if (!status && !(schema_datasets[dataset].flags & SCHEMA_GAPS) && !values_finite(out, values))
        status = bad(dataset, "holds a value that is not finite", err);
    return status;
}
