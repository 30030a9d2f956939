/* formats/picture/raster: line coverage, characters and PNG pixels. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/math/elementary.h"
#include "formats/picture/raster.h"

static const Colour white = {255, 255, 255}, black = {0, 0, 0};

static int shade(const Raster *r, int x, int y) { return r->pixel[3 * (y * r->width + x)]; }

TEST(lines_have_their_width)
{
    Raster r;
    double sum = 0;
    (void)state;
    assert_int_equal(raster_init(&r, 60, 40, white, NULL), STATUS_OK);
    raster_line(&r, (Spot){10, 20.5}, (Spot){50, 20.5}, 5, black);
    assert_int_equal(shade(&r, 30, 20), 0);
    assert_int_equal(shade(&r, 30, 18), 0);
    assert_int_equal(shade(&r, 30, 17), 255);
    assert_int_equal(shade(&r, 5, 20), 255);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 60; x++)
            sum += 1 - shade(&r, x, y) / 255.0;
    assert_near(sum, 40 * 5 + PI * 2.5 * 2.5, 3); /* a rectangle and two half discs */
    raster_line(&r, (Spot){-1e9, -5}, (Spot){1e9, NAN}, 5, black);
    raster_line(&r, (Spot){-500, -500}, (Spot){-20, -10}, 5, black);
    assert_int_equal(shade(&r, 0, 0), 255);
    raster_free(&r);
}

TEST(digits_are_drawn)
{
    Raster r;
    (void)state;
    assert_int_equal(raster_init(&r, 20, 10, white, NULL), STATUS_OK);
    assert_near(raster_text(&r, (Spot){1, 1}, 1, "1-", black), 9, 0);
    assert_int_equal(shade(&r, 2, 1), 0);
    assert_int_equal(shade(&r, 1, 1), 255);
    assert_int_equal(shade(&r, 5, 3), 0);
    raster_free(&r);
}

TEST(letters_equal_their_bitmaps)
{
    static const char letters[] = "0123456789.-s", *const looks[] = {
        "### .#. ### ### #.# ### ### ### ### ### ... ... ...",
        "#.# ##. ..# ..# #.# #.. #.. ..# #.# #.# ... ... .##",
        "#.# .#. ### ### ### ### ### ..# ### ### ... ### ##.",
        "#.# .#. #.. ..# ..# ..# #.# .#. #.# ..# ... ... .##",
        "### ### ### ### ..# ### ### .#. ### ### .#. ... ##."};
    Raster r;
    (void)state;
    assert_int_equal(raster_init(&r, 60, 5, white, NULL), STATUS_OK);
    assert_near(raster_text(&r, (Spot){0, 0}, 1, letters, black), 52, 0);
    for (int y = 0; y < 5; y++)
        for (int x = 0; looks[y][x]; x++)
            assert_int_equal(shade(&r, x, y), looks[y][x] == '#' ? 0 : 255);
    raster_free(&r);
}

static unsigned number_at(const unsigned char *p) { return (unsigned)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

/* Signature and IHDR are 33 bytes, IDAT follows. */
TEST(png_contains_the_pixels)
{
    Raster r;
    char *file = NULL;
    size_t size = 0;
    unsigned char rows[7 * (3 * 5 + 1)];
    uLongf count = sizeof rows;
    (void)state;
    assert_int_equal(raster_init(&r, 5, 7, white, NULL), STATUS_OK);
    raster_line(&r, (Spot){1, 1}, (Spot){4, 6}, 1.5, (Colour){200, 30, 10});
    FILE *stream = open_memstream(&file, &size);
    assert_int_equal(png_write(&r, stream, NULL), STATUS_OK);
    fclose(stream);
    const unsigned char *bytes = (const unsigned char *)file;
    assert_memory_equal(bytes, "\211PNG\r\n\032\n", 8);
    assert_int_equal(number_at(bytes + 16), 5);
    assert_int_equal(number_at(bytes + 20), 7);
    unsigned packed = number_at(bytes + 33);
    assert_int_equal(crc32(0, bytes + 37, packed + 4), number_at(bytes + 41 + packed));
    assert_int_equal(uncompress(rows, &count, bytes + 41, packed), Z_OK);
    assert_int_equal(count, sizeof rows);
    unsigned char above[15] = {0};
    for (int y = 0; y < 7; y++) {
        assert_int_equal(rows[16 * y], 2);
        for (int i = 0; i < 15; i++)
            above[i] = (unsigned char)(above[i] + rows[16 * y + 1 + i]);
        assert_memory_equal(above, r.pixel + 15 * y, 15);
    }
    assert_memory_equal(bytes + size - 12, "\0\0\0\0IEND\256B`\202", 12);
    free(file);
    raster_free(&r);
}
