/* What makes an HDF5 file a netCDF-4 file: attributes, dimension scales, creation order.
 *
 * The attributes of the dimension-scale specification are written directly: H5DSattach_scale rewrites the list of
 * references of a scale for every dataset attached to it, which costs more than all else in a small container.
 * Reference: HDF5 Dimension Scale Specification, 2005; netCDF-4 file format specification. */
#ifndef KANE_FORMATS_CONTAINER_NETCDF_H
#define KANE_FORMATS_CONTAINER_NETCDF_H

#include <hdf5.h>

#include "formats/container/container_schema.h"

/* Place of a dataset that uses a dimension: one entry of REFERENCE_LIST. */
typedef struct NetcdfUse {
    hobj_ref_t dataset;
    int dimension; /* 0-based axis of the dataset */
    int unused;    /* zero, so that no stray byte reaches the file */
} NetcdfUse;

typedef struct NetcdfWriter {
    hid_t file;
    hid_t text;      /* variable-length UTF-8 */
    hid_t scalar;
    hid_t group_properties;
    hid_t label_properties; /* datasets of text and dimensions without a variable */
    hid_t transfer;         /* a small conversion buffer: the default of 1 MB is cleared for every write */
    hobj_ref_t scale[DIM_COUNT];
    NetcdfUse use[DIM_COUNT][SCHEMA_DATASET_COUNT];
    int use_count[DIM_COUNT];
    int scale_count;
} NetcdfWriter;

/* File creation properties: creation order kept, no times of the clock. */
hid_t netcdf_file_properties(void);

/* Negative on failure; close releases what open made, not the file. */
int netcdf_open(NetcdfWriter *w, hid_t file);
void netcdf_close(NetcdfWriter *w);

/* The functions below return 0, or negative on failure. */
int netcdf_put_text(const NetcdfWriter *w, hid_t object, const char *name, const char *value);
int netcdf_put_numbers(const NetcdfWriter *w, hid_t object, const char *name, const double *value, size_t count);
int netcdf_describe(const NetcdfWriter *w, hid_t object, const char *units, const char *long_name);

/* What the bits of a dataset of TrustReason mean: flag_masks, of its own type, and flag_meanings (CF conventions
 * 3.5). */
int netcdf_put_reasons(const NetcdfWriter *w, hid_t object);

/* A dataset of labels, closed by the caller. */
hid_t netcdf_put_labels(const NetcdfWriter *w, hid_t group, const char *name, const char *const *label, hsize_t count);

/* A dimension of the root group: the scale is the variable of the labels, or a dataset without data where there are
 * none. */
int netcdf_put_dimension(NetcdfWriter *w, SchemaDim dim, const char *const *label, hsize_t count);

/* Makes a dataset of numbers, the first one along its dimension in its group, the coordinate variable of that: datasets
 * that are attached from then on have it as their dimension. */
int netcdf_put_scale(NetcdfWriter *w, hid_t dataset, SchemaDim dim);

/* Ends such a dimension of a group: writes the list of what uses it. */
int netcdf_end_scale(NetcdfWriter *w, hid_t group, SchemaDim dim);

/* Attaches the dimensions of a dataset. */
int netcdf_attach(NetcdfWriter *w, hid_t dataset, const SchemaDataset *schema);

/* Writes the lists of references of all scales: last. */
int netcdf_finish(NetcdfWriter *w);

#endif
