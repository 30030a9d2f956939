#include "formats/container/container_layout.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/container/container_image.h"
#include "formats/container/container_links.h"

/* Bytes of the buffer for converting text. */
enum { CONVERSION_BUFFER = 65536 };
/* Deflate shrinks by at most 1032:1, so no honest container holds more than this many times its size. */
enum { MAX_EXPANSION = 1100 };

typedef struct LayoutReader {
    const ContainerImage *image;
    ContainerLayout *layout;
    Scratch *scratch;
    const RowRange *rows; /* NULL: all there is */
    int is_outline;
    hid_t file;
    Error *err;
} LayoutReader;

static Status damaged(LayoutReader *r, const char *path, const char *what)
{
    error_set(r->err, STATUS_BAD_INPUT, "%s %s", path, what);
    return STATUS_BAD_INPUT;
}

/* Room for size more bytes at the end of scratch. */
static Status scratch_extend(LayoutReader *r, const char *path, size_t size, unsigned char **at)
{
    Scratch *s = r->scratch;
    size_t needed;
    if (__builtin_add_overflow(s->size, size, &needed) || needed / MAX_EXPANSION > r->image->size)
        return damaged(r, path, "is larger than the file can hold");
    if (needed > s->capacity) {
        size_t capacity = needed > 2 * s->capacity ? needed : 2 * s->capacity;
        unsigned char *grown = realloc(s->bytes, capacity);
        if (!grown)
            return error_no_memory(r->err);
        s->bytes = grown;
        s->capacity = capacity;
    }
    *at = s->bytes + s->size;
    s->size = needed;
    return STATUS_OK;
}

static Status append_text(LayoutReader *r, const char *path, const char *text, size_t length, Extent *extent)
{
    unsigned char *to;
    if (extent->place == EXTENT_ABSENT)
        *extent = (Extent){EXTENT_SCRATCH, r->scratch->size, 0};
    Status status = scratch_extend(r, path, length + 1, &to);
    if (status)
        return status;
    memcpy(to, text, length);
    to[length] = '\0';
    extent->size += length + 1;
    return STATUS_OK;
}

/* --- datasets --- */

/* Sizes of the dataset; the first one with a dimension fixes its length for all others. */
static Status read_shape(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path, size_t *count)
{
    hsize_t size[H5S_MAX_RANK];
    hid_t space = H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, size, NULL);
    if (space >= 0)
        H5Sclose(space);
    if (rank != schema_rank(schema))
        return damaged(r, path, "has the wrong number of dimensions");
    *count = 1;
    for (int i = 0; i < rank; i++) {
        const SchemaDimension *dimension = &schema_dimensions[schema->dim[i]];
        uint64_t *known = &r->layout->dim[schema->dim[i]];
        if (*known == 0)
            *known = dimension->label[0] ? schema_dim_size(&(Clip){0}, schema->dim[i]) : size[i];
        if (size[i] != *known || size[i] == 0 || size[i] > INT_MAX)
            return error_set(r->err, STATUS_BAD_INPUT, "%s has length %llu along %s, expected %llu", path,
                             (unsigned long long)size[i], dimension->name, (unsigned long long)*known);
        if (__builtin_mul_overflow(*count, (size_t)size[i], count) || *count > SIZE_MAX / 64)
            return damaged(r, path, "is too large");
    }
    return STATUS_OK;
}

static Status read_labels(LayoutReader *r, hid_t dataset, const char *path, size_t count, Extent *extent)
{
    hid_t type = H5Dget_type(dataset), memory = -1, space = -1, transfer = -1;
    char **text = NULL;
    Status status = STATUS_OK;
    if (type < 0 || H5Tis_variable_str(type) <= 0) {
        status = damaged(r, path, "does not hold variable-length text");
        goto done;
    }
    if (count > r->image->size) {
        status = damaged(r, path, "is too large");
        goto done;
    }
    if (!(text = calloc(count + 1, sizeof *text))) {
        status = error_no_memory(r->err);
        goto done;
    }
    memory = H5Tcopy(H5T_C_S1);
    space = H5Dget_space(dataset);
    transfer = H5Pcreate(H5P_DATASET_XFER);
    if (H5Tset_size(memory, H5T_VARIABLE) < 0 || H5Tset_cset(memory, H5Tget_cset(type)) < 0 ||
        H5Pset_buffer(transfer, CONVERSION_BUFFER, NULL, NULL) < 0 ||
        H5Dread(dataset, memory, H5S_ALL, H5S_ALL, transfer, text) < 0) {
        status = damaged(r, path, "is damaged");
        goto done;
    }
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = append_text(r, path, text[i] ? text[i] : "", text[i] ? strlen(text[i]) : 0, extent);
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, text);
done:
    free(text);
    if (transfer >= 0)
        H5Pclose(transfer);
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Tclose(memory);
    if (type >= 0)
        H5Tclose(type);
    return status;
}

/* How the element lies in the file, if it can be copied from there. */
static ExtentPlace direct_place(hid_t type, SchemaElement element)
{
    switch (element) {
    case ELEMENT_DOUBLE:
        if (H5Tequal(type, H5T_IEEE_F64LE) > 0)
            return EXTENT_IMAGE;
        return H5Tequal(type, H5T_IEEE_F32LE) > 0 ? EXTENT_IMAGE_FLOAT32 : EXTENT_SCRATCH;
    case ELEMENT_INT: return H5Tequal(type, H5T_STD_I32LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    case ELEMENT_BYTE: return H5Tequal(type, H5T_STD_U8LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    case ELEMENT_BITS: return H5Tequal(type, H5T_STD_U32LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    default: return EXTENT_SCRATCH;
    }
}

static hid_t memory_type(SchemaElement element)
{
    switch (element) {
    case ELEMENT_DOUBLE: return H5T_NATIVE_DOUBLE;
    case ELEMENT_INT: return H5T_NATIVE_INT;
    case ELEMENT_BITS: return H5T_NATIVE_UINT32;
    default: return H5T_NATIVE_UINT8;
    }
}

static int is_contiguous(hid_t dataset)
{
    hid_t properties = H5Dget_create_plist(dataset);
    int contiguous = properties >= 0 && H5Pget_layout(properties) == H5D_CONTIGUOUS;
    H5Pclose(properties);
    return contiguous;
}

static Status read_numbers(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path, size_t count,
                           Extent *extent)
{
    size_t size = schema_element_size(schema->element);
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    ExtentPlace place = direct_place(type, schema->element);
    H5Tclose(type);
    if (class != H5T_FLOAT && class != H5T_INTEGER)
        return damaged(r, path, "does not hold numbers");
    if (place != EXTENT_SCRATCH && is_contiguous(dataset)) {
        haddr_t offset = H5Dget_offset(dataset);
        size_t bytes = count * (place == EXTENT_IMAGE_FLOAT32 ? sizeof(float) : size);
        if (offset == HADDR_UNDEF)
            return damaged(r, path, "holds no data");
        if (offset > r->image->size || bytes > r->image->size - offset)
            return damaged(r, path, "reaches beyond the end of the file");
        *extent = (Extent){place, offset, bytes};
        return STATUS_OK;
    }
    if (r->is_outline) {
        *extent = (Extent){EXTENT_STORED, 0, count * size};
        return STATUS_OK;
    }
    /* a multiple of 8 in scratch keeps the numbers aligned */
    size_t start = (r->scratch->size + 7) & ~(size_t)7;
    unsigned char *to;
    Status status = scratch_extend(r, path, start - r->scratch->size + count * size, &to);
    if (status)
        return status;
    *extent = (Extent){EXTENT_SCRATCH, start, count * size};
    if (H5Dread(dataset, memory_type(schema->element), H5S_ALL, H5S_ALL, H5P_DEFAULT, r->scratch->bytes + start) < 0)
        return damaged(r, path, "is damaged");
    return STATUS_OK;
}

static Status read_dataset(LayoutReader *r, int index)
{
    const SchemaDataset *schema = &schema_datasets[index];
    char path[64];
    size_t count = 0;
    schema_path(schema, path, sizeof path);
    if (H5Lexists(r->file, path, H5P_DEFAULT) <= 0)
        return STATUS_OK;
    hid_t dataset = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return damaged(r, path, "is damaged");
    Extent *extent = &r->layout->dataset[index];
    Status status = storage_check(dataset, path, r->err);
    if (status == STATUS_OK)
        status = read_shape(r, dataset, schema, path, &count);
    if (status == STATUS_OK)
        status = schema_is_text(schema->element)
                     ? read_labels(r, dataset, path, count, extent)
                     : read_numbers(r, dataset, schema, path, count, extent);
    H5Dclose(dataset);
    return status;
}

/* --- attributes --- */

static Status read_text_attribute(LayoutReader *r, hid_t attribute, const char *path, Extent *extent)
{
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    Status status = damaged(r, path, "is not one text");
    char *text = NULL;
    if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
        goto done;
    if (H5Tis_variable_str(type) > 0) {
        if (H5Aread(attribute, type, &text) >= 0)
            status = append_text(r, path, text ? text : "", text ? strlen(text) : 0, extent);
    } else if (H5Tget_size(type) <= r->image->size) {
        text = calloc(H5Tget_size(type) + 1, 1);
        if (!text)
            status = error_no_memory(r->err);
        else if (H5Aread(attribute, type, text) >= 0)
            status = append_text(r, path, text, strlen(text), extent);
    }
done:
    free(text);
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return status;
}

static Status read_number_attribute(LayoutReader *r, hid_t attribute, const char *path, int index)
{
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    int fits = (class == H5T_FLOAT || class == H5T_INTEGER) &&
               H5Sget_simple_extent_npoints(space) == (hssize_t)schema_attributes[index].size;
    if (fits)
        fits = H5Aread(attribute, H5T_NATIVE_DOUBLE, r->layout->number[index]) >= 0;
    r->layout->has_number[index] = fits;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return fits ? STATUS_OK : damaged(r, path, "is not a number");
}

static Status read_attribute(LayoutReader *r, int index)
{
    const SchemaAttribute *schema = &schema_attributes[index];
    const char *group = schema_groups[schema->group].name;
    char path[64];
    snprintf(path, sizeof path, "attribute %s of %s", schema->name, group);
    if (!r->layout->has_group[schema->group] || H5Aexists_by_name(r->file, group, schema->name, H5P_DEFAULT) <= 0)
        return STATUS_OK;
    hid_t attribute = H5Aopen_by_name(r->file, group, schema->name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return damaged(r, path, "is damaged");
    Status status = schema->kind == ATTRIBUTE_NUMBER
                        ? read_number_attribute(r, attribute, path, index)
                        : read_text_attribute(r, attribute, path, &r->layout->text[index]);
    H5Aclose(attribute);
    return status;
}

static Status read_checksums(LayoutReader *r)
{
    if (H5Aexists(r->file, "checksum") <= 0)
        return STATUS_OK;
    hid_t attribute = H5Aopen(r->file, "checksum", H5P_DEFAULT);
    if (attribute < 0)
        return damaged(r, "attribute checksum", "is damaged");
    Status status = read_text_attribute(r, attribute, "attribute checksum", &r->layout->checksums);
    H5Aclose(attribute);
    return status;
}

static Status check_conventions(LayoutReader *r)
{
    Extent extent = {0};
    Status status = STATUS_BAD_INPUT;
    hid_t attribute = -1;
    if (H5Aexists(r->file, "Conventions") > 0)
        attribute = H5Aopen(r->file, "Conventions", H5P_DEFAULT);
    if (attribute >= 0) {
        status = read_text_attribute(r, attribute, "attribute Conventions", &extent);
        H5Aclose(attribute);
    }
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status || strcmp((const char *)r->scratch->bytes + extent.offset, SCHEMA_CONVENTIONS) != 0)
        return error_set(r->err, STATUS_BAD_INPUT, "not a kane container: its Conventions are not \"%s\"",
                         SCHEMA_CONVENTIONS);
    return STATUS_OK;
}

static Status read_groups(LayoutReader *r)
{
    Status status = check_conventions(r);
    if (status == STATUS_OK)
        status = links_check(r->file, r->layout->warning, sizeof r->layout->warning, r->err);
    for (int i = 0; i < GROUP_COUNT && status == STATUS_OK; i++)
        r->layout->has_group[i] = i == GROUP_ROOT || H5Lexists(r->file, schema_groups[i].name, H5P_DEFAULT) > 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && status == STATUS_OK; i++)
        if (r->layout->has_group[schema_datasets[i].group])
            status = read_dataset(r, i);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT && status == STATUS_OK; i++)
        status = read_attribute(r, i);
    return status == STATUS_OK ? read_checksums(r) : status;
}

/* Rows of a dataset, for reading into their own space. */
typedef struct Selection {
    hid_t from, to; /* negative: none yet */
    size_t count;   /* elements */
} Selection;

/* Selects r->rows. */
static Status select_rows(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path,
                          Selection *selected)
{
    hsize_t start[SCHEMA_MAX_RANK] = {r->rows->first}, size[SCHEMA_MAX_RANK] = {1};
    Status status = read_shape(r, dataset, schema, path, &selected->count);
    if (status)
        return status;
    selected->from = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(selected->from, size, NULL);
    if (r->rows->first > size[0] || r->rows->count > size[0] - r->rows->first)
        return error_set(r->err, STATUS_INTERNAL, "%s has no such rows", path);
    selected->count = selected->count / size[0] * r->rows->count;
    size[0] = r->rows->count;
    selected->to = H5Screate_simple(schema_rank(schema), size, NULL);
    herr_t done = H5Sselect_hyperslab(selected->from, H5S_SELECT_SET, start, NULL, size, NULL);
    return done < 0 ? damaged(r, path, "is damaged") : STATUS_OK;
}

static Status read_rows(LayoutReader *r)
{
    const SchemaDataset *schema = &schema_datasets[r->rows->dataset];
    char path[64];
    unsigned char *bytes = NULL;
    Selection rows = {-1, -1, 0};
    schema_path(schema, path, sizeof path);
    hid_t dataset = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return damaged(r, path, "is damaged");
    Status status = storage_check(dataset, path, r->err);
    if (status == STATUS_OK)
        status = select_rows(r, dataset, schema, path, &rows);
    if (status == STATUS_OK)
        status = scratch_extend(r, path, rows.count * schema_element_size(schema->element), &bytes);
    if (status == STATUS_OK &&
        H5Dread(dataset, memory_type(schema->element), rows.to, rows.from, H5P_DEFAULT, bytes) < 0)
        status = damaged(r, path, "is damaged");
    if (rows.to >= 0)
        H5Sclose(rows.to);
    if (rows.from >= 0)
        H5Sclose(rows.from);
    H5Dclose(dataset);
    return status;
}

/* Opens the image for a reader that has all but its file, and reads what it asks for. */
static Status read_image(LayoutReader *r)
{
    const ContainerImage *image = r->image;
    Error *err = r->err;
    *r->layout = (ContainerLayout){0};
    *r->scratch = (Scratch){0};
    if (image->size < IMAGE_HEADER_SIZE || image_end(image->bytes) == 0)
        return error_set(err, STATUS_BAD_INPUT, "not a kane container");
    if (image_end(image->bytes) > image->size)
        return error_set(err, STATUS_BAD_INPUT, "the container is cut off: %zu of %llu bytes", image->size,
                         image_end(image->bytes));
    ImageErrors errors = image_errors_silence();
    ImageBuffer view = {.bytes = image->bytes, .capacity = image->size};
    r->file = image_open(&view);
    Status status = r->file >= 0    ? r->rows ? read_rows(r) : read_groups(r)
                    : view.is_short ? error_no_memory(err)
                                    : error_set(err, STATUS_BAD_INPUT, "the container is damaged");
    if (r->file >= 0)
        H5Fclose(r->file);
    image_errors_restore(errors);
    return status;
}

Status container_layout(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err)
{
    return read_image(&(LayoutReader){.image = image, .layout = layout, .scratch = scratch, .err = err});
}

Status container_outline(const ContainerImage *image, ContainerLayout *layout, Scratch *scratch, Error *err)
{
    return read_image(
        &(LayoutReader){.image = image, .layout = layout, .scratch = scratch, .is_outline = 1, .err = err});
}

Status container_rows(const ContainerImage *image, const RowRange *rows, Scratch *scratch, Error *err)
{
    ContainerLayout layout;
    return read_image(
        &(LayoutReader){.image = image, .layout = &layout, .scratch = scratch, .rows = rows, .err = err});
}
