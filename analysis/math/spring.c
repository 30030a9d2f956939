#include "analysis/math/spring.h"

#include <math.h>

#include "analysis/math/elementary.h"

/* zeta < 1, with d = omega sqrt(1 - zeta^2), S = sin(d t) / d = t sinc(d t):
 *     x = e^(-zeta omega t) [(cos(d t) + zeta omega S) x0 + S v0] */
static SpringStep underdamped_step(double omega, double zeta, double t)
{
    double angle = omega * sqrt((1 - zeta) * (1 + zeta)) * t, sine, cosine;
    elementary_sincos(angle, &sine, &cosine);
    double s = angle > 0 ? t * (sine / angle) : t;
    double e = elementary_exp(-zeta * omega * t);
    return (SpringStep){.xx = e * (cosine + zeta * omega * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (cosine - zeta * omega * s)};
}

/* zeta >= 1: roots z2 = -omega / (zeta + r) and z1 = z2 - 2 k, with r = sqrt(zeta^2 - 1), k = omega r. Written with
 * u = 2 k t and phi = (1 - e^-u) / u, which is 1 at critical damping, no term cancels:
 *     x = e^(z2 t) [(1 - z2 t phi) x0 + t phi v0],  v = e^(z2 t) [-omega^2 t phi x0 + (e^-u + z2 t phi) v0] */
static SpringStep overdamped_step(double omega, double zeta, double t)
{
    double r = sqrt((zeta - 1) * (zeta + 1)), u = 2 * omega * r * t;
    double slow = -omega / (zeta + r);
    double s = u > 0 ? t * (-elementary_expm1(-u) / u) : t;
    double e = elementary_exp(slow * t);
    return (SpringStep){.xx = e * (1 - slow * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (elementary_exp(-u) + slow * s)};
}

SpringStep spring_step(double omega, double zeta, double dt)
{
    return zeta < 1 ? underdamped_step(omega, zeta, dt) : overdamped_step(omega, zeta, dt);
}

/* State of a spring: one coordinate and its rate. */
typedef struct SpringState {
    double x, v;
} SpringState;

/* What a bridge works on (spring_bridge). */
typedef struct Bridge {
    Vec3 *value;
    const Vec3 *rate;
    int frames;
    double frame_time, omega;
    SpringStep each; /* over one frame */
} Bridge;

/* (1 + sign J S)^-1 d, with S the step over the gap and J the reversal of rates. */
static SpringState solve_end(SpringStep s, double sign, SpringState d)
{
    double a = 1 + sign * s.xx, b = sign * s.xv, c = -sign * s.vx, e = 1 - sign * s.vv, det = a * e - b * c;
    return (SpringState){(e * d.x - b * d.v) / det, (a * d.v - c * d.x) / det};
}

/* Adds the course of a spring let go with state u at *from to the `count` vectors behind it, or before it where the
 * direction is -1. */
static void add_spring(Vec3 *from, int axis, int count, int direction, const SpringStep *each, SpringState u)
{
    for (int i = 1; i <= count; i++) {
        spring_advance(each, 0, &u.x, &u.v);
        ((double *)&from[direction * i])[axis] += u.x;
    }
}

/* With u and w the springs let go at both ends, w's time reversed, and d the wanted states:
 *     u + J S w = d_left,  w + J S u = J d_right,  so (1 + J S)(u + w) and (1 - J S)(u - w) are known. */
static void join_ends(SpringStep gap, SpringState *u, SpringState *w)
{
    SpringState sum = solve_end(gap, 1, (SpringState){u->x + w->x, u->v + w->v});
    SpringState difference = solve_end(gap, -1, (SpringState){u->x - w->x, u->v - w->v});
    *u = (SpringState){0.5 * (sum.x + difference.x), 0.5 * (sum.v + difference.v)};
    *w = (SpringState){0.5 * (sum.x - difference.x), 0.5 * (sum.v - difference.v)};
}

/* The frames between left and right; -1 and the number of frames stand for no held frame. */
static void fill_gap(const Bridge *b, int left, int right)
{
    int inside = right - left - 1, has_left = left >= 0, has_right = right < b->frames;
    SpringStep gap = spring_step(b->omega, 1, b->frame_time * (right - left));
    for (int i = left + 1; i < right; i++)
        b->value[i] = vec3(0, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        SpringState u = {0, 0}, w = {0, 0};
        if (has_left)
            u = (SpringState){vec3_component(b->value[left], axis), vec3_component(b->rate[left], axis)};
        if (has_right)
            w = (SpringState){vec3_component(b->value[right], axis), -vec3_component(b->rate[right], axis)};
        if (has_left && has_right)
            join_ends(gap, &u, &w);
        if (has_left)
            add_spring(&b->value[left], axis, inside, 1, &b->each, u);
        if (has_right)
            add_spring(&b->value[right], axis, inside, -1, &b->each, w);
    }
}

void spring_bridge(Vec3 *value, const Vec3 *rate, const uint8_t *held, int frames, double frame_time, double omega)
{
    Bridge bridge = {value, rate, frames, frame_time, omega, spring_step(omega, 1, frame_time)};
    for (int f = 0, left = -1; f <= frames; f++) {
        if (f < frames && !held[f])
            continue;
        if (f - left > 1)
            fill_gap(&bridge, left, f);
        left = f;
    }
}
