/* A clip's body in a Scene (control/body_scene.h): poses, root drive and support forces, limits, compliant joints, the
 * ball. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/control/body_scene.h"

enum { BODIES = 3 };

static const Quat turned[BODIES] = {{0.8, 0.6, 0, 0}, {0.8, 0, 0.6, 0}, {0.6, 0, 0, 0.8}};
static const Quat straight[BODIES] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
static const Vec3 spin[BODIES] = {{1, 2, 0}, {0, -1, 1}, {2, 0, 3}};
static const Vec3 still[BODIES];
static const double total = 3 + 2 + 1; /* kg */

typedef struct Body3 {
    Skeleton skeleton;
    Body body;
    BodySceneDef def;
    BodyScene *scene;
    Motion motion;  /* one frame, as the state */
    Kinematics state;
} Body3;

/* A chain of three bodies, each 0.3 m above its parent, with the centre of mass halfway. */
static void body_init3(Body3 *b)
{
    *b = (Body3){.def = body_scene_default_def()};
    assert_int_equal(skeleton_init(&b->skeleton, BODIES, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&b->body, BODIES, NULL), STATUS_OK);
    for (int j = 0; j < BODIES; j++) {
        b->skeleton.parent[j] = j - 1;
        b->skeleton.offset[j] = vec3(0, 0.3 * (j > 0), 0);
        b->body.mass[j] = 3 - j;
        b->body.com[j] = vec3(0, 0.15, 0);
        b->body.inertia[j] = (Sym3){0.03, 0.02, 0.04, 0.002, 0, 0.001};
    }
    assert_int_equal(motion_init(&b->motion, 1, BODIES, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&b->state, 1, BODIES, 0, NULL), STATUS_OK);
    b->def.step = 0.001;
    b->def.kicks_once = 1;
}

static void begin(Body3 *b, const BodyStart *start)
{
    Error err = {0};
    Status status = body_scene_create(&b->skeleton, &b->body, &b->def, start, &b->scene, &err);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    body_scene_read(b->scene, 0, &b->motion, &b->state);
}

static void run(Body3 *b, double duration)
{
    for (long i = lround(duration / b->def.step); i > 0; i--)
        assert_int_equal(body_scene_step(b->scene, NULL), STATUS_OK);
    body_scene_read(b->scene, 0, &b->motion, &b->state);
}

static void body_free3(Body3 *b)
{
    body_scene_destroy(b->scene);
    skeleton_free(&b->skeleton);
    body_free(&b->body);
    motion_free(&b->motion);
    kinematics_free(&b->state);
}

/* Kinematic, free, on hinges, and with a compliant joint: the state that is set is read back, and continues from
 * there. */
TEST(start_state_is_read_back)
{
    static const Vec3 axis[BODIES] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 2}};
    static const SoftJoint soft = {2, 1e5, 100};
    BodyStart start = {{0.1, 0.2, 0.3}, {0.5, -1, 2}, turned, spin};
    for (int way = 0; way < 4; way++) {
        Body3 b;
        body_init3(&b);
        b.def.root_is_free = way == 1;
        b.def.axis = way == 2 ? axis : NULL;
        b.def.soft = &soft;
        b.def.soft_count = way == 3;
        begin(&b, &start);
        Vec3 first = vec3_add(start.root_position, quat_rotate(turned[0], vec3(0, 0.3, 0)));
        assert_vec3_near(b.state.position[1], first, 1e-14);
        assert_vec3_near(b.state.velocity[0], start.root_velocity, 1e-14);
        for (int j = 0; j < BODIES; j++) {
            assert_near(fabs(quat_dot(b.motion.rotation[j], turned[j])), 1, 1e-14);
            if (way != 2)
                assert_vec3_near(b.state.angular_velocity[j], spin[j], 1e-13);
        }
        body_free3(&b);
    }
}

/* At rest the root drive supports the weight; an accelerated path requires M a more. An external torque keeps the body
 * upright. */
TEST(root_drive_force_is_weight_plus_inertia)
{
    Body3 b;
    body_init3(&b);
    BodyStart start = {{0, 1, 0}, {0, 0, 0}, straight, still};
    begin(&b, &start);
    run(&b, 0.01);
    assert_vec3_near(body_scene_root_force(b.scene), vec3(0, total * GRAVITY, 0), 1e-6);
    for (int i = 1; i <= 20; i++) {
        body_scene_drive(b.scene, &(RootTarget){.position = {0, 1 + 0.5 * 2 * i * i * 1e-6, 0}});
        assert_int_equal(body_scene_step(b.scene, NULL), STATUS_OK);
    }
    assert_vec3_near(body_scene_root_force(b.scene), vec3(0, total * (GRAVITY + 2), 0), 1e-6);
    body_scene_read(b.scene, 0, &b.motion, &b.state);
    assert_vec3_near(b.state.position[0], vec3(0, 1 + 4e-4, 0), 1e-9);
    assert_near(b.state.velocity[0].y, 2 * 0.0195, 1e-9);
    body_free3(&b);
}

TEST(compliant_joint_deflects_by_its_load)
{
    static const SoftJoint soft = {1, 2e4, 400};
    Body3 b;
    body_init3(&b);
    b.def.soft = &soft;
    b.def.soft_count = 1;
    BodyStart start = {{0, 1, 0}, {0, 0, 0}, straight, still};
    begin(&b, &start);
    run(&b, 1);
    assert_near(b.state.position[1].y, 1.3 - 3 * GRAVITY / 2e4, 1e-6);
    body_free3(&b);
}

/* Falls over until a limit of its roll angle. */
TEST(angle_limit_stops_a_link)
{
    static const int joint = 2;
    static const AngleLimits limits = {{-0.3, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY},
                                       {1, 0, 0, 0}, {1, 0, 0, 0}};
    Body3 b;
    body_init3(&b);
    b.def.root_is_fixed = 1;
    b.def.limit_joint = &joint;
    b.def.limits = &limits;
    b.def.limit_count = 1;
    BodyStart start = {{0, 1, 0}, {0, 0, 0}, straight, still};
    begin(&b, &start);
    double min = 0;
    for (int i = 0; i < 400; i++) {
        body_scene_apply_torque(b.scene, 2, vec3(0, 0, -2));
        assert_int_equal(body_scene_step(b.scene, NULL), STATUS_OK);
        body_scene_read(b.scene, 0, &b.motion, &b.state);
        min = fmin(min, 2 * quat_log(b.motion.rotation[2]).z);
    }
    assert_near(min, -0.3, 0.02);
    body_free3(&b);
}

TEST(ball_falls_after_its_release_time)
{
    Body3 b;
    body_init3(&b);
    b.def.ball_mass = 2;
    b.def.ball_radius = 0.05;
    b.def.ground = 0;
    BodyStart start = {{0, 1, 0}, {0, 0, 0}, straight, still};
    begin(&b, &start);
    run(&b, 0.1);
    assert_vec3_near(body_scene_ball(b.scene), vec3(0, 0, 0), 0); /* inside the ground: no contact yet */
    body_scene_release_ball(b.scene, vec3(1, 2, 0), vec3(0, 0, 0));
    run(&b, 0.2);
    assert_near(body_scene_ball(b.scene).y, 2 - 0.5 * GRAVITY * 0.04, 2e-3);
    run(&b, 3);
    assert_near(body_scene_ball(b.scene).y, 0.05, 1e-3);
    body_free3(&b);
}

TEST(four_points_support_a_free_body)
{
    static const Vec3 point[4] = {{0.1, 0, 0.1}, {-0.1, 0, 0.1}, {0.1, 0, -0.1}, {-0.1, 0, -0.1}};
    static const int joint[4];
    Body3 b;
    body_init3(&b);
    b.def.root_is_free = 1;
    b.def.ground = 0;
    b.def.point = point;
    b.def.point_joint = joint;
    b.def.point_count = 4;
    BodyStart start = {{0, 0.02, 0}, {0, 0, 0}, straight, still};
    begin(&b, &start);
    for (int i = 0; i < 1000; i++) {
        for (int j = 1; j < BODIES; j++) {
            Vec3 bend = vec3_scale(quat_log(b.motion.rotation[j]), -400);
            Vec3 rate = vec3_sub(b.state.angular_velocity[j - 1], b.state.angular_velocity[j]);
            body_scene_apply_torque(b.scene, j, vec3_mad(bend, 5, rate));
        }
        run(&b, b.def.step);
    }
    assert_near(b.state.position[0].y, 0, 1e-3);
    assert_near(b.state.position[2].y, 0.6, 5e-3);
    body_free3(&b);
}
