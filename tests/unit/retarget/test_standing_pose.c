/* The standing pose that a retargeted clip keeps: a later retargeting compares the same pose and finds the same soles,
 * though the motion never stands. */
#include "tests/support/test.h"
#include "tests/support/retarget_walk.h"

#include <string.h>

#include "analysis/motion/mirror.h"

/* A walk on the balls of the feet with bent knees. */
static void crouch_init(Walk *w)
{
    static const struct {
        int joint;
        double pitch; /* rad */
    } bent[] = {{1, -0.5}, {5, -0.5}, {2, 1}, {6, 1}, {3, 0.1}, {7, 0.1}, {4, -0.5}, {8, -0.5}};
    walk_init(w);
    for (int f = 0; f < FRAMES; f++)
        for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
            Quat *q = &w->motion.rotation[motion_index(&w->motion, f, bent[i].joint)];
            *q = quat_mul(*q, quat_from_axis_angle(vec3(1, 0, 0), bent[i].pitch));
        }
    walk_update(w);
}

/* The axes of each joint rotated, so that the rest pose is none that stands; the walk on that body. */
static void restless_walk(Walk *out)
{
    Quat c[WALKER_JOINTS];
    walk_init(out);
    for (int j = 0; j < WALKER_JOINTS; j++)
        c[j] = quat_from_axis_angle(vec3_normalize(vec3(j % 3 - 1, j % 4 - 1.5, j % 5 - 2)), 0.3 * (j % 7));
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Quat *q = &out->motion.rotation[motion_index(&out->motion, f, j)];
            *q = quat_mul(*q, c[j]);
            if (j > 0)
                *q = quat_mul(quat_conjugate(c[walker_joints[j].parent]), *q);
        }
    for (int j = WALKER_JOINTS - 1; j > 0; j--)
        out->skeleton.offset[j] = quat_rotate_inverse(c[walker_joints[j].parent], out->skeleton.offset[j]);
    for (int e = 0; e < WALKER_ENDS; e++)
        out->skeleton.end_offset[e] = quat_rotate_inverse(c[walker_end_parent[e]], out->skeleton.end_offset[e]);
    walk_update(out);
}

/* Mean angle of thighs and shanks between two motions, degrees; a: computed for the kinematics. */
static double leg_angle(const Walk *a, const Walk *b)
{
    double sum = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 2; j <= 7; j += j == 3 ? 3 : 1) {
            size_t i = (size_t)f * WALKER_JOINTS + (size_t)j, p = i - 1;
            Vec3 x = vec3_sub(a->kinematics.position[i], a->kinematics.position[p]);
            Vec3 y = vec3_sub(b->kinematics.position[i], b->kinematics.position[p]);
            sum += elementary_atan2(vec3_norm(vec3_cross(x, y)), vec3_dot(x, y)) * 180 / PI;
        }
    return sum / (4 * FRAMES);
}

/* Takes a crouch to a body and back; returns how far the legs are from where they were, degrees. */
static double there_and_back(const Walk *crouch, const Walk *body, int keep_pose)
{
    Walk there = {0}, back = {0};
    RetargetScore score;
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&body->skeleton, crouch);
    job.target.motion = &body->motion;
    assert_int_equal(retarget_motion(&job, &def, &there.motion, &score, NULL), STATUS_OK);
    assert_true(score.target_rest_frame >= 0);
    assert_int_equal(skeleton_copy(&there.skeleton, &body->skeleton, NULL), STATUS_OK);
    if (keep_pose)
        assert_int_equal(retarget_keep_pose(&job, &def, &there.skeleton, NULL), STATUS_OK);
    assert_int_equal(there.skeleton.standing != NULL, keep_pose);
    walk_update(&there);
    assert_int_equal(skeleton_copy(&back.skeleton, &crouch->skeleton, NULL), STATUS_OK);
    job = walk_job(&back.skeleton, &there);
    assert_int_equal(retarget_motion(&job, &def, &back.motion, &score, NULL), STATUS_OK);
    walk_update(&back);
    double angle = leg_angle(crouch, &back);
    walk_free(&there);
    walk_free(&back);
    return angle;
}

TEST(kept_pose_returns_a_motion_that_never_stands)
{
    Walk crouch, body;
    (void)state;
    crouch_init(&crouch);
    restless_walk(&body);
    double kept = there_and_back(&crouch, &body, 1), lost = there_and_back(&crouch, &body, 0);
    if (!(kept < 1) || !(lost > 2 * kept))
        print_error("legs off by %g degrees, %g without the pose\n", kept, lost);
    assert_true(kept < 1);
    assert_true(lost > 2 * kept);
    walk_free(&crouch);
    walk_free(&body);
}

/* A rest pose that stands is compared as it is. */
TEST(standing_rest_pose_is_not_kept)
{
    Walk w, other;
    (void)state;
    walk_init(&w);
    walk_init(&other);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&other.skeleton, &w);
    assert_int_equal(retarget_keep_pose(&job, &def, &other.skeleton, NULL), STATUS_OK);
    assert_null(other.skeleton.standing);
    walk_free(&w);
    walk_free(&other);
}

TEST(mirror_image_keeps_the_mirrored_pose)
{
    Walk w, body;
    Mirror mirror;
    (void)state;
    walk_init(&w);
    restless_walk(&body);
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(&body.skeleton, &w);
    job.target.motion = &body.motion;
    assert_int_equal(retarget_keep_pose(&job, &def, &body.skeleton, NULL), STATUS_OK);
    Quat before = body.skeleton.standing[1];
    assert_int_equal(mirror_init(&mirror, &body.skeleton, &body.motion, NULL), STATUS_OK);
    Quat image = mirror_rotation(&mirror, &body.skeleton, body.skeleton.standing, 1);
    assert_int_equal(mirror_skeleton(&mirror, &body.skeleton, NULL), STATUS_OK);
    assert_near(rotation_angle(body.skeleton.standing[1], image), 0, 1e-6);
    assert_int_equal(mirror_skeleton(&mirror, &body.skeleton, NULL), STATUS_OK);
    assert_near(rotation_angle(body.skeleton.standing[1], before), 0, 1e-6);
    mirror_free(&mirror);
    walk_free(&w);
    walk_free(&body);
}
