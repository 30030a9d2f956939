/* formats/gltf/gltf_binary: consistent chunk lengths, views aligned to four bytes, exact bounds. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/gltf/gltf_binary.h"

static uint32_t word(const char *bytes, size_t at)
{
    const unsigned char *b = (const unsigned char *)bytes + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The members that the accessors write, in an object. */
static char *members(const GltfBinary *b)
{
    char *text = NULL;
    size_t size;
    Json json = json_compact(open_memstream(&text, &size));
    json_open(&json, '{');
    gltf_put_accessors(b, &json);
    json_close(&json, '}');
    fclose(json.stream);
    return text;
}

TEST(bounds_are_min_and_max_of_float32_values)
{
    GltfBinary b = {0};
    int first, second;
    float *v = gltf_add_floats(&b, GLTF_VEC3, 2, GLTF_VERTEX, &first);
    const float numbers[] = {1, -2, 0.5f, -3, 4, 0.1f};
    assert_non_null(v);
    memcpy(v, numbers, sizeof numbers);
    assert_true(gltf_last_is_finite(&b));
    assert_non_null(gltf_add_integers(&b, GLTF_SCALAR, 1, GLTF_PLAIN, &second));
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    assert_int_equal(b.size, 24 + 4);
    char *text = members(&b);
    assert_string_equal(text,
        "{\n\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\","
        "\"min\":[-3,-2,0.10000000149011612],\"max\":[1,4,0.5]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":1,\"type\":\"SCALAR\"}],\n"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":24,\"target\":34962},"
        "{\"buffer\":0,\"byteOffset\":24,\"byteLength\":2}],\n\"buffers\":[{\"byteLength\":28}]}");
    free(text);
    gltf_binary_free(&b);
}

TEST(nonfinite_values_are_detected)
{
    GltfBinary b = {0};
    int accessor;
    float *v = gltf_add_floats(&b, GLTF_MAT4, 3, GLTF_PLAIN, &accessor);
    assert_non_null(v);
    v[47] = (float)1e300;
    assert_false(gltf_last_is_finite(&b));
    v[47] = 1;
    assert_true(gltf_last_is_finite(&b));
    assert_null(gltf_add_floats(&b, GLTF_MAT4, SIZE_MAX / 8, GLTF_PLAIN, &accessor));
    assert_int_equal(b.accessor_count, 1);
    gltf_binary_free(&b);
}

TEST(chunks_fill_the_file)
{
    for (size_t length = 0; length < 5; length++) {
        GltfBinary b = {0};
        int accessor;
        char *bytes = NULL;
        size_t size;
        assert_non_null(gltf_add_floats(&b, GLTF_SCALAR, 7, GLTF_PLAIN, &accessor));
        FILE *stream = open_memstream(&bytes, &size);
        assert_int_equal(gltf_binary_write(&b, "{}  x", length, stream, NULL), STATUS_OK);
        fclose(stream);
        size_t text = word(bytes, 12);
        assert_memory_equal(bytes, "glTF\2\0\0\0", 8);
        assert_int_equal(word(bytes, 8), size);
        assert_int_equal(text, (length + 3) / 4 * 4);
        assert_memory_equal(bytes + 16, "JSON", 4);
        assert_int_equal(word(bytes, 20 + text), 28);
        assert_memory_equal(bytes + 24 + text, "BIN\0", 4);
        assert_int_equal(size, 28 + text + 28);
        for (size_t i = length; i < text; i++)
            assert_int_equal(bytes[20 + i], ' ');
        free(bytes);
        gltf_binary_free(&b);
    }
}

TEST(write_failure_is_an_error)
{
    GltfBinary b = {0};
    Error err;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    assert_int_equal(gltf_binary_write(&b, "{}", 2, full, &err), STATUS_IO);
    fclose(full);
}
