#include "analysis/trust/foot_speeds.h"

#include <math.h>

#include "analysis/math/sort.h"

static const double blur = 0.04;       /* s: on either side of a frame, for the speed of a point */
static const double low = 0.09;        /* m above the ground near by: a foot that may be loaded */
static const double near = 0.6;        /* s: the ground near by */
static const double of_foot = 0.06;    /* m above the foot's lowest point: points that may be loaded */
static const double most_speed = 1.2;  /* m/s: a faster foot swings */
static const double most_climb = 0.35; /* m/s: a foot that comes down or leaves */
static const double same_speed = 0.3;  /* m/s: of a belt */
static const double on_belt = 0.7;     /* of the low frames: both feet go with the belt */
static const double own = 0.25;        /* of the belt's speed: the body's mean speed */

int frames_of(double seconds, double frame_time)
{
    int count = (int)rint(seconds / frame_time);
    return count > 0 ? count : 1;
}

static Vec3 level(Vec3 v) { return vec3(v.x, 0, v.z); }

/* Fills speed and low of a foot in a frame; feet that go faster than `most` swing. */
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

/* The median speed along one axis of low feet. value is scratch for both feet. */
static double usual_speed(const FootSpeeds *s, int axis, double *value)
{
    size_t count = 0;
    for (int foot = 0; foot < 2; foot++)
        for (int f = 0; f < s->tracks->frame_count; f++)
            if (s->low[foot][f])
                value[count++] = vec3_component(s->speed[foot][f], axis);
    return count > 0 ? select_double(value, count, count / 2) : 0;
}

/* The speed of the treadmill that the body is on; zero: there is none. */
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
