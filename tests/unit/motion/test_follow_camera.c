/* analysis/motion/follow_camera: rest, lag behind a runner, independence of the frame rate, no jump with the body. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/follow_camera.h"

enum { MAX = 1201 };
static CameraTarget target[MAX];
static CameraFrame camera[MAX], other[MAX];

/* Along x, so that its heading is pi / 2, from t = 1 s on. */
static void run_along_x(int frames, double rate, double speed)
{
    for (int f = 0; f < frames; f++)
        target[f] = (CameraTarget){vec3(speed * fmax(0, f / rate - 1), 1, 0), PI / 2};
}

static CameraDef follow_def(void)
{
    CameraDef def = camera_default_def();
    def.kind = CAMERA_FOLLOW;
    return def;
}

TEST(static_camera_is_behind_and_faces_the_body)
{
    CameraDef def = follow_def();
    run_along_x(60, 60, 0);
    camera_follow(&def, target, 60, 1 / 60.0, camera);
    for (int f = 0; f < 60; f++) {
        double a = def.pitch * PI / 180;
        assert_vec3_near(camera[f].position, vec3(-4 * elementary_cos(a), 1 + 4 * elementary_sin(a), 0), 1e-12);
        Vec3 view = quat_rotate(camera[f].orientation, vec3(0, 0, -1));
        Vec3 up = quat_rotate(camera[f].orientation, vec3(0, 1, 0));
        assert_vec3_near(view, vec3(elementary_cos(a), -elementary_sin(a), 0), 1e-12);
        assert_vec3_near(up, vec3(elementary_sin(a), elementary_cos(a), 0), 1e-12);
    }
}

/* A spring whose target moves at constant speed lags by 2 zeta v / omega. */
TEST(camera_lags_a_runner_like_a_spring)
{
    static const double dampings[] = {0.5, 1, 2};
    for (int i = 0; i < 3; i++) {
        CameraDef def = follow_def();
        def.pitch = 0;
        def.damping_ratio = dampings[i];
        run_along_x(1200, 60, 3);
        camera_follow(&def, target, 1200, 1 / 60.0, camera);
        double lag = 2 * dampings[i] * 3 / (2 * PI);
        assert_near(camera[1199].radius, 4 + lag, 0.01 * lag);
        assert_near(camera[1199].position.x, target[1199].focus.x - camera[1199].radius, 1e-9);
    }
}

TEST(camera_path_does_not_depend_on_frame_rate)
{
    CameraDef def = follow_def();
    for (int kind = CAMERA_FOLLOW; kind <= CAMERA_FIXED; kind++) {
        def.kind = (CameraKind)kind;
        run_along_x(601, 120, 3);
        camera_follow(&def, target, 601, 1 / 120.0, camera);
        for (int every = 2; every <= 5; every++) { /* 60, 40, 30, 24 Hz */
            int frames = 600 / every + 1;
            run_along_x(frames, 120.0 / every, 3);
            camera_follow(&def, target, frames, every / 120.0, other);
            for (int f = 0; f < frames; f++) {
                assert_vec3_near(other[f].position, camera[f * every].position, 1e-9);
                assert_near(fabs(quat_dot(other[f].orientation, camera[f * every].orientation)), 1, 1e-12);
            }
        }
    }
}

/* A jump of 2 m sideways and a rotation by 170 degrees within one frame of 1/60 s. */
TEST(camera_is_continuous_across_a_jump)
{
    for (int kind = CAMERA_FOLLOW; kind <= CAMERA_FIXED; kind++) {
        CameraDef def = follow_def();
        def.kind = (CameraKind)kind;
        for (int f = 0; f < 600; f++)
            target[f] = (CameraTarget){vec3(0, 1, f < 60 ? 0 : 2), f < 60 ? PI / 2 : PI / 2 + 170 * PI / 180};
        Vec3 last = {0, 0, 0};
        camera_follow(&def, target, 600, 1 / 60.0, camera);
        for (int f = 1; f < 600; f++) {
            Vec3 step = vec3_sub(camera[f].position, camera[f - 1].position);
            assert_true(vec3_norm(step) < 0.6); /* e^-1 omega 170 degrees 4 m: 0.46 */
            assert_true(vec3_distance(step, last) < 0.2); /* omega^2 170 degrees 4 m: 0.13 */
            last = step;
            assert_true(fabs(quat_dot(camera[f].orientation, camera[f - 1].orientation)) > cos(0.06));
        }
        Vec3 towards = vec3_normalize(vec3_sub(target[599].focus, camera[599].position));
        assert_vec3_near(quat_rotate(camera[599].orientation, vec3(0, 0, -1)), towards, 1e-6);
        if (kind == CAMERA_FOLLOW)
            assert_near(elementary_cos(camera[599].yaw - target[599].heading), -1, 1e-9);
    }
}

TEST(camera_overshoots_only_below_critical_damping)
{
    for (int i = 0; i < 2; i++) {
        CameraDef def = follow_def();
        def.damping_ratio = i ? 1 : 0.2;
        for (int f = 0; f < 600; f++) /* the body steps back towards the camera, and stops */
            target[f] = (CameraTarget){vec3(f < 60 ? 0 : 1, 1, 0), PI / 2};
        camera_follow(&def, target, 600, 1 / 60.0, camera);
        double nearest = 10;
        for (int f = 60; f < 600; f++)
            nearest = fmin(nearest, camera[f].radius);
        assert_true(i ? nearest > 3.999 : nearest < 3.8);
    }
}

TEST(camera_options_out_of_range_are_refused)
{
    CameraDef bad[] = {follow_def(), follow_def(), follow_def(), follow_def(), follow_def()};
    Error err = {0};
    bad[0].distance = 0;
    bad[1].pitch = 81;
    bad[2].frequency = 0;
    bad[3].damping_ratio = -1;
    bad[4].yaw = NAN;
    for (int i = 0; i < 5; i++)
        assert_int_equal(camera_check(&bad[i], &err), STATUS_USAGE);
}

TEST(body_faces_perpendicular_to_the_hip_line)
{
    /* Root with left and right hip at -x and +x at rest: forward is left x up. */
    char *names[] = {"Root", "L", "R"};
    int parent[] = {-1, 0, 0};
    Vec3 offset[] = {{0, 0, 0}, {0.1, 0, 0}, {-0.1, 0, 0}};
    Role role[] = {ROLE_HIPS, ROLE_LEFT_HIP, ROLE_RIGHT_HIP};
    Skeleton s = {.joint_count = 3, .name = names, .parent = parent, .offset = offset, .role = role};
    Motion m;
    assert_int_equal(motion_init(&m, 40, 3, 0.1, 0, NULL), STATUS_OK);
    for (int f = 0; f < 40; f++) { /* two full turns to the left */
        m.root_position[f] = vec3(f, 1, 0);
        for (int j = 0; j < 3; j++)
            m.rotation[motion_index(&m, f, j)] =
                j ? QUAT_IDENTITY : quat_from_axis_angle(vec3(0, 1, 0), 4 * PI * f / 39);
    }
    camera_targets(&s, &m, target);
    for (int f = 0; f < 40; f++) {
        assert_near(target[f].heading, 4 * PI * f / 39, 1e-12);
        assert_near(target[f].focus.x, f, 0);
    }
    motion_free(&m);
}
