/* formats/container/container_layout: clip files from files and streams; other input is rejected. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/container/container_image.h"
#include "formats/container/container_store.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test_folder.h"

typedef struct Case {
    TestFolder folder;
    char path[300];
    ContainerImage image; /* of the file at path */
} Case;

static Case open_case(void)
{
    Case c = {.folder = test_folder_make()};
    Clip clip;
    ContainerDef def = container_default_def();
    snprintf(c.path, sizeof c.path, "%s/clip.h5", c.folder.path);
    assert_int_equal(sample_clip(&clip, 4, 3, 1), 0);
    assert_int_equal(container_store(&clip, &def, c.path, NULL), STATUS_OK);
    clip_free(&clip);
    assert_int_equal(container_load(c.path, &c.image, NULL), STATUS_OK);
    return c;
}

static void close_case(Case *c)
{
    container_image_free(&c->image);
    test_folder_remove(&c->folder);
}

/* Writes the clip file in parts of the given sizes, terminated by 0. */
static const char *put_parts(Case *c, const size_t *size)
{
    const char *path = test_folder_file(&c->folder, "parts.h5");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (; *size; size++)
        assert_int_equal(fwrite(c->image.bytes, 1, *size, file), *size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void expect_refusal(const char *path, Status expected, const char *words)
{
    ContainerImage image;
    Error err = {0};
    assert_int_equal(container_load(path, &image, &err), expected);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_null(image.bytes);
}

TEST(file_with_one_complete_clip_is_read)
{
    Case c = open_case();
    size_t whole = c.image.size;
    expect_refusal(test_folder_file(&c.folder, "none.h5"), STATUS_IO, "No such file");
    expect_refusal(c.folder.path, STATUS_IO, "Is a directory");
    expect_refusal(put_parts(&c, (const size_t[]){0}), STATUS_BAD_INPUT, "the file is empty");
    expect_refusal(put_parts(&c, (const size_t[]){20, 0}), STATUS_BAD_INPUT, "not a clip file of kane");
    expect_refusal(put_parts(&c, (const size_t[]){whole - 1, 0}), STATUS_BAD_INPUT, "truncated clip file");
    expect_refusal(put_parts(&c, (const size_t[]){whole, 1, 0}), STATUS_BAD_INPUT, "more than one clip");
    expect_refusal("data/walk.bvh", STATUS_BAD_INPUT, "not a clip file of kane");
    close_case(&c);
}

TEST(stream_of_clip_files_is_read)
{
    Case c = open_case();
    ContainerImage image;
    FILE *stream = fopen(put_parts(&c, (const size_t[]){c.image.size, c.image.size, 0}), "rb");
    assert_non_null(stream);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(container_next(stream, &image, NULL), STATUS_OK);
        assert_int_equal(image.size, c.image.size);
        assert_memory_equal(image.bytes, c.image.bytes, image.size);
        container_image_free(&image);
    }
    assert_int_equal(container_next(stream, &image, NULL), STATUS_OK);
    assert_int_equal(image.size, 0);
    fclose(stream);
    close_case(&c);
}

/* A header that claims a terabyte allocates only as bytes follow. */
TEST(claimed_size_allocates_no_memory)
{
    Case c = open_case();
    ContainerImage image;
    Error err = {0};
    unsigned char header[IMAGE_HEADER_SIZE];
    memcpy(header, c.image.bytes, sizeof header);
    unsigned long long end = c.image.size;
    size_t at = 0;
    while (at + sizeof end <= sizeof header && memcmp(header + at, &end, sizeof end) != 0)
        at++;
    assert_true(at + sizeof end <= sizeof header);
    end = 1ull << 40;
    memcpy(header + at, &end, sizeof end);
    FILE *stream = fmemopen(header, sizeof header, "rb");
    assert_int_equal(container_next(stream, &image, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "truncated clip file"));
    fclose(stream);
    end = ~0ull;
    memcpy(header + at, &end, sizeof end);
    stream = fmemopen(header, sizeof header, "rb");
    assert_int_equal(container_next(stream, &image, &err), STATUS_BAD_INPUT);
    fclose(stream);
    close_case(&c);
}

TEST(clip_file_is_identified_by_first_bytes)
{
    Case c = open_case();
    assert_int_equal(container_is_at(c.path), 1);
    assert_int_equal(container_is_at("data/walk.bvh"), 0);
    assert_int_equal(container_is_at(c.folder.path), 0);
    assert_int_equal(container_is_at(put_parts(&c, (const size_t[]){0})), 0);
    assert_int_equal(container_is_at(put_parts(&c, (const size_t[]){7, 0})), 0);
    assert_int_equal(container_is_at(put_parts(&c, (const size_t[]){8, 0})), 1);
    const char *pipe = test_folder_file(&c.folder, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(container_is_at(pipe), 0); /* does not wait for a writer */
    close_case(&c);
}
