/* See flights.h. */
#include "analysis/evidence/flights.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/parabola.h"
#include "analysis/math/sort.h"

enum { MAX_FLIGHTS = 64, MIN_FRAMES = 5, MIN_RUN_FRAMES = 6 };

static const double clear_of_ground = 0.06;            /* of the body's size */
static const double jump_misfit = 0.08, run_misfit = 0.05; /* RMS deviation from the parabola over its rise */
static const double min_rise = 0.25;                   /* rise of a jump's parabola over the clearance */
static const double max_rise = 2;
static const double at_rest = 0.5; /* of the rise: range of a point that supports the body */

typedef struct FlightList {
    int jumps, runs;
    double jump[MAX_FLIGHTS], run[MAX_FLIGHTS]; /* acceleration, units per frame2 */
} FlightList;

/* Heights of the centre of mass and of the lowest point, the latter above the ground. */
typedef struct FlightHeights {
    const BodyTrack *track;
    const double *com, *lowest;
} FlightHeights;

/* Least range of a point over n frames from start: small if the body rests on a point. */
static double min_range(const BodyTrack *track, int start, int n)
{
    double min = INFINITY;
    for (int p = 0; p < track->point_count; p++) {
        Vec3 first = body_track_frame(track, start)[p];
        double range = 0;
        for (int f = start + 1; f < start + n && range < min; f++)
            range = fmax(range, vec3_distance(body_track_frame(track, f)[p], first));
        min = fmin(min, range);
    }
    return min;
}

static void judge_flight(const FlightHeights *h, int start, int n, FlightList *list)
{
    double misfit, clearance = 0;
    if (n < MIN_FRAMES)
        return;
    double acceleration = parabola_acceleration(h->com + start, n, 1, &misfit);
    double rise = acceleration * (n - 1) * (n - 1) / 8;
    for (int i = start; i < start + n; i++)
        clearance = fmax(clearance, h->lowest[i]);
    if (!(rise > 0) || rise > max_rise * clearance || min_range(h->track, start, n) < at_rest * rise)
        return;
    if (rise > min_rise * clearance && misfit < jump_misfit * rise && list->jumps < MAX_FLIGHTS)
        list->jump[list->jumps++] = acceleration;
    else if (n >= MIN_RUN_FRAMES && misfit < run_misfit * rise && list->runs < MAX_FLIGHTS)
        list->run[list->runs++] = acceleration;
}

/* Flights that begin and end within the clip. */
static void find_flights(const FlightHeights *h, double clear, FlightList *list)
{
    int start = -1;
    for (int f = 0; f < h->track->frame_count; f++) {
        if (h->lowest[f] > clear)
            continue;
        if (start >= 0)
            judge_flight(h, start + 1, f - start - 1, list);
        start = f;
    }
}

static double median(double *value, int count)
{
    size_t n = (size_t)count;
    return 0.5 * (select_double(value, n, (n - 1) / 2) + select_double(value, n, n / 2));
}

Status flights_measure(const BodyTrack *track, Vec3 up, Flights *out, Error *err)
{
    size_t frames = (size_t)track->frame_count;
    Arena arena = {0};
    double *height = arena_space(&arena, frames, 3, sizeof *height);
    FlightList list = {0};
    *out = (Flights){0};
    if (arena.failed)
        return error_no_memory(err);
    double *lowest = height + frames, *sorted = lowest + frames;
    for (size_t f = 0; f < frames; f++) {
        const Vec3 *point = body_track_frame(track, (int)f);
        height[f] = vec3_dot(track->com[f], up);
        lowest[f] = vec3_dot(point[0], up);
        for (int p = 1; p < track->point_count; p++)
            lowest[f] = fmin(lowest[f], vec3_dot(point[p], up));
    }
    if (frames >= MIN_FRAMES) {
        memcpy(sorted, lowest, frames * sizeof *sorted);
        double ground = select_double(sorted, frames, (frames - 1) / 4);
        for (size_t f = 0; f < frames; f++)
            lowest[f] -= ground;
        find_flights(&(FlightHeights){track, height, lowest}, clear_of_ground * track->size, &list);
    }
    *out = (Flights){.count = list.jumps > 0 ? list.jumps : list.runs, .jumps = list.jumps};
    if (out->count > 0)
        out->acceleration = median(list.jumps > 0 ? list.jump : list.run, out->count) /
                            (track->frame_time * track->frame_time);
    arena_free(&arena);
    return STATUS_OK;
}
