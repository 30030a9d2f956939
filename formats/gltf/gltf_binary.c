#include "formats/gltf/gltf_binary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

enum { GLB_MAGIC = 0x46546C67, GLB_VERSION = 2, CHUNK_JSON = 0x4E4F534A, CHUNK_BIN = 0x004E4942 };
enum { HEADER_SIZE = 12, CHUNK_HEADER_SIZE = 8 };
enum { FLOAT = 5126, UNSIGNED_SHORT = 5123, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

static const struct {
    const char *name;
    int size; /* numbers per element */
} types[] = {[GLTF_SCALAR] = {"SCALAR", 1}, [GLTF_VEC3] = {"VEC3", 3}, [GLTF_VEC4] = {"VEC4", 4},
             [GLTF_MAT4] = {"MAT4", 16}};

void gltf_binary_free(GltfBinary *b)
{
    free(b->bytes);
    free(b->accessor);
    *b = (GltfBinary){0};
}

static size_t padded(size_t size) { return (size + 3) & ~(size_t)3; }

static size_t number_count(const GltfAccessor *a) { return a->count * (size_t)types[a->type].size; }

static size_t byte_size(const GltfAccessor *a)
{
    return number_count(a) * (a->is_float ? sizeof(float) : sizeof(uint16_t));
}

/* Reserves and zeroes size more bytes; returns 0 if memory runs out. */
static int reserve(GltfBinary *b, size_t size)
{
    size_t wanted, capacity = b->capacity ? b->capacity : 4096;
    if (__builtin_add_overflow(b->size, size, &wanted))
        return 0;
    while (capacity < wanted)
        if (__builtin_mul_overflow(capacity, 2, &capacity))
            return 0;
    if (capacity > b->capacity) {
        unsigned char *larger = realloc(b->bytes, capacity);
        if (!larger)
            return 0;
        b->bytes = larger;
        b->capacity = capacity;
    }
    memset(b->bytes + b->size, 0, size);
    return 1;
}

static void *add(GltfBinary *b, GltfAccessor a, int *accessor)
{
    size_t numbers, bytes;
    a.offset = b->size;
    if (__builtin_mul_overflow(a.count, (size_t)types[a.type].size, &numbers) ||
        __builtin_mul_overflow(numbers, sizeof(float), &bytes) || bytes > SIZE_MAX - 4)
        return NULL;
    bytes = padded(byte_size(&a));
    if (!array_grow(&b->accessor, b->accessor_count, sizeof *b->accessor) || !reserve(b, bytes))
        return NULL;
    b->size += bytes;
    *accessor = b->accessor_count;
    b->accessor[b->accessor_count++] = a;
    return b->bytes + a.offset;
}

float *gltf_add_floats(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor)
{
    return add(b, (GltfAccessor){0, count, type, use, 1}, accessor);
}

uint16_t *gltf_add_integers(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor)
{
    return add(b, (GltfAccessor){0, count, type, use, 0}, accessor);
}

static const float *accessor_floats(const GltfBinary *b, const GltfAccessor *a)
{
    return (const float *)(const void *)(b->bytes + a->offset);
}

int gltf_last_is_finite(const GltfBinary *b)
{
    const GltfAccessor *a = &b->accessor[b->accessor_count - 1];
    const float *value = accessor_floats(b, a);
    for (size_t i = 0; i < number_count(a); i++)
        if (!isfinite(value[i]))
            return 0;
    return 1;
}

/* Writes "min" (sign 1) or "max" (sign -1), the bounds of each component. */
static void put_bounds(const GltfBinary *b, const GltfAccessor *a, float sign, Json *json)
{
    const float *value = accessor_floats(b, a);
    size_t size = (size_t)types[a->type].size;
    json_member_open(json, sign > 0 ? "min" : "max", '[');
    for (size_t k = 0; k < size; k++) {
        float bound = value[k];
        for (size_t i = 1; i < a->count; i++)
            if (sign * value[i * size + k] < sign * bound)
                bound = value[i * size + k];
        json_number(json, bound);
    }
    json_close(json, ']');
}

static void put_accessor(const GltfBinary *b, int i, Json *json)
{
    const GltfAccessor *a = &b->accessor[i];
    json_open(json, '{');
    json_member_integer(json, "bufferView", i);
    json_member_integer(json, "componentType", a->is_float ? FLOAT : UNSIGNED_SHORT);
    json_member_integer(json, "count", (long long)a->count);
    json_member_text(json, "type", types[a->type].name);
    if (a->is_float && a->count > 0) {
        put_bounds(b, a, 1, json);
        put_bounds(b, a, -1, json);
    }
    json_close(json, '}');
}

static void put_view(const GltfBinary *b, int i, Json *json)
{
    const GltfAccessor *a = &b->accessor[i];
    json_open(json, '{');
    json_member_integer(json, "buffer", 0);
    json_member_integer(json, "byteOffset", (long long)a->offset);
    json_member_integer(json, "byteLength", (long long)byte_size(a));
    if (a->use != GLTF_PLAIN)
        json_member_integer(json, "target", a->use == GLTF_VERTEX ? ARRAY_BUFFER : ELEMENT_ARRAY_BUFFER);
    json_close(json, '}');
}

void gltf_put_accessors(const GltfBinary *b, Json *json)
{
    json_line(json, "");
    json_member_open(json, "accessors", '[');
    for (int i = 0; i < b->accessor_count; i++)
        put_accessor(b, i, json);
    json_close(json, ']');
    json_line(json, "");
    json_member_open(json, "bufferViews", '[');
    for (int i = 0; i < b->accessor_count; i++)
        put_view(b, i, json);
    json_close(json, ']');
    json_line(json, "");
    json_member_open(json, "buffers", '[');
    json_open(json, '{');
    json_member_integer(json, "byteLength", (long long)b->size);
    json_close(json, '}');
    json_close(json, ']');
}

static void put_words(FILE *stream, int count, const uint32_t *word)
{
    for (int i = 0; i < count; i++)
        for (int shift = 0; shift < 32; shift += 8)
            putc_unlocked((int)(word[i] >> shift & 255), stream);
}

Status gltf_binary_write(const GltfBinary *b, const char *json, size_t json_size, FILE *stream, Error *err)
{
    uint64_t text = padded(json_size), total = HEADER_SIZE + 2 * CHUNK_HEADER_SIZE + text + b->size;
    if (total > UINT32_MAX)
        return error_set(err, STATUS_LIMIT, "glTF would need %llu bytes, more than the 4 GB a .glb can have",
                         (unsigned long long)total);
    put_words(stream, 5, (uint32_t[]){GLB_MAGIC, GLB_VERSION, (uint32_t)total, (uint32_t)text, CHUNK_JSON});
    fwrite(json, 1, json_size, stream);
    for (size_t i = json_size; i < text; i++)
        putc_unlocked(' ', stream);
    put_words(stream, 2, (uint32_t[]){(uint32_t)b->size, CHUNK_BIN});
    if (b->size > 0)
        fwrite(b->bytes, 1, b->size, stream);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

float *gltf_put_vector(float *to, Vec3 v)
{
    *to++ = (float)v.x;
    *to++ = (float)v.y;
    *to++ = (float)v.z;
    return to;
}
