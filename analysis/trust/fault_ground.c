#include "analysis/trust/fault_ground.h"

#include <math.h>
#include <string.h>

#include "analysis/math/sort.h"
#include "analysis/trust/foot_speeds.h"

/* An interval of frames in which flag is set; 0: there is none from frame f on. */
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

static const double hop = 0.1;          /* s, from one window to the next */
static const double least_rise = 0.09;  /* m in a window: within a step a foot changes by some cm */
static const double bend = 0.25;        /* of the rise: how far the middle third's low point may lie off the line */
static const double on_line = 0.15;     /* m above the line: a foot that may support the body */
static const double standing = 0.2;     /* m/s, level: a foot that supports it */
static const double long_enough = 0.2;  /* of the window: feet stand, and rise */
static const double least_part = 0.5, most_part = 2.5; /* of the line's slope: their median rate */
static const double agreeing = 0.3;     /* of the frames: their rate is near the median one */
static const double windows[] = {0.6, 0.8, 1, 1.25, 1.5, 2, 3}; /* s */

/* The lowest point of the body rises along a line through frame `at`. */
typedef struct Line {
    int at;
    double height, slope; /* m, m/s */
} Line;

static int lowest_of(const BodyTracks *t, int first, int last)
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

/* Through the low points of the first and of the last third of the frames first to last. */
static Line line_through(const BodyTracks *t, int first, int last)
{
    int third = (last - first) / 3, a = lowest_of(t, first, first + third), b = lowest_of(t, last - third, last);
    double rise = t->lowest[b] - t->lowest[a];
    return (Line){a, t->lowest[a], b > a ? rise / ((b - a) * t->frame_time) : 0};
}

/* Rates at which standing feet rise, into rate; returns how many. */
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

/* Feet that stand rise as the line does. */
static int feet_rise(Line line, int frames, double *rate, int count)
{
    if (count < long_enough * frames)
        return 0;
    double median = select_double(rate, (size_t)count, (size_t)count / 2), part = median / line.slope;
    int agree = 0;
    for (int i = 0; i < count; i++)
        agree += rate[i] / median > 0.3 && rate[i] / median < 3;
    return part > least_part && part < most_part && agree >= agreeing * count;
}

/* Whether the body drifts in frames first to last. rate is scratch for two rates a frame. */
static int is_drift(const FootSpeeds *s, int first, int last, double *rate)
{
    const BodyTracks *t = s->tracks;
    Line line = line_through(t, first, last);
    double rise = fabs(line.slope) * (last - first) * t->frame_time;
    int third = (last - first) / 3, middle = lowest_of(t, first + third, last - third);
    int end = lowest_of(t, last - third, last);
    if (2 * (end - line.at) < last - first) /* low points too near each other say nothing of the whole window */
        return 0;
    if (rise < least_rise || fabs(height_above(t, line, t->lowest[middle], middle)) > bend * rise)
        return 0;
    return feet_rise(line, last - first + 1, rate, standing_rates(s, line, first, last, rate));
}

static Status add_drifts(const FootSpeeds *s, Arena *arena, Faults *faults, Error *err)
{
    const BodyTracks *t = s->tracks;
    uint8_t *drifts = arena_array(arena, (size_t)t->frame_count, 1, 1);
    double *rate = arena_array(arena, (size_t)t->frame_count, 2, sizeof *rate);
    Status status = arena->failed ? error_no_memory(err) : STATUS_OK;
    int first, last, step = frames_of(hop, t->frame_time);
    for (size_t w = 0; w < sizeof windows / sizeof *windows && !status; w++) {
        int span = frames_of(windows[w], t->frame_time), end = t->frame_count - 1 - span;
        for (int f = 0; f < end + step && end >= 0; f += step) {
            int at = f < end ? f : end;
            if (is_drift(s, at, at + span, rate))
                memset(drifts + at, 1, (size_t)span + 1);
        }
    }
    for (int f = 0; !status && next_run(drifts, t->frame_count, f, &first, &last); f = last + 1)
        status = faults_add(faults, (Fault){TRUST_DRIFT, 0, first, last, 0, line_through(t, first, last).slope}, err);
    return status;
}

/* ---- Sliding ---- */

static const double least_speed = 0.25; /* m/s: feet that stand move by less */
static const double least_slide = 0.18; /* s of frames in which a foot is low */
static const double flight = 0.3;       /* s: no foot is low, and the body may slide on */
static const double one_way = 0.7;       /* mean velocity over mean speed */

/* Frames in which the feet that support the body move, the slower one too. */
typedef struct Slide {
    int first, last, low; /* frames; in how many a foot is low */
    Vec3 path;            /* m/s, sum over them */
    double speed;
} Slide;

/* The slower of the low feet in a frame; -1: none is low. */
static int bearing_foot(const FootSpeeds *s, int f)
{
    int left = s->low[0][f], right = s->low[1][f];
    if (left && right)
        return level_speed(s->speed[1][f]) < level_speed(s->speed[0][f]);
    return left ? 0 : right ? 1 : -1;
}

static Status close_slide(const FootSpeeds *s, Slide *slide, Faults *faults, Error *err)
{
    Status status = STATUS_OK;
    double way = level_speed(slide->path);
    if (slide->low >= frames_of(least_slide, s->tracks->frame_time) && way > one_way * slide->speed)
        status = faults_add(faults, (Fault){TRUST_SLIDING, 0, slide->first, slide->last, 0, way / slide->low}, err);
    *slide = (Slide){0};
    return status;
}

static Status add_slides(const FootSpeeds *s, Faults *faults, Error *err)
{
    int longest = frames_of(flight, s->tracks->frame_time);
    Slide slide = {0};
    Status status = STATUS_OK;
    for (int f = 0; f < s->tracks->frame_count && !status; f++) {
        int foot = bearing_foot(s, f);
        double speed = foot >= 0 ? level_speed(s->speed[foot][f]) : 0;
        if (slide.low > 0 && (foot >= 0 ? speed < least_speed : f - slide.last > longest))
            status = close_slide(s, &slide, faults, err);
        if (foot < 0 || speed < least_speed)
            continue;
        slide.first = slide.low > 0 ? slide.first : f;
        slide.last = f;
        slide.low++;
        slide.speed += speed;
        slide.path = vec3_add(slide.path, s->speed[foot][f]);
    }
    return status ? status : close_slide(s, &slide, faults, err);
}

/* The root moves at all: else nothing is known of the ground. */
static int has_path(const BodyTracks *t)
{
    for (int f = 1; f < t->frame_count; f++)
        if (vec3_distance(t->root[f], t->root[0]) > 1e-3)
            return 1;
    return 0;
}

Status fault_ground_find(const Skeleton *skeleton, const Motion *m, Faults *faults, Error *err)
{
    Arena arena = {0};
    BodyTracks tracks;
    FootSpeeds speeds;
    body_tracks_init(&tracks, skeleton, m, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && tracks.points[0] > 0 && tracks.points[1] > 0 && has_path(&tracks)) {
        foot_speeds_init(&speeds, &tracks, &arena);
        status = arena.failed ? error_no_memory(err) : add_drifts(&speeds, &arena, faults, err);
        if (!status)
            status = add_slides(&speeds, faults, err);
    }
    arena_free(&arena);
    return status;
}
