/* formats/report/torque_parts: parts of the torque sum to its magnitude; each is the projection of its terms. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "formats/report/torque_parts.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 9, FRAMES = 4 };

/* A random body with two contact points and its own torques. */
static void make_clip(Clip *c, double spring)
{
    Random r = {77};
    Loads loads;
    ClipView view;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_true(random_clip_init(c, JOINTS, FRAMES, 21));
    assert_int_equal(contact_init(&c->contact, FRAMES, 2, 0, NULL), STATUS_OK);
    c->has_contact = c->has_dynamics = 1;
    c->contact.point_joint[0] = 4;
    c->contact.point_joint[1] = JOINTS - 1;
    for (int i = 0; i < 2 * FRAMES; i++)
        c->contact.force[i] = random_vec3(&r, 300);
    assert_int_equal(loads_from_contact(&c->contact, &c->kinematics, &loads, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * loads.load_count; i++)
        loads.moment[i] = vec3_add(loads.moment[i], vec3(spring, 0, 0)); /* from a table that the clip lacks */
    view = clip_view(c);
    assert_int_equal(inverse_dynamics(&view, &loads, &def, &c->dynamics, NULL), STATUS_OK);
    loads_free(&loads);
}

TEST(parts_sum_to_the_torque)
{
    for (int with_table = 0; with_table < 2; with_table++) {
        Clip c;
        double *part, rest = 0;
        make_clip(&c, with_table ? 20 : 0);
        assert_int_equal(torque_parts(&c, &part, NULL), STATUS_OK);
        for (int i = 0; i < FRAMES * JOINTS; i++) {
            const double *p = part + (size_t)i * TORQUE_PARTS;
            assert_near(p[0] + p[1] + p[2] + p[3], vec3_norm(c.dynamics.torque[i]), 1e-9);
            rest = fmax(rest, fabs(p[3]));
        }
        assert_true(with_table ? rest > 1 : rest < 1e-9);
        free(part);
        clip_free(&c);
    }
}

TEST(static_pose_without_contact_has_weight_only)
{
    Clip c;
    double *part;
    assert_true(random_clip_init(&c, JOINTS, FRAMES, 22));
    for (int i = 0; i < FRAMES * JOINTS; i++)
        c.kinematics.angular_velocity[i] = c.kinematics.angular_acceleration[i] = c.kinematics.acceleration[i] =
            vec3(0, 0, 0);
    ClipView view = clip_view(&c);
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_int_equal(inverse_dynamics(&view, NULL, &def, &c.dynamics, NULL), STATUS_OK);
    c.has_dynamics = 1;
    assert_int_equal(torque_parts(&c, &part, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * JOINTS; i++) {
        const double *p = part + (size_t)i * TORQUE_PARTS;
        assert_near(p[0], vec3_norm(c.dynamics.torque[i]), 1e-10);
        assert_near(fabs(p[1]) + fabs(p[2]) + fabs(p[3]), 0, 1e-10);
    }
    free(part);
    clip_free(&c);
}
