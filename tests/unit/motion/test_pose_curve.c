/* analysis/motion/pose_curve: the curve goes through the frames, bit for bit, and is twice continuously
 * differentiable (de Boor, "A Practical Guide to Splines", 1978, chapter IV). */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/motion/pose_curve.h"

enum { FRAMES = 40 };
static const double dt = 1.0 / 30;

static Quat turned(double t, int joint)
{
    Vec3 v = vec3(elementary_sin(3 * t + joint), 0.7 * elementary_cos(5 * t), 0.4 * t);
    return quat_from_axis_angle(vec3_scale(v, 1 / vec3_norm(v)), vec3_norm(v));
}

static Motion sample_motion(int frames)
{
    Motion m;
    assert_int_equal(motion_init(&m, frames, 2, dt, 1, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double t = f * dt;
        m.root_position[f] = vec3(elementary_sin(4 * t), t * t, elementary_cos(7 * t));
        m.rotation[2 * f] = turned(t, 0);
        m.rotation[2 * f + 1] = turned(t, 1);
        m.translation[2 * f + 1] = vec3(0.1 * elementary_sin(6 * t), 0, 0.2);
    }
    motion_make_continuous(&m);
    return m;
}

/* The pose at a place as numbers. */
typedef struct Pose {
    double value[11];
} Pose;

static Pose pose_at(const PoseCurve *curve, double place)
{
    Motion out;
    assert_int_equal(motion_init(&out, 1, 2, dt, 1, NULL), STATUS_OK);
    pose_curve_fill(curve, place, 0, &out);
    Vec3 p = out.root_position[0], s = out.translation[1];
    Quat a = out.rotation[0], b = out.rotation[1];
    motion_free(&out);
    return (Pose){{p.x, p.y, p.z, a.w, a.x, a.y, a.z, s.x, b.x, b.y, b.z}};
}

TEST(frames_keep_their_bits)
{
    Motion m = sample_motion(FRAMES), out;
    PoseCurve curve;
    assert_int_equal(pose_curve_init(&curve, &m, NULL), STATUS_OK);
    assert_int_equal(motion_init(&out, FRAMES, 2, dt, 1, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        pose_curve_fill(&curve, f, f, &out);
    assert_memory_equal(out.root_position, m.root_position, FRAMES * sizeof(Vec3));
    assert_memory_equal(out.rotation, m.rotation, 2 * FRAMES * sizeof(Quat));
    assert_memory_equal(out.translation, m.translation, 2 * FRAMES * sizeof(Vec3));
    motion_free(&out);
    pose_curve_free(&curve);
    motion_free(&m);
}

TEST(pose_and_its_first_two_derivatives_are_continuous_at_frames)
{
    const double e = 1e-4;
    Motion m = sample_motion(FRAMES);
    PoseCurve curve;
    assert_int_equal(pose_curve_init(&curve, &m, NULL), STATUS_OK);
    for (int f = 1; f + 1 < FRAMES; f++) {
        Pose p[7];
        for (int k = -3; k <= 3; k++)
            p[k + 3] = pose_at(&curve, f + k * e);
        for (int i = 0; i < 11; i++) {
            double left = (3 * p[3].value[i] - 4 * p[2].value[i] + p[1].value[i]) / (2 * e);
            double right = (-3 * p[3].value[i] + 4 * p[4].value[i] - p[5].value[i]) / (2 * e);
            double before = (2 * p[3].value[i] - 5 * p[2].value[i] + 4 * p[1].value[i] - p[0].value[i]) / (e * e);
            double after = (2 * p[3].value[i] - 5 * p[4].value[i] + 4 * p[5].value[i] - p[6].value[i]) / (e * e);
            assert_near(right, left, 1e-6);
            assert_near(after, before, 2e-4);
        }
    }
    pose_curve_free(&curve);
    motion_free(&m);
}

TEST(smooth_motion_is_reproduced_between_frames)
{
    Motion m = sample_motion(FRAMES);
    PoseCurve curve;
    assert_int_equal(pose_curve_init(&curve, &m, NULL), STATUS_OK);
    for (double place = 3.3; place < FRAMES - 4; place += 0.7) {
        Motion out;
        assert_int_equal(motion_init(&out, 1, 2, dt, 1, NULL), STATUS_OK);
        pose_curve_fill(&curve, place, 0, &out);
        assert_near(out.root_position[0].x, elementary_sin(4 * place * dt), 1e-5);
        assert_near(fabs(quat_dot(out.rotation[0], turned(place * dt, 0))), 1, 1e-8);
        motion_free(&out);
    }
    pose_curve_free(&curve);
    motion_free(&m);
}

TEST(clips_of_one_to_three_frames_have_a_curve)
{
    for (int frames = 1; frames <= 3; frames++) {
        Motion m = sample_motion(frames);
        PoseCurve curve;
        assert_int_equal(pose_curve_init(&curve, &m, NULL), STATUS_OK);
        double middle = 0.5 * (frames - 1);
        Pose p = pose_at(&curve, middle);
        double wanted = frames == 2 ? 0.5 * (m.root_position[0].y + m.root_position[1].y)
                                    : m.root_position[frames / 2].y;
        assert_near(p.value[1], wanted, 1e-15);
        pose_curve_free(&curve);
        motion_free(&m);
    }
}
