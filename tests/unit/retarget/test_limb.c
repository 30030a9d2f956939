/* analysis/retarget/reference_pose: the limbs of a skeleton between its roles. */
#include "analysis/retarget/limb.h"
#include "tests/support/test.h"

#include <string.h>

#include "tests/support/walker.h"

static int find(const Skeleton *s, const char *name) { return skeleton_find(s, name); }

TEST(left_and_right_limbs_are_symmetric)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        Role next = limb_next_role((Role)role);
        if (next != ROLE_NONE)
            assert_int_equal(limb_next_role(role_mirror((Role)role)), role_mirror(next));
    }
    assert_int_equal(limb_next_role(ROLE_RIGHT_HIP), ROLE_RIGHT_KNEE);
    assert_int_equal(limb_next_role(ROLE_NECK), ROLE_HEAD);
    assert_int_equal(limb_next_role(ROLE_LEFT_WRIST), ROLE_NONE);
}

TEST(limb_chains_descend_the_tree)
{
    Skeleton s;
    (void)state;
    walker_skeleton(&s);
    JointChain leg = limb_chain(&s, find(&s, "LeftUpLeg"), find(&s, "LeftFoot"));
    assert_int_equal(leg.count, 2);
    assert_int_equal(leg.joint[0], find(&s, "LeftUpLeg"));
    assert_int_equal(leg.joint[1], find(&s, "LeftLeg"));
    assert_int_equal(leg.end, find(&s, "LeftFoot"));
    assert_true(limb_is_ancestor(&s, 0, leg.end) && !limb_is_ancestor(&s, leg.end, 0));
    assert_int_equal(limb_chain(&s, leg.end, leg.joint[0]).count, 0);
    assert_int_equal(limb_chain(&s, leg.joint[0], leg.joint[0]).count, 0);
    assert_int_equal(limb_chain(&s, -1, leg.end).count, 0);
    assert_int_equal(limb_chain(&s, leg.joint[0], find(&s, "RightFoot")).count, 0);
    skeleton_free(&s);
}

/* The trunk ends below the neck; without a neck below the head, without both at the branch of the arms. */
TEST(trunk_ends_below_neck_head_or_arms)
{
    static const char *const lost[] = {NULL, "Neck", "Head"};
    static const int count[] = {2, 3, 2};
    Skeleton s;
    (void)state;
    walker_skeleton(&s);
    for (int i = 0; i < 3; i++) {
        if (lost[i])
            s.role[find(&s, lost[i])] = ROLE_NONE;
        JointChain trunk = limb_trunk(&s);
        assert_int_equal(trunk.count, count[i]);
        assert_int_equal(trunk.joint[0], find(&s, "Spine"));
        assert_int_equal(trunk.joint[1], find(&s, "Spine1"));
    }
    skeleton_free(&s);
}

/* With clavicles the trunk ends at the branch that is their parent, not at the upper arm. */
TEST(trunk_ends_at_the_collar_bones)
{
    static const int parents[] = {-1, 0, 1, 2, 3, 1, 5, 6};
    Skeleton s;
    (void)state;
    assert_int_equal(skeleton_init(&s, 8, 0, NULL), STATUS_OK);
    memcpy(s.parent, parents, sizeof parents);
    for (int j = 0; j < 8; j++)
        s.role[j] = ROLE_NONE;
    s.role[0] = ROLE_HIPS;
    s.role[4] = ROLE_LEFT_SHOULDER;
    s.role[7] = ROLE_RIGHT_SHOULDER;
    JointChain trunk = limb_trunk(&s);
    assert_int_equal(trunk.count, 1);
    assert_int_equal(trunk.joint[0], 1);
    assert_int_equal(trunk.end, 2);
    skeleton_free(&s);
}
