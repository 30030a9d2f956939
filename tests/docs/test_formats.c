/* docs/formats.md, "The container": its tables and those of analysis/clip/clip_schema.c say the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "formats/base/bytes.h"
#include "tests/support/assert_near.h"

enum { CELLS = 5, CELL_SIZE = 256 };

/* A row of a table of the document: the group of its heading, "skeleton", and its cells without backticks. */
typedef struct Row {
    char group[64];
    int count;
    char cell[CELLS][CELL_SIZE];
} Row;

typedef struct Document {
    char *text;
    int count;
    Row row[256];
} Document;

static void take_cells(const char *line, Row *row)
{
    while (row->count < CELLS && line[0] == '|' && line[1] != '\n') {
        size_t n = 0;
        for (line++; *line && *line != '|' && *line != '\n'; line++)
            if (*line != '`' && n + 1 < CELL_SIZE && (n > 0 || *line != ' '))
                row->cell[row->count][n++] = *line;
        while (n > 0 && row->cell[row->count][n - 1] == ' ')
            n--;
        row->cell[row->count++][n] = 0;
    }
}

/* Takes the rows that begin with a name in backticks, under headings "### /GROUP" or "### /". */
static void take_rows(Document *d)
{
    char group[64] = "";
    for (const char *line = d->text; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "### /", 5) == 0)
            snprintf(group, sizeof group, "%.*s", line[5] == '\n' ? 1 : (int)strcspn(line + 5, "\n"),
                     line[5] == '\n' ? "/" : line + 5);
        else if (line[0] == '#')
            group[0] = 0;
        else if (group[0] && strncmp(line, "| `", 3) == 0) {
            assert_true(d->count < (int)(sizeof d->row / sizeof *d->row));
            Row *row = &d->row[d->count++];
            strcpy(row->group, group);
            take_cells(line, row);
        }
    }
}

static int read_document(void **state)
{
    Document *d = calloc(1, sizeof *d);
    size_t size;
    assert_non_null(d);
    assert_int_equal(bytes_read_path("docs/formats.md", &d->text, &size, NULL), STATUS_OK);
    assert_true(size > 0 && d->text[size - 1] == '\n');
    take_rows(d);
    *state = d;
    return 0;
}

static int free_document(void **state)
{
    free(((Document *)*state)->text);
    free(*state);
    return 0;
}

/* The group of the schema as the document heads it: all controllers share one. */
static const char *heading_of(SchemaGroupId group)
{
    return group >= GROUP_RUN ? "tracking/CONTROLLER" : schema_groups[group].name;
}

static const Row *find_row(const Document *d, SchemaGroupId group, const char *name, int cells)
{
    for (int i = 0; i < d->count; i++)
        if (d->row[i].count == cells && strcmp(d->row[i].group, heading_of(group)) == 0 &&
            strcmp(d->row[i].cell[0], name) == 0)
            return &d->row[i];
    return NULL;
}

/* "frame, joint, xyz" */
static void shape_of(const SchemaDataset *dataset, char *text, size_t size)
{
    size_t n = 0;
    for (int i = 0; i < schema_rank(dataset); i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", schema_dimensions[dataset->dim[i]].name);
}

static void every_dataset_has_its_row(void **state)
{
    static const char *const type[] = {"float64", "int32", "uint8", "uint32", "text", "text", "text"};
    const Document *document = *state;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        char path[128], shape[64];
        schema_path(dataset, path, sizeof path);
        shape_of(dataset, shape, sizeof shape);
        const Row *row = find_row(document, dataset->group, dataset->name, 5);
        if (!row)
            fail_msg("docs/formats.md has no row for %s", path);
        if (strcmp(row->cell[1], shape) != 0 || strcmp(row->cell[2], type[dataset->element]) != 0 ||
            strcmp(row->cell[3], dataset->units) != 0)
            fail_msg("docs/formats.md: %s is %s, %s, %s there; the schema has %s, %s, %s", path, row->cell[1],
                     row->cell[2], row->cell[3], shape, type[dataset->element], dataset->units);
    }
}

static void every_attribute_has_its_row(void **state)
{
    const Document *document = *state;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (!find_row(document, schema_attributes[i].group, schema_attributes[i].name, 3))
            fail_msg("docs/formats.md has no row for the attribute %s of %s", schema_attributes[i].name,
                     schema_groups[schema_attributes[i].group].name);
}

static void no_name_has_two_rows(void **state)
{
    const Document *d = *state;
    for (int i = 0; i < d->count; i++)
        for (int k = 0; k < i; k++)
            if (d->row[i].count == d->row[k].count && strcmp(d->row[i].group, d->row[k].group) == 0 &&
                strcmp(d->row[i].cell[0], d->row[k].cell[0]) == 0)
                fail_msg("docs/formats.md has two rows for %s of %s", d->row[i].cell[0], d->row[i].group);
}

/* An attribute NAME_frame counts frames. */
static void frames_are_in_frames(void **state)
{
    const Document *d = *state;
    int frames = 0;
    for (int i = 0; i < d->count; i++) {
        const char *name = d->row[i].cell[0], *end = strrchr(name, '_');
        if (d->row[i].count != 3 || !end || strcmp(end, "_frame") != 0)
            continue;
        if (strcmp(d->row[i].cell[1], "frame") != 0)
            fail_msg("docs/formats.md: %s of %s has the unit \"%s\"", name, d->row[i].group, d->row[i].cell[1]);
        frames++;
    }
    assert_int_equal(frames, 3);
}

/* Written by the encoder itself, for every clip. */
static int is_written_always(const Row *row)
{
    return strcmp(row->group, "/") == 0 &&
           (strcmp(row->cell[0], "Conventions") == 0 || strcmp(row->cell[0], "kane_version") == 0 ||
            strcmp(row->cell[0], "checksum") == 0);
}

static int is_of_schema(const Row *row)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (row->count == 5 && strcmp(row->group, heading_of(schema_datasets[i].group)) == 0 &&
            strcmp(row->cell[0], schema_datasets[i].name) == 0)
            return 1;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (row->count == 3 && strcmp(row->group, heading_of(schema_attributes[i].group)) == 0 &&
            strcmp(row->cell[0], schema_attributes[i].name) == 0)
            return 1;
    return 0;
}

static void no_row_is_of_nothing(void **state)
{
    const Document *document = *state;
    for (int i = 0; i < document->count; i++)
        if (!is_of_schema(&document->row[i]) && !is_written_always(&document->row[i]))
            fail_msg("docs/formats.md: %s of group %s is not in the schema", document->row[i].cell[0],
                     document->row[i].group);
}

/* Dimensions with their labels, and groups. */
static void dimensions_and_groups_are_named(void **state)
{
    const char *document = ((Document *)*state)->text;
    char wanted[128];
    for (int d = DIM_NONE + 1; d < DIM_COUNT; d++) {
        int n = snprintf(wanted, sizeof wanted, "| `%s` |", schema_dimensions[d].name);
        for (int i = 0; i < 6 && schema_dimensions[d].label[i]; i++)
            n += snprintf(wanted + n, sizeof wanted - (size_t)n, " %s", schema_dimensions[d].label[i]);
        if (!strstr(document, wanted))
            fail_msg("docs/formats.md has no row \"%s\"", wanted);
    }
    for (int g = GROUP_RUN; g < GROUP_COUNT; g++) {
        snprintf(wanted, sizeof wanted, "`/%s`", schema_groups[g].name);
        if (!strstr(document, wanted))
            fail_msg("docs/formats.md does not name %s", wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dataset_has_its_row),
        cmocka_unit_test(every_attribute_has_its_row),
        cmocka_unit_test(no_row_is_of_nothing),
        cmocka_unit_test(no_name_has_two_rows),
        cmocka_unit_test(frames_are_in_frames),
        cmocka_unit_test(dimensions_and_groups_are_named),
    };
    return cmocka_run_group_tests(tests, read_document, free_document);
}
