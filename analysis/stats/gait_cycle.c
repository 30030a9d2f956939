/* Gait cycles of a foot (gait_cycle.h). */
#include "analysis/stats/gait_cycle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"
#include "analysis/stats/contact_phases.h"
#include "analysis/stats/joint_peaks.h"

/* Whether a cycle may contain the frame. An uncertain torque widens the spread of a curve and moves no strike, so a
 * frame whose only flag is TRUST_UNCERTAIN counts. */
static int is_usable(const Clip *clip, int frame, FrameChoice choice)
{
    if (choice == FRAMES_TRUSTED && clip->has_trust && clip->trust.reason[frame] == TRUST_UNCERTAIN)
        choice = FRAMES_VALID;
    return clip_counts_frame(clip, frame, choice);
}

static int are_usable(const Clip *clip, FrameChoice choice, int first, int last)
{
    for (int f = first; f <= last; f++)
        if (clip->has_kinematics && !is_usable(clip, f, choice))
            return 0;
    return 1;
}

/* Keeps contacts that are steps: drops those that are too short and bridges short swings. A short contact at the end of
 * the clip is kept, as it may be the start of a step. */
static void keep_steps(ContactPhases *phases, const Clip *clip)
{
    const double *time = clip->motion.time;
    int kept = 0;
    for (int i = 0; i < phases->count; i++) {
        FrameSpan span = phases->span[i], *before = kept > 0 ? &phases->span[kept - 1] : NULL;
        double stance = time[span.last] - time[span.first] + clip->motion.frame_time;
        if (stance < GAIT_FLICKER && span.last + 1 < clip->motion.frame_count)
            continue;
        if (before && time[span.first - 1] - time[before->last] < GAIT_MIN_SWING)
            before->last = span.last;
        else
            phases->span[kept++] = span;
    }
    phases->count = kept;
}

static double duration(const double *time, const GaitCycle *cycle)
{
    return time[cycle->end] - time[cycle->begin];
}

/* Lists the cycles from strike to strike. A foot in contact in the first frame has no observed strike. */
static void find_cycles(GaitCycles *g, const Clip *clip, FrameChoice choice, const ContactPhases *phases)
{
    for (int i = 0; i + 1 < phases->count; i++) {
        GaitCycle cycle = {phases->span[i].first, phases->span[i + 1].first, phases->span[i].last + 1};
        if (cycle.begin == 0)
            continue;
        if (are_usable(clip, choice, cycle.begin, cycle.end))
            g->cycle[g->count++] = cycle;
        else
            g->left_out++;
    }
}

static Status report_no_cycle(const GaitCycles *g, const char *side, FrameChoice choice, int stances, Error *err)
{
    const char *frames = choice == FRAMES_VALID ? "valid" : "trusted";
    char left_out[64] = "";
    if (g->left_out > 0)
        snprintf(left_out, sizeof left_out, ", %d excluded cycle%s", g->left_out, g->left_out == 1 ? "" : "s");
    return error_set(err, STATUS_BAD_INPUT,
                     "no complete gait cycle of the %s foot in %s frames: %d contact%s%s; at least 2 heel strikes are "
                     "required", side, frames, stances, stances == 1 ? "" : "s", left_out);
}

static Status leave_out_uneven(GaitCycles *g, const double *time, Error *err)
{
    double *length = array_new((size_t)g->count, 1, sizeof *length);
    int kept = 0;
    if (!length)
        return error_no_memory(err);
    for (int i = 0; i < g->count; i++)
        length[i] = duration(time, &g->cycle[i]);
    double median = percentile(length, g->count, 0.5);
    free(length);
    for (int i = 0; i < g->count; i++)
        if (fabs(duration(time, &g->cycle[i]) - median) <= GAIT_LARGEST_DEVIATION * median)
            g->cycle[kept++] = g->cycle[i];
    g->left_out += g->count - kept;
    g->count = kept;
    return STATUS_OK;
}

static void average(GaitCycles *g, const double *time)
{
    for (int i = 0; i < g->count; i++) {
        const GaitCycle *c = &g->cycle[i];
        g->stance += (time[c->lift] - time[c->begin]) / duration(time, c) / g->count;
        g->duration += duration(time, c) / g->count;
    }
}

Status gait_cycles_init(GaitCycles *g, const Clip *clip, int foot, FrameChoice choice, Error *err)
{
    const char *side = foot == FOOT_LEFT ? "left" : "right";
    ContactPhases phases = {0};
    *g = (GaitCycles){0};
    if (!clip->has_contact || clip->contact.point_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "has no contact points: run kane contact first");
    Status status = contact_phases_init(&phases, clip, foot, GAIT_FLICKER, err);
    if (!status && !(g->cycle = array_new((size_t)phases.count + 1, 1, sizeof *g->cycle)))
        status = error_no_memory(err);
    if (!status) {
        keep_steps(&phases, clip);
        find_cycles(g, clip, choice, &phases);
        if (g->count == 0)
            status = report_no_cycle(g, side, choice, phases.count, err);
    }
    if (!status)
        status = leave_out_uneven(g, clip->motion.time, err);
    if (!status)
        average(g, clip->motion.time);
    else
        gait_cycles_free(g);
    contact_phases_free(&phases);
    return status;
}

void gait_cycles_free(GaitCycles *g)
{
    if (!g)
        return;
    free(g->cycle);
    *g = (GaitCycles){0};
}

/* Value of a cycle at the fraction `part` (0..1) of its time. *frame: where the last search ended, at or before that
 * time. */
static double value_at(const GaitCycle *c, const double *time, const double *value, double part, int *frame)
{
    double t = time[c->begin] + part * (time[c->end] - time[c->begin]);
    while (*frame + 1 < c->end && time[*frame + 1] <= t)
        ++*frame;
    double step = fmin((t - time[*frame]) / (time[*frame + 1] - time[*frame]), 1);
    return value[*frame] + step * (value[*frame + 1] - value[*frame]);
}

void gait_cycles_profile(const GaitCycles *g, const double *time, const double *value, double mean[GAIT_POINTS],
                         double deviation[GAIT_POINTS])
{
    memset(mean, 0, GAIT_POINTS * sizeof *mean);
    memset(deviation, 0, GAIT_POINTS * sizeof *deviation);
    /* running mean and sum of squared differences, cycle by cycle (Welford 1962) */
    for (int i = 0; i < g->count; i++) {
        int frame = g->cycle[i].begin;
        for (int p = 0; p < GAIT_POINTS; p++) {
            double x = value_at(&g->cycle[i], time, value, (double)p / (GAIT_POINTS - 1), &frame);
            double before = x - mean[p];
            mean[p] += before / (i + 1);
            deviation[p] += before * (x - mean[p]);
        }
    }
    for (int p = 0; p < GAIT_POINTS; p++)
        deviation[p] = g->count > 1 ? sqrt(deviation[p] / (g->count - 1)) : NAN;
}
