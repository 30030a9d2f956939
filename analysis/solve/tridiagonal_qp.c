/* The quadratic program over time (tridiagonal_qp.h): pivoting on faces, the friction cone, the minimum on given faces,
 * the solver. */
#include "analysis/solve/tridiagonal_qp.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "analysis/solve/face_pivoting.h"
#include "analysis/solve/friction_cone.h"
#include "analysis/solve/tridiagonal_steps.h"

Status tridiagonal_qp_init(TridiagonalQp *qp, int frame_count, int slot_count, size_t contact_count,
                           size_t hessian_count, Error *err)
{
    size_t frames = (size_t)frame_count;
    if (!qp->memory.last || frames > qp->frame_room || contact_count > qp->contact_room ||
        hessian_count > qp->entry_room) {
        tridiagonal_qp_free(qp);
        qp->first = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->first);
        qp->slot = arena_array(&qp->memory, contact_count, 1, sizeof *qp->slot);
        qp->grip = arena_array(&qp->memory, contact_count, 1, sizeof *qp->grip);
        qp->block = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->block);
        qp->hessian = arena_array(&qp->memory, hessian_count + TRIDIAGONAL_PADDING, 1, sizeof *qp->hessian);
        qp->linear = arena_array(&qp->memory, contact_count, 1, sizeof *qp->linear);
        qp->frame_room = frames, qp->contact_room = contact_count, qp->entry_room = hessian_count;
    }
    if (qp->memory.failed) {
        tridiagonal_qp_free(qp);
        return error_no_memory(err);
    }
    qp->frame_count = frame_count;
    qp->slot_count = slot_count;
    qp->held_count = 0;
    qp->first[0] = 0;
    qp->block[0] = 0;
    return STATUS_OK;
}

void tridiagonal_qp_free(TridiagonalQp *qp)
{
    if (!qp)
        return;
    arena_free(&qp->memory);
    *qp = (TridiagonalQp){0};
}

/* The minimum over a window of frames with every force on a given face of its cone: one block
 * Cholesky factorization along the chain and one back substitution. */
typedef struct TridiagonalFactor {
    const FrictionCone *cone;  /* this and the next two: not owned */
    const TridiagonalKernel *kernel;
    const int *face;           /* [contact] */
    size_t frames, factors, widest; /* capacities */
    int *free;                 /* [frame] d_t: number of reduced unknowns */
    size_t *factor_at;         /* [frame] start in `factor` */
    double *factor;            /* [frame] U_t and the right side, packed (tridiagonal_qp.h) */
    double *now, *before;      /* U_t and U_(t-1), d_t and d_(t-1) rows, of the frame being factored */
    double *coupling;          /* X_t = U_(t-1)'^-1 C_t, d_(t-1) rows */
    double *pull, *unknown;    /* [reduced unknown] of the frame being solved */
    int *begin;                /* [reduced unknown] first row of its column in X_t, of the frame being factored */
    TridiagonalRun *run;             /* [contact of a frame] columns of the frame being factored */
    double *row;               /* a row of H on a face */
    Arena memory;              /* of the arrays */
} TridiagonalFactor;

static inline Vec3 vec3_times(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

static void tridiagonal_factor_free(TridiagonalFactor *factor);

/* Reduced unknowns u are the coordinates of each force in the basis of its face; f = B u.
 *
 * Subtracts smooth f over the slots that frames t and other share: the coupling term of a neighbour in frame t. */
static void tridiagonal_add_pull(const TridiagonalQp *qp, int t, int other, const Vec3 *force, Vec3 *gradient)
{
    for (int a = qp->first[other], b = qp->first[t]; a < qp->first[other + 1] && b < qp->first[t + 1];) {
        if (qp->slot[a] < qp->slot[b]) {
            a++;
        } else if (qp->slot[a] > qp->slot[b]) {
            b++;
        } else {
            gradient[b] = vec3_sub(gradient[b], vec3_times(qp->smooth, force[a]));
            a++;
            b++;
        }
    }
}

/* Lists the columns of frame t on their faces; returns the end of the list, *d: number of columns. */
static TridiagonalRun *find_runs(const TridiagonalQp *qp, const TridiagonalFactor *w, int t, int *d)
{
    TridiagonalRun *run = w->run;
    *d = 0;
    for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
        int face = w->face[c], columns = w->cone->dimension[face], from = 3 * (c - qp->first[t]);
        if (columns == 3 && run > w->run && run[-1].columns == run[-1].count && run[-1].from + run[-1].count == from) {
            run[-1].count = run[-1].columns += 3;
        } else if (columns > 0) {
            *run = (TridiagonalRun){.from = from, .count = 3, .to = *d, .columns = columns};
            for (int j = 0; j < columns && columns < 3; j++)
                memcpy(run->basis[j], &w->cone->basis[face][j], sizeof run->basis[j]);
            run++;
        }
        *d += columns;
    }
    return run;
}

/* Clears the entries that kernels read beyond a row's columns: whole lanes before the first and after the last. */
static void clear_row(double *row, int first, size_t stride)
{
    memset(row + (first & ~7), 0, 8 * sizeof *row);
    memset(row + stride - 8, 0, 8 * sizeof *row);
}

/* Writes B' (H_t + smoothing) B, upper triangle of blocks, and -B' target beside it; returns its size. */
static int reduce_block(const TridiagonalQp *qp, const TridiagonalFactor *w, int t, const Vec3 *target, double *out)
{
    int n = chain_contacts(qp, t), row = 0, d;
    const TridiagonalRun *run = w->run, *end = find_runs(qp, w, t, &d);
    const double *h = qp->hessian + qp->block[t];
    size_t stride = (size_t)tridiagonal_stride(d);
    Vec3 tied = vec3_scale(qp->smooth, chain_ties(qp, t));
    for (int a = 0; a < n; a++) {
        int face = w->face[qp->first[t] + a], rows = w->cone->dimension[face];
        const Vec3 *basis = w->cone->basis[face];
        size_t length = tridiagonal_row_length(n - a);
        while (run < end && run->from + run->count <= 3 * a)
            run++;
        for (int i = 0; i < rows; i++) {
            double *to = out + (size_t)(row + i) * stride;
            const double *from = h + (size_t)i * length;
            if (rows < 3) {
                w->kernel->combine_rows(h, length, &basis[i].x, w->row);
                from = w->row;
            }
            clear_row(to, row, stride);
            w->kernel->reduce_row(from - 3 * a, 3 * a, run, end, to);
            if (rows == 3)
                to[row + i] += vec3_component(tied, i);
            for (int j = i; rows < 3 && j < rows; j++)
                to[row + j] += vec3_dot(basis[i], vec3_times(tied, basis[j]));
            to[d] = -vec3_dot(basis[i], target[qp->first[t] + a]);
        }
        row += rows;
        h += 3 * length;
    }
    return d;
}

/* out = -Ba' smooth Bb of two faces; out must be zero. */
static void couple_faces(const FrictionCone *cone, Vec3 smooth, int a, int b, double *out, size_t stride)
{
    if (a == FACE_INTERIOR && b == FACE_INTERIOR) {
        out[0] = -smooth.x, out[stride + 1] = -smooth.y, out[2 * stride + 2] = -smooth.z;
        return;
    }
    for (int i = 0; i < cone->dimension[a]; i++)
        for (int j = 0; j < cone->dimension[b]; j++)
            out[(size_t)i * stride + (size_t)j] = -vec3_dot(cone->basis[a][i], vec3_times(smooth, cone->basis[b][j]));
}

/* C_t = -B_(t-1)' smooth B_t over the slots that both frames have. Slots increase, so C_t is a staircase. */
static void reduce_coupling(const TridiagonalQp *qp, const TridiagonalFactor *w, int t, double *out, int d)
{
    int row = 0, a = qp->first[t - 1], column = 0;
    size_t stride = (size_t)tridiagonal_stride(d);
    for (int b = qp->first[t]; b < qp->first[t + 1]; b++) {
        int face = w->face[b], columns = w->cone->dimension[face];
        while (a < qp->first[t] && qp->slot[a] < qp->slot[b])
            row += w->cone->dimension[w->face[a++]];
        for (int j = 0; j < columns; j++)
            w->begin[column + j] = row;
        if (a < qp->first[t] && qp->slot[a] == qp->slot[b])
            couple_faces(w->cone, qp->smooth, w->face[a], face, out + (size_t)row * stride + column, stride);
        column += columns;
    }
}

/* X_t = U_(t-1)'^-1 C_t, with the solved right side of the frame before as its last column. */
static void couple_frames(const TridiagonalQp *qp, TridiagonalFactor *w, int t)
{
    double *x = w->coupling;
    int before = w->free[t - 1], d = w->free[t];
    size_t stride = (size_t)tridiagonal_stride(d), stride_before = (size_t)tridiagonal_stride(before);
    memset(x, 0, (size_t)before * stride * sizeof *x);
    reduce_coupling(qp, w, t, x, d);
    w->kernel->solve_transposed(w->before, before, x, d, w->begin);
    for (size_t i = 0; i < (size_t)before; i++)
        x[i * stride + (size_t)d] = w->before[i * stride_before + (size_t)before];
}

/* Block Cholesky along the chain with forward substitution: U_t'U_t = A_t - X_t'X_t, X_t = U_(t-1)'^-1 C_t. The
 * unpacked factor of the frame before stays in the cache; packed factors serve the back substitution. */
static int factorize(const TridiagonalQp *qp, TridiagonalFactor *w, FrameWindow window, const Vec3 *target)
{
    size_t factor_at = 0;
    for (int t = window.begin; t < window.end; t++) {
        int before = t > window.begin ? w->free[t - 1] : 0;
        double *was_before = w->before;
        w->before = w->now;
        w->now = was_before;
        int d = w->free[t] = reduce_block(qp, w, t, target, w->now);
        w->factor_at[t] = factor_at;
        if (before > 0 && d > 0)
            couple_frames(qp, w, t);
        if (!w->kernel->factor(w->now, d, w->coupling, before, w->begin, w->factor + factor_at))
            return 0;
        factor_at += tridiagonal_packed(tridiagonal_stride(d), d);
    }
    return 1;
}

/* B' smooth f of the frame after t: its coupling term in frame t. Returns 0 if the frames share no slot. */
static int reduce_pull(const TridiagonalQp *qp, const TridiagonalFactor *w, int t, const Vec3 *force, double *out)
{
    int is_pulled = 0;
    for (int b = qp->first[t], a = qp->first[t + 1]; b < qp->first[t + 1]; b++) {
        int face = w->face[b], columns = w->cone->dimension[face];
        while (a < qp->first[t + 2] && qp->slot[a] < qp->slot[b])
            a++;
        int is_shared = a < qp->first[t + 2] && qp->slot[a] == qp->slot[b];
        Vec3 pull = is_shared ? vec3_times(qp->smooth, force[a]) : vec3(0, 0, 0);
        if (columns == 3)
            memcpy(out, &pull, sizeof pull);
        for (int i = 0; i < columns && columns < 3; i++)
            out[i] = vec3_dot(w->cone->basis[face][i], pull);
        out += columns;
        is_pulled |= is_shared;
    }
    return is_pulled;
}

/* target = B u, from the last frame to the first. */
static void substitute_back(const TridiagonalQp *qp, TridiagonalFactor *w, FrameWindow window, Vec3 *target)
{
    for (int t = window.end - 1; t >= window.begin; t--) {
        int d = w->free[t], is_pulled = t < window.end - 1 && reduce_pull(qp, w, t, target, w->pull);
        const double *z = w->unknown;
        memset(w->pull + d, 0, (size_t)(tridiagonal_stride(d) - d) * sizeof *w->pull);
        w->kernel->back_substitute(w->factor + w->factor_at[t], d, is_pulled, w->pull, w->unknown);
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            int columns = w->cone->dimension[w->face[c]];
            target[c] = columns == 3 ? vec3_load(z) : vec3(0, 0, 0);
            for (int i = 0; i < columns && columns < 3; i++)
                target[c] = vec3_mad(target[c], z[i], w->cone->basis[w->face[c]][i]);
            z += columns;
        }
    }
}

/* Allocates for the largest case, every contact free in three directions. Keeps arrays that are large enough. */
static Status tridiagonal_factor_reserve(TridiagonalFactor *w, const TridiagonalQp *qp, Error *err)
{
    size_t frames = (size_t)qp->frame_count, factors = 0, widest = 0;
    for (int t = 0; t < qp->frame_count; t++) {
        size_t d = 3 * (size_t)chain_contacts(qp, t);
        factors += tridiagonal_packed(tridiagonal_stride((int)d), (int)d);
        widest = d > widest ? d : widest;
    }
    if (frames <= w->frames && factors <= w->factors && widest <= w->widest)
        return STATUS_OK;
    tridiagonal_factor_free(w);
    *w = (TridiagonalFactor){.frames = frames, .factors = factors, .widest = widest};
    size_t stride = (size_t)tridiagonal_stride((int)widest), block = widest * stride + 8;
    w->free = arena_array(&w->memory, frames, 1, sizeof *w->free);
    w->factor_at = arena_array(&w->memory, frames, 1, sizeof *w->factor_at);
    w->factor = arena_array(&w->memory, factors, 1, sizeof *w->factor);
    w->now = arena_array(&w->memory, block, 1, sizeof *w->now);
    w->before = arena_array(&w->memory, block, 1, sizeof *w->before);
    w->coupling = arena_array(&w->memory, widest, stride, sizeof *w->coupling);
    w->pull = arena_array(&w->memory, stride, 1, sizeof *w->pull);
    w->unknown = arena_array(&w->memory, stride, 1, sizeof *w->unknown);
    w->begin = arena_array(&w->memory, widest, 1, sizeof *w->begin);
    w->run = arena_array(&w->memory, widest / 3, 1, sizeof *w->run);
    w->row = arena_array(&w->memory, stride + 8, 1, sizeof *w->row);
    if (!w->memory.failed)
        return STATUS_OK;
    tridiagonal_factor_free(w);
    return error_no_memory(err);
}

static void tridiagonal_factor_free(TridiagonalFactor *w)
{
    arena_free(&w->memory);
    *w = (TridiagonalFactor){0};
}

/* The right side is -B' target: linear terms and coupling terms of the frames next to the window. Returns 0 if not
 * positive definite. */
static int tridiagonal_factor_minimize(TridiagonalFactor *w, const TridiagonalQp *qp, FrameWindow window,
                                       const Vec3 *force, Vec3 *target)
{
    int begin = qp->first[window.begin], end = qp->first[window.end];
    memcpy(target + begin, qp->linear + begin, (size_t)(end - begin) * sizeof *target);
    if (window.begin > 0)
        tridiagonal_add_pull(qp, window.begin, window.begin - 1, force, target);
    if (window.end < qp->frame_count)
        tridiagonal_add_pull(qp, window.end - 1, window.end, force, target);
    if (!factorize(qp, w, window, target))
        return 0;
    substitute_back(qp, w, window, target);
    return 1;
}

struct TridiagonalQpSolver {
    const TridiagonalQp *qp; /* not owned */
    FrictionCone cone;
    TridiagonalKernel kernel;
    TridiagonalFactor factor;
    size_t frames, contacts; /* capacities */
    int *face;        /* [contact] */
    char *changed;    /* [frame] 1: a face differs from that of the last solve */
    double *scale;    /* [contact] upper bound of the contact's curvature */
    Vec3 *target;     /* [contact] minimum on the faces */
    Vec3 *force;      /* [contact] this and the next three arrays are padded to whole lanes */
    Vec3 *gradient, *trial, *trial_gradient;
    Arena memory; /* of the arrays */
};

TridiagonalQpDef tridiagonal_qp_default_def(void)
{
    return (TridiagonalQpDef){
        .friction = 0.8, .tolerance = 1e-10, .acceptance = 1e-9, .max_rounds = 40, .lanes = LANES_AUTO};
}

static Status reserve_arrays(TridiagonalQpSolver *w, size_t frames, size_t contacts, Error *err)
{
    if (frames <= w->frames && contacts <= w->contacts)
        return STATUS_OK;
    arena_free(&w->memory);
    w->face = arena_array(&w->memory, contacts, 1, sizeof *w->face);
    w->changed = arena_array(&w->memory, frames, 1, sizeof *w->changed);
    w->scale = arena_array(&w->memory, contacts, 1, sizeof *w->scale);
    w->target = arena_array(&w->memory, contacts, 1, sizeof *w->target);
    w->force = arena_array(&w->memory, contacts + TRIDIAGONAL_PADDING, 1, sizeof *w->force);
    w->gradient = arena_array(&w->memory, contacts + TRIDIAGONAL_PADDING, 1, sizeof *w->gradient);
    w->trial = arena_array(&w->memory, contacts + TRIDIAGONAL_PADDING, 1, sizeof *w->trial);
    w->trial_gradient = arena_array(&w->memory, contacts + TRIDIAGONAL_PADDING, 1, sizeof *w->trial_gradient);
    w->frames = w->memory.failed ? 0 : frames;
    w->contacts = w->memory.failed ? 0 : contacts;
    return w->memory.failed ? error_no_memory(err) : STATUS_OK;
}

Status tridiagonal_qp_solver_create(TridiagonalQpSolver **solver, Error *err)
{
    *solver = calloc(1, sizeof **solver);
    return *solver ? STATUS_OK : error_no_memory(err);
}

void tridiagonal_qp_solver_destroy(TridiagonalQpSolver *w)
{
    if (!w)
        return;
    tridiagonal_factor_free(&w->factor);
    arena_free(&w->memory);
    free(w);
}

static Status prepare(TridiagonalQpSolver *w, const TridiagonalQp *qp, const TridiagonalQpDef *def, Error *err)
{
    size_t frames = (size_t)qp->frame_count;
    Status status;
    if ((status = reserve_arrays(w, frames, (size_t)qp->first[frames], err)) ||
        (status = tridiagonal_factor_reserve(&w->factor, qp, err)))
        return status;
    w->kernel = LANE_TWIN(tridiagonal_kernel, lane_width_choose(def->lanes))();
    if (!(w->cone.friction == def->friction && w->cone.dimension[FACE_INTERIOR] == 3))
        friction_cone_init(&w->cone, def->friction);
    memset(w->changed, 0, frames);
    w->qp = qp;
    w->factor.cone = &w->cone;
    w->factor.kernel = &w->kernel;
    w->factor.face = w->face;
    return STATUS_OK;
}

/* gradient = H f + h + smoothing, in the window. */
static void window_gradient(const TridiagonalQp *qp, const TridiagonalKernel *kernel, FrameWindow window,
                            const Vec3 *force, Vec3 *gradient)
{
    for (int t = window.begin; t < window.end; t++) {
        int first = qp->first[t], n = chain_contacts(qp, t);
        for (int c = first; c < first + n; c++)
            gradient[c] = vec3_add(qp->linear[c], vec3_scale(vec3_times(qp->smooth, force[c]), chain_ties(qp, t)));
        kernel->multiply_add(qp->hessian + qp->block[t], n, &force[first].x, &gradient[first].x);
        if (t > 0)
            tridiagonal_add_pull(qp, t, t - 1, force, gradient);
        if (t < qp->frame_count - 1)
            tridiagonal_add_pull(qp, t, t + 1, force, gradient);
    }
}

/* Estimates a contact's largest curvature as half the trace of its 3x3 block, plus smoothing. */
static void measure_scale(const TridiagonalQp *qp, double *scale)
{
    double max = fmax(qp->smooth.x, fmax(qp->smooth.y, qp->smooth.z));
    for (int t = 0; t < qp->frame_count; t++) {
        const double *h = qp->hessian + qp->block[t];
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            size_t length = tridiagonal_row_length(qp->first[t + 1] - c);
            double trace = h[0] + h[length + 1] + h[2 * length + 2];
            h += 3 * length;
            scale[c] = 0.5 * trace + chain_ties(qp, t) * max;
        }
    }
}

/* Projects y onto the forces a contact can exert; *face: their face. */
static Vec3 project(const TridiagonalQpSolver *w, const TridiagonalQp *qp, int contact, Vec3 y, int *face)
{
    if (!qp->grip[contact])
        return friction_cone_project(&w->cone, y, face);
    *face = FACE_INTERIOR;
    return y;
}

/* ---- The functions of FaceProgram ---- */

static int minimize(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    return tridiagonal_factor_minimize(&w->factor, w->qp, window, w->force, w->target);
}

static void measure_gradient(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    window_gradient(w->qp, &w->kernel, window, w->force, w->gradient);
}

/* `trial` equals `force` outside the window. */
static int step(void *program, FrameWindow window, double min)
{
    TridiagonalQpSolver *w = program;
    int begin = w->qp->first[window.begin], end = w->qp->first[window.end], face;
    size_t size = (size_t)(end - begin) * sizeof *w->force;
    for (double fraction = 1; fraction > min; fraction /= 2) {
        for (int c = begin; c < end; c++)
            w->trial[c] = project(w, w->qp, c, vec3_lerp(w->force[c], w->target[c], fraction), &face);
        window_gradient(w->qp, &w->kernel, window, w->trial, w->trial_gradient);
        /* The objective is quadratic: its change is the mean gradient times the step. */
        double change = 0;
        for (int c = begin; c < end; c++)
            change += 0.5 * vec3_dot(vec3_add(w->gradient[c], w->trial_gradient[c]),
                                     vec3_sub(w->trial[c], w->force[c]));
        if (change < 0) {
            memcpy(w->force + begin, w->trial + begin, size);
            memcpy(w->gradient + begin, w->trial_gradient + begin, size);
            return 1;
        }
    }
    memcpy(w->trial + begin, w->force + begin, size);
    return 0;
}

static void descend(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    int face;
    for (int c = w->qp->first[window.begin]; c < w->qp->first[window.end]; c++)
        w->target[c] = project(w, w->qp, c, vec3_mad(w->force[c], -1 / w->scale[c], w->gradient[c]), &face);
}

static double choose(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    const TridiagonalQp *qp = w->qp;
    double residual = 0;
    for (int t = window.begin; t < window.end; t++) {
        w->changed[t] = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            int before = w->face[c];
            Vec3 y = vec3_mad(w->force[c], -1 / w->scale[c], w->gradient[c]);
            Vec3 p = project(w, qp, c, y, &w->face[c]);
            residual = fmax(residual, vec3_distance(p, w->force[c]));
            w->changed[t] |= w->face[c] != before;
        }
    }
    return residual;
}

/* The part of a face nearest to the target. Beyond an edge of a facet, this is the edge. */
static int part_of_face(const FrictionCone *cone, int face, Vec3 target)
{
    int nearest;
    friction_cone_project(cone, target, &nearest);
    if (cone->dimension[nearest] < cone->dimension[face])
        return nearest;
    if (face < FACE_FACET || nearest < FACE_FACET || nearest == face)
        return face;
    int a = face - FACE_FACET, b = (a + 1) % CONE_SIDES;
    return FACE_EDGE + (vec3_dot(cone->edge[a], target) >= vec3_dot(cone->edge[b], target) ? a : b);
}

static int shrink(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    int shrunk = 0;
    for (int c = w->qp->first[window.begin]; c < w->qp->first[window.end]; c++) {
        int face = w->qp->grip[c] ? FACE_INTERIOR : part_of_face(&w->cone, w->face[c], w->target[c]);
        shrunk |= face != w->face[c];
        w->face[c] = face;
    }
    return shrunk;
}

static void open_faces(void *program, FrameWindow window)
{
    TridiagonalQpSolver *w = program;
    for (int t = window.begin; t < window.end; t++) {
        int started = 0;
        for (int c = w->qp->first[t]; c < w->qp->first[t + 1]; c++)
            started |= w->force[c].y > 0;
        for (int c = w->qp->first[t]; !started && c < w->qp->first[t + 1]; c++)
            w->face[c] = FACE_INTERIOR;
    }
}

Status tridiagonal_qp_solve(TridiagonalQpSolver *w, const TridiagonalQp *qp, const TridiagonalQpDef *def, Vec3 *force,
                            TridiagonalQpResult *result, Error *err)
{
    FacePivotingResult end;
    Status status = prepare(w, qp, def, err);
    if (status)
        return status;
    size_t size = (size_t)qp->first[qp->frame_count] * sizeof *force;
    memcpy(w->force, force, size);
    for (int c = qp->first[qp->held_count]; c < qp->first[qp->frame_count]; c++)
        w->force[c] = project(w, qp, c, w->force[c], &w->face[c]);
    memcpy(w->trial, w->force, size);
    measure_scale(qp, w->scale);
    const FaceProgram program = {.frame_count = qp->frame_count, .held_count = qp->held_count, .changed = w->changed,
                                 .program = w, .minimize = minimize, .descend = descend, .step = step,
                                 .shrink = shrink, .measure_gradient = measure_gradient, .choose = choose,
                                 .open = open_faces};
    status = face_pivoting(&program, def->tolerance, def->max_rounds, &end, err);
    memcpy(force, w->force, size);
    if (!status && end.residual > fmax(def->tolerance, def->acceptance))
        status = error_set(err, STATUS_NO_RESULT, "contact problem did not converge: residual %.3g after %d rounds",
                           end.residual, end.rounds);
    if (result)
        *result = (TridiagonalQpResult){.steps = qp->frame_count ? (double)end.frames_solved / qp->frame_count : 0,
                                        .residual = end.residual};
    return status;
}
