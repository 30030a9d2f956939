/* Rows that a recorder repeated or lost (row_steps.h). */
#include "analysis/repair/row_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/sort.h"
#include "analysis/math/vec.h"
#include "analysis/repair/pose_steps.h"

/* Least evidence (pose_steps_evidence) of lost rows: research/fit_lost_rows.py. */
static const double sure_of_long_step = 10, sure_of_expected = 0;
static const double sure_of_another = 5.6; /* where a recorder has lost rows elsewhere in the clip */
static const double doubtful = 5;      /* where a lost row would change the torques */
static const double rarer = 3; /* additional evidence required per further row lost at once */

/* Least decrease of surprise for a repeated row; an exact repeat within motion is nearly sufficient. */
static const double sure_of_repeat = 1;

enum { MIN = 4 };                          /* relations required on each side of a step */
enum { PASSES = 8, MIN_LOSSES = 5, MIN_PROVEN = 3, MAX_INTERVAL = 64 };
static const double long_step = 1.15;      /* of the mean of the steps beside it */

/* A lost row matters if its part of the path is this large in the changes of velocity over bend_time of the clip, of
 * which all but the largest part are smaller. */
static const double matters = 0.1, bend_time = 0.03 /* s */, largest_part = 0.01;

enum { MAX_MISSING = 5 }; /* consecutive rows: with more, steps beside them say nothing of those between */

typedef struct Search {
    PoseSteps steps;
    double fast;   /* where the body moves farther in a frame, lost rows would change the torques */
    RowStep *step; /* [frame] results */
    int *missing;
    double *evidence; /* [steps.count] that one row is missing in a step, when it was last judged */
    int losses;       /* found so far; 0: the evidence is what it would be again */
} Search;

/* Length of the change of velocity at step k over `span` frames: that of the path from k on, less that before. sum:
 * [size] scratch. */
static double bend_length(const PoseSteps *s, int k, int span, double *sum)
{
    double square = 0;
    memset(sum, 0, (size_t)s->size * sizeof *sum);
    for (int i = k - span; i < k + span; i++) {
        const double *step = pose_step_at(s, i);
        for (int c = 0; c < s->size; c++)
            sum[c] += i < k ? -step[c] : step[c];
    }
    for (int c = 0; c < s->size; c++)
        square += isnan(sum[c]) ? 0 : sum[c] * sum[c];
    return sqrt(square);
}

/* The change of velocity that only the largest part of the steps exceed; 0 in a short clip. bend: [count] scratch. */
static double large_bend(const PoseSteps *s, double frame_time, double *bend)
{
    int count = 0, span = frame_time > 0 ? (int)fmax(1, rint(bend_time / frame_time)) : 1;
    for (int k = span; k + span <= s->count; k++)
        bend[count++] = bend_length(s, k, span, s->sum);
    return count > 0 ? select_double(bend, (size_t)count, (size_t)((1 - largest_part) * (count - 1))) : 0;
}

/* Length of the mean of the steps beside step k. */
static double path_beside(const PoseSteps *s, int k)
{
    const double *before = pose_step_at(s, k - 1), *after = pose_step_at(s, k + 1);
    double sum = 0;
    for (int c = 0; c < s->size; c++) {
        double mean = 0.5 * (before[c] + after[c]);
        sum += isnan(mean) ? 0 : mean * mean;
    }
    return sqrt(sum);
}

/* Judges a step without repeated rows: rows are missing if that explains it better by `sure`. */
static void judge_step(Search *x, int k, double sure)
{
    PoseSteps *s = &x->steps;
    double surest = sure;
    int frame = s->frame[k + 1];
    for (int lost = 1; lost <= MAX_MISSING; lost++) {
        double evidence = pose_steps_evidence(s, k, lost) - rarer * (lost - 1);
        x->evidence[k] = lost == 1 ? evidence : x->evidence[k];
        if (!(evidence > surest))
            continue;
        surest = evidence;
        x->step[frame] = ROW_STEP_MISSING;
        x->missing[frame] = lost;
        s->is_odd[k] = 1;
    }
}

/* Judges a step after `held` rows that repeat the previous one. Either they are surplus, and the step lasts one frame,
 * or they replace lost rows, and the step includes their duration. If the body is at rest there, the steps on both
 * sides are near zero. */
static void judge_repeat(const PoseSteps *s, int k, int held, RowStep *step)
{
    double rests = pose_steps_surprise(s, k, step_relation(0.5, 0, 0.5), NULL);
    double surplus = pose_steps_surprise(s, k, step_relation_lasting(1, STEP_REACH_NARROW), NULL);
    double lost = pose_steps_surprise(s, k, step_relation_lasting(held + 1, STEP_REACH_NARROW), NULL);
    if (held > MAX_MISSING || !(rests - fmin(surplus, lost) > sure_of_repeat))
        return;
    for (int f = s->frame[k] + 1; f < s->frame[k + 1]; f++)
        step[f] = surplus < lost ? ROW_STEP_SURPLUS : ROW_STEP_HELD;
}

static double squared_length(const PoseSteps *s, int k)
{
    const double *step = pose_step_at(s, k);
    double sum = 0;
    for (int c = 0; c < s->size; c++)
        sum += isnan(step[c]) ? 0 : step[c] * step[c];
    return sum;
}

/* Whether a step is longer than the mean of those beside it by more than motion makes it: with a lost row it is twice
 * as long. Saves weighing most steps of slow motion. */
static int is_long(const PoseSteps *s, int k)
{
    double mean = 0.5 * (sqrt(squared_length(s, k - 1)) + sqrt(squared_length(s, k + 1)));
    return squared_length(s, k) > long_step * long_step * mean * mean;
}

static int is_fast(const Search *x, int k) { return path_beside(&x->steps, k) > x->fast; }

/* Whether step k, of one row, may lack rows. */
static int may_lack_rows(const Search *x, int k)
{
    const PoseSteps *s = &x->steps;
    return k >= 1 && k <= s->count - 2 && (is_fast(x, k) || is_long(s, k));
}

/* Judges the steps that are still plain; returns the number of losses found. */
static int judge_steps(Search *x, double sure)
{
    PoseSteps *s = &x->steps;
    int found = 0;
    for (int k = 0; k < s->count; k++) {
        int held = s->frame[k + 1] - s->frame[k] - 1;
        if (s->is_odd[k] || !(held > 0 || may_lack_rows(x, k)) || !pose_steps_weigh(s, k, MIN))
            continue;
        if (held > 0)
            judge_repeat(s, k, held, x->step);
        else
            judge_step(x, k, sure);
        found += s->is_odd[k];
    }
    return found;
}

/* The commonest number of steps from one loss to the next; 0 if there are fewer than MIN_LOSSES, or most of them are at
 * other distances. */
static int find_interval(const PoseSteps *s)
{
    int votes[MAX_INTERVAL + 1] = {0}, last = -1, losses = 0, best = 0;
    for (int k = 0; k < s->count; k++) {
        if (!s->is_odd[k])
            continue;
        if (losses++ > 0 && k - last <= MAX_INTERVAL)
            votes[k - last]++;
        last = k;
    }
    for (int i = MIN; i <= MAX_INTERVAL; i++)
        best = votes[i] > votes[best] ? i : best;
    return losses >= MIN_LOSSES && 2 * votes[best] > losses - 1 ? best : 0;
}

/* Judges the steps at which a loss is expected: whole intervals after one, or, with `way` -1, before one. */
static void judge_expected(Search *x, int interval, int way)
{
    PoseSteps *s = &x->steps;
    int since = 0, is_known = 0;
    for (int i = 0; i < s->count; i++) {
        int k = way > 0 ? i : s->count - 1 - i;
        since++;
        if (is_known && !s->is_odd[k] && since % interval == 0 && pose_steps_weigh(s, k, 0))
            judge_step(x, k, sure_of_expected);
        is_known |= s->is_odd[k];
        since = s->is_odd[k] ? 0 : since;
    }
}

/* Judges the last step, which has no step behind it, if a loss is expected there: against one as long as that before,
 * with the noise of the step before. */
static void judge_last(Search *x, int interval)
{
    PoseSteps *s = &x->steps;
    int last = s->count - 1, k = last - 1, frame = last >= 0 ? s->frame[last + 1] : 0;
    while (k >= 0 && !s->is_odd[k])
        k--;
    if (k < 0 || s->is_odd[last] || (last - k) % interval != 0 || !pose_steps_weigh(s, last - 1, 0))
        return;
    if (pose_steps_surprise(s, last, step_relation(-1, 1, 0), NULL) >
        pose_steps_surprise(s, last, step_relation(-2, 1, 0), NULL) + sure_of_expected) {
        s->is_odd[last] = 1;
        x->step[frame] = ROW_STEP_MISSING;
        x->missing[frame] = 1;
    }
}

/* A recorder that loses rows at an interval loses the same number each time: where most losses are of one number, the
 * others are of it, too. */
static void settle_numbers(Search *x)
{
    const PoseSteps *s = &x->steps;
    int votes[MAX_MISSING + 1] = {0}, best = 0, losses = 0;
    for (int k = 0; k < s->count; k++)
        if (x->step[s->frame[k + 1]] == ROW_STEP_MISSING) {
            votes[x->missing[s->frame[k + 1]]]++;
            losses++;
        }
    for (int lost = 1; lost <= MAX_MISSING; lost++)
        best = votes[lost] > votes[best] ? lost : best;
    for (int k = 0; k < s->count && 2 * votes[best] > losses; k++)
        if (x->step[s->frame[k + 1]] == ROW_STEP_MISSING)
            x->missing[s->frame[k + 1]] = best;
}

/* Repeats the search until nothing new is found; then with less certainty if rows were lost in several places. */
static void search_steps(Search *x)
{
    for (int pass = 0, found = 1; pass < PASSES && found > 0; pass++) {
        found = judge_steps(x, sure_of_long_step);
        x->losses += found;
    }
    for (int pass = 0, found = x->losses >= MIN_PROVEN; pass < PASSES && found > 0; pass++)
        found = judge_steps(x, sure_of_another);
}

/* Returns the evidence that a row is missing in a plain step; -INFINITY: too few relations. */
static double evidence_now(Search *x, int k)
{
    if (x->losses == 0)
        return x->evidence[k];
    return pose_steps_weigh(&x->steps, k, MIN) ? pose_steps_evidence(&x->steps, k, 1) : -INFINITY;
}

/* Marks the steps that are still plain, may lack rows and would change the torques if they did. */
static void mark_doubtful(Search *x)
{
    PoseSteps *s = &x->steps;
    for (int k = 1; k < s->count - 1; k++) {
        int is_plain = !s->is_odd[k] && s->frame[k + 1] - s->frame[k] == 1;
        if (is_plain && is_fast(x, k) && evidence_now(x, k) > doubtful)
            x->step[s->frame[k + 1]] = ROW_STEP_DOUBTFUL;
    }
}

/* Fills step and missing of `frames` frames. */
static void judge_all(Search *x, int frames)
{
    memset(x->step, 0, (size_t)frames * sizeof *x->step);
    memset(x->missing, 0, (size_t)frames * sizeof *x->missing);
    search_steps(x);
    int interval = find_interval(&x->steps);
    for (int way = 1; interval > 0 && way >= -1; way -= 2)
        judge_expected(x, interval, way);
    if (interval > 0) {
        judge_last(x, interval);
        settle_numbers(x);
    }
    mark_doubtful(x);
}

static Status search_rows(Search *x, int frames, double frame_time, Error *err)
{
    x->evidence = array_new((size_t)x->steps.count, 1, sizeof *x->evidence);
    if (!x->evidence)
        return error_no_memory(err);
    x->fast = matters * large_bend(&x->steps, frame_time, x->evidence);
    for (int k = 0; k < x->steps.count; k++)
        x->evidence[k] = -INFINITY;
    judge_all(x, frames);
    free(x->evidence);
    return STATUS_OK;
}

Status row_steps_find(const ChannelRows *rows, double length, double frame_time, RowStep *step, int *missing,
                      Error *err)
{
    Search x = {.step = step, .missing = missing};
    Status status = pose_steps_init(&x.steps, rows, length, err);
    if (!status)
        status = search_rows(&x, rows->frame_count, frame_time, err);
    pose_steps_free(&x.steps);
    return status;
}

Status motion_steps_find(const Motion *m, double length, RowStep *step, int *missing, Error *err)
{
    Search x = {.step = step, .missing = missing};
    Status status = pose_steps_of_motion(&x.steps, m, length, err);
    if (!status)
        status = search_rows(&x, m->frame_count, m->frame_time, err);
    pose_steps_free(&x.steps);
    return status;
}
