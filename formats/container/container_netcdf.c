#include "formats/container/container_netcdf.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the buffer for converting text. */
enum { CONVERSION_BUFFER = 16384 };
enum { ORDERED = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED };

hid_t netcdf_file_properties(void)
{
    hid_t properties = H5Pcreate(H5P_FILE_CREATE);
    if (H5Pset_obj_track_times(properties, 0) < 0 || H5Pset_link_creation_order(properties, ORDERED) < 0 ||
        H5Pset_attr_creation_order(properties, ORDERED) < 0) {
        H5Pclose(properties);
        return -1;
    }
    return properties;
}

int netcdf_open(NetcdfWriter *w, hid_t file)
{
    memset(w, 0, sizeof *w);
    w->file = file;
    w->text = H5Tcopy(H5T_C_S1);
    w->scalar = H5Screate(H5S_SCALAR);
    w->group_properties = H5Pcreate(H5P_GROUP_CREATE);
    w->label_properties = H5Pcreate(H5P_DATASET_CREATE);
    w->transfer = H5Pcreate(H5P_DATASET_XFER);
    if (H5Tset_size(w->text, H5T_VARIABLE) < 0 || H5Tset_cset(w->text, H5T_CSET_UTF8) < 0 ||
        H5Pset_obj_track_times(w->group_properties, 0) < 0 || H5Pset_obj_track_times(w->label_properties, 0) < 0 ||
        H5Pset_buffer(w->transfer, CONVERSION_BUFFER, NULL, NULL) < 0 ||
        H5Pset_link_creation_order(w->group_properties, ORDERED) < 0 ||
        H5Pset_attr_creation_order(w->group_properties, ORDERED) < 0)
        return -1;
    return 0;
}

void netcdf_close(NetcdfWriter *w)
{
    H5Tclose(w->text);
    H5Sclose(w->scalar);
    H5Pclose(w->group_properties);
    H5Pclose(w->label_properties);
    H5Pclose(w->transfer);
}

static int put_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return -1;
    int result = H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    return result;
}

int netcdf_put_text(const NetcdfWriter *w, hid_t object, const char *name, const char *value)
{
    return put_attribute(object, name, w->text, w->scalar, &value);
}

int netcdf_put_numbers(const NetcdfWriter *w, hid_t object, const char *name, const double *value, size_t count)
{
    if (count == 1)
        return put_attribute(object, name, H5T_IEEE_F64LE, w->scalar, value);
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    int result = put_attribute(object, name, H5T_IEEE_F64LE, space, value);
    H5Sclose(space);
    return result;
}

int netcdf_describe(const NetcdfWriter *w, hid_t object, const char *units, const char *long_name)
{
    if (netcdf_put_text(w, object, "units", units) < 0)
        return -1;
    return netcdf_put_text(w, object, "long_name", long_name);
}

int netcdf_put_reasons(const NetcdfWriter *w, hid_t object)
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
    return result < 0 ? result : netcdf_put_text(w, object, "flag_meanings", meanings);
}

hid_t netcdf_put_labels(const NetcdfWriter *w, hid_t group, const char *name, const char *const *label, hsize_t count)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t dataset = H5Dcreate2(group, name, w->text, space, H5P_DEFAULT, w->label_properties, H5P_DEFAULT);
    H5Sclose(space);
    if (dataset >= 0 && H5Dwrite(dataset, w->text, H5S_ALL, H5S_ALL, w->transfer, label) < 0) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

/* A dimension without a variable: big-endian floats that are never stored, as the netCDF library makes it. */
static hid_t put_empty_scale(const NetcdfWriter *w, const char *name, hsize_t count)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t dataset = H5Dcreate2(w->file, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, w->label_properties, H5P_DEFAULT);
    H5Sclose(space);
    return dataset;
}

/* Fixed-length text, as the dimension-scale specification wants CLASS and NAME. */
static int put_fixed_text(const NetcdfWriter *w, hid_t object, const char *name, const char *value)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    int result = H5Tset_size(type, strlen(value) + 1);
    if (result >= 0)
        result = put_attribute(object, name, type, w->scalar, value);
    H5Tclose(type);
    return result;
}

/* What makes a dataset the scale of a dimension. */
static int put_scale(NetcdfWriter *w, hid_t dataset, SchemaDim dim, const char *name)
{
    int id = w->scale_count++;
    if (put_fixed_text(w, dataset, "CLASS", "DIMENSION_SCALE") < 0 || put_fixed_text(w, dataset, "NAME", name) < 0 ||
        put_attribute(dataset, "_Netcdf4Dimid", H5T_STD_I32LE, w->scalar, &id) < 0)
        return -1;
    return H5Rcreate(&w->scale[dim], dataset, ".", H5R_OBJECT, -1);
}

int netcdf_put_dimension(NetcdfWriter *w, SchemaDim dim, const char *const *label, hsize_t count)
{
    const SchemaDimension *schema = &schema_dimensions[dim];
    char name[80];
    if (label)
        snprintf(name, sizeof name, "%s", schema->name);
    else
        snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10llu",
                 (unsigned long long)count);
    hid_t dataset = label ? netcdf_put_labels(w, w->file, schema->name, label, count)
                          : put_empty_scale(w, schema->name, count);
    if (dataset < 0)
        return -1;
    int result = put_scale(w, dataset, dim, name);
    if (result >= 0)
        result = netcdf_describe(w, dataset, "1", label ? schema->long_name : schema->name);
    H5Dclose(dataset);
    return result;
}

int netcdf_put_scale(NetcdfWriter *w, hid_t dataset, SchemaDim dim)
{
    return put_scale(w, dataset, dim, schema_dimensions[dim].name);
}

int netcdf_attach(NetcdfWriter *w, hid_t dataset, const SchemaDataset *schema)
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

/* In the group that holds the scale. */
static int put_uses(const NetcdfWriter *w, hid_t group, SchemaDim dim)
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

int netcdf_end_scale(NetcdfWriter *w, hid_t group, SchemaDim dim)
{
    int result = w->use_count[dim] > 0 ? put_uses(w, group, dim) : 0;
    w->use_count[dim] = 0;
    return result;
}

int netcdf_finish(NetcdfWriter *w)
{
    int result = 0;
    for (int dim = 0; dim < DIM_COUNT && result >= 0; dim++)
        result = netcdf_end_scale(w, w->file, (SchemaDim)dim);
    return result;
}
