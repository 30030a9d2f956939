/* Artifacts of the path relative to the ground: a body that drifts up or down, and feet that slide.
 *
 * Drift: the lowest points of the body rise along a line, and standing feet rise at the same rate. On stairs and
 * slopes standing feet keep their height; in a jump none stands. Standing feet are recognised by their speed: a
 * criterion of height above the line would select, of a foot at constant height, the moments when it rises above the
 * line. A foot that lies flat (all its points at one velocity and no other point of the body below it) is decisive: on
 * a slope it does not rise, and on uneven ground (stairs, a box, a landing) it alone shows a drift. A constant
 * velocity changes no force, so a drift without such a foot, as in a run whose feet roll, is not detected.
 *
 * Sliding: all low feet move horizontally, including the slower one, in one direction. On a treadmill only the
 * difference from the belt's velocity counts. */
#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/sort.h"
#include "analysis/quality/artifacts_internal.h"
#include "analysis/quality/foot_tracks.h"

/* Of a drift. */
static const double hop = 0.1;          /* s, between consecutive windows */
static const double min_rise = 0.09;    /* m in a window: within a step a foot's height changes by a few cm */
static const double bend = 0.25;        /* of the rise: deviation of the middle third's low point from the line */
static const double on_line = 0.15;     /* m above the line: a foot that may support the body */
static const double standing = 0.2;     /* m/s, horizontal: speed limit of a supporting foot */
static const double long_enough = 0.2;  /* part of the window in which feet stand and rise */
static const double min_part = 0.5, max_part = 2.5;    /* bounds of their median rate over the line's slope */
static const double agreeing = 0.3;     /* part of the rates that must be near the median */
static const double windows[] = {0.6, 0.8, 1, 1.25, 1.5, 2, 3}; /* s */
static const double shortest = 0.5;     /* s: window of a take shorter than all windows; a stance and a flight */
static const double lies_lowest = 0.03; /* m above the body's lowest point: a foot that may support it */
static const double turning = 0.1;      /* m/s, between points of a foot: a faster one rolls (30 degrees/s) */
static const double falling = 3.3;      /* m/s2, a third of gravity: a foot of higher acceleration does not stand */
static const double long_flat = 0.15;   /* s of flat feet that their rate needs to count */
static const double sole = 0.03;        /* m: compression of soles, skin and heels is smaller */
static const double flat_agreeing = 0.75; /* part of the flat feet's rates between half and twice the median */

/* Of a slide. */
static const double min_speed = 0.25;   /* m/s: standing feet are slower */
static const double min_slide = 0.18;   /* s of frames with a low foot */
static const double flight = 0.3;       /* s without a low foot during which a slide may continue */
static const double straight = 0.7;      /* least ratio of mean velocity to mean speed */

/* Finds the next interval in which flag is set, from frame f on. Returns 0 if there is none. */
static int next_run(const uint8_t *flag, int count, int f, int *first, int *last)
{
    while (f < count && !flag[f])
        f++;
    *first = f;
    while (f < count && flag[f])
        f++;
    *last = f - 1;
    return *first < count;
}

static double level_speed(Vec3 v) { return sqrt(v.x * v.x + v.z * v.z); }

/* ---- Drift ---- */

/* A line that the lowest point of the body follows, through frame `at`. */
typedef struct Line {
    int at;
    double height, slope; /* m, m/s */
} Line;

static int lowest_point(const BodyTracks *t, int first, int last)
{
    int at = first;
    for (int f = first + 1; f <= last; f++)
        at = t->lowest[f] < t->lowest[at] ? f : at;
    return at;
}

static double height_above(const BodyTracks *t, Line line, double height, int f)
{
    return height - line.height - line.slope * (f - line.at) * t->frame_time;
}

/* The line through the low points of the first and of the last third of the frames first to last. */
static Line line_through(const BodyTracks *t, int first, int last)
{
    int third = (last - first) / 3, a = lowest_point(t, first, first + third), b = lowest_point(t, last - third, last);
    double rise = t->lowest[b] - t->lowest[a];
    return (Line){a, t->lowest[a], b > a ? rise / ((b - a) * t->frame_time) : 0};
}

/* The vertical velocity of a foot that lies flat on its support: it is the lowest part of the body, all its points have
 * one velocity, nearly vertical, and it does not fall. NAN otherwise. */
static double flat_rate(const FootSpeeds *s, int foot, int f)
{
    const BodyTracks *t = s->tracks;
    int reach = seconds_to_frames(FOOT_SPEED_SPAN, t->frame_time);
    if (f < reach || f + reach >= t->frame_count || body_tracks_foot_height(t, foot, f) > t->lowest[f] + lies_lowest)
        return NAN;
    size_t points = (size_t)t->points[foot], step = (size_t)reach * points;
    const Vec3 *now = t->point[foot] + (size_t)f * points, *before = now - step, *after = now + step;
    double time = reach * t->frame_time, min = INFINITY, max = -INFINITY;
    for (size_t i = 0; i < points; i++) {
        Vec3 speed = vec3_sub(vec3_scale(vec3_sub(after[i], before[i]), 0.5 / time), s->belt);
        if (level_speed(speed) > standing)
            return NAN;
        min = fmin(min, speed.y);
        max = fmax(max, speed.y);
    }
    int falls = fabs(after[0].y - 2 * now[0].y + before[0].y) > falling * time * time;
    return falls || max - min > turning ? NAN : 0.5 * (min + max);
}

/* Writes the rates at which standing feet rise into rate[]; returns their number. */
static int standing_rates(const FootSpeeds *s, Line line, int first, int last, double *rate)
{
    const BodyTracks *t = s->tracks;
    int count = 0;
    for (int f = first; f <= last; f++)
        for (int foot = 0; foot < 2; foot++)
            if (level_speed(s->speed[foot][f]) < standing &&
                height_above(t, line, body_tracks_foot_height(t, foot, f), f) < on_line)
                rate[count++] = s->speed[foot][f].y;
    return count;
}

/* Whether standing feet rise at the rate of the line. */
static int feet_rise(Line line, int frames, double *rate, int count)
{
    if (count < long_enough * frames)
        return 0;
    double median = select_double(rate, (size_t)count, (size_t)count / 2), part = median / line.slope;
    int agree = 0;
    for (int i = 0; i < count; i++)
        agree += rate[i] / median > 0.3 && rate[i] / median < 3;
    return part > min_part && part < max_part && agree >= agreeing * count;
}

/* Rates of flat feet in frames first to last. */
typedef struct FlatFeet {
    double median, agree, time; /* m/s; part of the rates near the median; s */
} FlatFeet;

/* flat: [frame][foot]; rate: scratch for two rates per frame. */
static FlatFeet flat_feet(const FootSpeeds *s, const double *flat, int first, int last, double *rate)
{
    int count = 0, agree = 0, frames = 0;
    for (int f = first; f <= last; f++) {
        int before = count;
        for (int foot = 0; foot < 2; foot++)
            if (!isnan(flat[2 * f + foot]))
                rate[count++] = flat[2 * f + foot];
        frames += count > before;
    }
    if (count == 0)
        return (FlatFeet){0};
    double median = select_double(rate, (size_t)count, (size_t)count / 2);
    for (int i = 0; i < count; i++)
        agree += rate[i] / median > 0.5 && rate[i] / median < 2;
    return (FlatFeet){median, (double)agree / count, frames * s->tracks->frame_time};
}

/* Whether the lowest points of the three thirds lie within a band. */
static int is_level(const BodyTracks *t, int first, int last, double band)
{
    int third = (last - first) / 3;
    double a = t->lowest[lowest_point(t, first, first + third)], b = t->lowest[lowest_point(t, last - third, last)];
    double middle = t->lowest[lowest_point(t, first + third, last - third)];
    return fmax(a, fmax(b, middle)) - fmin(a, fmin(b, middle)) < band;
}

/* On uneven ground, where no line fits: whether flat feet rise by more than soles yield. */
static int flat_feet_rise(const BodyTracks *t, FlatFeet feet, int first, int last)
{
    double rate = fabs(feet.median);
    if (feet.time < long_flat || rate * feet.time < sole || feet.agree < flat_agreeing)
        return 0;
    return !is_level(t, first, last, fmax(min_rise, 0.5 * rate * (last - first) * t->frame_time));
}

/* Whether the body's lowest points rise along a line, and the feet with them. */
static int body_rises(const FootSpeeds *s, FlatFeet feet, int first, int last, double *rate)
{
    const BodyTracks *t = s->tracks;
    Line line = line_through(t, first, last);
    double rise = fabs(line.slope) * (last - first) * t->frame_time;
    int third = (last - first) / 3, middle = lowest_point(t, first + third, last - third);
    int end = lowest_point(t, last - third, last);
    if (2 * (end - line.at) < last - first) /* low points too close together say nothing about the whole window */
        return 0;
    if (rise < min_rise || fabs(height_above(t, line, t->lowest[middle], middle)) > bend * rise)
        return 0;
    if (feet.time > long_flat && feet.median / line.slope < min_part) /* a slope */
        return 0;
    return feet_rise(line, last - first + 1, rate, standing_rates(s, line, first, last, rate));
}

/* Whether the body drifts in frames first to last. */
static int is_drift(const FootSpeeds *s, const double *flat, int first, int last, double *rate)
{
    if (is_level(s->tracks, first, last, 0.5 * min_rise))   /* the usual case */
        return 0;
    FlatFeet feet = flat_feet(s, flat, first, last, rate);
    return flat_feet_rise(s->tracks, feet, first, last) || body_rises(s, feet, first, last, rate);
}

/* Sets drifts[f] in the windows of `span` frames in which the body drifts. */
static void look_at_windows(const FootSpeeds *s, const double *flat, int span, double *rate, uint8_t *drifts)
{
    int step = seconds_to_frames(hop, s->tracks->frame_time), end = s->tracks->frame_count - 1 - span;
    for (int f = 0; f < end + step && end >= 0; f += step) {
        int at = f < end ? f : end;
        if (is_drift(s, flat, at, at + span, rate))
            memset(drifts + at, 1, (size_t)span + 1);
    }
}

/* The rate of drift, m/s: that of flat feet if they agree, else that of the lowest points, which lags at the beginning
 * of a drift. */
static double drift_rate(const FootSpeeds *s, const double *flat, int first, int last, double *rate)
{
    FlatFeet feet = flat_feet(s, flat, first, last, rate);
    int is_known = feet.time >= long_flat && feet.agree >= flat_agreeing;
    return is_known ? feet.median : line_through(s->tracks, first, last).slope;
}

static Status add_drifts(const FootSpeeds *s, Arena *arena, Artifacts *artifacts, Error *err)
{
    const BodyTracks *t = s->tracks;
    uint8_t *drifts = arena_array(arena, (size_t)t->frame_count, 1, 1);
    double *rate = arena_array(arena, (size_t)t->frame_count, 2, sizeof *rate);
    double *flat = arena_array(arena, (size_t)t->frame_count, 2, sizeof *flat);
    int first, last, whole = t->frame_count - 1, min = seconds_to_frames(windows[0], t->frame_time);
    if (arena->failed)
        return error_no_memory(err);
    for (int i = 0; i < 2 * t->frame_count; i++)
        flat[i] = flat_rate(s, i % 2, i / 2);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        look_at_windows(s, flat, seconds_to_frames(windows[w], t->frame_time), rate, drifts);
    if (whole < min && whole >= seconds_to_frames(shortest, t->frame_time))
        look_at_windows(s, flat, whole, rate, drifts);
    Status status = STATUS_OK;
    for (int f = 0; !status && next_run(drifts, t->frame_count, f, &first, &last); f = last + 1)
        status = artifacts_add(artifacts,
                               (Artifact){TRUST_DRIFT, 0, first, last, 0, drift_rate(s, flat, first, last, rate)}, err);
    return status;
}

/* ---- Sliding ---- */

/* Frames in which the supporting feet move, including the slower one. */
typedef struct Slide {
    int first, last, low; /* frames; number of frames with a low foot */
    Vec3 path;            /* m/s, sum over the low frames */
    double speed;
} Slide;

/* The slower of the low feet in a frame; -1 if none is low. */
static int bearing_foot(const FootSpeeds *s, int f)
{
    int left = s->low[0][f], right = s->low[1][f];
    if (left && right)
        return level_speed(s->speed[1][f]) < level_speed(s->speed[0][f]);
    return left ? 0 : right ? 1 : -1;
}

static Status close_slide(const FootSpeeds *s, Slide *slide, Artifacts *artifacts, Error *err)
{
    Status status = STATUS_OK;
    double net = level_speed(slide->path);
    if (slide->low >= seconds_to_frames(min_slide, s->tracks->frame_time) && net > straight * slide->speed)
        status = artifacts_add(artifacts,
                               (Artifact){TRUST_SLIDING, 0, slide->first, slide->last, 0, net / slide->low}, err);
    *slide = (Slide){0};
    return status;
}

static Status add_slides(const FootSpeeds *s, Artifacts *artifacts, Error *err)
{
    int longest = seconds_to_frames(flight, s->tracks->frame_time);
    Slide slide = {0};
    Status status = STATUS_OK;
    for (int f = 0; f < s->tracks->frame_count && !status; f++) {
        int foot = bearing_foot(s, f);
        double speed = foot >= 0 ? level_speed(s->speed[foot][f]) : 0;
        if (slide.low > 0 && (foot >= 0 ? speed < min_speed : f - slide.last > longest))
            status = close_slide(s, &slide, artifacts, err);
        if (foot < 0 || speed < min_speed)
            continue;
        slide.first = slide.low > 0 ? slide.first : f;
        slide.last = f;
        slide.low++;
        slide.speed += speed;
        slide.path = vec3_add(slide.path, s->speed[foot][f]);
    }
    return status ? status : close_slide(s, &slide, artifacts, err);
}

/* Whether the root moves at all: otherwise nothing is known of the ground. */
static int has_path(const BodyTracks *t)
{
    for (int f = 1; f < t->frame_count; f++)
        if (vec3_distance(t->root[f], t->root[0]) > 1e-3)
            return 1;
    return 0;
}

Status artifact_ground_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    BodyTracks tracks;
    FootSpeeds speeds;
    body_tracks_init(&tracks, skeleton, m, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && tracks.points[0] > 0 && tracks.points[1] > 0 && has_path(&tracks)) {
        foot_speeds_init(&speeds, &tracks, &arena);
        status = arena.failed ? error_no_memory(err) : add_drifts(&speeds, &arena, artifacts, err);
        if (!status)
            status = add_slides(&speeds, artifacts, err);
    }
    arena_free(&arena);
    return status;
}
