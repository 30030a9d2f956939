/* Encodes a clip in the netCDF-4 form of HDF5, without libhdf5 (hdf5_encode.h).
 *
 * Arrays are written directly from the clip; only compressed or rounded ones are copied. Attributes, dimension scales
 * and creation order: HDF5 Dimension Scale Specification, 2005; netCDF-4 file format specification. Cost: about 50 us
 * per file and one pass over the data. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/base/version.h"
#include "analysis/clip/clip_schema.h"
#include "formats/base/new_file.h"
#include "formats/container/container.h"
#include "formats/container/container_checksum.h"
#include "formats/container/container_check.h"
#include "formats/container/hdf5_encode.h"
#include "formats/container/container_lean.h"

/* Size of a chunk of a compressed array, as float64; it has as many frames as fit. */
enum { CHUNK_BYTES = 1 << 20 };

typedef struct Encoder {
    const Clip *clip;
    Hdf5File file;
    char *checksums;   /* of the clip, owned */
    const char **text; /* scratch: labels of one dataset */
    int has[SCHEMA_DATASET_COUNT];
    LeanStorage storage[SCHEMA_DATASET_COUNT];
    char *left_out;    /* paths, owned; NULL: none */
    uint64_t scale[DIM_COUNT];   /* address of the dataset that is the dimension's scale */
    size_t next_use[DIM_COUNT];  /* position of the next entry of its REFERENCE_LIST */
    int scale_count;
} Encoder;

#define LEFT_OUT_NOTE \
    "arrays of this group are left out (attribute left_out of /): kane computes them when it reads the file, " \
    "kane fill writes them"

/* The objects of a group, in order. */
typedef struct Links {
    Hdf5Link link[SCHEMA_DATASET_COUNT + DIM_COUNT + GROUP_COUNT];
    int count;
} Links;

ContainerDef container_default_def(void)
{
    return (ContainerDef){0};
}

void container_image_free(ContainerImage *image)
{
    if (!image)
        return;
    free(image->bytes);
    *image = (ContainerImage){0};
}

static void add_link(Links *links, const char *name, uint64_t address)
{
    links->link[links->count++] = (Hdf5Link){name, address};
}

static void describe(Encoder *e, const char *units, const char *long_name)
{
    hdf5_put_text(&e->file, "units", units);
    hdf5_put_text(&e->file, "long_name", long_name);
}

/* Writes the meaning of the bits of TrustReason: flag_masks, in the type of the dataset, and flag_meanings (CF
 * conventions 3.5), with the CF standard name of quality flags. */
static void put_reasons(Encoder *e)
{
    uint32_t mask[TRUST_REASON_COUNT];
    char meanings[32 * TRUST_REASON_COUNT] = "";
    for (int i = 0, n = 0; i < TRUST_REASON_COUNT; i++) {
        mask[i] = UINT32_C(1) << i;
        n += snprintf(meanings + n, sizeof meanings - (size_t)n, "%s%s", i ? " " : "", trust_reason_name(i));
    }
    hdf5_put_numbers(&e->file, "flag_masks", HDF5_UINT32, 1, TRUST_REASON_COUNT, mask);
    hdf5_put_text(&e->file, "standard_name", "quality_flag");
    hdf5_put_text(&e->file, "flag_meanings", meanings);
}

/* ---- Dimensions ---- */

/* Returns 1 if the dataset is attached to scales of its dimensions, which scales themselves are not. */
static int is_attached(const Encoder *e, int dataset)
{
    return e->has[dataset] && !(schema_datasets[dataset].flags & (SCHEMA_LABELS | SCHEMA_SCALE));
}

/* Counts the axes to which a scale of this group is attached; frames have a scale per group. */
static int count_uses(const Encoder *e, SchemaGroupId group, SchemaDim dim)
{
    int count = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (is_attached(e, i) && (dim != DIM_FRAME || schema_datasets[i].group == group))
            for (int k = 0; k < schema_rank(&schema_datasets[i]); k++)
                count += schema_datasets[i].dim[k] == dim;
    return count;
}

/* Makes the open dataset at `address` the scale of a dimension. */
static void put_scale(Encoder *e, SchemaGroupId group, SchemaDim dim, const char *name, uint64_t address)
{
    int id = e->scale_count++, uses = count_uses(e, group, dim);
    hdf5_put_fixed_text(&e->file, "CLASS", "DIMENSION_SCALE");
    hdf5_put_fixed_text(&e->file, "NAME", name);
    hdf5_put_numbers(&e->file, "_Netcdf4Dimid", HDF5_INT32, 0, 1, &id);
    if (uses > 0)
        e->next_use[dim] = hdf5_put_uses(&e->file, "REFERENCE_LIST", uses);
    e->scale[dim] = address;
}

/* Attaches the open dataset at `address` to the scales of its dimensions. */
static void attach(Encoder *e, const SchemaDataset *schema, uint64_t address)
{
    uint64_t scale[SCHEMA_MAX_RANK];
    int rank = schema_rank(schema);
    for (int i = 0; i < rank; i++) {
        SchemaDim dim = schema->dim[i];
        scale[i] = e->scale[dim];
        e->next_use[dim] = hdf5_set_use(&e->file, e->next_use[dim], address, i);
    }
    hdf5_put_references(&e->file, "DIMENSION_LIST", scale, rank);
}

static const char *const *dataset_labels(const Encoder *e, const SchemaDataset *schema)
{
    size_t count = schema_dim_size(e->clip, schema->dim[0]);
    for (size_t i = 0; i < count; i++)
        e->text[i] = schema_label(e->clip, schema, i);
    return e->text;
}

/* Writes the scale of a dimension: the variable of its labels, or without labels big-endian floats without storage, as
 * the netCDF library does. */
static void put_dimension(Encoder *e, SchemaGroupId group, SchemaDim dim, const char *const *label, Links *links)
{
    const SchemaDimension *schema = &schema_dimensions[dim];
    size_t count = schema_dim_size(e->clip, dim);
    char name[80];
    if (label)
        snprintf(name, sizeof name, "%s", schema->name);
    else
        snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10zu", count);
    Hdf5Dataset dataset = {.type = label ? HDF5_TEXT : HDF5_FLOAT32_BIG_ENDIAN, .rank = 1, .size = {count},
                           .values = label};
    uint64_t address = hdf5_open_dataset(&e->file, &dataset);
    put_scale(e, group, dim, name, address);
    describe(e, "1", label ? schema->long_name : schema->name);
    hdf5_close_object(&e->file);
    add_link(links, schema->name, address);
}

/* Writes the dimensions of a group, except frames, for which each group has its own variable. */
static void put_dimensions(Encoder *e, SchemaGroupId group, Links *links)
{
    for (int dim = DIM_NONE + 1; dim < DIM_COUNT; dim++) {
        if (dim == DIM_FRAME || schema_dim_group((SchemaDim)dim) != group)
            continue;
        const char *const *label = schema_dimensions[dim].label[0] ? schema_dimensions[dim].label : NULL;
        int used = 0;
        for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
            const SchemaDataset *schema = &schema_datasets[i];
            for (int k = 0; k < schema_rank(schema); k++)
                used |= (int)schema->dim[k] == dim && e->has[i];
            if (schema->flags & SCHEMA_LABELS && (int)schema->dim[0] == dim && used)
                label = dataset_labels(e, schema);
        }
        if (used)
            put_dimension(e, group, (SchemaDim)dim, label, links);
    }
}

/* ---- Datasets and groups ---- */

static Hdf5Type hdf5_element_type(SchemaElement element)
{
    switch (element) {
    case ELEMENT_DOUBLE: return HDF5_FLOAT64;
    case ELEMENT_INT: return HDF5_INT32;
    case ELEMENT_BYTE: return HDF5_UINT8;
    case ELEMENT_BITS: return HDF5_UINT32;
    default: return HDF5_TEXT;
    }
}

/* Describes the storage of a dataset; a compressed one has chunks of whole frames. */
static Hdf5Dataset hdf5_dataset(const Encoder *e, const SchemaDataset *schema)
{
    Hdf5Dataset dataset = {.type = hdf5_element_type(schema->element), .rank = schema_rank(schema)};
    uint64_t row = schema_element_size(schema->element);
    for (int i = 0; i < dataset.rank; i++)
        dataset.size[i] = schema_dim_size(e->clip, schema->dim[i]);
    for (int i = 1; i < dataset.rank; i++)
        row *= dataset.size[i];
    dataset.values = schema_is_text(schema->element) ? (const void *)dataset_labels(e, schema)
                                                     : schema_array(e->clip, schema);
    const LeanStorage *storage = &e->storage[schema - schema_datasets];
    if (storage->is_float32)
        dataset.type = HDF5_FLOAT32;
    if (storage->level > 0) {
        uint64_t frames = CHUNK_BYTES / row;
        dataset.chunk_rows = frames < 1 ? 1 : frames < dataset.size[0] ? frames : dataset.size[0];
        dataset.level = storage->level;
    }
    return dataset;
}

static void put_dataset(Encoder *e, const SchemaDataset *schema, Links *links)
{
    Hdf5Dataset dataset = hdf5_dataset(e, schema);
    uint64_t address = hdf5_open_dataset(&e->file, &dataset);
    describe(e, schema->units, schema->long_name);
    if (schema->flags & SCHEMA_REASONS)
        put_reasons(e);
    if (schema->flags & SCHEMA_SCALE)
        put_scale(e, schema->group, schema->dim[0], schema_dimensions[schema->dim[0]].name, address);
    else
        attach(e, schema, address);
    hdf5_close_object(&e->file);
    add_link(links, schema->name, address);
}

static void put_attribute(Encoder *e, const SchemaAttribute *attribute)
{
    const char *member = (const char *)e->clip + attribute->member;
    if (attribute->kind == ATTRIBUTE_NUMBER) {
        const double *number = (const double *)(const void *)member;
        if (schema_number_is_known(attribute, number))
            hdf5_put_numbers(&e->file, attribute->name, HDF5_FLOAT64, attribute->size > 1, attribute->size, number);
        return;
    }
    const char *text = member;
    if (attribute->kind == ATTRIBUTE_OWNED)
        memcpy(&text, member, sizeof text); /* NOLINT(clang-analyzer-core.NonNullParamChecker): in the clip */
    hdf5_put_text(&e->file, attribute->name, text ? text : "");
}

static int leaves_out(const Encoder *e, SchemaGroupId group)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == group && e->storage[i].is_left_out)
            return 1;
    return 0;
}

static void put_attributes(Encoder *e, SchemaGroupId group)
{
    if (group == GROUP_ROOT)
        hdf5_put_text(&e->file, "Conventions", CONTAINER_CONVENTIONS);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_attributes[i].group == group)
            put_attribute(e, &schema_attributes[i]);
    if (group == GROUP_ROOT) {
        hdf5_put_text(&e->file, "kane_version", KANE_VERSION);
        hdf5_put_text(&e->file, "checksum", e->checksums);
        if (e->left_out)
            hdf5_put_text(&e->file, "left_out", e->left_out);
    } else if (leaves_out(e, group)) {
        hdf5_put_text(&e->file, "note", LEFT_OUT_NOTE);
    }
}

static SchemaGroupId parent_group(SchemaGroupId group)
{
    return group >= GROUP_RUN ? GROUP_TRACKING : GROUP_ROOT;
}

/* Writes the content of a group, then the group; returns its address. */
static uint64_t put_group(Encoder *e, SchemaGroupId group)
{
    Links links = {.count = 0};
    put_dimensions(e, group, &links);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == group && e->has[i] && !(schema_datasets[i].flags & SCHEMA_LABELS))
            put_dataset(e, &schema_datasets[i], &links);
    for (int id = GROUP_ROOT + 1; id < GROUP_COUNT; id++) {
        if (parent_group((SchemaGroupId)id) != group || !schema_has_group(e->clip, (SchemaGroupId)id))
            continue;
        const char *name = schema_groups[id].name, *inner = strrchr(name, '/');
        add_link(&links, inner ? inner + 1 : name, put_group(e, (SchemaGroupId)id));
    }
    uint64_t address = hdf5_open_group(&e->file, links.link, links.count);
    put_attributes(e, group);
    hdf5_close_object(&e->file);
    return address;
}

static Status check_clip(const Clip *clip, Error *err)
{
    int frames = clip->motion.frame_count, joints = clip->skeleton.joint_count;
    if (frames <= 0 || joints <= 0)
        return error_set(err, STATUS_BAD_INPUT, "a clip without %s cannot be stored",
                         frames <= 0 ? "frames" : "joints");
    Status status = schema_check(clip, err);
    for (int j = 0; j < joints && !status; j++)
        if (!clip->skeleton.name[j])
            status = error_set(err, STATUS_INTERNAL, "joint %d has no name", j);
    for (int i = 0; clip->has_dof && i < clip->dof.count && !status; i++)
        if (!clip->dof.name[i])
            status = error_set(err, STATUS_INTERNAL, "degree of freedom %d has no name", i);
    return status;
}

/* Makes the checksums of a clip that the decoder accepts; the error names the last stage. */
static Status check_and_sum(const Clip *clip, const ContainerDef *def, char **checksums, Error *err)
{
    Error cause = {0}, value = {0};
    const char *history = clip->provenance.history, *last = history ? strrchr(history, '\n') : NULL;
    Status status = container_check(clip, NULL, &cause);
    if (!status)
        status = container_checksums(clip, def, checksums, &cause);
    else if (container_check_values(clip, ~0U, &value)) /* the reason of the other error, such as a length of NaN */
        cause = value;
    last = last ? last + 1 : history ? history : "";
    if (status)
        error_set(err, status, "%s: not written%s%.*s", cause.text, *last ? ", the last stage was kane " : "",
                  (int)strcspn(last, " "), last);
    return status;
}

/* Builds the file in e->file; arrays stay in the clip. Call encoder_free afterwards, also after failure. */
static Status encode(Encoder *e, const Clip *clip, const ContainerDef *def, Error *err)
{
    Status status;
    *e = (Encoder){.clip = clip};
    int is_short;
    if ((status = check_clip(clip, err)))
        return status;
    lean_storage(clip, def, e->storage);
    e->left_out = lean_list(e->storage, &is_short);
    if (is_short)
        return error_no_memory(err);
    if ((status = check_and_sum(clip, def, &e->checksums, err)))
        return status;
    size_t labels = (size_t)clip->skeleton.joint_count + COORDINATE_COUNT + (size_t)clip->dof.count +
                    (size_t)clip->shapes.count;
    if (!(e->text = calloc(labels, sizeof *e->text)))
        return error_no_memory(err);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        e->has[i] = schema_has_dataset(clip, &schema_datasets[i]) && !e->storage[i].is_left_out;
    hdf5_begin(&e->file, CONTAINER_CONVENTIONS);
    hdf5_end(&e->file, put_group(e, GROUP_ROOT));
    return e->file.failed ? error_no_memory(err) : STATUS_OK;
}

static void encoder_free(Encoder *e)
{
    hdf5_free(&e->file);
    free(e->text);
    free(e->checksums);
    free(e->left_out);
}

/* Sinks of hdf5_deliver. */
typedef struct FileSink {
    int descriptor;
    Status status;
    Error *err;
} FileSink;

static int put_to_file(void *to, struct iovec *piece, int count)
{
    FileSink *file = to;
    return !(file->status = write_pieces_fully(file->descriptor, piece, count, file->err));
}

static int put_to_image(void *to, struct iovec *piece, int count)
{
    ContainerImage *image = to;
    for (int i = 0; i < count; image->size += piece[i++].iov_len)
        memcpy(image->bytes + image->size, piece[i].iov_base, piece[i].iov_len);
    return 1;
}

static Status write_file(const Hdf5File *file, int descriptor, Error *err)
{
    FileSink sink = {descriptor, STATUS_OK, err};
    if (hdf5_deliver(file, put_to_file, &sink))
        return STATUS_OK;
    return sink.status ? sink.status : error_no_memory(err);
}

static Status write_image(const Hdf5File *file, ContainerImage *image, Error *err)
{
    image->bytes = array_space(hdf5_size(file), 1, 1);
    return image->bytes && hdf5_deliver(file, put_to_image, image) ? STATUS_OK : error_no_memory(err);
}

/* Writes the file to image, or to a descriptor if image is NULL. */
static Status deliver(const Clip *clip, const ContainerDef *def, int descriptor, ContainerImage *image, Error *err)
{
    Encoder encoder;
    Status status = encode(&encoder, clip, def, err);
    if (!status)
        status = image ? write_image(&encoder.file, image, err) : write_file(&encoder.file, descriptor, err);
    if (status && image)
        container_image_free(image);
    encoder_free(&encoder);
    return status;
}

Status container_encode(const Clip *clip, const ContainerDef *def, ContainerImage *image, Error *err)
{
    *image = (ContainerImage){0};
    return deliver(clip, def, -1, image, err);
}

Status container_write(const Clip *clip, const ContainerDef *def, int descriptor, Error *err)
{
    return deliver(clip, def, descriptor, NULL, err);
}

int container_begins(const void *bytes, size_t size)
{
    static const char file_signature[] = "\211HDF\r\n\032\n";
    return size >= sizeof file_signature - 1 && !memcmp(bytes, file_signature, sizeof file_signature - 1);
}

int container_has_ending(const char *name)
{
    static const char ending[] = ".h5";
    size_t length = strlen(name), size = sizeof ending - 1;
    return length > size && !strcasecmp(name + length - size, ending);
}
