/* See npz.h. The .npy entries: numpy, "The NPY format", version 1.0: magic, version, length of the header, a Python
 * dictionary padded so that the data start at a multiple of 64. */
#include "formats/export/npz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip_schema.h"
#include "formats/base/text.h"
#include "formats/export/zip.h"

enum { NPY_PREFIX = 10, NPY_HEADER = 192 };

/* Writes the header of an array of type "<f8" etc. to head[NPY_HEADER]. */
static void npy_header(char *head, const char *type, int rank, const size_t *size)
{
    char shape[80] = "";
    for (int i = 0; i < rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu%s", size[i],
                 i + 1 < rank ? ", " : rank == 1 ? "," : "");
    memset(head, ' ', NPY_HEADER);
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)(NPY_HEADER - NPY_PREFIX);
    head[9] = 0;
    int length = snprintf(head + NPY_PREFIX, NPY_HEADER - NPY_PREFIX,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    head[NPY_PREFIX + length] = ' ';
    head[NPY_HEADER - 1] = '\n';
}

/* Returns the code point at *text and advances; an invalid UTF-8 byte becomes U+FFFD. */
static uint32_t next_code_point(const char **text)
{
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *c = (const unsigned char *)*text;
    int length = utf8_length(c, strlen(*text));
    *text += length ? length : 1;
    if (length == 0)
        return 0xFFFD;
    uint32_t code = c[0] & lead_bits[length];
    for (int i = 1; i < length; i++)
        code = code << 6 | (c[i] & 0x3Fu);
    return code;
}

/* Writes labels as numpy's "<U": UTF-32, padded with zeros to equal length. */
static Status put_labels(Zip *zip, const char *name, const Clip *clip, const SchemaDataset *schema, Error *err)
{
    size_t count = schema_dim_size(clip, schema->dim[0]), width = 1;
    char head[NPY_HEADER], type[32];
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(schema_label(clip, schema, i));
        width = length > width ? length : width;
    }
    uint32_t *text = array_new(count, width, sizeof *text);
    if (!text)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        const char *label = schema_label(clip, schema, i);
        for (size_t k = 0; *label; k++)
            text[i * width + k] = next_code_point(&label);
    }
    snprintf(type, sizeof type, "<U%zu", width);
    npy_header(head, type, 1, &count);
    Status status = zip_put(zip, name, (ZipBytes){head, sizeof head}, (ZipBytes){text, count * width * sizeof *text},
                            err);
    free(text);
    return status;
}

static Status put_array(Zip *zip, const char *name, const Clip *clip, const SchemaDataset *schema, Error *err)
{
    static const char *const type[] = {[ELEMENT_DOUBLE] = "<f8", [ELEMENT_INT] = "<i4", [ELEMENT_BYTE] = "|u1",
                                      [ELEMENT_BITS] = "<u4"};
    char head[NPY_HEADER];
    size_t size[SCHEMA_MAX_RANK];
    int rank = schema_rank(schema);
    for (int i = 0; i < rank; i++)
        size[i] = schema_dim_size(clip, schema->dim[i]);
    npy_header(head, type[schema->element], rank, size);
    ZipBytes bytes = {schema_array(clip, schema), schema_count(clip, schema) * schema_element_size(schema->element)};
    return zip_put(zip, name, (ZipBytes){head, sizeof head}, bytes, err);
}

/* Returns 1 for groups whose arrays always have the group as prefix, so that adding a group does not rename existing
 * entries. */
static int is_always_named(SchemaGroupId group)
{
    return group == GROUP_DOF || (group > GROUP_DYNAMICS && group != GROUP_TRACKING);
}

/* Makes the name of an entry, "torque.npy". The group is a prefix if another group has an array of this name, and
 * always for controllers ("tracking_kane_torque.npy") and the groups of is_always_named, but never for the root group:
 * "time.npy". */
static void entry_name(const SchemaDataset *schema, char *name, size_t size)
{
    int shared = is_always_named(schema->group) ? 2 : 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        shared += !is_always_named(schema_datasets[i].group) && !(schema_datasets[i].flags & SCHEMA_COPY) &&
                  strcmp(schema_datasets[i].name, schema->name) == 0;
    if (shared > 1 && schema->group != GROUP_ROOT && !(schema->flags & SCHEMA_LABELS))
        snprintf(name, size, "%s_%s.npy", schema_groups[schema->group].name, schema->name);
    else
        snprintf(name, size, "%s.npy", schema->name);
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '_'; /* a slash would make a folder in the archive */
}

Status export_npz(const Clip *clip, FILE *stream, Error *err)
{
    Zip zip;
    Status status = STATUS_OK;
    zip_begin(&zip, stream);
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        char name[64];
        entry_name(schema, name, sizeof name);
        if (!schema_has_dataset(clip, schema) || schema->flags & SCHEMA_COPY)
            continue;
        status = schema_is_text(schema->element)
                     ? put_labels(&zip, name, clip, schema, err)
                     : put_array(&zip, name, clip, schema, err);
    }
    return status ? status : zip_finish(&zip, err);
}
