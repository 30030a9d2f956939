/* Writes clip files with libhdf5: the reference for formats/container/container_encode.c. Objects, links, types,
 * layouts and values are the same; the bytes differ. */
#ifndef KANE_TESTS_HDF5_ORACLE_H
#define KANE_TESTS_HDF5_ORACLE_H

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/version.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"
#include "formats/container/container_checksum.h"

/* Compressed arrays have chunks of as many frames as fit. */
enum { CHUNK_BYTES = 1 << 20 };

/* A dataset that uses a dimension: one entry of REFERENCE_LIST. */
typedef struct NetcdfUse {
    hobj_ref_t dataset;
    int dimension; /* 0-based axis of the dataset */
    int unused;    /* zero, so that no uninitialised byte reaches the file */
} NetcdfUse;

typedef struct NetcdfWriter {
    hid_t file;
    hid_t text;      /* variable-length UTF-8 */
    hid_t scalar;
    hid_t group_properties;
    hid_t label_properties; /* text datasets and dimensions without a variable */
    hobj_ref_t scale[DIM_COUNT];
    NetcdfUse use[DIM_COUNT][SCHEMA_DATASET_COUNT];
    int use_count[DIM_COUNT];
    int scale_count;
} NetcdfWriter;

enum { ORDERED = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED };

/* File creation properties: creation order tracked, no timestamps. */
static inline hid_t netcdf_file_properties(void)
{
    hid_t properties = H5Pcreate(H5P_FILE_CREATE);
    if (H5Pset_obj_track_times(properties, 0) < 0 || H5Pset_link_creation_order(properties, ORDERED) < 0 ||
        H5Pset_attr_creation_order(properties, ORDERED) < 0) {
        H5Pclose(properties);
        return -1;
    }
    return properties;
}

/* Dataset creation properties, likewise. */
static inline hid_t dataset_properties(void)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(properties, 0);
    H5Pset_attr_creation_order(properties, ORDERED);
    return properties;
}

/* Negative on failure; close releases what open created, but not the file. */
static inline int netcdf_open(NetcdfWriter *w, hid_t file)
{
    memset(w, 0, sizeof *w);
    w->file = file;
    w->text = H5Tcopy(H5T_C_S1);
    w->scalar = H5Screate(H5S_SCALAR);
    w->group_properties = H5Pcreate(H5P_GROUP_CREATE);
    w->label_properties = dataset_properties();
    if (H5Tset_size(w->text, H5T_VARIABLE) < 0 || H5Tset_cset(w->text, H5T_CSET_UTF8) < 0 ||
        H5Pset_obj_track_times(w->group_properties, 0) < 0 ||
        H5Pset_link_creation_order(w->group_properties, ORDERED) < 0 ||
        H5Pset_attr_creation_order(w->group_properties, ORDERED) < 0)
        return -1;
    return 0;
}

static inline void netcdf_close(NetcdfWriter *w)
{
    H5Tclose(w->text);
    H5Sclose(w->scalar);
    H5Pclose(w->group_properties);
    H5Pclose(w->label_properties);
}

static inline int put_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return -1;
    int result = H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    return result;
}

/* The functions below return 0, or negative on failure. */
static inline int netcdf_put_text(const NetcdfWriter *w, hid_t object, const char *name, const char *value)
{
    return put_attribute(object, name, w->text, w->scalar, &value);
}

static inline int netcdf_put_numbers(const NetcdfWriter *w, hid_t object, const char *name, const double *value,
                                     size_t count)
{
    if (count == 1)
        return put_attribute(object, name, H5T_IEEE_F64LE, w->scalar, value);
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    int result = put_attribute(object, name, H5T_IEEE_F64LE, space, value);
    H5Sclose(space);
    return result;
}

static inline int netcdf_describe(const NetcdfWriter *w, hid_t object, const char *units, const char *long_name)
{
    if (netcdf_put_text(w, object, "units", units) < 0)
        return -1;
    return netcdf_put_text(w, object, "long_name", long_name);
}

/* Attributes of a TrustReason dataset: flag_masks, of its own type, and flag_meanings (CF conventions 3.5), with the CF
 * standard name for quality flags. */
static inline int netcdf_put_reasons(const NetcdfWriter *w, hid_t object)
{
    uint32_t mask[TRUST_REASON_COUNT];
    char meanings[32 * TRUST_REASON_COUNT] = "";
    hsize_t count = TRUST_REASON_COUNT;
    for (int i = 0, n = 0; i < TRUST_REASON_COUNT; i++) {
        mask[i] = UINT32_C(1) << i;
        n += snprintf(meanings + n, sizeof meanings - (size_t)n, "%s%s", i ? " " : "", trust_reason_name(i));
    }
    hid_t space = H5Screate_simple(1, &count, NULL);
    int result = put_attribute(object, "flag_masks", H5T_STD_U32LE, space, mask);
    H5Sclose(space);
    if (result < 0 || netcdf_put_text(w, object, "standard_name", "quality_flag") < 0)
        return -1;
    return netcdf_put_text(w, object, "flag_meanings", meanings);
}

/* Returns a dataset of labels, which the caller closes. */
static inline hid_t netcdf_put_labels(const NetcdfWriter *w, hid_t group, const char *name, const char *const *label,
                               hsize_t count)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t dataset = H5Dcreate2(group, name, w->text, space, H5P_DEFAULT, w->label_properties, H5P_DEFAULT);
    H5Sclose(space);
    if (dataset >= 0 && H5Dwrite(dataset, w->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, label) < 0) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

/* A dimension without a variable: a dataset of big-endian floats without stored data, as in the netCDF library. */
static inline hid_t put_empty_scale(const NetcdfWriter *w, const char *name, hsize_t count)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t dataset = H5Dcreate2(w->file, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, w->label_properties, H5P_DEFAULT);
    H5Sclose(space);
    return dataset;
}

/* Writes fixed-length text, which the dimension-scale specification requires for CLASS and NAME. */
static inline int put_fixed_text(const NetcdfWriter *w, hid_t object, const char *name, const char *value)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    int result = H5Tset_size(type, strlen(value) + 1);
    if (result >= 0)
        result = put_attribute(object, name, type, w->scalar, value);
    H5Tclose(type);
    return result;
}

/* Makes a dataset the scale of a dimension. */
static inline int put_scale(NetcdfWriter *w, hid_t dataset, SchemaDim dim, const char *name)
{
    int id = w->scale_count++;
    if (put_fixed_text(w, dataset, "CLASS", "DIMENSION_SCALE") < 0 || put_fixed_text(w, dataset, "NAME", name) < 0 ||
        put_attribute(dataset, "_Netcdf4Dimid", H5T_STD_I32LE, w->scalar, &id) < 0)
        return -1;
    return H5Rcreate(&w->scale[dim], dataset, ".", H5R_OBJECT, -1);
}

/* Makes a dimension of a group or the root: the scale is the label variable, or a dataset without data if there are no
 * labels. */
static inline int netcdf_put_dimension(NetcdfWriter *w, hid_t group, SchemaDim dim, const char *const *label,
                                       hsize_t count)
{
    const SchemaDimension *schema = &schema_dimensions[dim];
    char name[80];
    if (label)
        snprintf(name, sizeof name, "%s", schema->name);
    else
        snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10llu",
                 (unsigned long long)count);
    hid_t dataset = label ? netcdf_put_labels(w, group, schema->name, label, count)
                          : put_empty_scale(w, schema->name, count);
    if (dataset < 0)
        return -1;
    int result = put_scale(w, dataset, dim, name);
    if (result >= 0)
        result = netcdf_describe(w, dataset, "1", label ? schema->long_name : schema->name);
    H5Dclose(dataset);
    return result;
}

/* Creates a numeric dataset; the first one along its group's dimension becomes its coordinate variable, to which later
 * datasets are attached. */
static inline int netcdf_put_scale(NetcdfWriter *w, hid_t dataset, SchemaDim dim)
{
    return put_scale(w, dataset, dim, schema_dimensions[dim].name);
}

/* Attaches a dataset to its dimensions. */
static inline int netcdf_attach(NetcdfWriter *w, hid_t dataset, const SchemaDataset *schema)
{
    hsize_t rank = (hsize_t)schema_rank(schema);
    hvl_t list[SCHEMA_MAX_RANK];
    hobj_ref_t self;
    if (H5Rcreate(&self, dataset, ".", H5R_OBJECT, -1) < 0)
        return -1;
    for (int i = 0; i < (int)rank; i++) {
        SchemaDim dim = schema->dim[i];
        list[i] = (hvl_t){1, &w->scale[dim]};
        w->use[dim][w->use_count[dim]++] = (NetcdfUse){self, i, 0};
    }
    hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &rank, NULL);
    int result = put_attribute(dataset, "DIMENSION_LIST", type, space, list);
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

/* Path of the dimension in the group of the scale. */
static inline int put_uses(const NetcdfWriter *w, hid_t group, SchemaDim dim)
{
    hsize_t count = (hsize_t)w->use_count[dim];
    hid_t dataset = H5Dopen2(group, schema_dimensions[dim].name, H5P_DEFAULT);
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(NetcdfUse)), space = H5Screate_simple(1, &count, NULL);
    int result = dataset < 0 ? -1 : H5Tinsert(type, "dataset", offsetof(NetcdfUse, dataset), H5T_STD_REF_OBJ);
    if (result >= 0)
        result = H5Tinsert(type, "dimension", offsetof(NetcdfUse, dimension), H5T_NATIVE_INT);
    if (result >= 0)
        result = put_attribute(dataset, "REFERENCE_LIST", type, space, w->use[dim]);
    H5Sclose(space);
    H5Tclose(type);
    if (dataset >= 0)
        H5Dclose(dataset);
    return result;
}

/* Finishes a dimension of a group: writes the list of datasets that use it. */
static inline int netcdf_end_scale(NetcdfWriter *w, hid_t group, SchemaDim dim)
{
    int result = w->use_count[dim] > 0 ? put_uses(w, group, dim) : 0;
    w->use_count[dim] = 0;
    return result;
}

/* Writes the reference lists of all scales, as the last step. */
static inline int netcdf_finish(NetcdfWriter *w)
{
    int result = 0;
    for (int dim = 0; dim < DIM_COUNT && result >= 0; dim++)
        result = netcdf_end_scale(w, w->file, (SchemaDim)dim);
    return result;
}

typedef struct Encoder {
    const Clip *clip;
    const ContainerDef *def;
    NetcdfWriter netcdf;
    char *checksums;   /* of the clip, owned */
    const char **text; /* scratch: labels of one dataset */
} Encoder;

static inline hid_t file_type(const SchemaDataset *dataset, int float32)
{
    switch (dataset->element) {
    case ELEMENT_INT: return H5T_STD_I32LE;
    case ELEMENT_BYTE: return H5T_STD_U8LE;
    case ELEMENT_BITS: return H5T_STD_U32LE;
    default: return float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    }
}

static inline int put_attributes(const Encoder *e, hid_t object, SchemaGroupId group)
{
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++) {
        const SchemaAttribute *attribute = &schema_attributes[i];
        const char *member = (const char *)e->clip + attribute->member;
        if (attribute->group != group)
            continue;
        int result = 0;
        if (attribute->kind == ATTRIBUTE_NUMBER && schema_number_is_known(attribute, (const double *)member)) {
            result = netcdf_put_numbers(&e->netcdf, object, attribute->name, (const double *)member, attribute->size);
        } else if (attribute->kind != ATTRIBUTE_NUMBER) {
            const char *text = member;
            if (attribute->kind == ATTRIBUTE_OWNED)
                memcpy(&text, member, sizeof text); /* NOLINT(clang-analyzer-core.NonNullParamChecker): in the clip */
            result = netcdf_put_text(&e->netcdf, object, attribute->name, text ? text : "");
        }
        if (result < 0)
            return -1;
    }
    return 0;
}

static const char *const *dataset_labels(const Encoder *e, const SchemaDataset *schema, size_t count)
{
    for (size_t i = 0; i < count; i++)
        e->text[i] = schema_label(e->clip, schema, i);
    return e->text;
}

static inline int put_dimensions(Encoder *e, hid_t group, SchemaGroupId id)
{
    for (int dim = DIM_NONE + 1; dim < DIM_COUNT; dim++) {
        if (dim == DIM_FRAME || schema_dim_group((SchemaDim)dim) != id) /* frames: each group has its own variable */
            continue;
        size_t count = schema_dim_size(e->clip, (SchemaDim)dim);
        const char *const *label = schema_dimensions[dim].label[0] ? schema_dimensions[dim].label : NULL;
        int used = 0;
        for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
            const SchemaDataset *schema = &schema_datasets[i];
            for (int k = 0; k < schema_rank(schema); k++)
                used |= (int)schema->dim[k] == dim && schema_has_dataset(e->clip, schema);
            if (schema->flags & SCHEMA_LABELS && (int)schema->dim[0] == dim && used)
                label = dataset_labels(e, schema, count);
        }
        if (used && netcdf_put_dimension(&e->netcdf, group, (SchemaDim)dim, label, count) < 0)
            return -1;
    }
    return 0;
}

static inline hid_t put_text(const Encoder *e, hid_t group, const SchemaDataset *schema)
{
    size_t count = schema_dim_size(e->clip, schema->dim[0]);
    return netcdf_put_labels(&e->netcdf, group, schema->name, dataset_labels(e, schema, count), count);
}

/* Compression: shuffle, then deflate, in chunks of whole frames. */
static inline int set_compression(hid_t properties, int level, int rank, const hsize_t *size)
{
    hsize_t chunk[SCHEMA_MAX_RANK], row = sizeof(double);
    for (int i = 1; i < rank; i++)
        row *= chunk[i] = size[i];
    hsize_t frames = CHUNK_BYTES / row;
    chunk[0] = frames < 1 ? 1 : frames < size[0] ? frames : size[0];
    if (H5Pset_chunk(properties, rank, chunk) < 0 || H5Pset_shuffle(properties) < 0)
        return -1;
    return H5Pset_deflate(properties, (unsigned)level);
}

/* Contiguous arrays are allocated early and not filled. */
static inline hid_t put_array(Encoder *e, hid_t group, const SchemaDataset *schema)
{
    int rank = schema_rank(schema), trajectory = schema_is_trajectory(schema);
    int compress = trajectory && e->def->compress > 0;
    hsize_t size[SCHEMA_MAX_RANK] = {1};
    for (int i = 0; i < rank; i++)
        size[i] = schema_dim_size(e->clip, schema->dim[i]);
    hid_t properties = dataset_properties(), space = H5Screate_simple(rank, size, NULL), dataset = -1;
    int result = H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    if (result >= 0)
        result = compress ? set_compression(properties, e->def->compress, rank, size)
                          : H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    if (result >= 0)
        dataset = H5Dcreate2(group, schema->name, file_type(schema, trajectory && e->def->float32), space, H5P_DEFAULT,
                             properties, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(properties);
    if (dataset >= 0 && H5Dwrite(dataset, file_type(schema, 0), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                 schema_array(e->clip, schema)) < 0) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

static inline int put_dataset(Encoder *e, hid_t group, const SchemaDataset *schema)
{
    if (!schema_has_dataset(e->clip, schema) || schema->flags & SCHEMA_LABELS) /* stored by the scale */
        return 0;
    hid_t dataset = schema_is_text(schema->element) ? put_text(e, group, schema) : put_array(e, group, schema);
    if (dataset < 0)
        return -1;
    int result = netcdf_describe(&e->netcdf, dataset, schema->units, schema->long_name);
    if (result >= 0 && schema->flags & SCHEMA_REASONS)
        result = netcdf_put_reasons(&e->netcdf, dataset);
    if (result >= 0)
        result = schema->flags & SCHEMA_SCALE ? netcdf_put_scale(&e->netcdf, dataset, schema->dim[0])
                                              : netcdf_attach(&e->netcdf, dataset, schema);
    H5Dclose(dataset);
    return result;
}

static inline int put_group(Encoder *e, SchemaGroupId id)
{
    if (!schema_has_group(e->clip, id))
        return 0;
    hid_t group = id == GROUP_ROOT ? H5Gopen2(e->netcdf.file, "/", H5P_DEFAULT)
                                   : H5Gcreate2(e->netcdf.file, schema_groups[id].name, H5P_DEFAULT,
                                                e->netcdf.group_properties, H5P_DEFAULT);
    if (group < 0)
        return -1;
    int result = 0;
    if (id == GROUP_ROOT)
        result = netcdf_put_text(&e->netcdf, group, "Conventions", CONTAINER_CONVENTIONS);
    if (result >= 0)
        result = put_attributes(e, group, id);
    if (result >= 0 && id == GROUP_ROOT)
        result = netcdf_put_text(&e->netcdf, group, "kane_version", KANE_VERSION);
    if (result >= 0 && id == GROUP_ROOT)
        result = netcdf_put_text(&e->netcdf, group, "checksum", e->checksums);
    if (result >= 0)
        result = put_dimensions(e, group, id);
    for (int i = 0; i < SCHEMA_DATASET_COUNT && result >= 0; i++)
        if (schema_datasets[i].group == id)
            result = put_dataset(e, group, &schema_datasets[i]);
    for (int dim = DIM_NONE + 1; dim < DIM_COUNT && result >= 0 && id != GROUP_ROOT; dim++)
        if (dim == DIM_FRAME || schema_dim_group((SchemaDim)dim) == id)
            result = netcdf_end_scale(&e->netcdf, group, (SchemaDim)dim);
    H5Gclose(group);
    return result;
}

static inline int put_all(Encoder *e, hid_t file)
{
    int result = netcdf_open(&e->netcdf, file);
    for (int id = 0; id < GROUP_COUNT && result >= 0; id++)
        result = put_group(e, (SchemaGroupId)id);
    if (result >= 0)
        result = netcdf_finish(&e->netcdf);
    netcdf_close(&e->netcdf);
    return result;
}

/* Writes the clip to a new file; negative on failure. */
static inline int oracle_write(const Clip *clip, const ContainerDef *def, const char *path)
{
    Encoder encoder = {.clip = clip, .def = def};
    size_t labels = (size_t)clip->skeleton.joint_count + COORDINATE_COUNT + (size_t)clip->dof.count +
                    (size_t)clip->shapes.count;
    hid_t properties = netcdf_file_properties(), file = -1;
    int result = -1;
    encoder.text = calloc(labels, sizeof *encoder.text);
    if (encoder.text && !container_checksums(clip, def, &encoder.checksums, NULL))
        file = H5Fcreate(path, H5F_ACC_TRUNC, properties, H5P_DEFAULT);
    if (file >= 0)
        result = put_all(&encoder, file);
    if (file >= 0 && H5Fclose(file) < 0)
        result = -1;
    H5Pclose(properties);
    free(encoder.text);
    free(encoder.checksums);
    return result;
}

#endif
