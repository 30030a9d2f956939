/* formats/container/output_rule: user files are not overwritten, and outputs appear only when complete. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/container/container_store.h"
#include "tests/support/test.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test_folder.h"

static Status place(TestFolder *folder, const void *bytes, size_t size)
{
    const char *path = test_folder_file(folder, "place");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return container_may_replace(path, NULL);
}

TEST(clip_files_may_be_replaced)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    ContainerImage image;
    Clip clip;
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    for (int packed = 0; packed < 2; packed++) {
        def.compress = packed;
        def.float32 = packed;
        assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
        assert_int_equal(place(&folder, image.bytes, image.size), STATUS_OK);
        assert_int_equal(place(&folder, image.bytes, 1024), STATUS_OK); /* truncated */
        assert_int_equal(place(&folder, image.bytes, image.size / 2), STATUS_OK);
        container_image_free(&image);
    }
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(foreign_files_are_kept)
{
    /* A complete HDF5 file of another program: a superblock that ends at 96 bytes. */
    unsigned char other[96] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    TestFolder folder = test_folder_make();
    Error err;
    (void)state;
    other[13] = other[14] = 8;
    other[40] = sizeof other;
    assert_int_equal(place(&folder, other, sizeof other), STATUS_BAD_INPUT);
    assert_int_equal(place(&folder, "HIERARCHY", 9), STATUS_BAD_INPUT);
    assert_int_equal(container_may_replace(folder.path, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "a folder is in the way");
    test_folder_remove(&folder);
}

TEST(missing_and_empty_files_may_be_replaced)
{
    TestFolder folder = test_folder_make();
    (void)state;
    assert_int_equal(container_may_replace(test_folder_file(&folder, "none"), NULL), STATUS_OK);
    assert_int_equal(place(&folder, "", 0), STATUS_OK);
    test_folder_remove(&folder);
}

/* Whether a file of the folder has these bytes. */
static int holds(TestFolder *folder, const char *name, const void *bytes, size_t size)
{
    unsigned char found[1 << 18]; /* more than any image here */
    FILE *file = fopen(test_folder_file(folder, name), "rb");
    size_t got = file ? fread(found, 1, sizeof found, file) : 0;
    if (file)
        fclose(file);
    return file && got == size && !memcmp(found, bytes, size);
}

static int is_there(TestFolder *folder, const char *name)
{
    return access(test_folder_file(folder, name), F_OK) == 0;
}

TEST(stored_clip_file_replaces_clip_files_only)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    ContainerImage image;
    Clip clip;
    Error err;
    (void)state;
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
    assert_int_equal(place(&folder, "dear diary", 10), STATUS_BAD_INPUT);
    assert_int_equal(container_store(&clip, &def, test_folder_file(&folder, "place"), &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "exists and is a text file, not a clip file");
    assert_true(holds(&folder, "place", "dear diary", 10));
    assert_int_equal(place(&folder, image.bytes, image.size / 2), STATUS_OK);
    assert_int_equal(container_store(&clip, &def, test_folder_file(&folder, "place"), &err), STATUS_OK);
    assert_true(holds(&folder, "place", image.bytes, image.size));
    container_image_free(&image);
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* A pending file gets its name only by the commit; a discarded one leaves no trace, an abandoned one keeps its
 * temporary name. */
TEST(pending_clip_file_has_no_name)
{
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    char path[600], scratch[600];
    NewFile file;
    Clip clip;
    (void)state;
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "clip.h5"));
    snprintf(scratch, sizeof scratch, "%s", test_folder_file(&folder, "scratch"));
    assert_int_equal(container_store_pending(&clip, &def, path, scratch, &file, NULL), STATUS_OK);
    assert_true(is_there(&folder, "scratch") && !is_there(&folder, "clip.h5"));
    new_file_discard(&file);
    assert_false(is_there(&folder, "scratch"));
    assert_int_equal(container_store_pending(&clip, &def, path, scratch, &file, NULL), STATUS_OK);
    new_file_leave(&file);
    assert_int_equal(container_may_replace(scratch, NULL), STATUS_OK);
    assert_true(is_there(&folder, "scratch") && !is_there(&folder, "clip.h5"));
    assert_int_equal(container_store_pending(&clip, &def, path, NULL, &file, NULL), STATUS_OK);
    assert_false(is_there(&folder, "clip.h5"));
    assert_int_equal(new_file_commit(&file, NULL), STATUS_OK);
    assert_true(is_there(&folder, "clip.h5"));
    clip_free(&clip);
    test_folder_remove(&folder);
}
