/* stats/clip_stats: ranges, peaks and limit fractions of degrees of freedom. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/stats/clip_stats.h"

enum { FRAMES = 4 };

static const char *const moving[] = {"position", "velocity", "acceleration", "effort"};

/* A wheel of one joint with limits; the last frame is not valid. */
static Clip wheel(void)
{
    static const double position[FRAMES] = {-0.5, 1.5, 0.25, 9}, velocity[FRAMES] = {2, -3, 1, 99};
    static const double effort[FRAMES] = {4, -6, 1, 99};
    Clip c = {0};
    assert_int_equal(skeleton_init(&c.skeleton, 1, 0, NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&c.skeleton, 0, "hub", NULL), STATUS_OK);
    assert_int_equal(motion_init(&c.motion, FRAMES, 1, 0.5, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, FRAMES, 1, 0, NULL), STATUS_OK);
    assert_int_equal(dofs_init(&c.dof, FRAMES, 1, NULL), STATUS_OK);
    assert_int_equal(dofs_set_name(&c.dof, 0, "axle", NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        assert_int_equal(group_add(GROUP_DOF, &c.dof, moving[i], NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        c.motion.rotation[f] = c.kinematics.orientation[f] = QUAT_IDENTITY;
        c.kinematics.valid[f] = f < FRAMES - 1;
        c.dof.position[f] = position[f];
        c.dof.velocity[f] = velocity[f];
        c.dof.effort[f] = effort[f];
    }
    c.dof.kind[0] = DOF_HINGE;
    c.dof.axis[0] = vec3(0, 0, 1);
    c.dof.range[0] = -1;
    c.dof.range[1] = 2;
    c.dof.effort_limit[0] = -8;
    c.dof.effort_limit[1] = 16;
    c.has_kinematics = c.has_dof = 1;
    return c;
}

TEST(numbers_are_those_of_valid_frames)
{
    Clip c = wheel();
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_VALID, NULL), STATUS_OK);
    assert_int_equal(s.dof_count, 1);
    const DofStat *d = s.dof;
    assert_string_equal(clip_stats_text(&s, d->name), "axle");
    assert_string_equal(d->kind, "hinge");
    assert_int_equal(d->joint, 0);
    assert_near(d->position_min, -0.5, 0);
    assert_near(d->position_max, 1.5, 0);
    assert_near(d->speed_peak, 3, 0);
    assert_near(d->effort_peak, 6, 0);
    assert_near(d->effort_rms, sqrt((16 + 36 + 1) / 3.0), 1e-15);
    assert_near(d->power_peak_w, 18, 0);
    assert_near(d->work_pos_j, 0.5 * (8 + 18 + 1), 1e-12);
    assert_near(d->range_fraction_max, 2 / 3.0, 1e-15);
    assert_near(d->effort_limit_fraction, 0.75, 0);
    assert_true(isnan(d->speed_limit_fraction));
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(rows_are_packed)
{
    Clip c = wheel();
    ClipStats s, back;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_VALID, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_OK);
    assert_int_equal(back.dof_count, 1);
    assert_memory_equal(back.dof, s.dof, sizeof *s.dof);
    assert_string_equal(clip_stats_text(&back, back.dof->name), "axle");
    clip_stats_free(&back);
    free(bytes);
    s.dof->joint = 1; /* not in the clip */
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_BAD_INPUT);
    free(bytes);
    clip_stats_free(&s);
    clip_free(&c);
}
