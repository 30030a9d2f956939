/* The table of export formats: name, writer of the whole clip, form of its tables; and npz, in a zip archive.
 * export_table.c and export_opensim.c write the tables. */
#include "formats/export/export.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip_schema.h"
#include "formats/base/text.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/gltf/gltf_clip.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"

typedef Status WriteClip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

typedef struct Format {
    const char *name;
    WriteClip *write; /* export_clip */
    int has_tables;   /* 1: can also contain moments and ground forces */
    RowForm form;   /* form of these tables; ROW_STORAGE has no wide table */
} Format;

static WriteClip write_long, write_npz, write_bvh, write_glb;

static const Format formats[] = {
    [EXPORT_CSV] = {"csv", write_long, 1, ROW_CSV},
    [EXPORT_TSV] = {"tsv", write_long, 1, ROW_TSV},
    [EXPORT_JSONL] = {"jsonl", write_long, 1, ROW_JSONL},
    [EXPORT_NPZ] = {.name = "npz", .write = write_npz},
    [EXPORT_BVH] = {.name = "bvh", .write = write_bvh},
    [EXPORT_MOT] = {"mot", export_grf, 1, ROW_STORAGE},
    [EXPORT_STO] = {"sto", export_moments, 1, ROW_STORAGE},
    [EXPORT_GLB] = {.name = "glb", .write = write_glb},
};
_Static_assert(sizeof formats / sizeof *formats == EXPORT_FORMAT_COUNT, "a format has no row");

const char *export_format_name(ExportFormat format)
{
    return (unsigned)format < EXPORT_FORMAT_COUNT ? formats[format].name : NULL;
}

int export_format_from_name(const char *name, ExportFormat *format)
{
    for (int i = 0; i < EXPORT_FORMAT_COUNT; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *format = (ExportFormat)i;
            return 1;
        }
    return 0;
}

static Status write_long(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    return export_table_long(clip, formats[def->format].form, def->frame, stream, err);
}

static Status write_npz(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    (void)def;
    return export_npz(clip, stream, err);
}

static Status write_glb(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    (void)def;
    const GltfDef gltf = {def->frames, def->colour, def->camera, def->ball, def->ball_radius};
    return gltf_write_clip(clip, &gltf, stream, err);
}

static Status write_like(const Clip *clip, const char *path, FILE *stream, Error *err)
{
    SourceDef limits = source_default_def();
    Source like;
    Status status = error_of_file(err, path, source_open(path, &limits, &like, err));
    if (status)
        return status;
    status = error_of_file(err, path, source_require(&like, &source_bvh, err));
    if (!status)
        status = bvh_write_like(clip, &like.file, stream, err);
    source_close(&like);
    return status;
}

static Status write_own(const Clip *clip, FILE *stream, Error *err)
{
    Bvh bvh;
    Status status = bvh_from_clip(clip, &bvh, err);
    if (status)
        return status;
    status = bvh_write(&bvh, stream, err);
    bvh_free(&bvh);
    return status;
}

static Status write_bvh(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    Status status = def->like ? write_like(clip, def->like, stream, err) : write_own(clip, stream, err);
    if (!status && fflush(stream))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}

/* Returns the row of the format, or NULL if there is none. */
static const Format *format_of(const ExportDef *def)
{
    return (unsigned)def->format < EXPORT_FORMAT_COUNT ? &formats[def->format] : NULL;
}

static Status no_such_format(Error *err)
{
    return error_set(err, STATUS_USAGE, "no such export format");
}

Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    const Format *format = format_of(def);
    return format ? format->write(clip, def, stream, err) : no_such_format(err);
}

/* Returns the form of a table; STATUS_USAGE if the format cannot contain it. */
static Status form_of(const ExportDef *def, const char *what, int has_storage, RowForm *form, Error *err)
{
    const Format *format = format_of(def);
    if (!format)
        return no_such_format(err);
    if (!format->has_tables || (format->form == ROW_STORAGE && !has_storage))
        return error_set(err, STATUS_USAGE, "%s cannot be converted to %s", what, format->name);
    *form = format->form;
    return STATUS_OK;
}

Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "a wide table", 0, &form, err);
    return status ? status : export_table_wide(clip, form, def->frame, stream, err);
}

Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "joint moments", 1, &form, err);
    if (status)
        return status;
    int of_coordinates = def->names == EXPORT_NAMES_OPENSIM && !export_has_dofs(clip, clip->dof.effort);
    return of_coordinates ? export_opensim_moments(clip, form, stream, err)
                          : export_table_moments(clip, form, def->frame, stream, err);
}

Status export_camera(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "a camera", 0, &form, err);
    return status ? status : export_table_camera(clip, form, &def->camera, stream, err);
}

Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "ground forces", 1, &form, err);
    return status ? status : export_table_forces(clip, form, def->airborne, stream, err);
}

Status export_angles(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "joint angles", 1, &form, err);
    if (status)
        return status;
    if (export_has_dofs(clip, clip->dof.position))
        return export_table_positions(clip, form, stream, err);
    return def->names == EXPORT_NAMES_OPENSIM ? export_opensim_angles(clip, form, stream, err)
                                              : export_table_angles(clip, form, stream, err);
}

Status export_anatomy(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = form_of(def, "a table of coordinates", 0, &form, err);
    return status ? status : export_table_anatomy(clip, form, stream, err);
}

/* The .npy entries. Reference: numpy, "The NPY format", version 1.0: magic, version, length of the header, a Python
 * dictionary padded so that the data start at a multiple of 64. */

/* Writes a zip archive of stored (uncompressed) entries to a stream that need not be seekable. */

enum { LOCAL_HEADER = 30, CENTRAL_HEADER = 46, END_RECORD = 22 };
enum { NO_DAY = 1 << 5 | 1 }; /* 1980-01-01, the first date of zip; a fixed date makes equal clips equal bytes */

/* Remainders for slicing-by-8: remainder[k][b] is that of byte b followed by k zero bytes, so that eight bytes cost
 * eight look-ups. */
typedef struct CrcTable {
    uint32_t remainder[8][256];
} CrcTable;

static void fill_table(CrcTable *table)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        table->remainder[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++) {
            uint32_t c = table->remainder[k - 1][i];
            table->remainder[k][i] = c >> 8 ^ table->remainder[0][c & 255];
        }
}

uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size)
{
    CrcTable table;
    const unsigned char *at = bytes;
    fill_table(&table);
    crc = ~crc;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t next = 0;
        crc ^= at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        for (int i = 0; i < 4; i++)
            next ^= table.remainder[7 - i][crc >> (8 * i) & 255] ^ table.remainder[3 - i][at[4 + i]];
        crc = next;
    }
    for (; size > 0; size--, at++)
        crc = crc >> 8 ^ table.remainder[0][(crc ^ *at) & 255];
    return ~crc;
}

static void put(Zip *zip, const void *bytes, size_t size)
{
    if (size > 0)
        fwrite(bytes, 1, size, zip->stream);
    zip->size += size;
}

/* Stores a little-endian number of count bytes; returns the end. */
static unsigned char *store(unsigned char *to, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

/* Stores the fields that both headers of an entry share: version 2.0, flags, method stored, time, CRC, sizes, lengths
 * of name and extra field. */
static unsigned char *store_entry(unsigned char *to, const ZipEntry *entry)
{
    to = store(to, 20, 2);
    to = store(to, 0, 2);
    to = store(to, 0, 2);
    to = store(to, 0, 2);
    to = store(to, NO_DAY, 2);
    to = store(to, entry->crc, 4);
    to = store(to, entry->size, 4);
    to = store(to, entry->size, 4);
    to = store(to, (uint32_t)strlen(entry->name), 2);
    return store(to, 0, 2);
}

void zip_begin(Zip *zip, FILE *stream)
{
    *zip = (Zip){.stream = stream};
}

Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err)
{
    unsigned char header[LOCAL_HEADER];
    uint64_t size = (uint64_t)head.size + body.size;
    if (size > UINT32_MAX - 65536 || zip->size + size > UINT32_MAX - 65536 || zip->entry_count == ZIP_MAX_ENTRIES)
        return error_set(err, STATUS_LIMIT, "the archive would pass 4 GB");
    ZipEntry *entry = &zip->entry[zip->entry_count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->offset = (uint32_t)zip->size;
    entry->size = (uint32_t)size;
    entry->crc = zip_crc(zip_crc(0, head.at, head.size), body.at, body.size);
    store_entry(store(header, 0x04034b50, 4), entry);
    put(zip, header, sizeof header);
    put(zip, entry->name, strlen(entry->name));
    put(zip, head.at, head.size);
    put(zip, body.at, body.size);
    return STATUS_OK;
}

static void put_directory_entry(Zip *zip, const ZipEntry *entry)
{
    unsigned char header[CENTRAL_HEADER];
    unsigned char *to = store(store(header, 0x02014b50, 4), 20, 2);
    to = store_entry(to, entry);
    to = store(to, 0, 2); /* comment */
    to = store(to, 0, 2); /* disk */
    to = store(to, 0, 2); /* internal attributes */
    to = store(to, 0, 4); /* external attributes */
    store(to, entry->offset, 4);
    put(zip, header, sizeof header);
    put(zip, entry->name, strlen(entry->name));
}

Status zip_finish(Zip *zip, Error *err)
{
    uint32_t start = (uint32_t)zip->size;
    for (int i = 0; i < zip->entry_count; i++)
        put_directory_entry(zip, &zip->entry[i]);
    unsigned char end[END_RECORD];
    unsigned char *to = store(store(end, 0x06054b50, 4), 0, 4);
    to = store(to, (uint32_t)zip->entry_count, 2);
    to = store(to, (uint32_t)zip->entry_count, 2);
    to = store(to, (uint32_t)zip->size - start, 4);
    to = store(to, start, 4);
    store(to, 0, 2);
    put(zip, end, sizeof end);
    if (fflush(zip->stream) || ferror(zip->stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

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
    return group >= GROUP_RUN || group == GROUP_ANATOMY || group == GROUP_DOF || group == GROUP_SIMULATION ||
           group == GROUP_PARTICLES || group == GROUP_SHAPES;
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
