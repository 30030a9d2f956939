#include "formats/container/container_checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/checksum.h"
#include "formats/container/container_check.h"
#include "formats/container/container_schema.h"

enum { BLOCK_VALUES = 512 };

static size_t value_count(const Clip *clip, const SchemaDataset *schema)
{
    size_t count = 1;
    for (int i = 0; i < schema_rank(schema); i++)
        count *= schema_dim_size(clip, schema->dim[i]);
    return count;
}

/* What 32 bits keep of each. */
static void add_narrowed(Checksum *sum, const double *value, size_t count)
{
    double kept[BLOCK_VALUES];
    for (size_t i = 0; i < count; i += BLOCK_VALUES) {
        size_t block = count - i < BLOCK_VALUES ? count - i : BLOCK_VALUES;
        for (size_t k = 0; k < block; k++)
            kept[k] = (float)value[i + k];
        checksum_add(sum, kept, block * sizeof *kept);
    }
}

static void add_text(Checksum *sum, const char *text)
{
    checksum_add(sum, text ? text : "", text ? strlen(text) + 1 : 1);
}

static uint64_t sum_dataset(const Clip *clip, const SchemaDataset *schema, int float32)
{
    Checksum sum = checksum_begin();
    size_t count = value_count(clip, schema);
    const void *array = schema_array(clip, schema);
    for (size_t i = 0; i < count && schema->element == ELEMENT_NAME; i++)
        add_text(&sum, ((char *const *)array)[i]);
    for (size_t i = 0; i < count && schema->element == ELEMENT_ROLE; i++)
        add_text(&sum, role_name(((const Role *)array)[i]));
    if (float32 && schema_is_trajectory(schema))
        add_narrowed(&sum, array, count);
    else if (schema->element != ELEMENT_NAME && schema->element != ELEMENT_ROLE)
        checksum_add(&sum, array, count * schema_element_size(schema->element));
    return checksum_end(&sum);
}

static int is_empty(const SchemaAttribute *schema, const char *member)
{
    for (size_t i = 0; schema->kind == ATTRIBUTE_NUMBER && i < schema->size; i++)
        if (((const double *)member)[i] != 0 && !isnan(((const double *)member)[i]))
            return 0;
    return schema->kind == ATTRIBUTE_NUMBER || !member || !*member;
}

/* Empty ones are passed over: a later version may have attributes that a file lacks. */
static void add_attribute(Checksum *sum, const Clip *clip, const SchemaAttribute *schema)
{
    const char *member = (const char *)clip + schema->member;
    if (schema->kind == ATTRIBUTE_OWNED)
        member = *(const char *const *)(const void *)member;
    if (is_empty(schema, member))
        return;
    add_text(sum, schema_groups[schema->group].name);
    add_text(sum, schema->name);
    if (schema->kind == ATTRIBUTE_NUMBER)
        checksum_add(sum, member, schema->size * sizeof(double));
    else
        add_text(sum, member);
}

static uint64_t sum_attributes(const Clip *clip)
{
    Checksum sum = checksum_begin();
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_has_group(clip, schema_attributes[i].group))
            add_attribute(&sum, clip, &schema_attributes[i]);
    return checksum_end(&sum);
}

Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err)
{
    size_t size;
    char path[64];
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(err);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_has_dataset(clip, &schema_datasets[i])) {
            schema_path(&schema_datasets[i], path, sizeof path);
            fprintf(stream, "%s %016" PRIx64 "\n", path, sum_dataset(clip, &schema_datasets[i], def->float32));
        }
    fprintf(stream, "attributes %016" PRIx64, sum_attributes(clip));
    return fclose(stream) == 0 ? STATUS_OK : error_no_memory(err);
}

/* What the lines say of a name; 0 where they do not name it. */
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

static Status differs(const char *name, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: the checksum differs: the file was damaged or changed", name);
}

Status container_checksums_check(const Clip *clip, const char *text, ContainerFindings *findings, Error *err)
{
    Error own = {0}, *cause = err ? err : &own;
    Status status = STATUS_OK;
    uint64_t wanted;
    char path[64];
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        schema_path(&schema_datasets[i], path, sizeof path);
        if (schema_has_dataset(clip, &schema_datasets[i]) && find_line(text, path, &wanted) &&
            sum_dataset(clip, &schema_datasets[i], 0) != wanted)
            status = container_note(findings, differs(path, cause), cause);
    }
    if (!status && find_line(text, "attributes", &wanted) && sum_attributes(clip) != wanted)
        status = container_note(findings, differs("attributes", cause), cause);
    return status;
}
