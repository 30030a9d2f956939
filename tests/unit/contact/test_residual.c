/* analysis/contact/residual: the residual is reduced by accelerations within their bounds, and segments stay rigid. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/body/body_model.h"
#include "analysis/clip/clip.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/residual.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/walker.h"

enum { FRAMES = 90 };

static void walking_clip(Clip *c)
{
    BodyDef body = body_default_def();
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef contact = contact_estimate_default_def();
    *c = (Clip){.has_body = 1, .has_kinematics = 1, .has_contact = 1};
    walker_skeleton(&c->skeleton);
    walker_motion(&c->motion, FRAMES, 60);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(contact_estimate(&view, &contact, &c->contact, NULL),
                     STATUS_OK);
}

/* RMS of residual force and moment at the floating base. */
static void residual(const Clip *c, double *force, double *moment)
{
    Loads loads;
    Dynamics d = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_int_equal(loads_from_contact(&c->contact, &c->kinematics, &loads, NULL), STATUS_OK);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(inverse_dynamics(&view, &loads, &def, &d, NULL), STATUS_OK);
    *force = *moment = 0;
    for (int f = 0; f < FRAMES; f++) {
        *force += vec3_dot(d.residual_force[f], d.residual_force[f]) / FRAMES;
        *moment += vec3_dot(d.residual_torque[f], d.residual_torque[f]) / FRAMES;
    }
    *force = sqrt(*force);
    *moment = sqrt(*moment);
    loads_free(&loads);
    dynamics_free(&d);
}

TEST(residual_decreases_within_the_bounds)
{
    Clip c;
    ResidualReductionDef def = residual_reduction_default_def();
    double force, moment, less_force, less_moment;
    walking_clip(&c);
    Vec3 *before = malloc(FRAMES * WALKER_JOINTS * sizeof *before);
    for (int i = 0; i < FRAMES * WALKER_JOINTS; i++)
        before[i] = c.kinematics.acceleration[i];
    residual(&c, &force, &moment);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(residual_reduce(&view, &def, &c.contact, &c.kinematics, NULL), STATUS_OK);
    residual(&c, &less_force, &less_moment);
    assert_true(less_force < 0.8 * force);
    assert_true(less_moment < moment);
    assert_true(c.contact.linear_reduction > 0 && c.contact.linear_reduction <= def.max_linear);
    assert_true(c.contact.angular_reduction > 0 && c.contact.angular_reduction <= def.max_angular);
    for (int f = 0; f < FRAMES; f++)
        assert_true(vec3_distance(c.kinematics.acceleration[f * WALKER_JOINTS], before[f * WALKER_JOINTS]) <=
                    def.max_linear + 1e-12);
    free(before);
    clip_free(&c);
}

/* a_child = a_parent + alpha x r + omega x (omega x r) for each joint. */
TEST(segments_stay_rigid)
{
    Clip c;
    ResidualReductionDef def = residual_reduction_default_def();
    walking_clip(&c);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(residual_reduce(&view, &def, &c.contact, &c.kinematics, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 1; j < WALKER_JOINTS; j++) {
            size_t i = (size_t)(f * WALKER_JOINTS + j), p = (size_t)(f * WALKER_JOINTS + c.skeleton.parent[j]);
            const Kinematics *k = &c.kinematics;
            Vec3 r = vec3_sub(k->position[i], k->position[p]), w = k->angular_velocity[p];
            Vec3 a = vec3_add(k->acceleration[p], vec3_add(vec3_cross(k->angular_acceleration[p], r),
                                                           vec3_cross(w, vec3_cross(w, r))));
            assert_vec3_near(k->acceleration[i], a, 1e-9);
        }
    clip_free(&c);
}

TEST(zero_bounds_leave_accelerations_unchanged)
{
    Clip c;
    ResidualReductionDef def = residual_reduction_default_def();
    def.max_linear = def.max_angular = 0;
    walking_clip(&c);
    Vec3 before = c.kinematics.acceleration[20 * WALKER_JOINTS + 9];
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(residual_reduce(&view, &def, &c.contact, &c.kinematics, NULL), STATUS_OK);
    assert_vec3_near(c.kinematics.acceleration[20 * WALKER_JOINTS + 9], before, 0);
    assert_near(c.contact.linear_reduction, 0, 0);
    clip_free(&c);
}
