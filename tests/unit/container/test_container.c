/* formats/container: content is read back bit for bit, bytes depend on content only, damage is an error. */
#include "tests/support/test.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>

#include "formats/container/container_store.h"
#include "tests/support/descriptors.h"
#include "tests/support/same_clip.h"
#include "tests/support/sample_clip.h"
#include "tests/support/altered_image.h"

static ContainerImage encoded(const Clip *clip, ContainerDef def)
{
    ContainerImage image;
    Error err;
    Status status = container_encode(clip, &def, &image, &err);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    return image;
}

/* UDUNITS-2 symbols that kane uses; a digit after one is its exponent. */
static int is_unit_symbol(const char *at, size_t length)
{
    static const char *const symbols[] = {"1", "m", "s", "kg", "rad", "N", "W", "J"};
    if (length > 1 && at[length - 1] >= '2' && at[length - 1] <= '9')
        length--;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i]) == length && memcmp(symbols[i], at, length) == 0)
            return 1;
    return 0;
}

/* netCDF programs convert with these units: "Nm" is not a UDUNITS unit, "N m" is. */
TEST(units_are_valid_in_udunits)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const char *at = schema_datasets[i].units;
        for (size_t length; *at; at += length + (at[length] != 0)) {
            length = strcspn(at, " /");
            if (!is_unit_symbol(at, length))
                fail_msg("%s has the units \"%s\"", schema_datasets[i].name, schema_datasets[i].units);
        }
    }
    assert_string_equal(schema_datasets[schema_find(GROUP_DYNAMICS, "torque")].units, "N m");
}

static void assert_same_clip(const Clip *a, const Clip *b)
{
    assert_same_arrays(a, b);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++) {
        const SchemaAttribute *schema = &schema_attributes[i];
        const char *x = (const char *)a + schema->member, *y = (const char *)b + schema->member;
        if (schema->kind == ATTRIBUTE_OWNED)
            assert_string_equal(*(char *const *)x, *(char *const *)y);
        else if (schema->kind == ATTRIBUTE_INLINE)
            assert_string_equal(x, y);
        else
            assert_memory_equal(x, y, schema->size * sizeof(double));
    }
}

static void round_trip(int frames, int joints, int points, unsigned dropped)
{
    Clip clip, back;
    Error err;
    assert_int_equal(sample_clip(&clip, frames, joints, points), 0);
    clip_drop(&clip, dropped);
    ContainerImage image = encoded(&clip, container_default_def());
    assert_int_equal(container_decode(&image, &back, &err), STATUS_OK);
    assert_same_clip(&clip, &back);
    clip_free(&back);
    char warning[80];
    assert_int_equal(container_decode_guarded(&image, &back, warning, sizeof warning, &err), STATUS_OK);
    assert_same_clip(&clip, &back);
    assert_string_equal(warning, "");
    ContainerImage again = encoded(&back, container_default_def());
    assert_int_equal(again.size, image.size);
    assert_memory_equal(again.bytes, image.bytes, image.size);
    container_image_free(&again);
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

TEST(every_group_round_trips_bit_for_bit)
{
    round_trip(40, 30, 4, 0);
    round_trip(1, 1, 0, 0);
    for (unsigned group = CLIP_BODY; group <= CLIP_DYNAMICS; group <<= 1)
        round_trip(3, 5, 2, group);
    round_trip(3, 5, 2, CLIP_ANGLES);
}

TEST(source_channels_round_trip)
{
    const int channels[3] = {546312, 645, 0};
    Clip clip, back;
    assert_int_equal(sample_clip(&clip, 4, 3, 0), 0);
    assert_null(clip.skeleton.channels);
    assert_int_equal(skeleton_add_channels(&clip.skeleton, NULL), STATUS_OK);
    memcpy(clip.skeleton.channels, channels, sizeof channels);
    ContainerImage image = encoded(&clip, container_default_def());
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
    assert_same_clip(&clip, &back);
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

TEST(absent_optional_arrays_stay_absent)
{
    Clip clip, back;
    assert_int_equal(sample_clip(&clip, 4, 3, 0), 0);
    free(clip.motion.translation);
    clip.motion.translation = NULL;
    free(clip.kinematics.com);
    clip.kinematics.com = NULL;
    clip.skeleton.end_count = 0;
    ContainerImage image = encoded(&clip, container_default_def());
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
    assert_null(back.motion.translation);
    assert_null(back.kinematics.com);
    assert_null(back.contact.moment);
    assert_null(back.skeleton.channels);
    assert_int_equal(back.has_contact, 1);
    assert_int_equal(back.contact.point_count, 0);
    assert_same_clip(&clip, &back);
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

TEST(many_joints_and_a_long_history_fit)
{
    Clip clip, back;
    assert_int_equal(sample_clip(&clip, 2, 3000, 1), 0);
    char line[1000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    for (int i = 0; i < 100; i++)
        assert_int_equal(clip_add_history(&clip, line, NULL), STATUS_OK);
    ContainerImage image = encoded(&clip, container_default_def());
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, NULL), STATUS_OK);
    assert_same_clip(&clip, &back);
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

/* Clock, heap and earlier encodings must not affect the bytes. */
TEST(equal_content_gives_equal_bytes)
{
    Clip clip, other;
    assert_int_equal(sample_clip(&clip, 20, 10, 3), 0);
    assert_int_equal(sample_clip(&other, 200, 70, 0), 0);
    ContainerImage first = encoded(&clip, container_default_def());
    ContainerImage between = encoded(&other, container_default_def());
    ContainerImage second = encoded(&clip, container_default_def());
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    unsigned long long hash = 14695981039346656037u; /* FNV-1a of a file written earlier */
    for (size_t i = 0; i < first.size; i++)
        hash = (hash ^ first.bytes[i]) * 1099511628211u;
    assert_int_equal(hash, UINT64_C(0xa8090f41492c07d7));
    container_image_free(&first);
    container_image_free(&between);
    container_image_free(&second);
    clip_free(&clip);
    clip_free(&other);
}

/* glibc fills allocated and freed memory: neither may reach the bytes or crash the process. */
TEST(uninitialized_memory_is_not_read)
{
    Clip clip, back;
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 4), 0);
    ContainerImage plain = encoded(&clip, container_default_def());
    mallopt(M_PERTURB, 0x55);
    ContainerImage filled = encoded(&clip, container_default_def());
    Status status = container_decode(&filled, &back, NULL);
    mallopt(M_PERTURB, 0);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(filled.size, plain.size);
    assert_memory_equal(filled.bytes, plain.bytes, plain.size);
    container_image_free(&filled);
    container_image_free(&plain);
    clip_free(&back);
    clip_free(&clip);
}

TEST(archives_are_smaller_and_within_float32_precision)
{
    Clip clip, back;
    assert_int_equal(sample_clip(&clip, 300, 20, 2), 0);
    for (size_t i = 0; i < 300 * 20; i++)
        clip.dynamics.torque[i] = vec3(0.5, -0.25, 0);
    ContainerImage plain = encoded(&clip, container_default_def());
    ContainerImage narrow = encoded(&clip, (ContainerDef){.float32 = 1});
    assert_true(narrow.size < 0.65 * (double)plain.size);
    assert_int_equal(container_decode_guarded(&narrow, &back, NULL, 0, NULL), STATUS_OK);
    assert_memory_equal(back.motion.time, clip.motion.time, 300 * sizeof(double));
    for (size_t i = 0; i < 300 * 20; i++)
        assert_vec3_near(back.kinematics.velocity[i], clip.kinematics.velocity[i], 6e-8);
    clip_free(&back);
    ContainerImage packed = encoded(&clip, (ContainerDef){.compress = 6});
    assert_true(packed.size < plain.size - 290 * 20 * sizeof(Vec3));
    assert_int_equal(container_decode_guarded(&packed, &back, NULL, 0, NULL), STATUS_OK);
    assert_same_clip(&clip, &back);
    clip_free(&back);
    ContainerImage both = encoded(&clip, (ContainerDef){.float32 = 1, .compress = 1});
    assert_int_equal(container_decode_guarded(&both, &back, NULL, 0, NULL), STATUS_OK);
    assert_vec3_near(back.dynamics.force[77], clip.dynamics.force[77], 6e-8);
    clip_free(&back);
    clip_free(&clip);
    container_image_free(&plain);
    container_image_free(&narrow);
    container_image_free(&packed);
    container_image_free(&both);
}

/* --- damage --- */

TEST(truncated_clip_file_is_an_error)
{
    Clip clip, back;
    Error err;
    assert_int_equal(sample_clip(&clip, 20, 10, 3), 0);
    ContainerImage image = encoded(&clip, container_default_def());
    for (size_t size = 0; size < image.size; size += 1024) {
        ContainerImage cut = {image.bytes, size};
        assert_int_equal(container_decode_guarded(&cut, &back, NULL, 0, &err), STATUS_BAD_INPUT);
        assert_true(strlen(err.text) > 0);
        assert_int_equal(back.skeleton.joint_count, 0);
    }
    container_image_free(&image);
    clip_free(&clip);
}

TEST(guarded_decoding_releases_pipes_and_children)
{
    Clip clip, back;
    assert_int_equal(sample_clip(&clip, 2, 4, 1), 0);
    ContainerImage image = encoded(&clip, container_default_def()), cut = {image.bytes, image.size / 2};
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, NULL), STATUS_OK); /* HDF5 is open from here on */
    clip_free(&back);
    int before = open_descriptors();
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, NULL), STATUS_OK);
    clip_free(&back);
    assert_int_equal(container_decode_guarded(&cut, &back, NULL, 0, NULL), STATUS_BAD_INPUT);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left, not even one that has ended */
    assert_int_equal(errno, ECHILD);
    container_image_free(&image);
    clip_free(&clip);
}

/* Flipped bytes cause an error or, in an array, another number, but never a crash. */
TEST(flipped_bytes_never_crash)
{
    Clip clip, back;
    unsigned seed = 3;
    assert_int_equal(sample_clip(&clip, 2, 4, 1), 0);
    ContainerImage image = encoded(&clip, container_default_def());
    int refused = 0;
    for (int round = 0; round < 150; round++) {
        seed = seed * 1664525u + 1013904223u;
        size_t at = seed % 32768 % image.size;
        unsigned char was = image.bytes[at];
        image.bytes[at] ^= (unsigned char)(seed >> 24 | 1);
        Status status = container_decode_guarded(&image, &back, NULL, 0, NULL);
        assert_true(status == STATUS_OK || status == STATUS_BAD_INPUT);
        refused += status != STATUS_OK;
        clip_free(&back);
        image.bytes[at] = was;
    }
    assert_true(refused > 10);
    container_image_free(&image);
    clip_free(&clip);
}

TEST(text_is_not_a_clip_file)
{
    Clip back;
    Error err;
    unsigned char text[] = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition\n";
    ContainerImage image = {text, sizeof text};
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "not a clip file of kane"));
}

/* --- files changed by other programs --- */

static char folder[] = "/tmp/kane-test-XXXXXX";

static void file_name(char *name, size_t size, const char *base)
{
    snprintf(name, size, "%s/%s", folder, base);
}

/* Opens a saved clip file for changes. */
static hid_t reopen(const Clip *clip, char *name, size_t size)
{
    file_name(name, size, "changed.h5");
    ContainerDef def = container_default_def();
    assert_int_equal(container_store(clip, &def, name, NULL), STATUS_OK);
    hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static Status load_and_decode(const char *name, char *warning, size_t size, Error *err)
{
    ContainerImage image;
    Clip back;
    assert_int_equal(container_load(name, &image, err), STATUS_OK);
    Status status = container_decode_guarded(&image, &back, warning, size, err);
    container_image_free(&image);
    clip_free(&back);
    return status;
}

TEST(unknown_groups_are_dropped_with_a_warning)
{
    Clip clip;
    Error err;
    char name[100], warning[200];
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name);
    H5Gclose(H5Gcreate2(file, "muscles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, warning, sizeof warning, &err), STATUS_OK);
    assert_non_null(strstr(warning, "/muscles"));
    clip_free(&clip);
}

/* Such files have a dimension without a variable, and times only in the root. */
TEST(clip_files_of_older_versions_are_read)
{
    static const char *const newer[] = {"/motion/time", "/kinematics/time", "/contact/time", "/dynamics/time",
                                        "/angles/time"};
    (void)state;
    Clip clip;
    Error err;
    char name[100], warning[200];
    hsize_t frames = 3;
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name), space = H5Screate_simple(1, &frames, NULL);
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        assert_true(H5Ldelete(file, newer[i], H5P_DEFAULT) >= 0);
    H5Dclose(H5Dcreate2(file, "/frame", H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, warning, sizeof warning, &err), STATUS_OK);
    assert_string_equal(warning, "");
    clip_free(&clip);
}

TEST(missing_and_misshapen_arrays_are_reported)
{
    Clip clip;
    Error err;
    char name[100];
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name);
    H5Ldelete(file, "/dynamics/power", H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "/dynamics/power is missing");

    file = reopen(&clip, name, sizeof name);
    hsize_t size[2] = {3, 5};
    hid_t space = H5Screate_simple(2, size, NULL);
    H5Ldelete(file, "/dynamics/power", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "/dynamics/power", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/dynamics/power has length 5 along joint, expected 4"));
    clip_free(&clip);
}

TEST(tree_out_of_order_is_refused)
{
    Clip clip, sound, back;
    Error err;
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    assert_int_equal(sample_clip(&sound, 3, 4, 1), 0);
    clip.skeleton.parent[2] = 3;
    ContainerImage image = altered_image(&sound, &clip);
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/skeleton/parent"));
    container_image_free(&image);
    clip.skeleton.parent[2] = 1;
    clip.dynamics.torque[5].y = NAN;
    image = altered_image(&sound, &clip);
    assert_int_equal(container_decode_guarded(&image, &back, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/dynamics/torque"));
    container_image_free(&image);
    clip_free(&sound);
    clip_free(&clip);
}

/* Links that would make the reader open other files. */
TEST(external_links_are_refused)
{
    Clip clip;
    Error err;
    char name[100];
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name);
    H5Lcreate_external("/etc/passwd", "/x", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/elsewhere"));

    file = reopen(&clip, name, sizeof name);
    H5Lcreate_soft("/motion", file, "/body/loop", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/body/loop"));

    clip_free(&clip);
}

/* A link to a destroyed object ends the visit of all others, which must not count as success. */
TEST(destroyed_object_is_refused)
{
    Clip clip;
    Error err;
    char name[100];
    unsigned char nothing[16] = {0};
    H5O_info_t info;
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name);
    H5Gclose(H5Gcreate2(file, "aaa", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    assert_true(H5Oget_info_by_name(file, "aaa", &info, H5P_DEFAULT) >= 0);
    H5Lcreate_external("/etc/passwd", "/x", file, "behind", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    FILE *bytes = fopen(name, "r+b");
    fseek(bytes, (long)info.addr, SEEK_SET);
    assert_int_equal(fwrite(nothing, 1, sizeof nothing, bytes), sizeof nothing);
    fclose(bytes);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/aaa is damaged"));
    clip_free(&clip);
}

/* Replaces /dynamics/power by a dataset with these creation properties and returns the status of reading. */
static void assert_storage_refused(void (*set)(hid_t properties), const char *expected)
{
    Clip clip;
    Error err;
    char name[100];
    hsize_t size[2] = {3, 4};
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    hid_t file = reopen(&clip, name, sizeof name), properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(2, size, NULL);
    set(properties);
    assert_true(H5Ldelete(file, "/dynamics/power", H5P_DEFAULT) >= 0);
    H5Dclose(H5Dcreate2(file, "/dynamics/power", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Pclose(properties);
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(load_and_decode(name, NULL, 0, &err), STATUS_BAD_INPUT);
    if (!strstr(err.text, expected))
        print_error("%s, not %s\n", err.text, expected);
    assert_non_null(strstr(err.text, expected));
    clip_free(&clip);
}

static void set_external(hid_t properties)
{
    H5Pset_external(properties, "/etc/passwd", 0, 3 * 4 * sizeof(double));
}

static void set_virtual(hid_t properties)
{
    hsize_t size[2] = {3, 4};
    hid_t space = H5Screate_simple(2, size, NULL);
    H5Pset_virtual(properties, space, "other.h5", "/x", space);
    H5Sclose(space);
}

static void set_checksum(hid_t properties)
{
    hsize_t chunk[2] = {3, 4};
    H5Pset_chunk(properties, 2, chunk);
    H5Pset_fletcher32(properties);
}

static void set_nothing(hid_t properties)
{
    (void)properties;
}

TEST(storage_that_kane_does_not_use_is_refused)
{
    assert_storage_refused(set_external, "/dynamics/power is stored in another file");
    assert_storage_refused(set_virtual, "/dynamics/power is a virtual dataset");
    assert_storage_refused(set_checksum, "/dynamics/power uses a filter");
    assert_storage_refused(set_nothing, "/dynamics/power holds no data");
}

/* --- streams and files --- */

TEST(written_bytes_equal_encoded_bytes)
{
    const ContainerDef defs[] = {{0}, {.float32 = 1}, {.compress = 3}, {.float32 = 1, .compress = 3}};
    Clip clip;
    assert_int_equal(sample_clip(&clip, 50, 9, 2), 0);
    for (int i = 0; i < 4; i++) {
        FILE *stream = tmpfile();
        ContainerImage image = encoded(&clip, defs[i]), back;
        assert_int_equal(container_write(&clip, &defs[i], fileno(stream), NULL), STATUS_OK);
        rewind(stream);
        assert_int_equal(container_next(stream, &back, NULL), STATUS_OK);
        assert_int_equal(back.size, image.size);
        assert_memory_equal(back.bytes, image.bytes, image.size);
        assert_int_equal(fgetc(stream), EOF);
        container_image_free(&back);
        container_image_free(&image);
        fclose(stream);
    }
    clip_free(&clip);
}

TEST(stream_of_clip_files_is_read)
{
    Clip clip;
    FILE *stream = tmpfile();
    ContainerImage image;
    Error err;
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(sample_clip(&clip, i, 4, 1), 0);
        image = encoded(&clip, container_default_def());
        fwrite(image.bytes, 1, image.size - (i == 3 ? 100 : 0), stream);
        container_image_free(&image);
        clip_free(&clip);
    }
    rewind(stream);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(container_next(stream, &image, &err), STATUS_OK);
        assert_int_equal(container_decode(&image, &clip, &err), STATUS_OK);
        assert_int_equal(clip.motion.frame_count, i);
        clip_free(&clip);
        container_image_free(&image);
    }
    assert_int_equal(container_next(stream, &image, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "truncated clip file"));
    assert_null(image.bytes);
    assert_int_equal(container_next(stream, &image, &err), STATUS_OK); /* the end */
    assert_int_equal(image.size, 0);
    fclose(stream);
}

TEST(saving_is_atomic)
{
    Clip clip;
    Error err;
    char name[100], missing[120];
    assert_int_equal(sample_clip(&clip, 3, 4, 1), 0);
    ContainerDef def = container_default_def();
    ContainerImage image = encoded(&clip, def), back;
    file_name(name, sizeof name, "saved.h5");
    assert_int_equal(container_store(&clip, &def, name, &err), STATUS_OK);
    assert_int_equal(container_load(name, &back, &err), STATUS_OK);
    assert_int_equal(back.size, image.size);
    assert_memory_equal(back.bytes, image.bytes, image.size);
    container_image_free(&back);
    snprintf(missing, sizeof missing, "%s/no/such/folder.h5", folder);
    assert_int_equal(container_store(&clip, &def, missing, &err), STATUS_IO);
    snprintf(missing, sizeof missing, "%s/taken", folder);
    assert_int_equal(mkdir(missing, 0700), 0);
    assert_int_equal(container_store(&clip, &def, missing, &err), STATUS_BAD_INPUT); /* a folder cannot be replaced */
    assert_int_equal(rmdir(missing), 0);
    unlink(name);
    assert_int_equal(container_load(name, &back, &err), STATUS_IO);
    container_image_free(&image);
    clip_free(&clip);
}

TEST(clip_without_frames_is_refused)
{
    Clip clip = {0};
    ContainerImage image;
    ContainerDef def = container_default_def();
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_BAD_INPUT);
    assert_null(image.bytes);
}

static int make_folder(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return mkdtemp(folder) ? 0 : -1;
}

/* Fails if a test left a file behind: temporary names must not remain. */
static int remove_folder(void **state)
{
    char name[100];
    (void)state;
    file_name(name, sizeof name, "changed.h5");
    unlink(name);
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder)
