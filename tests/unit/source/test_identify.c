/* formats/source/identify: identifies a file by its first bytes; files of other programs are identified, BVH is not
 * among them. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/source/identify.h"

static void expect(const char *front, size_t size, const char *word)
{
    const char *what = foreign_file(front, size);
    if (!what || !strstr(what, word))
        fail_msg("\"%.40s\" is \"%s\", not %s", front, what ? what : "nothing known", word);
    assert_non_null(strchr(what, ':')); /* advice */
}

TEST(foreign_text_is_identified_by_first_words)
{
    static const char *const files[][2] = {
        {"# AST/ASF file\n# by VICON\n:version 1.10\n:name VICON\n", "ASF"},
        {":version 1.10\n", "ASF"},
        {"{\"meshes\": [], \"nodes\": []}", "glTF"},
        {"{\"Loop\": \"wrap\", \"Frames\": []}", "JSON"},
        {"PathFileType\t4\t(X/Y/Z)\twalk.trc\n", "TRC"},
        {"Coordinates\nversion=1\nnRows=2\nendheader\n", "OpenSim table"},
        {"nColumns=3\nnRows=2\nendheader\n", "OpenSim table"},
        {"<OpenSimDocument Version=\"40000\">", "OpenSim document"},
        {"\xef\xbb\xbf \n<mvnx version=\"4\">", "MVNX"},
        {"#USDA 1.0\n", "USD"},
        {"[Header]\nFileType htr\n", "HTR"},
        {"<!DOCTYPE html>\n<html>", "HTML"},
        {"time,Hips_x,Hips_y\n0,0.1,0.2\n", "table"},
        {"0.1;0.2\r\n0.3;0.4\r\n", "table"},
        {"# of a plate\ntime\tfx\n0\t1\n", "table"},
        {"version https://git-lfs.github.com/spec/v1\n", "Git LFS"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect(files[i][0], strlen(files[i][0]), files[i][1]);
}

/* Bytes may hold separators and digits where a table would; its reader then says what the file should be. */
TEST(random_bytes_are_no_table)
{
    static const char bytes[] = "\x8f,1\x02;7\n\x11,\x95""2\n";
    (void)state;
    assert_null(foreign_file(bytes, sizeof bytes - 1));
}

TEST(foreign_bytes_are_identified_by_signature)
{
    char c3d[1024] = {2, 'P', 36, 0}, text[1024];
    (void)state;
    c3d[512 + 3] = 84;
    expect(c3d, sizeof c3d, "C3D");
    memset(text, 'x', sizeof text);
    memcpy(text, "\2P", 2);
    assert_null(foreign_file(text, sizeof text)); /* no processor byte there */
    assert_null(foreign_file(c3d, 2));
    expect("PK\3\4", 4, "zip");
    expect("\320\317\21\340\241\261\32\341", 8, "Excel");
    expect("\211PNG\r\n\32\n", 8, "PNG");
    expect("\37\213\10", 3, "gzip");
    expect("\200\4\225...", 6, "pickle");
}

TEST(possible_bvh_is_not_foreign)
{
    static const char *const files[] = {
        "HIERARCHY\nROOT endheader\n{", "\xef\xbb\xbf hierarchy\nROOT <html>", "", "\n\n", "# nothing", "PELVIS",
        "some text", "Dear Ann,\nthank you, and good night\n", "ROOT\tHips\n{\n\tOFFSET\t0\t0\t0\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_null(foreign_file(files[i], strlen(files[i])));
}

/* Real files, each with the word expected from its name. */
TEST(real_foreign_files_are_identified)
{
    static const char *const files[][2] = {
        {"asfamc/01.asf", "ASF"},
        {"c3d/Eb015vr.c3d", "C3D"},   {"c3d/TYPE-4.C3D", "C3D"},    {"c3d/sgi_real.c3d", "C3D"},
        {"c3d/walking2.c3d", "C3D"},  {"c3d/JA1Gait35.c3d", "C3D"}, {"c3d/std_walking2_markers.trc", "TRC"},
        {"c3d/std_walking2_grfs.sto", "OpenSim table"},
        {"c3d/sample10_TYPE-4.XLS", "Excel"},          {"robot/lafan1_g1/dance1_subject2.csv", "table"},
    };
    const char *shared = getenv("KANE_SHARED");
    static char front[FILE_FRONT_SIZE], path[1024];
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/doors/%s", shared ? shared : "../shared", files[i][0]);
        FILE *file = fopen(path, "rb");
        if (!file) {
            print_message("skipped: %s is not here\n", path);
            return;
        }
        size_t size = fread(front, 1, sizeof front, file);
        fclose(file);
        expect(front, size, files[i][1]);
    }
}

TEST(first_bytes_determine_the_kind)
{
    static const struct {
        const char *front;
        FileKind kind;
    } rows[] = {
        {"HIERARCHY\nROOT Hips\n", FILE_BVH},
        {"\357\273\277\r\n hierarchy\nROOT Hips\n", FILE_BVH},
        {"<!doctype html>\n<html>", FILE_PAGE},
        {"<?xml version=\"1.0\"?>\n<svg", FILE_SVG},
        {"set terminal svg size 10,10\n", FILE_GNUPLOT},
        {"{\"time\":0}\n", FILE_JSON},
        {"walk\nversion=1\nnRows=1\nendheader\n", FILE_OPENSIM},
        {"time\tframe\n0\t0\n", FILE_TEXT},
        {"SQLite format 3", FILE_TEXT}, /* the real signature is followed by a NUL */
        {"glTF\2", FILE_GLB},
        {"PK\3\4", FILE_NPZ},
        {"\211PNG\r\n\032\n", FILE_PNG},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(detect_file_kind(rows[i].front, strlen(rows[i].front), strlen(rows[i].front)), rows[i].kind);
    assert_int_equal(detect_file_kind("SQLite format 3", 16, 4096), FILE_INDEX);
    assert_int_equal(detect_file_kind("", 0, 0), FILE_EMPTY);
    assert_int_equal(detect_file_kind("a\0b", 3, 3), FILE_OTHER);
}

/* HDF5 files: of another program with 96 bytes, of kane, and a truncated one. */
TEST(hdf5_with_the_mark_is_a_clip_file)
{
    unsigned char file[96] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    (void)state;
    file[40] = sizeof file;
    assert_int_equal(detect_file_kind(file, sizeof file, sizeof file), FILE_OTHER);
    memcpy(file + 60, "kane-1", 6);
    assert_int_equal(detect_file_kind(file, sizeof file, sizeof file), FILE_CONTAINER);
    memset(file + 60, 0, 6);
    assert_int_equal(detect_file_kind(file, 50, 50), FILE_CONTAINER);
    assert_int_equal(detect_file_kind(file, 12, 12), FILE_CONTAINER);
    file[8] = 2;
    file[28] = sizeof file;
    assert_int_equal(detect_file_kind(file, sizeof file, sizeof file), FILE_OTHER);
}

TEST(every_kind_has_a_description)
{
    for (int kind = 0; kind < FILE_KIND_COUNT; kind++)
        assert_non_null(file_kind_name((FileKind)kind));
}
