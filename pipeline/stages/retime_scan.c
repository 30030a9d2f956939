/* See retime_scan.h. */
#include "pipeline/stages/retime_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

enum { HELD_RATES = 3, NEAR_FLIGHT = 2 };

static const double hardly = 1.005;     /* of the least size at any rate: slowing does not lower it further */
static const double excess_weight = 30; /* of the mean excess, against the time */

void retime_scan_free(RetimeScan *scan)
{
    flight_rates_free(&scan->flights);
    free(scan->flying);
    free(scan->size);
    free(scan->least);
    free(scan->fastest);
    *scan = (RetimeScan){0};
}

Vec3 retime_effort(const RetimeScan *scan, const Clip *clip, int frame, int source_frame, int effort)
{
    int is_noise = effort == body_limits_ground(clip) && scan->flying[source_frame];
    return is_noise ? vec3(0, 0, 0) : body_limits_effort(scan->limits, clip, frame, effort);
}

int retime_source_frame(const RetimeScan *scan, double place)
{
    return (int)fmin(rint(place / scan->clip->motion.frame_time), scan->frames - 1);
}

double retime_limit(const RetimeScan *scan, double place, int effort)
{
    float least = 0;
    int at = (int)(place / scan->clip->motion.frame_time);
    for (int f = at; f <= at + 1; f++)
        if (f >= 0 && f < scan->frames)
            least = fmaxf(least, scan->least[(size_t)f * (size_t)scan->efforts + (size_t)effort]);
    return least > 1 ? hardly * (double)least : 1;
}

double retime_cost(const RetimeScan *scan, double frame_count, double excess)
{
    return frame_count * scan->clip->motion.frame_time * (1 + excess_weight * excess / scan->frames);
}

static double rate_of(int index)
{
    double rate = 1;
    while (index-- > 0)
        rate *= SCAN_RATIO;
    return rate;
}

static float *sizes_at(const RetimeScan *scan, int rate, int frame)
{
    return scan->size + ((size_t)rate * (size_t)scan->frames + (size_t)frame) * (size_t)scan->efforts;
}

static void fill_sizes(RetimeScan *scan, const Clip *clip, int rate)
{
    for (int f = 0; f < scan->frames; f++)
        for (int e = 0; e < scan->efforts; e++)
            sizes_at(scan, rate, f)[e] = (float)body_limits_size(clip, e, retime_effort(scan, clip, f, f, e));
}

/* Largest size of a frame at a rate, as a fraction of what can be reached. */
static double largest(const RetimeScan *scan, int rate, int frame)
{
    const float *size = sizes_at(scan, rate, frame), *least = scan->least + (size_t)frame * (size_t)scan->efforts;
    double over = 0;
    for (int e = 0; e < scan->efforts; e++)
        if ((double)size[e] > over)
            over = fmax(over, (double)size[e] / (least[e] > 1 ? hardly * (double)least[e] : 1));
    return over;
}

static void mark_flights(RetimeScan *scan)
{
    for (int i = 0; i < scan->flights.count; i++) {
        const Flight *flight = &scan->flights.flight[i];
        scan->wrong_flights += flight->rate < 1;
        for (int f = flight->first - NEAR_FLIGHT; f <= flight->last + NEAR_FLIGHT; f++)
            if (f >= 0 && f < scan->frames)
                scan->flying[f] = 1;
    }
}

int retime_slower_is_lower(const RetimeScan *scan, int frame, int effort, double rate)
{
    int k = 0;
    while (k + 2 < SCAN_RATES && rate_of(k + 1) > rate)
        k++;
    return sizes_at(scan, k + 1, frame)[effort] < sizes_at(scan, k, frame)[effort];
}

static Status make_arrays(RetimeScan *scan, const Clip *clip, Error *err)
{
    size_t frames = (size_t)clip->motion.frame_count, efforts = (size_t)body_limits_count(clip);
    scan->frames = (int)frames;
    scan->efforts = (int)efforts;
    scan->flying = array_new(frames, 1, sizeof *scan->flying);
    scan->size = array_new(SCAN_RATES * frames, efforts, sizeof *scan->size);
    scan->least = array_new(frames, efforts, sizeof *scan->least);
    scan->fastest = array_new(frames, 1, sizeof *scan->fastest);
    return scan->flying && scan->size && scan->least && scan->fastest ? STATUS_OK : error_no_memory(err);
}

static Status scan_rate(RetimeScan *scan, int rate, Error *err)
{
    Clip clip;
    Status status = trial_make_uniform(scan->clip, rate_of(rate), scan->plan, &clip, err);
    if (status)
        return status;
    if (!scan->size) {
        status = make_arrays(scan, &clip, err);
        if (!status)
            status = flight_rates_find(&clip, rate_of(rate), &scan->flights, err);
        if (!status)
            mark_flights(scan);
    }
    if (!status && body_limits_count(&clip) != scan->efforts)
        status = error_set(err, STATUS_BAD_INPUT, "its coordinates depend on its timing");
    if (!status)
        fill_sizes(scan, &clip, rate);
    clip_free(&clip);
    return status;
}

/* The largest rate at which, and at the next slower ones, a frame is within its limits; else the rate with the least
 * excess. */
static double find_fastest(const RetimeScan *scan, int frame)
{
    double least = INFINITY;
    int best = 0;
    for (int i = 0, held = 0; i < SCAN_RATES; i++) {
        double over = largest(scan, i, frame);
        held = over <= 1 ? held + 1 : 0;
        if (held == HELD_RATES || (held && i + 1 == SCAN_RATES))
            return rate_of(i + 1 - held);
        if (over < least) {
            least = over;
            best = i;
        }
    }
    return rate_of(best);
}

static double cost_of_rate(const RetimeScan *scan, int rate)
{
    double excess = 0;
    for (int f = 0; f < scan->frames; f++)
        excess += fmax(0, largest(scan, rate, f) - 1);
    return retime_cost(scan, scan->frames / rate_of(rate), excess);
}

static void judge_rates(RetimeScan *scan)
{
    size_t cells = (size_t)scan->frames * (size_t)scan->efforts;
    int best = 0;
    memcpy(scan->least, scan->size, cells * sizeof *scan->least);
    for (size_t i = cells; i < SCAN_RATES * cells; i++)
        scan->least[i % cells] = fminf(scan->least[i % cells], scan->size[i]);
    for (int i = 1; i < SCAN_RATES; i++)
        best = cost_of_rate(scan, i) < cost_of_rate(scan, best) ? i : best;
    scan->best_rate = rate_of(best);
    for (int f = 0; f < scan->frames; f++)
        scan->fastest[f] = find_fastest(scan, f);
}

/* The slowest rate, which shows the flights, the clip as it is and, unless it is within its limits, the others. */
static Status scan_rates(RetimeScan *scan, Error *err)
{
    float most = 0;
    Status status = scan_rate(scan, SCAN_RATES - 1, err);
    if (!status)
        status = scan_rate(scan, 0, err);
    for (size_t i = 0; !status && i < (size_t)scan->frames * (size_t)scan->efforts; i++)
        most = fmaxf(most, scan->size[i]);
    scan->is_within = !status && scan->wrong_flights == 0 && (double)most <= RETIME_TOLERANCE;
    for (int i = 1; i < SCAN_RATES - 1 && !status && !scan->is_within; i++)
        status = scan_rate(scan, i, err);
    return status;
}

Status retime_scan(RetimeScan *scan, Error *err)
{
    Status status = scan_rates(scan, err);
    if (status)
        retime_scan_free(scan);
    else if (!scan->is_within)
        judge_rates(scan);
    return status;
}
