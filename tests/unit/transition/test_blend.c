/* analysis/transition/blend: a clip blended with itself is the clip, other frames keep their bits, and other skeletons
 * are refused. */
#include "tests/support/edited_clip.h"
#include "tests/support/test.h"

#include "analysis/transition/blend.h"
#include "pipeline/stages/clip_feet.h"

typedef struct BlendCase {
    Clip clip[2], seen[2];
    Arena arena;
    StandingFeet feet[2];
    PoseFeatures features[2];
    BlendSide side[2];
} BlendCase;

static void blend_case_see(BlendCase *c)
{
    for (int i = 0; i < 2; i++) {
        ClipView view = clip_view(&c->clip[i]);
        assert_int_equal(clip_feet(&c->clip[i], &c->seen[i], &c->feet[i], &c->arena, NULL), STATUS_OK);
        assert_int_equal(pose_features_init(&c->features[i], &view, i ? &c->features[0] : NULL, &c->feet[i].contact,
                                            &c->arena, NULL), STATUS_OK);
        c->side[i] = (BlendSide){view, &c->feet[i], &c->features[i]};
    }
}

static void blend_case_free(BlendCase *c)
{
    for (int i = 0; i < 2; i++) {
        clip_free(&c->clip[i]);
        clip_free(&c->seen[i]);
    }
    arena_free(&c->arena);
}

TEST(clip_blended_with_itself_is_the_clip)
{
    BlendCase c = {.clip = {opened("data/walk.bvh"), opened("data/walk.bvh")}};
    BlendSpan span = {.first = 50, .count = 30};
    GroundMove move;
    Motion out, *m = &c.clip[0].motion;
    blend_case_see(&c);
    assert_int_equal(blend_find(&c.side[0], &c.side[1], &span, NULL), STATUS_OK);
    assert_int_equal(span.second, 50); /* not a stride away */
    assert_true(span.distance < 1e-12);
    assert_int_equal(blend_make(&c.side[0], &c.side[1], &span, &out, &move, NULL), STATUS_OK);
    assert_int_equal(out.frame_count, m->frame_count);
    for (int f = 0; f < out.frame_count; f++) {
        assert_vec3_near(out.root_position[f], m->root_position[f], 1e-7);
        for (int j = 0; j < out.joint_count; j++)
            assert_near(fabs(quat_dot(out.rotation[motion_index(m, f, j)], m->rotation[motion_index(m, f, j)])), 1,
                        1e-13);
    }
    motion_free(&out);
    blend_case_free(&c);
}

/* Turns and moves a clip as a whole, and starts it later. */
static void move_clip(Clip *clip, const GroundMove *move, int later)
{
    for (int f = 0; f < clip->motion.frame_count; f++)
        root_motion_move(&clip->motion, f, move);
    clip_keep_frames(clip, later, clip->motion.frame_count - later);
}

TEST(turned_clip_continues_in_phase_and_heading)
{
    BlendCase c = {.clip = {opened("data/walk.bvh"), opened("data/walk.bvh")}};
    BlendSpan span = {.first = 50, .count = 30};
    GroundMove turned = {2, {3, 0, -1}}, move;
    Motion out, *m = &c.clip[0].motion;
    move_clip(&c.clip[1], &turned, 20);
    blend_case_see(&c);
    assert_int_equal(blend_find(&c.side[0], &c.side[1], &span, NULL), STATUS_OK);
    assert_int_equal(span.second, 30);
    assert_int_equal(blend_make(&c.side[0], &c.side[1], &span, &out, &move, NULL), STATUS_OK);
    for (int f = 0; f < out.frame_count; f++)
        assert_vec3_near(out.root_position[f], m->root_position[f], 1e-5);
    motion_free(&out);
    blend_case_free(&c);
}

TEST(frames_outside_the_interval_keep_their_bits)
{
    BlendCase c = {.clip = {opened("data/walk.bvh"), opened("data/squat.bvh")}};
    BlendSpan span = {.first = 60, .count = 24};
    GroundMove move;
    Motion out, *a = &c.clip[0].motion, *b = &c.clip[1].motion;
    blend_case_see(&c);
    assert_int_equal(blend_check_skeletons(&c.clip[0].skeleton, &c.clip[1].skeleton, NULL), STATUS_OK);
    assert_int_equal(blend_find(&c.side[0], &c.side[1], &span, NULL), STATUS_OK);
    assert_int_equal(blend_make(&c.side[0], &c.side[1], &span, &out, &move, NULL), STATUS_OK);
    size_t bytes = (size_t)(out.joint_count - 1) * sizeof(Quat);
    for (int f = 0; f <= 60; f++) {
        assert_memory_equal(&out.root_position[f], &a->root_position[f], sizeof(Vec3));
        assert_memory_equal(&out.rotation[motion_index(&out, f, 0)], &a->rotation[motion_index(a, f, 0)],
                            bytes + sizeof(Quat));
    }
    for (int f = 84; f < out.frame_count; f++) {
        int source = f - 60 + span.second;
        for (int j = 1; j < out.joint_count; j++) {
            Quat q = b->rotation[motion_index(b, source, j)];
            q = quat_nearest(q, out.rotation[motion_index(&out, f, j)]);
            assert_memory_equal(&out.rotation[motion_index(&out, f, j)], &q, sizeof q);
        }
        assert_vec3_near(out.root_position[f], ground_move_point(&move, b->root_position[source]), 1e-12);
    }
    motion_free(&out);
    blend_case_free(&c);
}

TEST(skeletons_that_differ_are_refused)
{
    Clip a = opened("data/walk.bvh"), b = opened("data/walk.bvh");
    Error err;
    int knee = skeleton_find_role(&b.skeleton, ROLE_LEFT_KNEE);
    b.skeleton.offset[knee].y -= 0.02;
    assert_int_equal(blend_check_skeletons(&a.skeleton, &b.skeleton, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, b.skeleton.name[knee]));
    assert_non_null(strstr(err.text, "kane retarget"));
    b.skeleton.offset[knee] = a.skeleton.offset[knee];
    assert_int_equal(skeleton_set_name(&b.skeleton, 3, "Tail", NULL), STATUS_OK);
    assert_int_equal(blend_check_skeletons(&a.skeleton, &b.skeleton, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "Tail"));
    clip_free(&a);
    clip_free(&b);
}

