/* formats/picture: line coverage, PNG pixels, and a sheet with a body on its ground. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/picture/contact_grid.h"
#include "tests/support/walker.h"

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

/* A static red cube: three visible faces in each frame, and a yellow spring above it. */
TEST(scene_shows_its_shapes)
{
    Clip clip = {.has_shapes = 1};
    Raster r;
    RowWriterDef def = row_writer_default_def();
    (void)state;
    def.frames = def.columns = 2;
    assert_int_equal(skeleton_init(&clip.skeleton, 2, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, 2, 2, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(shapes_init(&clip.shapes, 2, 2, 0, NULL), STATUS_OK);
    for (int i = 0; i < 4; i++)
        clip.motion.rotation[i] = QUAT_IDENTITY;
    clip.skeleton.parent[1] = 0;
    clip.shapes.kind[0] = SHAPE_BOX;
    clip.shapes.joint[0] = 1;
    clip.shapes.size[0] = vec3(0.5, 0.5, 0.5);
    clip.shapes.kind[1] = SHAPE_SPRING;
    clip.shapes.points[1] = 2;
    clip.shapes.point_joint[0] = clip.shapes.point_joint[1] = 1;
    clip.shapes.point[0] = vec3(0, 0.5, 0);
    clip.shapes.point[1] = vec3(0, 1.5, 0);
    const double color[8] = {1, 0, 0, 1, 1, 1, 0, 1};
    memcpy(clip.shapes.color, color, sizeof color);
    const Clip *clips[] = {&clip};
    assert_int_equal(contact_grid_draw(clips, 1, &def, &r, NULL), STATUS_OK);
    for (int column = 0; column < 2; column++) {
        int red = 0, yellow = 0, tones = 0, seen[256] = {0};
        for (int y = 0; y < 200; y++)
            for (int x = 0; x < 200; x++) {
                const uint8_t *p = r.pixel + 3 * (y * r.width + column * 200 + x);
                int is_red = p[0] > 80 && p[1] == 0 && p[2] == 0;
                red += is_red;
                yellow += p[0] > 150 && p[1] > 150 && p[2] < 60;
                tones += is_red && seen[p[0]]++ == 100; /* a face of more than 100 pixels */
            }
        assert_int_equal(tones, 3);
        assert_in_range(yellow, 60, 800);
        assert_in_range(red, 7000, 12000);
    }
    raster_free(&r);
    clip_free(&clip);
}

/* Two clips of twelve frames fill four rows; each frame has red and blue pixels, and its ground. */
TEST(sheet_shows_both_sides)
{
    Clip clip = {0};
    Raster r;
    RowWriterDef def = row_writer_default_def();
    (void)state;
    walker_skeleton(&clip.skeleton);
    walker_motion(&clip.motion, 50, 60);
    const Clip *clips[] = {&clip, &clip};
    assert_int_equal(contact_grid_draw(clips, 2, &def, &r, NULL), STATUS_OK);
    assert_int_equal(r.width, 1200);
    assert_int_equal(r.height, 800);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 6; column++) {
            int red = 0, blue = 0, top = 200, bottom = 0;
            for (int y = 0; y < 200; y++)
                for (int x = 0; x < 200; x++) {
                    const uint8_t *p = r.pixel + 3 * ((row * 200 + y) * r.width + column * 200 + x);
                    red += p[0] > p[2] + 60;
                    blue += p[2] > p[0] + 60;
                    top = abs(p[0] - p[2]) > 60 && y < top ? y : top;
                    bottom = abs(p[0] - p[2]) > 60 ? y : bottom;
                }
            assert_true(red > 100 && blue > 100);
            assert_in_range(bottom - top, 90, 120); /* limbs of 1.4 of 1.75 m, which fill two thirds of 200 */
        }
    raster_free(&r);
    clip.motion.frame_count = 0;
    assert_int_equal(contact_grid_draw(clips, 1, &def, &r, NULL), STATUS_BAD_INPUT);
    clip_free(&clip);
}

/* A root 1.6 m above its only child is part of the body's height, which fills two thirds of a cell of 200. */
TEST(height_includes_the_root)
{
    Clip clip = {0};
    Raster r;
    RowWriterDef def = row_writer_default_def();
    (void)state;
    def.frames = def.columns = 1;
    assert_int_equal(skeleton_init(&clip.skeleton, 2, 1, NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, 1, 2, 0.01, 0, NULL), STATUS_OK);
    clip.motion.rotation[0] = clip.motion.rotation[1] = QUAT_IDENTITY;
    clip.motion.root_position[0] = vec3(0, 1.6, 0);
    clip.skeleton.parent[1] = 0;
    clip.skeleton.offset[1] = vec3(0, -1.3, 0);
    clip.skeleton.end_parent[0] = 1;
    clip.skeleton.end_offset[0] = vec3(0, -0.3, 0);
    const Clip *clips[] = {&clip};
    assert_int_equal(contact_grid_draw(clips, 1, &def, &r, NULL), STATUS_OK);
    int top = 200;
    for (int y = 0; y < 200; y++)
        for (int x = 90; x < 110; x++) {
            const uint8_t *p = r.pixel + 3 * (y * r.width + x);
            top = p[0] < 120 && y < top ? y : top;
        }
    assert_in_range(top, 30, 60);
    raster_free(&r);
    clip_free(&clip);
}

enum { SIDE = 200 };

static int is_orange(const uint8_t *p) { return p[0] > 180 && p[1] > 90 && p[1] < 190 && p[2] < 90; }

/* Number of drawn pixels in a cell of the sheet: coloured, or darker than the grid lines. */
static int count_cell(const Raster *r, int column, int orange)
{
    int count = 0;
    for (int y = 0; y < SIDE - 20; y++)
        for (int x = 0; x < SIDE; x++) {
            const uint8_t *p = r->pixel + 3 * (y * r->width + column * SIDE + x);
            count += orange ? is_orange(p) : p[0] < 150;
        }
    return count;
}

/* One bone of 1 m along x, rotated by 90 degrees about z in the second half of its run, and a ball in the last
 * frame. */
static void make_tracked(Clip *c)
{
    const double half = sqrt(0.5);
    assert_int_equal(skeleton_init(&c->skeleton, 2, 0, NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&c->skeleton, 0, "a", NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&c->skeleton, 1, "b", NULL), STATUS_OK);
    c->skeleton.parent[0] = -1;
    c->skeleton.parent[1] = 0;
    c->skeleton.offset[1] = vec3(1, 0, 0);
    assert_int_equal(motion_init(&c->motion, 4, 2, 0.1, 0, NULL), STATUS_OK);
    for (int f = 0; f < 8; f++)
        c->motion.rotation[f] = QUAT_IDENTITY;
    assert_int_equal(tracking_init(&c->tracking, 4, 2, NULL), STATUS_OK);
    c->has_tracking = 1;
    assert_int_equal(tracking_add_run(&c->tracking, CONTROLLER_KANE, 1, NULL), STATUS_OK);
    TrackingRun *run = &c->tracking.run[CONTROLLER_KANE];
    for (int f = 0; f < 4; f++) {
        c->tracking.time[f] = c->motion.time[f] = 0.1 * f;
        run->orientation[2 * f] = run->orientation[2 * f + 1] = f < 2 ? QUAT_IDENTITY : (Quat){half, 0, 0, half};
        run->ball[f] = f < 3 ? vec3(NAN, NAN, NAN) : vec3(-0.5, 0.5, 0);
    }
}

/* The first run, or the one of that name. */
TEST(tracking_run_is_found_by_its_kind)
{
    Clip clip = {0};
    RowWriterDef def = {0};
    const char *name;
    (void)state;
    make_tracked(&clip);
    for (int k = CONTROLLER_COUNT - 1; k >= 0; k--) {
        if (!clip.tracking.run[k].present)
            assert_int_equal(tracking_add_run(&clip.tracking, (ControllerKind)k, 0, NULL), STATUS_OK);
        def.run = controller_name((ControllerKind)k);
        assert_int_equal(contact_grid_run(&clip, &def, &name, NULL), STATUS_OK);
        assert_string_equal(name, def.run);
        def.run = NULL;
        assert_int_equal(contact_grid_run(&clip, &def, &name, NULL), STATUS_OK);
        assert_string_equal(name, controller_name((ControllerKind)(k < CONTROLLER_KANE ? k : CONTROLLER_KANE)));
    }
    clip_free(&clip);
}

/* Draws the run with each frame in its own cell, and the ball; --run=clip draws the motion of the clip. */
TEST(tracking_run_is_drawn_in_its_cell)
{
    Clip clip = {0};
    Raster r, own;
    RowWriterDef def = {.frames = 4, .columns = 4, .size = SIDE, .angle = 0};
    const Clip *clips[] = {&clip};
    const char *name;
    (void)state;
    make_tracked(&clip);
    assert_int_equal(contact_grid_run(&clip, &def, &name, NULL), STATUS_OK);
    assert_string_equal(name, "kane");
    assert_int_equal(contact_grid_draw(clips, 1, &def, &r, NULL), STATUS_OK);
    def.run = "clip";
    assert_int_equal(contact_grid_draw(clips, 1, &def, &own, NULL), STATUS_OK);
    for (int column = 0; column < 4; column++) {
        int drawn = count_cell(&r, column, 0);
        assert_true(drawn > 150);
        assert_near(drawn, count_cell(&r, 0, 0), 0.15 * drawn); /* no pixels in other cells */
        assert_int_equal(count_cell(&r, column, 1) > 30, column == 3);
        assert_int_equal(count_cell(&own, column, 1), 0);
    }
    const uint8_t *upright = r.pixel + 3 * (120 * r.width + 3 * SIDE + 100);
    const uint8_t *lying = own.pixel + 3 * (120 * own.width + 3 * SIDE + 100);
    assert_true(upright[0] < 150 && lying[0] > 200);
    def.run = "pd";
    raster_free(&r);
    assert_int_equal(contact_grid_draw(clips, 1, &def, &r, NULL), STATUS_USAGE);
    raster_free(&own);
    clip_free(&clip);
}
