/* Inverse dynamics of a 31-joint clip of 128 frames, in cache, compared with MuJoCo for the same states.
 *
 * Once with mass in each joint, the more expensive case, and once ("human_") with the massless joints of a human body.
 * kane computes torques, forces and powers in [frame][joint] arrays from local rotations: times include forward
 * kinematics and the copies between frames and lanes. MuJoCo gets its states copied in and runs the minimum that gives
 * generalised forces (kinematics, COM frames, velocities, Newton-Euler), and mj_inverse. The engines alternate; each
 * value is the median over the rounds, ratios are medians of the ratio within a round. Different torques are a
 * failure. */

#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/mujoco_tree.h"
#include "tests/support/random_clip.h"
#include "tests/bench/stopwatch.h"

enum { JOINTS = 31, FRAMES = 128, ROUNDS = 101, REPEATS = 20, WIDTHS = 4 };

static const LaneWidth widths[WIDTHS] = {LANES_AVX512, LANES_AVX2, LANES_PAIR, LANES_SCALAR};
/* The tree of the CMU clips: two legs of five joints, three of the back, three of neck and head, two arms of seven. */
static const int parents[JOINTS] = {-1, 0,  1,  2,  3,  4,  0,  6,  7,  8,  9,  0,  11, 12, 13, 14,
                                    15, 13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27};
/* The joints of that tree that are massless in de Leva's table: zero-length hip and clavicle joints, fingers. */
static const int massless[] = {1, 6, 17, 21, 22, 23, 24, 28, 29, 30};
static const char *const width_names[WIDTHS] = {"avx512", "avx2", "sse2", "scalar"};

typedef struct Engine {
    mjModel *model;
    mjData *data;
    double *qpos, *qvel, *qacc; /* [frame][nq or nv] */
    double *torque;             /* [frame][nv] of the last run */
    int body[JOINTS];
} Engine;

static int engine_init(Engine *e, const Clip *c)
{
    *e = (Engine){.model = mujoco_model(&c->skeleton, &c->body)};
    if (!e->model || !(e->data = mj_makeData(e->model)))
        return 0;
    size_t nq = (size_t)e->model->nq, nv = (size_t)e->model->nv;
    e->qpos = calloc(FRAMES * nq, sizeof *e->qpos);
    e->qvel = calloc(FRAMES * nv, sizeof *e->qvel);
    e->qacc = calloc(FRAMES * nv, sizeof *e->qacc);
    e->torque = calloc(FRAMES * nv, sizeof *e->torque);
    if (!e->qpos || !e->qvel || !e->qacc || !e->torque)
        return 0;
    for (int j = 0; j < JOINTS; j++)
        e->body[j] = mujoco_body(e->model, j);
    for (size_t f = 0; f < FRAMES; f++)
        mujoco_set_state(e->model, c, (int)f, e->body, e->qpos + f * nq, e->qvel + f * nv, e->qacc + f * nv);
    return 1;
}

static void engine_free(Engine *e)
{
    free(e->qpos);
    free(e->qvel);
    free(e->qacc);
    free(e->torque);
    mj_deleteData(e->data);
    mj_deleteModel(e->model);
}

static void engine_frame(Engine *e, size_t f, int full)
{
    const mjModel *m = e->model;
    mjData *d = e->data;
    size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    memcpy(d->qpos, e->qpos + f * nq, nq * sizeof(double));
    memcpy(d->qvel, e->qvel + f * nv, nv * sizeof(double));
    memcpy(d->qacc, e->qacc + f * nv, nv * sizeof(double));
    if (full) {
        mj_inverse(m, d);
        memcpy(e->torque + f * nv, d->qfrc_inverse, nv * sizeof(double));
        return;
    }
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, e->torque + f * nv);
}

/* Nanoseconds per frame. */
static double time_engine(Engine *e, int full)
{
    double start = wall_seconds();
    for (size_t f = 0; f < FRAMES; f++)
        engine_frame(e, f, full);
    return 1e9 * (wall_seconds() - start) / FRAMES;
}

static double time_kane(Clip *c, LaneWidth width)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.lanes = width;
    double start = wall_seconds();
    for (int i = 0; i < REPEATS; i++)
        if (inverse_dynamics(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, NULL, &def,
                             &c->dynamics, NULL))
            exit(1);
    return 1e9 * (wall_seconds() - start) / (FRAMES * REPEATS);
}

/* Largest difference of a joint moment relative to the largest moment, to check that both agree. */
static double disagreement(const Engine *e, const Clip *c)
{
    double worst = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            Vec3 theirs = mujoco_torque(e->model, c, f, e->body, j, e->torque + (size_t)f * (size_t)e->model->nv);
            worst = fmax(worst, vec3_distance(theirs, c->dynamics.torque[motion_index(&c->motion, f, j)]));
        }
    return worst / dynamics_scale(&c->dynamics);
}

static void print_width(const char *bodies, int w, double *kane, const double *rne, const double *inverse)
{
    double to_rne[ROUNDS], to_inverse[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        to_rne[i] = rne[i] / kane[i];
        to_inverse[i] = inverse[i] / kane[i];
    }
    printf("inverse_dynamics_%sns_per_frame_%s %.0f ns\n", bodies, width_names[w], median(kane, ROUNDS));
    printf("inverse_dynamics_%sratio_to_mujoco_rne_%s %.1f x\n", bodies, width_names[w], median(to_rne, ROUNDS));
    printf("inverse_dynamics_%sratio_to_mj_inverse_%s %.1f x\n", bodies, width_names[w], median(to_inverse, ROUNDS));
}

/* Mass (kg) and inertia (kg m2) of the zero-length joints; 1 leaves them unchanged. */
static void set_massless(Body *body, double value)
{
    for (size_t i = 0; value < 1 && i < sizeof massless / sizeof *massless; i++) {
        body->mass[massless[i]] = value;
        body->inertia[massless[i]] = (Sym3){value, value, value, 0, 0, 0};
    }
}

/* All joints with mass, or those of a human body. */
static int bench_bodies(const char *bodies, int human)
{
    static double kane[WIDTHS][ROUNDS], rne[ROUNDS], inverse[ROUNDS];
    Clip c;
    Engine e = {0};
    if (!random_clip_init(&c, JOINTS, FRAMES, 31))
        return 1;
    memcpy(c.skeleton.parent, parents, sizeof parents);
    for (int f = 0; f < FRAMES; f++)
        random_clip_pose(&c, f);
    set_massless(&c.body, human ? 1e-10 : 1); /* MuJoCo rejects zero mass */
    if (!engine_init(&e, &c))
        return 1;
    set_massless(&c.body, human ? 0 : 1);
    for (int i = 0; i < ROUNDS; i++) {
        inverse[i] = time_engine(&e, 1);
        rne[i] = time_engine(&e, 0);
        for (int w = 0; w < WIDTHS; w++)
            kane[w][i] = time_kane(&c, widths[w]);
    }
    for (int w = 0; w < WIDTHS; w++)
        if (lane_width_choose(widths[w]) == widths[w])
            print_width(bodies, w, kane[w], rne, inverse);
    printf("mujoco_%srne_ns_per_frame %.0f ns\n", bodies, median(rne, ROUNDS));
    printf("mujoco_%sinverse_ns_per_frame %.0f ns\n", bodies, median(inverse, ROUNDS));
    double newton_euler = disagreement(&e, &c);
    time_engine(&e, 1);
    double worst = fmax(newton_euler, disagreement(&e, &c));
    printf("inverse_dynamics_%sdisagreement_with_mujoco %.2g of_largest_moment\n", bodies, worst);
    engine_free(&e);
    clip_free(&c);
    return !(worst < 1e-9);
}

int main(void) { return bench_bodies("", 0) || bench_bodies("human_", 1); }
