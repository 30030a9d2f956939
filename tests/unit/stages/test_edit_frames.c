/* pipeline/stages/edit_frames: poses that differ are taken, others keep their bits and their flags. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "pipeline/stages/edit_frames.h"
#include "tests/support/chain_motion.h"

enum { FRAMES = 40, AT = 10, COUNT = 20, TURNED = 14 };

/* A chain whose frames are all flagged, and its frames AT .. AT + COUNT - 1 with rounded rotations. */
static Clip flagged(Motion *edited)
{
    Clip c = {0};
    Motion view;
    chain_motion(&c.skeleton, &c.motion, FRAMES, 60, 0);
    assert_int_equal(trust_init(&c.trust, FRAMES, c.skeleton.joint_count, 0, NULL), STATUS_OK);
    c.has_trust = 1;
    for (int f = 0; f < FRAMES; f++)
        c.trust.reason[f] = TRUST_FROZEN | TRUST_UNCERTAIN;
    view = motion_view(&c.motion, AT, COUNT);
    assert_int_equal(motion_copy(edited, &view, NULL), STATUS_OK);
    for (size_t i = 0; i < (size_t)COUNT * (size_t)edited->joint_count; i++)
        edited->rotation[i].x = (float)edited->rotation[i].x;
    return c;
}

static Quat turned(Quat q) { return quat_mul(q, quat_from_axis_angle(vec3(1, 0, 0), 1e-3)); }

TEST(only_poses_that_differ_are_taken)
{
    Motion edited;
    FrameSpan changed;
    Clip c = flagged(&edited);
    Quat kept = c.motion.rotation[motion_index(&c.motion, TURNED - 1, 1)];
    size_t at = motion_index(&edited, TURNED - AT, 1), last = motion_index(&edited, TURNED + 2 - AT, 0);
    edited.rotation[at] = turned(edited.rotation[at]);
    edited.rotation[last] = turned(edited.rotation[last]);
    assert_int_equal(edit_frames_put(&edited, AT, &c, &changed, NULL), STATUS_OK);
    assert_int_equal(changed.first, TURNED);
    assert_int_equal(changed.count, 3);
    Quat before = c.motion.rotation[motion_index(&c.motion, TURNED - 1, 1)];
    assert_true(before.x == kept.x && before.w == kept.w);
    assert_near(fabs(quat_dot(c.motion.rotation[motion_index(&c.motion, TURNED, 1)], edited.rotation[at])), 1, 1e-7);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(c.trust.reason[f],
                         f == TURNED || f == TURNED + 2 ? TRUST_UNCERTAIN : TRUST_FROZEN | TRUST_UNCERTAIN);
    motion_free(&edited);
    clip_free(&c);
}

/* A whole turn of the root within frames AT .. AT + COUNT - 1: on the sphere of quaternions its end is opposite. */
TEST(whole_turn_leaves_the_signs_of_later_frames)
{
    Motion edited, before;
    FrameSpan changed;
    Clip c = flagged(&edited);
    assert_int_equal(motion_copy(&before, &c.motion, NULL), STATUS_OK);
    for (int f = 0; f < COUNT; f++) {
        Quat *q = &edited.rotation[motion_index(&edited, f, 0)];
        *q = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 2 * PI * f / (COUNT - 1)), *q);
    }
    motion_make_continuous(&edited);
    assert_int_equal(edit_frames_put(&edited, AT, &c, &changed, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < c.motion.joint_count; j++) {
            size_t i = motion_index(&c.motion, f, j);
            int is_kept = f < changed.first || f >= changed.first + changed.count;
            if (is_kept)
                assert_memory_equal(&c.motion.rotation[i], &before.rotation[i], sizeof(Quat));
            else
                assert_true(quat_dot(c.motion.rotation[i], c.motion.rotation[motion_index(&c.motion, f - 1, j)]) > 0);
        }
    motion_free(&edited);
    motion_free(&before);
    clip_free(&c);
}

/* Negated quaternions are the same poses; edited ones at the start of a clip take the signs of what follows. */
TEST(edited_start_takes_the_signs_of_later_frames)
{
    Motion edited, before;
    FrameSpan changed;
    Clip c = flagged(&edited);
    for (size_t i = 0; i < (size_t)FRAMES * (size_t)c.motion.joint_count; i++)
        c.motion.rotation[i] = quat_neg(c.motion.rotation[i]);
    assert_int_equal(motion_copy(&before, &c.motion, NULL), STATUS_OK);
    edited.frame_count = 2;
    assert_int_equal(edit_frames_put(&edited, 0, &c, &changed, NULL), STATUS_OK);
    assert_int_equal(changed.count, 2);
    for (int j = 0; j < c.motion.joint_count; j++)
        for (int f = 2; f > 0; f--)
            assert_true(quat_dot(c.motion.rotation[motion_index(&c.motion, f, j)],
                                 c.motion.rotation[motion_index(&c.motion, f - 1, j)]) > 0);
    assert_memory_equal(c.motion.rotation + motion_index(&c.motion, 2, 0),
                        before.rotation + motion_index(&before, 2, 0), sizeof(Quat));
    motion_free(&edited);
    motion_free(&before);
    clip_free(&c);
}

TEST(moved_root_is_a_change)
{
    Motion edited;
    FrameSpan changed;
    Clip c = flagged(&edited);
    assert_int_equal(edit_frames_put(&edited, AT, &c, &changed, NULL), STATUS_OK);
    assert_int_equal(changed.count, 0);
    edited.root_position[COUNT - 1].y += 1e-4;
    assert_int_equal(edit_frames_put(&edited, AT, &c, &changed, NULL), STATUS_OK);
    assert_int_equal(changed.first, AT + COUNT - 1);
    assert_int_equal(changed.count, 1);
    motion_free(&edited);
    clip_free(&c);
}

TEST(frames_outside_the_clip_are_refused)
{
    Motion edited;
    FrameSpan changed;
    Error err = {0};
    Clip c = flagged(&edited);
    assert_int_equal(edit_frames_put(&edited, FRAMES - COUNT + 1, &c, &changed, &err), STATUS_BAD_INPUT);
    assert_int_equal(edit_frames_put(&edited, -1, &c, &changed, &err), STATUS_BAD_INPUT);
    motion_free(&edited);
    clip_free(&c);
}

TEST(joint_off_its_bone_is_refused)
{
    Motion edited, moving;
    FrameSpan changed;
    Error err = {0};
    Clip c = flagged(&edited);
    assert_int_equal(motion_init(&moving, COUNT, edited.joint_count, 1 / 60.0, 1, NULL), STATUS_OK);
    for (size_t i = 0; i < (size_t)COUNT * (size_t)edited.joint_count; i++) {
        moving.rotation[i] = edited.rotation[i];
        moving.translation[i] = c.skeleton.offset[i % (size_t)edited.joint_count];
    }
    for (int f = 0; f < COUNT; f++)
        moving.root_position[f] = edited.root_position[f];
    assert_int_equal(edit_frames_put(&moving, AT, &c, &changed, &err), STATUS_OK);
    moving.translation[motion_index(&moving, 5, 1)].z += 0.01;
    assert_int_equal(edit_frames_put(&moving, AT, &c, &changed, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "in frame 5"));
    motion_free(&moving);
    motion_free(&edited);
    clip_free(&c);
}
