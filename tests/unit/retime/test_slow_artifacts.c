/* analysis/retime/slow_artifacts: a jump of one frame is an artifact at any rate, a fast turn only of a fast clip. */
#include "tests/support/test.h"

#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "analysis/retime/slow_artifacts.h"
#include "tests/support/chain_motion.h"

enum { FRAMES = 240, AT = 120, JOINT = 2 };
static const double fps = 60, slow = 0.2;

/* A chain in motion: in one frame its root is off by `jump` and a joint turned by `turn`, rad. */
static Clip chain(double jump, double turn)
{
    Clip clip = {.has_trust = 1};
    Artifacts found = {0};
    chain_motion(&clip.skeleton, &clip.motion, FRAMES, fps, 2e-4);
    Quat *rotation = &clip.motion.rotation[motion_index(&clip.motion, AT, JOINT)];
    clip.motion.root_position[AT].x += jump;
    *rotation = quat_mul(*rotation, quat_from_axis_angle(vec3(0.6, 0, 0.8), turn));
    motion_make_continuous(&clip.motion);
    assert_int_equal(trust_init(&clip.trust, FRAMES, clip.motion.joint_count, 1, NULL), STATUS_OK);
    assert_int_equal(artifacts_find(&clip.skeleton, &clip.motion, &found, NULL), STATUS_OK);
    assert_int_equal(artifacts_mark(&clip.skeleton, &found, &clip.trust, NULL), STATUS_OK);
    artifacts_free(&found);
    return clip;
}

static int flags_at(const Clip *clip)
{
    uint32_t bits = 0;
    for (int j = 0; j < clip->motion.joint_count; j++)
        bits |= trust_joint_reason(&clip->trust, AT, j);
    return (int)(bits & (TRUST_TELEPORT | TRUST_FLIP | TRUST_FLICKER));
}

TEST(jump_of_one_frame_remains)
{
    Clip clip = chain(1.5, 0);
    assert_true(flags_at(&clip) & TRUST_TELEPORT);
    assert_int_equal(artifacts_confirm(&clip, slow, NULL), STATUS_OK);
    assert_true(flags_at(&clip) & TRUST_TELEPORT);
    clip_free(&clip);
}

TEST(turn_of_a_fast_clip_is_no_artifact_of_a_slow_one)
{
    Clip clip = chain(0, 0.6); /* reversed by 2 * 0.6 * 60^2 = 4320 rad/s2, of 250; at a fifth of the rate by 173 */
    assert_true(flags_at(&clip) & TRUST_FLIP);
    assert_int_equal(artifacts_confirm(&clip, slow, NULL), STATUS_OK);
    assert_int_equal(flags_at(&clip), 0);
    clip_free(&clip);
}

TEST(flags_that_do_not_depend_on_speed_are_kept)
{
    Clip clip = chain(0, 0);
    clip.trust.reason[AT] = TRUST_FROZEN;
    assert_int_equal(artifacts_confirm(&clip, slow, NULL), STATUS_OK);
    assert_int_equal((int)clip.trust.reason[AT], TRUST_FROZEN);
    assert_int_equal(clip.trust.trusted[AT], 0);
    clip_free(&clip);
}
