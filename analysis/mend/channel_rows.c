#include "analysis/mend/channel_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

static const int short_gap = 3;    /* steps: two rows that are missing lie on a straight line */
static const double slowing = 15;  /* frames: in which a joint that is left to itself for longer comes to rest */

/* Columns that are known or missing together, and how they are interpolated. */
typedef struct Track {
    const EulerTurns *turns; /* of a triple; NULL: one column */
    int column;
    int is_angle;
} Track;

static int is_missing(const Track *t, const double *row)
{
    if (!t->turns)
        return isnan(row[t->column]);
    return isnan(row[t->turns->column[0]]) || isnan(row[t->turns->column[1]]) || isnan(row[t->turns->column[2]]);
}

static Vec3 triple(const EulerTurns *t, const double *row)
{
    return vec3(row[t->column[0]], row[t->column[1]], row[t->column[2]]);
}

static Quat rotation(const EulerTurns *t, const double *row)
{
    static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++)
        q = quat_mul(q, quat_from_axis_angle(unit[t->axis[i]], row[t->column[i]] * (PI / 180)));
    return q;
}

/* The way from the pose of row a to that of row b, the shorter one: a rotation vector (rad), or x alone (column's
 * unit). */
static Vec3 way_between(const Track *t, const double *a, const double *b)
{
    if (t->turns) {
        Quat turn = quat_mul(rotation(t->turns, b), quat_conjugate(rotation(t->turns, a)));
        return vec3_scale(quat_log(quat_nearest(turn, QUAT_IDENTITY)), 2);
    }
    double step = b[t->column] - a[t->column];
    return vec3(t->is_angle ? step - 360 * rint(step / 360) : step, 0, 0);
}

/* to = the pose so far from that of row a; last is the row before `to`. */
static void go(const Track *t, const double *a, Vec3 way, const double *last, double *to)
{
    if (!t->turns) {
        to[t->column] = a[t->column] + way.x;
        return;
    }
    Quat q = quat_mul(quat_exp(vec3_scale(way, 0.5)), rotation(t->turns, a));
    Vec3 angles = euler_from_quat(t->turns->axis, q, triple(t->turns, last));
    to[t->turns->column[0]] = angles.x;
    to[t->turns->column[1]] = angles.y;
    to[t->turns->column[2]] = angles.z;
}

static void copy_track(const Track *t, const double *from, double *to)
{
    for (int i = 0; i < (t->turns ? 3 : 1); i++) {
        int column = t->turns ? t->turns->column[i] : t->column;
        to[column] = from[column];
    }
}

/* A gap between rows `from` and `to`: the way across, and how fast the joint goes in and comes out, a frame. */
typedef struct Gap {
    int from, to;
    Vec3 whole, into, out;
} Gap;

/* Speed at row `at` beside a gap, from the row beyond it; where there is none, or the gap is short, the mean. */
static Vec3 speed_beside(const ChannelRows *rows, const Track *t, const Gap *g, int beyond, int at)
{
    int known = beyond >= 0 && beyond < rows->frame_count && !is_missing(t, channel_row(rows, beyond));
    if (!known || g->to - g->from <= short_gap)
        return vec3_scale(g->whole, 1.0 / (g->to - g->from));
    return vec3_scale(way_between(t, channel_row(rows, beyond), channel_row(rows, at)), beyond < at ? 1 : -1);
}

/* How far a joint goes in so many frames of a gap of `all` that it is left to itself: over a long one it slows down. */
static Vec3 coast(Vec3 speed, double frames, double all)
{
    return vec3_scale(speed, all <= slowing ? frames : slowing * (1 - elementary_exp(-frames / slowing)));
}

/* Hermite's cubic. */
static Vec3 way_at(const Gap *g, int frame)
{
    double all = g->to - g->from, u = (frame - g->from) / all, v = 1 - u;
    Vec3 way = vec3_scale(g->whole, u * u * (3 - 2 * u));
    way = vec3_mad(way, v * v, coast(g->into, frame - g->from, all));
    return vec3_mad(way, -u * u, coast(g->out, g->to - frame, all));
}

/* Frames first .. stop-1 are missing; either side may lack. */
static void fill_run(const ChannelRows *rows, const Track *t, int first, int stop)
{
    int has_before = first > 0, has_behind = stop < rows->frame_count;
    Gap g = {.from = first - 1, .to = stop};
    if (has_before && has_behind) {
        g.whole = way_between(t, channel_row(rows, g.from), channel_row(rows, g.to));
        g.into = speed_beside(rows, t, &g, g.from - 1, g.from);
        g.out = speed_beside(rows, t, &g, g.to + 1, g.to);
    }
    for (int f = first; f < stop; f++) {
        double *to = channel_row(rows, f);
        if (has_before && has_behind)
            go(t, channel_row(rows, g.from), way_at(&g, f), channel_row(rows, f - 1), to);
        else
            copy_track(t, channel_row(rows, has_before ? first - 1 : stop), to);
    }
}

static Status fill_track(const ChannelRows *rows, const Track *t, Error *err)
{
    for (int f = 0; f < rows->frame_count; f++) {
        int first = f;
        while (f < rows->frame_count && is_missing(t, channel_row(rows, f)))
            f++;
        if (f - first == rows->frame_count)
            return error_set(err, STATUS_BAD_INPUT, "column %d has no number in any frame",
                             (t->turns ? t->turns->column[0] : t->column) + 1);
        if (f > first)
            fill_run(rows, t, first, f);
    }
    return STATUS_OK;
}

Status row_gaps_fill(const ChannelRows *rows, Error *err)
{
    size_t columns = (size_t)rows->row_size;
    Arena arena = {0};
    char *angle = arena_array(&arena, columns, 1, 1), *in_triple = arena_array(&arena, columns, 1, 1);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int j = 0; status == STATUS_OK && j < rows->joint_count; j++) {
        const EulerTurns *turns = &rows->turns[j];
        int is_triple = turns_are_triple(turns);
        for (int i = 0; i < turns->count; i++) {
            angle[turns->column[i]] = 1;
            in_triple[turns->column[i]] = (char)is_triple;
        }
        if (is_triple)
            status = fill_track(rows, &(Track){.turns = turns}, err);
    }
    for (int c = 0; status == STATUS_OK && c < rows->row_size; c++)
        if (!in_triple[c])
            status = fill_track(rows, &(Track){.column = c, .is_angle = angle[c]}, err);
    arena_free(&arena);
    return status;
}

/* A jump is one where the angles move by more than this in all, and by less than half as much in another writing. */
static const double jump = 90; /* deg */

typedef struct Angles {
    double a[EULER_MAX_TURNS]; /* deg */
} Angles;

static Angles read_angles(const EulerTurns *t, const double *row)
{
    Angles out = {{0}};
    for (int i = 0; i < t->count; i++)
        out.a[i] = row[t->column[i]];
    return out;
}

static double distance(const EulerTurns *t, const Angles *x, const Angles *y)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += (x->a[i] - y->a[i]) * (x->a[i] - y->a[i]);
    return sqrt(sum);
}

static Angles nearest_turns(const EulerTurns *t, Angles x, const Angles *near)
{
    for (int i = 0; i < t->count; i++)
        x.a[i] += 360 * rint((near->a[i] - x.a[i]) / 360);
    return x;
}

/* The writing of x nearest to `near`. */
static Angles nearest_writing(const EulerTurns *t, const Angles *x, const Angles *near)
{
    Angles one = nearest_turns(t, *x, near);
    if (!turns_are_triple(t))
        return one;
    Angles other = {{x->a[0] + 180, 180 - x->a[1], x->a[2] + 180}};
    other = nearest_turns(t, other, near);
    return distance(t, &one, near) <= distance(t, &other, near) ? one : other;
}

int euler_flips_count(const ChannelRows *rows, int joint, int *first)
{
    const EulerTurns *t = &rows->turns[joint];
    int count = 0;
    for (int f = 1; f < rows->frame_count && t->count > 0; f++) {
        Angles last = read_angles(t, channel_row(rows, f - 1)), now = read_angles(t, channel_row(rows, f));
        double written = distance(t, &now, &last);
        if (!(written > jump))
            continue;
        Angles best = nearest_writing(t, &now, &last);
        if (distance(t, &best, &last) < written / 2 && count++ == 0)
            *first = f;
    }
    return count;
}

void euler_flips_remove(const ChannelRows *rows, int joint)
{
    const EulerTurns *t = &rows->turns[joint];
    for (int f = 1; f < rows->frame_count && t->count > 0; f++) {
        double *row = channel_row(rows, f);
        Angles last = read_angles(t, channel_row(rows, f - 1)), now = read_angles(t, row);
        now = nearest_writing(t, &now, &last);
        for (int i = 0; i < t->count; i++)
            row[t->column[i]] = now.a[i];
    }
}
