/* analysis/quality/artifacts: which frames and joints an artifact flags. */
#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "tests/support/test.h"
#include "tests/support/chain_motion.h"
#include "tests/support/source_trust.h"

static uint32_t of_joint(const Trust *t, int frame, int joint)
{
    return t->joint_reason[(size_t)frame * (size_t)t->joint_count + (size_t)joint];
}

/* Trust of the chain with one joint flipped at frame 50. */
static Trust with_flip(int joint)
{
    Skeleton s;
    Motion m;
    Artifacts faults = {0};
    Trust t;
    chain_motion(&s, &m, 100, 60, 1e-4);
    Quat *q = &m.rotation[motion_index(&m, 50, joint)];
    *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 1, 0), 2));
    motion_make_continuous(&m);
    assert_int_equal(trust_init(&t, 100, CHAIN_JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(artifacts_find(&s, &m, &faults, NULL), STATUS_OK);
    assert_int_equal(faults.count, 1);
    assert_int_equal(artifacts_mark(&s, &faults, &t, NULL), STATUS_OK);
    artifacts_free(&faults);
    skeleton_free(&s);
    motion_free(&m);
    return t;
}

TEST(flip_of_a_heavy_joint_flags_the_frame)
{
    Trust t = with_flip(CHAIN_FOREARM);
    for (int f = 0; f < 100; f++)
        assert_int_equal(t.reason[f], f == 50 ? TRUST_FLIP : 0);
    assert_int_equal(of_joint(&t, 50, CHAIN_FOREARM), TRUST_FLIP);
    assert_int_equal(of_joint(&t, 50, CHAIN_TRUNK), 0);
    trust_free(&t);
}

/* The hand is 0.05 m long beside bones of 0.3 m: 0.2 % of their volume. */
TEST(flip_of_a_light_joint_flags_its_chain_only)
{
    Trust t = with_flip(CHAIN_HAND);
    assert_int_equal(t.reason[50], 0);
    assert_int_equal(of_joint(&t, 50, CHAIN_HAND), TRUST_FLIP);
    assert_int_equal(of_joint(&t, 50, CHAIN_FOREARM), TRUST_ADJACENT_JOINT);
    assert_int_equal(of_joint(&t, 50, CHAIN_TRUNK), TRUST_ADJACENT_JOINT);
    assert_int_equal(of_joint(&t, 49, CHAIN_HAND) | of_joint(&t, 51, CHAIN_HAND), 0);
    trust_free(&t);
}

/* A resting foot repeats its rows; if it flips after them, the flip is the artifact. */
TEST(rest_before_a_flip_is_not_frozen)
{
    Skeleton s;
    Motion m;
    Trust t;
    chain_motion(&s, &m, 100, 60, 1e-4);
    for (int f = 41; f < 62; f++)
        m.rotation[motion_index(&m, f, CHAIN_FOREARM)] = m.rotation[motion_index(&m, 40, CHAIN_FOREARM)];
    for (int f = 52; f < 54; f++) {
        Quat *q = &m.rotation[motion_index(&m, f, CHAIN_FOREARM)];
        *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 1, 0), 2));
    }
    motion_make_continuous(&m);
    assert_int_equal(source_trust(&s, &m, &t, NULL), STATUS_OK);
    for (int f = 0; f < 54; f++)
        assert_int_equal(t.reason[f], f >= 52 ? TRUST_FLIP : 0);
    trust_free(&t);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(each_flag_bit_has_a_name)
{
    assert_string_equal(trust_reason_name(1), "teleport");
    for (int i = 0; i < TRUST_REASON_COUNT; i++)
        assert_true(trust_reason_name(i)[0] != 0);
    assert_string_equal(trust_reason_name(TRUST_REASON_COUNT), "");
}

TEST(stage_clears_only_its_flags)
{
    Trust t = with_flip(CHAIN_HAND);
    t.reason[3] = TRUST_EDGE | TRUST_FROZEN;
    trust_clear(&t, TRUST_EDGE | TRUST_ADJACENT_JOINT);
    assert_int_equal(t.reason[3], TRUST_FROZEN);
    assert_int_equal(trust_joint_reason(&t, 50, CHAIN_HAND), TRUST_FLIP);
    assert_int_equal(trust_joint_reason(&t, 50, CHAIN_TRUNK), 0);
    trust_free(&t);
}
