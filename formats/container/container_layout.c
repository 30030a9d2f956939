/* See container_layout.h. */
#include "formats/container/container_layout.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/base/hdf5_calls.h"
#include "formats/container/container_image.h"

enum { MAX_DEPTH = 16 };

/* Check of an untrusted clip file for references to other files and features that kane does not use. Rejected anywhere
 * in the file: soft and external links, virtual datasets, external storage, filters other than deflate and shuffle. */
typedef struct LinkWalk {
    const char *path; /* group whose links are visited, "" for the root */
    int depth;
    char *warning;
    size_t warning_size;
    Error *err;
} LinkWalk;

static Status refuse(Error *err, const char *path, const char *what)
{
    return error_set(err, STATUS_BAD_INPUT, "%s %s", path, what);
}

static Status check_filters(hid_t properties, const char *path, Error *err)
{
    int count = hdf5.Pget_nfilters(properties);
    for (int i = 0; i < count; i++) {
        unsigned flags;
        size_t values = 0;
        H5Z_filter_t filter = hdf5.Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
            return refuse(err, path, "uses a filter other than deflate and shuffle, which is refused");
    }
    return STATUS_OK;
}

/* path: for messages. */
static Status storage_check(hid_t dataset, const char *path, Error *err)
{
    Status status;
    hid_t properties = hdf5.Dget_create_plist(dataset);
    if (properties < 0)
        return refuse(err, path, "is damaged");
    H5D_layout_t kind = hdf5.Pget_layout(properties);
    if (kind != H5D_CONTIGUOUS && kind != H5D_CHUNKED && kind != H5D_COMPACT)
        status = refuse(err, path, "is a virtual dataset, which is refused");
    else if (hdf5.Pget_external_count(properties) != 0)
        status = refuse(err, path, "is stored in another file, which is refused");
    else
        status = check_filters(properties, path, err);
    hdf5.Pclose(properties);
    return status;
}

typedef enum LinkKind { LINK_UNKNOWN, LINK_GROUP, LINK_DATASET } LinkKind;

/* Returns 1 if path is "group/name", or "name" if group is empty. */
static int is_path(const char *path, const char *group, const char *name)
{
    size_t length = strlen(group);
    if (strncmp(path, group, length) != 0)
        return 0;
    if (length == 0)
        return strcmp(path, name) == 0;
    return path[length] == '/' && strcmp(path + length + 1, name) == 0;
}

/* Returns 1 if a link has the name of a dataset in an earlier version. */
static int is_old_path(const SchemaDataset *schema, const char *group, const char *name)
{
    char old[64];
    for (int which = 0; which < SCHEMA_OLD_PATHS; which++)
        if (schema_old_path(schema, which, old, sizeof old) && is_path(old, group, name))
            return 1;
    return 0;
}

/* Returns what a name in a group denotes. */
static LinkKind link_kind(const char *group, const char *name)
{
    int root = *group == '\0';
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const char *where = schema_groups[schema_datasets[i].group].name;
        if (strcmp(name, schema_datasets[i].name) == 0 && (root ? *where == '/' : strcmp(group + 1, where) == 0))
            return LINK_DATASET;
        if (!root && is_old_path(&schema_datasets[i], group, name))
            return LINK_DATASET;
    }
    for (int i = 1; root && i < DIM_COUNT; i++) {
        const SchemaDimension *d = &schema_dimensions[i];
        const char *old = schema_old_name(d->name);
        int is_of_root = schema_dim_group((SchemaDim)i) == GROUP_ROOT;
        if ((is_of_root && strcmp(name, d->name) == 0) || (d->index_name && strcmp(name, d->index_name) == 0) ||
            (old && strcmp(name, old) == 0))
            return LINK_DATASET;
    }
    for (int i = 1; i < GROUP_COUNT; i++) {
        const char *old = root ? schema_old_group((SchemaGroupId)i) : NULL;
        if (is_path(schema_groups[i].name, root ? "" : group + 1, name) || (old && strcmp(old, name) == 0))
            return LINK_GROUP;
    }
    return LINK_UNKNOWN;
}

static void note_dropped(LinkWalk *w, const char *path)
{
    size_t used = strlen(w->warning), gap = used ? 2 : 0, length = strlen(path);
    if (used + gap + length >= w->warning_size)
        return;
    memcpy(w->warning + used, ", ", gap);
    memcpy(w->warning + used + gap, path, length + 1);
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *data);

static Status walk(LinkWalk *w, hid_t group, const char *path)
{
    const char *outer = w->path;
    if (w->depth >= MAX_DEPTH)
        return refuse(w->err, path, "is nested too deeply");
    w->path = path;
    w->depth++;
    w->err->status = STATUS_OK;
    herr_t result = hdf5.Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, w);
    w->depth--;
    w->path = outer;
    if (result >= 0)
        return STATUS_OK;
    return w->err->status ? w->err->status : refuse(w->err, *path ? path : "/", "is damaged");
}

static Status check_object(LinkWalk *w, hid_t object, const char *path)
{
    switch (hdf5.Iget_type(object)) {
    case H5I_GROUP: return walk(w, object, path);
    case H5I_DATASET: return storage_check(object, path, w->err);
    default: return STATUS_OK;
    }
}

/* Visits a link. Links of the root are at depth 1, those of its groups at depth 2. */
static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    LinkWalk *w = data;
    char path[256];
    snprintf(path, sizeof path, "%.120s/%.120s", w->path, name); /* for messages */
    if (info->type != H5L_TYPE_HARD)
        return -(herr_t)refuse(w->err, path, "is a soft or external link, which is refused");
    LinkKind kind = link_kind(w->path, name);
    if (kind == LINK_DATASET)
        return 0;
    if (kind == LINK_UNKNOWN && (w->depth == 1 || (w->depth == 2 && link_kind("", w->path + 1) == LINK_GROUP)))
        note_dropped(w, path);
    hid_t object = hdf5.Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return -(herr_t)refuse(w->err, path, "is damaged");
    Status status = check_object(w, object, path);
    hdf5.Oclose(object);
    return -(herr_t)status; /* a negative result ends the walk */
}

/* Checks all links of a file. Datasets of the schema are checked by storage_check when they are read. warning receives
 * the names that are not in the schema, "" if there are none. */
static Status links_check(hid_t file, char *warning, size_t warning_size, Error *err)
{
    Error local = {0};
    LinkWalk walker = {.path = "", .warning = warning, .warning_size = warning_size, .err = err ? err : &local};
    warning[0] = '\0';
    return walk(&walker, file, "");
}

/* bytes of the text conversion buffer */
enum { CONVERSION_BUFFER = 65536 };
/* The compression ratio of deflate is at most 1032:1, so a valid file cannot expand to more than this many times its
 * size. */
enum { MAX_EXPANSION = 1100 };
/* Arrays of more bytes, and of this many times the size of the file, are decoded only after check_ahead. */
enum { LARGE = 1 << 26, LARGE_EXPANSION = 4 };

typedef struct LayoutReader {
    const ContainerImage *image;
    ContainerLayout *layout;
    Scratch *scratch;
    const RowRange *rows; /* NULL: all rows */
    int is_outline;
    int is_checked; /* check_ahead has run */
    hid_t file;
    Error *err;
} LayoutReader;

static Status damaged(LayoutReader *r, const char *path, const char *what)
{
    error_set(r->err, STATUS_BAD_INPUT, "%s %s", path, what);
    return STATUS_BAD_INPUT;
}

/* Extends scratch by size bytes. */
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
    if (extent->source == EXTENT_ABSENT)
        *extent = (Extent){EXTENT_SCRATCH, r->scratch->size, 0};
    Status status = scratch_extend(r, path, length + 1, &to);
    if (status)
        return status;
    memcpy(to, text, length);
    to[length] = '\0';
    extent->size += length + 1;
    return STATUS_OK;
}

/* ---- Datasets ---- */

/* Reads the shape of a dataset; the first dataset with a dimension fixes its length for all others. */
static Status read_shape(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path, size_t *count)
{
    hsize_t size[H5S_MAX_RANK];
    hid_t space = hdf5.Dget_space(dataset);
    int rank = space < 0 ? -1 : hdf5.Sget_simple_extent_dims(space, size, NULL);
    if (space >= 0)
        hdf5.Sclose(space);
    if (rank != schema_rank(schema))
        return damaged(r, path, "has the wrong number of dimensions");
    *count = 1;
    for (int i = 0; i < rank; i++) {
        const SchemaDimension *dimension = &schema_dimensions[schema->dim[i]];
        uint64_t *known = &r->layout->dim[schema->dim[i]];
        if (*known == 0)
            *known = dimension->label[0] ? schema_fixed_size(schema->dim[i]) : size[i];
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
    hid_t type = hdf5.Dget_type(dataset), memory = -1, space = -1, transfer = -1;
    char **text = NULL;
    Status status = STATUS_OK;
    if (type < 0 || hdf5.Tis_variable_str(type) <= 0) {
        status = damaged(r, path, "is not variable-length text");
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
    memory = hdf5.Tcopy(*hdf5.T_C_S1);
    space = hdf5.Dget_space(dataset);
    transfer = hdf5.Pcreate(*hdf5.P_CLS_DATASET_XFER_ID);
    if (hdf5.Tset_size(memory, H5T_VARIABLE) < 0 || hdf5.Tset_cset(memory, hdf5.Tget_cset(type)) < 0 ||
        hdf5.Pset_buffer(transfer, CONVERSION_BUFFER, NULL, NULL) < 0 ||
        hdf5.Dread(dataset, memory, H5S_ALL, H5S_ALL, transfer, text) < 0) {
        status = damaged(r, path, "is damaged");
        goto done;
    }
    for (size_t i = 0; i < count && !status; i++)
        status = append_text(r, path, text[i] ? text[i] : "", text[i] ? strlen(text[i]) : 0, extent);
    hdf5.Dvlen_reclaim(memory, space, H5P_DEFAULT, text);
done:
    free(text);
    if (transfer >= 0)
        hdf5.Pclose(transfer);
    if (space >= 0)
        hdf5.Sclose(space);
    if (memory >= 0)
        hdf5.Tclose(memory);
    if (type >= 0)
        hdf5.Tclose(type);
    return status;
}

/* Returns how the elements are stored, if they can be copied directly. */
static ExtentSource direct_source(hid_t type, SchemaElement element)
{
    switch (element) {
    case ELEMENT_DOUBLE:
        if (hdf5.Tequal(type, *hdf5.T_IEEE_F64LE) > 0)
            return EXTENT_IMAGE;
        return hdf5.Tequal(type, *hdf5.T_IEEE_F32LE) > 0 ? EXTENT_IMAGE_FLOAT32 : EXTENT_SCRATCH;
    case ELEMENT_INT: return hdf5.Tequal(type, *hdf5.T_STD_I32LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    case ELEMENT_BYTE: return hdf5.Tequal(type, *hdf5.T_STD_U8LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    case ELEMENT_BITS: return hdf5.Tequal(type, *hdf5.T_STD_U32LE) > 0 ? EXTENT_IMAGE : EXTENT_SCRATCH;
    default: return EXTENT_SCRATCH;
    }
}

static hid_t memory_type(SchemaElement element)
{
    switch (element) {
    case ELEMENT_DOUBLE: return *hdf5.T_NATIVE_DOUBLE;
    case ELEMENT_INT: return *hdf5.T_NATIVE_INT;
    case ELEMENT_BITS: return *hdf5.T_NATIVE_UINT32;
    default: return *hdf5.T_NATIVE_UINT8;
    }
}

static int is_contiguous(hid_t dataset)
{
    hid_t properties = hdf5.Dget_create_plist(dataset);
    int contiguous = properties >= 0 && hdf5.Pget_layout(properties) == H5D_CONTIGUOUS;
    hdf5.Pclose(properties);
    return contiguous;
}

/* Finds the path of a dataset, by its current or old name; returns 0 if it is absent. */
static int find_path(const LayoutReader *r, const SchemaDataset *schema, char *path, size_t size)
{
    schema_path(schema, path, size);
    int is_found = hdf5.Lexists(r->file, path, H5P_DEFAULT) > 0;
    for (int which = 0; which < SCHEMA_OLD_PATHS && !is_found; which++)
        is_found = schema_old_path(schema, which, path, size) && hdf5.Lexists(r->file, path, H5P_DEFAULT) > 0;
    return is_found;
}

/* Selected rows of a dataset, and the memory space to read them. */
typedef struct Selection {
    hid_t from, to; /* negative: not open */
    size_t count;   /* elements */
} Selection;

/* Selects r->rows, one range of the first dimension. */
static Status select_rows(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path,
                          Selection *selected)
{
    hsize_t start[SCHEMA_MAX_RANK] = {r->rows->first}, size[SCHEMA_MAX_RANK] = {1};
    Status status = read_shape(r, dataset, schema, path, &selected->count);
    if (status)
        return status;
    selected->from = hdf5.Dget_space(dataset);
    hdf5.Sget_simple_extent_dims(selected->from, size, NULL);
    if (r->rows->first > size[0] || r->rows->count > size[0] - r->rows->first)
        return error_set(r->err, STATUS_INTERNAL, "%s has no such rows", path);
    selected->count = selected->count / size[0] * r->rows->count;
    size[0] = r->rows->count;
    selected->to = hdf5.Screate_simple(schema_rank(schema), size, NULL);
    herr_t done = hdf5.Sselect_hyperslab(selected->from, H5S_SELECT_SET, start, NULL, size, NULL);
    return done < 0 ? damaged(r, path, "is damaged") : STATUS_OK;
}

static void selection_close(const Selection *rows)
{
    if (rows->to >= 0)
        hdf5.Sclose(rows->to);
    if (rows->from >= 0)
        hdf5.Sclose(rows->from);
}

/* Reads the first row of quaternions and checks their length. */
static Status check_first_row(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path)
{
    enum { VALUES_MAX = 1 << 16 };
    const RowRange first = {(int)(schema - schema_datasets), 0, 1};
    LayoutReader one = *r;
    Selection rows = {-1, -1, 0};
    one.rows = &first;
    double *value = calloc(VALUES_MAX, sizeof *value);
    Status status = value ? select_rows(&one, dataset, schema, path, &rows) : error_no_memory(r->err);
    int is_read = !status && rows.count <= VALUES_MAX &&
                  hdf5.Dread(dataset, *hdf5.T_NATIVE_DOUBLE, rows.to, rows.from, H5P_DEFAULT, value) >= 0;
    for (size_t i = 0; is_read && !status && i + 4 <= rows.count; i += 4) {
        const double *q = value + i, length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!(length > 0.5 && length < 2))
            status = damaged(r, path, "has no unit quaternions");
    }
    selection_close(&rows);
    free(value);
    return status;
}

/* Checks the shapes of all datasets, and the first row of rotations, before arrays that are much larger than the file
 * are decoded: an invalid file must not cost memory. */
static Status check_ahead(LayoutReader *r)
{
    Status status = STATUS_OK;
    r->is_checked = 1;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        char path[64];
        size_t count;
        if (!find_path(r, schema, path, sizeof path))
            continue;
        hid_t dataset = hdf5.Dopen2(r->file, path, H5P_DEFAULT);
        if (dataset < 0)
            return damaged(r, path, "is damaged");
        status = storage_check(dataset, path, r->err);
        if (!status)
            status = read_shape(r, dataset, schema, path, &count);
        if (!status && schema->dim[schema_rank(schema) - 1] == DIM_WXYZ)
            status = check_first_row(r, dataset, schema, path);
        hdf5.Dclose(dataset);
    }
    return status;
}

static Status read_numbers(LayoutReader *r, hid_t dataset, const SchemaDataset *schema, const char *path, size_t count,
                           Extent *extent)
{
    size_t size = schema_element_size(schema->element);
    hid_t type = hdf5.Dget_type(dataset);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : hdf5.Tget_class(type);
    ExtentSource source = direct_source(type, schema->element);
    hdf5.Tclose(type);
    if (class != H5T_FLOAT && class != H5T_INTEGER)
        return damaged(r, path, "does not hold numbers");
    if (source != EXTENT_SCRATCH && is_contiguous(dataset)) {
        haddr_t offset = hdf5.Dget_offset(dataset);
        size_t bytes = count * (source == EXTENT_IMAGE_FLOAT32 ? sizeof(float) : size);
        if (offset == HADDR_UNDEF)
            return damaged(r, path, "holds no data");
        if (offset > r->image->size || bytes > r->image->size - offset)
            return damaged(r, path, "reaches beyond the end of the file");
        *extent = (Extent){source, offset, bytes};
        return STATUS_OK;
    }
    if (r->is_outline) {
        *extent = (Extent){EXTENT_STORED, 0, count * size};
        return STATUS_OK;
    }
    /* a multiple of 8 keeps numbers aligned */
    size_t start = (r->scratch->size + 7) & ~(size_t)7;
    unsigned char *to;
    Status status = STATUS_OK;
    if (!r->is_checked && count * size > LARGE && count * size / LARGE_EXPANSION > r->image->size)
        status = check_ahead(r);
    if (!status)
        status = scratch_extend(r, path, start - r->scratch->size + count * size, &to);
    if (status)
        return status;
    *extent = (Extent){EXTENT_SCRATCH, start, count * size};
    if (hdf5.Dread(dataset, memory_type(schema->element), H5S_ALL, H5S_ALL, H5P_DEFAULT, r->scratch->bytes + start) < 0)
        return damaged(r, path, "is damaged");
    return STATUS_OK;
}

/* Finds the name of a group, current or old; returns NULL if it is absent. */
static const char *find_group(const LayoutReader *r, SchemaGroupId id)
{
    const char *name = schema_groups[id].name, *old = schema_old_group(id);
    if (id == GROUP_ROOT || hdf5.Lexists(r->file, name, H5P_DEFAULT) > 0)
        return name;
    return old && hdf5.Lexists(r->file, old, H5P_DEFAULT) > 0 ? old : NULL;
}

static Status read_dataset(LayoutReader *r, int index)
{
    const SchemaDataset *schema = &schema_datasets[index];
    char path[64];
    size_t count = 0;
    if (!find_path(r, schema, path, sizeof path))
        return STATUS_OK;
    hid_t dataset = hdf5.Dopen2(r->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return damaged(r, path, "is damaged");
    Extent *extent = &r->layout->dataset[index];
    Status status = storage_check(dataset, path, r->err);
    if (!status)
        status = read_shape(r, dataset, schema, path, &count);
    if (!status)
        status = schema_is_text(schema->element)
                     ? read_labels(r, dataset, path, count, extent)
                     : read_numbers(r, dataset, schema, path, count, extent);
    hdf5.Dclose(dataset);
    return status;
}

/* ---- Attributes ---- */

static Status read_text_attribute(LayoutReader *r, hid_t attribute, const char *path, Extent *extent)
{
    hid_t type = hdf5.Aget_type(attribute), space = hdf5.Aget_space(attribute);
    Status status = damaged(r, path, "is not one text");
    char *text = NULL;
    if (type < 0 || hdf5.Tget_class(type) != H5T_STRING || hdf5.Sget_simple_extent_npoints(space) != 1)
        goto done;
    if (hdf5.Tis_variable_str(type) > 0) {
        if (hdf5.Aread(attribute, type, &text) >= 0)
            status = append_text(r, path, text ? text : "", text ? strlen(text) : 0, extent);
    } else if (hdf5.Tget_size(type) <= r->image->size) {
        text = calloc(hdf5.Tget_size(type) + 1, 1);
        if (!text)
            status = error_no_memory(r->err);
        else if (hdf5.Aread(attribute, type, text) >= 0)
            status = append_text(r, path, text, strlen(text), extent);
    }
done:
    free(text);
    if (type >= 0)
        hdf5.Tclose(type);
    if (space >= 0)
        hdf5.Sclose(space);
    return status;
}

static Status read_number_attribute(LayoutReader *r, hid_t attribute, const char *path, int index)
{
    hid_t type = hdf5.Aget_type(attribute), space = hdf5.Aget_space(attribute);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : hdf5.Tget_class(type);
    int fits = (class == H5T_FLOAT || class == H5T_INTEGER) &&
               hdf5.Sget_simple_extent_npoints(space) == (hssize_t)schema_attributes[index].size;
    if (fits)
        fits = hdf5.Aread(attribute, *hdf5.T_NATIVE_DOUBLE, r->layout->number[index]) >= 0;
    r->layout->has_number[index] = fits;
    if (type >= 0)
        hdf5.Tclose(type);
    if (space >= 0)
        hdf5.Sclose(space);
    return fits ? STATUS_OK : damaged(r, path, "is not a number");
}

static Status read_attribute(LayoutReader *r, int index)
{
    const SchemaAttribute *schema = &schema_attributes[index];
    const char *group = find_group(r, schema->group), *name = schema->name;
    char path[64];
    if (!group)
        return STATUS_OK;
    if (hdf5.Aexists_by_name(r->file, group, name, H5P_DEFAULT) <= 0)
        name = schema_old_name(name);
    if (!name || hdf5.Aexists_by_name(r->file, group, name, H5P_DEFAULT) <= 0)
        return STATUS_OK;
    snprintf(path, sizeof path, "attribute %s of %s", name, group);
    hid_t attribute = hdf5.Aopen_by_name(r->file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return damaged(r, path, "is damaged");
    Status status = schema->kind == ATTRIBUTE_NUMBER
                        ? read_number_attribute(r, attribute, path, index)
                        : read_text_attribute(r, attribute, path, &r->layout->text[index]);
    hdf5.Aclose(attribute);
    return status;
}

/* Detects metrics of /retarget from an earlier or later version, which are skipped. */
static void find_other_attributes(LayoutReader *r)
{
    const char *name = schema_groups[GROUP_RETARGET].name;
    H5O_info_t info;
    hsize_t known = 0;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        known += schema_attributes[i].group == GROUP_RETARGET && r->layout->has_number[i];
    r->layout->has_others = r->layout->has_group[GROUP_RETARGET] &&
                            hdf5.Oget_info_by_name2(r->file, name, &info, H5O_INFO_NUM_ATTRS, H5P_DEFAULT) >= 0 &&
                            info.num_attrs != known;
}

/* Reads a text attribute of the root that is not in the schema, if it exists. */
static Status read_root_text(LayoutReader *r, const char *name, Extent *extent)
{
    char path[64];
    snprintf(path, sizeof path, "attribute %s", name);
    if (hdf5.Aexists(r->file, name) <= 0)
        return STATUS_OK;
    hid_t attribute = hdf5.Aopen(r->file, name, H5P_DEFAULT);
    if (attribute < 0)
        return damaged(r, path, "is damaged");
    Status status = read_text_attribute(r, attribute, path, extent);
    hdf5.Aclose(attribute);
    return status;
}

static Status check_conventions(LayoutReader *r)
{
    Extent extent = {0};
    Status status = STATUS_BAD_INPUT;
    hid_t attribute = -1;
    if (hdf5.Aexists(r->file, "Conventions") > 0)
        attribute = hdf5.Aopen(r->file, "Conventions", H5P_DEFAULT);
    if (attribute >= 0) {
        status = read_text_attribute(r, attribute, "attribute Conventions", &extent);
        hdf5.Aclose(attribute);
    }
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status || strcmp((const char *)r->scratch->bytes + extent.offset, CONTAINER_CONVENTIONS) != 0)
        return error_set(r->err, STATUS_BAD_INPUT, "not a clip file of kane: Conventions is not \"%s\"",
                         CONTAINER_CONVENTIONS);
    return STATUS_OK;
}

/* Marks the datasets that the attribute left_out lists. */
static Status read_left_out(LayoutReader *r)
{
    Extent extent = {0};
    Status status = read_root_text(r, "left_out", &extent);
    char *rest = status || extent.source == EXTENT_ABSENT ? NULL : (char *)r->scratch->bytes + extent.offset, *line;
    while ((line = strsep(&rest, "\n"))) {
        int i = schema_find_path(line);
        if (i < 0 || !(schema_datasets[i].flags & (SCHEMA_DERIVED | SCHEMA_COPY)))
            return damaged(r, "attribute left_out", "lists a dataset that cannot be computed");
        if (r->layout->dataset[i].source == EXTENT_ABSENT && r->layout->has_group[schema_datasets[i].group])
            r->layout->dataset[i].source = EXTENT_LEFT_OUT;
        r->layout->is_lean = 1;
    }
    return status;
}

static Status read_groups(LayoutReader *r)
{
    Status status = check_conventions(r);
    if (!status)
        status = links_check(r->file, r->layout->warning, sizeof r->layout->warning, r->err);
    for (int i = 0; i < GROUP_COUNT && !status; i++)
        r->layout->has_group[i] = find_group(r, (SchemaGroupId)i) != NULL;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        int *has_group = &r->layout->has_group[schema->group];
        char old[64];
        if (*has_group || schema_old_path(schema, SCHEMA_OLD_PATHS - 1, old, sizeof old))
            status = read_dataset(r, i);
        *has_group |= r->layout->dataset[i].source != EXTENT_ABSENT;
    }
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT && !status; i++)
        status = read_attribute(r, i);
    find_other_attributes(r);
    if (!status)
        status = read_root_text(r, "checksum", &r->layout->checksums);
    if (!status)
        status = read_left_out(r);
    return status ? status : read_root_text(r, "kane_version", &r->layout->version);
}

static Status read_rows(LayoutReader *r)
{
    const SchemaDataset *schema = &schema_datasets[r->rows->dataset];
    char path[64];
    unsigned char *bytes = NULL;
    Selection rows = {-1, -1, 0};
    find_path(r, schema, path, sizeof path);
    hid_t dataset = hdf5.Dopen2(r->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return damaged(r, path, "is damaged");
    Status status = storage_check(dataset, path, r->err);
    if (!status)
        status = select_rows(r, dataset, schema, path, &rows);
    if (!status)
        status = scratch_extend(r, path, rows.count * schema_element_size(schema->element), &bytes);
    if (!status &&
        hdf5.Dread(dataset, memory_type(schema->element), rows.to, rows.from, H5P_DEFAULT, bytes) < 0)
        status = damaged(r, path, "is damaged");
    selection_close(&rows);
    hdf5.Dclose(dataset);
    return status;
}

/* Opens the image and reads what the reader is set up for. */
static Status read_image(LayoutReader *r)
{
    const ContainerImage *image = r->image;
    Error *err = r->err;
    *r->layout = (ContainerLayout){0};
    *r->scratch = (Scratch){0};
    if (image->size < IMAGE_HEADER_SIZE || image_end(image->bytes) == 0)
        return error_set(err, STATUS_BAD_INPUT, "not a clip file of kane");
    if (image_end(image->bytes) > image->size)
        return error_set(err, STATUS_BAD_INPUT, "truncated clip file: %zu of %llu bytes", image->size,
                         image_end(image->bytes));
    Status status = hdf5_load(err);
    if (status)
        return status;
    ImageErrors errors = image_errors_silence();
    ImageView view = {.image = image};
    r->file = image_open(&view);
    status = r->file >= 0    ? r->rows ? read_rows(r) : read_groups(r)
             : view.is_short ? error_no_memory(err)
                             : error_set(err, STATUS_BAD_INPUT, "the clip file is damaged");
    if (r->file >= 0)
        image_close(&view, r->file);
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
