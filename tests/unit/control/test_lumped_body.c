/* control/lumped_body: conserves mass, preserves orientations, and merges bodies that are too light into their
 * parents. */
#include "tests/support/test.h"

#include "analysis/body/body_model.h"
#include "analysis/control/lumped_body.h"
#include "analysis/control/plant.h"
#include "tests/support/random_clip.h"
#include "tests/support/walker.h"

/* Total mass, first and second moments in the first frame, about the root joint. */
static Subtree whole(const Skeleton *skeleton, const Body *body, const Kinematics *k)
{
    Subtree chain[WALKER_JOINTS];
    ControlPlant plant = {.skeleton = skeleton, .body = body, .kinematics = *k};
    chains_find(&plant, chain);
    return chain[0];
}

TEST(light_joints_are_lumped_without_loss_of_mass)
{
    Clip c;
    LumpedBody lumped;
    Motion motion;
    Kinematics k;
    assert_true(random_clip_init(&c, 12, 1, 71));
    int light = 7;
    c.body.total_mass -= c.body.mass[light] - 1e-4;
    c.body.mass[light] = 1e-4;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(lumped_body_init(&lumped, &view, LUMP_BY_ROLES, NULL), STATUS_OK);
    assert_int_equal(lumped.skeleton.joint_count, 11);
    assert_int_equal(lumped.carrier[light], c.skeleton.parent[light]);
    assert_int_equal(lumped_body_motion(&lumped, &view, &motion, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&k, 1, 11, 0, NULL), STATUS_OK);
    for (int j = 0; j < 11; j++) {
        int p = lumped.skeleton.parent[j];
        Quat up = p < 0 ? QUAT_IDENTITY : k.orientation[p];
        k.orientation[j] = quat_mul(up, motion.rotation[j]);
        k.position[j] = p < 0 ? motion.root_position[0]
                              : vec3_add(k.position[p], quat_rotate(up, lumped.skeleton.offset[j]));
        Quat kept = c.kinematics.orientation[lumped.source[j]];
        assert_near(fabs(quat_dot(k.orientation[j], kept)), 1, 1e-12);
        assert_vec3_near(k.position[j], c.kinematics.position[lumped.source[j]], 1e-12);
    }
    Subtree before = whole(&c.skeleton, &c.body, &c.kinematics), after = whole(&lumped.skeleton, &lumped.body, &k);
    assert_near(after.mass, before.mass, 1e-12);
    assert_vec3_near(after.moment, before.moment, 1e-11);
    assert_near(after.inertia.xx, before.inertia.xx, 1e-10);
    assert_near(after.inertia.yz, before.inertia.yz, 1e-10);
    kinematics_free(&k);
    motion_free(&motion);
    lumped_body_free(&lumped);
    clip_free(&c);
}

TEST(human_has_seventeen_bodies)
{
    Skeleton skeleton;
    Body body;
    Motion motion;
    LumpedBody lumped;
    BodyDef def = body_default_def();
    walker_skeleton(&skeleton);
    walker_motion(&motion, 50, 50);
    assert_int_equal(body_from_skeleton(&skeleton, &def, &body, NULL), STATUS_OK);
    ClipView view = {&skeleton, &body, &motion, NULL};
    assert_int_equal(lumped_body_init(&lumped, &view, LUMP_BY_ROLES, NULL), STATUS_OK);
    assert_int_equal(lumped.skeleton.joint_count, 17);
    assert_int_equal(skeleton.role[lumped.carrier[4]], ROLE_LEFT_ANKLE); /* toes are merged with the foot */
    assert_int_equal(lumped.body_of[19], lumped.body_of[12]);            /* the nub with the head */
    assert_near(lumped.body.total_mass, body.total_mass, 1e-9);
    lumped_body_free(&lumped);
    motion_free(&motion);
    body_free(&body);
    skeleton_free(&skeleton);
}

TEST(body_without_mass_is_refused)
{
    Clip c;
    LumpedBody lumped;
    assert_true(random_clip_init(&c, 5, 1, 72));
    for (int j = 0; j < 5; j++)
        c.body.mass[j] = 0;
    c.body.total_mass = 0;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(lumped_body_init(&lumped, &view, LUMP_BY_ROLES, NULL), STATUS_BAD_INPUT);
    assert_null(lumped.carrier);
    clip_free(&c);
}
