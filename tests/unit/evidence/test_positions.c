/* analysis/evidence/positions: the meaning that puts the feet on the floor. */
#include "tests/support/assert_near.h"

#include "tests/support/walker.h"

static RootOffset find(const Skeleton *s, const Motion *m, double *confidence)
{
    PoseSample sample;
    RootOffsetDecision decision;
    assert_int_equal(pose_sample_init(&sample, s, m, 0, 20, NULL), STATUS_OK);
    assert_int_equal(root_offset_from_poses(s, m, &sample, UP_Y, &decision, NULL), STATUS_OK);
    pose_sample_free(&sample);
    *confidence = decision.confidence;
    return decision.meaning;
}

static void shift_root(Motion *m, Vec3 by)
{
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = vec3_add(m->root_position[f], by);
}

static void root_offset_is_added_where_the_channels_float(void **state)
{
    (void)state;
    double confidence;
    const Vec3 offsets[] = {{0, 95, 0}, {12, 91, -40}};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        Skeleton s;
        Motion m;
        walker_skeleton(&s);
        walker_motion(&m, 60, 30);
        walker_to_file(&s, &m, 0.01, UP_Y);
        s.offset[0] = offsets[i];
        assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
        shift_root(&m, vec3_neg(offsets[i]));
        assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_ADD);
        assert_true(confidence > 0.9);
        skeleton_free(&s);
        motion_free(&m);
    }
}

/* Channels that begin at zero are displacements, although a camera's origin leaves the floor elsewhere. */
static void root_offset_is_added_to_displacements(void **state)
{
    (void)state;
    double confidence;
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    walker_to_file(&s, &m, 0.001, UP_Y);
    s.offset[0] = vec3(-394, -314, 2114);
    shift_root(&m, vec3_neg(m.root_position[0]));
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_ADD);
    skeleton_free(&s);
    motion_free(&m);
}

/* MotionBuilder writes the place of some frame as the offset: along the floor, channels near it replace it. */
static void the_place_of_the_first_frame_is_replaced(void **state)
{
    (void)state;
    double confidence;
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    s.offset[0] = m.root_position[0];
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
    assert_true(confidence > 0.9);
    s.offset[0] = vec3(0, 0, 0); /* no matter */
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
    assert_near(confidence, 1, 0);
    skeleton_free(&s);
    motion_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_offset_is_added_where_the_channels_float),
        cmocka_unit_test(root_offset_is_added_to_displacements),
        cmocka_unit_test(the_place_of_the_first_frame_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
