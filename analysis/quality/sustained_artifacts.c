/* Artifacts that last (artifacts.h): a path that drifts from the ground, feet that slide on it, rows written
 * repeatedly, and swapped left and right limbs. */
#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/mirror.h"
#include "analysis/quality/artifacts.h"

/* World positions along a take from which feet and ground are judged. */

enum { TILE = 64 }; /* frames whose poses are computed together */

/* Assigns points (joints, then end sites) to the feet. foot[point]: 0 left, 1 right, -1 neither. */
static void assign_feet(const Skeleton *s, signed char *foot, BodyTracks *out)
{
    int ankle[2] = {skeleton_find_role(s, ROLE_LEFT_ANKLE), skeleton_find_role(s, ROLE_RIGHT_ANKLE)};
    for (int j = 0; j < s->joint_count + s->end_count; j++) {
        int parent = j < s->joint_count ? s->parent[j] : s->end_parent[j - s->joint_count];
        foot[j] = j == ankle[0] ? 0 : j == ankle[1] ? 1 : parent < 0 ? -1 : foot[parent];
        if (foot[j] >= 0)
            out->points[foot[j]]++;
    }
}

/* Stores a frame, from the pose of its joints. */
static void keep_frame(const Skeleton *s, const Vec3 *position, const Quat *orientation, const signed char *foot,
                       int frame, BodyTracks *out)
{
    Vec3 *next[2];
    double low = INFINITY;
    for (int i = 0; i < 2; i++)
        next[i] = out->point[i] + (size_t)frame * (size_t)out->points[i];
    for (int p = 0; p < s->joint_count + s->end_count; p++) {
        int end = p - s->joint_count, joint = end < 0 ? p : s->end_parent[end];
        Vec3 at = end < 0 ? position[p]
                          : vec3_add(position[joint], quat_rotate(orientation[joint], s->end_offset[end]));
        low = fmin(low, at.y);
        if (foot[p] >= 0)
            *next[foot[p]]++ = at;
    }
    out->lowest[frame] = low;
}

void body_tracks_init(BodyTracks *out, const Skeleton *s, const Motion *m, Arena *arena)
{
    size_t joints = (size_t)s->joint_count, frames = (size_t)m->frame_count;
    signed char *foot = arena_array(arena, joints + (size_t)s->end_count, 1, 1);
    WorldPoses poses = {.position = arena_space(arena, TILE, joints, sizeof *poses.position),
                        .orientation = arena_space(arena, TILE, joints, sizeof *poses.orientation)};
    *out = (BodyTracks){.frame_count = m->frame_count, .frame_time = m->frame_time, .root = m->root_position};
    if (!arena->failed)
        assign_feet(s, foot, out);
    for (int i = 0; i < 2; i++)
        out->point[i] = arena_space(arena, frames, (size_t)out->points[i], sizeof(Vec3));
    out->lowest = arena_space(arena, frames, 1, sizeof *out->lowest);
    for (int f = 0; f < m->frame_count && !arena->failed; f += TILE) {
        Motion tile = motion_view(m, f, m->frame_count - f < TILE ? m->frame_count - f : TILE);
        ClipView view = {.skeleton = s, .motion = &tile};
        if (forward_kinematics(&view, LANES_AUTO, &poses, NULL))
            arena->failed = 1;
        for (int i = 0; i < tile.frame_count && !arena->failed; i++) {
            size_t row = (size_t)i * joints;
            keep_frame(s, poses.position + row, poses.orientation + row, foot, f + i, out);
        }
    }
}

double body_tracks_foot_height(const BodyTracks *t, int foot, int frame)
{
    const Vec3 *point = t->point[foot] + (size_t)frame * (size_t)t->points[foot];
    double low = INFINITY;
    for (int i = 0; i < t->points[foot]; i++)
        low = fmin(low, point[i].y);
    return low;
}

/* scratch[first .. end - 1] holds indices with ascending values, of which the first is the window's minimum. */
void sliding_least(const double *value, int count, int reach, double *low, int *scratch)
{
    int first = 0, end = 0;
    for (int i = 0; i < count + reach; i++) {
        while (i < count && end > first && value[scratch[end - 1]] >= value[i])
            end--;
        if (i < count)
            scratch[end++] = i;
        if (i < reach)
            continue;
        while (scratch[first] < i - 2 * reach)
            first++;
        low[i - reach] = value[scratch[first]];
    }
}

/* The motion of the feet where they may support the body. */

static const double blur = 0.04;       /* s, to either side: span of a point's velocity */
static const double low = 0.09;        /* m above the ground of the time window: a foot that may carry load */
static const double near = 0.6;        /* s, to either side: time window of the ground */
static const double of_foot = 0.06;    /* m above the foot's lowest point: points that may carry load */
static const double most_speed = 1.2;  /* m/s: a faster foot is swinging */
static const double most_climb = 0.35; /* m/s, vertical: a faster foot is landing or leaving */
static const double same_speed = 0.3;  /* m/s: tolerance around a belt's velocity */
static const double on_belt = 0.7;     /* part of the low frames in which a foot moves with the belt */
static const double own = 0.25;        /* of the belt's speed: upper bound on the body's mean speed on it */

int frames_of(double seconds, double frame_time)
{
    int count = (int)rint(seconds / frame_time);
    return count > 0 ? count : 1;
}

static Vec3 level(Vec3 v) { return vec3(v.x, 0, v.z); }

/* Sets speed and low of a foot in a frame. A foot faster than `most` is swinging. */
static void look_at_foot(const FootSpeeds *s, int foot, int f, double most)
{
    const BodyTracks *t = s->tracks;
    int reach = frames_of(blur, t->frame_time);
    size_t points = (size_t)t->points[foot], step = (size_t)reach * points;
    const Vec3 *now = t->point[foot] + (size_t)f * points;
    double lowest = body_tracks_foot_height(t, foot, f), span = 2 * reach * t->frame_time, least = INFINITY;
    for (size_t i = 0; i < points; i++) {
        Vec3 path = vec3_sub(now[i + step], now[(ptrdiff_t)i - (ptrdiff_t)step]);
        Vec3 speed = vec3_sub(vec3_scale(path, 1 / span), s->belt);
        double off = vec3_norm(level(speed));
        if (now[i].y > lowest + of_foot || off >= least)
            continue;
        least = off;
        s->speed[foot][f] = speed;
    }
    s->low[foot][f] = lowest < s->ground[f] + low && least < most && fabs(s->speed[foot][f].y) < most_climb;
}

static void look_at_feet(const FootSpeeds *s, double most)
{
    int reach = frames_of(blur, s->tracks->frame_time);
    for (int foot = 0; foot < 2; foot++)
        for (int f = reach; f < s->tracks->frame_count - reach; f++)
            look_at_foot(s, foot, f, most);
}

/* The median velocity of low feet along one axis. value: scratch, 2 * frame_count. */
static double usual_speed(const FootSpeeds *s, int axis, double *value)
{
    size_t count = 0;
    for (int foot = 0; foot < 2; foot++)
        for (int f = 0; f < s->tracks->frame_count; f++)
            if (s->low[foot][f])
                value[count++] = vec3_component(s->speed[foot][f], axis);
    return count > 0 ? select_double(value, count, count / 2) : 0;
}

/* The velocity of the treadmill's belt under the body; zero if there is none. */
static Vec3 belt_speed(const FootSpeeds *s, double *value)
{
    const BodyTracks *t = s->tracks;
    Vec3 belt = vec3(usual_speed(s, 0, value), 0, usual_speed(s, 2, value));
    double path = vec3_norm(level(vec3_sub(t->root[t->frame_count - 1], t->root[0]))), speed = vec3_norm(belt);
    int low_frames = 0, with = 0;
    for (int foot = 0; foot < 2; foot++)
        for (int f = 0; f < t->frame_count; f++) {
            low_frames += s->low[foot][f];
            with += s->low[foot][f] && vec3_distance(level(s->speed[foot][f]), belt) < same_speed;
        }
    int is_belt = speed > same_speed && path < own * speed * t->frame_count * t->frame_time;
    return is_belt && with >= on_belt * low_frames ? belt : vec3(0, 0, 0);
}

void foot_speeds_init(FootSpeeds *out, const BodyTracks *t, Arena *arena)
{
    size_t frames = (size_t)t->frame_count;
    int *scratch = arena_array(arena, frames, 1, sizeof *scratch);
    double *value = arena_array(arena, frames, 2, sizeof *value);
    *out = (FootSpeeds){.tracks = t, .ground = arena_array(arena, frames, 1, sizeof(double))};
    for (int foot = 0; foot < 2; foot++) {
        out->speed[foot] = arena_array(arena, frames, 1, sizeof(Vec3));
        out->low[foot] = arena_array(arena, frames, 1, 1);
    }
    if (arena->failed)
        return;
    sliding_least(t->lowest, t->frame_count, frames_of(near, t->frame_time), out->ground, scratch);
    look_at_feet(out, INFINITY);
    out->belt = belt_speed(out, value);
    look_at_feet(out, most_speed);
}

/* Artifacts of the path relative to the ground. */

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

static const double hop = 0.1;          /* s, between consecutive windows */
static const double least_rise = 0.09;  /* m in a window: within a step a foot's height changes by a few cm */
static const double bend = 0.25;        /* of the rise: deviation of the middle third's low point from the line */
static const double on_line = 0.15;     /* m above the line: a foot that may support the body */
static const double standing = 0.2;     /* m/s, horizontal: speed limit of a supporting foot */
static const double long_enough = 0.2;  /* part of the window in which feet stand and rise */
static const double least_part = 0.5, most_part = 2.5; /* bounds of their median rate over the line's slope */
static const double agreeing = 0.3;     /* part of the rates that must be near the median */
static const double windows[] = {0.6, 0.8, 1, 1.25, 1.5, 2, 3}; /* s */
static const double shortest = 0.5;     /* s: window of a take shorter than all windows; a stance and a flight */
static const double lies_lowest = 0.03; /* m above the body's lowest point: a foot that may support it */
static const double turning = 0.1;      /* m/s, between points of a foot: a faster one rolls (30 degrees/s) */
static const double falling = 3.3;      /* m/s2, a third of gravity: a foot of higher acceleration does not stand */
static const double long_flat = 0.15;   /* s of flat feet that their rate needs to count */
static const double sole = 0.03;        /* m: compression of soles, skin and heels is smaller */
static const double flat_agreeing = 0.75; /* part of the flat feet's rates between half and twice the median */

/* A line that the lowest point of the body follows, through frame `at`. */
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

/* The line through the low points of the first and of the last third of the frames first to last. */
static Line line_through(const BodyTracks *t, int first, int last)
{
    int third = (last - first) / 3, a = lowest_of(t, first, first + third), b = lowest_of(t, last - third, last);
    double rise = t->lowest[b] - t->lowest[a];
    return (Line){a, t->lowest[a], b > a ? rise / ((b - a) * t->frame_time) : 0};
}

/* The vertical velocity of a foot that lies flat on its support: it is the lowest part of the body, all its points have
 * one velocity, nearly vertical, and it does not fall. NAN otherwise. */
static double flat_rate(const FootSpeeds *s, int foot, int f)
{
    const BodyTracks *t = s->tracks;
    int reach = frames_of(blur, t->frame_time);
    if (f < reach || f + reach >= t->frame_count || body_tracks_foot_height(t, foot, f) > t->lowest[f] + lies_lowest)
        return NAN;
    size_t points = (size_t)t->points[foot], step = (size_t)reach * points;
    const Vec3 *now = t->point[foot] + (size_t)f * points, *before = now - step, *after = now + step;
    double time = reach * t->frame_time, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < points; i++) {
        Vec3 speed = vec3_sub(vec3_scale(vec3_sub(after[i], before[i]), 0.5 / time), s->belt);
        if (level_speed(speed) > standing)
            return NAN;
        least = fmin(least, speed.y);
        most = fmax(most, speed.y);
    }
    int falls = fabs(after[0].y - 2 * now[0].y + before[0].y) > falling * time * time;
    return falls || most - least > turning ? NAN : 0.5 * (least + most);
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
    return part > least_part && part < most_part && agree >= agreeing * count;
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
    double a = t->lowest[lowest_of(t, first, first + third)], b = t->lowest[lowest_of(t, last - third, last)];
    double middle = t->lowest[lowest_of(t, first + third, last - third)];
    return fmax(a, fmax(b, middle)) - fmin(a, fmin(b, middle)) < band;
}

/* On uneven ground, where no line fits: whether flat feet rise by more than soles yield. */
static int flat_feet_rise(const BodyTracks *t, FlatFeet feet, int first, int last)
{
    double rate = fabs(feet.median);
    if (feet.time < long_flat || rate * feet.time < sole || feet.agree < flat_agreeing)
        return 0;
    return !is_level(t, first, last, fmax(least_rise, 0.5 * rate * (last - first) * t->frame_time));
}

/* Whether the body's lowest points rise along a line, and the feet with them. */
static int body_rises(const FootSpeeds *s, FlatFeet feet, int first, int last, double *rate)
{
    const BodyTracks *t = s->tracks;
    Line line = line_through(t, first, last);
    double rise = fabs(line.slope) * (last - first) * t->frame_time;
    int third = (last - first) / 3, middle = lowest_of(t, first + third, last - third);
    int end = lowest_of(t, last - third, last);
    if (2 * (end - line.at) < last - first) /* low points too close together say nothing about the whole window */
        return 0;
    if (rise < least_rise || fabs(height_above(t, line, t->lowest[middle], middle)) > bend * rise)
        return 0;
    if (feet.time > long_flat && feet.median / line.slope < least_part) /* a slope */
        return 0;
    return feet_rise(line, last - first + 1, rate, standing_rates(s, line, first, last, rate));
}

/* Whether the body drifts in frames first to last. */
static int is_drift(const FootSpeeds *s, const double *flat, int first, int last, double *rate)
{
    if (is_level(s->tracks, first, last, 0.5 * least_rise)) /* the usual case */
        return 0;
    FlatFeet feet = flat_feet(s, flat, first, last, rate);
    return flat_feet_rise(s->tracks, feet, first, last) || body_rises(s, feet, first, last, rate);
}

/* Sets drifts[f] in the windows of `span` frames in which the body drifts. */
static void look_at_windows(const FootSpeeds *s, const double *flat, int span, double *rate, uint8_t *drifts)
{
    int step = frames_of(hop, s->tracks->frame_time), end = s->tracks->frame_count - 1 - span;
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
    int first, last, whole = t->frame_count - 1, least = frames_of(windows[0], t->frame_time);
    if (arena->failed)
        return error_no_memory(err);
    for (int i = 0; i < 2 * t->frame_count; i++)
        flat[i] = flat_rate(s, i % 2, i / 2);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        look_at_windows(s, flat, frames_of(windows[w], t->frame_time), rate, drifts);
    if (whole < least && whole >= frames_of(shortest, t->frame_time))
        look_at_windows(s, flat, whole, rate, drifts);
    Status status = STATUS_OK;
    for (int f = 0; !status && next_run(drifts, t->frame_count, f, &first, &last); f = last + 1)
        status = artifacts_add(artifacts,
                               (Artifact){TRUST_DRIFT, 0, first, last, 0, drift_rate(s, flat, first, last, rate)}, err);
    return status;
}

/* ---- Sliding ---- */

static const double least_speed = 0.25; /* m/s: standing feet are slower */
static const double least_slide = 0.18; /* s of frames with a low foot */
static const double flight = 0.3;       /* s without a low foot during which a slide may continue */
static const double straight = 0.7;      /* least ratio of mean velocity to mean speed */

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
    if (slide->low >= frames_of(least_slide, s->tracks->frame_time) && net > straight * slide->speed)
        status = artifacts_add(artifacts,
                               (Artifact){TRUST_SLIDING, 0, slide->first, slide->last, 0, net / slide->low}, err);
    *slide = (Slide){0};
    return status;
}

static Status add_slides(const FootSpeeds *s, Artifacts *artifacts, Error *err)
{
    int longest = frames_of(flight, s->tracks->frame_time);
    Slide slide = {0};
    Status status = STATUS_OK;
    for (int f = 0; f < s->tracks->frame_count && !status; f++) {
        int foot = bearing_foot(s, f);
        double speed = foot >= 0 ? level_speed(s->speed[foot][f]) : 0;
        if (slide.low > 0 && (foot >= 0 ? speed < least_speed : f - slide.last > longest))
            status = close_slide(s, &slide, artifacts, err);
        if (foot < 0 || speed < least_speed)
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

/* Takes in which every row is written twice or more often. */

enum { MOST_REPEATS = 8, LEAST_RUNS = 6 };
static const double nearly_all = 0.9; /* part of the runs of the commonest length; the rest are true holds */

static int pose_repeats(const Motion *m, int f, double size)
{
    for (int j = 0; j <= m->joint_count; j++)
        if (!artifact_repeats_joint(m, j, f, size))
            return 0;
    return 1;
}

Status artifact_repeats_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    int runs[MOST_REPEATS + 1] = {0}, total = 0, length = 1, commonest = 1;
    double size = artifact_body_size(skeleton);
    for (int f = 1; f < m->frame_count; f++) {
        if (pose_repeats(m, f, size)) {
            length++;
            continue;
        }
        if (total++ > 0) /* the first may be truncated */
            runs[length <= MOST_REPEATS ? length : 0]++;
        length = 1;
    }
    for (int k = 2; k <= MOST_REPEATS; k++)
        commonest = runs[k] > runs[commonest] ? k : commonest;
    if (commonest < 2 || total < LEAST_RUNS || runs[commonest] < nearly_all * (total - 1))
        return STATUS_OK;
    return artifacts_add(artifacts,
                         (Artifact){TRUST_REPEATED, ARTIFACT_WHOLE_POSE, 0, m->frame_count - 1, 0, commonest}, err);
}

/* Swapped left and right limbs. */

static const double least_jump = 2 * PI / 180; /* rad RMS of a joint: limbs that differ by less are not distinguished */
static const double goes_on = 0.4;             /* part of the jump that may remain with the limbs swapped */

enum { LIMB_JOINTS = 3, LIMBS = 2, PAIRINGS = 2 };

static const Role limb_roles[LIMBS][LIMB_JOINTS] = {
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
};

/* A pair of limbs, joints of the left one first, and the kind of swap: 0 rotations unchanged, 1 mirrored. */
typedef struct Exchange {
    const Skeleton *skeleton;
    const Motion *motion;
    const Mirror *mirror;
    int pairing, count;
    int joint[2 * LIMB_JOINTS], other[2 * LIMB_JOINTS];
    Vec3 *step;   /* [frame][count] rad: a joint's step_between from the frame before */
    double *jump; /* [frame] rad2: mean square over the joints, not swapped */
} Exchange;

static void find_joints(Exchange *x, int limb)
{
    x->count = 0;
    for (int i = 0; i < 2 * LIMB_JOINTS; i++) {
        Role left = limb_roles[limb][i % LIMB_JOINTS];
        int a = skeleton_find_role(x->skeleton, left), b = skeleton_find_role(x->skeleton, role_mirror(left));
        if (a < 0 || b < 0)
            continue;
        x->joint[x->count] = i < LIMB_JOINTS ? a : b;
        x->other[x->count++] = i < LIMB_JOINTS ? b : a;
    }
}

static Quat rotation_at(const Exchange *x, int i, int frame, int exchanged)
{
    const Quat *row = x->motion->rotation + motion_index(x->motion, frame, 0);
    if (!exchanged)
        return row[x->joint[i]];
    return x->pairing == 0 ? row[x->other[i]] : mirror_rotation(x->mirror, x->skeleton, row, x->joint[i]);
}

/* Twice the sine of half the rotation angle along its axis, the shorter way: avoids a logarithm per joint and frame. */
static Vec3 step_between(Quat a, Quat b)
{
    Quat rotation = quat_mul(b, quat_conjugate(a));
    double factor = rotation.w < 0 ? -2 : 2;
    return vec3(factor * rotation.x, factor * rotation.y, factor * rotation.z);
}

static void find_steps(const Exchange *x)
{
    for (int f = 1; f < x->motion->frame_count; f++)
        for (int i = 0; i < x->count; i++)
            x->step[f * x->count + i] = step_between(rotation_at(x, i, f - 1, 0), rotation_at(x, i, f, 0));
}

/* The squared norm of the step to frame f minus the mean of the steps beside it. */
static double square_beyond(Vec3 in, Vec3 over, Vec3 out)
{
    Vec3 left = vec3_mad(over, -0.5, vec3_add(in, out));
    return vec3_dot(left, left);
}

static void find_jumps(const Exchange *x)
{
    for (int f = 2; f + 1 < x->motion->frame_count; f++) {
        double sum = 0;
        for (int i = 0; i < x->count; i++) {
            const Vec3 *step = x->step + f * x->count + i;
            sum += square_beyond(step[-x->count], *step, step[x->count]);
        }
        x->jump[f] = sum / x->count;
    }
}

/* The jump to frame f with the limbs swapped from f on, as a mean square. Stops as soon as the mean exceeds `most`. */
static double exchanged_jump(const Exchange *x, int f, double most)
{
    double sum = 0;
    for (int i = 0; i < x->count && sum <= most * x->count; i++) {
        Quat after = rotation_at(x, i, f, 1);
        Vec3 over = step_between(rotation_at(x, i, f - 1, 0), after),
             out = step_between(after, rotation_at(x, i, f + 1, 1));
        sum += square_beyond(x->step[(f - 1) * x->count + i], over, out);
    }
    return sum / x->count;
}

/* Whether the swap was already found as the other kind, which occurs where both fit. */
static int is_known(const Artifacts *artifacts, const Artifact *swap)
{
    for (int i = 0; i < artifacts->count; i++) {
        const Artifact *known = &artifacts->artifact[i];
        if (known->kind == TRUST_SWAPPED && known->joint == swap->joint && known->first <= swap->last &&
            known->last >= swap->first)
            return 1;
    }
    return 0;
}

/* Pairs the jumps: beginning and end of a swap. */
static Status find_exchanges(const Exchange *x, Artifacts *artifacts, Error *err)
{
    const Motion *m = x->motion;
    int longest = (int)(ARTIFACT_SWAP_LONGEST / m->frame_time), begin = 0;
    double size = 0;
    Status status = STATUS_OK;
    for (int f = 2; f + 1 < m->frame_count && !status; f++) {
        double most = goes_on * goes_on * x->jump[f];
        if (x->jump[f] < least_jump * least_jump || exchanged_jump(x, f, most) > most)
            continue;
        if (begin > 0 && f - begin <= longest) {
            Artifact swap = {TRUST_SWAPPED, x->joint[0], begin, f - 1, 0, size};
            status = is_known(artifacts, &swap) ? STATUS_OK : artifacts_add(artifacts, swap, err);
            begin = 0;
        } else {
            begin = f;
            size = sqrt(x->jump[f]);
        }
    }
    return status;
}

static Status find_of_limb(Exchange *x, int limb, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    find_joints(x, limb);
    if (x->count == 0)
        return STATUS_OK;
    x->step = arena_array(&arena, (size_t)x->motion->frame_count, (size_t)x->count, sizeof *x->step);
    x->jump = arena_array(&arena, (size_t)x->motion->frame_count, 1, sizeof *x->jump);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        find_steps(x);
        find_jumps(x);
    }
    for (x->pairing = 0; x->pairing < PAIRINGS && !status; x->pairing++)
        status = find_exchanges(x, artifacts, err);
    arena_free(&arena);
    return status;
}

Status artifact_swaps_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Mirror mirror;
    Status status = STATUS_OK;
    if (mirror_init(&mirror, skeleton, NULL))
        return STATUS_OK;
    for (int limb = 0; limb < LIMBS && !status; limb++) {
        Exchange x = {.skeleton = skeleton, .motion = m, .mirror = &mirror};
        status = find_of_limb(&x, limb, artifacts, err);
    }
    mirror_free(&mirror);
    return status;
}
