/* See limb_qp.h. */
#include "analysis/solve/limb_qp.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/solve/face_pivoting.h"
#include "analysis/solve/tridiagonal_qp.h"

#define EXCHANGE 0.5 /* fraction of the smoothing cost that points avoid by exchanging horizontal force */

/* ---- Assembly of the program ---- */

static Status no_memory(LimbQp *qp, Error *err)
{
    limb_qp_free(qp);
    return error_no_memory(err);
}

Status limb_qp_init(LimbQp *qp, const LimbQpSize *size, LaneWidth lanes, Error *err)
{
    size_t frames = (size_t)size->frames;
    if (size->widest > LIMB_WIDEST)
        return error_set(err, STATUS_BAD_INPUT, "%d unknowns of contact in a frame; %d at most", size->widest,
                         LIMB_WIDEST);
    if (!qp->memory.last || frames > qp->frame_room || size->limbs > qp->limb_room ||
        size->unknowns > qp->unknown_room || size->entries > qp->entry_room) {
        limb_qp_free(qp);
        qp->first = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->first);
        qp->unknown = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->unknown);
        qp->block = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->block);
        qp->alike = arena_array(&qp->memory, frames, 1, sizeof *qp->alike);
        qp->limb = arena_array(&qp->memory, size->limbs, 1, sizeof *qp->limb);
        qp->linear = arena_space(&qp->memory, size->unknowns, 1, sizeof *qp->linear);
        qp->tie = arena_space(&qp->memory, size->unknowns, 1, sizeof *qp->tie);
        qp->hessian = arena_space(&qp->memory, size->entries, 1, sizeof *qp->hessian);
        qp->entry = arena_space(&qp->memory, LIMB_ROWS, LIMB_WIDEST, sizeof *qp->entry);
        qp->frame_room = frames, qp->limb_room = size->limbs;
        qp->unknown_room = size->unknowns, qp->entry_room = size->entries;
    }
    if (qp->memory.failed)
        return no_memory(qp, err);
    qp->kernel = LANE_TWIN(limb_kernel, lane_width_choose(lanes))();
    qp->frame_count = size->frames;
    qp->held_count = qp->row_count = 0;
    qp->first[0] = 0;
    qp->unknown[0] = qp->block[0] = 0;
    return STATUS_OK;
}

void limb_qp_free(LimbQp *qp)
{
    if (!qp)
        return;
    arena_free(&qp->memory);
    *qp = (LimbQp){0};
}

static int same_limbs(const LimbQp *qp, int t)
{
    int n = qp->first[t + 1] - qp->first[t];
    if (t == 0 || n != qp->first[t] - qp->first[t - 1])
        return 0;
    for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
        if (qp->limb[l].slot != qp->limb[l - n].slot)
            return 0;
    return 1;
}

void limb_qp_begin_frame(LimbQp *qp, int t, int count)
{
    int first = qp->first[t], at = 0;
    for (int l = first; l < first + count; l++) {
        qp->limb[l].at = at;
        at += limb_unknowns(&qp->limb[l]);
    }
    size_t n = (size_t)((at + LIMB_BLOCK - 1) / LIMB_BLOCK * LIMB_BLOCK);
    qp->first[t + 1] = first + count;
    qp->unknown[t + 1] = qp->unknown[t] + n;
    qp->block[t + 1] = qp->block[t] + n * n;
    qp->alike[t] = (uint8_t)same_limbs(qp, t);
    memset(qp->hessian + qp->block[t], 0, n * n * sizeof *qp->hessian);
    memset(qp->linear + qp->unknown[t], 0, n * sizeof *qp->linear);
    memset(qp->tie + qp->unknown[t], 0, n * sizeof *qp->tie);
}

static void add_collected_rows(LimbQp *qp, int t)
{
    qp->kernel.add_rows(qp->row, qp->entry, qp->row_count, limb_qp_size(qp, t), qp->hessian + qp->block[t],
                        qp->linear + qp->unknown[t]);
    qp->row_count = 0;
}

double *limb_qp_next_row(LimbQp *qp, int t, int from, int to, double weight, double target)
{
    if (qp->row_count == LIMB_ROWS)
        add_collected_rows(qp, t);
    const QpLimb *last = &qp->limb[to - 1];
    int begin = qp->limb[from].at / LIMB_BLOCK * LIMB_BLOCK, end = last->at + limb_unknowns(last);
    end = (end + LIMB_BLOCK - 1) / LIMB_BLOCK * LIMB_BLOCK;
    double *entry = qp->entry + qp->row_count * limb_qp_size(qp, t);
    qp->row[qp->row_count++] = (LimbRow){begin, end, weight, target};
    memset(entry + begin, 0, (size_t)(end - begin) * sizeof *entry);
    return entry;
}

void limb_qp_end_frame(LimbQp *qp, int t) { add_collected_rows(qp, t); }

/* A limb that two frames share, as it is stored in each. */
typedef struct SharedLimb {
    const QpLimb *here, *other;
} SharedLimb;

/* The next limb that frames t and other share, from *here and *there on; 0: none. */
static int next_shared(const LimbQp *qp, int t, int other, int *here, int *there, SharedLimb *out)
{
    while (*here < qp->first[t + 1] && *there < qp->first[other + 1]) {
        const QpLimb *a = &qp->limb[*here], *b = &qp->limb[*there];
        *here += a->slot <= b->slot;
        *there += b->slot <= a->slot;
        if (a->slot == b->slot) {
            *out = (SharedLimb){a, b};
            return 1;
        }
    }
    return 0;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < LIMB_POINTS; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Computes the terms of a neighbour in time for a limb: its diagonal d in D and the tie weights in W. They are the
 * diagonal part of horizontal sum_i |f_i - f_i'|^2, f_i the horizontal force of point i. A change of the parts a_i adds
 * a cost to X and Z of a foot in stance; exchange among its points saves the fraction EXCHANGE of it. */
static void neighbour_ties(const QpLimb *limb, const QpLimb *other, double vertical, double horizontal, double *d,
                           double *tie)
{
    int points = limb->points;
    for (int i = 0; i < points; i++) {
        d[i] = vertical;
        tie[i] = other && other->open >> i & 1 ? vertical : 0;
    }
    double own = horizontal * dot(limb->part, limb->part);
    double shared = other ? horizontal * dot(limb->part, other->part) : 0;
    d[points] = d[points + 1] = shared > 0 ? lerp(own, shared, EXCHANGE) : own;
    tie[points] = tie[points + 1] = shared;
    if (points == 1)
        return;
    d[points + 2] = tie[points + 2] = 0;
    for (int k = 0; k < 2; k++) {
        d[points + 2] += horizontal * dot(limb->turn[k], limb->turn[k]);
        tie[points + 2] += other ? horizontal * dot(limb->turn[k], other->turn[k]) : 0;
    }
}

/* Adds the smoothing terms of frame `other` to frame t; stores the tie weights if `other` is the frame before. */
static void tie_frames(LimbQp *qp, int t, int other, double vertical, double horizontal)
{
    int there = qp->first[other], n = limb_qp_size(qp, t);
    for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
        const QpLimb *limb = &qp->limb[l];
        double d[LIMB_UNKNOWNS], tie[LIMB_UNKNOWNS];
        while (there < qp->first[other + 1] && qp->limb[there].slot < limb->slot)
            there++;
        int shared = there < qp->first[other + 1] && qp->limb[there].slot == limb->slot;
        neighbour_ties(limb, shared ? &qp->limb[there] : NULL, vertical, horizontal, d, tie);
        for (int i = 0; i < limb_unknowns(limb); i++) {
            if (!(limb->open >> i & 1))
                continue;
            qp->hessian[qp->block[t] + (size_t)((limb->at + i) * (n + 1))] += d[i];
            if (other < t)
                qp->tie[qp->unknown[t] + (size_t)(limb->at + i)] = tie[i];
        }
    }
}

void limb_qp_tie(LimbQp *qp, int t, double vertical, double horizontal)
{
    tie_frames(qp, t, t - 1, vertical, horizontal);
    tie_frames(qp, t - 1, t, vertical, horizontal);
}

/* ---- The minimum on fixed faces ---- */

/* Largest curvatures of a limb's unknowns; a gradient step is gradient / scale. */
typedef struct LimbScale {
    double vertical, horizontal, couple;
} LimbScale;

struct LimbQpSolver {
    const LimbQp *qp; /* not owned */
    LimbOctagon octagon;
    size_t frames, limbs, unknowns, entries; /* capacities */
    LimbFace *face;   /* [limb] */
    LimbScale *scale; /* [limb] */
    char *changed;    /* [frame] 1: a face differs from that of the last solve */
    double *inverse;  /* [block] P_t */
    double *x, *gradient, *target, *trial, *trial_gradient; /* [unknown] */
    double *moved;    /* P_(t-1) in the layout of frame t */
    Arena memory;     /* of the arrays */
};

Status limb_qp_solver_create(LimbQpSolver **solver, Error *err)
{
    *solver = calloc(1, sizeof **solver);
    return *solver ? STATUS_OK : error_no_memory(err);
}

void limb_qp_solver_destroy(LimbQpSolver *w)
{
    if (!w)
        return;
    arena_free(&w->memory);
    free(w);
}

static Status reserve(LimbQpSolver *w, const LimbQp *qp, Error *err)
{
    size_t frames = (size_t)qp->frame_count, limbs = (size_t)qp->first[frames];
    size_t unknowns = qp->unknown[frames], entries = qp->block[frames];
    if (w->memory.last && frames <= w->frames && limbs <= w->limbs && unknowns <= w->unknowns && entries <= w->entries)
        return STATUS_OK;
    arena_free(&w->memory);
    *w = (LimbQpSolver){.frames = frames, .limbs = limbs, .unknowns = unknowns, .entries = entries};
    w->face = arena_array(&w->memory, limbs, 1, sizeof *w->face);
    w->scale = arena_array(&w->memory, limbs, 1, sizeof *w->scale);
    w->changed = arena_array(&w->memory, frames, 1, sizeof *w->changed);
    w->inverse = arena_space(&w->memory, entries, 1, sizeof *w->inverse);
    w->x = arena_space(&w->memory, unknowns, 1, sizeof *w->x);
    w->gradient = arena_space(&w->memory, unknowns, 1, sizeof *w->gradient);
    w->target = arena_space(&w->memory, unknowns, 1, sizeof *w->target);
    w->trial = arena_space(&w->memory, unknowns, 1, sizeof *w->trial);
    w->trial_gradient = arena_space(&w->memory, unknowns, 1, sizeof *w->trial_gradient);
    w->moved = arena_space(&w->memory, LIMB_WIDEST + 1, LIMB_WIDEST, sizeof *w->moved);
    if (!w->memory.failed)
        return STATUS_OK;
    arena_free(&w->memory);
    *w = (LimbQpSolver){0};
    return error_no_memory(err);
}

/* out += sign W x of a neighbour in time. */
static void add_pull(const LimbQp *qp, int t, int other, double sign, const double *x, double *out)
{
    int later = t > other ? t : other, here = qp->first[t], there = qp->first[other];
    const double *tie = qp->tie + qp->unknown[later];
    SharedLimb shared;
    x += qp->unknown[other], out += qp->unknown[t];
    if (qp->alike[later]) {
        for (int i = 0; i < limb_qp_size(qp, t); i++)
            out[i] += sign * tie[i] * x[i];
        return;
    }
    while (next_shared(qp, t, other, &here, &there, &shared)) {
        const double *w = tie + (later == t ? shared.here : shared.other)->at;
        for (int i = 0; i < limb_unknowns(shared.here); i++)
            out[shared.here->at + i] += sign * w[i] * x[shared.other->at + i];
    }
}

/* P_(t-1) in the layout of frame t, with zero rows and columns for limbs that frame t - 1 lacks. */
static const double *inverse_before(LimbQpSolver *w, int t)
{
    const LimbQp *qp = w->qp;
    const double *p = w->inverse + qp->block[t - 1];
    int n = limb_qp_size(qp, t), before = limb_qp_size(qp, t - 1), here = qp->first[t], there = qp->first[t - 1];
    SharedLimb row, column;
    if (qp->alike[t])
        return p;
    memset(w->moved, 0, (size_t)(n * n) * sizeof *w->moved);
    while (next_shared(qp, t, t - 1, &here, &there, &row)) {
        int a = qp->first[t], b = qp->first[t - 1];
        while (next_shared(qp, t, t - 1, &a, &b, &column))
            for (int i = 0; i < limb_unknowns(row.here); i++)
                memcpy(w->moved + (row.here->at + i) * n + column.here->at,
                       p + (row.other->at + i) * before + column.other->at,
                       (size_t)limb_unknowns(column.here) * sizeof *p);
    }
    return w->moved;
}

/* Bits of the unknowns that a face leaves free; the coordinate along a side replaces X. */
static unsigned free_unknowns(const QpLimb *limb, LimbFace face)
{
    unsigned points = (1u << limb->points) - 1, horizontal = 3u << limb->points;
    unsigned out = limb->open & ~(points | horizontal); /* the couple */
    if (face.cone == FACE_APEX)
        return out;
    out |= limb->open & face.free;
    if (face.cone == FACE_INTERIOR)
        return out | horizontal;
    return face.cone >= FACE_FACET ? out | 1u << limb->points : out;
}

/* On a side or an edge (X, Z) = carried sum y + tangent u. u replaces X; tangent is zero on an edge. */
typedef struct LimbBasis {
    int at, points;
    double carried[2], tangent[2];
} LimbBasis;

static LimbBasis face_basis(const LimbOctagon *o, const QpLimb *limb, LimbFace face)
{
    LimbBasis b = {.at = limb->at, .points = limb->points};
    int is_side = face.cone >= FACE_FACET;
    const double *unit = is_side ? o->side[face.cone - FACE_FACET] : o->corner[face.cone - FACE_EDGE];
    for (int i = 0; i < 2; i++)
        b.carried[i] = (is_side ? o->inner : o->friction) * unit[i];
    b.tangent[0] = is_side ? -unit[1] : 0;
    b.tangent[1] = is_side ? unit[0] : 0;
    return b;
}

/* reduce_vector: v <- B'v; expand_vector: v <- B v. Entries of v lie `stride` apart. */
static void reduce_vector(const LimbBasis *b, double *v, int stride)
{
    double *x = v + (b->at + b->points) * stride, *z = x + stride;
    double carried = b->carried[0] * *x + b->carried[1] * *z;
    for (int i = 0; i < b->points; i++)
        v[(b->at + i) * stride] += carried;
    *x = b->tangent[0] * *x + b->tangent[1] * *z;
    *z = 0;
}

static void expand_vector(const LimbBasis *b, double *v, int stride)
{
    double *x = v + (b->at + b->points) * stride, *z = x + stride, u = *x, sum = 0;
    for (int i = 0; i < b->points; i++)
        sum += v[(b->at + i) * stride];
    *x = b->carried[0] * sum + b->tangent[0] * u;
    *z = b->carried[1] * sum + b->tangent[1] * u;
}

static int is_on_edge(LimbFace face) { return face.cone != FACE_APEX && face.cone != FACE_INTERIOR; }

/* A <- B'A B or B A B' for the limbs of a frame on a side or an edge. */
static void change_basis(const LimbQpSolver *w, int t, void (*change)(const LimbBasis *, double *, int), double *a)
{
    const LimbQp *qp = w->qp;
    int n = limb_qp_size(qp, t);
    for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
        if (!is_on_edge(w->face[l]))
            continue;
        LimbBasis basis = face_basis(&w->octagon, &qp->limb[l], w->face[l]);
        for (int i = 0; i < n; i++)
            change(&basis, a + i * n, 1);
        for (int j = 0; j < n; j++)
            change(&basis, a + j, n);
    }
}

/* Lists the free unknowns of a frame in increasing order and returns their number. mask is 1 for the free unknowns, and
 * for X and Z on a side or an edge. */
static int find_pivots(const LimbQpSolver *w, int t, int *pivot, double *mask, int *any_edge)
{
    const LimbQp *qp = w->qp;
    int count = 0;
    memset(mask, 0, (size_t)limb_qp_size(qp, t) * sizeof *mask);
    *any_edge = 0;
    for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
        const QpLimb *limb = &qp->limb[l];
        unsigned used = free_unknowns(limb, w->face[l]), kept = used;
        if (is_on_edge(w->face[l]))
            kept |= 3u << limb->points;
        *any_edge |= is_on_edge(w->face[l]);
        for (int i = 0; i < limb_unknowns(limb); i++) {
            if (used >> i & 1)
                pivot[count++] = limb->at + i;
            mask[limb->at + i] = kept >> i & 1;
        }
    }
    return count;
}

/* Clears the rows and columns of fixed unknowns, which the change of basis fills. */
static void clear_rest(int n, const int *pivot, int count, double *a)
{
    char used[LIMB_WIDEST] = {0};
    for (int k = 0; k < count; k++)
        used[pivot[k]] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (!used[i] || !used[j])
                a[i * n + j] = 0;
}

/* Computes P_t; is_coupled: include the frame before. */
static int invert_frame(LimbQpSolver *w, int t, int is_coupled)
{
    const LimbQp *qp = w->qp;
    int pivot[LIMB_WIDEST], any_edge, n = limb_qp_size(qp, t);
    double mask[LIMB_WIDEST], *a = w->inverse + qp->block[t];
    int count = find_pivots(w, t, pivot, mask, &any_edge);
    qp->kernel.couple(qp->hessian + qp->block[t], is_coupled ? inverse_before(w, t) : NULL, qp->tie + qp->unknown[t],
                      mask, n, a);
    if (any_edge) {
        change_basis(w, t, reduce_vector, a);
        clear_rest(n, pivot, count, a);
    }
    if (!qp->kernel.invert(a, n, pivot, count))
        return 0;
    if (any_edge)
        change_basis(w, t, expand_vector, a);
    return 1;
}

/* out <- P_t r */
static void multiply_inverse(const LimbQpSolver *w, int t, const double *r, double *out)
{
    int n = limb_qp_size(w->qp, t);
    memset(out, 0, (size_t)n * sizeof *out);
    w->qp->kernel.multiply_add(w->inverse + w->qp->block[t], n, r, out);
}

/* Sets the target to the minimum in the window: s_t forward, then x_t backward. r_t is kept in trial_gradient, which
 * the line search overwrites. */
static int minimize(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    double *s = w->target, *r = w->trial_gradient;
    for (int t = window.begin; t < window.end; t++) {
        size_t at = qp->unknown[t], end = qp->unknown[t + 1];
        for (size_t i = at; i < end; i++)
            r[i] = -qp->linear[i];
        if (t > 0)
            add_pull(qp, t, t - 1, 1, t > window.begin ? s : w->x, r);
        if (t == window.end - 1 && window.end < qp->frame_count)
            add_pull(qp, t, t + 1, 1, w->x, r);
        if (!invert_frame(w, t, t > window.begin))
            return 0;
        multiply_inverse(w, t, r + at, s + at);
    }
    for (int t = window.end - 2; t >= window.begin; t--) {
        int n = limb_qp_size(qp, t);
        double *pull = r + qp->unknown[t];
        memset(pull, 0, (size_t)n * sizeof *pull);
        add_pull(qp, t, t + 1, 1, s, r);
        qp->kernel.multiply_add(w->inverse + qp->block[t], n, pull, s + qp->unknown[t]);
    }
    return 1;
}

/* ---- FaceProgram of tridiagonal_qp.h ---- */

static void limb_gradient(const LimbQp *qp, FrameWindow window, const double *x, double *gradient)
{
    for (int t = window.begin; t < window.end; t++) {
        size_t at = qp->unknown[t];
        int n = limb_qp_size(qp, t);
        memcpy(gradient + at, qp->linear + at, (size_t)n * sizeof *gradient);
        if (t > 0)
            add_pull(qp, t, t - 1, -1, x, gradient);
        if (t + 1 < qp->frame_count)
            add_pull(qp, t, t + 1, -1, x, gradient);
        qp->kernel.multiply_add(qp->hessian + qp->block[t], n, x + at, gradient + at);
    }
}

static void measure_gradient(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    limb_gradient(w->qp, window, w->x, w->gradient);
}

/* Measures the largest curvatures of each limb's unknowns. */
static void measure_scales(LimbQpSolver *w)
{
    const LimbQp *qp = w->qp;
    for (int t = 0; t < qp->frame_count; t++)
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
            const QpLimb *limb = &qp->limb[l];
            int step = limb_qp_size(qp, t) + 1;
            const double *q = qp->hessian + qp->block[t] + limb->at * step, *f = q + limb->points * step;
            LimbScale scale = {0, fmax(f[0], f[step]), limb->points > 1 ? f[2 * step] : 0};
            for (int i = 0; i < limb->points; i++)
                scale.vertical = fmax(scale.vertical, q[i * step]);
            w->scale[l] = scale;
        }
}

static double scale_ratio(const LimbScale *scale) { return scale->horizontal / scale->vertical; }

static int step(void *program, FrameWindow window, double min)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    size_t begin = qp->unknown[window.begin], end = qp->unknown[window.end], size = (end - begin) * sizeof *w->x;
    for (double fraction = 1; fraction > min; fraction /= 2) {
        for (size_t i = begin; i < end; i++)
            w->trial[i] = w->x[i] + fraction * (w->target[i] - w->x[i]);
        for (int t = window.begin; t < window.end; t++)
            for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
                limb_project(&w->octagon, &qp->limb[l], scale_ratio(&w->scale[l]),
                             w->trial + qp->unknown[t] + qp->limb[l].at);
        limb_gradient(qp, window, w->trial, w->trial_gradient);
        /* The objective is quadratic: its change is the mean gradient times the step. */
        double change = 0;
        for (size_t i = begin; i < end; i++)
            change += 0.5 * (w->gradient[i] + w->trial_gradient[i]) * (w->trial[i] - w->x[i]);
        if (change < 0) {
            memcpy(w->x + begin, w->trial + begin, size);
            memcpy(w->gradient + begin, w->trial_gradient + begin, size);
            return 1;
        }
    }
    memcpy(w->trial + begin, w->x + begin, size);
    return 0;
}

/* out <- project(x - gradient / scale) of one limb. */
static LimbFace descend_limb(const LimbQpSolver *w, int t, int l, double *out)
{
    const QpLimb *limb = &w->qp->limb[l];
    const LimbScale *scale = &w->scale[l];
    size_t at = w->qp->unknown[t] + (size_t)limb->at;
    const double *x = w->x + at, *g = w->gradient + at;
    int points = limb->points;
    for (int i = 0; i < points; i++)
        out[i] = x[i] - g[i] / scale->vertical;
    for (int i = points; i < points + 2; i++)
        out[i] = x[i] - g[i] / scale->horizontal;
    if (points > 1)
        out[points + 2] = scale->couple > 0 ? x[points + 2] - g[points + 2] / scale->couple : 0;
    return limb_project(&w->octagon, limb, scale_ratio(scale), out);
}

static void descend(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    for (int t = window.begin; t < window.end; t++)
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
            descend_limb(w, t, l, w->target + qp->unknown[t] + qp->limb[l].at);
}

static double choose(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    double residual = 0;
    for (int t = window.begin; t < window.end; t++) {
        w->changed[t] = 0;
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
            double p[LIMB_UNKNOWNS];
            const double *x = w->x + qp->unknown[t] + qp->limb[l].at;
            LimbFace face = descend_limb(w, t, l, p), before = w->face[l];
            for (int i = 0; i < limb_unknowns(&qp->limb[l]); i++)
                residual = fabs(p[i] - x[i]) > residual ? fabs(p[i] - x[i]) : residual;
            w->changed[t] |= face.free != before.free || face.cone != before.cone;
            w->face[l] = face;
        }
    }
    return residual;
}

/* The part of a face nearest to the target. Beyond an end of a side, this is the edge there. */
static LimbFace part_of_face(const LimbOctagon *o, LimbFace face, LimbFace nearest, const double *f)
{
    static const int dimension[] = {[FACE_APEX] = 0, [FACE_INTERIOR] = 3, [FACE_EDGE] = 1, [FACE_FACET] = 2};
    int kind = face.cone >= FACE_FACET ? FACE_FACET : face.cone >= FACE_EDGE ? FACE_EDGE : face.cone;
    int other = nearest.cone >= FACE_FACET ? FACE_FACET : nearest.cone >= FACE_EDGE ? FACE_EDGE : nearest.cone;
    LimbFace out = {face.free & nearest.free, face.cone};
    if (dimension[other] < dimension[kind]) {
        out.cone = nearest.cone;
    } else if (kind == FACE_FACET && other == FACE_FACET && nearest.cone != face.cone) {
        int a = face.cone - FACE_FACET, b = (a + 1) % CONE_SIDES;
        double at_a = limb_force_along(o->corner[a], f), at_b = limb_force_along(o->corner[b], f);
        out.cone = (uint8_t)(FACE_EDGE + (at_a >= at_b ? a : b));
    }
    if (!out.free)
        out.cone = FACE_APEX;
    return out;
}

static int shrink(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    int shrunk = 0;
    for (int t = window.begin; t < window.end; t++)
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
            const QpLimb *limb = &qp->limb[l];
            const double *target = w->target + qp->unknown[t] + limb->at;
            double p[LIMB_UNKNOWNS];
            if (limb->grip)
                continue;
            memcpy(p, target, (size_t)limb_unknowns(limb) * sizeof *p);
            LimbFace nearest = limb_project(&w->octagon, limb, scale_ratio(&w->scale[l]), p);
            LimbFace part = part_of_face(&w->octagon, w->face[l], nearest, target + limb->points);
            shrunk |= part.free != w->face[l].free || part.cone != w->face[l].cone;
            w->face[l] = part;
        }
    return shrunk;
}

static void open_faces(void *program, FrameWindow window)
{
    LimbQpSolver *w = program;
    const LimbQp *qp = w->qp;
    for (int t = window.begin; t < window.end; t++) {
        int started = 0;
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
            for (int i = 0; i < qp->limb[l].points; i++)
                started |= w->x[qp->unknown[t] + (size_t)(qp->limb[l].at + i)] > 0;
        for (int l = qp->first[t]; !started && l < qp->first[t + 1]; l++)
            w->face[l] = (LimbFace){limb_open_points(&qp->limb[l]), FACE_INTERIOR};
    }
}

/* Copies and projects the start; unknowns that are not open become zero. */
static void set_start(LimbQpSolver *w, const double *start)
{
    const LimbQp *qp = w->qp;
    size_t held = qp->unknown[qp->held_count], all = qp->unknown[qp->frame_count];
    memset(w->changed, 0, (size_t)qp->frame_count);
    memset(w->x, 0, all * sizeof *w->x);
    memset(w->target, 0, all * sizeof *w->target);
    memcpy(w->x, start, held * sizeof *w->x);
    for (int t = qp->held_count; t < qp->frame_count; t++)
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++) {
            const QpLimb *limb = &qp->limb[l];
            size_t at = qp->unknown[t] + (size_t)limb->at;
            memcpy(w->x + at, start + at, (size_t)limb_unknowns(limb) * sizeof *start);
            w->face[l] = limb_project(&w->octagon, limb, scale_ratio(&w->scale[l]), w->x + at);
        }
    memcpy(w->trial, w->x, all * sizeof *w->x);
}

Status limb_qp_solve(LimbQpSolver *w, const LimbQp *qp, const TridiagonalQpDef *def, double *x,
                     TridiagonalQpResult *result, Error *err)
{
    FacePivotingResult end;
    Status status = reserve(w, qp, err);
    if (status)
        return status;
    w->qp = qp;
    limb_octagon_init(&w->octagon, def->friction);
    measure_scales(w);
    set_start(w, x);
    const FaceProgram program = {.frame_count = qp->frame_count, .held_count = qp->held_count, .changed = w->changed,
                                 .program = w, .minimize = minimize, .descend = descend, .step = step,
                                 .shrink = shrink, .measure_gradient = measure_gradient, .choose = choose,
                                 .open = open_faces};
    status = face_pivoting(&program, def->tolerance, def->max_rounds, &end, err);
    memcpy(x, w->x, qp->unknown[qp->frame_count] * sizeof *x);
    if (!status && end.residual > fmax(def->tolerance, def->acceptance))
        status = error_set(err, STATUS_NO_RESULT, "contact problem did not converge: residual %.3g after %d rounds",
                           end.residual, end.rounds);
    if (result)
        *result = (TridiagonalQpResult){.steps = qp->frame_count ? (double)end.frames_solved / qp->frame_count : 0,
                                        .residual = end.residual};
    return status;
}
