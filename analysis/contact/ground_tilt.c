/* Tilt of the ground (ground_tilt.h).
 *
 * Least-squares slope under all groups, each at its own height over the ground: y = a_k + s . (x, z), refitted without
 * outliers. */
#include "analysis/contact/ground_tilt.h"

#include <math.h>

#include "analysis/base/arena.h"

enum { MIN_SAMPLES = 30, ROUNDS = 4 };

#define FAR_OFF 0.06      /* L: a sample further from the plane is an outlier */
#define MIN_TILT 0.008  /* rad: smaller tilts are noise */
#define MIN_SPREAD 0.25 /* L2: smallest variance of the rest positions along a direction for a slope to be
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

/* A frame in which the sole of a group is slow. */
typedef struct SlowSole {
    int frame, group;
    Vec3 position;
} SlowSole;

/* Inputs of an iteration: slow soles, by frame and group, of which those near the previous plane count. */
typedef struct GroundSamples {
    const ContactPoints *points;
    const Track *track;
    double slow; /* m/s */
    double far;  /* m */
    SlowSole *sole;
    int count;
} GroundSamples;

static int is_slow(const GroundSamples *s, int frame, int group)
{
    const Track *t = s->track;
    return s->points->group[group].is_sole && track_tells(t, frame) &&
           t->speed[(size_t)frame * (size_t)t->group_count + (size_t)group] < s->slow;
}

static void find_slow_soles(GroundSamples *s)
{
    const Track *t = s->track;
    for (int f = 0; f < t->frame_count; f++)
        for (int k = 0; k < t->group_count; k++)
            if (is_slow(s, f, k))
                s->sole[s->count++] = (SlowSole){f, k, t->position[(size_t)f * (size_t)t->group_count + (size_t)k]};
}

/* 1 for a sample near the plane through the mean of its group. */
static int is_near_plane(const GroundSamples *s, const SlowSole *sole, const Plane *plane, const Mean *mean)
{
    Vec3 d = vec3_sub(sole->position, mean[sole->group].position);
    return !(fabs(d.y - vec3_dot(plane->slope, d)) > s->far);
}

/* Means of the groups over the samples near the previous plane. */
static void take_means(const GroundSamples *s, const Plane *plane, Mean *old, Mean *mean)
{
    int groups = s->track->group_count;
    for (int k = 0; k < groups; k++) {
        old[k] = mean[k];
        mean[k] = (Mean){0};
    }
    for (int i = 0; i < s->count; i++) {
        Mean *of = &mean[s->sole[i].group];
        if (!is_near_plane(s, &s->sole[i], plane, old))
            continue;
        of->count++;
        of->position = vec3_add(of->position, s->sole[i].position);
    }
    for (int k = 0; k < groups; k++)
        if (mean[k].count > 0)
            mean[k].position = vec3_scale(mean[k].position, 1 / mean[k].count);
}

static void take_products(const GroundSamples *s, const Mean *old, const Mean *mean, Plane *plane)
{
    Plane sum = {.slope = plane->slope};
    for (int i = 0; i < s->count; i++) {
        if (!is_near_plane(s, &s->sole[i], plane, old))
            continue;
        Vec3 d = vec3_sub(s->sole[i].position, mean[s->sole[i].group].position);
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
        if (spread < MIN_SPREAD * length * length * p->count)
            continue;
        p->slope = vec3_mad(p->slope, rise / spread, u);
        explained += rise * rise / spread;
    }
    return p->yy > 0 ? explained / p->yy : 0;
}

/* Slope of the resting soles along that of the plane, from the lines between heel and ball by least squares: those of a
 * foot follow each other. */
static double slope_of_soles(const GroundSamples *s, const Plane *plane)
{
    double rise = 0, squares = 0, steep = vec3_norm(plane->slope);
    for (int i = 0; i + 1 < s->count; i++) {
        const SlowSole *heel = &s->sole[i], *ball = heel + 1;
        if (!s->points->group[heel->group].is_heel || ball->frame != heel->frame || ball->group != heel->group + 1)
            continue;
        Vec3 d = vec3_sub(ball->position, heel->position);
        double run = vec3_dot(plane->slope, d) / steep;
        rise += run * d.y;
        squares += run * run;
    }
    return squares > 0 ? rise / squares : steep;
}

Status ground_tilt(const ContactPoints *points, const Track *track, double speed_unit, Vec3 *normal, Error *err)
{
    Arena arena = {0};
    Plane plane = {0};
    GroundSamples samples = {.points = points, .track = track, .slow = GROUND_REST_SPEED * speed_unit};
    double explained = 0, length = points->leg_length;
    size_t groups = (size_t)track->group_count;
    Mean *mean = arena_array(&arena, 2 * groups, 1, sizeof *mean);
    samples.sole = arena_space(&arena, (size_t)track->frame_count, groups, sizeof *samples.sole);
    *normal = vec3(0, 1, 0);
    if (!arena.failed)
        find_slow_soles(&samples);
    for (int round = 0; round < ROUNDS && !arena.failed; round++) {
        Mean *old = mean + groups;
        samples.far = round ? FAR_OFF * length : INFINITY;
        take_means(&samples, &plane, old, mean);
        take_products(&samples, old, mean, &plane);
        explained = solve_slope(&plane, length);
    }
    double steep = vec3_norm(plane.slope);
    if (plane.count >= MIN_SAMPLES && steep > MIN_TILT && explained > 0.5 &&
        slope_of_soles(&samples, &plane) > 0.5 * steep - SOLE_ERROR)
        *normal = vec3_normalize(vec3(-plane.slope.x, 1, -plane.slope.z));
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}
