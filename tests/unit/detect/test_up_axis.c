/* analysis/detect/up_axis: rotations to the world, and the detected axis for standing, leaning and lying bodies. */
#include "tests/support/test.h"

#include "analysis/evidence/gravity.h"
#include "tests/support/walker.h"

static const UpAxis axes[] = {UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};

static UpAxis find(const Skeleton *s, const Motion *m, double *confidence)
{
    PoseSample sample;
    BodyTrack track;
    GravityBalance balance;
    Evidence evidence;
    double log_odds[GRAVITY_AXES];
    UpAxis up;
    assert_int_equal(body_track_init(&track, s, m, 0, NULL), STATUS_OK);
    assert_int_equal(gravity_measure(&track, &balance, NULL), STATUS_OK);
    gravity_log_odds(&balance, log_odds);
    body_track_free(&track);
    assert_int_equal(pose_sample_init(&sample, s, m, 0, 20, NULL), STATUS_OK);
    assert_int_equal(up_axis_from_poses(s, &sample, log_odds, &up, &evidence, NULL), STATUS_OK);
    *confidence = evidence.confidence;
    pose_sample_free(&sample);
    return up;
}

/* The walk, bent forward by an angle about the hip axis. */
static void bent_walk(Skeleton *s, Motion *m, double angle)
{
    Quat bend = quat_from_axis_angle(vec3(1, 0, 0), angle);
    walker_skeleton(s);
    walker_motion(m, 60, 30);
    for (int f = 0; f < m->frame_count; f++)
        m->rotation[(size_t)f * WALKER_JOINTS] = quat_mul(bend, m->rotation[(size_t)f * WALKER_JOINTS]);
}

TEST(leaning_body_has_its_up_axis)
{
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++)
        for (double angle = -0.6; angle < 0.7; angle += 0.3) {
            Skeleton s;
            Motion m;
            double confidence;
            bent_walk(&s, &m, angle);
            walker_to_file(&s, &m, 0.01, axes[a]);
            assert_int_equal(find(&s, &m, &confidence), axes[a]);
            assert_true(confidence > 0.5 && confidence <= 1);
            skeleton_free(&s);
            motion_free(&m);
        }
}

/* For a lying body up and forward are ambiguous: the confidence is lower than for a standing one. */
TEST(lying_body_has_lower_confidence)
{
    Skeleton s;
    Motion m;
    double lying, standing;
    bent_walk(&s, &m, PI / 2);
    for (int f = 0; f < m.frame_count; f++)
        m.root_position[f].y = 0.12;
    find(&s, &m, &lying);
    skeleton_free(&s);
    motion_free(&m);
    bent_walk(&s, &m, 0);
    assert_int_equal(find(&s, &m, &standing), UP_Y);
    assert_true(standing > 0.99 && lying < standing);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(axes_have_rotations_and_names)
{
    Vec3 v = {1, -2, 5};
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
        assert_int_equal(up_axis_from_text(up_axis_name(axes[a])), axes[a]);
        assert_vec3_near(up_axis_rotate(axes[a], v), quat_rotate(walker_turn(axes[a]), v), 1e-14);
        assert_vec3_near(up_axis_rotate(axes[a], up_axis_vector(axes[a])), vec3(0, 1, 0), 0);
    }
    assert_int_equal(up_axis_from_text("+z"), UP_Z);
    assert_int_equal(up_axis_from_text("W"), UP_AUTO);
    assert_int_equal(up_axis_from_text("-"), UP_AUTO);
    assert_int_equal(up_axis_from_text(""), UP_AUTO);
    assert_string_equal(up_axis_name(UP_AUTO), "");
}
