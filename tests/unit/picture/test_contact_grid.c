/* formats/picture/contact_grid: a sheet with a body on its ground. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/picture/contact_grid.h"
#include "tests/support/walker.h"

/* Two clips of twelve frames fill four rows; each frame has red and blue pixels, and its ground. */
TEST(sheet_shows_both_sides)
{
    Clip clip = {0};
    Raster r;
    RowWriterDef def = row_writer_default_def();
    def.style = FIGURE_LINES;
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
    def.style = FIGURE_LINES;
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
    RowWriterDef def = {.frames = 4, .columns = 4, .size = SIDE, .angle = 0, .style = FIGURE_LINES};
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

/* Pixels that differ between two images, and those of the second that are no background. */
static void count_pixels(const Raster *a, const Raster *b, int *differ, int *drawn)
{
    *differ = *drawn = 0;
    for (int i = 0; i < a->width * a->height; i++) {
        const uint8_t *p = a->pixel + 3 * i, *q = b->pixel + 3 * i;
        *differ += memcmp(p, q, 3) != 0;
        *drawn += abs(q[0] - q[2]) > 30;
    }
}

/* The walker's limbs are red and blue; a body whose hips leave their root behind is as large as one without it. */
TEST(mannequin_is_as_large_whatever_the_root_does)
{
    Clip clip = {0}, rooted = {0};
    Raster plain, other;
    RowWriterDef def = row_writer_default_def();
    int differ, drawn;
    (void)state;
    walker_skeleton(&clip.skeleton);
    walker_motion(&clip.motion, 50, 60);
    assert_int_equal(skeleton_init(&rooted.skeleton, WALKER_JOINTS + 1, WALKER_ENDS, NULL), STATUS_OK);
    assert_int_equal(motion_init(&rooted.motion, 50, WALKER_JOINTS + 1, 1 / 60.0, 1, NULL), STATUS_OK);
    for (int j = 0; j <= WALKER_JOINTS; j++) {
        const WalkerJoint *w = &walker_joints[j > 0 ? j - 1 : 0];
        skeleton_set_name(&rooted.skeleton, j, j > 0 ? w->name : "Root", NULL);
        rooted.skeleton.parent[j] = j > 0 ? w->parent + 1 : -1;
        rooted.skeleton.offset[j] = j > 0 ? w->offset : vec3(0, 0, 0);
        rooted.skeleton.role[j] = rooted.skeleton.segment[j] = j > 0 ? w->role : ROLE_NONE;
        for (int f = 0; f < 50; f++) {
            size_t at = motion_index(&rooted.motion, f, j);
            Quat own = j > 0 ? clip.motion.rotation[motion_index(&clip.motion, f, j - 1)] : QUAT_IDENTITY;
            rooted.motion.rotation[at] = own;
            rooted.motion.translation[at] = j == 1 ? clip.motion.root_position[f] : rooted.skeleton.offset[j];
            rooted.motion.root_position[f] = vec3(0, 0, 0);
        }
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        rooted.skeleton.end_parent[e] = walker_end_parent[e] + 1;
        rooted.skeleton.end_offset[e] = walker_end_offset[e];
    }
    const Clip *of[] = {&clip, &rooted};
    assert_int_equal(contact_grid_draw(&of[0], 1, &def, &plain, NULL), STATUS_OK);
    assert_int_equal(contact_grid_draw(&of[1], 1, &def, &other, NULL), STATUS_OK);
    count_pixels(&plain, &other, &differ, &drawn);
    assert_true(drawn > 12 * 600); /* in twelve images */
    assert_true(differ < drawn / 50);
    raster_free(&plain);
    raster_free(&other);
    clip_free(&clip);
    clip_free(&rooted);
}
