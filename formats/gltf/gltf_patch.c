/* See gltf_patch.h. Khronos, glTF 2.0 specification, 3.6 (accessors), 3.11 (animations), 4.4 (GLB layout). */
#include "formats/gltf/gltf_patch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/json.h"

enum { BINARY, ACCESSORS, VIEWS, CHANNELS, SAMPLERS, PARTS };

static FILE **part_of(GltfPatch *patch, int part)
{
    FILE **streams[PARTS] = {&patch->binary, &patch->accessors, &patch->views, &patch->channels, &patch->samplers};
    return streams[part];
}

static size_t aligned(size_t size) { return (size + 3) & ~(size_t)3; }

Status gltf_patch_begin(GltfPatch *patch, const GltfFile *gltf, Error *err)
{
    const JsonText *json = &gltf->json;
    int first = json_first(json, json_find(json, 0, "buffers"));
    patch->gltf = gltf;
    if (first < 0 || json_find(json, first, "uri") >= 0 || json_find(json, first, "byteLength") < 0)
        return error_set(err, STATUS_BAD_INPUT, "the model's first buffer is not in the file: export it as GLB");
    for (int i = 0; i < PARTS; i++)
        if (!(*part_of(patch, i) = open_memstream(&patch->text[i], &patch->size[i])))
            return error_no_memory(err);
    return STATUS_OK;
}

/* Adds an accessor with its view; returns its number. */
static int add_floats(GltfPatch *patch, const float *value, size_t count, size_t width, const char *bounds)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    size_t at = aligned(patch->gltf->binary_size) + (size_t)ftell(patch->binary);
    fwrite(value, sizeof *value, count * width, patch->binary);
    fprintf(patch->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", patch->added ? "," : "", at,
            count * width * sizeof *value);
    fprintf(patch->accessors, "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%zu,\"type\":\"%s\"%s}",
            patch->added ? "," : "", patch->gltf->view_count + patch->added, count, types[width], bounds);
    return patch->gltf->accessor_count + patch->added++;
}

static Status is_written(const GltfPatch *patch, Error *err)
{
    int failed = ferror(patch->binary) || ferror(patch->views) || ferror(patch->accessors) || ferror(patch->channels);
    return failed || ferror(patch->samplers) ? error_no_memory(err) : STATUS_OK;
}

Status gltf_patch_times(GltfPatch *patch, const double *time, int count, Error *err)
{
    char bounds[128];
    float *value = malloc((size_t)count * sizeof *value);
    if (!value)
        return error_no_memory(err);
    for (int i = 0; i < count; i++)
        value[i] = (float)time[i];
    snprintf(bounds, sizeof bounds, ",\"min\":[%.9g],\"max\":[%.9g]", (double)value[0], (double)value[count - 1]);
    add_floats(patch, value, (size_t)count, 1, bounds);
    patch->time_count = count;
    free(value);
    return is_written(patch, err);
}

Status gltf_patch_channel(GltfPatch *patch, int node, const char *path, const float *value, int width, Error *err)
{
    int output = add_floats(patch, value, (size_t)patch->time_count, (size_t)width, "");
    const char *comma = patch->channel_count ? "," : "";
    fprintf(patch->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", comma,
            patch->channel_count++, node, path);
    fprintf(patch->samplers, "%s{\"input\":%d,\"output\":%d}", comma, patch->gltf->accessor_count, output);
    return is_written(patch, err);
}

/* ---- Writing ---- */

/* Text that replaces the bytes [from, to) of the JSON text. */
typedef struct Edit {
    size_t from, to;
    char *text; /* owned */
} Edit;

static int by_place(const void *a, const void *b)
{
    const Edit *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Appends elements to a top-level array, or a member with them. */
static Edit append(const JsonText *json, const char *key, const char *elements)
{
    int array = json_find(json, 0, key);
    size_t at = array >= 0 ? json->value[array].end - 1 : json->value[0].end - 1;
    Edit edit = {at, at, NULL};
    int size = array >= 0 ? asprintf(&edit.text, "%s%s", json_count(json, array) ? "," : "", elements)
                          : asprintf(&edit.text, ",\"%s\":[%s]", key, elements);
    if (size < 0)
        edit.text = NULL;
    return edit;
}

static char *animation_text(const GltfPatch *patch)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fputs("{\"name\":", stream);
    json_put_text(stream, patch->name ? patch->name : "");
    fprintf(stream, ",\"channels\":[%s],\"samplers\":[%s]}", patch->text[CHANNELS], patch->text[SAMPLERS]);
    fclose(stream);
    return text;
}

enum { EDITS = 4 };

static Status make_edits(const GltfPatch *patch, size_t binary_size, Edit edit[EDITS], Error *err)
{
    const JsonText *json = &patch->gltf->json;
    int length = json_find(json, json_first(json, json_find(json, 0, "buffers")), "byteLength");
    char *animation = animation_text(patch);
    edit[0] = append(json, "accessors", patch->text[ACCESSORS]);
    edit[1] = append(json, "bufferViews", patch->text[VIEWS]);
    edit[2] = append(json, "animations", animation ? animation : "");
    edit[3] = (Edit){json->value[length].begin, json->value[length].end, NULL};
    if (asprintf(&edit[3].text, "%zu", binary_size) < 0)
        edit[3].text = NULL;
    int failed = !animation;
    for (int i = 0; i < EDITS; i++)
        failed |= !edit[i].text;
    free(animation);
    qsort(edit, EDITS, sizeof *edit, by_place);
    return failed ? error_no_memory(err) : STATUS_OK;
}

static char *edited_text(const JsonText *json, const Edit edit[EDITS], size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    size_t at = 0;
    if (!stream)
        return NULL;
    for (int i = 0; i < EDITS; i++) {
        fwrite(json->text + at, 1, edit[i].from - at, stream);
        fputs(edit[i].text, stream);
        at = edit[i].to;
    }
    fwrite(json->text + at, 1, json->value[0].end - at, stream);
    while (ftell(stream) % 4)
        putc(' ', stream);
    fclose(stream);
    return text;
}

static void put_u32(FILE *stream, size_t value)
{
    for (int i = 0; i < 4; i++)
        putc((int)(value >> 8 * i & 0xFF), stream);
}

static Status write_chunks(const GltfPatch *patch, const char *text, size_t text_size, FILE *stream, Error *err)
{
    size_t kept = patch->gltf->binary_size, binary = aligned(kept) + patch->size[BINARY];
    if (28 + text_size + binary > UINT32_MAX)
        return error_set(err, STATUS_LIMIT, "the file would be larger than 4 GB");
    fwrite("glTF\2\0\0\0", 1, 8, stream);
    put_u32(stream, 28 + text_size + binary);
    put_u32(stream, text_size);
    fwrite("JSON", 1, 4, stream);
    fwrite(text, 1, text_size, stream);
    put_u32(stream, binary);
    fwrite("BIN\0", 1, 4, stream);
    fwrite(patch->gltf->binary, 1, kept, stream);
    fwrite("\0\0\0", 1, aligned(kept) - kept, stream);
    fwrite(patch->text[BINARY], 1, patch->size[BINARY], stream);
    return ferror(stream) ? error_set(err, STATUS_IO, "cannot write the file") : STATUS_OK;
}

static Status close_parts(GltfPatch *patch, Error *err)
{
    int failed = 0;
    for (int i = 0; i < PARTS; i++) {
        FILE **stream = part_of(patch, i);
        failed |= *stream && fclose(*stream) != 0;
        *stream = NULL;
        failed |= !patch->text[i];
    }
    return failed ? error_no_memory(err) : STATUS_OK;
}

Status gltf_patch_write(GltfPatch *patch, FILE *stream, Error *err)
{
    Edit edit[EDITS] = {{0}};
    size_t size = 0;
    char *text = NULL;
    Status status = close_parts(patch, err);
    if (!status)
        status = make_edits(patch, aligned(patch->gltf->binary_size) + patch->size[BINARY], edit, err);
    if (!status && !(text = edited_text(&patch->gltf->json, edit, &size)))
        status = error_no_memory(err);
    if (!status)
        status = write_chunks(patch, text, size, stream, err);
    for (int i = 0; i < EDITS; i++)
        free(edit[i].text);
    free(text);
    return status;
}

void gltf_patch_free(GltfPatch *patch)
{
    (void)close_parts(patch, NULL);
    for (int i = 0; i < PARTS; i++)
        free(patch->text[i]);
    *patch = (GltfPatch){0};
}
