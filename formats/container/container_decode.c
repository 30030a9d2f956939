/* Decodes a clip file: libhdf5 finds the layout, in this process or in a child; its result is checked here, and arrays
 * are copied directly from the image. This file does not call libhdf5, so a layout from a child process is all that
 * untrusted bytes determine. Cost: one pass over the data. */
#include "analysis/math/passes.h"
#include "formats/container/container_guard.h"
#include "formats/container/container_layout.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/container/container_checksum.h"
#include "formats/container/container_check.h"
#include "formats/container/container_restore.h"

/* ---- Layout to clip ---- */

/* Values copied and checked at a time, while they are in the cache. */
enum { COPY_BLOCK = 1024 };

typedef struct Assembler {
    const ContainerImage *image;
    const ContainerLayout *layout;
    const Scratch *scratch;
    Clip *clip;
    ContainerFindings *findings; /* NULL: stop at the first one */
    Error *err;
} Assembler;

static Status bad(const Assembler *a, const SchemaDataset *schema, const char *what)
{
    char path[64];
    schema_path(schema, path, sizeof path);
    return error_set(a->err, STATUS_BAD_INPUT, "%s %s", path, what);
}

static Status note(const Assembler *a, Status status)
{
    return container_note(a->findings, status, a->err);
}

/* Returns the bytes of an extent, NULL if it is out of bounds. */
static const unsigned char *extent_bytes(const Assembler *a, const Extent *extent)
{
    int scratch = extent->source == EXTENT_SCRATCH;
    const unsigned char *bytes = scratch ? a->scratch->bytes : a->image->bytes;
    uint64_t size = scratch ? a->scratch->size : a->image->size;
    int is_there = extent->source != EXTENT_ABSENT && extent->source != EXTENT_LEFT_OUT;
    if (!is_there || extent->offset > size || extent->size > size - extent->offset)
        return NULL;
    return bytes + extent->offset;
}

static Status copy_doubles(const Assembler *a, const SchemaDataset *schema, const Extent *extent, double *to,
                           size_t count)
{
    const unsigned char *from = extent_bytes(a, extent);
    size_t width = extent->source == EXTENT_IMAGE_FLOAT32 ? sizeof(float) : sizeof(double);
    for (size_t i = 0; i < count; i += COPY_BLOCK) {
        size_t block = count - i < COPY_BLOCK ? count - i : COPY_BLOCK;
        if (width == sizeof(double)) {
            memcpy(to + i, from + i * width, block * width);
        } else {
            float narrow[COPY_BLOCK];
            memcpy(narrow, from + i * width, block * width);
            for (size_t k = 0; k < block; k++)
                to[i + k] = narrow[k];
        }
        if (!(schema->flags & SCHEMA_GAPS) && !values_finite(to + i, block))
            return container_not_finite(a->clip, schema, i, a->err);
    }
    return STATUS_OK;
}

static Status copy_labels(const Assembler *a, const SchemaDataset *schema, const char *text, size_t size, size_t count)
{
    const char *end = text + size;
    for (size_t i = 0; i < count; i++) {
        size_t left = (size_t)(end - text), length = strnlen(text, left);
        if (length == left)
            return bad(a, schema, "is damaged");
        if (schema->element == ELEMENT_NAME) {
            if (!(((char **)schema_array(a->clip, schema))[i] = strdup(text)))
                return error_no_memory(a->err);
        } else if (schema->element == ELEMENT_DOF_KIND) {
            if (!dof_kind_from_name(text, (DofKind *)schema_array(a->clip, schema) + i))
                return bad(a, schema, "names a kind that is not known");
        } else if (schema->element == ELEMENT_SHAPE_KIND) {
            if (!shape_kind_from_name(text, (ShapeKind *)schema_array(a->clip, schema) + i))
                return bad(a, schema, "names a kind that is not known");
        } else if (schema->element == ELEMENT_ROLE) {
            Role role = role_from_name(text);
            if (role == ROLE_NONE && length > 0)
                return bad(a, schema, "names a role that is not known");
            ((Role *)schema_array(a->clip, schema))[i] = role;
        } else {
            Coordinate coordinate = coordinate_from_name(text);
            if (coordinate == COORDINATE_NONE)
                return bad(a, schema, "names a coordinate that is not known");
            ((Coordinate *)schema_array(a->clip, schema))[i] = coordinate;
        }
        text += length + 1;
    }
    return STATUS_OK;
}

static Status copy_dataset(const Assembler *a, int index)
{
    const SchemaDataset *schema = &schema_datasets[index];
    const Extent *extent = &a->layout->dataset[index];
    size_t count = schema_count(a->clip, schema);
    if (!schema_has_dataset(a->clip, schema) || schema->flags & SCHEMA_COPY)
        return STATUS_OK;
    const unsigned char *from = extent_bytes(a, extent);
    if (extent->source == EXTENT_LEFT_OUT || (!from && schema->flags & SCHEMA_LATER))
        return STATUS_OK;
    if (!from)
        return bad(a, schema, "is missing");
    if (schema_is_text(schema->element))
        return copy_labels(a, schema, (const char *)from, extent->size, count);
    void *to = schema_array(a->clip, schema);
    if (!to)
        return bad(a, schema, "has no place");
    if (schema->element == ELEMENT_DOUBLE)
        return copy_doubles(a, schema, extent, to, count);
    memcpy(to, from, count * schema_element_size(schema->element));
    return STATUS_OK;
}

/* Returns the number of elements by the dimensions of the layout; 0 if one is empty, SIZE_MAX on overflow. */
static size_t element_count(const ContainerLayout *layout, const SchemaDataset *schema)
{
    size_t count = 1;
    for (int i = 0; i < schema_rank(schema); i++) {
        size_t fixed = schema_fixed_size(schema->dim[i]);
        if (__builtin_mul_overflow(count, fixed ? fixed : layout->dim[schema->dim[i]], &count) || count > SIZE_MAX / 64)
            return SIZE_MAX;
    }
    return count;
}

/* Returns 1 if the extent is within bounds and has the size of its elements. */
static int extent_fits(const Assembler *a, const SchemaDataset *schema, const Extent *extent, size_t count)
{
    if (!extent_bytes(a, extent) || count == SIZE_MAX)
        return 0;
    if (schema_is_text(schema->element))
        return extent->source == EXTENT_SCRATCH && extent->size >= count; /* every string has a NUL */
    if (extent->source == EXTENT_IMAGE_FLOAT32)
        return schema->element == ELEMENT_DOUBLE && extent->size == count * sizeof(float);
    return extent->size == count * schema_element_size(schema->element);
}

/* Checks that all arrays of a group exist with the right size before memory is allocated for them. */
static Status check_complete(const Assembler *a)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        const Extent *extent = &a->layout->dataset[i];
        if (!a->layout->has_group[schema->group] || extent->source == EXTENT_LEFT_OUT)
            continue;
        size_t count = element_count(a->layout, schema);
        if (extent->source != EXTENT_ABSENT) {
            if (!extent_fits(a, schema, extent, count))
                status = note(a, bad(a, schema, "is damaged"));
        } else if (!(schema->flags & (SCHEMA_OPTIONAL | SCHEMA_LATER)) && (count > 0 || !schema_may_be_empty(schema))) {
            status = note(a, bad(a, schema, "is missing"));
        }
    }
    return status;
}

/* Returns 1 if the file has an optional array, and its pair. */
static int has_optional(const Assembler *a, int index)
{
    const SchemaDataset *schema = &schema_datasets[index];
    const Extent *extent = &a->layout->dataset[index];
    int has_pair = index + 1 < SCHEMA_DATASET_COUNT && schema[1].flags & SCHEMA_PAIR;
    return schema->flags & SCHEMA_OPTIONAL && !(schema->flags & (SCHEMA_PAIR | SCHEMA_COPY)) &&
           extent->source != EXTENT_ABSENT && extent->source != EXTENT_LEFT_OUT &&
           (!has_pair || extent[1].source != EXTENT_ABSENT);
}

/* Whether the clip has the group before lean_restore; /kinematics is then left out as a whole. */
static int has_group(const Assembler *a, int id)
{
    const int *has = a->layout->has_group;
    if (id == GROUP_KINEMATICS && a->layout->is_lean)
        return 0;
    return schema_groups[id].present == SCHEMA_ALWAYS || ((id < GROUP_RUN || has[GROUP_TRACKING]) && has[id]);
}

static Status allocate(const Assembler *a)
{
    int size[DIM_COUNT];
    Status status = STATUS_OK;
    for (int i = 0; i < DIM_COUNT; i++) {
        if (a->layout->dim[i] > INT_MAX)
            return error_set(a->err, STATUS_BAD_INPUT, "%s is too long", schema_dimensions[i].name);
        size[i] = (int)a->layout->dim[i];
    }
    for (int id = GROUP_SKELETON; id < GROUP_COUNT && !status; id++)
        if (has_group(a, id))
            status = clip_add_group(a->clip, (SchemaGroupId)id, size, a->err);
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        SchemaGroupId id = schema_datasets[i].group;
        if (has_optional(a, i) && has_group(a, id))
            status = group_add(id, (char *)a->clip + schema_groups[id].start, schema_datasets[i].name, a->err);
    }
    return status;
}

static Status copy_text(const Assembler *a, int index)
{
    const SchemaAttribute *schema = &schema_attributes[index];
    const char *text = (const char *)extent_bytes(a, &a->layout->text[index]);
    char *member = (char *)a->clip + schema->member;
    if (!text)
        return STATUS_OK;
    size_t length = strnlen(text, a->layout->text[index].size);
    if (length == a->layout->text[index].size || (schema->kind == ATTRIBUTE_INLINE && length >= schema->size))
        return error_set(a->err, STATUS_BAD_INPUT, "attribute %s is too long", schema->name);
    if (schema->kind == ATTRIBUTE_INLINE) {
        memcpy(member, text, length + 1);
        return STATUS_OK;
    }
    char *copy = strdup(text);
    if (!copy)
        return error_no_memory(a->err);
    memcpy(member, &copy, sizeof copy); /* the clip owns it */
    /* cppcheck-suppress memleak */
    return STATUS_OK;
}

static Status copy_attribute(const Assembler *a, int index)
{
    const SchemaAttribute *schema = &schema_attributes[index];
    if (!schema_has_group(a->clip, schema->group))
        return STATUS_OK;
    if (schema->kind != ATTRIBUTE_NUMBER)
        return copy_text(a, index);
    if (!a->layout->has_number[index])
        return STATUS_OK;
    if (!schema_number_is_valid(schema, a->layout->number[index]))
        return error_set(a->err, STATUS_BAD_INPUT, "attribute %s is not finite", schema->name);
    memcpy((char *)a->clip + schema->member, a->layout->number[index], schema->size * sizeof(double));
    return STATUS_OK;
}

static void copy_version(const Assembler *a)
{
    const Extent *extent = &a->layout->version;
    const char *text = (const char *)extent_bytes(a, extent);
    if (text && extent->size > 0 && text[extent->size - 1] == 0)
        snprintf(a->clip->provenance.kane_version, sizeof a->clip->provenance.kane_version, "%s", text);
}

/* Checks the checksums. Files of older versions have none, or have attributes in the sum that this version does not
 * read. */
static Status check_sums(const Assembler *a)
{
    const Extent *extent = &a->layout->checksums;
    const char *text = (const char *)extent_bytes(a, extent);
    if (!text || extent->size == 0 || text[extent->size - 1] != 0)
        return STATUS_OK;
    return container_checksums_check(a->clip, text, !a->layout->has_others, a->findings, a->err);
}

/* Sets names of degrees of freedom, which files of earlier versions lack, from the joints. */
static Status name_dofs(const Assembler *a)
{
    Dofs *d = &a->clip->dof;
    Status status = STATUS_OK;
    for (int i = 0; i < d->count && !status; i++) {
        char name[128];
        int joint = d->joint[i], first = dofs_first(d, i);
        int is_there = joint >= 0 && joint < a->clip->skeleton.joint_count;
        if (d->name[i] || !is_there || !a->clip->skeleton.name[joint])
            continue;
        if (dofs_end(d, i) - first > 1)
            snprintf(name, sizeof name, "%.100s%d", a->clip->skeleton.name[joint], i - first + 1);
        else
            snprintf(name, sizeof name, "%.100s", a->clip->skeleton.name[joint]);
        status = dofs_set_name(d, i, name, a->err);
    }
    return status;
}

static Status assemble(const Assembler *a)
{
    Status status = check_complete(a);
    if (a->findings && a->findings->count > 0)
        return status; /* arrays are missing, so nothing is copied */
    if (!status)
        status = allocate(a);
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++)
        status = note(a, copy_dataset(a, i));
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT && !status; i++)
        status = note(a, copy_attribute(a, i));
    copy_version(a);
    if (!status)
        status = name_dofs(a);
    if (!status && (!a->findings || a->findings->count == 0))
        status = check_sums(a);
    if (!status)
        status = container_check(a->clip, a->findings, a->err);
    if (status || !a->layout->is_lean || (a->findings && a->findings->count > 0))
        return status;
    a->clip->provenance.is_lean = 1;
    return note(a, lean_restore(a->clip, a->err));
}

Status container_assemble(const ContainerImage *image, const ContainerLayout *layout, const Scratch *scratch, Clip *out,
                          ContainerFindings *findings, Error *err)
{
    *out = (Clip){0};
    Error own = {0}, *cause = err ? err : &own;
    Assembler assembler = {image, layout, scratch, out, findings, cause};
    Status status = assemble(&assembler);
    if (status)
        clip_free(out);
    return status;
}

/* ---- Image to clip ---- */

Status container_decode(const ContainerImage *image, Clip *out, Error *err)
{
    ContainerLayout layout;
    Scratch scratch;
    *out = (Clip){0};
    Status status = container_layout(image, &layout, &scratch, err);
    if (!status)
        status = container_assemble(image, &layout, &scratch, out, NULL, err);
    free(scratch.bytes);
    return status;
}

static Status find_layout(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                          Error *err)
{
    (void)wish;
    return container_layout(image, layout, scratch, err);
}

static Status decode(const ContainerImage *image, Clip *out, ContainerFindings *findings, char *warning,
                     size_t warning_size, Error *err)
{
    ContainerLayout layout;
    Scratch scratch;
    *out = (Clip){0};
    if (warning && warning_size)
        warning[0] = '\0';
    Status status = container_guard(image, find_layout, NULL, &layout, &scratch, err);
    if (!status)
        status = container_assemble(image, &layout, &scratch, out, findings, err);
    if (!status && warning && warning_size && layout.warning[0])
        snprintf(warning, warning_size, "dropped unknown datasets: %.*s", LAYOUT_WARNING_SIZE, layout.warning);
    free(scratch.bytes);
    return status;
}

Status container_decode_guarded(const ContainerImage *image, Clip *out, char *warning, size_t warning_size, Error *err)
{
    return decode(image, out, NULL, warning, warning_size, err);
}

Status container_inspect(const ContainerImage *image, ContainerFindings *findings, char *warning, size_t warning_size,
                         Error *err)
{
    Clip clip;
    Error own = {0}, *cause = err ? err : &own;
    findings->count = 0;
    Status status = decode(image, &clip, findings, warning, warning_size, cause);
    clip_free(&clip);
    return container_note(findings, status, cause);
}
