/* analysis/evidence/force_balance: distance from a convex hull, and forces unexplained by an axis and a rate. */
#include "tests/support/test.h"

#include "analysis/evidence/force_balance.h"
#include "tests/support/evidence_body.h"

static double distance(double x, double y, const PlanePoint *points, int count)
{
    PlanePoint copy[8], stack[8];
    memcpy(copy, points, (size_t)count * sizeof *copy);
    return balance_hull_distance((PlanePoint){x, y}, copy, count, stack);
}

TEST(distance_from_a_hull)
{
    const PlanePoint square[] = {{1, 1}, {0, 0}, {1, 0}, {0.5, 0.5}, {0, 1}};
    assert_near(distance(0.5, 0.25, square, 5), 0, 0);
    assert_near(distance(2, 0.5, square, 5), 1, 1e-12);
    assert_near(distance(2, 2, square, 5), sqrt(2), 1e-12);
    assert_near(distance(0.5, -0.3, square, 5), 0.3, 1e-12);
}

TEST(distance_from_a_line_and_a_point)
{
    const PlanePoint line[] = {{0, 0}, {2, 0}, {1, 0}}, same[] = {{1, 1}, {1, 1}};
    assert_near(distance(1.5, 0.5, line, 3), 0.5, 1e-12);
    assert_near(distance(3, 0, line, 3), 1, 1e-12);
    assert_near(distance(1, 2, same, 2), 1, 1e-12);
    assert_near(distance(4, 5, same, 1), 5, 1e-12);
}

static double unexplained(const Skeleton *s, const Motion *m, Vec3 up, double factor)
{
    Balance balance;
    BodyTrack track = body_track(s, m);
    assert_int_equal(balance_measure(&track, up, factor, 200, &balance, NULL), STATUS_OK);
    body_track_free(&track);
    assert_true(balance.frames > 0);
    return balance.unexplained;
}

TEST(jump_is_explained_upright_at_its_rate)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    jumping_motion(&m, 100);
    double right = unexplained(&s, &m, vec3(0, 1, 0), 1);
    assert_true(right < 0.1);
    assert_true(unexplained(&s, &m, vec3(0, -1, 0), 1) > right + 0.2);
    assert_true(unexplained(&s, &m, vec3(1, 0, 0), 1) > right + 0.2);
    assert_true(unexplained(&s, &m, vec3(0, 1, 0), 0.5) > right + 0.05);
    assert_true(unexplained(&s, &m, vec3(0, 1, 0), 2) > right + 0.05);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(clip_of_one_frame_is_not_judged)
{
    Skeleton s;
    Motion m;
    Balance balance;
    walker_skeleton(&s);
    standing_motion(&m, 1, 100);
    BodyTrack track = body_track(&s, &m);
    assert_int_equal(balance_measure(&track, vec3(0, 1, 0), 1, 100, &balance, NULL), STATUS_OK);
    assert_int_equal(balance.frames, 0);
    body_track_free(&track);
    skeleton_free(&s);
    motion_free(&m);
}
