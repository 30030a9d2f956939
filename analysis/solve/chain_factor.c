/* See chain_factor.h. Reduced unknowns: u, the coordinates of each force in the basis of its face; f = B u. */
#include "analysis/solve/chain_factor.h"

#include <string.h>

/* Subtracts smooth f over the slots that frames t and other share: the pull of a neighbour on frame t. */
void chain_add_pull(const ChainQp *qp, int t, int other, const Vec3 *force, Vec3 *gradient)
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

/* The frame's columns on their faces; returns the end of the runs, *d how many columns there are. */
static ChainRun *find_runs(const ChainQp *qp, const ChainFactor *w, int t, int *d)
{
    ChainRun *run = w->run;
    *d = 0;
    for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
        int face = w->face[c], columns = w->cone->dimension[face], from = 3 * (c - qp->first[t]);
        if (columns == 3 && run > w->run && run[-1].columns == run[-1].count && run[-1].from + run[-1].count == from) {
            run[-1].count = run[-1].columns += 3;
        } else if (columns > 0) {
            *run = (ChainRun){.from = from, .count = 3, .to = *d, .columns = columns};
            for (int j = 0; j < columns && columns < 3; j++)
                memcpy(run->basis[j], &w->cone->basis[face][j], sizeof run->basis[j]);
            run++;
        }
        *d += columns;
    }
    return run;
}

/* What a kernel reads beside a row's columns: whole lanes before its first column, and behind its last. */
static void clear_row(double *row, int first, size_t stride)
{
    memset(row + (first & ~7), 0, 8 * sizeof *row);
    memset(row + stride - 8, 0, 8 * sizeof *row);
}

/* B' (H_t + smoothing) B, upper triangle of blocks, and -B' target beside it; returns its size. */
static int reduce_block(const ChainQp *qp, const ChainFactor *w, int t, const Vec3 *target, double *out)
{
    int n = chain_contacts(qp, t), row = 0, d;
    const ChainRun *run = w->run, *end = find_runs(qp, w, t, &d);
    const double *h = qp->hessian + qp->block[t];
    size_t stride = (size_t)chain_stride(d);
    Vec3 tied = vec3_scale(qp->smooth, chain_ties(qp, t));
    for (int a = 0; a < n; a++) {
        int face = w->face[qp->first[t] + a], rows = w->cone->dimension[face];
        const Vec3 *basis = w->cone->basis[face];
        size_t length = chain_row_length(n - a);
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

/* out = -Ba' smooth Bb of two faces; zero before. */
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

/* C_t = -B_(t-1)' smooth B_t over the slots that both frames have; slots increase, so it is a staircase. */
static void reduce_coupling(const ChainQp *qp, const ChainFactor *w, int t, double *out, int d)
{
    int row = 0, a = qp->first[t - 1], column = 0;
    size_t stride = (size_t)chain_stride(d);
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

/* X_t = U_(t-1)'^-1 C_t, and the solved right side of the frame before beside it. */
static void couple_frames(const ChainQp *qp, ChainFactor *w, int t)
{
    double *x = w->coupling;
    int before = w->free[t - 1], d = w->free[t];
    size_t stride = (size_t)chain_stride(d), stride_before = (size_t)chain_stride(before);
    memset(x, 0, (size_t)before * stride * sizeof *x);
    reduce_coupling(qp, w, t, x, d);
    w->kernel->solve_transposed(w->before, before, x, d, w->begin);
    for (size_t i = 0; i < (size_t)before; i++)
        x[i * stride + (size_t)d] = w->before[i * stride_before + (size_t)before];
}

/* Block Cholesky along the chain with forward substitution: U_t'U_t = A_t - X_t'X_t, X_t = U_(t-1)'^-1 C_t. What one
 * frame needs of the one before stays in the cache; the packed factors are for the way back. */
static int factorize(const ChainQp *qp, ChainFactor *w, ChainWindow window, const Vec3 *target)
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
        factor_at += chain_packed(chain_stride(d), d);
    }
    return 1;
}

/* B' smooth f of the frame after t: its pull on frame t; 0 where they share no slot. */
static int reduce_pull(const ChainQp *qp, const ChainFactor *w, int t, const Vec3 *force, double *out)
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
static void substitute_back(const ChainQp *qp, ChainFactor *w, ChainWindow window, Vec3 *target)
{
    for (int t = window.end - 1; t >= window.begin; t--) {
        int d = w->free[t], is_pulled = t < window.end - 1 && reduce_pull(qp, w, t, target, w->pull);
        const double *z = w->unknown;
        memset(w->pull + d, 0, (size_t)(chain_stride(d) - d) * sizeof *w->pull);
        w->kernel->back_substitute(w->factor + w->factor_at[t], d, is_pulled, w->pull, w->unknown);
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            int columns = w->cone->dimension[w->face[c]];
            target[c] = columns == 3 ? vec3(z[0], z[1], z[2]) : vec3(0, 0, 0);
            for (int i = 0; i < columns && columns < 3; i++)
                target[c] = vec3_mad(target[c], z[i], w->cone->basis[w->face[c]][i]);
            z += columns;
        }
    }
}

Status chain_factor_reserve(ChainFactor *w, const ChainQp *qp, Error *err)
{
    size_t frames = (size_t)qp->frame_count, factors = 0, widest = 0;
    for (int t = 0; t < qp->frame_count; t++) {
        size_t d = 3 * (size_t)chain_contacts(qp, t);
        factors += chain_packed(chain_stride((int)d), (int)d);
        widest = d > widest ? d : widest;
    }
    if (frames <= w->frames && factors <= w->factors && widest <= w->widest)
        return STATUS_OK;
    chain_factor_free(w);
    *w = (ChainFactor){.frames = frames, .factors = factors, .widest = widest};
    size_t stride = (size_t)chain_stride((int)widest), block = widest * stride + 8;
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
    chain_factor_free(w);
    return error_no_memory(err);
}

void chain_factor_free(ChainFactor *w)
{
    arena_free(&w->memory);
    *w = (ChainFactor){0};
}

/* -B' target is the right side: the linear terms, and the pull of the frames beside the window. */
int chain_factor_minimize(ChainFactor *w, const ChainQp *qp, ChainWindow window, const Vec3 *force, Vec3 *target)
{
    int begin = qp->first[window.begin], end = qp->first[window.end];
    memcpy(target + begin, qp->linear + begin, (size_t)(end - begin) * sizeof *target);
    if (window.begin > 0)
        chain_add_pull(qp, window.begin, window.begin - 1, force, target);
    if (window.end < qp->frame_count)
        chain_add_pull(qp, window.end - 1, window.end, force, target);
    if (!factorize(qp, w, window, target))
        return 0;
    substitute_back(qp, w, window, target);
    return 1;
}
