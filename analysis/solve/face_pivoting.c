/* See face_pivoting.h. */
#include "analysis/solve/face_pivoting.h"

#include "analysis/base/status.h"

/* A step is blocked if the line search shortens it below this fraction. */
#define BLOCKED 0.03

enum {
    SHRINK_STEPS = 4,  /* face reductions per step before a gradient step */
    WINDOW_STEPS = 10, /* passes over windows before the whole chain is solved again */
    WINDOW_MARGIN = 6, /* frames added on either side of those whose faces change */
};

/* Updates gradient and faces of a frame next to a window that was solved. */
static void refresh_frame(const FaceProgram *f, int t)
{
    FrameWindow frame = {t, t + 1};
    if (t < f->held_count || t >= f->frame_count)
        return;
    f->measure_gradient(f->program, frame);
    f->choose(f->program, frame);
}

/* Takes one pivoting step in a window. On entry and on return, faces and gradient belong to the present forces. If the
 * step towards the minimum on the faces is blocked, it is repeated on smaller faces. */
static Status pivot_window(const FaceProgram *f, FrameWindow window, FacePivotingResult *result, Error *err)
{
    int moved, tries = 0;
    do {
        if (!f->minimize(f->program, window))
            return error_set(err, STATUS_NO_RESULT, "contact problem is not positive definite");
        result->frames_solved += window.end - window.begin;
        moved = f->step(f->program, window, BLOCKED);
    } while (!moved && ++tries < SHRINK_STEPS && f->shrink(f->program, window));
    if (!moved) { /* a gradient step always decreases the objective and ends a cycle of faces */
        f->descend(f->program, window);
        f->step(f->program, window, BLOCKED * BLOCKED * BLOCKED * BLOCKED);
    }
    result->residual = f->choose(f->program, window);
    refresh_frame(f, window.begin - 1);
    refresh_frame(f, window.end);
    return STATUS_OK;
}

/* The next run of frames with changed faces from frame `from` on, extended by the margin; empty if there is none. */
static FrameWindow next_window(const FaceProgram *f, int from)
{
    int frames = f->frame_count, first = from;
    while (first < frames && !f->changed[first])
        first++;
    if (first == frames)
        return (FrameWindow){frames, frames};
    int last = first;
    for (int t = first; t < frames && t <= last + 2 * WINDOW_MARGIN; t++)
        if (f->changed[t])
            last = t;
    int begin = first - WINDOW_MARGIN > from ? first - WINDOW_MARGIN : from;
    begin = begin > f->held_count ? begin : f->held_count;
    int end = last + 1 + WINDOW_MARGIN < frames ? last + 1 + WINDOW_MARGIN : frames;
    return (FrameWindow){begin, end};
}

/* Pivots in windows until no face changes, each with the forces outside fixed. */
static Status pivot_windows(const FaceProgram *f, FacePivotingResult *result, Error *err)
{
    Status status = STATUS_OK;
    for (int pass = 0; !status && pass < WINDOW_STEPS; pass++) {
        FrameWindow window = next_window(f, 0);
        if (window.begin == window.end)
            break;
        for (; !status && window.begin < window.end; window = next_window(f, window.end))
            status = pivot_window(f, window, result, err);
    }
    return status;
}

Status face_pivoting(const FaceProgram *f, double tolerance, int max_rounds, FacePivotingResult *result, Error *err)
{
    const FrameWindow whole = {f->held_count, f->frame_count};
    Status status = STATUS_OK;
    *result = (FacePivotingResult){0};
    f->measure_gradient(f->program, whole);
    result->residual = f->choose(f->program, whole);
    if (result->residual > tolerance)
        f->open(f->program, whole);
    while (!status && result->residual > tolerance && result->rounds++ < max_rounds) {
        status = pivot_window(f, whole, result, err);
        if (!status)
            status = pivot_windows(f, result, err);
        f->measure_gradient(f->program, whole);
        result->residual = f->choose(f->program, whole);
    }
    return status;
}
