/* analysis/retarget/limb_twist: limbs of a pose from a frame are rotated about their bones as knees and elbows show,
 * not as in that frame. */
#include "tests/support/test.h"

#include "analysis/retarget/even_pose.h"
#include "tests/support/retarget_walk.h"
#include "tests/support/walker.h"

enum { THIGH = 1, SHANK = 2, ARM = 13, HAND = 15 };

static Quat about(Vec3 axis, double angle) { return quat_from_axis_angle(axis, angle); }

/* The evened pose of frame 0. */
static void even_frame(ReferencePose *r, const Walk *w, Arena *arena)
{
    ClipView clip = {.skeleton = &w->skeleton, .motion = &w->motion};
    assert_int_equal(reference_pose_init(r, &clip, 0, arena, NULL), STATUS_OK);
    assert_int_equal(even_pose(r, &w->motion, NULL), STATUS_OK);
}

static Vec3 front_of(const ReferencePose *r, int joint)
{
    return quat_rotate_inverse(r->body, quat_rotate(r->orientation[joint], vec3(0, 0, 1)));
}

/* Frame 0 turns a thigh by 0.5 and a hand by 0.8 rad about their bones; all others do not. */
TEST(twist_of_one_frame_is_left_out)
{
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    w.motion.rotation[THIGH] = quat_mul(w.motion.rotation[THIGH], about(vec3(0, 1, 0), 0.5));
    w.motion.rotation[HAND] = about(vec3(1, 0, 0), 0.8);
    even_frame(&r, &w, &arena);
    assert_vec3_near(front_of(&r, THIGH), vec3(0, 0, 1), 1e-9);
    assert_vec3_near(front_of(&r, SHANK), vec3(0, 0, 1), 1e-9);
    assert_near(fabs(r.local[HAND].w), 1, 1e-9);
    arena_free(&arena);
    walk_free(&w);
}

/* Frame 0 is at toe-off with the foot turned out by 0.6 rad, and no foot is ever flat: its front is the body's all the
 * same, its toe joint as far below the ankle as on adults. */
TEST(foot_of_a_frame_points_forward)
{
    enum { ANKLE = 3, TOE = 4 };
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    for (int f = 0; f < w.motion.frame_count; f++)
        for (int side = 0; side < 2; side++) {
            Quat *q = w.motion.rotation + motion_index(&w.motion, f, ANKLE + 4 * side);
            *q = quat_mul(*q, about(vec3(1, 0, 0), 1.0 + 0.5 * elementary_sin(1.1 * f)));
            if (f == 0)
                *q = quat_mul(about(vec3(0, 1, 0), side ? -0.6 : 0.6), *q);
        }
    even_frame(&r, &w, &arena);
    Vec3 reach = vec3_normalize(quat_rotate_inverse(r.body, vec3_sub(r.position[TOE], r.position[ANKLE])));
    assert_true(fabs(reach.x) < 0.05);
    assert_true(reach.z > 0.85 && reach.y < -0.1 && reach.y > -0.5);
    arena_free(&arena);
    walk_free(&w);
}

/* The thigh's axes are turned by 90 degrees about the bone: its knee bends about -z, and that axis points left. */
TEST(knees_bend_backward_whatever_the_axes)
{
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    Quat turn = about(vec3(0, 1, 0), PI / 2);
    (void)state;
    walk_init(&w);
    for (int f = 0; f < w.motion.frame_count; f++) {
        Quat *q = w.motion.rotation + motion_index(&w.motion, f, THIGH);
        q[0] = quat_mul(q[0], turn);
        q[1] = quat_mul(quat_mul(quat_conjugate(turn), q[1]), turn);
        q[2] = quat_mul(quat_conjugate(turn), q[2]);
    }
    even_frame(&r, &w, &arena);
    Vec3 left = quat_rotate(r.orientation[THIGH], vec3(0, 0, 1));
    assert_vec3_near(quat_rotate_inverse(r.body, left), vec3(1, 0, 0), 1e-9);
    arena_free(&arena);
    walk_free(&w);
}

/* Frame 0 nods by 0.6 and leans by 0.2 rad; the neck, the spine and the pelvis are straight at zero rotation. */
TEST(nod_and_lean_of_one_frame_are_left_out)
{
    enum { HIPS, SPINE = 9, HEAD = 12 };
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    w.motion.rotation[HIPS] = about(vec3(1, 0, 0), 0.2);
    w.motion.rotation[SPINE] = about(vec3(1, 0, 0), 0.1);
    w.motion.rotation[HEAD] = about(vec3(1, 0, 0), 0.6);
    even_frame(&r, &w, &arena);
    assert_vec3_near(front_of(&r, HIPS), vec3(0, 0, 1), 1e-9);
    assert_vec3_near(front_of(&r, SPINE), vec3(0, 0, 1), 1e-9);
    assert_vec3_near(front_of(&r, HEAD), vec3(0, 0, 1), 1e-9);
    arena_free(&arena);
    walk_free(&w);
}

/* An arm that hardly bends: frame 0 turns it by 0.4 rad about its bone; the axis that faces front does so. */
TEST(limb_that_hardly_bends_has_its_nearest_axis)
{
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    w.motion.rotation[ARM] = quat_mul(w.motion.rotation[ARM], about(vec3(1, 0, 0), 0.4));
    even_frame(&r, &w, &arena);
    assert_vec3_near(front_of(&r, ARM), vec3(0, 0, 1), 1e-9);
    arena_free(&arena);
    walk_free(&w);
}
