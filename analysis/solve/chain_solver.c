/* See chain_solver.h. */
#include "analysis/solve/chain_solver.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/solve/chain_factor.h"
#include "analysis/solve/chain_kernel.h"

/* A step that must be shortened to this fraction of the way is blocked. */
#define BLOCKED 0.03

enum {
    SHRINK_STEPS = 4,  /* attempts of a step before a gradient step */
    WINDOW_STEPS = 10, /* pivoting steps in a window before the whole chain is solved again */
    WINDOW_MARGIN = 6, /* frames on either side of those whose faces change */
};

struct ChainQpSolver {
    FrictionCone cone;
    ChainKernel kernel;
    ChainFactor factor;
    size_t frames, contacts; /* room */
    int *face;        /* [contact] */
    char *changed;    /* [frame] a face differs from the one that was solved for last */
    double *scale;    /* [contact] largest curvature along the contact */
    Vec3 *target;     /* [contact] minimum on the faces */
    Vec3 *force;      /* [contact] this one and the next three are padded for whole lanes */
    Vec3 *gradient, *trial, *trial_gradient;
    long frames_solved;
    Arena memory; /* of the arrays */
};

ChainQpDef chain_qp_default_def(void)
{
    return (ChainQpDef){.friction = 0.8, .tolerance = 1e-10, .acceptance = 1e-9, .max_rounds = 40, .lanes = LANES_AUTO};
}

static Status reserve_arrays(ChainQpSolver *w, size_t frames, size_t contacts, Error *err)
{
    if (frames <= w->frames && contacts <= w->contacts)
        return STATUS_OK;
    arena_free(&w->memory);
    w->face = arena_array(&w->memory, contacts, 1, sizeof *w->face);
    w->changed = arena_array(&w->memory, frames, 1, sizeof *w->changed);
    w->scale = arena_array(&w->memory, contacts, 1, sizeof *w->scale);
    w->target = arena_array(&w->memory, contacts, 1, sizeof *w->target);
    w->force = arena_array(&w->memory, contacts + CHAIN_PADDING, 1, sizeof *w->force);
    w->gradient = arena_array(&w->memory, contacts + CHAIN_PADDING, 1, sizeof *w->gradient);
    w->trial = arena_array(&w->memory, contacts + CHAIN_PADDING, 1, sizeof *w->trial);
    w->trial_gradient = arena_array(&w->memory, contacts + CHAIN_PADDING, 1, sizeof *w->trial_gradient);
    w->frames = w->memory.failed ? 0 : frames;
    w->contacts = w->memory.failed ? 0 : contacts;
    return w->memory.failed ? error_no_memory(err) : STATUS_OK;
}

Status chain_qp_solver_create(ChainQpSolver **solver, Error *err)
{
    *solver = calloc(1, sizeof **solver);
    return *solver ? STATUS_OK : error_no_memory(err);
}

void chain_qp_solver_destroy(ChainQpSolver *w)
{
    if (!w)
        return;
    chain_factor_free(&w->factor);
    arena_free(&w->memory);
    free(w);
}

static Status prepare(ChainQpSolver *w, const ChainQp *qp, const ChainQpDef *def, Error *err)
{
    size_t frames = (size_t)qp->frame_count;
    Status status = reserve_arrays(w, frames, (size_t)qp->first[frames], err);
    if (!status)
        status = chain_factor_reserve(&w->factor, qp, err);
    if (status)
        return status;
    w->kernel = LANE_TWIN(chain_kernel, lane_width_choose(def->lanes))();
    if (!(w->cone.friction == def->friction && w->cone.dimension[FACE_INTERIOR] == 3))
        friction_cone_init(&w->cone, def->friction);
    memset(w->changed, 0, frames);
    w->factor.cone = &w->cone;
    w->factor.kernel = &w->kernel;
    w->factor.face = w->face;
    w->frames_solved = 0;
    return STATUS_OK;
}

/* gradient = H f + h + smoothing, in the window. */
static void window_gradient(const ChainQp *qp, const ChainKernel *kernel, ChainWindow window, const Vec3 *force,
                            Vec3 *gradient)
{
    for (int t = window.begin; t < window.end; t++) {
        int first = qp->first[t], n = chain_contacts(qp, t);
        for (int c = first; c < first + n; c++)
            gradient[c] = vec3_add(qp->linear[c], vec3_scale(vec3_times(qp->smooth, force[c]), chain_ties(qp, t)));
        kernel->multiply_add(qp->hessian + qp->block[t], n, &force[first].x, &gradient[first].x);
        if (t > 0)
            chain_add_pull(qp, t, t - 1, force, gradient);
        if (t < qp->frame_count - 1)
            chain_add_pull(qp, t, t + 1, force, gradient);
    }
}

/* Half the trace of a contact's own 3x3 block: near its largest curvature. */
static void measure_scale(const ChainQp *qp, double *scale)
{
    double most = fmax(qp->smooth.x, fmax(qp->smooth.y, qp->smooth.z));
    for (int t = 0; t < qp->frame_count; t++) {
        const double *h = qp->hessian + qp->block[t];
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            size_t length = chain_row_length(qp->first[t + 1] - c);
            double trace = h[0] + h[length + 1] + h[2 * length + 2];
            h += 3 * length;
            scale[c] = 0.5 * trace + chain_ties(qp, t) * most;
        }
    }
}

/* The nearest force that a contact can carry, and its face. */
static Vec3 project(const ChainQpSolver *w, const ChainQp *qp, int contact, Vec3 y, int *face)
{
    if (!qp->grip[contact])
        return friction_cone_project(&w->cone, y, face);
    *face = FACE_INTERIOR;
    return y;
}

/* Moves the window's forces towards target, projected on the cones, as far as the objective falls; 0 when no step of
 * more than the least fraction helps. trial is a copy of force outside the window. */
static int step(const ChainQp *qp, ChainQpSolver *w, ChainWindow window, double least, Vec3 *force)
{
    int begin = qp->first[window.begin], end = qp->first[window.end], face;
    size_t size = (size_t)(end - begin) * sizeof *force;
    for (double fraction = 1; fraction > least; fraction /= 2) {
        for (int c = begin; c < end; c++)
            w->trial[c] = project(w, qp, c, vec3_mad(force[c], fraction, vec3_sub(w->target[c], force[c])), &face);
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
static void relax(const ChainQp *qp, ChainQpSolver *w, ChainWindow window, Vec3 *force)
{
    int face;
    for (int c = qp->first[window.begin]; c < qp->first[window.end]; c++)
        w->target[c] = project(w, qp, c, vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]), &face);
    step(qp, w, window, BLOCKED * BLOCKED * BLOCKED * BLOCKED, force);
}

/* Names the next face of every contact in the window and marks the frames where one changed; returns the residual of
 * the optimality conditions. */
static double choose_faces(const ChainQp *qp, ChainQpSolver *w, ChainWindow window, const Vec3 *force)
{
    double residual = 0;
    for (int t = window.begin; t < window.end; t++) {
        w->changed[t] = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            int before = w->face[c];
            Vec3 y = vec3_mad(force[c], -1 / w->scale[c], w->gradient[c]);
            Vec3 p = project(w, qp, c, y, &w->face[c]);
            residual = fmax(residual, vec3_distance(p, force[c]));
            w->changed[t] |= w->face[c] != before;
        }
    }
    return residual;
}

/* The part of a face on which the target's nearest point lies: past an edge of a facet this is the edge. */
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

/* Gives up the directions that led out of the cones; 0 when there are none. */
static int shrink_faces(const ChainQp *qp, ChainQpSolver *w, ChainWindow window)
{
    int shrunk = 0;
    for (int c = qp->first[window.begin]; c < qp->first[window.end]; c++) {
        int face = qp->grip[c] ? FACE_INTERIOR : part_of_face(&w->cone, w->face[c], w->target[c]);
        shrunk |= face != w->face[c];
        w->face[c] = face;
    }
    return shrunk;
}

/* Gradient and faces of a frame beside a window that moved. */
static void refresh_frame(const ChainQp *qp, ChainQpSolver *w, int t, const Vec3 *force)
{
    ChainWindow frame = {t, t + 1};
    if (t < qp->held_count || t >= qp->frame_count)
        return;
    window_gradient(qp, &w->kernel, frame, force, w->gradient);
    choose_faces(qp, w, frame, force);
}

/* One pivoting step in a window; faces and gradient are those of force, before and after. Where the step to the
 * minimum on the faces is blocked at once, it is tried again on smaller faces. */
static Status pivot_window(const ChainQp *qp, ChainQpSolver *w, ChainWindow window, Vec3 *force, double *residual,
                           Error *err)
{
    int moved, tries = 0;
    do {
        if (!chain_factor_minimize(&w->factor, qp, window, force, w->target))
            return error_set(err, STATUS_NO_RESULT, "contact problem is not positive definite");
        w->frames_solved += window.end - window.begin;
        moved = step(qp, w, window, BLOCKED, force);
    } while (!moved && ++tries < SHRINK_STEPS && shrink_faces(qp, w, window));
    if (!moved)
        relax(qp, w, window, force);
    *residual = choose_faces(qp, w, window, force);
    refresh_frame(qp, w, window.begin - 1, force);
    refresh_frame(qp, w, window.end, force);
    return STATUS_OK;
}

/* The next run of frames with changed faces from frame `from` on, widened by the margin; empty when there is none. */
static ChainWindow next_window(const ChainQp *qp, const char *changed, int from)
{
    int frames = qp->frame_count, first = from;
    while (first < frames && !changed[first])
        first++;
    if (first == frames)
        return (ChainWindow){frames, frames};
    int last = first;
    for (int t = first; t < frames && t <= last + 2 * WINDOW_MARGIN; t++)
        if (changed[t])
            last = t;
    int begin = first - WINDOW_MARGIN > from ? first - WINDOW_MARGIN : from;
    begin = begin > qp->held_count ? begin : qp->held_count;
    int end = last + 1 + WINDOW_MARGIN < frames ? last + 1 + WINDOW_MARGIN : frames;
    return (ChainWindow){begin, end};
}

/* Settles the faces in windows, each with the forces outside held. */
static Status solve_windows(const ChainQp *qp, ChainQpSolver *w, Vec3 *force, Error *err)
{
    Status status = STATUS_OK;
    double residual;
    for (int pass = 0; !status && pass < WINDOW_STEPS; pass++) {
        ChainWindow window = next_window(qp, w->changed, 0);
        if (window.begin == window.end)
            break;
        for (; !status && window.begin < window.end; window = next_window(qp, w->changed, window.end))
            status = pivot_window(qp, w, window, force, &residual, err);
    }
    return status;
}

/* Frames without a start leave all cones aside in the first step: most contacts end inside theirs. */
static void open_frames(const ChainQp *qp, ChainWindow window, const Vec3 *force, int *face)
{
    for (int t = window.begin; t < window.end; t++) {
        int started = 0;
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            started |= force[c].y > 0;
        for (int c = qp->first[t]; !started && c < qp->first[t + 1]; c++)
            face[c] = FACE_INTERIOR;
    }
}

Status chain_qp_solve(ChainQpSolver *w, const ChainQp *qp, const ChainQpDef *def, Vec3 *start, ChainQpResult *result,
                      Error *err)
{
    Status status = prepare(w, qp, def, err);
    if (status)
        return status;
    int round = 0;
    Vec3 *force = w->force;
    size_t size = (size_t)qp->first[qp->frame_count] * sizeof *force;
    memcpy(force, start, size);
    const ChainWindow whole = {qp->held_count, qp->frame_count};
    for (int c = qp->first[whole.begin]; c < qp->first[whole.end]; c++)
        force[c] = project(w, qp, c, force[c], &w->face[c]);
    memcpy(w->trial, force, size);
    measure_scale(qp, w->scale);
    window_gradient(qp, &w->kernel, whole, force, w->gradient);
    double residual = choose_faces(qp, w, whole, force);
    if (residual > def->tolerance)
        open_frames(qp, whole, force, w->face);
    while (!status && residual > def->tolerance && round++ < def->max_rounds) {
        status = pivot_window(qp, w, whole, force, &residual, err);
        if (!status)
            status = solve_windows(qp, w, force, err);
        window_gradient(qp, &w->kernel, whole, force, w->gradient);
        residual = choose_faces(qp, w, whole, force);
    }
    memcpy(start, force, size);
    if (!status && residual > fmax(def->tolerance, def->acceptance))
        status = error_set(err, STATUS_NO_RESULT, "contact problem did not converge: residual %.3g after %d rounds",
                           residual, round);
    if (result)
        *result = (ChainQpResult){.steps = qp->frame_count ? (double)w->frames_solved / qp->frame_count : 0,
                                  .residual = residual};
    return status;
}
