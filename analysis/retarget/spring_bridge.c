#include "analysis/retarget/spring_bridge.h"

#include "analysis/math/spring.h"

/* State of a spring: one coordinate and its rate. */
typedef struct SpringState {
    double x, v;
} SpringState;

/* (1 + sign J S)^-1 d, with S the step over the gap and J the reversal of rates. */
static SpringState solve_end(SpringStep s, double sign, SpringState d)
{
    double a = 1 + sign * s.xx, b = sign * s.xv, c = -sign * s.vx, e = 1 - sign * s.vv, det = a * e - b * c;
    return (SpringState){(e * d.x - b * d.v) / det, (a * d.v - c * d.x) / det};
}

/* Adds the course of a spring let go with state u at frame `from`, over `count` frames in the direction `step`. */
static void add_spring(Vec3 *value, int axis, int from, int count, int step, SpringStep each, SpringState u)
{
    for (int i = 1; i <= count; i++) {
        spring_advance(&each, 0, &u.x, &u.v);
        ((double *)&value[from + step * i])[axis] += u.x;
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
static void fill_gap(Vec3 *value, const Vec3 *rate, int left, int right, int frames, SpringStep each, SpringStep gap)
{
    int inside = right - left - 1, has_left = left >= 0, has_right = right < frames;
    for (int i = left + 1; i < right; i++)
        value[i] = vec3(0, 0, 0);
    for (int axis = 0; axis < 3; axis++) {
        SpringState u = {0, 0}, w = {0, 0};
        if (has_left)
            u = (SpringState){vec3_component(value[left], axis), vec3_component(rate[left], axis)};
        if (has_right)
            w = (SpringState){vec3_component(value[right], axis), -vec3_component(rate[right], axis)};
        if (has_left && has_right)
            join_ends(gap, &u, &w);
        if (has_left)
            add_spring(value, axis, left, inside, 1, each, u);
        if (has_right)
            add_spring(value, axis, right, inside, -1, each, w);
    }
}

void spring_bridge(Vec3 *value, const Vec3 *rate, const uint8_t *held, int frames, double frame_time, double omega)
{
    SpringStep each = spring_step(omega, 1, frame_time);
    for (int f = 0, left = -1; f <= frames; f++) {
        if (f < frames && !held[f])
            continue;
        if (f - left > 1)
            fill_gap(value, rate, left, f, frames, each, spring_step(omega, 1, frame_time * (f - left)));
        left = f;
    }
}
