/* analysis/transition/loop: a cyclic clip loops exactly, frames away from the seam keep their bits, and the seam of a
 * spoiled one jumps no more than its neighbours. */
#include "tests/support/edited_clip.h"
#include "tests/support/test.h"

#include "analysis/transition/loop.h"
#include "analysis/transition/seam_jump.h"
#include "pipeline/stages/clip_feet.h"

enum { PERIOD = 66 }; /* frames of a stride of data/walk.bvh */

typedef struct LoopCase {
    Clip clip, seen;
    Arena arena;
    StandingFeet feet;
    PoseFeatures features;
    LoopDef def;
} LoopCase;

static void see(LoopCase *c)
{
    ClipView view = clip_view(&c->clip);
    assert_int_equal(clip_feet(&c->clip, &c->seen, &c->feet, &c->arena, NULL), STATUS_OK);
    assert_true(c->feet.is_known);
    assert_int_equal(pose_features_init(&c->features, &view, NULL, &c->feet.contact, &c->arena, NULL), STATUS_OK);
}

static LoopCase loop_case(void)
{
    return (LoopCase){.clip = opened("data/walk.bvh"), .def = loop_default_def()};
}

static void loop_case_free(LoopCase *c)
{
    clip_free(&c->clip);
    clip_free(&c->seen);
    arena_free(&c->arena);
}

static LoopSpan find(const LoopCase *c)
{
    LoopSpan span;
    assert_int_equal(loop_find(&c->features, c->clip.motion.frame_time, NULL, &c->def, &span, NULL), STATUS_OK);
    return span;
}

static Motion make(const LoopCase *c, LoopSpan span, LoopResult *result)
{
    Motion out;
    LoopSource source = {clip_view(&c->clip), &c->feet};
    assert_int_equal(loop_make(&source, span, &c->def, &out, result, NULL), STATUS_OK);
    return out;
}

TEST(cyclic_clip_loops_exactly)
{
    LoopCase c = loop_case();
    LoopResult result;
    see(&c);
    LoopSpan span = find(&c);
    assert_int_equal(span.last - span.first, PERIOD);
    assert_true(span.distance < 1e-9);
    Motion out = make(&c, span, &result);
    assert_int_equal(out.frame_count, PERIOD);
    for (int f = 0; f < PERIOD; f++) {
        assert_vec3_near(out.root_position[f], c.clip.motion.root_position[span.first + f], 1e-6);
        for (int j = 0; j < out.joint_count; j++)
            assert_near(fabs(quat_dot(out.rotation[motion_index(&out, f, j)],
                                      c.clip.motion.rotation[motion_index(&out, span.first + f, j)])), 1, 1e-12);
    }
    Vec3 next = ground_move_point(&result.step, out.root_position[0]);
    assert_vec3_near(next, c.clip.motion.root_position[span.last], 1e-9);
    motion_free(&out);
    loop_case_free(&c);
}

/* Turns a joint more and more towards the end, so that the ends of a stride differ. */
static void spoil(LoopCase *c)
{
    Motion *m = &c->clip.motion;
    int knee = skeleton_find_role(&c->clip.skeleton, ROLE_LEFT_KNEE);
    int arm = skeleton_find_role(&c->clip.skeleton, ROLE_RIGHT_SHOULDER);
    for (int f = 0; f < m->frame_count; f++) {
        double part = (double)f / m->frame_count;
        Quat *q = m->rotation + motion_index(m, f, 0);
        q[knee] = quat_mul(q[knee], quat_from_axis_angle(vec3(1, 0, 0), 0.4 * part));
        q[arm] = quat_mul(q[arm], quat_from_axis_angle(vec3(0, 1, 0), 0.8 * part));
        m->root_position[f].y += 0.03 * part;
    }
}

TEST(seam_jumps_less_than_neighbours_and_the_rest_is_unchanged)
{
    LoopCase c = loop_case();
    LoopResult result;
    SeamJump usual, closed, open;
    spoil(&c);
    see(&c);
    ClipView view = clip_view(&c.clip);
    LoopSpan span = {60, 60 + PERIOD, 0};
    assert_int_equal(seam_jump_usual(&view, &usual, NULL), STATUS_OK);
    Motion out = make(&c, span, &result), raw = motion_view(&c.clip.motion, span.first, PERIOD);
    ClipView made = {.skeleton = view.skeleton, .motion = &out}, unmade = {.skeleton = view.skeleton, .motion = &raw};
    assert_int_equal(seam_jump_loop(&made, &result.step, &closed, NULL), STATUS_OK);
    assert_int_equal(seam_jump_loop(&unmade, &result.step, &open, NULL), STATUS_OK);
    assert_true(open.velocity > 2 * usual.velocity);
    assert_true(closed.velocity < usual.velocity);
    assert_true(closed.pose < usual.pose);
    int half = (int)rint(0.5 * result.over / c.clip.motion.frame_time);
    assert_int_equal(half, 15);
    for (int f = half; f <= PERIOD - half; f++) {
        assert_memory_equal(&out.root_position[f], &raw.root_position[f], sizeof(Vec3));
        assert_memory_equal(&out.rotation[motion_index(&out, f, 0)], &raw.rotation[motion_index(&raw, f, 0)],
                            (size_t)out.joint_count * sizeof(Quat));
    }
    motion_free(&out);
    loop_case_free(&c);
}

TEST(in_place_loop_ends_at_its_start)
{
    LoopCase c = loop_case();
    LoopResult result;
    see(&c);
    c.def.root = ROOT_MOTION_IN_PLACE;
    LoopSpan span = find(&c);
    Motion out = make(&c, span, &result);
    assert_near(vec3_norm(result.step.shift), 1.32, 1e-3);
    Vec3 first = out.root_position[0], last = out.root_position[PERIOD - 1];
    assert_true(hypot(last.x - first.x, last.z - first.z) < 0.01);
    motion_free(&out);
    loop_case_free(&c);
}

TEST(rising_pose_has_no_loop)
{
    LoopCase c = loop_case();
    LoopSpan span;
    Motion *m = &c.clip.motion;
    see(&c);
    PoseFeatures still = c.features;
    for (int f = 1; f < m->frame_count; f++) { /* rises all the time: no pose returns */
        size_t row = (size_t)f * (size_t)still.point_count;
        for (int i = 0; i < still.point_count; i++) {
            still.place[row + (size_t)i] = vec3(0, 0.01 * f, 0);
            still.velocity[row + (size_t)i] = vec3(0, 0, 0);
        }
    }
    memset(still.place, 0, (size_t)still.point_count * sizeof *still.place);
    still.contact = NULL;
    Error err;
    assert_int_equal(loop_find(&still, m->frame_time, NULL, &c.def, &span, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no pose returns"));
    still.frame_count = 10;
    assert_int_equal(loop_find(&still, m->frame_time, NULL, &c.def, &span, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "too few"));
    loop_case_free(&c);
}

