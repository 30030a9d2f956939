#include "analysis/mend/row_steps.h"

#include <math.h>
#include <string.h>

#include "analysis/mend/pose_steps.h"

enum { MOST_MISSING = 5 }; /* rows at one place: beyond, the steps around say nothing of those between */

/* By how much a fault must surprise less than sound motion does, as pose_steps_surprise counts. Sound recordings
 * reached 2.1 for a long step, and 3.3 with only every third frame kept (tests/real/test_row_steps_files.c). A row that is
 * repeated to the last digit amid motion needs little more to be a fault. */
static const double sure_of_long_step = 3.5, sure_of_repeat = 1;
static const double rarer = 1.2; /* for every further row that is lost at once */

/* s_k is n times the mean of its neighbours: it lasts n frames. */
static StepRelation lasting(int n)
{
    return (StepRelation){1, -0.5 * n, -0.5 * n};
}

/* How surprising a step is where no row is lost: it lies between its neighbours, or the body starts or stops there. */
static double surprise_of_sound(const PoseSteps *s, int k)
{
    double between = pose_steps_surprise(s, k, lasting(1));
    double stops = pose_steps_surprise(s, k, (StepRelation){1, -1, 0});
    double starts = pose_steps_surprise(s, k, (StepRelation){1, 0, -1});
    return fmin(between, fmin(stops, starts));
}

/* A step without repeated rows. */
static void judge_step(const PoseSteps *s, int k, RowStep *step, int *missing)
{
    double sound = surprise_of_sound(s, k), surest = sure_of_long_step;
    int frame = s->frame[k + 1];
    for (int lost = 1; lost <= MOST_MISSING; lost++) {
        double gain = sound - pose_steps_surprise(s, k, lasting(lost + 1)) - rarer * (lost - 1);
        if (!(gain > surest))
            continue;
        surest = gain;
        step[frame] = ROW_STEP_MISSING;
        missing[frame] = lost;
    }
}

/* A step behind `held` rows that repeat its first one: either they are too many, and the step lasts one frame, or
 * they stand for lost ones, and it lasts theirs too. If the body stood still there the steps on both sides were near
 * zero. */
static void judge_repeat(const PoseSteps *s, int k, int held, RowStep *step)
{
    double rests = pose_steps_surprise(s, k, (StepRelation){0, 0.5, 0.5});
    double surplus = pose_steps_surprise(s, k, lasting(1)), lost = pose_steps_surprise(s, k, lasting(held + 1));
    if (held > MOST_MISSING || !(rests - fmin(surplus, lost) > sure_of_repeat))
        return;
    for (int f = s->frame[k] + 1; f < s->frame[k + 1]; f++)
        step[f] = surplus < lost ? ROW_STEP_SURPLUS : ROW_STEP_HELD;
}

Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err)
{
    PoseSteps s;
    Status status = pose_steps_init(&s, rows, length, err);
    memset(step, 0, (size_t)rows->frame_count * sizeof *step);
    memset(missing, 0, (size_t)rows->frame_count * sizeof *missing);
    for (int k = 0; status == STATUS_OK && k < s.count; k++) {
        int held = s.frame[k + 1] - s.frame[k] - 1;
        if (!pose_steps_weigh(&s, k))
            continue;
        if (held > 0)
            judge_repeat(&s, k, held, step);
        else
            judge_step(&s, k, step, missing);
    }
    pose_steps_free(&s);
    return status;
}
