/* Agreement of loaded plates with the estimate (plate_match.h). */
#include "analysis/contact/plate_match.h"

#include <math.h>
#include <string.h>

#include "analysis/clip/contact.h"
#include "analysis/contact/plate_check.h"
#include "analysis/contact/plate_measures.h"

#define MIN_LOAD 0.05    /* body weights */
#define MIN_TIME 0.05    /* s of load; shorter: noise */
#define REACH 0.1        /* s, before and after a span, in which its feet must be unloaded */
#define PRESSED 0.2      /* body weights: smallest load with a comparable centre of pressure */
#define SPREAD 0.1       /* body weights: standard deviation of the estimate's errors (plate_check.h) */
#define PASSES 2

Vec3 plate_placement_turn(const PlatePlacement *p, Vec3 v)
{
    return vec3(p->cosine * v.x + p->sine * v.z, v.y, p->cosine * v.z - p->sine * v.x);
}

/* ---- Spans ---- */

static double up_at(const PlateSeries *s, int step, int plate)
{
    return s->plate[(size_t)step * (size_t)s->plate_count + (size_t)plate].force.y;
}

/* Finds the next span from step *at on; 0 if there is none. */
static int next_span(const PlateSeries *s, int plate, int *at, PlateSpan *out)
{
    while (*at < s->step_count) {
        int first = *at;
        while (first < s->step_count && !(up_at(s, first, plate) > MIN_LOAD))
            first++;
        int last = first;
        while (last + 1 < s->step_count && up_at(s, last + 1, plate) > MIN_LOAD)
            last++;
        *at = last + 1;
        *out = (PlateSpan){plate, first, last};
        if (first < s->step_count && (last - first + 1) * s->frame_time >= MIN_TIME)
            return 1;
    }
    return 0;
}

static double foot_up(const PlateSeries *s, int frame, int foot)
{
    return s->foot[(size_t)frame * FOOT_COUNT + (size_t)foot].force.y;
}

/* Numbers the stances of a foot in stance_at; returns the number of the next one. */
static int number_stances(const PlateSeries *s, int foot, int next, PlateSpans *out)
{
    int inside = 0;
    for (int f = 0; f < s->frame_count; f++) {
        int is_loaded = foot_up(s, f, foot) > MIN_LOAD;
        next += is_loaded && !inside;
        inside = is_loaded;
        out->stance_at[(size_t)f * FOOT_COUNT + (size_t)foot] = is_loaded ? next - 1 : -1;
    }
    return next;
}

static void fill_stances(const PlateSeries *s, PlateSpans *out)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int f = 0; f < s->frame_count; f++) {
            int i = out->stance_at[(size_t)f * FOOT_COUNT + (size_t)foot];
            if (i < 0)
                continue;
            int begins = f == 0 || out->stance_at[(size_t)(f - 1) * FOOT_COUNT + (size_t)foot] != i;
            out->stance[i] = (FootStance){foot, begins ? f : out->stance[i].first, f};
        }
}

static Status find_stances(const PlateSeries *s, PlateSpans *out, Arena *arena, Error *err)
{
    out->frame_count = s->frame_count;
    out->stance_at = arena_array(arena, (size_t)s->frame_count, FOOT_COUNT, sizeof *out->stance_at);
    for (int foot = 0; out->stance_at && foot < FOOT_COUNT; foot++)
        out->stance_count = number_stances(s, foot, out->stance_count, out);
    out->stance = arena_array(arena, (size_t)out->stance_count, 1, sizeof *out->stance);
    out->is_on = arena_array(arena, (size_t)s->plate_count, (size_t)out->stance_count, 1);
    if (arena->failed)
        return error_no_memory(err);
    fill_stances(s, out);
    return STATUS_OK;
}

Status plate_spans_find(const PlateSeries *s, PlateSpans *out, Arena *arena, Error *err)
{
    PlateSpan span;
    int count = 0;
    for (int p = 0; p < s->plate_count; p++)
        for (int at = 0; next_span(s, p, &at, &span);)
            count++;
    *out = (PlateSpans){.span = arena_array(arena, (size_t)count, 1, sizeof *out->span)};
    if (arena->failed)
        return error_no_memory(err);
    for (int p = 0; p < s->plate_count; p++)
        for (int at = 0; next_span(s, p, &at, &span);)
            out->span[out->count++] = span;
    return find_stances(s, out, arena, err);
}

static unsigned char *on_plate(const PlateSpans *spans, int plate, int stance)
{
    return &spans->is_on[(size_t)plate * (size_t)spans->stance_count + (size_t)stance];
}

unsigned plate_feet_on(const PlateSpans *spans, int plate, int frame)
{
    unsigned feet = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        int stance = spans->stance_at[(size_t)frame * FOOT_COUNT + (size_t)foot];
        if (stance >= 0 && *on_plate(spans, plate, stance))
            feet |= 1u << foot;
    }
    return feet;
}

/* ---- Frames of a span ---- */

/* The frames of the motion that a span covers at a lag, with their steps: step = frame + offset. */
typedef struct SpanFrames {
    int first, last;
    double offset;
} SpanFrames;

/* The reach around a span ends at its neighbours on the same plate, and with the record. */
static SpanFrames span_frames(const PlateSeries *s, const PlateSpans *spans, int i, double lag)
{
    const PlateSpan *span = &spans->span[i];
    int reach = (int)(REACH / s->frame_time + 0.5), first = span->first - reach, last = span->last + reach;
    if (i > 0 && span[-1].plate == span->plate && first <= span[-1].last)
        first = span[-1].last + 1;
    if (i + 1 < spans->count && span[1].plate == span->plate && last >= span[1].first)
        last = span[1].first - 1;
    first = first > 0 ? first : 0;
    last = last < s->step_count ? last : s->step_count - 1;
    double offset = (s->start + lag - s->record_start) / s->frame_time;
    double low = ceil(first - offset), high = floor(last - offset);
    return (SpanFrames){(int)fmin(fmax(low, 0), s->frame_count), (int)fmax(fmin(high, s->frame_count - 1), -1), offset};
}

static Vec3 pressure_of(const PlateSeries *s, const PlateLoad *load)
{
    return plate_pressure(vec3_scale(load->force, s->weight), vec3_scale(load->moment, s->weight),
                          vec3(0, s->height, 0), vec3(0, 1, 0));
}

/* Misfit of vertical force, and of pressure where the plates lie is known, as plate_distance weighs them. */
static double frame_misfit(const PlateSeries *s, const PlateLoad *plate, const PlateLoad *foot,
                           const PlatePlacement *placed)
{
    double off = plate->force.y - foot->force.y, load = fmin(plate->force.y, foot->force.y);
    if (!placed || !(load > MIN_LOAD))
        return off * off;
    Vec3 at = vec3_add(plate_placement_turn(placed, pressure_of(s, plate)), placed->shift);
    Vec3 apart = vec3_sub(at, pressure_of(s, foot));
    double arm = load / PLATE_PRESSURE_LENGTH;
    return off * off + arm * arm * (apart.x * apart.x + apart.z * apart.z);
}

/* ---- Stances on plates ---- */

/* Square of the load on other plates that the stance is on: the foot cannot have it twice. */
static double load_elsewhere(const PlateSeries *s, const PlateSpans *spans, int plate, int stance, double step)
{
    double load = 0;
    for (int p = 0; p < s->plate_count; p++)
        if (p != plate && *on_plate(spans, p, stance))
            load += plate_series_at(s, step, p).force.y;
    return load * load;
}

/* Puts a stance on the plate or takes it off, whichever fits the frames that it shares with the span; the other foot
 * stays as it is. */
static void choose(const PlateSeries *s, const PlateSpans *spans, int plate, SpanFrames frames, int stance,
                   const PlatePlacement *placed)
{
    const FootStance *of = &spans->stance[stance];
    unsigned own = 1u << of->foot;
    double on = 0, off = 0;
    int first = of->first > frames.first ? of->first : frames.first;
    int last = of->last < frames.last ? of->last : frames.last;
    for (int f = first; f <= last; f++) {
        if (!s->valid[f])
            continue;
        unsigned feet = plate_feet_on(spans, plate, f) & ~own;
        PlateLoad load = plate_series_at(s, f + frames.offset, plate);
        PlateLoad without = plate_series_feet(s, f, feet), with = plate_series_feet(s, f, feet | own);
        on += frame_misfit(s, &load, &with, placed) + load_elsewhere(s, spans, plate, stance, f + frames.offset);
        off += frame_misfit(s, &load, &without, placed);
    }
    *on_plate(spans, plate, stance) = on < off;
}

/* Calls choose for each stance of a foot in the frames, in the order of time. The foot that a plate names is on it. */
static void choose_of_foot(const PlateSeries *s, const PlateSpans *spans, int plate, SpanFrames frames, int foot,
                           const PlatePlacement *placed)
{
    int named = s->named[plate].foot;
    for (int f = frames.first; f <= frames.last; f++) {
        int stance = spans->stance_at[(size_t)f * FOOT_COUNT + (size_t)foot];
        if (stance < 0)
            continue;
        if (named == FOOT_COUNT)
            choose(s, spans, plate, frames, stance, placed);
        else
            *on_plate(spans, plate, stance) = named == foot;
        f = spans->stance[stance].last;
    }
}

/* From no stance on a plate, each is put on or taken off in turn. */
static void choose_stances(const PlateSeries *s, const PlateSpans *spans, double lag, const PlatePlacement *placed)
{
    memset(spans->is_on, 0, (size_t)s->plate_count * (size_t)spans->stance_count);
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < spans->count; i++)
            for (int foot = 0; foot < FOOT_COUNT; foot++)
                choose_of_foot(s, spans, spans->span[i].plate, span_frames(s, spans, i, lag), foot, placed);
}

/* ---- Sums ---- */

/* Sums of pressures about the origin, complex products as (x - i z). */
typedef struct Sums {
    double w, pp, qq, even, odd;
    Vec3 p, q;
} Sums;

/* q turned by the angle a about +Y agrees with p if even cos a - odd sin a is large. */
static void add_pair(Vec3 p, Vec3 q, double weight, Sums *sum)
{
    sum->w += weight;
    sum->p = vec3_mad(sum->p, weight, p);
    sum->q = vec3_mad(sum->q, weight, q);
    sum->pp += weight * (p.x * p.x + p.z * p.z);
    sum->qq += weight * (q.x * q.x + q.z * q.z);
    sum->even += weight * (p.x * q.x + p.z * q.z);
    sum->odd += weight * (p.z * q.x - p.x * q.z);
}

static void add_frame(const PlateSeries *s, const PlateLoad *plate, const PlateLoad *foot, Sums *force,
                      Sums *pressure)
{
    add_pair(foot->force, plate->force, 1, force);
    double load = fmin(plate->force.y, foot->force.y), arm = load / PLATE_PRESSURE_LENGTH;
    if (load > PRESSED)
        add_pair(pressure_of(s, foot), pressure_of(s, plate), arm * arm, pressure);
}

static PlateAgreement agreement_of(const PlateSeries *s, double frames, double vertical, const Sums *force,
                                   const Sums *pressure)
{
    double unit = s->frame_time / PLATES_CORRELATED / (SPREAD * SPREAD), per = pressure->w > 0 ? 1 / pressure->w : 0;
    Vec3 p = vec3_scale(pressure->p, per), q = vec3_scale(pressure->q, per);
    double w = pressure->w;
    return (PlateAgreement){
        .frames = frames,
        .vertical = unit * vertical,
        .fixed = unit * (force->pp + force->qq + pressure->pp + pressure->qq -
                         w * (p.x * p.x + p.z * p.z + q.x * q.x + q.z * q.z)),
        .even = unit * (force->even + pressure->even - w * (p.x * q.x + p.z * q.z)),
        .odd = unit * (force->odd + pressure->odd - w * (p.z * q.x - p.x * q.z)),
        .weight = unit * w,
        .plate = q,
        .foot = p,
    };
}

PlateAgreement plate_match(const PlateSeries *s, PlateSpans *spans, double lag, const PlatePlacement *placed)
{
    Sums force = {0}, pressure = {0};
    double frames = 0, vertical = 0;
    if (spans->stance_count > 0)
        choose_stances(s, spans, lag, placed);
    for (int i = 0; i < spans->count; i++) {
        const PlateSpan *span = &spans->span[i];
        SpanFrames of = span_frames(s, spans, i, lag);
        for (int f = of.first; f <= of.last; f++) {
            if (!s->valid[f])
                continue;
            PlateLoad plate = plate_series_at(s, f + of.offset, span->plate);
            PlateLoad foot = plate_series_feet(s, f, plate_feet_on(spans, span->plate, f));
            double off = plate.force.y - foot.force.y;
            frames++;
            vertical += off * off;
            add_frame(s, &plate, &foot, &force, &pressure);
        }
    }
    return agreement_of(s, frames, vertical, &force, &pressure);
}

double plate_misfit(const PlateAgreement *a, const PlatePlacement *turn)
{
    return a->vertical + a->fixed - 2 * (a->even * turn->cosine - a->odd * turn->sine);
}
