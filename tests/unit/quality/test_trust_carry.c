/* analysis/quality/trust_carry: flags follow their frames, and a stage replaces its own. */
#include "analysis/motion/resample.h"
#include "analysis/quality/trust_carry.h"
#include "analysis/quality/trust_limits.h"
#include "analysis/quality/trust_marks.h"
#include "tests/support/test.h"
#include "tests/support/chain_motion.h"
#include "tests/support/motion_part.h"
#include "tests/support/source_trust.h"

enum { FRAMES = 120, AT = 50 };

/* One second of the chain at 120 Hz whose root jumps for one frame. */
static Clip jumping_clip(void)
{
    Clip c = {0};
    chain_motion(&c.skeleton, &c.motion, FRAMES, 120, 1e-4);
    c.motion.root_position[AT].x += 1;
    assert_int_equal(source_trust(&c.skeleton, &c.motion, &c.trust, NULL), STATUS_OK);
    c.has_trust = 1;
    assert_int_equal(c.trust.reason[AT], TRUST_TELEPORT);
    return c;
}

TEST(trimmed_clip_keeps_flags_of_its_frames)
{
    Clip c = jumping_clip();
    Motion part;
    assert_int_equal(motion_part(&c.motion, 40 / 120.0, 60 / 120.0, &part, NULL), STATUS_OK);
    assert_int_equal(trust_follow(&c, &part, NULL), STATUS_OK);
    assert_int_equal(c.trust.frame_count, part.frame_count);
    for (int f = 0; f < part.frame_count; f++)
        assert_int_equal(c.trust.reason[f], f == AT - 40 ? TRUST_TELEPORT : 0);
    motion_free(&part);
    clip_free(&c);
}

/* At any rate, all frames affected by the artifact are flagged, and at most 0.15 s around it. */
TEST(resampling_flags_all_affected_frames)
{
    static const double rates[] = {30, 37, 60, 100, 120, 240, 500};
    for (int i = 0; i < 7; i++) {
        Clip c = jumping_clip();
        Motion other, sound;
        assert_int_equal(motion_resample(&c.motion, rates[i], &other, NULL), STATUS_OK);
        c.motion.root_position[AT].x -= 1;
        assert_int_equal(motion_resample(&c.motion, rates[i], &sound, NULL), STATUS_OK);
        assert_int_equal(trust_follow(&c, &other, NULL), STATUS_OK);
        for (int f = 0; f < other.frame_count; f++) {
            double off = fabs(other.time[f] - AT / 120.0);
            if (vec3_distance(other.root_position[f], sound.root_position[f]) > 1e-6)
                assert_int_equal(c.trust.reason[f], TRUST_TELEPORT);
            if (c.trust.reason[f])
                assert_true(off <= 0.15);
        }
        motion_free(&other);
        motion_free(&sound);
        clip_free(&c);
    }
}

TEST(retargeting_transfers_flags_by_role_and_name)
{
    Clip c = jumping_clip();
    Skeleton other;
    Trust trust;
    assert_int_equal(skeleton_init(&other, 2, 0, NULL), STATUS_OK);
    c.skeleton.role[CHAIN_HAND] = other.role[1] = ROLE_LEFT_WRIST;
    for (int j = 0; j < CHAIN_JOINTS; j++)
        skeleton_set_name(&c.skeleton, j, j ? "bone" : "trunk", NULL);
    skeleton_set_name(&other, 0, "trunk", NULL);
    skeleton_set_name(&other, 1, "palm", NULL);
    c.trust.joint_reason[AT * CHAIN_JOINTS + CHAIN_HAND] = TRUST_FLIP | TRUST_EDGE;
    assert_int_equal(trust_carry_joints(&c.trust, &c.skeleton, &other, &trust, NULL), STATUS_OK);
    assert_int_equal(trust.reason[AT], TRUST_TELEPORT);
    assert_int_equal(trust.joint_reason[2 * AT + 1], TRUST_FLIP); /* the edge flag belongs to the old motion */
    assert_int_equal(trust.joint_reason[2 * AT], TRUST_TELEPORT);
    trust_free(&trust);
    skeleton_free(&other);
    clip_free(&c);
}

TEST(edge_flags_surround_artifacts_and_need_kinematics)
{
    Clip c = jumping_clip();
    assert_int_equal(kinematics_init(&c.kinematics, FRAMES, CHAIN_JOINTS, 0, NULL), STATUS_OK);
    c.has_kinematics = 1;
    for (int f = 0; f < FRAMES; f++)
        c.kinematics.valid[f] = f >= 6 && f < FRAMES - 6;
    assert_int_equal(trust_judge(&c, CLIP_KINEMATICS, NULL), STATUS_OK);
    int reach = (int)(trust_limits.fault_reach * 120);
    for (int f = 0; f < FRAMES; f++) {
        int is_edge = !c.kinematics.valid[f] || (f >= AT - reach && f <= AT + reach);
        assert_int_equal((c.trust.reason[f] & TRUST_EDGE) != 0, is_edge);
        assert_int_equal(c.trust.trusted[f], !is_edge);
    }
    clip_drop(&c, CLIP_KINEMATICS);
    assert_int_equal(trust_judge(&c, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(c.trust.reason[f], f == AT ? TRUST_TELEPORT : 0);
    clip_free(&c);
}
