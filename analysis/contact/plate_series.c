/* Comparable series of plates and motion (plate_series.h). */
#include "analysis/contact/plate_series.h"

#include <limits.h>
#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/signal/biquad.h"

#define CUTOFF 6.0     /* Hz: below the cutoff of any clip */
#define STEPS_MAX 4e6  /* of a record: 11 hours at 100 Hz */

_Static_assert(sizeof(PlateLoad) == 6 * sizeof(double), "loads are filtered as rows of numbers");

static Status filter(PlateLoad *loads, int rows, int columns, double frame_time, LaneWidth lanes, Error *err)
{
    double rate = 1 / frame_time, cutoff = cutoff_limit(CUTOFF, rate);
    Biquad section = butterworth_biquad(cutoff, rate);
    Samples samples = {(double *)loads, (size_t)rows, 6 * (size_t)columns};
    if (rows < BIQUAD_MIN_ROWS || columns == 0)
        return STATUS_OK;
    return biquad_filter(&section, &samples, cutoff_pad(cutoff, rate), lanes, err);
}

static void fill_feet(const Contact *estimate, PlateSeries *s)
{
    for (int f = 0; f < s->frame_count; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            Vec3 force = vec3_scale(estimate->foot_force[at], 1 / s->weight);
            Vec3 couple = vec3_scale(estimate->foot_free_moment[at], 1 / s->weight);
            s->foot[at] = (PlateLoad){force, vec3_add(vec3_cross(estimate->foot_cop[at], force), couple)};
        }
}

/* Mean of the samples within half a step, so that the step does not alias; interpolated where there are none. */
static void fill_step(const PlateRecord *r, int step, int *next, PlateSeries *s)
{
    double time = s->record_start + step * s->frame_time, end = time + s->frame_time / 2;
    PlateLoad *out = s->plate + (size_t)step * (size_t)s->plate_count;
    int first = *next;
    while (*next < r->sample_count && r->time[*next] < end)
        (*next)++;
    for (int p = 0; p < s->plate_count; p++) {
        PlateLoad sum = {{0, 0, 0}, {0, 0, 0}};
        for (int i = first; i < *next; i++)
            sum = plate_load_add(sum, (PlateLoad){r->force[plate_index(r, i, p)], r->moment[plate_index(r, i, p)]});
        if (*next == first)
            plate_record_at(r, time, p, &sum.force, &sum.moment);
        double scale = 1 / (s->weight * (*next > first ? *next - first : 1));
        out[p] = (PlateLoad){vec3_scale(sum.force, scale), vec3_scale(sum.moment, scale)};
    }
}

static Status fill_plates(const PlateRecord *r, LaneWidth lanes, PlateSeries *s, Arena *arena, Error *err)
{
    double last = r->sample_count ? r->time[r->sample_count - 1] : 0;
    double steps = r->sample_count ? floor((last - r->time[0]) / s->frame_time) + 1 : 0;
    int next = 0;
    s->plate_count = r->plate_count;
    s->named = r->plate;
    s->record_start = r->sample_count ? r->time[0] : 0;
    if (steps > STEPS_MAX)
        return error_set(err, STATUS_LIMIT, "%.0f s of measured forces are too long for a motion of %.3g frames per "
                         "second", last - r->time[0], 1 / s->frame_time);
    s->step_count = (int)steps;
    s->plate = arena_array(arena, (size_t)s->step_count, (size_t)s->plate_count, sizeof *s->plate);
    if (arena->failed)
        return error_no_memory(err);
    for (int i = 0; i < s->step_count; i++)
        fill_step(r, i, &next, s);
    return filter(s->plate, s->step_count, s->plate_count, s->frame_time, lanes, err);
}

Status plate_series_find(const PlateRecord *record, const EstimatedMotion *of, PlateSeries *out, Arena *arena,
                         Error *err)
{
    const Motion *m = of->clip->motion;
    *out = (PlateSeries){.frame_count = m->frame_count, .frame_time = m->frame_time,
                         .start = m->frame_count ? m->time[0] : 0, .weight = of->clip->body->total_mass * GRAVITY,
                         .height = of->estimate->ground_height,
                         .valid = of->clip->kinematics->valid};
    out->foot = arena_array(arena, (size_t)m->frame_count, FOOT_COUNT, sizeof *out->foot);
    if (arena->failed)
        return error_no_memory(err);
    fill_feet(of->estimate, out);
    Status status = filter(out->foot, m->frame_count, FOOT_COUNT, m->frame_time, of->lanes, err);
    return status ? status : fill_plates(record, of->lanes, out, arena, err);
}

PlateLoad plate_series_at(const PlateSeries *s, double step, int plate)
{
    PlateLoad none = {{0, 0, 0}, {0, 0, 0}};
    if (!(step >= 0 && step <= s->step_count - 1))
        return none;
    int low = (int)step;
    double part = step - low;
    const PlateLoad *a = s->plate + (size_t)low * (size_t)s->plate_count + (size_t)plate;
    const PlateLoad *b = low + 1 < s->step_count ? a + s->plate_count : a;
    return (PlateLoad){vec3_lerp(a->force, b->force, part), vec3_lerp(a->moment, b->moment, part)};
}

PlateLoad plate_series_feet(const PlateSeries *s, int frame, unsigned feet)
{
    PlateLoad sum = {{0, 0, 0}, {0, 0, 0}};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (feet & 1u << foot)
            sum = plate_load_add(sum, s->foot[(size_t)frame * FOOT_COUNT + (size_t)foot]);
    return sum;
}
