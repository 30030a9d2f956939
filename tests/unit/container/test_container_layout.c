/* formats/container/container_layout: arrays that are much larger than the file are checked before they are decoded. */
#include <hdf5.h>
#include <string.h>

#include "formats/container/container.h"
#include "formats/container/container_store.h"
#include "formats/container/output_rule.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test.h"
#include "tests/support/test_folder.h"

enum { FRAMES = 300000, JOINTS = 8 };

/* A clip at rest, whose rotations of 77 MB are some hundred kilobytes in the file. */
static void store_still_clip(const char *path)
{
    ContainerDef def = container_default_def();
    Clip clip;
    def.compress = 9;
    assert_int_equal(sample_clip(&clip, 2, JOINTS, 0), 0);
    clip_drop(&clip, ~(unsigned)CLIP_ALWAYS);
    motion_free(&clip.motion);
    assert_int_equal(motion_init(&clip.motion, FRAMES, JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (size_t i = 0; i < (size_t)FRAMES * JOINTS; i++)
        clip.motion.rotation[i] = (Quat){.w = 1};
    assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    clip_free(&clip);
}

/* Overwrites the first row of rotations with zeros. */
static void spoil(const char *path)
{
    const double zero[JOINTS * 4] = {0};
    const hsize_t start[3] = {0}, size[3] = {1, JOINTS, 4};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), dataset = H5Dopen2(file, "/motion/rotation", H5P_DEFAULT);
    hid_t from = H5Screate_simple(3, size, NULL), to = H5Dget_space(dataset);
    assert_true(H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, size, NULL) >= 0);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, from, to, H5P_DEFAULT, zero) >= 0);
    H5Sclose(from);
    H5Sclose(to);
    H5Dclose(dataset);
    assert_true(H5Fclose(file) >= 0);
}

/* Before it is decoded: the checksum of the decoded array would differ too. */
TEST(large_invalid_array_is_refused_before_decoding)
{
    TestFolder folder = test_folder_make();
    ContainerImage image = {0};
    Clip clip = {0};
    Error err = {0};
    const char *path = test_folder_file(&folder, "still.h5");
    (void)state;
    store_still_clip(path);
    spoil(path);
    assert_int_equal(container_load(path, &image, &err), STATUS_OK);
    assert_int_equal(container_decode_guarded(&image, &clip, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "/motion/rotation has no unit quaternions");
    container_image_free(&image);
    test_folder_remove(&folder);
}
