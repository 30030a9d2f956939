/* Prints the rows of analysis/clip/clip_schema.c for tests/docs/reference.py, tab-separated:
 *
 * dimension  NAME  LABELS
 *     dataset  GROUP  NAME  SHAPE  TYPE  UNITS  LONG_NAME
 *     attribute  GROUP  NAME  UNITS  LONG_NAME
 *
 * The groups of all controllers are printed as one, /tracking/CONTROLLER. */
#include <stdio.h>

#include "analysis/clip/clip_schema.h"

static void print_dimension(const SchemaDimension *dimension)
{
    printf("dimension\t%s\t", dimension->name);
    for (int i = 0; i < 6 && dimension->label[i]; i++)
        printf("%s%s", i ? " " : "", dimension->label[i]);
    printf("\n");
}

static void print_name(const char *kind, SchemaGroupId group, const char *name)
{
    const char *path = group == GROUP_RUN ? "tracking/CONTROLLER" : schema_groups[group].name;
    printf("%s\t%s%s\t%s", kind, *path == '/' ? "" : "/", path, name);
}

static void print_dataset(const SchemaDataset *dataset)
{
    static const char *const type[] = {"float64", "int32", "uint8", "uint32"};
    print_name("dataset", dataset->group, dataset->name);
    for (int i = 0; i < schema_rank(dataset); i++)
        printf("%s%s", i ? ", " : "\t", schema_dimensions[dataset->dim[i]].name);
    printf("\t%s\t%s\t%s\n", schema_is_text(dataset->element) ? "text" : type[dataset->element], dataset->units,
           dataset->long_name);
}

int main(void)
{
    for (int d = DIM_NONE + 1; d < DIM_COUNT; d++)
        print_dimension(&schema_dimensions[d]);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group <= GROUP_RUN)
            print_dataset(&schema_datasets[i]);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_attributes[i].group <= GROUP_RUN) {
            print_name("attribute", schema_attributes[i].group, schema_attributes[i].name);
            printf("\t%s\t%s\n", schema_attributes[i].units, schema_attributes[i].long_name);
        }
    return 0;
}
