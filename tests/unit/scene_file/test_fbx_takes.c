/* Names of the takes in binary FBX files with narrow and wide records, and in text; damaged records. */
#include "tests/support/test.h"

#include <stdint.h>
#include <string.h>

#include "formats/scene_file/fbx_takes.h"

typedef struct Writer {
    char bytes[4096];
    size_t size;
    int width; /* of numbers in the head of a record */
} Writer;

static void put(Writer *w, const void *bytes, size_t size)
{
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static void put_number_at(Writer *w, size_t at, uint64_t number)
{
    for (int i = 0; i < w->width; i++)
        w->bytes[at + (size_t)i] = (char)(number >> 8 * i);
}

/* Begins a record with these bytes of properties; returns where it begins. */
static size_t begin(Writer *w, const char *name, const void *properties, size_t size)
{
    size_t at = w->size;
    w->size += 3 * (size_t)w->width;
    put_number_at(w, at + 2 * (size_t)w->width, size);
    w->bytes[w->size++] = (char)strlen(name);
    put(w, name, strlen(name));
    put(w, properties, size);
    return at;
}

static void end(Writer *w, size_t at)
{
    put_number_at(w, at, w->size);
}

static void put_stack(Writer *w, const char *name)
{
    char properties[128] = "L12345678S";
    size_t length = strlen(name) + 2 + 9;
    memcpy(properties + 10, &(uint32_t){(uint32_t)length}, 4);
    memcpy(properties + 14, name, strlen(name));
    memcpy(properties + 14 + strlen(name), "\0\1AnimStack", 11);
    end(w, begin(w, "AnimationStack", properties, 14 + length));
}

static Writer make_file(int version, int has_curve)
{
    Writer w = {.width = version >= 7500 ? 8 : 4};
    put(&w, "Kaydara FBX Binary  \0\x1a\0", 23);
    put(&w, &(int32_t){version}, 4);
    end(&w, begin(&w, "Creator", "S\1\0\0\0x", 6));
    size_t objects = begin(&w, "Objects", "", 0);
    put_stack(&w, "Idle");
    if (has_curve)
        end(&w, begin(&w, "AnimationCurve", "L12345678", 9));
    put_stack(&w, "Walk it");
    w.size += 3 * (size_t)w.width + 1; /* the empty record that ends a list */
    end(&w, objects);
    w.size += 3 * (size_t)w.width + 1;
    return w;
}

TEST(takes_of_binary_files_have_names)
{
    static const int versions[] = {6100, 7400, 7500, 7700};
    (void)state;
    for (int i = 0; i < 8; i++) {
        Writer w = make_file(versions[i / 2], i % 2);
        FbxTakes takes;
        Error err = {0};
        if (fbx_takes_read(w.bytes, w.size, &takes, &err))
            fail_msg("%s", err.text);
        assert_int_equal(takes.version, versions[i / 2]);
        assert_int_equal(takes.count, 2);
        assert_string_equal(takes.name[0], "Idle");
        assert_string_equal(takes.name[1], "Walk it");
        assert_int_equal(takes.has_curves, i % 2);
        fbx_takes_free(&takes);
    }
}

TEST(takes_of_text_have_names)
{
    static const char text[] = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n"
                               "\tAnimationStack: 1, \"AnimStack::Run\", \"\" {\n\t}\n"
                               "\tAnimationCurve: 2, \"\", \"\" {\n"
                               "\tAnimationStack: 3, \"Jump\", \"\" {\n";
    FbxTakes takes;
    (void)state;
    assert_true(fbx_begins(text, sizeof text - 1));
    assert_int_equal(fbx_takes_read(text, sizeof text - 1, &takes, NULL), STATUS_OK);
    assert_int_equal(takes.version, 7400);
    assert_int_equal(takes.count, 2);
    assert_string_equal(takes.name[0], "Run");
    assert_string_equal(takes.name[1], "Jump");
    assert_true(takes.has_curves);
    fbx_takes_free(&takes);
}

TEST(records_beyond_the_file_are_refused_with_their_byte)
{
    Writer w = make_file(7400, 1);
    FbxTakes takes;
    Error err = {0};
    (void)state;
    put_number_at(&w, 27, 100000);
    assert_int_equal(fbx_takes_read(w.bytes, w.size, &takes, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "byte 27"));
    fbx_takes_free(&takes);
    for (size_t cut = 0; cut < w.size; cut++) {
        char *part = malloc(cut + 1);
        w = make_file(7700, 1);
        memcpy(part, w.bytes, cut);
        (void)fbx_takes_read(part, cut, &takes, NULL);
        assert_true(takes.count <= 2);
        fbx_takes_free(&takes);
        free(part);
    }
}
