/* analysis/evidence/strides: steps of the walker, with and without its path. */
#include "tests/support/test.h"

#include "analysis/evidence/strides.h"
#include "tests/support/evidence_body.h"

static Strides strides_of(const Skeleton *s, const Motion *m)
{
    Strides strides;
    BodyTrack track = body_track(s, m);
    assert_int_equal(strides_measure(&track, vec3(0, 1, 0), &strides, NULL), STATUS_OK);
    body_track_free(&track);
    return strides;
}

/* 1.1 m/s, one stride per second. */
TEST(steps_of_the_walker_are_counted)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 150, 30);
    Strides strides = strides_of(&s, &m);
    assert_in_range(strides.steps, 8, 10);
    assert_near(strides.frames, 15, 1);
    assert_near(strides.regular, 1, 1e-12);
    assert_true(strides_are_walking(&strides) && !strides_are_running(&strides));
    for (int f = 0; f < m.frame_count; f++)
        m.root_position[f].z = m.root_position[f].x = 0;
    Strides in_place = strides_of(&s, &m);
    assert_int_equal(in_place.steps, strides.steps);
    assert_near(in_place.length, strides.length, 1e-9);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(body_that_rises_with_its_feet_apart_runs)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 150, 30);
    for (int f = 0; f < m.frame_count; f++)
        m.root_position[f].y += 2 * (0.94 - m.root_position[f].y);
    Strides strides = strides_of(&s, &m);
    assert_true(strides_are_running(&strides) && !strides_are_walking(&strides));
    skeleton_free(&s);
    motion_free(&m);
}

TEST(standing_is_no_gait)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    standing_motion(&m, 100, 30);
    Strides strides = strides_of(&s, &m);
    assert_int_equal(strides.steps, 0);
    assert_false(strides_are_gait(&strides));
    s.role[3] = ROLE_NONE; /* no ankle */
    assert_int_equal(strides_of(&s, &m).steps, 0);
    skeleton_free(&s);
    motion_free(&m);
}
