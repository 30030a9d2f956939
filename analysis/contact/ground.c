/* See ground.h. Lengths that follow the size of the body are given in leg lengths L, speeds in sqrt(g L). */
#include "analysis/contact/ground.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/contact/ground_tilt.h"
#include "analysis/contact/ground_track.h"
#include "analysis/dynamics/inverse_dynamics.h"

#define HEEL_ABOVE_BALL 0.012  /* L: a heel that never rests lies at most this far above the ball */
#define OTHERS_BELOW 0.15      /* L: hands or trunk that rest this far below the soles are on the ground instead */
#define REST_OF_OTHERS 0.1     /* of the frames */
#define REST_SPEED 0.045       /* sqrt(g L): at rest on something higher */
#define REST_NEAR 0.04         /* L: rests within this of the common level are on it */
#define REST_TIME 0.15         /* s */
#define REST_SPAN 0.04         /* s */
#define REST_ABOVE 0.09        /* L: above the common level to be something higher */
#define LONGEST_FLIGHT 1.2     /* s: longer without touching, and the ground is higher there */
#define NO_NEED 0.3            /* body weights: with less need of force a body may fly */
#define FULL_NEED 0.8          /* body weights: with more it stands */
#define TOUCH 0.01             /* L: this near is touching */
#define BELT_SPEED 0.1         /* sqrt(g L): slower belts are foot skate */

GroundDef ground_default_def(void) { return (GroundDef){0}; }

/* The lowest level at which skin of hands, knees or trunk rests for a while; infinite where none does. */
static double rest_of_others(const ContactPoints *points, const Track *track, double length, double speed_unit)
{
    double lowest = INFINITY;
    for (int i = 0; i < points->count; i++) {
        const ContactPoint *p = &points->point[i];
        double level, rest;
        if (points->group[p->group].is_sole)
            continue;
        level = track_envelope(track, p->group, length, speed_unit, &rest);
        if (rest >= REST_OF_OTHERS)
            lowest = fmin(lowest, level - p->thickness);
    }
    return lowest;
}

/* Level of every group of soles: its own envelope, unless it never came down to the ground. */
static void sole_levels(const ContactPoints *points, const Track *track, double length, double speed_unit,
                        double *level)
{
    double lowest = INFINITY;
    for (int k = 0; k < points->group_count; k++)
        if (points->group[k].is_sole) {
            level[k] = track_envelope(track, k, length, speed_unit, NULL);
            lowest = fmin(lowest, level[k]);
        }
    for (int k = 0; k < points->group_count; k++) {
        if (!points->group[k].is_sole)
            continue;
        if (points->group[k].is_heel)
            level[k] = fmin(level[k], level[k + 1] + HEEL_ABOVE_BALL * length);
        if (level[k] > lowest + points->level_spread)
            level[k] = lowest;
    }
}

/* The lower of the mean level of the heels and that of the balls; 0 without soles. */
static double height_of_soles(const ContactPoints *points, const double *level)
{
    double heel = 0, ball = 0;
    int heels = 0, balls = 0;
    for (int k = 0; k < points->group_count; k++) {
        if (!points->group[k].is_sole)
            continue;
        if (points->group[k].is_heel)
            heel += level[k], heels++;
        else
            ball += level[k], balls++;
    }
    return heels ? fmin(heel / heels, ball / balls) : balls ? ball / balls : 0;
}

/* Level of every group on the common ground, into level; sets g->height. */
static void common_levels(const ContactPoints *points, const Track *track, double length, double speed_unit,
                          double *level, Ground *g)
{
    sole_levels(points, track, length, speed_unit, level);
    g->height = height_of_soles(points, level);
    double other = rest_of_others(points, track, length, speed_unit);
    int on_others = other < g->height - OTHERS_BELOW * length;
    if (on_others)
        g->height = other;
    for (int k = 0; k < g->group_count; k++)
        if (on_others || !points->group[k].is_sole)
            level[k] = g->height;
}

/* Clearance of every point above its level, and speed over the ground. */
static void measure_points(const ContactPoints *points, const Kinematics *k, Ground *g)
{
    for (int f = 0; f < k->frame_count; f++)
        for (int i = 0; i < points->count; i++) {
            const ContactPoint *p = &points->point[i];
            size_t joint = (size_t)f * (size_t)k->joint_count + (size_t)p->joint;
            size_t at = (size_t)f * (size_t)points->count + (size_t)i;
            double level = g->level[(size_t)f * (size_t)g->group_count + (size_t)p->group];
            double height = vec3_dot(g->normal, track_point(k, joint, p->probe)) - p->thickness;
            g->clearance[at] = fmax(0, height - level);
            g->speed[at] = vec3_norm(vec3_sub(track_point_velocity(k, joint, p->probe), g->belt));
        }
}

/* Median of one component of the velocities of low soles. */
static double median_velocity(const ContactPoints *points, const Track *track, const double *level, double length,
                              int component, const Ground *g)
{
    int kept = 0;
    for (int f = 0; f < g->frame_count; f++) {
        double best = TRACK_BAND * length;
        for (int k = 0; k < g->group_count; k++) {
            size_t i = (size_t)f * (size_t)g->group_count + (size_t)k;
            double height = track->height[i] - level[k];
            if (!points->group[k].is_sole || height > best)
                continue;
            best = height; /* one sample a frame: the lowest sole */
            track->scratch[kept] = component ? track->velocity[i].z : track->velocity[i].x;
        }
        kept += best < TRACK_BAND * length;
    }
    return kept ? track_percentile(track->scratch, kept, 0.5) : 0;
}

/* A belt runs under a body whose lowest soles move on and on while its root stays: their median velocity carries them
 * several times as far as the root goes. */
static void find_belt(const ContactPoints *points, const Kinematics *k, const double *level, double length,
                      double frame_time, Track *track, Ground *g)
{
    Vec3 belt = {0, 0, 0};
    belt.x = median_velocity(points, track, level, length, 0, g);
    belt.z = median_velocity(points, track, level, length, 1, g);
    Vec3 way = vec3_sub(k->position[(size_t)(k->frame_count - 1) * (size_t)k->joint_count], k->position[0]);
    double slid = vec3_norm(belt) * frame_time * g->frame_count;
    if (vec3_norm(belt) < BELT_SPEED * sqrt(GRAVITY * length) || 3 * vec3_norm(vec3(way.x, 0, way.z)) > slid)
        return;
    g->belt = belt;
    for (size_t i = 0; i < (size_t)g->frame_count * (size_t)g->group_count; i++)
        track->speed[i] = vec3_norm(vec3_sub(track->velocity[i], belt));
}

/* Running minimum (sign 1) or maximum (sign -1) over frames t - before .. t + after that the clip has. */
static void running_extreme(const double *in, int frames, int before, int after, double sign, double *out, int *queue)
{
    int head = 0, tail = 0, next = 0;
    for (int t = 0; t < frames; t++) {
        for (; next < frames && next <= t + after; next++) {
            while (tail > head && sign * in[queue[tail - 1]] >= sign * in[next])
                tail--;
            queue[tail++] = next;
        }
        while (queue[head] < t - before)
            head++;
        out[t] = in[queue[head]];
    }
}

/* Lifts the level of all groups where nothing comes down to it for longer than a flight lasts: the morphological
 * opening of the lowest clearance over the frames of a flight. */
static Status lift_levels(const ContactPoints *points, const Kinematics *k, double frame_time, Track *track, Ground *g,
                          Error *err)
{
    int frames = g->frame_count, width = (int)(LONGEST_FLIGHT / frame_time);
    int *queue = array_new((size_t)frames, 1, sizeof *queue);
    if (!queue)
        return error_no_memory(err);
    if (width > frames - 1)
        width = frames - 1;
    measure_points(points, k, g);
    for (int f = 0; f < frames; f++) {
        double least = INFINITY;
        for (int i = 0; i < points->count; i++)
            least = fmin(least, g->clearance[(size_t)f * (size_t)points->count + (size_t)i]);
        track->scratch[f] = least;
    }
    running_extreme(track->scratch, frames, 0, width, 1, track->scratch2, queue);
    for (int f = frames - width; f < frames; f++) /* the flight would outlast the clip */
        track->scratch2[f] = -INFINITY;
    running_extreme(track->scratch2, frames, width, 0, -1, g->lift, queue);
    for (int f = 0; f < frames; f++)
        for (int group = 0; group < g->group_count; group++)
            g->level[(size_t)f * (size_t)g->group_count + (size_t)group] += g->lift[f];
    free(queue);
    return STATUS_OK;
}

/* Speed of a group over the ground, mean over REST_SPAN on either side: noise makes none. */
static double steady_speed(const Track *track, const Ground *g, int frame, int group, double frame_time)
{
    int span = (int)(REST_SPAN / frame_time + 0.5) + 1;
    int before = frame > span ? frame - span : 0;
    int after = frame + span < g->frame_count ? frame + span : g->frame_count - 1;
    size_t groups = (size_t)g->group_count;
    Vec3 way = vec3_sub(track->position[(size_t)after * groups + (size_t)group],
                        track->position[(size_t)before * groups + (size_t)group]);
    double time = (after - before) * frame_time;
    return time > 0 ? vec3_norm(vec3_mad(way, -time, g->belt)) / time : 0;
}

/* The frames begin .. end - 1 of a group lie at `rest`, if that is higher than its level. */
static void set_rest(Ground *g, int group, int begin, int end, double rest, double length)
{
    for (int t = begin; t < end; t++) {
        size_t i = (size_t)t * (size_t)g->group_count + (size_t)group;
        g->raised[i] = rest > g->level[i] + REST_ABOVE * length;
        if (rest > g->level[i] + REST_NEAR * length)
            g->level[i] = rest;
    }
}

/* Where a sole rests for a while, its own median height is the level: of uneven ground near the common level, of a
 * step or a box well above it. */
static void rest_levels(const ContactPoints *points, const Track *track, double length, double speed_unit,
                        double frame_time, Ground *g)
{
    for (int k = 0; k < g->group_count; k++) {
        if (!points->group[k].is_sole)
            continue;
        for (int f = 0, end; f < g->frame_count; f = end + 1) {
            int kept = 0;
            for (end = f; end < g->frame_count; end++) {
                if (steady_speed(track, g, end, k, frame_time) > REST_SPEED * speed_unit)
                    break;
                track->scratch[kept++] = track->height[(size_t)end * (size_t)g->group_count + (size_t)k];
            }
            if (kept * frame_time >= REST_TIME)
                set_rest(g, k, f, end, track_percentile(track->scratch, kept, 0.5), length);
        }
    }
}

static Status ground_init(Ground *g, const ContactPoints *points, int frames, Error *err)
{
    size_t f = (size_t)frames, groups = (size_t)points->group_count, count = (size_t)points->count;
    *g = (Ground){.frame_count = frames, .group_count = points->group_count, .point_count = points->count,
                  .normal = {0, 1, 0}};
    g->level = array_new(f, groups, sizeof *g->level);
    g->lift = array_new(f, 1, sizeof *g->lift);
    g->raised = array_new(f, groups, sizeof *g->raised);
    g->clearance = array_new(f, count, sizeof *g->clearance);
    g->speed = array_new(f, count, sizeof *g->speed);
    if (g->level && g->lift && g->raised && g->clearance && g->speed)
        return STATUS_OK;
    ground_free(g);
    return error_no_memory(err);
}

Status ground_estimate(const ContactPoints *points, const Kinematics *kinematics, double frame_time,
                       const GroundDef *def, Ground *out, Error *err)
{
    Track track = {0};
    double length = points->leg_length, speed_unit = sqrt(GRAVITY * length);
    double *level = array_new((size_t)points->group_count, 1, sizeof *level);
    Status status = level ? ground_init(out, points, kinematics->frame_count, err) : error_no_memory(err);
    if (status)
        goto done;
    status = track_init(&track, out->frame_count, out->group_count, err);
    if (status)
        goto done;
    track_follow(points, kinematics, &track);
    track_measure_heights(&track, out->normal);
    common_levels(points, &track, length, speed_unit, level, out);
    status = ground_tilt(points, &track, speed_unit, &out->normal, err);
    if (status)
        goto done;
    if (out->normal.y < 1) {
        track_measure_heights(&track, out->normal);
        common_levels(points, &track, length, speed_unit, level, out);
    }
    find_belt(points, kinematics, level, length, frame_time, &track, out);
    double shift = def->has_height ? def->height * out->normal.y - out->height : 0;
    out->height += shift;
    for (int k = 0; k < out->group_count; k++)
        level[k] += shift;
    for (int f = 0; f < out->frame_count; f++)
        for (int k = 0; k < out->group_count; k++)
            out->level[(size_t)f * (size_t)out->group_count + (size_t)k] = level[k];
    if (!def->has_height)
        status = lift_levels(points, kinematics, frame_time, &track, out, err);
    rest_levels(points, &track, length, speed_unit, frame_time, out);
    measure_points(points, kinematics, out);
done:
    track_free(&track);
    free(level);
    if (status)
        ground_free(out);
    return status;
}

double ground_need_part(double need) { return fmax(0, fmin(1, (need - NO_NEED) / (FULL_NEED - NO_NEED))); }

void ground_raise(const ContactPoints *points, const double *need, Ground *g)
{
    size_t count = (size_t)points->count, groups = (size_t)g->group_count;
    for (size_t f = 0; f < (size_t)g->frame_count; f++) {
        double *clearance = g->clearance + f * count, least = INFINITY;
        for (size_t i = 0; i < count; i++)
            least = fmin(least, clearance[i]);
        double rise = ground_need_part(need[f]) * (least - TOUCH * points->leg_length);
        if (!(rise > 0) || least > GROUND_UNEVEN * points->leg_length)
            continue;
        g->lift[f] += rise;
        for (size_t i = 0; i < count; i++)
            clearance[i] = fmax(0, clearance[i] - rise);
        for (size_t k = 0; k < groups; k++)
            g->level[f * groups + k] += rise;
    }
}

void ground_free(Ground *g)
{
    if (!g)
        return;
    free(g->level);
    free(g->lift);
    free(g->raised);
    free(g->clearance);
    free(g->speed);
    *g = (Ground){0};
}
