/* sim/scene_derivatives: the derivatives of the implicit integrators, with those of springs and tendons, against finite
 * differences of the accelerations. */
#include "tests/support/test.h"

#include "analysis/sim/scene_state.h"
#include "tests/support/random_clip.h"
#include "tests/support/scene_case.h"

#define STEP 1e-5

/* An arm with a ball and two hinges, a free body, and a slide; a tendon over three of them. */
static const char text[] =
    "<mujoco><option gravity=\"0 0 -9.8\"/><worldbody><site name=\"w\" pos=\"0.4 0.2 1.5\"/>"
    "<body name=\"upper\" pos=\"0 0 1\"><joint type=\"ball\" damping=\"0.1\"/>"
    "<inertial pos=\"0.1 0 0\" mass=\"2\" diaginertia=\"0.02 0.03 0.03\"/>"
    "<body name=\"fore\" pos=\"0.3 0 0\"><joint axis=\"0 1 0\" stiffness=\"3\"/><joint axis=\"0 0 1\"/>"
    "<inertial pos=\"0.1 0.05 0\" mass=\"1\" diaginertia=\"0.01 0.02 0.02\"/>"
    "<site name=\"f\" pos=\"0.1 0.1 0\"/></body></body>"
    "<body name=\"float\" pos=\"0.5 0.6 1.2\"><freejoint/>"
    "<inertial pos=\"0.05 0 0.02\" mass=\"1.5\" diaginertia=\"0.02 0.01 0.02\"/>"
    "<site name=\"g\" pos=\"0 -0.1 0\"/></body>"
    "<body name=\"cart\" pos=\"-0.5 0 1\"><joint type=\"slide\" axis=\"1 0 0.5\"/>"
    "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.01 0.01 0.01\"/></body></worldbody>"
    "<tendon><spatial stiffness=\"80\" damping=\"6\" springlength=\"0.2\">"
    "<site site=\"w\"/><site site=\"f\"/><site site=\"g\"/></spatial></tendon></mujoco>";

static SpringElement element[] = {
    {.name = "axial", .kind = SPRING_AXIAL, .joint_a = 2, .joint_b = 3, .a = {0.1, 0, 0.1}, .b = {0, 0.1, 0},
     .stiffness = 150, .damping = 12, .rest = 0.1},
    {.name = "stress", .kind = SPRING_STRESS, .joint_a = 1, .joint_b = 4, .a = {0, 0.2, 0}, .b = {0.1, 0, 0},
     .stiffness = 90, .rest = 0.3},
    {.name = "path", .kind = SPRING_PATH, .joint_a = 4, .joint_b = 2, .a = {0, 0, 0.1}, .b = {0.2, 0, 0.1},
     .stiffness = 70, .damping = 9, .rest = 0.2},
    {.name = "path", .kind = SPRING_PASSIVE, .joint_a = 2, .joint_b = 2, .a = {0.2, 0, 0.1}, .b = {0.3, 0.1, 0}},
    {.name = "path", .kind = SPRING_PATH, .joint_a = 2, .joint_b = 3, .a = {0.3, 0.1, 0}, .b = {0, 0, 0.2}},
    {.name = "pad", .kind = SPRING_TRANSLATION, .joint_a = 1, .joint_b = 3, .a = {0.2, 0.1, 0}, .b = {0, 0.1, -0.1},
     .stiffness = 120, .damping = 15},
    {.name = "disc", .kind = SPRING_TURNING, .joint_a = 2, .joint_b = 3, .turn_a = {0.3, 0.2, 0},
     .turn_b = {0, 0.4, 0.7}, .stiffness = 20, .damping = 1.5},
    {.name = "anchor", .kind = SPRING_TRANSLATION, .joint_a = SPRING_WORLD, .joint_b = 3, .a = {0.4, 0.4, 1},
     .b = {0.1, 0, 0}, .stiffness = 60, .damping = 7}};

static void accelerate(Scene *s, const double *q, const double *v, double *a)
{
    scene_acceleration(s, q, v, s->probe_a);
    for (int i = 0; i < s->model->v_count; i++)
        a[i] = s->probe_a[i];
}

/* Column of central differences of the accelerations, with the mass matrix of each state. */
static void difference(Scene *s, const double *q, const double *v, int i, int by_speed, double *column)
{
    double a[2][16], moved[32], speed[16] = {0};
    int n = s->model->v_count;
    for (int side = 0; side < 2; side++) {
        double by = side ? STEP : -STEP;
        memcpy(moved, q, (size_t)s->model->q_count * sizeof *q);
        memset(speed, 0, sizeof speed);
        speed[i] = by;
        if (!by_speed)
            model_advance(s->model, 1, speed, moved);
        for (int k = 0; k < n; k++)
            speed[k] = v[k] + (by_speed && k == i ? by : 0);
        accelerate(s, moved, speed, a[side]);
    }
    for (int k = 0; k < n; k++)
        column[k] = (a[1][k] - a[0][k]) / (2 * STEP);
}

static double compare(const Springs *springs, uint64_t seed)
{
    SceneDef def = scene_default_def();
    def.springs = springs;
    def.integrator = IMPLICIT_EULER;
    SceneCase c = scene_case(text, &def);
    Scene *s = c.scene;
    Random r = {seed};
    int n = s->model->v_count;
    double q[32], v[16], move[16], by_position[256], by_velocity[256], column[16], max = 0;
    memcpy(q, scene_q(s), (size_t)s->model->q_count * sizeof *q);
    for (int i = 0; i < n; i++) {
        move[i] = 0.3 * random_signed(&r);
        v[i] = 2 * random_signed(&r);
    }
    model_advance(s->model, 1, move, q);
    scene_differentiate(s, q, v, by_position, by_velocity);
    for (int i = 0; i < n; i++)
        for (int by_speed = 0; by_speed < 2; by_speed++) {
            const double *j = by_speed ? by_velocity : by_position;
            difference(s, q, v, i, by_speed, column);
            for (int k = 0; k < n; k++) {
                assert_near(j[k * n + i], column[k], 2e-5 * (1 + fabs(column[k])));
                max = fmax(max, fabs(column[k]));
            }
        }
    scene_case_free(&c);
    return max;
}

TEST(jacobian_includes_springs_and_tendons)
{
    double bare = compare(NULL, 3);
    for (unsigned seed = 1; seed <= 5; seed++) {
        Springs all = {sizeof element / sizeof *element, element};
        assert_true(compare(&all, seed) > 2 * bare);
    }
}

TEST(each_spring_kind_has_its_jacobian)
{
    static const int first[] = {0, 1, 2, 5, 6, 7}, count[] = {1, 1, 3, 1, 1, 1};
    for (int i = 0; i < 6; i++) {
        Springs one = {count[i], element + first[i]};
        compare(&one, 10 + (unsigned)i);
    }
}
