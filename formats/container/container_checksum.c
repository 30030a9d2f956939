/* See container_checksum.h. */
#include "formats/container/container_checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/math/passes.h"
#include "formats/container/container_check.h"
#include "formats/container/container_lean.h"

enum { BLOCK_VALUES = 1024 }; /* stay in the first cache between two passes */

/* Adds the numbers of a dataset, rounded to 32 bits on request. Returns 1 unless they must be finite and are not. */
static int add_doubles(XXH64_state_t *sum, const SchemaDataset *schema, const double *value, size_t count, int narrow)
{
    double kept[BLOCK_VALUES];
    int finite = 1;
    for (size_t i = 0; i < count; i += BLOCK_VALUES) {
        size_t block = count - i < BLOCK_VALUES ? count - i : BLOCK_VALUES;
        for (size_t k = 0; narrow && k < block; k++)
            kept[k] = (float)value[i + k];
        finite &= !container_is_complete(schema) || values_finite(value + i, block);
        XXH64_update(sum, narrow ? kept : value + i, block * sizeof *kept);
    }
    return finite;
}

static void add_text(XXH64_state_t *sum, const char *text)
{
    XXH64_update(sum, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* *finite becomes 0 if a number that must be finite is not. */
static uint64_t sum_dataset(XXH64_state_t *sum, const Clip *clip, const SchemaDataset *schema, int float32, int *finite)
{
    size_t count = schema_count(clip, schema);
    const void *array = schema_array(clip, schema);
    int as_text = schema_is_text(schema->element) && schema->element != ELEMENT_COORDINATE;
    XXH64_reset(sum, 0);
    for (size_t i = 0; i < count && as_text; i++)
        add_text(sum, schema_label(clip, schema, i));
    if (schema->element == ELEMENT_DOUBLE)
        *finite &= add_doubles(sum, schema, array, count, float32);
    else if (!as_text)
        XXH64_update(sum, array, count * schema_element_size(schema->element));
    return XXH64_digest(sum);
}

static int is_empty(const SchemaAttribute *schema, const char *member)
{
    for (size_t i = 0; schema->kind == ATTRIBUTE_NUMBER && i < schema->size; i++)
        if (((const double *)member)[i] != 0 && !isnan(((const double *)member)[i]))
            return 0;
    return schema->kind == ATTRIBUTE_NUMBER || !member || !*member;
}

/* Names by which a sum of attributes is made: those of this version, and the two sets of earlier versions. */
typedef enum SumNames { NAMES_CURRENT, NAMES_OLD_GROUPS, NAMES_OLD, NAMES_COUNT } SumNames;

/* Adds an attribute unless it is empty, because a later version may have attributes that a file lacks. */
static void add_attribute(XXH64_state_t *sum, const Clip *clip, const SchemaAttribute *schema, SumNames names)
{
    const char *member = (const char *)clip + schema->member;
    const char *old_group = names >= NAMES_OLD_GROUPS ? schema_old_group(schema->group) : NULL;
    const char *old = names == NAMES_OLD ? schema_old_name(schema->name) : NULL;
    if (schema->kind == ATTRIBUTE_OWNED)
        member = *(const char *const *)(const void *)member;
    if (is_empty(schema, member))
        return;
    add_text(sum, old_group ? old_group : schema_groups[schema->group].name);
    add_text(sum, old ? old : schema->name);
    if (schema->kind == ATTRIBUTE_NUMBER)
        XXH64_update(sum, member, schema->size * sizeof(double));
    else
        add_text(sum, member);
}

static uint64_t sum_attributes(XXH64_state_t *sum, const Clip *clip, SumNames names)
{
    XXH64_reset(sum, 0);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_has_group(clip, schema_attributes[i].group))
            add_attribute(sum, clip, &schema_attributes[i], names);
    return XXH64_digest(sum);
}

/* Returns the first dataset with a number that must be finite and is not; NULL: none. */
static const SchemaDataset *print_sums(FILE *stream, XXH64_state_t *sum, const Clip *clip, const LeanStorage *storage)
{
    const SchemaDataset *bad = NULL;
    char path[64];
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        int finite = 1;
        if (!schema_has_dataset(clip, dataset))
            continue;
        schema_path(dataset, path, sizeof path);
        if (storage[i].is_left_out)
            finite = !container_is_complete(dataset) ||
                     values_finite(schema_array(clip, dataset), schema_count(clip, dataset));
        else
            fprintf(stream, "%s %016" PRIx64 "\n", path,
                    sum_dataset(sum, clip, dataset, storage[i].is_float32, &finite));
        bad = bad || finite ? bad : dataset;
    }
    fprintf(stream, "attributes %016" PRIx64, sum_attributes(sum, clip, NAMES_CURRENT));
    return bad;
}

Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err)
{
    size_t size;
    LeanStorage storage[SCHEMA_DATASET_COUNT];
    lean_storage(clip, def, storage);
    *text = NULL;
    XXH64_state_t *sum = XXH64_createState();
    FILE *stream = sum ? open_memstream(text, &size) : NULL;
    const SchemaDataset *bad = stream ? print_sums(stream, sum, clip, storage) : NULL;
    XXH64_freeState(sum);
    if (!stream || fclose(stream))
        return error_no_memory(err);
    return bad ? container_not_finite(clip, bad, 0, err) : container_check_attributes(clip, ~0U, err);
}

/* Finds the checksum of a name in the lines; returns 0 if there is none. */
static int find_line(const char *text, const char *name, uint64_t *wanted)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            *wanted = strtoull(line + length + 1, NULL, 16);
            return 1;
        }
    return 0;
}

/* Finds the checksum of a dataset by its current path, which is written to path, or by an old one. */
static int find_dataset_line(const char *text, const SchemaDataset *dataset, char *path, size_t size, uint64_t *wanted)
{
    char old[64];
    schema_path(dataset, path, size);
    int is_found = find_line(text, path, wanted);
    for (int which = 0; which < SCHEMA_OLD_PATHS && !is_found; which++)
        is_found = schema_old_path(dataset, which, old, sizeof old) && find_line(text, old, wanted);
    return is_found;
}

static Status differs(const char *name, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: the checksum differs: the file was damaged or changed", name);
}

static Status check_sums(XXH64_state_t *sum, const Clip *clip, const char *text, ContainerFindings *findings,
                         Error *err)
{
    Status status;
    uint64_t wanted;
    char path[64];
    int finite = 1; /* the decoder has checked it */
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        if (schema_has_dataset(clip, dataset) && find_dataset_line(text, dataset, path, sizeof path, &wanted) &&
            sum_dataset(sum, clip, dataset, 0, &finite) != wanted &&
            (status = container_note(findings, differs(path, err), err)))
            return status;
    }
    return STATUS_OK;
}

Status container_checksums_check(const Clip *clip, const char *text, int with_attributes, ContainerFindings *findings,
                                 Error *err)
{
    Error own = {0}, *cause = err ? err : &own;
    XXH64_state_t *sum = XXH64_createState();
    uint64_t wanted;
    Status status = sum ? check_sums(sum, clip, text, findings, cause) : error_no_memory(err);
    int names = NAMES_CURRENT;
    if (!status && with_attributes && find_line(text, "attributes", &wanted))
        while (names < NAMES_COUNT && sum_attributes(sum, clip, (SumNames)names) != wanted)
            names++;
    if (names == NAMES_COUNT)
        status = container_note(findings, differs("attributes", cause), cause);
    XXH64_freeState(sum);
    return status;
}
