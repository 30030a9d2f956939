/* formats/picture/scene_picture: shapes of a scene in the contact grid. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/picture/contact_grid.h"

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
