/* Two-bone inverse kinematics: reaches the target, keeps the bending direction, never snaps straight. */
#include "tests/support/test.h"

#include "analysis/retarget/hands.h"

static const TwoBone leg = {{0, 1, 0}, {0.02, 0.55, 0.05}, {0, 0.12, 0}, {1, 0, 0}};

static Vec3 middle_of(const TwoBone *limb, TwoBoneRotation t)
{
    return vec3_add(limb->root, quat_rotate(t.root, vec3_sub(limb->middle, limb->root)));
}

static Vec3 end_of(const TwoBone *limb, TwoBoneRotation t)
{
    return vec3_add(middle_of(limb, t), quat_rotate(t.middle, vec3_sub(limb->end, limb->middle)));
}

TEST(reaches_its_target)
{
    for (int i = 0; i < 200; i++) {
        Vec3 to = {0.002 * i - 0.2, 0.2 + 0.0005 * i, 0.3 - 0.003 * i};
        assert_vec3_near(end_of(&leg, two_bone_solve(&leg, to, vec3_distance(to, leg.root))), to, 1e-12);
    }
}

/* If the limb is already at the target, nothing rotates. */
TEST(stays_where_it_is)
{
    TwoBoneRotation t = two_bone_solve(&leg, leg.end, vec3_distance(leg.end, leg.root));
    assert_vec3_near(middle_of(&leg, t), leg.middle, 1e-12);
    assert_vec3_near(end_of(&leg, t), leg.end, 1e-12);
}

/* The knee of a straight leg flexes forward, about the body's left. */
TEST(a_straight_leg_bends_forward)
{
    TwoBone straight = {{0, 1, 0}, {0, 0.5, 0}, {0, 0, 0}, {1, 0, 0}};
    Vec3 to = {0, 0.1, 0};
    TwoBoneRotation t = two_bone_solve(&straight, to, 0.9);
    assert_vec3_near(end_of(&straight, t), to, 1e-12);
    assert_true(middle_of(&straight, t).z > 0.2);
    assert_near(middle_of(&straight, t).x, 0, 1e-12);
}

/* Out of reach: towards the target, as far as allowed; without target direction or length nothing rotates. */
TEST(out_of_reach)
{
    Vec3 far = {0, -3, 1};
    double length = vec3_distance(leg.root, leg.middle) + vec3_distance(leg.middle, leg.end);
    TwoBoneRotation t = two_bone_solve(&leg, far, 10);
    assert_near(vec3_distance(end_of(&leg, t), leg.root), length, 1e-9);
    Vec3 way = vec3_normalize(vec3_sub(far, leg.root)), reached = vec3_normalize(vec3_sub(end_of(&leg, t), leg.root));
    assert_vec3_near(reached, way, 1e-9);
    t = two_bone_solve(&leg, leg.root, 0);
    assert_near(t.root.w, 1, 0);
    TwoBone none = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    t = two_bone_solve(&none, far, 1);
    assert_near(t.middle.w, 1, 0);
}

TEST(soft_ratio_is_smooth_and_bounded)
{
    const double h = 1e-6;
    assert_near(two_bone_soft_ratio(0.9, 0.95, 0.02), 0.9, 0);
    double slope = (two_bone_soft_ratio(0.95 + h, 0.95, 0.02) - two_bone_soft_ratio(0.95, 0.95, 0.02)) / h;
    assert_near(slope, 1, 1e-3);
    for (double r = 0.95; r < 3; r += 0.01)
        assert_true(two_bone_soft_ratio(r, 0.95, 0.02) < 0.97);
}
