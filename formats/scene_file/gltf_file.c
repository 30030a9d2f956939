/* See gltf_file.h. */
#include "formats/scene_file/gltf_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/scene_file/gltf_extension.h"

enum { GLB_HEADER = 12, CHUNK_HEADER = 8, CHUNK_JSON = 0x4E4F534A, CHUNK_BINARY = 0x004E4942 };
static const int count_max = 1 << 24; /* elements of a list, keys of an accessor */

static uint32_t read_u32(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* ---- Chunks ---- */

static Status read_chunks(const SourceFile *file, GltfFile *out, Error *err)
{
    if (file->size < GLB_HEADER + CHUNK_HEADER)
        return error_set(err, STATUS_BAD_INPUT, "GLB: the file ends after %zu bytes", file->size);
    if (read_u32(file->bytes + 4) != 2)
        return error_set(err, STATUS_BAD_INPUT, "GLB of version %u: export it as glTF 2.0", read_u32(file->bytes + 4));
    for (size_t at = GLB_HEADER; file->size - at >= CHUNK_HEADER;) {
        size_t size = read_u32(file->bytes + at), type = read_u32(file->bytes + at + 4);
        const char *bytes = file->bytes + at + CHUNK_HEADER;
        if (size > file->size - at - CHUNK_HEADER)
            return error_set(err, STATUS_BAD_INPUT, "GLB: byte %zu: a chunk of %zu bytes, but the file ends after %zu: "
                             "download or export it again", at, size, file->size - at - CHUNK_HEADER);
        if (type == CHUNK_JSON && out->json_size == 0) {
            out->json_begin = at + CHUNK_HEADER;
            out->json_size = size;
        } else if (type == CHUNK_BINARY && !out->binary) {
            out->binary = bytes;
            out->binary_size = size;
        }
        at += CHUNK_HEADER + size;
    }
    return out->json_size ? STATUS_OK : error_set(err, STATUS_BAD_INPUT, "GLB: no JSON chunk");
}

Status gltf_file_chunks(const SourceFile *file, GltfFile *out, Error *err)
{
    *out = (GltfFile){0};
    if (file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0)
        return read_chunks(file, out, err);
    size_t at = file->size >= 3 && memcmp(file->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < file->size && file->bytes[at] && strchr(" \t\r\n", file->bytes[at]))
        at++;
    if (at == file->size || file->bytes[at] != '{')
        return error_set(err, STATUS_BAD_INPUT, "not a glTF file, which begins with \"glTF\" (.glb, .vrm, .vrma) or "
                         "\"{\" (.gltf): damaged or another format; export it again");
    out->json_size = file->size;
    return STATUS_OK;
}

/* ---- Buffers ---- */

static int base64_digit(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 :
           c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Decodes base64 up to its end or the first other byte. */
static Status decode_base64(const char *text, size_t size, GltfBuffer *out, Error *err)
{
    char *bytes = array_space(size / 4 + 1, 3, 1);
    uint32_t bits = 0;
    int held = 0;
    if (!bytes)
        return error_no_memory(err);
    *out = (GltfBuffer){.bytes = bytes, .owned = bytes};
    for (size_t i = 0; i < size; i++) {
        int digit = base64_digit((unsigned char)text[i]);
        if (digit < 0)
            break;
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[out->size++] = (char)(bits >> held);
        }
    }
    return STATUS_OK;
}

static int is_data_uri(const JsonText *json, int uri)
{
    const JsonValue *v = &json->value[uri];
    return v->end - v->begin > 5 && memcmp(json->text + v->begin, "data:", 5) == 0;
}

static Status open_data_uri(const JsonText *json, int uri, GltfBuffer *out, Error *err)
{
    static const char mark[] = ";base64,";
    const char *text = json->text + json->value[uri].begin, *end = json->text + json->value[uri].end;
    const char *data = memmem(text, (size_t)(end - text), mark, sizeof mark - 1);
    if (!data)
        return error_set(err, STATUS_BAD_INPUT, "glTF: a buffer's data URI is not base64");
    data += sizeof mark - 1;
    return decode_base64(data, (size_t)(end - data), out, err);
}

static Status open_buffer(const SourceFile *file, int *companion, GltfFile *out, int value, GltfBuffer *buffer,
                          Error *err)
{
    int uri = json_find(&out->json, value, "uri");
    if (uri < 0) {
        *buffer = (GltfBuffer){.bytes = out->binary, .size = out->binary_size};
        return STATUS_OK;
    }
    if (out->json.value[uri].type != JSON_STRING)
        return error_set(err, STATUS_BAD_INPUT, "glTF: a buffer's uri is no text");
    if (is_data_uri(&out->json, uri))
        return open_data_uri(&out->json, uri, buffer, err);
    if (*companion < file->companion_count) {
        *buffer = (GltfBuffer){.bytes = file->companion[*companion].bytes, .size = file->companion[*companion].size};
        ++*companion;
    }
    return STATUS_OK;
}

/* Makes a table of the elements of a top-level array. */
static Status list(const JsonText *json, const char *key, int **items, int *count, Error *err)
{
    int array = json_find(json, 0, key);
    *count = json_count(json, array);
    if (*count > count_max)
        return error_set(err, STATUS_LIMIT, "glTF: %d %s are too many", *count, key);
    if (!(*items = array_new((size_t)*count, 1, sizeof **items)))
        return error_no_memory(err);
    json_items(json, array, *items, *count);
    return STATUS_OK;
}

static Status open_buffers(const SourceFile *file, GltfFile *out, Error *err)
{
    int *item = NULL, companion = 0;
    Status status = list(&out->json, "buffers", &item, &out->buffer_count, err);
    if (!status && !(out->buffer = array_new((size_t)out->buffer_count, 1, sizeof *out->buffer)))
        status = error_no_memory(err);
    for (int i = 0; !status && i < out->buffer_count; i++)
        status = open_buffer(file, &companion, out, item[i], &out->buffer[i], err);
    free(item);
    return status;
}

static Status check_version(const JsonText *json, Error *err)
{
    int version = json_find_path(json, 0, "asset/version");
    if (version < 0)
        return error_set(err, STATUS_BAD_INPUT, "not a glTF file: no asset with a version");
    const JsonValue *v = &json->value[version];
    if (v->end == v->begin || json->text[v->begin] != '2')
        return error_set(err, STATUS_BAD_INPUT, "glTF of version %.*s: export it as glTF 2.0",
                         (int)(v->end - v->begin < 8 ? v->end - v->begin : 8), json->text + v->begin);
    return STATUS_OK;
}

Status gltf_file_open(const SourceFile *file, GltfFile *out, Error *err)
{
    Status status;
    if ((status = gltf_file_chunks(file, out, err)) ||
        (status = json_parse(file->bytes + out->json_begin, out->json_size, &out->json, err)) ||
        (status = check_version(&out->json, err)) ||
        (status = list(&out->json, "bufferViews", &out->view, &out->view_count, err)) ||
        (status = list(&out->json, "accessors", &out->accessor, &out->accessor_count, err)) ||
        (status = list(&out->json, "nodes", &out->node, &out->node_count, err)))
        return status;
    return open_buffers(file, out, err);
}

void gltf_file_free(GltfFile *gltf)
{
    for (int i = 0; i < gltf->buffer_count && gltf->buffer; i++)
        free(gltf->buffer[i].owned);
    free(gltf->buffer);
    free(gltf->view);
    free(gltf->accessor);
    free(gltf->node);
    json_text_free(&gltf->json);
    *gltf = (GltfFile){0};
}

/* ---- Companions ---- */

/* Decodes %20 and the like in place. */
static void decode_percent(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        unsigned code;
        int is_code = *at == '%' && sscanf(at + 1, "%2x", &code) == 1 && code > 0;
        *to++ = is_code ? (char)code : *at;
        at += is_code ? 2 : 0;
    }
    *to = 0;
}

/* A file of this folder or one below; others are not read. */
static int is_beside(const char *name)
{
    return *name && *name != '/' && !strstr(name, "..") && !strstr(name, "://");
}

static Status add_companion(const char *path, const JsonText *json, int uri, Companions *out, Error *err)
{
    char *name = NULL, *found = NULL;
    Status status = json_copy(json, uri, &name, err);
    if (status || !name)
        return status;
    decode_percent(name);
    status = is_beside(name) ? companion_named(path, name, &found, err) : STATUS_OK;
    if (!status && !found)
        status = error_set(err, STATUS_IO, "the file \"%.100s\" with the numbers of this glTF file is not beside it: "
                           "put it there, or export as GLB", name);
    free(name);
    return status ? status : companions_add(out, found, err);
}

Status gltf_find_companions(const char *path, Companions *out, Error *err)
{
    char *bytes = NULL;
    JsonText json = {0};
    size_t size = 0, length = strlen(path);
    if (length < 5 || strcasecmp(path + length - 5, ".gltf"))
        return STATUS_OK;
    if (bytes_read_path(path, &bytes, &size, NULL))
        return STATUS_OK; /* opening it reports why */
    Status status = STATUS_OK;
    if (!json_parse(bytes, size, &json, NULL))
        for (int i = json_first(&json, json_find(&json, 0, "buffers")); !status && i >= 0; i = json.value[i].next) {
            int uri = json_find(&json, i, "uri");
            if (uri >= 0 && json.value[uri].type == JSON_STRING && !is_data_uri(&json, uri))
                status = add_companion(path, &json, uri, out, err);
        }
    json_text_free(&json);
    free(bytes);
    return status;
}

/* ---- Accessors ---- */

/* Bytes of a buffer view that hold `count` elements. */
typedef struct View {
    const char *bytes;
    size_t stride;
} View;

static size_t component_size(int type)
{
    return type == 5126 || type == 5125 ? 4 : type == 5122 || type == 5123 ? 2 : type == 5120 || type == 5121 ? 1 : 0;
}

static double component(const char *at, int type)
{
    const unsigned char *b = (const unsigned char *)at;
    float real;
    uint32_t bits;
    switch (type) {
    case 5126: bits = read_u32(at); memcpy(&real, &bits, sizeof real); return real;
    case 5125: return read_u32(at);
    case 5123: return (b[0] | b[1] << 8) / 65535.;
    case 5122: return fmax((int16_t)(b[0] | b[1] << 8) / 32767., -1);
    case 5121: return b[0] / 255.;
    default: return fmax((int8_t)b[0] / 127., -1);
    }
}

static Status no_data(Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "glTF: the numbers of an animation are not in the file: export it again, "
                     "as GLB");
}

/* Finds `count` elements of `size` bytes; item: an accessor, or the part of a sparse one. */
static Status find_view(const GltfFile *gltf, int item, size_t count, size_t size, View *out, Error *err)
{
    const JsonText *json = &gltf->json;
    int index = json_member_index(json, item, "bufferView", gltf->view_count - 1);
    int view = index < 0 ? -1 : gltf->view[index];
    int number = json_member_index(json, view, "buffer", gltf->buffer_count - 1);
    const GltfBuffer *buffer = number < 0 ? NULL : &gltf->buffer[number];
    double begin = json_member_value(json, view, "byteOffset", 0);
    double length = json_member_value(json, view, "byteLength", 0);
    double offset = json_member_value(json, item, "byteOffset", 0);
    double stride = json_member_value(json, view, "byteStride", (double)size);
    Status status = gltf_extension_refuse(json, view, err);
    if (status || !buffer || !buffer->bytes)
        return status ? status : no_data(err);
    if (!(begin >= 0 && length >= 0 && offset >= 0 && stride >= (double)size) ||
        !(begin + length <= (double)buffer->size) ||
        (count > 0 && !(offset + stride * (double)(count - 1) + (double)size <= length)))
        return error_set(err, STATUS_BAD_INPUT, "glTF: an accessor reaches beyond its buffer of %zu bytes: export the "
                         "file again", buffer->size);
    *out = (View){buffer->bytes + (size_t)begin + (size_t)offset, (size_t)stride};
    return STATUS_OK;
}

/* The numbers of an accessor while they are read. */
typedef struct Elements {
    int type, width, count; /* component type, components */
    double *value;          /* [count][width] */
} Elements;

static void read_elements(const View *view, size_t from, const Elements *e, size_t to)
{
    const char *at = view->bytes + from * view->stride;
    size_t bytes = component_size(e->type);
    for (int k = 0; k < e->width; k++)
        e->value[to * (size_t)e->width + (size_t)k] = component(at + (size_t)k * bytes, e->type);
}

/* Replaces the elements that a sparse accessor names. */
static Status read_sparse(const GltfFile *gltf, int sparse, const Elements *e, Error *err)
{
    const JsonText *json = &gltf->json;
    int indices = json_find(json, sparse, "indices"), replaced = json_member_index(json, sparse, "count", e->count);
    int index_type = json_member_index(json, indices, "componentType", 6000);
    size_t index_bytes = component_size(index_type), size = component_size(e->type) * (size_t)e->width;
    View at, index;
    if (replaced < 0 || index_bytes == 0 || index_type == 5126)
        return error_set(err, STATUS_BAD_INPUT, "glTF: a sparse accessor is damaged");
    Status status = find_view(gltf, indices, (size_t)replaced, index_bytes, &index, err);
    if (!status)
        status = find_view(gltf, json_find(json, sparse, "values"), (size_t)replaced, size, &at, err);
    for (size_t i = 0; !status && i < (size_t)replaced; i++) {
        uint32_t to = 0;
        for (size_t b = 0; b < index_bytes; b++)
            to |= (uint32_t)(unsigned char)index.bytes[i * index.stride + b] << 8 * b;
        if (to >= (uint32_t)e->count)
            return error_set(err, STATUS_BAD_INPUT, "glTF: a sparse accessor names element %u of %d", to, e->count);
        read_elements(&at, i, e, to);
    }
    return status;
}

static Status read_dense(const GltfFile *gltf, int item, const Elements *e, Error *err)
{
    View view;
    Status status = find_view(gltf, item, (size_t)e->count, component_size(e->type) * (size_t)e->width, &view, err);
    for (size_t i = 0; !status && i < (size_t)e->count; i++)
        read_elements(&view, i, e, i);
    return status;
}

Status gltf_accessor_read(const GltfFile *gltf, int accessor, int width, double **values, int *count, Error *err)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const JsonText *json = &gltf->json;
    *values = NULL;
    if (accessor < 0 || accessor >= gltf->accessor_count)
        return error_set(err, STATUS_BAD_INPUT, "glTF: an animation names an accessor that does not exist");
    int item = gltf->accessor[accessor], type = json_member_index(json, item, "componentType", 6000);
    int sparse = json_find(json, item, "sparse"), is_dense = json_find(json, item, "bufferView") >= 0;
    *count = json_member_index(json, item, "count", count_max);
    Status status = gltf_extension_refuse(json, item, err);
    if (status)
        return status;
    if (*count < 0 || component_size(type) == 0 || !json_is(json, json_find(json, item, "type"), types[width]))
        return error_set(err, STATUS_BAD_INPUT, "glTF: accessor %d is no list of %s numbers", accessor, types[width]);
    if (sparse < 0 && !is_dense)
        return no_data(err);
    if (!(*values = array_new((size_t)*count, (size_t)width, sizeof **values)))
        return error_no_memory(err);
    const Elements e = {type, width, *count, *values};
    status = is_dense ? read_dense(gltf, item, &e, err) : STATUS_OK;
    return status || sparse < 0 ? status : read_sparse(gltf, sparse, &e, err);
}
