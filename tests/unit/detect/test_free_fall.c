/* analysis/detect/free_fall: a jump falls at g in any unit, and static height is not a fall. */
#include "tests/support/test.h"

#include "analysis/detect/free_fall.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/detect/up_axis.h"
#include "tests/support/walker.h"

static const double gravity = 9.80665, fps = 60;

static FreeFall fall_of(const Skeleton *s, const Motion *m, Vec3 up)
{
    PoseSample sample;
    FreeFall fall;
    assert_int_equal(pose_sample_init(&sample, s, m, 0, m->frame_count, NULL), STATUS_OK);
    assert_int_equal(free_fall_measure(s, &sample, up, m->frame_time, &fall, NULL), STATUS_OK);
    pose_sample_free(&sample);
    return fall;
}

/* 0.5 s on the floor, then the height rise(t) for 0.42 s, then the floor again. */
static void body_that_rises(Skeleton *s, Motion *m, double (*rise)(double t))
{
    walker_skeleton(s);
    assert_int_equal(motion_init(m, 90, WALKER_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int f = 0; f < 90; f++) {
        double t = f / fps - 0.5;
        for (int j = 0; j < WALKER_JOINTS; j++)
            m->rotation[(size_t)f * WALKER_JOINTS + (size_t)j] = QUAT_IDENTITY;
        m->root_position[f] = vec3(0, 0.95 + (t > 0 && t < 0.42 ? rise(t) : 0), 0.5 * t);
    }
}

static double jump(double t) { return 0.5 * gravity * t * (0.42 - t); }
static double box(double t) { (void)t; return 0.3; }
static double step(double t) { return fmin(0.3, 4 * fmin(t, 0.42 - t)); } /* climbed, stood on, descended */
static double dip(double t) { return 0.3 + 2 * (t - 0.21) * (t - 0.21); }
static double shake(double t) { return 0.3 + 0.02 * elementary_sin(60 * t); }

static double measure(double (*rise)(double t), double meters_per_unit, UpAxis up)
{
    Skeleton s;
    Motion m;
    body_that_rises(&s, &m, rise);
    walker_to_file(&s, &m, meters_per_unit, up);
    FreeFall fall = fall_of(&s, &m, up_axis_vector(up));
    skeleton_free(&s);
    motion_free(&m);
    assert_true(fall.steepest >= fall.acceleration * (1 - 1e-9));
    return fall.acceleration;
}

TEST(jump_has_acceleration_g)
{
    const double units[] = {1, 0.01, 0.0254, 0.0254 / 0.45};
    for (int u = 0; u < 4; u++) {
        assert_near(measure(jump, units[u], UP_Y) * units[u], gravity, 1e-9);
        assert_near(measure(jump, units[u], UP_MINUS_X) * units[u], gravity, 1e-9);
    }
}

TEST(motion_without_fall_gives_no_acceleration)
{
    double (*const still[])(double) = {box, step, dip, shake};
    for (int i = 0; i < 4; i++)
        assert_near(measure(still[i], 0.01, UP_Y), 0, 0);
}

/* A number of frames above the floor, falling at 20 units/s2 from 0.1 above it. */
static double measure_flight(int frames, double rate)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    assert_int_equal(motion_init(&m, 40, WALKER_JOINTS, 1 / rate, 0, NULL), STATUS_OK);
    for (int f = 0; f < 40; f++) {
        int i = f - 20, flies = i >= 0 && i < frames;
        for (int j = 0; j < WALKER_JOINTS; j++)
            m.rotation[motion_index(&m, f, j)] = QUAT_IDENTITY;
        m.root_position[f] = vec3(0, 0.95 + (flies ? 0.1 + 10 * i * (frames - 1 - i) / (rate * rate) : 0), 0);
    }
    double found = fall_of(&s, &m, vec3(0, 1, 0)).acceleration;
    skeleton_free(&s);
    motion_free(&m);
    return found;
}

/* Five frames at 30 Hz suffice, four at 25 Hz do not, although they last 0.12 s too. */
TEST(shortest_flight_has_five_frames)
{
    assert_near(measure_flight(5, 30), 20, 1e-9);
    assert_near(measure_flight(6, 30), 20, 1e-9);
    assert_near(measure_flight(4, 25), 0, 0);
    assert_near(measure_flight(5, 40), 0, 0); /* 0.1 s */
}

/* A creature without roles is measured by its root, and the unit follows although its size is uninformative. */
TEST(jump_determines_unit_of_nonhuman)
{
    const double units[] = {1, 0.01, 0.001, 0.0254};
    for (int u = 0; u < 4; u++) {
        Skeleton s;
        Motion m;
        ImportGuess e;
        ImportGuessDef def = {.up = UP_Y};
        body_that_rises(&s, &m, jump);
        walker_to_file(&s, &m, units[u], UP_Y);
        for (int j = 0; j < WALKER_JOINTS; j++)
            s.role[j] = s.segment[j] = ROLE_NONE;
        assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, NULL), STATUS_OK);
        assert_near(e.meters_per_unit, units[u], 0);
        skeleton_free(&s);
        motion_free(&m);
    }
}

TEST(short_clip_has_no_flight)
{
    Skeleton s;
    Motion m;
    body_that_rises(&s, &m, jump);
    m.frame_count = 3;
    FreeFall fall = fall_of(&s, &m, vec3(0, 1, 0));
    assert_near(fall.acceleration + fall.steepest, 0, 0);
    skeleton_free(&s);
    motion_free(&m);
}
