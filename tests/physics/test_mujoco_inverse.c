/* Inverse dynamics against MuJoCo's mj_inverse: random trees of ball joints with a free root, with and without external
 * loads, and real clips. */
#include "tests/support/test.h"

#include <unistd.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "formats/bvh/bvh.h"
#include "tests/support/mujoco_tree.h"
#include "tests/support/random_clip.h"
#include "tests/support/read_bvh.h"

enum { FRAMES = 9 };

/* Largest difference of any joint moment and of the root force, over all frames. */
static double largest_difference(const mjModel *m, mjData *d, const Clip *c, const Loads *loads)
{
    int *body = calloc((size_t)c->skeleton.joint_count, sizeof *body);
    double worst = 0, *applied = calloc((size_t)m->nv, sizeof *applied);
    assert_true(body && applied);
    for (int j = 0; j < c->skeleton.joint_count; j++)
        body[j] = mujoco_body(m, j);
    for (int f = 0; f < c->motion.frame_count; f++) {
        mujoco_set_state(m, c, f, body, d->qpos, d->qvel, d->qacc);
        mj_inverse(m, d);
        memset(applied, 0, (size_t)m->nv * sizeof *applied);
        for (int l = 0; loads && l < loads->load_count; l++) {
            size_t at = (size_t)(f * loads->load_count + l);
            double force[3], moment[3];
            const double origin[3] = {0, 0, 0};
            mujoco_put(force, loads->force[at]);
            mujoco_put(moment, loads->moment[at]);
            mj_applyFT(m, d, force, moment, origin, body[loads->joint[l]], applied);
        }
        for (int i = 0; i < m->nv; i++)
            d->qfrc_inverse[i] -= applied[i];
        for (int j = 0; j < c->skeleton.joint_count; j++) {
            Vec3 theirs = mujoco_torque(m, c, f, body, j, d->qfrc_inverse);
            worst = fmax(worst, vec3_distance(theirs, c->dynamics.torque[motion_index(&c->motion, f, j)]));
        }
        Vec3 force = vec3(d->qfrc_inverse[0], d->qfrc_inverse[1], d->qfrc_inverse[2]);
        worst = fmax(worst, vec3_distance(force, c->dynamics.residual_force[f]));
    }
    free(applied);
    free(body);
    return worst;
}

static void compare(Clip *c, const Loads *loads)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(inverse_dynamics(&view, loads, &def, &c->dynamics, NULL), STATUS_OK);
    mjModel *m = mujoco_model(&c->skeleton, &c->body);
    assert_non_null(m);
    mjData *d = mj_makeData(m);
    assert_near(largest_difference(m, d, c, loads) / dynamics_scale(&c->dynamics), 0, 1e-12);
    mj_deleteData(d);
    mj_deleteModel(m);
}

TEST(random_trees_agree_with_mujoco)
{
    const int sizes[] = {2, 3, 5, 8, 13, 21, 31, 45, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Clip c;
        assert_true(random_clip_init(&c, sizes[i], FRAMES, 100 + i));
        compare(&c, NULL);
        clip_free(&c);
    }
}

TEST(nearly_massless_joints_agree_with_mujoco)
{
    Clip c;
    assert_true(random_clip_init(&c, 12, FRAMES, 7));
    for (int j = 2; j < 12; j += 3) {
        c.body.mass[j] = 1e-9;
        c.body.inertia[j] = (Sym3){1e-9, 1e-9, 1e-9, 0, 0, 0};
    }
    compare(&c, NULL);
    clip_free(&c);
}

TEST(external_loads_agree_with_mujoco)
{
    Clip c;
    Random r = {3};
    int joint[] = {2, 5, 9};
    Vec3 force[FRAMES * 3], moment[FRAMES * 3];
    assert_true(random_clip_init(&c, 12, FRAMES, 8));
    for (int i = 0; i < FRAMES * 3; i++) {
        force[i] = random_vec3(&r, 500);
        moment[i] = random_vec3(&r, 300);
    }
    Loads loads = {.frame_count = FRAMES, .load_count = 3, .joint = joint, .force = force, .moment = moment};
    compare(&c, &loads);
    clip_free(&c);
}

/* Kinematics and body of a shared clip with default options, without smoothing. MuJoCo rejects massless bodies. */
static void read_clip(const char *path, Clip *c)
{
    DifferenceDef difference = difference_default_def();
    assert_true(file_clip_with_body(path, c));
    for (int j = 0; j < c->skeleton.joint_count; j++)
        if (c->body.mass[j] < 1e-9) {
            c->body.mass[j] = 1e-9;
            c->body.inertia[j] = (Sym3){1e-9, 1e-9, 1e-9, 0, 0, 0};
        }
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_null(c->motion.translation);
}

TEST(real_clips_agree_with_mujoco)
{
    const char *const files[] = {"cmu_cgspeed__02_01.bvh", "mass__mass_run.bvh", "makehuman__mh_walk1.bvh",
                                 "games105__walk60.bvh"};
    const char *shared = getenv("KANE_SHARED");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        Clip c;
        snprintf(path, sizeof path, "%s/mocap/%s", shared ? shared : "../shared", files[i]);
        if (access(path, R_OK) != 0) {
            print_message("%s: skipped, no shared data\n", files[i]);
            continue;
        }
        read_clip(path, &c);
        compare(&c, NULL);
        clip_free(&c);
    }
}
