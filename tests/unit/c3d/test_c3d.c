/* formats/c3d: numbers of DEC, what is refused with its byte, and real files. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "analysis/contact/plate_up.h"
#include "formats/base/bytes.h"
#include "formats/c3d/c3d_plates.h"
#include "tests/support/manifest_clip.h"
#include "tests/support/test_folder.h"

/* VAX F_floating numbers of the VAX Architecture Reference Manual: 1 is 4080, 0.5 is 4000, -1 is C080. */
TEST(numbers_of_dec_are_read)
{
    static const struct {
        unsigned char bytes[4];
        double value;
    } numbers[] = {{{0x80, 0x40, 0, 0}, 1}, {{0, 0x40, 0, 0}, 0.5}, {{0x80, 0xC0, 0, 0}, -1},
                   {{0, 0, 0, 0}, 0}, {{0xC8, 0x43, 0, 0x80}, 100.25}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_near(c3d_real(C3D_DEC, numbers[i].bytes), numbers[i].value, 0);
}

/* A file of Intel floats with a point and a channel, two frames: header, one block of parameters, data. */
enum { BLOCK = 512, SMALL = 3 * BLOCK };

static void put_word(unsigned char *at, int value)
{
    at[0] = (unsigned char)(value & 255);
    at[1] = (unsigned char)(value >> 8);
}

static void put_real(unsigned char *at, float value)
{
    memcpy(at, &value, sizeof value);
}

static void make(unsigned char file[SMALL])
{
    memset(file, 0, SMALL);
    file[0] = 2, file[1] = 0x50;
    put_word(file + 2, 1);
    put_word(file + 4, 1);
    put_word(file + 6, 1);
    put_word(file + 8, 2);
    put_real(file + 12, -1);
    put_word(file + 16, 3);
    put_word(file + 18, 1);
    put_real(file + 20, 100);
    unsigned char *p = file + BLOCK;
    p[2] = 1, p[3] = 84;
    memcpy(p + 4, "\5\377POINT\3\0\0", 10);
    memcpy(p + 14, "\5\1UNITS\0\0\377\1\2mm\0", 15);
    for (int f = 0; f < 2; f++) {
        put_real(file + 2 * BLOCK + 20 * f, 1000.0f + (float)f);
        put_real(file + 2 * BLOCK + 20 * f + 12, f ? -1 : 0);
    }
}

static void assert_refused(const unsigned char *file, size_t size, const char *text)
{
    C3d c3d;
    Error err = {0};
    assert_int_equal(c3d_open((const char *)file, size, &c3d, &err), STATUS_BAD_INPUT);
    if (!strstr(err.text, text))
        fail_msg("%s", err.text);
    assert_null(c3d.label);
}

TEST(point_is_in_metres_and_a_gap_is_not_seen)
{
    unsigned char file[SMALL];
    C3d c3d;
    Error err = {0};
    make(file);
    assert_int_equal(c3d_open((const char *)file, SMALL, &c3d, &err), STATUS_OK);
    assert_int_equal(c3d.frame_count, 2);
    assert_near(c3d_point(&c3d, 0, 0).x, 1, 0);
    assert_true(isnan(c3d_point(&c3d, 1, 0).x));
    assert_string_equal(c3d.label[0], "point_1");
    c3d_close(&c3d);
}

TEST(errors_name_the_byte)
{
    unsigned char file[SMALL];
    make(file);
    assert_refused(file, 2 * BLOCK + 30, "byte 1054: the file ends after 1 of 2 frames");
    file[BLOCK + 3] = 87;
    assert_refused(file, SMALL, "not a C3D file");
    make(file);
    file[BLOCK + 4 + 10 + 9] = 7;
    assert_refused(file, SMALL, "byte 535: parameter UNITS has the unknown type 7");
    make(file);
    file[BLOCK + 4 + 10 + 11] = 255;
    file[BLOCK + 4 + 10 + 10] = 2;
    assert_refused(file, SMALL, "byte ");
    make(file);
    put_word(file + 16, 9);
    assert_refused(file, SMALL, "byte 16: the data begin at block 9, but the file has 1536 bytes");
    make(file);
    put_real(file + 20, 0);
    assert_refused(file, SMALL, "byte 20: 0 frames per second");
    make(file);
    file[BLOCK + 4 + 10 + 12] = 'q';
    assert_refused(file, SMALL, "POINT:UNITS is \"qm\"");
    make(file);
    put_word(file + 4, 3);
    put_word(file + 18, 2);
    assert_refused(file, SMALL, "byte 4: 3 analogue values per frame are no multiple of 2 samples");
}

/* ---- Real files ---- */

/* Plates of ../shared/doors/c3d_facts.tsv: largest force along the normal with FORCE_PLATFORM:ZERO, N. */
static const struct {
    const char *name;
    int plate, zero;
    double peak;
} facts[] = {
    {"Eb015pi", 0, PLATE_ZERO_FILE, 817.210}, {"Eb015pi", 0, PLATE_ZERO_NONE, 838.488},
    {"Eb015vr", 1, PLATE_ZERO_FILE, 805.499}, {"FP_Type3", 0, PLATE_ZERO_FILE, 886.707},
    {"JA1Gait35", 1, PLATE_ZERO_FILE, 2445.845}, {"Qualisys", 1, PLATE_ZERO_FILE, 839.720},
    {"dec_int", 0, PLATE_ZERO_FILE, 823.459}, {"sgi_real", 1, PLATE_ZERO_FILE, 843.802},
    {"pc_int", 1, PLATE_ZERO_FILE, 843.802}, {"pycgm_Sample_Static", 0, PLATE_ZERO_FILE, 784.283},
    {"upsidedown_trial1", 1, PLATE_ZERO_FILE, 1926.276}, {"walking2", 0, PLATE_ZERO_NONE, 950.954},
    {"welk007_static1", 1, PLATE_ZERO_FILE, 362.701},
};

static int read_real(const char *name, PlateZero zero, PlateRecord *out)
{
    char path[1024], *bytes = NULL;
    size_t size;
    C3d c3d;
    Error err = {0};
    snprintf(path, sizeof path, "%s/doors/c3d/%s.c3d", shared_folder(), name);
    if (bytes_read_path(path, &bytes, &size, &err))
        return 0;
    Status status = c3d_open(bytes, size, &c3d, &err);
    if (!status)
        status = c3d_plates(&c3d, zero, out, &err);
    if (status)
        fail_msg("%s: %s", name, err.text);
    c3d_close(&c3d);
    free(bytes);
    return 1;
}

TEST(loads_of_real_plates_are_those_of_another_reader)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        PlateRecord r;
        double peak = 0;
        if (!read_real(facts[i].name, (PlateZero)facts[i].zero, &r))
            skip();
        for (int s = 0; s < r.sample_count; s++)
            peak = fmax(peak, vec3_dot(r.force[plate_index(&r, s, facts[i].plate)], r.plate[facts[i].plate].normal));
        assert_near(peak, facts[i].peak, 0.1);
        plate_record_free(&r);
    }
}

/* The six codings of one trial: integers are steps of 0.4 N. */
TEST(codings_of_one_trial_agree)
{
    static const char *const names[] = {"dec_int", "dec_real", "pc_int", "pc_real", "sgi_int", "sgi_real"};
    PlateRecord first;
    if (!read_real(names[0], PLATE_ZERO_FILE, &first))
        skip();
    for (int i = 1; i < 6; i++) {
        PlateRecord other;
        assert_true(read_real(names[i], PLATE_ZERO_FILE, &other));
        assert_int_equal(other.sample_count, first.sample_count);
        for (int at = 0; at < first.sample_count * first.plate_count; at++) {
            assert_true(vec3_distance(first.force[at], other.force[at]) < 1e-3);
            assert_true(vec3_distance(first.moment[at], other.moment[at]) < 1e-3);
        }
        plate_record_free(&other);
    }
    plate_record_free(&first);
}
