#include "analysis/motion/row_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"

static const int most_missing = 5;       /* rows at one place: beyond, the steps around say nothing of those between */
static const double least_step = 1e-3;   /* rad in all: less is noise about a pose that is held */

/* How well steps must agree. */
typedef struct Tolerance {
    double alike; /* steps before and behind differ by less than this part of their mean */
    double fits;  /* a step is n times the usual but for this part of it */
} Tolerance;

/* A recorder's noise makes no two rows equal, so a repeated row needs little more to be one. A long step alone does. */
static const Tolerance behind_repeat = {1.5, 0.75}, alone = {0.8, 0.3};

typedef struct Steps {
    const ChannelRows *rows;
    Quat *rotation;   /* [frame][joint] */
    char *is_angle;   /* [column] */
    double length;
    int size;         /* components of a step */
    double *expected; /* [size] scratch: the usual step */
    double *step;     /* [size] scratch: the one in question */
} Steps;

static Status steps_init(Steps *s, const ChannelRows *rows, double length, Error *err)
{
    *s = (Steps){.rows = rows, .length = length > 0 ? length : 1, .size = 3 * rows->joint_count + rows->row_size};
    s->rotation = array_new((size_t)rows->frame_count, (size_t)rows->joint_count, sizeof *s->rotation);
    s->is_angle = array_new((size_t)rows->row_size, 1, 1);
    s->expected = array_new((size_t)s->size, 1, sizeof *s->expected);
    s->step = array_new((size_t)s->size, 1, sizeof *s->step);
    if (!s->rotation || !s->is_angle || !s->expected || !s->step)
        return error_no_memory(err);
    for (int j = 0; j < rows->joint_count; j++)
        for (int i = 0; i < rows->turns[j].count; i++)
            s->is_angle[rows->turns[j].column[i]] = 1;
    euler_to_quat(rows->turns, rows->joint_count, rows->value, (size_t)rows->row_size, rows->frame_count, LANES_AUTO,
                  s->rotation);
    return STATUS_OK;
}

static void steps_free(Steps *s)
{
    free(s->rotation);
    free(s->is_angle);
    free(s->expected);
    free(s->step);
}

/* out += weight * the step from frame a to frame b: 2 log(q_b q_a*) of every joint, then positions over length. */
static void add_step(const Steps *s, int a, int b, double weight, double *out)
{
    const double *from = channel_row(s->rows, a), *to = channel_row(s->rows, b);
    size_t joints = (size_t)s->rows->joint_count;
    for (size_t j = 0; j < joints; j++) {
        Quat qa = s->rotation[(size_t)a * joints + j], qb = s->rotation[(size_t)b * joints + j];
        Vec3 turn = quat_log(quat_mul(qb, quat_conjugate(qa)));
        out[3 * j] += weight * 2 * turn.x;
        out[3 * j + 1] += weight * 2 * turn.y;
        out[3 * j + 2] += weight * 2 * turn.z;
    }
    for (int c = 0; c < s->rows->row_size; c++)
        if (!s->is_angle[c])
            out[3 * joints + (size_t)c] += weight * (to[c] - from[c]) / s->length;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* How many usual steps the one from frame a to frame b holds, given the steps before a and behind b; 0 where they are
 * not alike, too small, or the step is no multiple of them. */
static int count_steps(Steps *s, int a, int b, Tolerance t)
{
    if (a < 1 || b + 1 >= s->rows->frame_count)
        return 0;
    memset(s->step, 0, (size_t)s->size * sizeof *s->step);
    add_step(s, a - 1, a, 1, s->step);
    add_step(s, b, b + 1, -1, s->step);
    double difference = dot(s->step, s->step, s->size);
    memset(s->expected, 0, (size_t)s->size * sizeof *s->expected);
    add_step(s, a - 1, a, 0.5, s->expected);
    add_step(s, b, b + 1, 0.5, s->expected);
    double usual = dot(s->expected, s->expected, s->size);
    if (!(usual > least_step * least_step) || !(difference < t.alike * t.alike * usual))
        return 0;
    memset(s->step, 0, (size_t)s->size * sizeof *s->step);
    add_step(s, a, b, 1, s->step);
    double multiple = rint(dot(s->step, s->expected, s->size) / usual);
    if (!(multiple >= 1) || multiple > most_missing + 1)
        return 0;
    double whole = dot(s->step, s->step, s->size);
    for (int i = 0; i < s->size; i++)
        s->step[i] -= multiple * s->expected[i];
    return dot(s->step, s->step, s->size) < t.fits * t.fits * whole ? (int)multiple : 0;
}

static int rows_are_equal(const ChannelRows *rows, int a, int b)
{
    return !memcmp(channel_row(rows, a), channel_row(rows, b), (size_t)rows->row_size * sizeof *rows->value);
}

/* Frames first .. stop-1 repeat frame first - 1. */
static void judge_repeats(Steps *s, int first, int stop, RowStep *step)
{
    int held = stop - first;
    if (held > most_missing || stop >= s->rows->frame_count)
        return;
    int multiple = count_steps(s, first - 1, stop, behind_repeat);
    RowStep verdict = multiple == 1 ? ROW_STEP_SURPLUS : multiple == held + 1 ? ROW_STEP_HELD : ROW_STEP_PLAIN;
    for (int f = first; f < stop; f++)
        step[f] = verdict;
}

static void judge_step(Steps *s, int frame, RowStep *step, int *missing)
{
    int multiple = count_steps(s, frame - 1, frame, alone);
    if (multiple > 1) {
        step[frame] = ROW_STEP_MISSING;
        missing[frame] = multiple - 1;
    }
}

Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err)
{
    Steps s;
    Status status = steps_init(&s, rows, length, err);
    memset(step, 0, (size_t)rows->frame_count * sizeof *step);
    memset(missing, 0, (size_t)rows->frame_count * sizeof *missing);
    for (int f = 1; f < rows->frame_count && status == STATUS_OK; f++) {
        int first = f;
        while (f < rows->frame_count && rows_are_equal(rows, f, first - 1))
            f++;
        if (f > first)
            judge_repeats(&s, first, f, step);
        else
            judge_step(&s, f, step, missing);
    }
    steps_free(&s);
    return status;
}
