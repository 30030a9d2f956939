/* See scene_rate.h. */
#include "formats/scene_file/scene_rate.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"

/* Times are float32 in glTF and in many exporters: a time t is known to 1.2e-7 t. */
static const double time_digits = 2.4e-7, shortest_step = 2e-5; /* s: keys closer than this are one */
static const double off_grid = 0.02;                            /* of a frame */
static const double slowest = 20, fastest = 1000;               /* frames per second that keys may have of themselves */
static const double lowest_stated = 1, highest_stated = 10000;  /* others are none */
static const double usual[] = {24, 25, 30, 48, 50, 60, 90, 100, 120, 150, 200, 240};
enum { USUAL_COUNT = sizeof usual / sizeof *usual, MAX_MULTIPLE = 8 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Collects the different times of the keys in ascending order; returns their number. */
static size_t collect_times(const Scene *scene, const char *needed, double **out, Error *err)
{
    size_t total = 0, count = 0, kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < scene->channel_count; c++)
            for (int p = 0; p < SCENE_PATHS && needed[scene->channel[c].node]; p++)
                for (int k = 0; k < scene->channel[c].path[p].count; k++, total++)
                    if (pass)
                        (*out)[count++] = scene->channel[c].path[p].time[k];
        if (pass == 0 && !(*out = array_space(total, 1, sizeof **out))) {
            error_no_memory(err);
            return 0;
        }
    }
    if (count > 0)
        qsort(*out, count, sizeof **out, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || (*out)[i] - (*out)[kept - 1] > shortest_step + 2 * time_digits * fabs((*out)[i]))
            (*out)[kept++] = (*out)[i];
    return kept;
}

/* Whether every key is at a frame of this rate. */
static int fits(const double *time, size_t count, double begin, double rate)
{
    for (size_t i = 0; i < count; i++) {
        double frame = (time[i] - begin) * rate;
        if (fabs(frame - round(frame)) > off_grid + time_digits * fabs(time[i]) * rate)
            return 0;
    }
    return 1;
}

/* The round rate, as 30 or 30 / 1.001, that the times have within their digits; otherwise the rate. */
static double round_rate(double rate, double frames, double end)
{
    const double candidates[] = {round(rate), round(1.001 * rate) / 1.001};
    for (int i = 0; i < 2; i++)
        if (candidates[i] > 0 && fabs(frames / candidates[i] - frames / rate) <= time_digits * end)
            return candidates[i];
    return rate;
}

static double usual_multiple(double rate)
{
    for (int i = 0; i < USUAL_COUNT; i++)
        if (fabs(usual[i] / rate - round(usual[i] / rate)) < 1e-3)
            return rate * round(usual[i] / rate);
    return rate * ceil(slowest / rate);
}

/* The rate of times without a stated one; *is_regular: every key is at a frame. */
static double rate_of_keys(const double *time, size_t count, int *is_regular)
{
    double step = INFINITY, length = count > 1 ? time[count - 1] - time[0] : 0;
    *is_regular = 1;
    for (size_t i = 1; i < count; i++)
        step = fmin(step, time[i] - time[i - 1]);
    if (count < 2)
        return 30;
    double frames = round(length / step), rate = frames / length;
    if (rate <= fastest && fits(time, count, time[0], rate)) {
        rate = round_rate(rate, frames, fabs(time[count - 1]));
        return rate >= slowest ? rate : usual_multiple(rate);
    }
    for (int i = 0; i < USUAL_COUNT; i++)
        if (fits(time, count, time[0], usual[i]))
            return usual[i];
    *is_regular = 0;
    return fmin(fmax(round(1 / step), 30), 240);
}

static double multiple_of_stated(const double *time, size_t count, double begin, double stated, int *is_regular)
{
    for (int m = 1; m <= MAX_MULTIPLE; m++)
        if ((*is_regular = fits(time, count, begin, m * stated)))
            return m * stated;
    return stated;
}

Status scene_frames(const Scene *scene, const char *needed, int max, SceneFrames *out, Error *err)
{
    double *time = NULL;
    size_t count = collect_times(scene, needed, &time, err);
    *out = (SceneFrames){0};
    if (count == 0) {
        Status status = time ? scene_no_motion("file", err) : STATUS_NO_MEMORY;
        free(time);
        return status;
    }
    double begin = isnan(scene->begin) ? time[0] : scene->begin;
    double end = isnan(scene->end) ? time[count - 1] : fmax(scene->end, time[count - 1]);
    int is_stated = scene->rate >= lowest_stated && scene->rate <= highest_stated;
    double rate = is_stated ? multiple_of_stated(time, count, begin, scene->rate, &out->is_regular)
                                  : rate_of_keys(time, count, &out->is_regular);
    free(time);
    double frames = floor((end - begin) * rate + 0.01 + time_digits * fabs(end) * rate) + 1;
    if (!(frames <= max))
        return error_set(err, STATUS_LIMIT, "%g s at %g frames per second are more than %d frames", end - begin, rate,
                         max);
    out->begin = begin;
    out->step = 1 / rate;
    out->count = frames > 1 ? (int)frames : 1;
    return STATUS_OK;
}
