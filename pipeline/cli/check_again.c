/* See check_again.h. */
#include "pipeline/cli/check_again.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"
#include "pipeline/stages/history_rerun.h"

const FindingInfo not_reproduced = {
    .name = "not-reproduced", .meaning = "the history of the clip file gives other content with this kane",
};

/* Finds the storage options with which encoding the clip gives the bytes of its file; returns 0 if there are none. */
static int find_storage(const Clip *clip, const ContainerImage *stored, ContainerDef *def)
{
    for (int i = 0; i < 40; i++) {
        ContainerImage image = {0};
        int is_lean = (i / 20) ^ clip->provenance.is_lean; /* a lean file without a recipe is not marked */
        *def = (ContainerDef){.float32 = i % 2, .compress = i / 2 % 10, .lean = is_lean};
        int is_same = !container_encode(clip, def, &image, NULL) && image.size == stored->size &&
                      memcmp(image.bytes, stored->bytes, image.size) == 0;
        container_image_free(&image);
        if (is_same)
            return 1;
    }
    *def = container_default_def();
    return 0;
}

/* Describes how two arrays of equal size differ; "" if they are equal. */
static void describe_values(const Clip *a, const Clip *b, const SchemaDataset *d, char *text, size_t size)
{
    size_t count = schema_count(a, d), element = schema_element_size(d->element), differ = 0, first = 0;
    double max = 0;
    for (size_t i = 0; i < count; i++) {
        const char *x = (char *)schema_array(a, d) + i * element, *y = (char *)schema_array(b, d) + i * element;
        int is_same = schema_is_text(d->element) ? strcmp(schema_label(a, d, i), schema_label(b, d, i)) == 0
                                                 : memcmp(x, y, element) == 0;
        if (is_same)
            continue;
        first = differ++ ? first : i / schema_row(a, d);
        if (d->element == ELEMENT_DOUBLE)
            max = fmax(max, fabs(*(const double *)(const void *)x - *(const double *)(const void *)y));
    }
    *text = 0;
    if (differ && d->element == ELEMENT_DOUBLE)
        snprintf(text, size, "differs in %zu of %zu values from row %zu on, by at most %.3g %s", differ, count, first,
                 max, d->units ? d->units : "");
    else if (differ)
        snprintf(text, size, "differs in %zu of %zu values from row %zu on", differ, count, first);
}

/* Reports each dataset that differs; returns their number. */
static int compare_datasets(const Clip *stored, const Clip *again, ReportAgain report, void *context)
{
    int differ = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *d = &schema_datasets[i];
        char path[128], words[160] = "", text[320];
        int has = schema_has_dataset(stored, d), has_again = schema_has_dataset(again, d);
        if (has != has_again)
            snprintf(words, sizeof words, "%s", has ? "is not made again" : "is missing in the file");
        else if (has && schema_count(stored, d) != schema_count(again, d))
            snprintf(words, sizeof words, "has %zu values, again %zu", schema_count(stored, d), schema_count(again, d));
        else if (has)
            describe_values(stored, again, d, words, sizeof words);
        if (!*words)
            continue;
        schema_path(d, path, sizeof path);
        snprintf(text, sizeof text, "%s %s", path, words);
        report(context, text);
        differ++;
    }
    return differ;
}

/* Describes the first differing line of two texts. */
static void describe_texts(const char *a, const char *b, char *text, size_t size)
{
    *text = 0;
    while (*a && *b && strcspn(a, "\n") == strcspn(b, "\n") && strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    if (strcmp(a, b) != 0)
        snprintf(text, size, "is \"%.*s\", again \"%.*s\"", (int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

static void describe_attribute(const Clip *a, const Clip *b, const SchemaAttribute *attribute, char *text, size_t size)
{
    const char *x = (const char *)a + attribute->member, *y = (const char *)b + attribute->member;
    const char *u = attribute->kind == ATTRIBUTE_OWNED ? *(char *const *)(const void *)x : x;
    const char *v = attribute->kind == ATTRIBUTE_OWNED ? *(char *const *)(const void *)y : y;
    *text = 0;
    if (attribute->kind != ATTRIBUTE_NUMBER)
        describe_texts(u ? u : "", v ? v : "", text, size);
    else if (memcmp(x, y, attribute->size * sizeof(double)) != 0)
        snprintf(text, size, "is %.9g%s, again %.9g", *(const double *)(const void *)x,
                 attribute->size > 1 ? "..." : "", *(const double *)(const void *)y);
}

static int compare_attributes(const Clip *stored, const Clip *again, ReportAgain report, void *context)
{
    int differ = 0;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++) {
        const SchemaAttribute *attribute = &schema_attributes[i];
        char words[600] = "", text[800];
        if (schema_has_group(stored, attribute->group) && schema_has_group(again, attribute->group))
            describe_attribute(stored, again, attribute, words, sizeof words);
        if (!*words)
            continue;
        snprintf(text, sizeof text, "attribute %s%s%s %s", schema_groups[attribute->group].name,
                 attribute->group == GROUP_ROOT ? "" : "/", attribute->name, words);
        report(context, text);
        differ++;
    }
    return differ;
}

/* made: the recomputed clip, encoded with the options of the file. */
static Status compare_again(const Clip *stored, const ContainerImage *file, const ContainerImage *made,
                            ReportAgain report, void *context, Error *err)
{
    Clip again;
    if (made->size == file->size && memcmp(made->bytes, file->bytes, file->size) == 0)
        return STATUS_OK;
    Status status = container_decode(made, &again, err);
    if (status)
        return status;
    int differ = compare_datasets(stored, &again, report, context);
    differ += compare_attributes(stored, &again, report, context);
    if (!differ)
        report(context, "the content is the same, the bytes are not: another version of kane stored it");
    clip_free(&again);
    return STATUS_OK;
}

Status check_again(const char *path, const char *source, ReportAgain report, void *context, Error *err)
{
    ContainerImage file = {0}, made = {0};
    ContainerDef def;
    Clip stored = {0}, again = {0};
    Status status = container_load(path, &file, err);
    if (!status)
        status = container_decode_guarded(&file, &stored, NULL, 0, err);
    if (!status)
        status = history_rerun(&stored, source, &again, err);
    if (!status && !stored.has_kinematics && again.has_kinematics) { /* stored by kane batch --store dynamics */
        kinematics_free(&again.kinematics);
        again.has_kinematics = 0;
    }
    if (!status) {
        find_storage(&stored, &file, &def);
        status = container_encode(&again, &def, &made, err);
    }
    if (!status)
        status = compare_again(&stored, &file, &made, report, context, err);
    clip_free(&stored);
    clip_free(&again);
    container_image_free(&file);
    container_image_free(&made);
    return status;
}
