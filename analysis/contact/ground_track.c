/* Paths of the groups of contact points, and the tilt of the ground under them (ground.h, which gives the units). */
#include "analysis/contact/ground.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/sort.h"

enum { LEAST_ENVELOPE_FRAMES = 5 };

#define ENVELOPE_SPEED 0.212 /* sqrt(g L): slower points are nearly at rest */

double track_percentile(double *values, int count, double p)
{
    double at = p * (count - 1);
    int low = (int)at;
    double value = select_double(values, (size_t)count, (size_t)low), next = low + 1 < count ? values[low + 1] : value;
    for (int i = low + 2; i < count; i++)
        next = values[i] < next ? values[i] : next;
    return value + (at - low) * (next - value);
}

Track track_new(int frames, int groups, Arena *arena)
{
    size_t f = (size_t)frames, g = (size_t)groups;
    return (Track){.frame_count = frames,
                   .group_count = groups,
                   .position = arena_array(arena, f, g, sizeof(Vec3)),
                   .velocity = arena_array(arena, f, g, sizeof(Vec3)),
                   .height = arena_array(arena, f, g, sizeof(double)),
                   .speed = arena_array(arena, f, g, sizeof(double)),
                   .scratch = arena_array(arena, f, 1, sizeof(double)),
                   .scratch2 = arena_array(arena, f, 1, sizeof(double))};
}

Vec3 track_point(const Kinematics *k, size_t i, Vec3 local)
{
    return vec3_add(k->position[i], quat_rotate(k->orientation[i], local));
}

Vec3 track_point_velocity(const Kinematics *k, size_t i, Vec3 local)
{
    return vec3_add(k->velocity[i], vec3_cross(k->angular_velocity[i], quat_rotate(k->orientation[i], local)));
}

/* Mean position, velocity and speed of every group. */
void track_follow(const ContactPoints *points, const Kinematics *k, Track *track)
{
    size_t groups = (size_t)points->group_count;
    for (int f = 0; f < k->frame_count; f++)
        for (int first = 0, last; first < points->count; first = last) {
            Vec3 position = {0, 0, 0}, velocity = {0, 0, 0};
            int group = points->point[first].group, gauges = 0;
            for (last = first; last < points->count && points->point[last].group == group; last++) {
                const ContactPoint *p = &points->point[last];
                size_t i = (size_t)f * (size_t)k->joint_count + (size_t)p->joint;
                if (!p->is_gauge)
                    continue;
                position = vec3_add(position, track_point(k, i, p->probe));
                velocity = vec3_add(velocity, track_point_velocity(k, i, p->probe));
                gauges++;
            }
            track->position[(size_t)f * groups + (size_t)group] = vec3_scale(position, 1.0 / gauges);
            track->velocity[(size_t)f * groups + (size_t)group] = vec3_scale(velocity, 1.0 / gauges);
            track->speed[(size_t)f * groups + (size_t)group] = vec3_norm(velocity) / gauges;
        }
}

void track_measure_heights(Track *track, Vec3 normal)
{
    for (size_t i = 0; i < (size_t)track->frame_count * (size_t)track->group_count; i++)
        track->height[i] = vec3_dot(normal, track->position[i]);
}

double track_envelope(const Track *track, int group, double length, double speed_unit, double *fraction)
{
    int count = 0, kept = 0;
    size_t groups = (size_t)track->group_count;
    for (int f = 0; f < track->frame_count; f++) {
        track->scratch[count] = track->height[(size_t)f * groups + (size_t)group];
        track->scratch2[count] = track->speed[(size_t)f * groups + (size_t)group];
        count += track_tells(track, f);
    }
    double lowest = track_percentile(track->scratch, count, 0.05);
    double slow = fmax(ENVELOPE_SPEED * speed_unit, track_percentile(track->scratch2, count, 0.10));
    for (int f = 0; f < track->frame_count; f++) {
        size_t i = (size_t)f * groups + (size_t)group;
        if (track_tells(track, f) && track->height[i] < lowest + TRACK_BAND * length && track->speed[i] < slow)
            track->scratch[kept++] = track->height[i];
    }
    if (fraction)
        *fraction = (double)kept / count;
    return kept >= LEAST_ENVELOPE_FRAMES ? track_percentile(track->scratch, kept, 0.5) : lowest + 0.006 * length;
}

/* Least-squares slope under all groups, each at its own height over the ground: y = a_k + s . (x, z), refitted without
 * outliers. */

enum { LEAST_SAMPLES = 30, ROUNDS = 4 };

#define FAR_OFF 0.06      /* L: a sample further from the plane is an outlier */
#define LEAST_TILT 0.008  /* rad: smaller tilts are noise */
#define LEAST_SPREAD 0.25 /* L2: smallest variance of the rest positions along a direction for a slope to be
                             determined */
#define SOLE_ERROR 0.09   /* rad: largest angle between sole and line from heel to ball */

/* Statistics of a group's samples. */
typedef struct Mean {
    double count;
    Vec3 position; /* m */
} Mean;

typedef struct Plane {
    double count;                 /* of samples */
    double xx, zz, xz, xy, zy, yy; /* m2, sums of products of deviations from the group's mean */
    Vec3 slope;                   /* rise along x and z; y is 0 */
} Plane;

/* Inputs of an iteration: soles at rest, weighted by their distance from the previous plane. */
typedef struct GroundSamples {
    const ContactPoints *points;
    const Track *track;
    double slow; /* m/s */
    double far;  /* m */
} GroundSamples;

static int is_slow(const GroundSamples *s, int frame, int group)
{
    const Track *t = s->track;
    return s->points->group[group].is_sole && track_tells(t, frame) &&
           t->speed[(size_t)frame * (size_t)t->group_count + (size_t)group] < s->slow;
}

/* 1 for a sample near the plane through the mean of its group. */
static int is_near_plane(const GroundSamples *s, int frame, int group, const Plane *plane, const Mean *mean)
{
    Vec3 d = vec3_sub(s->track->position[(size_t)frame * (size_t)s->track->group_count + (size_t)group],
                      mean[group].position);
    return is_slow(s, frame, group) && !(fabs(d.y - vec3_dot(plane->slope, d)) > s->far);
}

/* Means of the groups over the samples near the previous plane. */
static void take_means(const GroundSamples *s, const Plane *plane, Mean *old, Mean *mean)
{
    const Track *t = s->track;
    for (int k = 0; k < t->group_count; k++) {
        old[k] = mean[k];
        mean[k] = (Mean){0};
    }
    for (int f = 0; f < t->frame_count; f++)
        for (int k = 0; k < t->group_count; k++) {
            Vec3 x = t->position[(size_t)f * (size_t)t->group_count + (size_t)k];
            if (!is_near_plane(s, f, k, plane, old))
                continue;
            mean[k].count++;
            mean[k].position = vec3_add(mean[k].position, x);
        }
    for (int k = 0; k < t->group_count; k++)
        if (mean[k].count > 0)
            mean[k].position = vec3_scale(mean[k].position, 1 / mean[k].count);
}

static void take_products(const GroundSamples *s, const Mean *old, const Mean *mean, Plane *plane)
{
    const Track *t = s->track;
    Plane sum = {.slope = plane->slope};
    for (int f = 0; f < t->frame_count; f++)
        for (int k = 0; k < t->group_count; k++) {
            Vec3 x = t->position[(size_t)f * (size_t)t->group_count + (size_t)k];
            if (!is_near_plane(s, f, k, plane, old))
                continue;
            Vec3 d = vec3_sub(x, mean[k].position);
            sum.count++, sum.xx += d.x * d.x, sum.zz += d.z * d.z, sum.xz += d.x * d.z;
            sum.xy += d.x * d.y, sum.zy += d.z * d.y, sum.yy += d.y * d.y;
        }
    *plane = sum;
}

/* Slopes along the two principal directions of the rest positions; a direction without spread has none. Returns the
 * fraction of the squared heights that the slopes explain. */
static double solve_slope(Plane *p, double length)
{
    double half = 0.5 * (p->xx - p->zz), radius = sqrt(half * half + p->xz * p->xz), middle = 0.5 * (p->xx + p->zz);
    Vec3 along = vec3_normalize(fabs(p->xz) > 1e-9 * middle ? vec3(middle + radius - p->zz, 0, p->xz)
                                : p->xx >= p->zz            ? vec3(1, 0, 0)
                                                            : vec3(0, 0, 1));
    Vec3 across = vec3(-along.z, 0, along.x);
    double explained = 0;
    p->slope = vec3(0, 0, 0);
    for (int i = 0; i < 2; i++) {
        Vec3 u = i ? across : along;
        double spread = i ? middle - radius : middle + radius, rise = u.x * p->xy + u.z * p->zy;
        if (spread < LEAST_SPREAD * length * length * p->count)
            continue;
        p->slope = vec3_mad(p->slope, rise / spread, u);
        explained += rise * rise / spread;
    }
    return p->yy > 0 ? explained / p->yy : 0;
}

/* Slope of the resting soles along that of the plane, from the lines between heel and ball by least squares. */
static double slope_of_soles(const GroundSamples *s, const Plane *plane)
{
    const Track *t = s->track;
    double rise = 0, squares = 0, steep = vec3_norm(plane->slope);
    for (int f = 0; f < t->frame_count; f++)
        for (int k = 0; k + 1 < t->group_count; k++) {
            if (!s->points->group[k].is_heel || !is_slow(s, f, k) || !is_slow(s, f, k + 1))
                continue;
            const Vec3 *x = t->position + (size_t)f * (size_t)t->group_count + (size_t)k;
            Vec3 d = vec3_sub(x[1], x[0]);
            double run = vec3_dot(plane->slope, d) / steep;
            rise += run * d.y;
            squares += run * run;
        }
    return squares > 0 ? rise / squares : steep;
}

Status ground_tilt(const ContactPoints *points, const Track *track, double speed_unit, Vec3 *normal, Error *err)
{
    Plane plane = {0};
    GroundSamples samples = {.points = points, .track = track, .slow = GROUND_REST_SPEED * speed_unit};
    double explained = 0, length = points->leg_length;
    Mean *mean = array_new(2 * (size_t)track->group_count, 1, sizeof *mean);
    *normal = vec3(0, 1, 0);
    if (!mean)
        return error_no_memory(err);
    for (int round = 0; round < ROUNDS; round++) {
        Mean *old = mean + track->group_count;
        samples.far = round ? FAR_OFF * length : INFINITY;
        take_means(&samples, &plane, old, mean);
        take_products(&samples, old, mean, &plane);
        explained = solve_slope(&plane, length);
    }
    free(mean);
    double steep = vec3_norm(plane.slope);
    if (plane.count >= LEAST_SAMPLES && steep > LEAST_TILT && explained > 0.5 &&
        slope_of_soles(&samples, &plane) > 0.5 * steep - SOLE_ERROR)
        *normal = vec3_normalize(vec3(-plane.slope.x, 1, -plane.slope.z));
    return STATUS_OK;
}
