/* formats/container/hdf5_encode, container_encode: libhdf5 reads the same objects, links, types, layouts and values as
 * from files that it wrote itself (tests/support/hdf5_oracle.h). */
#include "tests/support/test.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/container/container.h"
#include "formats/container/hdf5_encode.h"
#include "tests/support/hdf5_oracle.h"
#include "tests/support/same_clip.h"
#include "tests/support/sample_clip.h"
#include "tests/support/test_folder.h"

/* ---- Comparison of two files, object by object ---- */

enum { MAX_VALUES = 1 << 22, NAME_SIZE = 200 };

/* Values as text: strings unchanged, references as target names, numbers as bytes; the caller frees it. */
static char *printed(hid_t object, hid_t type, hid_t space, const void *values, size_t *size)
{
    char *text = NULL, name[NAME_SIZE];
    FILE *stream = open_memstream(&text, size);
    size_t count = (size_t)H5Sget_simple_extent_npoints(space), element = H5Tget_size(type);
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)values + i * element;
        if (H5Tis_variable_str(type) > 0) {
            fprintf(stream, "\"%s\"", *(char *const *)(const void *)at);
        } else if (H5Tget_class(type) == H5T_VLEN || H5Tget_class(type) == H5T_COMPOUND) {
            const hvl_t *list = (const void *)at; /* one reference; REFERENCE_LIST begins with one */
            const void *reference = H5Tget_class(type) == H5T_VLEN ? list->p : at;
            assert_true(H5Rget_name(object, H5R_OBJECT, reference, name, sizeof name) > 0);
            fprintf(stream, "[%s", name);
            if (H5Tget_class(type) == H5T_COMPOUND)
                fwrite(at + sizeof(hobj_ref_t), 1, element - sizeof(hobj_ref_t), stream);
        } else {
            fwrite(at, 1, element, stream);
        }
    }
    fclose(stream);
    return text;
}

static void assert_same_values(hid_t object[2], hid_t type[2], hid_t space[2], void *values[2], const char *name)
{
    char *text[2];
    size_t size[2];
    if (H5Tequal(type[0], type[1]) <= 0)
        fail_msg("%s has another type", name);
    if (H5Sextent_equal(space[0], space[1]) <= 0)
        fail_msg("%s has another shape", name);
    for (int k = 0; k < 2; k++)
        text[k] = printed(object[k], type[k], space[k], values[k], &size[k]);
    if (size[0] != size[1] || memcmp(text[0], text[1], size[0]) != 0)
        fail_msg("%s has other values", name);
    free(text[0]);
    free(text[1]);
}

static void compare_attribute(hid_t object[2], const char *path, const char *name)
{
    hid_t attribute[2], type[2], space[2];
    void *values[2];
    char where[2 * NAME_SIZE];
    snprintf(where, sizeof where, "%s@%s", path, name);
    for (int k = 0; k < 2; k++) {
        attribute[k] = H5Aopen(object[k], name, H5P_DEFAULT);
        if (attribute[k] < 0)
            fail_msg("%s is missing in file %d", where, k);
        type[k] = H5Aget_type(attribute[k]);
        space[k] = H5Aget_space(attribute[k]);
        values[k] = calloc((size_t)H5Sget_simple_extent_npoints(space[k]), H5Tget_size(type[k]));
        assert_true(H5Aread(attribute[k], type[k], values[k]) >= 0);
    }
    assert_same_values(object, type, space, values, where);
    for (int k = 0; k < 2; k++) {
        H5Dvlen_reclaim(type[k], space[k], H5P_DEFAULT, values[k]);
        free(values[k]);
        H5Sclose(space[k]);
        H5Tclose(type[k]);
        H5Aclose(attribute[k]);
    }
}

static void compare_attributes(hid_t object[2], const char *path)
{
    H5O_info_t info[2];
    char name[NAME_SIZE];
    for (int k = 0; k < 2; k++)
        assert_true(H5Oget_info2(object[k], &info[k], H5O_INFO_NUM_ATTRS) >= 0);
    if (info[0].num_attrs != info[1].num_attrs)
        fail_msg("%s has %d and %d attributes", path, (int)info[0].num_attrs, (int)info[1].num_attrs);
    for (hsize_t i = 0; i < info[0].num_attrs; i++) {
        assert_true(H5Aget_name_by_idx(object[0], ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name,
                                       H5P_DEFAULT) > 0);
        compare_attribute(object, path, name);
    }
}

/* Layout, filters, fill value and orders. */
static void compare_properties(hid_t dataset[2], const char *path)
{
    hid_t list[2] = {H5Dget_create_plist(dataset[0]), H5Dget_create_plist(dataset[1])};
    H5D_alloc_time_t allocation[2];
    H5D_fill_time_t fill[2];
    hsize_t chunk[2][3] = {{0}};
    unsigned order[2];
    hbool_t times[2];
    for (int k = 0; k < 2; k++) {
        H5Pget_alloc_time(list[k], &allocation[k]);
        H5Pget_fill_time(list[k], &fill[k]);
        H5Pget_attr_creation_order(list[k], &order[k]);
        H5Pget_obj_track_times(list[k], &times[k]);
        if (H5Pget_layout(list[k]) == H5D_CHUNKED)
            H5Pget_chunk(list[k], 3, chunk[k]);
    }
    if (H5Pget_layout(list[0]) != H5Pget_layout(list[1]) || memcmp(chunk[0], chunk[1], sizeof chunk[0]) != 0)
        fail_msg("%s has another layout", path);
    if (H5Pget_nfilters(list[0]) != H5Pget_nfilters(list[1]))
        fail_msg("%s has other filters", path);
    for (unsigned i = 0; i < (unsigned)H5Pget_nfilters(list[0]); i++) {
        unsigned flags[2], value[2][1] = {{0}};
        size_t count[2] = {1, 1};
        H5Z_filter_t filter[2];
        for (int k = 0; k < 2; k++)
            filter[k] = H5Pget_filter2(list[k], i, &flags[k], &count[k], value[k], 0, NULL, NULL);
        if (filter[0] != filter[1] || flags[0] != flags[1] || count[0] != count[1] || value[0][0] != value[1][0])
            fail_msg("%s has another filter %u", path, i);
    }
    if (allocation[0] != allocation[1] || fill[0] != fill[1])
        fail_msg("%s is filled otherwise", path);
    if (order[0] != order[1] || times[0] != times[1])
        fail_msg("%s has other orders or times", path);
    H5Pclose(list[0]);
    H5Pclose(list[1]);
}

static void compare_dataset(hid_t dataset[2], const char *path)
{
    hid_t type[2], space[2];
    void *values[2];
    compare_properties(dataset, path);
    for (int k = 0; k < 2; k++) {
        type[k] = H5Dget_type(dataset[k]);
        space[k] = H5Dget_space(dataset[k]);
        size_t bytes = (size_t)H5Sget_simple_extent_npoints(space[k]) * H5Tget_size(type[k]);
        values[k] = calloc(bytes, 1);
        assert_true(bytes <= MAX_VALUES);
        assert_true(H5Dread(dataset[k], type[k], H5S_ALL, H5S_ALL, H5P_DEFAULT, values[k]) >= 0);
    }
    assert_same_values(dataset, type, space, values, path);
    for (int k = 0; k < 2; k++) {
        if (H5Tdetect_class(type[k], H5T_VLEN) > 0 || H5Tis_variable_str(type[k]) > 0)
            H5Dvlen_reclaim(type[k], space[k], H5P_DEFAULT, values[k]);
        free(values[k]);
        H5Sclose(space[k]);
        H5Tclose(type[k]);
    }
}

/* Compares links in creation order, and their targets; returns the number of objects. */
static int compare_group(hid_t group[2], const char *path)
{
    H5G_info_t info[2];
    int count = 0;
    for (int k = 0; k < 2; k++)
        assert_true(H5Gget_info(group[k], &info[k]) >= 0);
    if (info[0].nlinks != info[1].nlinks)
        fail_msg("%s has %d and %d links", path, (int)info[0].nlinks, (int)info[1].nlinks);
    for (hsize_t i = 0; i < info[0].nlinks; i++) {
        char name[2][NAME_SIZE], inner[2 * NAME_SIZE];
        hid_t object[2];
        for (int k = 0; k < 2; k++) {
            assert_true(H5Lget_name_by_idx(group[k], ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name[k], NAME_SIZE,
                                           H5P_DEFAULT) > 0);
            object[k] = H5Oopen(group[k], name[k], H5P_DEFAULT);
            assert_true(object[k] >= 0);
        }
        snprintf(inner, sizeof inner, "%s/%s", path, name[0]);
        if (strcmp(name[0], name[1]) != 0)
            fail_msg("link %d of %s leads to %s and %s", (int)i, path, name[0], name[1]);
        if (H5Iget_type(object[0]) != H5Iget_type(object[1]))
            fail_msg("%s is another kind of object", inner);
        compare_attributes(object, inner);
        if (H5Iget_type(object[0]) == H5I_GROUP)
            count += compare_group(object, inner);
        else
            compare_dataset(object, inner);
        count++;
        H5Oclose(object[0]);
        H5Oclose(object[1]);
    }
    return count;
}

/* ---- Clips ---- */

static void save(const void *bytes, size_t size, const char *path)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* Returns the number of objects in both files. */
static int assert_as_by_libhdf5(const Clip *clip, ContainerDef def)
{
    TestFolder folder = test_folder_make();
    ContainerImage image;
    assert_int_equal(container_encode(clip, &def, &image, NULL), STATUS_OK);
    save(image.bytes, image.size, test_folder_file(&folder, "ours.h5"));
    container_image_free(&image);
    hid_t file[2], root[2];
    Clip back;
    file[0] = H5Fopen(test_folder_file(&folder, "ours.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_int_equal(oracle_write(clip, &def, test_folder_file(&folder, "oracle.h5")), 0);
    file[1] = H5Fopen(test_folder_file(&folder, "oracle.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int k = 0; k < 2; k++)
        root[k] = H5Gopen2(file[k], "/", H5P_DEFAULT);
    assert_true(root[0] >= 0 && root[1] >= 0);
    compare_attributes(root, "");
    int count = compare_group(root, "");
    for (int k = 0; k < 2; k++) {
        H5Gclose(root[k]);
        H5Fclose(file[k]);
    }
    assert_int_equal(container_load(test_folder_file(&folder, "oracle.h5"), &image, NULL), STATUS_OK);
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK); /* as files of earlier versions */
    if (!def.float32)
        assert_same_arrays(clip, &back);
    clip_free(&back);
    container_image_free(&image);
    test_folder_remove(&folder);
    return count;
}

TEST(sample_clips_equal_libhdf5_files)
{
    static const int shapes[][3] = {{1, 1, 0}, {20, 10, 3}, {64, 31, 1}, {12, 200, 2}};
    static const ContainerDef defs[] = {{0}, {.float32 = 1}, {.compress = 4}, {.float32 = 1, .compress = 9}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
            Clip clip;
            assert_int_equal(sample_clip(&clip, shapes[i][0], shapes[i][1], shapes[i][2]), 0);
            assert_true(assert_as_by_libhdf5(&clip, defs[k]) > 40);
            clip_drop(&clip, CLIP_BODY);
            assert_as_by_libhdf5(&clip, defs[k]);
            clip_free(&clip);
        }
}

/* Empty names, names longer than a heap collection, and non-ASCII names. */
TEST(texts_of_any_length_equal_libhdf5_files)
{
    static const size_t length[] = {0, 1, 7, 8, 9, 4000, 4096, 65519, 65520, 65521, 65536, 300000};
    (void)state;
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        Clip clip;
        assert_int_equal(sample_clip(&clip, 2, 3, 1), 0);
        free(clip.provenance.history);
        clip.provenance.history = calloc(length[i] + 1, 1);
        memset(clip.provenance.history, 'h', length[i]);
        assert_as_by_libhdf5(&clip, container_default_def());
        clip_free(&clip);
    }
}

/* The clip of a compressed file of version 0.1. */
static Clip clip_of(const char *path)
{
    static unsigned char bytes[1 << 20];
    ContainerImage image = {bytes, 0};
    Clip clip;
    gzFile stream = gzopen(path, "rb");
    assert_non_null(stream);
    image.size = (size_t)gzread(stream, bytes, sizeof bytes);
    assert_int_equal(gzclose(stream), Z_OK);
    assert_true(image.size > 0 && image.size < sizeof bytes);
    assert_int_equal(container_decode(&image, &clip, NULL), STATUS_OK);
    return clip;
}

/* Degrees of freedom, simulation, retargeting, and the groups within /tracking. */
TEST(scenes_and_tracked_clips_equal_libhdf5_files)
{
    static const char *const path[] = {"tests/unit/container/scene_0.1.h5.gz",
                                       "tests/unit/container/tracked_0.1.h5.gz",
                                       "tests/unit/container/retargeted_0.1.h5.gz"};
    unsigned groups = 0;
    (void)state;
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        Clip clip = clip_of(path[i]);
        assert_as_by_libhdf5(&clip, container_default_def());
        assert_as_by_libhdf5(&clip, (ContainerDef){.compress = 1});
        for (int id = 0; id < GROUP_COUNT; id++)
            groups |= (unsigned)schema_has_group(&clip, (SchemaGroupId)id) << id;
        clip_free(&clip);
    }
    const unsigned wanted = 1U << GROUP_DOF | 1U << GROUP_SIMULATION | 1U << GROUP_TRACKING | 1U << GROUP_RETARGET;
    assert_int_equal(groups & wanted, wanted);
    assert_true(groups >> GROUP_RUN != 0);
}

/* ---- The format ---- */

static int put_to_stream(void *to, struct iovec *piece, int count)
{
    for (int i = 0; i < count; i++)
        if (fwrite(piece[i].iov_base, 1, piece[i].iov_len, to) != piece[i].iov_len)
            return 0;
    return 1;
}

/* A file with one dataset of that many rows, opened by libhdf5. */
static hid_t file_of(TestFolder *folder, const Hdf5Dataset *dataset)
{
    Hdf5File file;
    hdf5_begin(&file, "");
    Hdf5Link link = {"values", hdf5_open_dataset(&file, dataset)};
    hdf5_close_object(&file);
    uint64_t root = hdf5_open_group(&file, &link, 1);
    hdf5_close_object(&file);
    hdf5_end(&file, root);
    assert_false(file.failed);
    FILE *stream = fopen(test_folder_file(folder, "one.h5"), "wb");
    assert_true(hdf5_deliver(&file, put_to_stream, stream));
    assert_int_equal(ftell(stream), hdf5_size(&file));
    fclose(stream);
    hdf5_free(&file);
    return H5Fopen(folder->name, H5F_ACC_RDONLY, H5P_DEFAULT);
}

/* Chunk B-trees of one, two and three levels, with a full or partial last chunk. */
TEST(many_chunks_are_read_back)
{
    static const int rows[] = {1, 2, 63, 64, 65, 127, 128, 4095, 4096, 4097, 9001};
    enum { ROW = 6, MAX = 9001 };
    static double values[MAX * ROW], back[MAX * ROW];
    unsigned seed = 1;
    (void)state;
    sample_fill(values, sizeof values, &seed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t chunk_rows = 1; chunk_rows <= 3; chunk_rows++) {
            TestFolder folder = test_folder_make();
            hid_t file = file_of(&folder, &(Hdf5Dataset){.type = HDF5_FLOAT64, .rank = 3,
                                                         .size = {(uint64_t)rows[i], 2, 3}, .values = values,
                                                         .chunk_rows = chunk_rows, .level = 1});
            hid_t dataset = H5Dopen2(file, "values", H5P_DEFAULT);
            memset(back, 0, sizeof back);
            assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
            assert_memory_equal(back, values, (size_t)rows[i] * ROW * sizeof *values);
            H5Dclose(dataset);
            H5Fclose(file);
            test_folder_remove(&folder);
        }
}

/* Values from Jenkins' own driver. */
TEST(checksum_is_lookup3)
{
    static const char text[] = "Four score and seven years ago";
    (void)state;
    assert_int_equal(hdf5_checksum("", 0), UINT32_C(0xdeadbeef));
    assert_int_equal(hdf5_checksum(text, 30), UINT32_C(0x17770551));
}
