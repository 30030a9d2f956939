/* See flight_rates.h. */
#include "analysis/retime/flight_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/math/elementary.h"
#include "analysis/math/parabola.h"
#include "analysis/math/sort.h"

enum { MIN_FRAMES = 3 };

static const double clear = 0.015;       /* of the stature: clearance of a flight */
static const double at_rest = 0.012;     /* of the stature: range of a point that supports the body */
static const double rest_of_rise = 0.5;  /* or of the parabola's rise */
static const double min_rise = 1e-3;     /* m, of the parabola */
static const double max_misfit = 0.08;   /* RMS deviation from the parabola over its rise */
static const double usual_height = 1.7;  /* m, of a body without stature */
static const double fall_error = 0.08;   /* of the acceleration; of runs and jumps of real people */
static const double rise_error = 4e-4;   /* m, of the rise: more of the acceleration in a short flight */
static const double agreement = 1.5;     /* errors by which flights that share a rate differ */

/* Heights over the ground, by the contact points, and their paths. */
typedef struct Heights {
    const Clip *clip;
    double *lowest, *com; /* [frame] m; lowest: above the level at which the body stands */
    double stature, slowed;
} Heights;

static Vec3 contact_point(const Clip *clip, int frame, int point)
{
    const Kinematics *k = &clip->kinematics;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)clip->contact.point_joint[point];
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], clip->contact.point_position[point]));
}

static void find_heights(Heights *h, double *sorted)
{
    const Clip *clip = h->clip;
    Vec3 up = clip->contact.ground_normal;
    int frames = clip->kinematics.frame_count;
    for (int f = 0; f < frames; f++) {
        h->lowest[f] = INFINITY;
        h->com[f] = clip->kinematics.com[f].y;
        for (int p = 0; p < clip->contact.point_count; p++)
            h->lowest[f] = fmin(h->lowest[f], vec3_dot(contact_point(clip, f, p), up));
    }
    memcpy(sorted, h->lowest, (size_t)frames * sizeof *sorted);
    double level = select_double(sorted, (size_t)frames, (size_t)(frames - 1) / 4);
    for (int f = 0; f < frames; f++)
        h->lowest[f] -= level;
}

/* Least distance that a contact point goes from its first place. */
static double min_range(const Clip *clip, int first, int last)
{
    double least = INFINITY;
    for (int p = 0; p < clip->contact.point_count; p++) {
        Vec3 start = contact_point(clip, first, p);
        double range = 0;
        for (int f = first + 1; f <= last && range < least; f++)
            range = fmax(range, vec3_distance(contact_point(clip, f, p), start));
        least = fmin(least, range);
    }
    return least;
}

static double rise_of(const Clip *clip, const Flight *flight)
{
    double span = (flight->last - flight->first) * clip->motion.frame_time;
    return flight->acceleration * span * span / 8;
}

static int is_flight(const Heights *h, Flight *flight)
{
    int frames = flight->last - flight->first + 1;
    double misfit;
    if (frames < MIN_FRAMES)
        return 0;
    flight->acceleration = parabola_acceleration(h->com + flight->first, frames, h->clip->motion.frame_time, &misfit);
    double rise = rise_of(h->clip, flight);
    flight->error = fall_error + rise_error / fmax(rise, min_rise);
    flight->acceleration /= h->slowed * h->slowed;
    return rise > min_rise && misfit < max_misfit * rise &&
           min_range(h->clip, flight->first, flight->last) > fmax(at_rest * h->stature, rest_of_rise * rise);
}

/* Flights that begin and end within the clip. */
static void list_flights(const Heights *h, FlightRates *out)
{
    int before = -1, frames = h->clip->kinematics.frame_count;
    for (int f = 0; f < frames; f++) {
        if (h->lowest[f] > clear * h->stature)
            continue;
        Flight flight = {.first = before + 1, .last = f - 1};
        if (before >= 0 && is_flight(h, &flight))
            out->flight[out->count++] = flight;
        before = f;
    }
}

/* Gives each flight its rate: by the mean acceleration of all, weighted by their errors, or by its own. */
static void find_rates(FlightRates *out)
{
    double sum = 0, weight = 0, least = INFINITY;
    for (int i = 0; i < out->count; i++) {
        double error = out->flight[i].error;
        sum += elementary_log(out->flight[i].acceleration / GRAVITY) / (error * error);
        weight += 1 / (error * error);
        least = fmin(least, error);
    }
    for (int i = 0; i < out->count; i++) {
        Flight *flight = &out->flight[i];
        double error = flight->error, own = elementary_log(flight->acceleration / GRAVITY);
        int agrees = fabs(own - sum / weight) < agreement * error;
        double falls = agrees ? sum / weight : own, limit = agrees ? least : error;
        flight->rate = falls > limit ? elementary_exp(-0.5 * falls) : 1;
    }
}

Status flight_rates_find(const Clip *clip, double slowed, FlightRates *out, Error *err)
{
    size_t frames = (size_t)clip->kinematics.frame_count;
    Arena arena = {0};
    *out = (FlightRates){0};
    if (clip->contact.point_count == 0 || frames == 0)
        return STATUS_OK;
    Heights h = {.clip = clip, .slowed = slowed, .stature = clip->body.stature > 0 ? clip->body.stature : usual_height};
    h.lowest = arena_array(&arena, frames, 1, sizeof *h.lowest);
    h.com = arena_array(&arena, frames, 1, sizeof *h.com);
    double *sorted = arena_array(&arena, frames, 1, sizeof *sorted);
    out->flight = array_new(frames / MIN_FRAMES + 1, 1, sizeof *out->flight);
    if (arena.failed || !out->flight) {
        arena_free(&arena);
        flight_rates_free(out);
        return error_no_memory(err);
    }
    find_heights(&h, sorted);
    list_flights(&h, out);
    find_rates(out);
    arena_free(&arena);
    return STATUS_OK;
}

void flight_rates_free(FlightRates *rates)
{
    free(rates->flight);
    *rates = (FlightRates){0};
}
