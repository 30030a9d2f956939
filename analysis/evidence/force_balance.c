/* See force_balance.h. */
#include "analysis/evidence/force_balance.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/evidence/resting.h"

static const double gravity = 9.80665;
static const double window = 0.12;     /* s, over which acceleration is taken */
static const double support_height = 0.09; /* of the body's size, above its lowest point */
static const double sole = 0.06;       /* of the body's size: extent of hands and feet beyond their points */
static const double far_off = 0.3;     /* of the body's size: a zero-moment point so far outside explains nothing */
static const double unloaded = 0.15;   /* of weight: below it the zero-moment point is undefined */
static const double friction = 0.8, slippery = 1.8; /* horizontal over vertical force: possible, impossible */

/* ---- Convex hull ---- */

static int compare_points(const void *a, const void *b)
{
    const PlanePoint *p = a, *q = b;
    if (p->x != q->x)
        return (p->x > q->x) - (p->x < q->x);
    return (p->y > q->y) - (p->y < q->y);
}

static double plane_side(PlanePoint a, PlanePoint b, PlanePoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double vector_length(double x, double y) { return sqrt(x * x + y * y); }

static double edge_distance(PlanePoint at, PlanePoint a, PlanePoint b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double s = length > 0 ? fmax(0, fmin(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length)) : 0;
    return vector_length(at.x - a.x - s * dx, at.y - a.y - s * dy);
}

/* Where a point is relative to the edges of a hull. */
typedef struct HullPlace {
    PlanePoint at;
    int inside;     /* 1: left of every edge */
    double nearest; /* distance from the nearest edge */
} HullPlace;

/* Compares the point with one chain of the hull of others, counter-clockwise (Andrew 1979): in their order for step 1,
 * in reverse for -1. stack has room for count points. */
static void walk_chain(HullPlace *place, const PlanePoint *point, int count, int step, PlanePoint *stack)
{
    int depth = 0;
    for (int i = 0; i < count; i++) {
        PlanePoint next = point[step > 0 ? i : count - 1 - i];
        while (depth > 1 && plane_side(stack[depth - 2], stack[depth - 1], next) <= 0)
            depth--;
        stack[depth++] = next;
    }
    for (int i = 1; i < depth; i++) {
        place->inside &= plane_side(stack[i - 1], stack[i], place->at) > 0;
        place->nearest = fmin(place->nearest, edge_distance(place->at, stack[i - 1], stack[i]));
    }
}

double balance_hull_distance(PlanePoint at, PlanePoint *other, int count, PlanePoint *stack)
{
    HullPlace place = {at, 1, vector_length(at.x - other[0].x, at.y - other[0].y)};
    qsort(other, (size_t)count, sizeof *other, compare_points);
    walk_chain(&place, other, count, 1, stack);
    walk_chain(&place, other, count, -1, stack);
    return place.inside && count > 1 ? 0 : place.nearest;
}

/* ---- Forces ---- */

typedef struct BalanceScratch {
    Vec3 up, east, north;
    double rate_factor;
    int *point;                /* [point] */
    PlanePoint *ground, *hull; /* [point] */
} BalanceScratch;

static Vec3 any_normal(Vec3 up)
{
    Vec3 other = fabs(up.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    return vec3_normalize(vec3_cross(up, other));
}

static double clamp_unit(double value) { return fmax(0, fmin(1, value)); }

/* Force per mass on the ground, and the ground. */
typedef struct GroundForce {
    Vec3 horizontal;
    double vertical, lowest; /* lowest: height of the ground */
    int count;               /* of supporting points */
} GroundForce;

/* Distance of the zero-moment point from the supporting points, and slip, 0..1. */
static double unexplained_support(const BodyTrack *track, int frame, const BalanceScratch *s, const GroundForce *force)
{
    Vec3 com = track->com[frame];
    Vec3 zmp = vec3_mad(com, -(vec3_dot(com, s->up) - force->lowest) / force->vertical, force->horizontal);
    for (int i = 0; i < force->count; i++) {
        Vec3 p = body_track_frame(track, frame)[s->point[i]];
        s->ground[i] = (PlanePoint){vec3_dot(p, s->east), vec3_dot(p, s->north)};
    }
    PlanePoint at = {vec3_dot(zmp, s->east), vec3_dot(zmp, s->north)};
    double off = balance_hull_distance(at, s->ground, force->count, s->hull) / track->size;
    double slip = (vec3_norm(force->horizontal) / force->vertical - friction) / (slippery - friction);
    return fmax(clamp_unit((off - sole) / far_off), clamp_unit(slip));
}

/* Fraction of the force at a frame, 0..1, that neither free fall nor the supporting points explain. */
static double unexplained_at(const BodyTrack *track, int frame, int reach, const BalanceScratch *s)
{
    double g = gravity * track->metre;
    Vec3 acceleration = body_track_acceleration(track, frame, reach, s->rate_factor);
    double rising = vec3_dot(acceleration, s->up);
    GroundForce force = {.horizontal = vec3_mad(acceleration, -rising, s->up), .vertical = g + rising};
    double falling = fmin(1, vec3_norm(vec3_mad(acceleration, g, s->up)) / g);
    RestingDef resting = {s->up, s->rate_factor, support_height};
    force.count = resting_points(track, frame, &resting, s->point, &force.lowest);
    if (force.count == 0)
        return falling;
    if (force.vertical <= unloaded * g)
        return fmin(falling, fmax(0, -force.vertical / g));
    double off = unexplained_support(track, frame, s, &force);
    return fmin(falling, off * fmin(1, force.vertical / g));
}

Status balance_measure(const BodyTrack *track, Vec3 up, double rate_factor, int max_frames, Balance *out, Error *err)
{
    Arena arena = {0};
    size_t points = (size_t)track->point_count;
    Vec3 east = any_normal(up);
    BalanceScratch s = {up, east, vec3_cross(up, east), rate_factor,
                        arena_space(&arena, points, 1, sizeof *s.point),
                        arena_space(&arena, points, 1, sizeof *s.ground),
                        arena_space(&arena, points, 1, sizeof *s.hull)};
    *out = (Balance){0};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    int reach = body_track_frames(track, 0.5 * window, rate_factor);
    int margin = (int)fmax(reach, resting_margin(track, rate_factor));
    int last = track->frame_count - 1 - margin, step = (int)fmax(1, (last - margin + 1) / fmax(1, max_frames));
    for (int f = margin; !status && f <= last && track->size > 0; f += step) {
        out->unexplained += unexplained_at(track, f, reach, &s);
        out->frames++;
    }
    if (out->frames > 0)
        out->unexplained /= out->frames;
    arena_free(&arena);
    return status;
}
