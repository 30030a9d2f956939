/* See chain_qp.h. Reduced unknowns: u, the coordinates of each force in the basis of its face; f = B u. */
#include "analysis/solve/chain_qp.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/solve/chain_kernel.h"

typedef struct Workspace {
    FrictionCone cone;
    ChainKernel kernel;
    int *face;        /* [contact] */
    int *free;        /* [frame] d_t: reduced unknowns */
    size_t *factor_at, *coupling_at, *unknown_at; /* [frame] start of the blocks below */
    double *factor;   /* [frame] U_t and the right side, d_t rows (chain_kernel.h) */
    double *coupling; /* [frame] X_t = U_(t-1)'^-1 C_t, d_(t-1) rows */
    double *unknown;  /* [frame] u, padded with zeros */
    int *begin;       /* [reduced unknown] first row of its column in X_t, of the frame being factorised */
    double *row;      /* [reduced unknown] a row of H on a face */
    char *changed;    /* [frame] a face differs from the one that was solved for last */
    double *scale;    /* [contact] largest curvature along the contact */
    Vec3 *gradient;   /* [contact] */
    Vec3 *target;     /* [contact] minimum on the faces */
    Vec3 *trial;      /* [contact] */
    Vec3 *trial_gradient;
    long frames_solved;
} Workspace;

/* Frames [begin, end), solved with the forces outside held. */
typedef struct Window {
    int begin, end;
} Window;

enum {
    WINDOW_STEPS = 6,   /* pivoting steps in a window before the whole chain is solved again */
    WINDOW_MARGIN = 12, /* frames on either side of those whose faces change */
};

ChainQpDef chain_qp_default_def(void)
{
    return (ChainQpDef){.friction = 0.8, .tolerance = 1e-10, .max_rounds = 100, .lanes = LANES_AUTO};
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
    free(w->free);
    free(w->factor_at);
    free(w->coupling_at);
    free(w->unknown_at);
    free(w->factor);
    free(w->coupling);
    free(w->unknown);
    free(w->begin);
    free(w->row);
    free(w->scale);
    free(w->changed);
    free(w->gradient);
    free(w->target);
    free(w->trial);
    free(w->trial_gradient);
}

/* Room for the largest case: every contact free to move in three directions. */
static Status workspace_init(Workspace *w, const ChainQp *qp, const ChainQpDef *def, Error *err)
{
    size_t frames = (size_t)qp->frame_count, contacts = (size_t)qp->first[qp->frame_count];
    size_t factors = 0, couplings = 0, unknowns = 0, widest = 0;
    for (int t = 0; t < qp->frame_count; t++) {
        size_t d = 3 * (size_t)contacts_of(qp, t), stride = (size_t)chain_stride((int)d);
        factors += d * stride;
        couplings += t > 0 ? 3 * (size_t)contacts_of(qp, t - 1) * stride : 0;
        unknowns += stride;
        widest = d > widest ? d : widest;
    }
    *w = (Workspace){0};
    friction_cone_init(&w->cone, def->friction);
    w->face = array_new(contacts, 1, sizeof *w->face);
    w->free = array_new(frames, 1, sizeof *w->free);
    w->factor_at = array_new(frames, 1, sizeof *w->factor_at);
    w->coupling_at = array_new(frames, 1, sizeof *w->coupling_at);
    w->unknown_at = array_new(frames, 1, sizeof *w->unknown_at);
    w->factor = array_new_aligned(factors, 1, sizeof *w->factor);
    w->coupling = array_new_aligned(couplings, 1, sizeof *w->coupling);
    w->unknown = array_new_aligned(unknowns, 1, sizeof *w->unknown);
    w->begin = array_new(widest, 1, sizeof *w->begin);
    w->row = array_new(widest, 1, sizeof *w->row);
    w->changed = array_new(frames, 1, sizeof *w->changed);
    w->scale = array_new(contacts, 1, sizeof *w->scale);
    w->gradient = array_new(contacts, 1, sizeof *w->gradient);
    w->target = array_new(contacts, 1, sizeof *w->target);
    w->trial = array_new(contacts, 1, sizeof *w->trial);
    w->trial_gradient = array_new(contacts, 1, sizeof *w->trial_gradient);
    if (!w->face || !w->free || !w->factor_at || !w->coupling_at || !w->unknown_at || !w->factor || !w->coupling ||
        !w->unknown || !w->begin || !w->row || !w->scale || !w->changed || !w->gradient || !w->target || !w->trial ||
        !w->trial_gradient) {
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

/* Subtracts smooth f over the slots that frames t and other share: the pull of a neighbour on frame t. */
static void add_pull(const ChainQp *qp, int t, int other, const Vec3 *force, Vec3 *gradient)
{
    for (int a = qp->first[other], b = qp->first[t]; a < qp->first[other + 1] && b < qp->first[t + 1];) {
        if (qp->slot[a] < qp->slot[b]) {
            a++;
        } else if (qp->slot[a] > qp->slot[b]) {
            b++;
        } else {
            gradient[b] = vec3_sub(gradient[b], times(qp->smooth, force[a]));
            a++;
            b++;
        }
    }
}

/* gradient = H f + h + smoothing, in the window. */
static void window_gradient(const ChainQp *qp, const ChainKernel *kernel, Window window, const Vec3 *force, Vec3 *gradient)
{
    for (int t = window.begin; t < window.end; t++) {
        int first = qp->first[t], n = contacts_of(qp, t);
        for (int c = first; c < first + n; c++)
            gradient[c] = vec3_add(qp->linear[c], vec3_scale(times(qp->smooth, force[c]), ties(qp, t)));
        kernel->multiply_add(qp->hessian + qp->block[t], 3 * n, &force[first].x, &gradient[first].x);
        if (t > 0)
            add_pull(qp, t, t - 1, force, gradient);
        if (t < qp->frame_count - 1)
            add_pull(qp, t, t + 1, force, gradient);
    }
}

/* Half the trace of a contact's own 3x3 block: near its largest curvature. */
static void measure_scale(const ChainQp *qp, double *scale)
{
    double most = fmax(qp->smooth.x, fmax(qp->smooth.y, qp->smooth.z));
    for (int t = 0; t < qp->frame_count; t++) {
        size_t width = 3 * (size_t)contacts_of(qp, t);
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            const double *h = qp->hessian + qp->block[t];
            size_t i = 3 * (size_t)(c - qp->first[t]);
            scale[c] = 0.5 * (h[i * width + i] + h[(i + 1) * width + i + 1] + h[(i + 2) * width + i + 2]) + ties(qp, t) * most;
        }
    }
}

/* out[columns of b] = row Bb for contact b of a row of Ba' H. */
static void reduce_row(const FrictionCone *cone, const double *row, int face, double *out)
{
    const Vec3 *basis = cone->basis[face];
    if (face == FACE_INTERIOR) {
        out[0] = row[0];
        out[1] = row[1];
        out[2] = row[2];
        return;
    }
    for (int j = 0; j < cone->dimension[face]; j++)
        out[j] = row[0] * basis[j].x + row[1] * basis[j].y + row[2] * basis[j].z;
}

/* out[columns] = basis' of three rows of H, from column `from` on. */
static void combine_rows(const double *h, size_t width, size_t from, Vec3 basis, double *out)
{
    for (size_t k = from; k < width; k++)
        out[k] = basis.x * h[k] + basis.y * h[width + k] + basis.z * h[2 * width + k];
}

/* B' (H_t + smoothing) B, upper triangle of blocks, and -B' target beside it. */
static void reduce_block(const ChainQp *qp, const Workspace *w, int t, double *out, int d)
{
    int first = qp->first[t], n = contacts_of(qp, t), row = 0;
    size_t width = 3 * (size_t)n, stride = (size_t)chain_stride(d);
    Vec3 tied = vec3_scale(qp->smooth, ties(qp, t));
    for (int a = 0; a < n; a++) {
        int face = w->face[first + a], rows = w->cone.dimension[face];
        const double *h = qp->hessian + qp->block[t] + 3 * (size_t)a * width;
        const Vec3 *basis = w->cone.basis[face];
        for (int i = 0; i < rows; i++) {
            double *to = out + (size_t)(row + i) * stride;
            const double *from = h + (size_t)i * width;
            if (face != FACE_INTERIOR) {
                combine_rows(h, width, 3 * (size_t)a, basis[i], w->row);
                from = w->row;
            }
            for (int b = a, column = row; b < n; column += w->cone.dimension[w->face[first + b++]])
                reduce_row(&w->cone, from + 3 * (size_t)b, w->face[first + b], to + column);
            for (int j = i; j < rows; j++)
                to[row + j] += vec3_dot(basis[i], times(tied, basis[j]));
            to[d] = -vec3_dot(basis[i], w->target[first + a]);
        }
        row += rows;
    }
}

/* C_t = -B_(t-1)' smooth B_t over the slots that both frames have; slots increase, so it is a staircase. */
static void reduce_coupling(const ChainQp *qp, const Workspace *w, int t, double *out, int d)
{
    int row = 0, a = qp->first[t - 1], column = 0;
    size_t stride = (size_t)chain_stride(d);
    for (int b = qp->first[t]; b < qp->first[t + 1]; b++) {
        int face = w->face[b], columns = w->cone.dimension[face];
        while (a < qp->first[t] && qp->slot[a] < qp->slot[b])
            row += w->cone.dimension[w->face[a++]];
        for (int j = 0; j < columns; j++)
            w->begin[column + j] = row;
        if (a < qp->first[t] && qp->slot[a] == qp->slot[b])
            for (int i = 0; i < w->cone.dimension[w->face[a]]; i++)
                for (int j = 0; j < columns; j++)
                    out[(size_t)(row + i) * stride + (size_t)(column + j)] =
                        -vec3_dot(w->cone.basis[w->face[a]][i], times(qp->smooth, w->cone.basis[face][j]));
        column += columns;
    }
}

/* X_t = U_(t-1)'^-1 C_t, and the solved right side of the frame before beside it. */
static void couple_frames(const ChainQp *qp, Workspace *w, int t, double *x)
{
    int before = w->free[t - 1], d = w->free[t];
    size_t stride = (size_t)chain_stride(d), stride_before = (size_t)chain_stride(before);
    const double *earlier = w->factor + w->factor_at[t - 1];
    memset(x, 0, (size_t)before * stride * sizeof *x);
    reduce_coupling(qp, w, t, x, d);
    w->kernel.solve_transposed(earlier, before, x, d, w->begin);
    for (size_t i = 0; i < (size_t)before; i++)
        x[i * stride + (size_t)d] = earlier[i * stride_before + (size_t)before];
}

/* Block Cholesky along the chain with forward substitution: U_t'U_t = A_t - X_t'X_t, X_t = U_(t-1)'^-1 C_t. */
static int factorize(const ChainQp *qp, Workspace *w, Window window)
{
    size_t factor_at = 0, coupling_at = 0, unknown_at = 0;
    for (int t = window.begin; t < window.end; t++) {
        int d = 0, before = t > window.begin ? w->free[t - 1] : 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            d += w->cone.dimension[w->face[c]];
        size_t stride = (size_t)chain_stride(d);
        w->free[t] = d;
        w->factor_at[t] = factor_at;
        w->coupling_at[t] = coupling_at;
        w->unknown_at[t] = unknown_at;
        double *u = w->factor + factor_at, *x = w->coupling + coupling_at;
        memset(u, 0, (size_t)d * stride * sizeof *u);
        reduce_block(qp, w, t, u, d);
        if (before > 0 && d > 0)
            couple_frames(qp, w, t, x);
        if (!w->kernel.factor(u, d, x, before, w->begin))
            return 0;
        factor_at += (size_t)d * stride;
        coupling_at += (size_t)before * stride;
        unknown_at += stride;
    }
    return 1;
}

static void substitute_back(Workspace *w, Window window)
{
    for (int t = window.end - 1; t >= window.begin; t--) {
        int d = w->free[t], after = t < window.end - 1 ? w->free[t + 1] : 0;
        double *z = w->unknown + w->unknown_at[t];
        const double *x = after ? w->coupling + w->coupling_at[t + 1] : NULL;
        const double *z_after = after ? w->unknown + w->unknown_at[t + 1] : NULL;
        w->kernel.back_substitute(w->factor + w->factor_at[t], d, x, after, z_after, z);
        memset(z + d, 0, (size_t)(chain_stride(d) - d) * sizeof *z);
    }
}

/* The minimum over the window with every force on its present face, into target. */
static int minimize_on_faces(const ChainQp *qp, Workspace *w, Window window, const Vec3 *force)
{
    int begin = qp->first[window.begin], end = qp->first[window.end];
    memcpy(w->target + begin, qp->linear + begin, (size_t)(end - begin) * sizeof *w->target);
    if (window.begin > 0)
        add_pull(qp, window.begin, window.begin - 1, force, w->target);
    if (window.end < qp->frame_count)
        add_pull(qp, window.end - 1, window.end, force, w->target);
    if (!factorize(qp, w, window))
        return 0;
    substitute_back(w, window);
    for (int t = window.begin; t < window.end; t++) {
        const double *z = w->unknown + w->unknown_at[t];
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            Vec3 f = {0, 0, 0};
            for (int i = 0; i < w->cone.dimension[w->face[c]]; i++)
                f = vec3_mad(f, *z++, w->cone.basis[w->face[c]][i]);
            w->target[c] = f;
        }
    }
    return 1;
}

/* Moves the window's forces towards target, projected on the cones, as far as the objective falls; 0 when no step
 * helps. trial is a copy of force outside the window. */
static int step(const ChainQp *qp, Workspace *w, Window window, Vec3 *force)
{
    int begin = qp->first[window.begin], end = qp->first[window.end], face;
    size_t size = (size_t)(end - begin) * sizeof *force;
    for (double fraction = 1; fraction > 1e-6; fraction /= 2) {
        for (int c = begin; c < end; c++)
            w->trial[c] = friction_cone_project(
                &w->cone, vec3_mad(force[c], fraction, vec3_sub(w->target[c], force[c])), &face);
        window_gradient(qp, &w->kernel, window, w->trial, w->trial_gradient);
        /* The objective is quadratic: its change is the mean gradient times the step. */
        double change = 0;
        for (int c = begin; c < end; c++)
            change += 0.5 * vec3_dot(vec3_add(w->gradient[c], w->trial_gradient[c]), vec3_sub(w->trial[c], force[c]));
        if (change < 0) {
            memcpy(force + begin, w->trial + begin, size);
            memcpy(w->gradient + begin, w->trial_gradient + begin, size);
            return 1;
        }
    }
    memcpy(w->trial + begin, force + begin, size);
    return 0;
}

/* One projected gradient step: never raises the objective, and leaves a cycle of faces behind. */
static void relax(const ChainQp *qp, Workspace *w, Window window, Vec3 *force)
{
    int face;
    for (int c = qp->first[window.begin]; c < qp->first[window.end]; c++)
        w->target[c] = friction_cone_project(&w->cone, vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]), &face);
    step(qp, w, window, force);
}

/* Names the next face of every contact in the window and marks the frames where one changed; returns the residual of
 * the optimality conditions. */
static double choose_faces(const ChainQp *qp, Workspace *w, Window window, const Vec3 *force)
{
    double residual = 0;
    for (int t = window.begin; t < window.end; t++) {
        w->changed[t] = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            int before = w->face[c];
            Vec3 y = vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]);
            Vec3 p = friction_cone_project(&w->cone, y, &w->face[c]);
            residual = fmax(residual, vec3_distance(p, force[c]));
            w->changed[t] |= w->face[c] != before;
        }
    }
    return residual;
}

/* One pivoting step in a window; faces and gradient are those of force, before and after. */
static Status pivot_window(const ChainQp *qp, Workspace *w, Window window, Vec3 *force, double *residual, Error *err)
{
    if (!minimize_on_faces(qp, w, window, force))
        return error_set(err, STATUS_NO_RESULT, "contact problem is not positive definite");
    if (!step(qp, w, window, force))
        relax(qp, w, window, force);
    w->frames_solved += window.end - window.begin;
    *residual = choose_faces(qp, w, window, force);
    return STATUS_OK;
}

/* The next run of frames with changed faces from frame `from` on, widened by the margin; empty when there is none. */
static Window next_window(const ChainQp *qp, const char *changed, int from)
{
    int frames = qp->frame_count, first = from;
    while (first < frames && !changed[first])
        first++;
    if (first == frames)
        return (Window){frames, frames};
    int last = first;
    for (int t = first; t < frames && t <= last + 2 * WINDOW_MARGIN; t++)
        if (changed[t])
            last = t;
    int begin = first - WINDOW_MARGIN > from ? first - WINDOW_MARGIN : from;
    begin = begin > qp->held_count ? begin : qp->held_count;
    int end = last + 1 + WINDOW_MARGIN < frames ? last + 1 + WINDOW_MARGIN : frames;
    return (Window){begin, end};
}

/* Settles the faces in windows, each with the forces outside held. */
static Status solve_windows(const ChainQp *qp, Workspace *w, Vec3 *force, Error *err)
{
    Status status = STATUS_OK;
    double residual;
    for (int pass = 0; !status && pass < WINDOW_STEPS; pass++) {
        Window window = next_window(qp, w->changed, 0);
        if (window.begin == window.end)
            break;
        for (; !status && window.begin < window.end; window = next_window(qp, w->changed, window.end)) {
            window_gradient(qp, &w->kernel, window, force, w->gradient);
            choose_faces(qp, w, window, force);
            status = pivot_window(qp, w, window, force, &residual, err);
        }
    }
    return status;
}

/* Frames without a start leave all cones aside in the first step: most contacts end inside theirs. */
static void open_frames(const ChainQp *qp, Window window, const Vec3 *force, int *face)
{
    for (int t = window.begin; t < window.end; t++) {
        int started = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            started |= force[c].y > 0;
        for (int c = qp->first[t]; !started && c < qp->first[t + 1]; c++)
            face[c] = FACE_INTERIOR;
    }
}

Status chain_qp_solve(const ChainQp *qp, const ChainQpDef *def, Vec3 *force, ChainQpResult *result, Error *err)
{
    Workspace w;
    Status status = workspace_init(&w, qp, def, err);
    if (status)
        return status;
    int round = 0;
    const Window whole = {qp->held_count, qp->frame_count};
    for (int c = qp->first[whole.begin]; c < qp->first[whole.end]; c++)
        force[c] = friction_cone_project(&w.cone, force[c], &w.face[c]);
    memcpy(w.trial, force, (size_t)qp->first[whole.end] * sizeof *force);
    measure_scale(qp, w.scale);
    window_gradient(qp, &w.kernel, whole, force, w.gradient);
    double residual = choose_faces(qp, &w, whole, force);
    if (residual > def->tolerance)
        open_frames(qp, whole, force, w.face);
    while (!status && residual > def->tolerance && round++ < def->max_rounds) {
        status = pivot_window(qp, &w, whole, force, &residual, err);
        if (!status)
            status = solve_windows(qp, &w, force, err);
        window_gradient(qp, &w.kernel, whole, force, w.gradient);
        residual = choose_faces(qp, &w, whole, force);
    }
    if (!status && residual > def->tolerance)
        status = error_set(err, STATUS_NO_RESULT, "contact problem did not converge: residual %.3g after %d rounds",
                           residual, round);
    if (result)
        *result = (ChainQpResult){.steps = qp->frame_count ? (double)w.frames_solved / qp->frame_count : 0, .residual = residual};
    workspace_free(&w);
    return status;
}
