/* sim/scene_attachment: the reduced system against the full one, a particle on a body, a single row, loops. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"
#include "analysis/dynamics/spatial_inertia.h"
#include "analysis/sim/attachment.h"
#include "analysis/solve/gauss_seidel.h"
#include "tests/support/random_clip.h"
#include "tests/support/random_number.h"

/* Entries: masters 0..4, then attachment A (5, 6) to masters and B, B (7) to masters, C (8, 9) to A and B: nested. Two
 * constraint rows involve all entries. */
enum { SIZE = 10, MASTERS = 5, ROWS = 2, ATTACHED = 3 };

typedef struct Sample {
    double mass[SIZE * SIZE], force[SIZE], rows[ROWS * SIZE], right[ROWS];
    double g[ATTACHED][2 * SIZE], bias[ATTACHED][2];
    Attachment attachment[ATTACHED];
} Sample;

static const int first[ATTACHED] = {5, 7, 8}, count[ATTACHED] = {2, 1, 2};
static const int master_from[ATTACHED] = {0, 1, 5}, master_to[ATTACHED] = {5, 4, 8};

static void make_sample(Sample *s)
{
    unsigned seed = 3;
    random_semidefinite(s->mass, SIZE, SIZE, 0.5, &seed);
    for (int i = 0; i < SIZE; i++)
        s->force[i] = random_number(&seed);
    for (int i = 0; i < ROWS * SIZE; i++)
        s->rows[i] = random_number(&seed);
    for (int i = 0; i < ROWS; i++)
        s->right[i] = random_number(&seed);
    for (int a = 0; a < ATTACHED; a++) {
        memset(s->g[a], 0, sizeof s->g[a]);
        for (int i = 0; i < count[a]; i++) {
            for (int j = master_from[a]; j < master_to[a]; j++)
                s->g[a][i * SIZE + j] = random_number(&seed);
            s->bias[a][i] = random_number(&seed);
        }
        s->attachment[a] = (Attachment){first[a], count[a], s->g[a], s->bias[a], NULL};
    }
    s->g[0][7] = 0.7; /* A is attached to B */
}

enum { HELD = 5 }; /* attached entries */

/* The full system with a multiplier per attachment, by LU. */
static void solve_whole(const Sample *s, double *v, double *lambda, double *held)
{
    enum { ALL = SIZE + ROWS + HELD };
    double m[ALL * ALL] = {0}, y[ALL] = {0};
    int exchange[ALL], row = SIZE + ROWS;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            m[i * ALL + j] = s->mass[i * SIZE + j];
        y[i] = s->force[i];
        for (int r = 0; r < ROWS; r++)
            m[i * ALL + SIZE + r] = m[(SIZE + r) * ALL + i] = s->rows[r * SIZE + i];
    }
    for (int r = 0; r < ROWS; r++)
        y[SIZE + r] = s->right[r];
    for (int a = 0; a < ATTACHED; a++)
        for (int i = 0; i < count[a]; i++, row++) {
            for (int j = 0; j < SIZE; j++)
                m[row * ALL + j] = m[j * ALL + row] = s->g[a][i * SIZE + j] + (j == first[a] + i);
            y[row] = s->bias[a][i];
        }
    assert_int_equal(lu_factor(m, ALL, exchange), ALL);
    lu_solve(m, exchange, ALL, y);
    memcpy(v, y, SIZE * sizeof *v);
    memcpy(lambda, y + SIZE, ROWS * sizeof *lambda);
    memcpy(held, y + SIZE + ROWS, HELD * sizeof *held);
}

static void solve_masters(const DenseSystem *s, double *v, double *lambda)
{
    enum { ALL = MASTERS + ROWS };
    double m[ALL * ALL] = {0}, y[ALL];
    int exchange[ALL];
    for (int i = 0; i < MASTERS; i++) {
        for (int j = 0; j < MASTERS; j++)
            m[i * ALL + j] = s->mass[i * SIZE + j];
        for (int r = 0; r < ROWS; r++)
            m[i * ALL + MASTERS + r] = m[(MASTERS + r) * ALL + i] = s->rows[r * SIZE + i];
        y[i] = s->force[i];
    }
    for (int r = 0; r < ROWS; r++)
        y[MASTERS + r] = s->right[r];
    assert_int_equal(lu_factor(m, ALL, exchange), ALL);
    lu_solve(m, exchange, ALL, y);
    memcpy(v, y, MASTERS * sizeof *v);
    memcpy(lambda, y + MASTERS, ROWS * sizeof *lambda);
}

TEST(reduction_equals_the_whole_system)
{
    Sample s, before;
    double expected[SIZE], multiplier[ROWS], holding[HELD], v[SIZE] = {0}, lambda[ROWS];
    int order[ATTACHED];
    make_sample(&s);
    before = s;
    solve_whole(&s, expected, multiplier, holding);
    assert_int_equal(attachment_order(s.attachment, ATTACHED, SIZE, order, NULL), STATUS_OK);
    assert_int_equal(order[0], 2); /* C first: A and B have it as follower */
    assert_int_equal(order[1], 0);
    DenseSystem system = {SIZE, ROWS, s.mass, s.force, s.rows, s.right};
    for (int n = 0; n < ATTACHED; n++)
        attachment_reduce(&system, &s.attachment[order[n]]);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            assert_near(s.mass[i * SIZE + j], i < MASTERS && j < MASTERS ? s.mass[j * SIZE + i] : 0, 1e-11);
    solve_masters(&system, v, lambda);
    for (int n = ATTACHED - 1; n >= 0; n--)
        attachment_velocity(&s.attachment[order[n]], SIZE, v);
    for (int i = 0; i < SIZE; i++)
        assert_near(v[i], expected[i], 1e-9);
    for (int r = 0; r < ROWS; r++)
        assert_near(lambda[r], multiplier[r], 1e-9);
    /* Nothing is attached to C: its constraint forces come from its own rows. */
    DenseSystem whole = {SIZE, ROWS, before.mass, before.force, before.rows, before.right};
    double held[2];
    attachment_reaction(&whole, &s.attachment[2], v, lambda, held);
    assert_near(held[0], holding[3], 1e-9);
    assert_near(held[1], holding[4], 1e-9);
}

/* 0.18: m_k distributed to two particles by w_1 and w_2. */
TEST(two_masters_share_a_mass)
{
    double mass[9] = {2, 0, 0, 0, 3, 0, 0, 0, 5}, force[3] = {0}, g[3] = {-0.25, -0.75, 0};
    DenseSystem s = {3, 0, mass, force, NULL, NULL};
    Attachment a = {2, 1, g, NULL, NULL};
    attachment_reduce(&s, &a);
    const double expected[9] = {2 + 5 * 0.0625, 5 * 0.1875, 0, 5 * 0.1875, 3 + 5 * 0.5625, 0, 0, 0, 0};
    for (int i = 0; i < 9; i++)
        assert_near(mass[i], expected[i], 1e-14);
}

/* 0.19: a particle fixed at `point` of a body whose velocity is in body axes; R maps them to the world, omega is in
 * body axes. rows[3][6] and bias[3] for the particle's acceleration in world axes: G = (-R, R [c]), g = R omega x
 * (omega x c). */
static void particle_rows(Mat3 body_to_world, Vec3 point, Vec3 omega, double *rows, double *bias)
{
    Vec3 g = mat3_mul(body_to_world, vec3_cross(omega, vec3_cross(omega, point)));
    memset(rows, 0, 18 * sizeof *rows);
    mat3_add_block(rows, 6, 0, 0, -1, body_to_world);
    mat3_add_block(rows, 6, 0, 3, 1, mat3_product(body_to_world, mat3_cross(point)));
    bias[0] = g.x;
    bias[1] = g.y;
    bias[2] = g.z;
}

/* 0.19: a particle on a body adds its spatial inertia and the forces -m w x (w x c), m w x (c x (c x w)). */
TEST(particle_adds_its_inertia_and_fictitious_forces)
{
    Random r = {9};
    const double m = 1.7;
    Vec3 c = random_vec3(&r, 0.5), omega = random_vec3(&r, 3);
    SpatialInertia body = {4, random_vec3(&r, 0.2), random_inertia(&r, 4)}, loaded = body;
    double own[36], with[36], mass[81] = {0}, force[9] = {0}, rows[18], wide[27] = {0}, bias[3];
    spatial_inertia_matrix(&body, own);
    particle_rows(quat_to_mat3(random_quat(&r)), c, omega, rows, bias);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            mass[i * 9 + j] = own[i * 6 + j];
    for (int i = 0; i < 3; i++) {
        mass[(6 + i) * 10] = m;
        for (int j = 0; j < 6; j++)
            wide[i * 9 + j] = rows[i * 6 + j];
    }
    DenseSystem s = {9, 0, mass, force, NULL, NULL};
    Attachment a = {6, 3, wide, bias, NULL};
    attachment_reduce(&s, &a);
    spatial_inertia_add_particle(&loaded, m, c);
    spatial_inertia_matrix(&loaded, with);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            assert_near(mass[i * 9 + j], with[i * 6 + j], 1e-12);
    Vec3 f = vec3_scale(vec3_cross(omega, vec3_cross(omega, c)), -m);
    Vec3 tau = vec3_scale(vec3_cross(omega, vec3_cross(c, vec3_cross(c, omega))), m);
    assert_vec3_near(vec3(force[0], force[1], force[2]), f, 1e-12);
    assert_vec3_near(vec3(force[3], force[4], force[5]), tau, 1e-12);
}

TEST(attachment_loops_are_refused)
{
    double a[3] = {0, 0, -1}, b[3] = {0, -1, 0};
    Attachment loop[2] = {{1, 1, a, NULL, NULL}, {2, 1, b, NULL, NULL}};
    Attachment twice[2] = {{1, 1, a, NULL, NULL}, {1, 1, a, NULL, NULL}};
    int order[2];
    assert_int_equal(attachment_order(loop, 2, 3, order, NULL), STATUS_BAD_INPUT);
    assert_int_equal(attachment_order(twice, 2, 3, order, NULL), STATUS_BAD_INPUT);
}

/* Attachments are sorted whatever their order in the list (0.18). */
TEST(result_does_not_depend_on_order)
{
    static const int listing[6][ATTACHED] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double expected[SIZE], multiplier[ROWS], holding[HELD];
    for (int k = 0; k < 6; k++) {
        Sample s;
        Attachment listed[ATTACHED];
        int order[ATTACHED];
        double v[SIZE] = {0}, lambda[ROWS];
        make_sample(&s);
        solve_whole(&s, expected, multiplier, holding);
        for (int n = 0; n < ATTACHED; n++)
            listed[n] = s.attachment[listing[k][n]];
        DenseSystem system = {SIZE, ROWS, s.mass, s.force, s.rows, s.right};
        assert_int_equal(attachment_order(listed, ATTACHED, SIZE, order, NULL), STATUS_OK);
        for (int n = 0; n < ATTACHED; n++)
            attachment_reduce(&system, &listed[order[n]]);
        solve_masters(&system, v, lambda);
        for (int n = ATTACHED - 1; n >= 0; n--)
            attachment_velocity(&listed[order[n]], SIZE, v);
        for (int i = 0; i < SIZE; i++)
            assert_near(v[i], expected[i], 1e-9);
    }
}

/* A body of six entries with an attached particle (9..11), and a free mass (6..8); a row between particle and mass. */
enum { FREE_MASS = 6, PARTICLE = 9, LINKED = 12 };

typedef struct Linked {
    double mass[LINKED * LINKED], rows[3 * LINKED], row[LINKED], v[LINKED];
    Attachment particle;
} Linked;

static void make_linked(Linked *l)
{
    Random r = {4};
    unsigned seed = 6;
    SpatialInertia body = {4, random_vec3(&r, 0.2), random_inertia(&r, 4)};
    double own[36], rows[18], bias[3];
    *l = (Linked){.particle = {PARTICLE, 3, l->rows, NULL}};
    spatial_inertia_matrix(&body, own);
    particle_rows(quat_to_mat3(random_quat(&r)), random_vec3(&r, 0.5), vec3(0, 0, 0), rows, bias);
    for (int i = 0; i < 36; i++)
        l->mass[i / 6 * LINKED + i % 6] = own[i];
    for (int i = 0; i < 18; i++)
        l->rows[i / 6 * LINKED + i % 6] = rows[i];
    for (int i = FREE_MASS; i < LINKED; i++) {
        l->mass[i * (LINKED + 1)] = i < PARTICLE ? 2.5 : 1.3;
        l->row[i] = i < PARTICLE ? random_number(&seed) : -l->row[i - 3];
    }
    for (int i = 0; i < PARTICLE; i++)
        l->v[i] = random_number(&seed);
    attachment_velocity(&l->particle, LINKED, l->v);
}

/* Solves M v' - G' mu - g' phi = M v, v_k' + G_k v' = 0, g v' = gamma by LU: v', then phi. */
static void project_whole(const Linked *l, double gamma, double *solution)
{
    enum { ALL = LINKED + 3 + 1 };
    double m[ALL * ALL] = {0}, y[ALL] = {0};
    int exchange[ALL];
    for (int i = 0; i < LINKED; i++)
        for (int j = 0; j < LINKED; j++) {
            m[i * ALL + j] = l->mass[i * LINKED + j];
            y[i] += l->mass[i * LINKED + j] * l->v[j];
        }
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < LINKED; j++) {
            double entry = k < 3 ? l->rows[k * LINKED + j] + (j == PARTICLE + k) : l->row[j];
            m[(LINKED + k) * ALL + j] = entry;
            m[j * ALL + LINKED + k] = -entry;
        }
    y[ALL - 1] = gamma;
    assert_int_equal(lu_factor(m, ALL, exchange), ALL);
    lu_solve(m, exchange, ALL, y);
    memcpy(solution, y, LINKED * sizeof *solution);
    solution[LINKED] = y[ALL - 1];
}

/* Writes the inverse of the block of M in rows and columns [from, from + size). */
static void invert_block(const double *mass, int from, int size, double *inverse)
{
    double block[36], column[6];
    int exchange[6];
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < size * size; i++)
            block[i] = mass[(from + i / size) * LINKED + from + i % size];
        assert_int_equal(lu_factor(block, size, exchange), size);
        for (int i = 0; i < size; i++)
            column[i] = i == j;
        lu_solve(block, exchange, size, column);
        for (int i = 0; i < size; i++)
            inverse[(from + i) * LINKED + from + j] = column[i];
    }
}

/* 0.20: a single row, with the masters' own inverses, changes velocities like the full system under that row. */
TEST(single_row_projects_velocities)
{
    const double gamma = 0.4, min = -INFINITY;
    const GaussSeidelDef def = gauss_seidel_default_def();
    double force[LINKED] = {0}, inverse[LINKED * LINKED] = {0}, expected[LINKED + 1];
    double right = 0, impulse = 0, response[LINKED] = {0};
    Linked l;
    make_linked(&l);
    project_whole(&l, gamma, expected);
    DenseSystem s = {LINKED, 1, l.mass, force, l.row, &right};
    attachment_reduce(&s, &l.particle);
    invert_block(l.mass, 0, 6, inverse);
    invert_block(l.mass, FREE_MASS, 3, inverse);
    for (int i = 0; i < LINKED * LINKED; i++)
        response[i / LINKED] += inverse[i] * l.row[i % LINKED];
    GaussSeidelRows row = {.size = LINKED, .count = 1, .rows = l.row, .response = response, .target = &gamma,
                           .min = &min};
    assert_int_equal(gauss_seidel_rows(&row, &def, l.v, &impulse, NULL, NULL), STATUS_OK);
    attachment_velocity(&l.particle, LINKED, l.v);
    for (int i = 0; i < LINKED; i++)
        assert_near(l.v[i], expected[i], 1e-10);
    assert_near(impulse, expected[LINKED], 1e-10);
}
