/* See chain_qp.h. Reduced unknowns: u, the coordinates of each force in the basis of its face; f = B u. */
#include "analysis/solve/chain_qp.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/solve/chain_kernel.h"

typedef struct Workspace {
    FrictionCone cone;
    ChainKernel kernel;
    int *face;        /* [contact] */
    int *next_face;   /* [contact] */
    int *start;       /* [frame + 1] first reduced unknown of a frame */
    size_t *factor_at, *coupling_at; /* [frame] start of the blocks below */
    double *factor;   /* [frame] U_t, d_t x d_t */
    double *coupling; /* [frame] X_t = U_(t-1)'^-1 C_t, d_(t-1) x d_t */
    double *unknown;  /* [reduced unknown] */
    double *scale;    /* [contact] largest curvature along the contact */
    Vec3 *gradient;   /* [contact] */
    Vec3 *target;     /* [contact] minimum on the faces */
    Vec3 *trial;      /* [contact] */
    Vec3 *trial_gradient;
} Workspace;

ChainQpDef chain_qp_default_def(void)
{
    return (ChainQpDef){.friction = 0.8, .tolerance = 1e-10, .max_iterations = 100, .lanes = LANES_AUTO};
}

Status chain_qp_init(ChainQp *qp, int frame_count, int slot_count, size_t contact_count, size_t hessian_count, Error *err)
{
    *qp = (ChainQp){.frame_count = frame_count, .slot_count = slot_count};
    qp->first = array_new((size_t)frame_count + 1, 1, sizeof *qp->first);
    qp->slot = array_new(contact_count, 1, sizeof *qp->slot);
    qp->block = array_new((size_t)frame_count + 1, 1, sizeof *qp->block);
    qp->hessian = array_new(hessian_count, 1, sizeof *qp->hessian);
    qp->linear = array_new(contact_count, 1, sizeof *qp->linear);
    if (!qp->first || !qp->slot || !qp->block || !qp->hessian || !qp->linear) {
        chain_qp_free(qp);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void chain_qp_free(ChainQp *qp)
{
    if (!qp)
        return;
    free(qp->first);
    free(qp->slot);
    free(qp->block);
    free(qp->hessian);
    free(qp->linear);
    *qp = (ChainQp){0};
}

static int contacts_of(const ChainQp *qp, int t) { return qp->first[t + 1] - qp->first[t]; }

static void workspace_free(Workspace *w)
{
    free(w->face);
    free(w->next_face);
    free(w->start);
    free(w->factor_at);
    free(w->coupling_at);
    free(w->factor);
    free(w->coupling);
    free(w->unknown);
    free(w->scale);
    free(w->gradient);
    free(w->target);
    free(w->trial);
    free(w->trial_gradient);
}

/* Room for the largest case: every contact free to move in three directions. */
static Status workspace_init(Workspace *w, const ChainQp *qp, const ChainQpDef *def, Error *err)
{
    size_t frames = (size_t)qp->frame_count, contacts = (size_t)qp->first[qp->frame_count];
    size_t couplings = 0;
    for (int t = 1; t < qp->frame_count; t++)
        couplings += 9 * (size_t)contacts_of(qp, t - 1) * (size_t)contacts_of(qp, t);
    *w = (Workspace){0};
    friction_cone_init(&w->cone, def->friction);
    w->face = array_new(contacts, 1, sizeof *w->face);
    w->next_face = array_new(contacts, 1, sizeof *w->next_face);
    w->start = array_new(frames + 1, 1, sizeof *w->start);
    w->factor_at = array_new(frames + 1, 1, sizeof *w->factor_at);
    w->coupling_at = array_new(frames + 1, 1, sizeof *w->coupling_at);
    w->factor = array_new(qp->block[frames], 1, sizeof *w->factor);
    w->coupling = array_new(couplings, 1, sizeof *w->coupling);
    w->unknown = array_new(3 * contacts, 1, sizeof *w->unknown);
    w->scale = array_new(contacts, 1, sizeof *w->scale);
    w->gradient = array_new(contacts, 1, sizeof *w->gradient);
    w->target = array_new(contacts, 1, sizeof *w->target);
    w->trial = array_new(contacts, 1, sizeof *w->trial);
    w->trial_gradient = array_new(contacts, 1, sizeof *w->trial_gradient);
    if (!w->face || !w->next_face || !w->start || !w->factor_at || !w->coupling_at || !w->factor || !w->coupling ||
        !w->unknown || !w->scale || !w->gradient || !w->target || !w->trial || !w->trial_gradient) {
        workspace_free(w);
        return error_no_memory(err);
    }
    switch (lane_width_choose(def->lanes)) {
    case LANES_AVX512: w->kernel = chain_kernel_avx512(); break;
    case LANES_AVX2: w->kernel = chain_kernel_avx2(); break;
    case LANES_SSE2: w->kernel = chain_kernel_sse2(); break;
    default: w->kernel = chain_kernel_scalar(); break;
    }
    return STATUS_OK;
}

/* How many neighbours in time a frame is tied to: 0, 1 or 2. */
static int ties(const ChainQp *qp, int t) { return (t > 0) + (t < qp->frame_count - 1); }

static Vec3 times(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* gradient = H f + h + smoothing, and the same over the whole chain. */
static void chain_gradient(const ChainQp *qp, const ChainKernel *kernel, const Vec3 *force, Vec3 *gradient)
{
    for (int t = 0; t < qp->frame_count; t++) {
        int first = qp->first[t], n = contacts_of(qp, t);
        for (int c = first; c < first + n; c++)
            gradient[c] = vec3_add(qp->linear[c], vec3_scale(times(qp->smooth, force[c]), ties(qp, t)));
        kernel->multiply_add(qp->hessian + qp->block[t], 3 * n, &force[first].x, &gradient[first].x);
        if (t == 0)
            continue;
        for (int a = qp->first[t - 1], b = first; a < first && b < first + n;) {
            if (qp->slot[a] < qp->slot[b]) {
                a++;
            } else if (qp->slot[a] > qp->slot[b]) {
                b++;
            } else {
                gradient[b] = vec3_sub(gradient[b], times(qp->smooth, force[a]));
                gradient[a] = vec3_sub(gradient[a], times(qp->smooth, force[b]));
                a++;
                b++;
            }
        }
    }
}

/* Largest diagonal entry of a contact's own 3x3 block, times 3: bounds its curvature. */
static void measure_scale(const ChainQp *qp, double *scale)
{
    double most = fmax(qp->smooth.x, fmax(qp->smooth.y, qp->smooth.z));
    for (int t = 0; t < qp->frame_count; t++) {
        size_t width = 3 * (size_t)contacts_of(qp, t);
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            const double *h = qp->hessian + qp->block[t];
            size_t i = 3 * (size_t)(c - qp->first[t]);
            scale[c] = h[i * width + i] + h[(i + 1) * width + i + 1] + h[(i + 2) * width + i + 2] + ties(qp, t) * most;
        }
    }
}

/* Entry of the diagonal block between two basis vectors of contacts a, b (index inside the frame). */
static double reduced_entry(const double *h, size_t width, int a, Vec3 p, int b, Vec3 q)
{
    const double *row = h + 3 * (size_t)a * width + 3 * (size_t)b;
    return p.x * (row[0] * q.x + row[1] * q.y + row[2] * q.z) +
           p.y * (row[width] * q.x + row[width + 1] * q.y + row[width + 2] * q.z) +
           p.z * (row[2 * width] * q.x + row[2 * width + 1] * q.y + row[2 * width + 2] * q.z);
}

/* B' (H_t + smoothing) B, upper triangle. */
static void reduce_block(const ChainQp *qp, const Workspace *w, int t, double *out, int d)
{
    const double *h = qp->hessian + qp->block[t];
    int first = qp->first[t], n = contacts_of(qp, t), row = 0;
    for (int a = 0; a < n; a++) {
        int face_a = w->face[first + a];
        for (int i = 0; i < w->cone.dimension[face_a]; i++, row++) {
            Vec3 p = w->cone.basis[face_a][i];
            int column = row;
            for (int b = a; b < n; b++) {
                int face_b = w->face[first + b];
                for (int j = b == a ? i : 0; j < w->cone.dimension[face_b]; j++, column++) {
                    Vec3 q = w->cone.basis[face_b][j];
                    double entry = reduced_entry(h, 3 * (size_t)n, a, p, b, q);
                    if (a == b)
                        entry += ties(qp, t) * vec3_dot(p, times(qp->smooth, q));
                    out[(size_t)row * (size_t)d + (size_t)column] = entry;
                }
            }
        }
    }
}

/* C_t = -B_(t-1)' smooth B_t over the slots that both frames have. */
static void reduce_coupling(const ChainQp *qp, const Workspace *w, int t, double *out, int d)
{
    int row = 0, b = qp->first[t], column = 0;
    for (int a = qp->first[t - 1]; a < qp->first[t]; a++) {
        int rows = w->cone.dimension[w->face[a]];
        while (b < qp->first[t + 1] && qp->slot[b] < qp->slot[a])
            column += w->cone.dimension[w->face[b++]];
        if (b < qp->first[t + 1] && qp->slot[b] == qp->slot[a])
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < w->cone.dimension[w->face[b]]; j++)
                    out[(size_t)(row + i) * (size_t)d + (size_t)(column + j)] =
                        -vec3_dot(w->cone.basis[w->face[a]][i], times(qp->smooth, w->cone.basis[w->face[b]][j]));
        row += rows;
    }
}

/* Block Cholesky along the chain: U_t'U_t = A_t - X_t'X_t, X_t = U_(t-1)'^-1 C_t. */
static int factorize(const ChainQp *qp, Workspace *w)
{
    size_t factor_at = 0, coupling_at = 0;
    int before = 0;
    w->start[0] = 0;
    for (int t = 0; t < qp->frame_count; t++) {
        int d = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            d += w->cone.dimension[w->face[c]];
        w->start[t + 1] = w->start[t] + d;
        w->factor_at[t] = factor_at;
        w->coupling_at[t] = coupling_at;
        double *u = w->factor + factor_at;
        reduce_block(qp, w, t, u, d);
        if (t > 0 && before > 0 && d > 0) {
            double *x = w->coupling + coupling_at;
            memset(x, 0, (size_t)before * (size_t)d * sizeof *x);
            reduce_coupling(qp, w, t, x, d);
            w->kernel.solve_transposed(w->factor + w->factor_at[t - 1], before, x, d);
            w->kernel.subtract_square(u, d, x, before);
        }
        if (!w->kernel.cholesky(u, d))
            return 0;
        factor_at += (size_t)d * (size_t)d;
        coupling_at += (size_t)before * (size_t)d;
        before = d;
    }
    return 1;
}

/* Forward and backward substitution; unknown holds -B'h on entry and u on return. */
static void substitute(const ChainQp *qp, Workspace *w)
{
    for (int t = 0; t < qp->frame_count; t++) {
        int d = w->start[t + 1] - w->start[t];
        double *z = w->unknown + w->start[t];
        if (t > 0) {
            int before = w->start[t] - w->start[t - 1];
            const double *x = w->coupling + w->coupling_at[t], *earlier = w->unknown + w->start[t - 1];
            for (int i = 0; i < before; i++)
                for (int j = 0; j < d; j++)
                    z[j] -= x[(size_t)i * (size_t)d + (size_t)j] * earlier[i];
        }
        w->kernel.solve_transposed(w->factor + w->factor_at[t], d, z, 1);
    }
    for (int t = qp->frame_count - 1; t >= 0; t--) {
        int d = w->start[t + 1] - w->start[t];
        double *z = w->unknown + w->start[t];
        const double *u = w->factor + w->factor_at[t];
        if (t < qp->frame_count - 1) {
            int after = w->start[t + 2] - w->start[t + 1];
            const double *x = w->coupling + w->coupling_at[t + 1], *later = w->unknown + w->start[t + 1];
            for (int i = 0; i < d; i++)
                for (int j = 0; j < after; j++)
                    z[i] -= x[(size_t)i * (size_t)after + (size_t)j] * later[j];
        }
        for (int i = d - 1; i >= 0; i--) {
            for (int j = i + 1; j < d; j++)
                z[i] -= u[(size_t)i * (size_t)d + (size_t)j] * z[j];
            z[i] /= u[(size_t)i * (size_t)d + (size_t)i];
        }
    }
}

/* The minimum with every force on its present face, into target. */
static int minimize_on_faces(const ChainQp *qp, Workspace *w)
{
    if (!factorize(qp, w))
        return 0;
    int contacts = qp->first[qp->frame_count], k = 0;
    for (int c = 0; c < contacts; c++)
        for (int i = 0; i < w->cone.dimension[w->face[c]]; i++)
            w->unknown[k++] = -vec3_dot(w->cone.basis[w->face[c]][i], qp->linear[c]);
    substitute(qp, w);
    k = 0;
    for (int c = 0; c < contacts; c++) {
        w->target[c] = vec3(0, 0, 0);
        for (int i = 0; i < w->cone.dimension[w->face[c]]; i++)
            w->target[c] = vec3_mad(w->target[c], w->unknown[k++], w->cone.basis[w->face[c]][i]);
    }
    return 1;
}

/* Moves force towards target, projected on the cones, as far as the objective falls; 0 when no step helps. */
static int step(const ChainQp *qp, Workspace *w, Vec3 *force)
{
    int contacts = qp->first[qp->frame_count], face;
    for (double fraction = 1; fraction > 1e-6; fraction /= 2) {
        for (int c = 0; c < contacts; c++)
            w->trial[c] = friction_cone_project(
                &w->cone, vec3_mad(force[c], fraction, vec3_sub(w->target[c], force[c])), &face);
        chain_gradient(qp, &w->kernel, w->trial, w->trial_gradient);
        /* The objective is quadratic: its change is the mean gradient times the step. */
        double change = 0;
        for (int c = 0; c < contacts; c++)
            change += 0.5 * vec3_dot(vec3_add(w->gradient[c], w->trial_gradient[c]), vec3_sub(w->trial[c], force[c]));
        if (change < 0) {
            memcpy(force, w->trial, (size_t)contacts * sizeof *force);
            memcpy(w->gradient, w->trial_gradient, (size_t)contacts * sizeof *force);
            return 1;
        }
    }
    return 0;
}

/* Names the next face of every contact; returns the residual of the optimality conditions. */
static double choose_faces(const ChainQp *qp, Workspace *w, const Vec3 *force, int *changed)
{
    double residual = 0;
    *changed = 0;
    for (int c = 0; c < qp->first[qp->frame_count]; c++) {
        Vec3 y = vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]);
        Vec3 p = friction_cone_project(&w->cone, y, &w->next_face[c]);
        residual = fmax(residual, vec3_distance(p, force[c]));
        *changed += w->next_face[c] != w->face[c];
    }
    return residual;
}

/* One sweep of projected gradient steps, contact by contact in a block: never raises the objective, and leaves a
 * cycle of faces behind. */
static void relax(const ChainQp *qp, Workspace *w, Vec3 *force)
{
    int face;
    for (int c = 0; c < qp->first[qp->frame_count]; c++)
        w->target[c] = friction_cone_project(&w->cone, vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]), &face);
    step(qp, w, force);
}

Status chain_qp_solve(const ChainQp *qp, const ChainQpDef *def, Vec3 *force, ChainQpResult *result, Error *err)
{
    Workspace w;
    Status status = workspace_init(&w, qp, def, err);
    if (status)
        return status;
    int contacts = qp->first[qp->frame_count], changed = 0, iteration = 0;
    double residual;
    for (int c = 0; c < contacts; c++)
        force[c] = friction_cone_project(&w.cone, force[c], &w.face[c]);
    measure_scale(qp, w.scale);
    chain_gradient(qp, &w.kernel, force, w.gradient);
    residual = choose_faces(qp, &w, force, &changed);
    while (residual > def->tolerance && iteration < def->max_iterations) {
        memcpy(w.face, w.next_face, (size_t)contacts * sizeof *w.face);
        if (!minimize_on_faces(qp, &w)) {
            status = error_set(err, STATUS_NO_RESULT, "contact problem is not positive definite");
            break;
        }
        if (!step(qp, &w, force))
            relax(qp, &w, force);
        residual = choose_faces(qp, &w, force, &changed);
        iteration++;
    }
    if (!status && residual > def->tolerance)
        status = error_set(err, STATUS_NO_RESULT, "contact problem did not converge: residual %.3g after %d iterations",
                           residual, iteration);
    if (result)
        *result = (ChainQpResult){.iterations = iteration, .residual = residual};
    workspace_free(&w);
    return status;
}
