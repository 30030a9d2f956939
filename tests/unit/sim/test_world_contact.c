/* sim/world_contact and sim/world_solve: balls that bounce, feet that carry, stick and slide, with every friction. */
#include "tests/support/assert_near.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/sim/world.h"
#include "tests/support/random_clip.h"

#define DT 0.01

static Clip brick;

/* One body: a brick of 2 kg, 0.4 x 0.2 x 0.4 m, its joint centre in the middle. */
static int make_brick(void **state)
{
    (void)state;
    if (!random_clip_init(&brick, 1, 1, 1))
        return -1;
    brick.skeleton.offset[0] = vec3(0, 0.1, 0);
    brick.body.mass[0] = 2;
    brick.body.com[0] = vec3(0, 0, 0);
    brick.body.inertia[0] = (Sym3){2 * 0.2 / 12, 2 * 0.32 / 12, 2 * 0.2 / 12, 0, 0, 0};
    return 0;
}

static int drop_brick(void **state)
{
    (void)state;
    clip_free(&brick);
    return 0;
}

static World *world_on(Vec3 normal, FrictionModel model, double friction)
{
    World *w = NULL;
    WorldDef def = world_default_def();
    def.friction_model = model;
    def.friction = friction;
    def.ground_height = 0;
    def.ground_normal = normal;
    assert_int_equal(world_create(&brick.skeleton, &brick.body, &def, &w, NULL), STATUS_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(world_add_ground_point(w, 0, vec3(i & 1 ? 0.2 : -0.2, -0.1, i & 2 ? 0.2 : -0.2), NULL),
                         STATUS_OK);
    return w;
}

static World *world_with_brick(FrictionModel model, double friction)
{
    return world_on(vec3(0, 1, 0), model, friction);
}

static void run(World *w, int steps)
{
    for (int i = 0; i < steps; i++)
        assert_int_equal(world_step(w, DT, NULL), STATUS_OK);
}

static void a_brick_rests_on_the_ground(void **state)
{
    (void)state;
    for (int model = FRICTION_CONE; model <= FRICTION_GAUSS_SEIDEL; model++) {
        World *w = world_with_brick((FrictionModel)model, 0.5);
        run(w, 300);
        assert_vec3_near(world_contact_force(w, 0), vec3(0, 2 * GRAVITY, 0), 1e-6);
        assert_vec3_near(world_position(w, 0), vec3(0, 0.1, 0), 1e-3);
        assert_vec3_near(world_velocity(w, 0), vec3(0, 0, 0), 1e-8);
        world_destroy(w);
    }
}

/* Pushed sideways below mu m g it stays, above it goes with (F - mu m g) / m; along an edge of the pyramid. */
static void it_sticks_and_slides(void **state)
{
    (void)state;
    const double mu = 0.4, limit = mu * 2 * GRAVITY;
    for (int model = FRICTION_CONE; model <= FRICTION_GAUSS_SEIDEL; model++) {
        World *w = world_with_brick((FrictionModel)model, mu);
        run(w, 5);
        for (int i = 0; i < 50; i++) {
            world_apply_force(w, 0, vec3(0, 0, 0.9 * limit), world_position(w, 0));
            run(w, 1);
        }
        assert_vec3_near(world_velocity(w, 0), vec3(0, 0, 0), 1e-6);
        for (int i = 0; i < 50; i++) {
            world_apply_force(w, 0, vec3(0, 0, 2 * limit), world_position(w, 0));
            run(w, 1);
        }
        assert_near(world_velocity(w, 0).z, 50 * DT * limit / 2, 2e-3);
        assert_near(world_contact_force(w, 0).z, -limit, 1e-3);
        run(w, 1000);
        assert_vec3_near(world_velocity(w, 0), vec3(0, 0, 0), 1e-6); /* friction stops it */
        world_destroy(w);
    }
}

/* On a slope of 0.3 rad it stays where mu > tan(slope); else it goes down with g (sin - mu cos). */
static void a_slope_is_stood_on_or_slid_down(void **state)
{
    (void)state;
    const double slope = 0.3, sine = elementary_sin(slope), cosine = elementary_cos(slope), mu[] = {0.5, 0.1};
    Vec3 normal = vec3(-sine, cosine, 0), down = vec3(-cosine, -sine, 0), still = {0, 0, 0};
    Quat turned = quat_from_axis_angle(vec3(0, 0, 1), slope);
    for (int model = FRICTION_CONE; model <= FRICTION_GAUSS_SEIDEL; model++)
        for (int i = 0; i < 2; i++) {
            World *w = world_on(normal, (FrictionModel)model, mu[i]);
            world_set_pose(w, vec3_scale(normal, 0.1), &turned, still, &still);
            run(w, 50);
            double speed = mu[i] > sine / cosine ? 0 : 50 * DT * GRAVITY * (sine - mu[i] * cosine);
            assert_vec3_near(world_velocity(w, 0), vec3_scale(down, speed), 2e-3);
            assert_near(vec3_dot(world_contact_force(w, 0), normal), 2 * GRAVITY * cosine, 1e-3);
            world_destroy(w);
        }
}

/* Begun 5 cm deep, it is pushed out slowly, and then rests. */
static void what_overlaps_is_pushed_out(void **state)
{
    (void)state;
    World *w = world_with_brick(FRICTION_CONE, 0.5);
    Quat rest = QUAT_IDENTITY;
    Vec3 still = {0, 0, 0};
    world_set_pose(w, vec3(0, 0.05, 0), &rest, still, &still);
    for (int i = 0; i < 200; i++) {
        run(w, 1);
        assert_true(world_velocity(w, 0).y < 1 + 1e-6);
    }
    assert_vec3_near(world_position(w, 0), vec3(0, 0.1, 0), 1e-3);
    world_destroy(w);
}

/* Height of the highest point after the first impact. */
static double rebound(double restitution, WorldIntegrator integrator)
{
    World *w = NULL;
    WorldDef def = world_default_def();
    int ball, fallen = 0;
    double highest = 0;
    def.restitution = restitution;
    def.integrator = integrator;
    def.ground_height = 0;
    assert_int_equal(world_create(&brick.skeleton, &brick.body, &def, &w, NULL), STATUS_OK);
    assert_int_equal(world_add_ball(w, &(BallDef){1, 0.05, vec3(3, 1.05, 0), vec3(0, 0, 0)}, &ball, NULL), STATUS_OK);
    assert_int_equal(ball, 1);
    for (int i = 0; i < 100; i++) {
        run(w, 1);
        assert_true(world_position(w, ball).y > 0.05 - 2e-3);
        fallen |= world_velocity(w, ball).y > 0;
        highest = fmax(highest, fallen ? world_position(w, ball).y - 0.05 : 0);
    }
    world_destroy(w);
    return highest;
}

/* e^2 of the height; a step moves the impact by up to v dt. */
static void a_ball_bounces(void **state)
{
    (void)state;
    for (int i = INTEGRATE_SYMPLECTIC_EULER; i <= INTEGRATE_BRIDSON_MARINO; i++) {
        assert_near(rebound(0.7, (WorldIntegrator)i), 0.49, 0.05);
        assert_near(rebound(0.3, (WorldIntegrator)i), 0.09, 0.04);
        assert_near(rebound(0, (WorldIntegrator)i), 0, 2e-3);
    }
}

/* Speed at which a ball leaves the point of a link's top that is nearest. */
static double parting_speed(const World *w, int ball)
{
    Vec3 centre = world_position(w, 0), under = vec3_sub(world_position(w, ball), vec3(0, 0.05, 0));
    Vec3 link = vec3_add(world_velocity(w, 0), vec3_cross(world_angular_velocity(w, 0), vec3_sub(under, centre)));
    return world_velocity(w, ball).y - link.y;
}

/* On a link that stands on a hinge: momentum goes over, the ball leaves at 0.3 of the speed that it came with, nothing
 * passes through. */
static void a_ball_hits_a_link_and_leaves(void **state)
{
    (void)state;
    Clip link;
    World *w = NULL;
    WorldDef def = world_default_def();
    int ball, left = 0;
    double force = 0, bounce = -1;
    Vec3 still = {0, 0, 0};
    Quat rest = QUAT_IDENTITY;
    def.root = JOINT_HINGE;
    assert_true(random_clip_init(&link, 1, 1, 1));
    link.body.mass[0] = 1.54;
    link.body.com[0] = vec3(0.15, 0, 0);
    link.body.inertia[0] = (Sym3){9.4e-4, 0.012, 0.012, 0, 0, 0};
    assert_int_equal(world_create(&link.skeleton, &link.body, &def, &w, NULL), STATUS_OK);
    assert_int_equal(world_set_joint(w, 0, JOINT_HINGE, vec3(0, 0, 1), NULL), STATUS_OK);
    world_set_pose(w, vec3(0, 1, 0), &rest, still, &still);
    assert_int_equal(world_add_capsule(w, 0, vec3(0, 0, 0), vec3(0.3, 0, 0), 0.035, NULL), STATUS_OK);
    assert_int_equal(world_add_ball(w, &(BallDef){1, 0.05, vec3(0.2, 1.5, 0), still}, &ball, NULL), STATUS_OK);
    for (int i = 0; i < 60; i++) {
        Vec3 at = world_position(w, 0), end = vec3_add(at, quat_rotate(world_orientation(w, 0), vec3(0.3, 0, 0)));
        assert_near(end.z, 0, 1e-9);
        world_apply_torque(w, 0, vec3(0, 0, force > 0 ? 0 : 1.54 * GRAVITY * 0.15)); /* held up until it is struck */
        double meeting = parting_speed(w, ball);
        run(w, 1);
        if (bounce < 0 && world_contact_force(w, 0).y < 0)
            bounce = -parting_speed(w, ball) / meeting;
        force = fmax(force, -world_contact_force(w, 0).y);
        left |= force > 0 && world_contact_force(w, 0).y == 0;
    }
    assert_true(force > 10);
    assert_true(left);
    assert_near(bounce, 0.3, 0.03);
    assert_true(world_angular_velocity(w, 0).z < -1); /* the link was struck down */
    assert_near(world_angular_velocity(w, 0).x, 0, 1e-9);
    world_destroy(w);
    clip_free(&link);
}

/* Two balls, head on: momentum is kept, they part at e times the speed. */
static void two_balls_part(void **state)
{
    (void)state;
    World *w = NULL;
    WorldDef def = world_default_def();
    int a, b;
    def.gravity = vec3(0, 0, 0);
    def.restitution = 0.6;
    assert_int_equal(world_create(&brick.skeleton, &brick.body, &def, &w, NULL), STATUS_OK);
    assert_int_equal(world_add_ball(w, &(BallDef){1, 0.1, vec3(0, 5, 0), vec3(2, 0, 0)}, &a, NULL), STATUS_OK);
    assert_int_equal(world_add_ball(w, &(BallDef){3, 0.1, vec3(1, 5, 0), vec3(-1, 0, 0)}, &b, NULL), STATUS_OK);
    run(w, 60);
    Vec3 va = world_velocity(w, a), vb = world_velocity(w, b);
    assert_near(va.x + 3 * vb.x, 2 - 3, 1e-9);
    assert_near(vb.x - va.x, 0.6 * 3, 1e-6);
    world_destroy(w);
}

static void shapes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    World *w = world_with_brick(FRICTION_CONE, 0.5);
    int ball;
    Vec3 o = {0, 0, 0};
    assert_int_equal(world_add_capsule(w, 1, o, o, 0.1, NULL), STATUS_USAGE);
    assert_int_equal(world_add_capsule(w, 0, o, o, 0, NULL), STATUS_USAGE);
    assert_int_equal(world_add_ground_point(w, -1, o, NULL), STATUS_USAGE);
    assert_int_equal(world_add_ball(w, &(BallDef){0, 0.1, o, o}, &ball, NULL), STATUS_BAD_INPUT);
    world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brick_rests_on_the_ground),
        cmocka_unit_test(it_sticks_and_slides),
        cmocka_unit_test(a_slope_is_stood_on_or_slid_down),
        cmocka_unit_test(what_overlaps_is_pushed_out),
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(a_ball_hits_a_link_and_leaves),
        cmocka_unit_test(two_balls_part),
        cmocka_unit_test(shapes_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, make_brick, drop_brick);
}
