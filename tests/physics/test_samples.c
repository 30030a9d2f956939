/* data/: the sample clips have the properties described in data/README.md. */
#include "tests/support/test.h"

#include "analysis/angles/clip_body.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/up_axis.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/tables/body_table.h"
#include "tests/support/read_bvh.h"

static void read_sample(const char *path, const char *segments, Clip *c)
{
    Bvh bvh;
    SourceDef bvh_def = source_default_def();
    ImportGuessDef evidence = import_guess_default_def();
    BodyDef body = body_default_def();
    DifferenceDef difference = difference_default_def();
    InverseDynamicsDef dynamics = inverse_dynamics_default_def();
    ImportGuess decided;
    *c = (Clip){0};
    assert_int_equal(read_bvh(path, &bvh_def, &bvh, NULL), STATUS_OK);
    assert_int_equal(bvh.findings.count, 0);
    assert_int_equal(clip_from_bvh(&bvh, &evidence, c, &decided, NULL), STATUS_OK);
    bvh_free(&bvh);
    assert_int_equal(decided.up, UP_Y);
    assert_near(decided.meters_per_unit, 0.01, 1e-12);
    assert_int_equal(decided.drop_first_frame, 0);
    ClipView posed = {.skeleton = &c->skeleton, .motion = &c->motion};
    if (segments)
        assert_int_equal(segments_read(segments, &c->skeleton, &c->body, NULL), STATUS_OK);
    else
        assert_int_equal(body_from_clip(&posed, &body, &c->body, NULL, NULL), STATUS_OK);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(inverse_dynamics(&view, NULL, &dynamics, &c->dynamics, NULL), STATUS_OK);
    c->has_body = c->has_kinematics = c->has_dynamics = 1;
}

static double largest_torque(const Clip *c, int from, int to)
{
    double largest = 0;
    for (int f = from; f < to; f++)
        for (int j = 1; j < c->skeleton.joint_count; j++)
            largest = fmax(largest, vec3_norm(c->dynamics.torque[f * c->skeleton.joint_count + j]));
    return largest;
}

/* In flight, second differences of the centre of mass are g, and no force acts: residual force and moment vanish. */
TEST(jump_has_a_free_flight)
{
    Clip c;
    read_sample("data/jump.bvh", NULL, &c);
    double dt = c.motion.frame_time, weight = c.body.total_mass * GRAVITY;
    int off = (int)(1.2165 / dt) + 2, down = (int)(1.5835 / dt) - 1;
    for (int f = off; f < down; f++) {
        const Vec3 *com = &c.kinematics.com[f];
        Vec3 a = vec3_scale(vec3_sub(vec3_add(com[-1], com[1]), vec3_scale(com[0], 2)), 1 / (dt * dt));
        assert_vec3_near(a, vec3(0, -GRAVITY, 0), 2e-3);
        assert_true(vec3_norm(c.dynamics.residual_force[f]) < 0.01 * weight);
        assert_true(vec3_norm(c.dynamics.residual_torque[f]) < 1); /* N m; the jump's torques reach 130 */
    }
    assert_near(c.dynamics.residual_force[5].y, weight, 1e-3 * weight); /* it begins at rest */
    clip_free(&c);
}

/* Fine Runge-Kutta integration against inverse dynamics with finite differences: torques agree to a thousandth of m g
 * L. */
TEST(free_pendulum_has_no_torque)
{
    Clip c;
    read_sample("data/pendulum.bvh", "data/pendulum_segments.tsv", &c);
    assert_near(c.body.total_mass, 3.08, 1e-12);
    assert_true(largest_torque(&c, 1, c.motion.frame_count - 1) < 2e-3 * 3.08 * GRAVITY * 0.6);
    assert_vec3_near(c.motion.root_position[600], c.motion.root_position[0], 0);
    clip_free(&c);
}

/* World position of a point given in axes of the joint with a role. */
static Vec3 sole_point(const Clip *c, int frame, Role role, Vec3 local)
{
    size_t at = (size_t)frame * (size_t)c->skeleton.joint_count + (size_t)skeleton_find_role(&c->skeleton, role);
    return vec3_add(c->kinematics.position[at], quat_rotate(c->kinematics.orientation[at], local));
}

TEST(planted_feet_neither_slide_nor_sink)
{
    static const char *const paths[] = {"data/walk.bvh", "data/squat.bvh", "data/jump.bvh"};
    const Vec3 heel = {0, -0.08, -0.06}, ball = {0, -0.02, 0}, tip = {0, -0.02, 0.06};
    for (int i = 0; i < 3; i++) {
        Clip c;
        int standing = 0;
        read_sample(paths[i], NULL, &c);
        assert_near(c.body.stature, 1.75, 0.01);
        for (int f = 0; f < c.motion.frame_count; f++)
            for (Role ankle = ROLE_LEFT_ANKLE; ankle <= ROLE_RIGHT_ANKLE; ankle += ROLE_RIGHT_ANKLE - ROLE_LEFT_ANKLE) {
                Role toe = (Role)(ankle + 1);
                Vec3 b = sole_point(&c, f, toe, ball);
                double low = fmin(fmin(sole_point(&c, f, ankle, heel).y, b.y), sole_point(&c, f, toe, tip).y);
                assert_true(low > -1e-6);
                if (f > 0 && b.y < 1e-7 && sole_point(&c, f - 1, toe, ball).y < 1e-7) {
                    assert_vec3_near(b, sole_point(&c, f - 1, toe, ball), 1e-6);
                    standing++;
                }
            }
        assert_true(standing > c.motion.frame_count / 2);
        clip_free(&c);
    }
}
