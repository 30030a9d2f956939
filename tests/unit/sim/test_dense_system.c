/* sim/dense_system: what drives every body of a random tree is what inverse dynamics says; the identities of
 * projections (docs/sources.md, notes 0.5), and constraints that hold twice. */
#include "tests/support/assert_near.h"

#include "analysis/base/memory.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/mat3.h"
#include "analysis/sim/attachment.h"
#include "analysis/sim/dense_system.h"
#include "analysis/sim/joint.h"
#include "analysis/sim/rigid_body.h"
#include "tests/support/random_clip.h"
#include "tests/support/random_number.h"

#define H 0.01 /* s */

/* A random tree in maximal coordinates: entries 6 j .. of body j are its COM's velocity and its angular velocity; the
 * rows are its spherical joints. */
typedef struct Tree {
    int joints, size, rows;
    double *mass, *force, *row, *right, *v, *lambda, *impulse;
    char *driven;
} Tree;

static void tree_init(Tree *t, int joints)
{
    size_t n = 6 * (size_t)joints, m = 3 * ((size_t)joints - 1);
    *t = (Tree){.joints = joints, .size = (int)n, .rows = (int)m};
    t->mass = array_new(n, n, sizeof(double));
    t->force = array_new(n, 1, sizeof(double));
    t->row = array_new(m, n, sizeof(double));
    t->right = array_new(m, 1, sizeof(double));
    t->v = array_new(n, 1, sizeof(double));
    t->lambda = array_new(m, 1, sizeof(double));
    t->impulse = array_new(n, 1, sizeof(double));
    t->driven = array_new(n, 1, 1);
}

static void tree_free(Tree *t)
{
    free(t->mass);
    free(t->force);
    free(t->row);
    free(t->right);
    free(t->v);
    free(t->lambda);
    free(t->impulse);
    free(t->driven);
}

static void put(double *to, Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static Vec3 get(const double *from) { return vec3(from[0], from[1], from[2]); }

/* COM of body j from its joint centre, world axes. */
static Vec3 com_arm(const Clip *c, int j) { return quat_rotate(c->kinematics.orientation[j], c->body.com[j]); }

/* M, momenta M v_k + h f with gravity and the gyroscopic moment; every angular velocity is driven, and the root's
 * linear one: v_(k+1) = v_k + h a. */
static void set_bodies(Tree *t, const Clip *c)
{
    for (int j = 0; j < t->joints; j++) {
        const Kinematics *k = &c->kinematics;
        Sym3 inertia = sym3_rotate(quat_to_mat3(k->orientation[j]), c->body.inertia[j]);
        Vec3 w = k->angular_velocity[j], alpha = k->angular_acceleration[j], arm = com_arm(c, j);
        Vec3 v = vec3_add(k->velocity[j], vec3_cross(w, arm));
        Vec3 a = vec3_add(vec3_cross(alpha, arm), vec3_cross(w, vec3_cross(w, arm)));
        a = vec3_add(a, k->acceleration[j]);
        mat3_add_block(t->mass, t->size, 6 * j, 6 * j, c->body.mass[j], MAT3_IDENTITY);
        mat3_add_block(t->mass, t->size, 6 * j + 3, 6 * j + 3, 1, mat3_from_sym3(inertia));
        Vec3 momentum = vec3_scale(vec3_mad(v, H, vec3(0, -GRAVITY, 0)), c->body.mass[j]);
        Vec3 spin = sym3_mul(inertia, w);
        put(t->force + 6 * j, momentum);
        put(t->force + 6 * j + 3, vec3_mad(spin, -H, vec3_cross(w, spin)));
        put(t->v + 6 * j, vec3_mad(v, H, a));
        put(t->v + 6 * j + 3, vec3_mad(w, H, alpha));
        for (int i = 0; i < 6; i++)
            t->driven[6 * j + i] = j == 0 || i >= 3;
    }
}

/* G v_(k+1) = -h G' v_k: the accelerations fit the joints. */
static void set_joints(Tree *t, const Clip *c)
{
    const Kinematics *k = &c->kinematics;
    for (int j = 1; j < t->joints; j++) {
        int p = c->skeleton.parent[j], first = 3 * (j - 1);
        Vec3 anchor = vec3_sub(k->position[j], vec3_add(k->position[p], com_arm(c, p)));
        JointSide parent = {.orientation = k->orientation[p], .anchor = anchor};
        JointSide child = {.orientation = k->orientation[j], .anchor = vec3_neg(com_arm(c, j))};
        JointRows rows, rate;
        joint_rows(JOINT_SPHERICAL, &parent, &child, &rows);
        joint_rows_rate(JOINT_SPHERICAL, &parent, k->angular_velocity[p], &child, k->angular_velocity[j], &rate);
        for (int i = 0; i < 3; i++) {
            t->right[first + i] = 0;
            for (int l = 0; l < 6; l++) {
                const double *wp = (const double *)&k->angular_velocity[p];
                const double *wc = (const double *)&k->angular_velocity[j];
                t->row[(first + i) * t->size + 6 * p + l] = rows.parent[i][l];
                t->row[(first + i) * t->size + 6 * j + l] = rows.child[i][l];
                if (l >= 3)
                    t->right[first + i] -= H * (rate.parent[i][l] * wp[l - 3] + rate.child[i][l] * wc[l - 3]);
            }
        }
    }
}

/* Joint torques from the couples on the bodies: a body's couple is its joint's torque less its children's. */
static void gather_torques(const Tree *t, const Clip *c, Vec3 *torque)
{
    for (int j = t->joints - 1; j >= 0; j--) {
        torque[j] = vec3_add(torque[j], vec3_scale(get(t->impulse + 6 * j + 3), 1 / H));
        if (j > 0)
            torque[c->skeleton.parent[j]] = vec3_add(torque[c->skeleton.parent[j]], torque[j]);
    }
}

static void check_tree(int joints, uint64_t seed)
{
    Clip c;
    Tree t;
    Dynamics d = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_true(random_clip_init(&c, joints, 1, seed));
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(inverse_dynamics(&view, NULL, &def, &d, NULL), STATUS_OK);
    tree_init(&t, joints);
    set_bodies(&t, &c);
    set_joints(&t, &c);
    DenseSystem s = {t.size, t.rows, t.mass, t.force, t.row, t.right, NULL};
    assert_int_equal(driven_solve(&s, t.driven, t.v, t.lambda, t.impulse, NULL), STATUS_OK);
    Vec3 torque[64] = {{0, 0, 0}};
    gather_torques(&t, &c, torque);
    Vec3 force = vec3_scale(get(t.impulse), 1 / H);
    torque[0] = vec3_add(torque[0], vec3_cross(com_arm(&c, 0), force)); /* about the root joint, not the COM */
    double largest = 0;
    for (int j = 0; j < joints; j++)
        largest = fmax(largest, vec3_norm(d.torque[j]));
    for (int j = 0; j < joints; j++) {
        assert_vec3_near(torque[j], d.torque[j], 1e-9 * largest);
        Vec3 through = j ? vec3_scale(get(t.lambda + 3 * (j - 1)), 1 / H) : force;
        assert_vec3_near(through, d.force[j], 1e-9 * largest);
    }
    dynamics_free(&d);
    tree_free(&t);
    clip_free(&c);
}

static void what_drives_a_tree_is_its_inverse_dynamics(void **state)
{
    (void)state;
    for (int joints = 2; joints <= 26; joints += 6)
        check_tree(joints, (uint64_t)joints);
}

/* One mass drags another over a soft row: by hand. */
static void a_driven_mass_drags_another(void **state)
{
    (void)state;
    double mass[4] = {2, 0, 0, 3}, force[2] = {0, 0}, rows[2] = {-1, 1}, right = 0, soft = 0.5;
    const char driven[2] = {1, 0};
    double v[2] = {4, 0}, lambda, impulse[2];
    DenseSystem s = {2, 1, mass, force, rows, &right, &soft};
    assert_int_equal(driven_solve(&s, driven, v, &lambda, impulse, NULL), STATUS_OK);
    /* 3 v = lambda, v - 4 + lambda / 2 = 0: v = 1.6, lambda = 4.8; the drive gives 2 * 4 + 4.8. */
    assert_near(v[1], 1.6, 1e-12);
    assert_near(lambda, 4.8, 1e-12);
    assert_near(impulse[0], 12.8, 1e-12);
    assert_near(impulse[1], 0, 0);
    double none[4] = {2, 0, 0, 0};
    s.mass = none;
    assert_int_equal(driven_solve(&s, driven, v, &lambda, impulse, NULL), STATUS_NO_RESULT);
}

/* 0.21 with an attachment: entries 0 and 1 are free, 2 is driven, 3 hangs on all of them; one row touches everything.
 * Reduced first, the drive is what the whole system asks for: the signs of docs/sources.md "Errata of the notes". */
static void attachments_are_reduced_before(void **state)
{
    (void)state;
    enum { SIZE = 4, DRIVEN = 2, ROW = 4, HELD = 5, ALL = 6 };
    const double g[SIZE] = {-0.3, 0.8, -0.6, 0}, bias = 0.7, speed = 1.9;
    const char driven[SIZE] = {0, 0, 1, 0};
    double mass[SIZE * SIZE], force[SIZE], row[SIZE], right = 0.35, whole[ALL * ALL] = {0}, y[ALL] = {0};
    int exchange[ALL];
    unsigned seed = 8;
    random_semidefinite(mass, SIZE, SIZE, 0.5, &seed);
    for (int i = 0; i < SIZE; i++) {
        force[i] = random_number(&seed);
        row[i] = random_number(&seed);
    }
    /* M v - row' lambda - (e_3 + g)' mu - e_2 d = f, row v = right, v_3 + g v = bias, v_2 given: d has its column */
    for (int i = 0; i < SIZE; i++) {
        double attached = g[i] + (i == 3);
        for (int j = 0; j < SIZE; j++)
            whole[i * ALL + j] = j == DRIVEN ? -(i == DRIVEN) : mass[i * SIZE + j];
        whole[i * ALL + ROW] = -row[i];
        whole[i * ALL + HELD] = -attached;
        whole[ROW * ALL + i] = i == DRIVEN ? 0 : row[i];
        whole[HELD * ALL + i] = i == DRIVEN ? 0 : attached;
        y[i] = force[i] - mass[i * SIZE + DRIVEN] * speed;
    }
    y[ROW] = right - row[DRIVEN] * speed;
    y[HELD] = bias - g[DRIVEN] * speed;
    assert_int_equal(lu_factor(whole, ALL, exchange), ALL);
    lu_solve(whole, exchange, ALL, y);

    DenseSystem attached = {SIZE, 1, mass, force, row, &right, NULL};
    Attachment a = {3, 1, g, &bias};
    attachment_reduce(&attached, &a);
    mass[SIZE * SIZE - 1] = 1; /* the entry that is gone: nothing moves it */
    double v[SIZE] = {0, 0, speed, 0}, lambda, impulse[SIZE];
    DenseSystem s = {SIZE, 1, mass, force, row, &right, NULL};
    assert_int_equal(driven_solve(&s, driven, v, &lambda, impulse, NULL), STATUS_OK);
    attachment_velocity(&a, SIZE, v);
    assert_near(v[0], y[0], 1e-11);
    assert_near(v[1], y[1], 1e-11);
    assert_near(v[3], y[3], 1e-11);
    assert_near(lambda, y[ROW], 1e-11);
    assert_near(impulse[DRIVEN], y[DRIVEN], 1e-11);
}

enum { SIZE = 9, COUNT = 4, ALL = SIZE + COUNT };

static double mass[SIZE * SIZE], rows[COUNT * SIZE];
static const DenseSystem constrained = {.size = SIZE, .row_count = COUNT, .mass = mass, .rows = rows};

static int make_system(void **state)
{
    (void)state;
    unsigned seed = 5;
    random_semidefinite(mass, SIZE, SIZE, 0.5, &seed);
    for (int i = 0; i < COUNT * SIZE; i++)
        rows[i] = random_number(&seed);
    return 0;
}

static void product(const double *a, const double *b, int m, int n, int k, double *out)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) {
            out[i * k + j] = 0;
            for (int l = 0; l < n; l++)
                out[i * k + j] += a[i * n + l] * b[l * k + j];
        }
}

static void projections_are_idempotent_and_keep_the_constraints(void **state)
{
    (void)state;
    double pf[SIZE * SIZE], pv[SIZE * SIZE], twice[SIZE * SIZE], held[COUNT * SIZE];
    assert_int_equal(projection_matrices(&constrained, pf, pv, NULL), STATUS_OK);
    product(pf, pf, SIZE, SIZE, SIZE, twice);
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_near(twice[i], pf[i], 1e-10);
    product(rows, pv, COUNT, SIZE, SIZE, held); /* G P_v = 0 */
    for (int i = 0; i < COUNT * SIZE; i++)
        assert_near(held[i], 0, 1e-10);
    double trace = 0; /* dimension of what may move */
    for (int i = 0; i < SIZE; i++)
        trace += pf[i * SIZE + i];
    assert_near(trace, SIZE - COUNT, 1e-10);
    /* P_f takes nothing from a force without power in the constraints: P_f M v = M v where G v = 0. */
    double v[SIZE], x[SIZE], mv[SIZE], projected[SIZE];
    for (int i = 0; i < SIZE; i++)
        x[i] = 1 + i;
    product(pv, x, SIZE, SIZE, 1, v);
    product(mass, v, SIZE, SIZE, 1, mv);
    product(pf, mv, SIZE, SIZE, 1, projected);
    for (int i = 0; i < SIZE; i++)
        assert_near(projected[i], mv[i], 1e-9);
}

static void the_inverse_inverts(void **state)
{
    (void)state;
    double kkt[ALL * ALL] = {0}, inverse[ALL * ALL], one[ALL * ALL];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            kkt[i * ALL + j] = mass[i * SIZE + j];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < SIZE; j++) {
            kkt[(SIZE + i) * ALL + j] = rows[i * SIZE + j];
            kkt[j * ALL + SIZE + i] = -rows[i * SIZE + j];
        }
    assert_int_equal(projection_kkt_inverse(&constrained, inverse, NULL), STATUS_OK);
    product(kkt, inverse, ALL, ALL, ALL, one);
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++)
            assert_near(one[i * ALL + j], i == j, 1e-10);
}

static void dependent_rows_are_refused(void **state)
{
    (void)state;
    double twice[2 * SIZE], pf[SIZE * SIZE], pv[SIZE * SIZE];
    DenseSystem dependent = {.size = SIZE, .row_count = 2, .mass = mass, .rows = twice};
    for (int i = 0; i < SIZE; i++)
        twice[i] = twice[SIZE + i] = rows[i];
    assert_int_equal(projection_matrices(&dependent, pf, pv, NULL), STATUS_NO_RESULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_drives_a_tree_is_its_inverse_dynamics),
        cmocka_unit_test(a_driven_mass_drags_another),
        cmocka_unit_test(attachments_are_reduced_before),
        cmocka_unit_test(projections_are_idempotent_and_keep_the_constraints),
        cmocka_unit_test(the_inverse_inverts),
        cmocka_unit_test(dependent_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, make_system, NULL);
}
