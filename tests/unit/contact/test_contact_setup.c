/* analysis/contact/contact_setup: toes stay on the ground ahead of the ball while the heel rises. */
#include "tests/support/test.h"

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/contact_setup.h"
#include "analysis/contact/ground.h"
#include "tests/support/puppet.h"

enum { FRAMES = 120 };

/* Stands and lifts the left heel by up to 1 rad. */
static PuppetPose heel_path(double t, const void *context)
{
    (void)context;
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.08, 0},
                        .sole = {{0.1, 0.06 * puppet_ease(t), 0}, {-0.1, 0, 0}},
                        .pitch = {puppet_ease(t), 0}};
}

TEST(toe_reach_does_not_depend_on_heel_height)
{
    Clip c;
    ContactProblem p;
    GroundDef ground = ground_default_def();
    int toe = FOOT_POINTS - 1;
    (void)state;
    puppet_clip(&c, FRAMES, 100, heel_path, NULL);
    puppet_differentiate(&c);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(contact_setup(&view, &contact_constants, &ground, LANES_AUTO, &p, NULL), STATUS_OK);
    double length = vec3_norm(p.points.point[toe].position) / p.points.leg_length;
    for (int f = 0; f < FRAMES; f++) {
        const Vec3 *x = p.lever + (size_t)f * (size_t)p.points.count;
        Vec3 ball = vec3_scale(vec3_add(x[toe - 2], x[toe - 1]), 0.5);
        assert_near(x[toe].x - ball.x, length, 1e-9); /* contact axes: x is forward */
        assert_near(x[toe].z - ball.z, 0, 1e-9);
        assert_near(x[toe].y, ball.y, 1e-9);
    }
    contact_problem_free(&p);
    clip_free(&c);
}
