/* formats/source/source: identifies a file by its first bytes. */
#include <string.h>

#include "tests/support/test.h"

#include "formats/source/identify.h"

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
