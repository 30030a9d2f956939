/* The motion of the feet relative to the ground (foot_tracks.h). */
#include "analysis/motion/forward_kinematics.h"
#include "analysis/quality/foot_tracks.h"

#include <math.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/sort.h"

static const double low_height = 0.09; /* m above the ground of the time window: a foot that may carry load */
static const double near = 0.6;        /* s, to either side: time window of the ground */
static const double of_foot = 0.06;    /* m above the foot's lowest point: points that may carry load */
static const double max_speed = 1.2;   /* m/s: a faster foot is swinging */
static const double max_climb = 0.35;  /* m/s, vertical: a faster foot is landing or leaving */
static const double same_speed = 0.3;  /* m/s: tolerance around a belt's velocity */
static const double on_belt = 0.7;     /* part of the low frames in which a foot moves with the belt */
static const double own = 0.25;        /* of the belt's speed: upper bound on the body's mean speed on it */

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
static void sliding_min(const double *value, int count, int reach, double *low, int *scratch)
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

int seconds_to_frames(double seconds, double frame_time)
{
    int count = (int)rint(seconds / frame_time);
    return count > 0 ? count : 1;
}

static Vec3 level(Vec3 v) { return vec3(v.x, 0, v.z); }

/* Sets speed and low of a foot in a frame. A foot faster than `max` is swinging. */
static void look_at_foot(const FootSpeeds *s, int foot, int f, double max)
{
    const BodyTracks *t = s->tracks;
    int reach = seconds_to_frames(FOOT_SPEED_SPAN, t->frame_time);
    size_t points = (size_t)t->points[foot], step = (size_t)reach * points;
    const Vec3 *now = t->point[foot] + (size_t)f * points;
    double lowest = body_tracks_foot_height(t, foot, f), span = 2 * reach * t->frame_time, min = INFINITY;
    for (size_t i = 0; i < points; i++) {
        Vec3 path = vec3_sub(now[i + step], now[(ptrdiff_t)i - (ptrdiff_t)step]);
        Vec3 speed = vec3_sub(vec3_scale(path, 1 / span), s->belt);
        double off = vec3_norm(level(speed));
        if (now[i].y > lowest + of_foot || off >= min)
            continue;
        min = off;
        s->speed[foot][f] = speed;
    }
    s->low[foot][f] = lowest < s->ground[f] + low_height && min < max && fabs(s->speed[foot][f].y) < max_climb;
}

static void look_at_feet(const FootSpeeds *s, double max)
{
    int reach = seconds_to_frames(FOOT_SPEED_SPAN, s->tracks->frame_time);
    for (int foot = 0; foot < 2; foot++)
        for (int f = reach; f < s->tracks->frame_count - reach; f++)
            look_at_foot(s, foot, f, max);
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
    sliding_min(t->lowest, t->frame_count, seconds_to_frames(near, t->frame_time), out->ground, scratch);
    look_at_feet(out, INFINITY);
    out->belt = belt_speed(out, value);
    look_at_feet(out, max_speed);
}
