/* What a container may take the place of: nothing that is somebody else's. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/container/container.h"
#include "tests/support/assert_near.h"
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

static void containers_of_ours_may_go(void **state)
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
        assert_int_equal(place(&folder, image.bytes, 1024), STATUS_OK); /* cut off */
        assert_int_equal(place(&folder, image.bytes, image.size / 2), STATUS_OK);
        container_image_free(&image);
    }
    clip_free(&clip);
    test_folder_remove(&folder);
}

static void files_of_others_stay(void **state)
{
    /* A whole HDF5 file of another program: a superblock that ends at 96 bytes. */
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

static void nothing_and_empty_files_may_go(void **state)
{
    TestFolder folder = test_folder_make();
    (void)state;
    assert_int_equal(container_may_replace(test_folder_file(&folder, "none"), NULL), STATUS_OK);
    assert_int_equal(place(&folder, "", 0), STATUS_OK);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_of_ours_may_go),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(nothing_and_empty_files_may_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
