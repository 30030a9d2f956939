/* See pose_curve.h. */
#include "analysis/motion/pose_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

static const double on_frame = 1e-9; /* frames: a place as near as this is the frame */

/* Columns of one array of the motion, and where their second derivatives are in a row of the curve. */
typedef struct Columns {
    const double *value; /* [frame][width] */
    size_t width, at;
} Columns;

enum { COLUMN_SETS = 3 };

static int column_sets(const Motion *m, Columns set[COLUMN_SETS])
{
    size_t joints = (size_t)m->joint_count;
    set[0] = (Columns){(const double *)m->root_position, 3, 0};
    set[1] = (Columns){(const double *)m->rotation, 4 * joints, 3};
    set[2] = (Columns){(const double *)m->translation, 3 * joints, 3 + 4 * joints};
    return m->translation ? 3 : 2;
}

/* Six times the second difference at an inner frame. */
static double bend_right(const Columns *c, size_t frame, size_t i)
{
    const double *y = c->value + frame * c->width + i;
    return 6 * (y[c->width] - 2 * y[0] + *(y - c->width));
}

/* Solves bend[f - 1] + 4 bend[f] + bend[f + 1] = 6 (second difference) at the inner frames, with equal bends in the
 * two frames at each end. */
static void find_bends(const PoseCurve *curve, const Columns *c, const double *pivot, size_t frames)
{
    double *bend = curve->bend + c->at;
    size_t width = curve->width, last = frames - 2;
    for (size_t f = 1; f <= last; f++)
        for (size_t i = 0; i < c->width; i++) {
            double before = f > 1 ? bend[(f - 1) * width + i] : 0;
            bend[f * width + i] = (bend_right(c, f, i) - before) / pivot[f];
        }
    for (size_t f = last - 1; f >= 1 && f < last; f--)
        for (size_t i = 0; i < c->width; i++)
            bend[f * width + i] -= bend[(f + 1) * width + i] / pivot[f];
    memcpy(bend, bend + width, c->width * sizeof *bend);
    memcpy(bend + (frames - 1) * width, bend + last * width, c->width * sizeof *bend);
}

Status pose_curve_init(PoseCurve *out, const Motion *motion, Error *err)
{
    size_t frames = (size_t)motion->frame_count, joints = (size_t)motion->joint_count;
    Arena arena = {0};
    Columns set[COLUMN_SETS];
    *out = (PoseCurve){.motion = motion, .width = 3 + (motion->translation ? 7 : 4) * joints};
    out->bend = array_new(frames, out->width, sizeof *out->bend);
    double *pivot = arena_array(&arena, frames, 1, sizeof *pivot);
    if (!out->bend || arena.failed) {
        arena_free(&arena);
        pose_curve_free(out);
        return error_no_memory(err);
    }
    for (size_t f = 1; f + 1 < frames; f++) {
        double diagonal = 4 + (f == 1) + (f + 2 == frames);
        pivot[f] = diagonal - (f > 1 ? 1 / pivot[f - 1] : 0);
    }
    int sets = column_sets(motion, set);
    for (int i = 0; i < sets && frames > 2; i++)
        find_bends(out, &set[i], pivot, frames);
    arena_free(&arena);
    return STATUS_OK;
}

void pose_curve_free(PoseCurve *curve)
{
    free(curve->bend);
    *curve = (PoseCurve){0};
}

/* The numbers of a set between the frame i and the next. */
static void fill_columns(const PoseCurve *curve, const Columns *c, size_t i, double t, double *out)
{
    double a = 1 - t, before = (a * a * a - a) / 6, after = (t * t * t - t) / 6;
    const double *y = c->value + i * c->width, *bend = curve->bend + i * curve->width + c->at;
    for (size_t k = 0; k < c->width; k++)
        out[k] = a * y[k] + t * y[c->width + k] + before * bend[k] + after * bend[curve->width + k];
}

void pose_curve_fill(const PoseCurve *curve, double place, int frame, Motion *out)
{
    const Motion *m = curve->motion;
    Columns from[COLUMN_SETS], to[COLUMN_SETS];
    double whole = rint(place);
    int sets = column_sets(m, from), is_frame = fabs(place - whole) <= on_frame;
    size_t i = (size_t)(is_frame ? whole : floor(place)), joints = (size_t)m->joint_count;
    column_sets(out, to);
    for (int k = 0; k < sets; k++) {
        double *row = (double *)to[k].value + (size_t)frame * to[k].width;
        if (is_frame)
            memcpy(row, from[k].value + i * from[k].width, from[k].width * sizeof *row);
        else
            fill_columns(curve, &from[k], i, place - (double)i, row);
    }
    for (size_t j = 0; j < joints && !is_frame; j++) {
        Quat *rotation = out->rotation + (size_t)frame * joints + j;
        *rotation = quat_normalize(*rotation);
    }
}
