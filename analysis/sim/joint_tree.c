/* Cost: about 800 multiplications a body to factor, 150 to solve. */
#include "analysis/sim/joint_tree.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/dense_factor.h"

Status joint_tree_init(JointTree *t, int body_count, Error *err)
{
    *t = (JointTree){.body_count = body_count};
    t->body = array_new((size_t)body_count, 1, sizeof *t->body);
    if (!t->body)
        return error_no_memory(err);
    for (int i = 0; i < body_count; i++)
        t->body[i].parent = -1;
    return joint_tree_arrange(t, err);
}

void joint_tree_free(JointTree *t)
{
    if (!t)
        return;
    free(t->body);
    *t = (JointTree){0};
}

Status joint_tree_arrange(JointTree *t, Error *err)
{
    t->row_count = 0;
    for (int i = 0; i < t->body_count; i++) {
        t->body[i].row_start = t->row_count;
        t->row_count += t->body[i].row_count;
        if (t->body[i].parent >= i)
            return error_set(err, STATUS_USAGE, "body %d hangs on body %d: the tree is not in order", i,
                             t->body[i].parent);
    }
    return STATUS_OK;
}

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void add6(double *to, double scale, const double *a)
{
    for (int k = 0; k < 6; k++)
        to[k] += scale * a[k];
}

/* L of n rows for the solves below: a diagonal of reciprocals, for these are many and divisions slow. */
static int factor_block(double *a, int n)
{
    int done = cholesky_factor(a, n);
    for (int i = 0; done == n && i < n; i++)
        a[i * n + i] = 1 / a[i * n + i];
    return done == n;
}

/* Solves L L' x = b in place of b. */
static inline void solve_block(const double *l, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= l[i * n + k] * b[k];
        b[i] *= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] *= l[i * n + i];
        for (int k = 0; k < i; k++)
            b[k] -= l[i * n + k] * b[i];
    }
}

static void solve_body(const TreeBody *b, double *v) { solve_block(b->mass, 6, v); }

static void solve_joint(const TreeBody *b, double *lambda)
{
    if (b->row_count == 3)
        solve_block(b->schur, 3, lambda);
    else
        solve_block(b->schur, b->row_count, lambda);
}

/* S = G_c M^-1 G_c' + R, factored; a driven child responds to nothing. */
static int factor_joint(TreeBody *b)
{
    int n = b->row_count;
    memcpy(b->response, b->child_rows, sizeof b->response);
    for (int i = 0; i < n; i++) {
        if (b->driven)
            memset(b->response + 6 * i, 0, 6 * sizeof *b->response);
        else
            solve_body(b, b->response + 6 * i);
        for (int j = 0; j <= i; j++)
            b->schur[i * n + j] = dot6(b->child_rows + 6 * j, b->response + 6 * i);
        b->schur[i * n + i] += b->compliance[i];
    }
    return factor_block(b->schur, n);
}

/* M_p += G_p' S^-1 G_p = W'W, W = L^-1 G_p. */
static void add_to_parent(const TreeBody *b, TreeBody *parent)
{
    int n = b->row_count;
    double w[36];
    for (int i = 0; i < n; i++) {
        double *row = w + 6 * i;
        memcpy(row, b->parent_rows + 6 * i, 6 * sizeof *row);
        for (int j = 0; j < i; j++)
            add6(row, -b->schur[i * n + j], w + 6 * j);
        for (int k = 0; k < 6; k++)
            row[k] *= b->schur[i * n + i];
    }
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 6; r++)
            add6(parent->mass + 6 * r, w[6 * i + r], w + 6 * i);
}

Status joint_tree_factor(JointTree *t, Error *err)
{
    for (int i = t->body_count - 1; i >= 0; i--) {
        TreeBody *b = &t->body[i];
        if (!b->driven && !factor_block(b->mass, 6))
            return error_set(err, STATUS_NO_RESULT, "nothing resists the motion of body %d: its mass is singular", i);
        if (b->row_count && !factor_joint(b))
            return error_set(err, STATUS_NO_RESULT, "the joint of body %d holds what is held already", i);
        if (b->parent >= 0 && !t->body[b->parent].driven)
            add_to_parent(b, &t->body[b->parent]);
    }
    return STATUS_OK;
}

static int is_zero(const double *a, int n)
{
    int k = 0;
    while (k < n && a[k] == 0)
        k++;
    return k == n;
}

/* Leaves to roots: v becomes M^-1 b of what is left, the multipliers S^-1 (g - G_c M^-1 b), and the parent's b gains
 * G_p' times these. */
static void eliminate(const JointTree *t, int body, double *y, double *lambda)
{
    const TreeBody *b = &t->body[body];
    double *v = y + 6 * body;
    if (is_zero(v, 6) && is_zero(lambda, b->row_count))
        return; /* a push on one leg leaves the other to the way back */
    if (!b->driven)
        solve_body(b, v);
    for (int i = 0; i < b->row_count; i++)
        lambda[i] -= dot6(b->child_rows + 6 * i, v);
    solve_joint(b, lambda);
    if (b->parent < 0 || t->body[b->parent].driven)
        return;
    for (int i = 0; i < b->row_count; i++)
        add6(y + 6 * b->parent, lambda[i], b->parent_rows + 6 * i);
}

/* Roots to leaves: lambda -= S^-1 G_p v_p, v += M^-1 G_c' lambda. */
static void substitute(const JointTree *t, int body, double *y, double *lambda)
{
    const TreeBody *b = &t->body[body];
    double correction[6];
    for (int i = 0; b->parent >= 0 && i < b->row_count; i++)
        correction[i] = dot6(b->parent_rows + 6 * i, y + 6 * b->parent);
    if (b->parent >= 0)
        solve_joint(b, correction);
    for (int i = 0; i < b->row_count; i++) {
        lambda[i] -= b->parent >= 0 ? correction[i] : 0;
        add6(y + 6 * body, lambda[i], b->response + 6 * i);
    }
}

void joint_tree_solve_part(const JointTree *t, const char *part, double *y)
{
    double *lambda = y + 6 * (size_t)t->body_count;
    for (int i = t->body_count - 1; i >= 0; i--)
        if (!part || part[i])
            eliminate(t, i, y, lambda + t->body[i].row_start);
    for (int i = 0; i < t->body_count; i++)
        if (!part || part[i])
            substitute(t, i, y, lambda + t->body[i].row_start);
}

void joint_tree_solve(const void *tree, double *y) { joint_tree_solve_part(tree, NULL, y); }
