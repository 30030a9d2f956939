/* Repair of the rows of a motion file (channel_rows.h). */
#include "analysis/repair/channel_rows.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

static const int short_gap = 3;    /* steps: one or two missing rows are interpolated linearly */
static const double slowing = 15;  /* frames: time constant with which a joint slows down in a longer gap */

/* A jump: the angles change by more than this in total, but an equivalent triple changes by less than half as much. */
static const double jump = 90; /* deg */

/* Columns that are known or missing together, and their interpolation. */
typedef struct RowTrack {
    const EulerChannels *rotations; /* of a triple; NULL: a single column */
    int column;
    int is_angle;
} RowTrack;

static int is_missing(const RowTrack *t, const double *row)
{
    if (!t->rotations)
        return isnan(row[t->column]);
    return isnan(row[t->rotations->column[0]]) || isnan(row[t->rotations->column[1]]) ||
           isnan(row[t->rotations->column[2]]);
}

static Vec3 triple(const EulerChannels *t, const double *row)
{
    return vec3(row[t->column[0]], row[t->column[1]], row[t->column[2]]);
}

static Quat rotation(const EulerChannels *t, const double *row)
{
    static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Quat q = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++)
        q = quat_mul(q, quat_from_axis_angle(unit[t->axis[i]], row[t->column[i]] * (PI / 180)));
    return q;
}

/* Displacement from the pose of row a to that of row b on the shorter way: a rotation vector (rad), or x only (unit of
 * the column). */
static Vec3 displacement_between(const RowTrack *t, const double *a, const double *b)
{
    if (t->rotations) {
        Quat change = quat_mul(rotation(t->rotations, b), quat_conjugate(rotation(t->rotations, a)));
        return vec3_scale(quat_log(quat_nearest(change, QUAT_IDENTITY)), 2);
    }
    double step = b[t->column] - a[t->column];
    return vec3(t->is_angle ? step - 360 * rint(step / 360) : step, 0, 0);
}

/* Writes to `to` the pose at `displacement` from row a, with angles nearest to those of row `last`. */
static void go(const RowTrack *t, const double *a, Vec3 displacement, const double *last, double *to)
{
    if (!t->rotations) {
        to[t->column] = a[t->column] + displacement.x;
        return;
    }
    Quat q = quat_mul(quat_exp(vec3_scale(displacement, 0.5)), rotation(t->rotations, a));
    Vec3 angles = euler_from_quat(t->rotations->axis, q, triple(t->rotations, last));
    to[t->rotations->column[0]] = angles.x;
    to[t->rotations->column[1]] = angles.y;
    to[t->rotations->column[2]] = angles.z;
}

static void copy_track(const RowTrack *t, const double *from, double *to)
{
    for (int i = 0; i < (t->rotations ? 3 : 1); i++) {
        int column = t->rotations ? t->rotations->column[i] : t->column;
        to[column] = from[column];
    }
}

/* A gap between rows `from` and `to`: total displacement, and velocities before and after it, per frame. */
typedef struct RowGap {
    int from, to;
    Vec3 whole, into, out;
} RowGap;

/* Velocity at row `at` next to a gap, from the row beyond it; the mean velocity if that is missing or the gap is
 * short. */
static Vec3 speed_beside(const ChannelRows *rows, const RowTrack *t, const RowGap *g, int beyond, int at)
{
    int known = beyond >= 0 && beyond < rows->frame_count && !is_missing(t, channel_row(rows, beyond));
    if (!known || g->to - g->from <= short_gap)
        return vec3_scale(g->whole, 1.0 / (g->to - g->from));
    return vec3_scale(displacement_between(t, channel_row(rows, beyond), channel_row(rows, at)), beyond < at ? 1 : -1);
}

/* Displacement after `frames` frames at the initial velocity in a gap of `all` frames; in a long gap the velocity
 * decays. */
static Vec3 coast(Vec3 speed, double frames, double all)
{
    return vec3_scale(speed, all <= slowing ? frames : slowing * (1 - elementary_exp(-frames / slowing)));
}

/* Cubic Hermite interpolation with decaying end velocities. */
static Vec3 displacement_at(const RowGap *g, int frame)
{
    double all = g->to - g->from, u = (frame - g->from) / all, v = 1 - u;
    Vec3 displacement = vec3_scale(g->whole, u * u * (3 - 2 * u));
    displacement = vec3_mad(displacement, v * v, coast(g->into, frame - g->from, all));
    return vec3_mad(displacement, -u * u, coast(g->out, g->to - frame, all));
}

/* Fills frames first .. stop - 1; a side without a frame holds the other one. */
static void fill_run(const ChannelRows *rows, const RowTrack *t, int first, int stop)
{
    int has_before = first > 0, has_behind = stop < rows->frame_count;
    RowGap g = {.from = first - 1, .to = stop};
    if (has_before && has_behind) {
        g.whole = displacement_between(t, channel_row(rows, g.from), channel_row(rows, g.to));
        g.into = speed_beside(rows, t, &g, g.from - 1, g.from);
        g.out = speed_beside(rows, t, &g, g.to + 1, g.to);
    }
    for (int f = first; f < stop; f++) {
        double *to = channel_row(rows, f);
        if (has_before && has_behind)
            go(t, channel_row(rows, g.from), displacement_at(&g, f), channel_row(rows, f - 1), to);
        else
            copy_track(t, channel_row(rows, has_before ? first - 1 : stop), to);
    }
}

static Status fill_track(const ChannelRows *rows, const RowTrack *t, Error *err)
{
    for (int f = 0; f < rows->frame_count; f++) {
        int first = f;
        while (f < rows->frame_count && is_missing(t, channel_row(rows, f)))
            f++;
        if (f - first == rows->frame_count)
            return error_set(err, STATUS_BAD_INPUT, "column %d has no number in any frame",
                             (t->rotations ? t->rotations->column[0] : t->column) + 1);
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
    for (int j = 0; !status && j < rows->joint_count; j++) {
        const EulerChannels *rotations = &rows->rotations[j];
        int is_triple = euler_is_triple(rotations);
        for (int i = 0; i < rotations->count; i++) {
            angle[rotations->column[i]] = 1;
            in_triple[rotations->column[i]] = (char)is_triple;
        }
        if (is_triple)
            status = fill_track(rows, &(RowTrack){.rotations = rotations}, err);
    }
    for (int c = 0; !status && c < rows->row_size; c++)
        if (!in_triple[c])
            status = fill_track(rows, &(RowTrack){.column = c, .is_angle = angle[c]}, err);
    arena_free(&arena);
    return status;
}

typedef struct Angles {
    double a[EULER_MAX_CHANNELS]; /* deg */
} Angles;

static Angles read_angles(const EulerChannels *t, const double *row)
{
    Angles out = {{0}};
    for (int i = 0; i < t->count; i++)
        out.a[i] = row[t->column[i]];
    return out;
}

static double distance(const EulerChannels *t, const Angles *x, const Angles *y)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += (x->a[i] - y->a[i]) * (x->a[i] - y->a[i]);
    return sqrt(sum);
}

static Angles nearest_angles(const EulerChannels *t, Angles x, const Angles *near)
{
    for (int i = 0; i < t->count; i++)
        x.a[i] += 360 * rint((near->a[i] - x.a[i]) / 360);
    return x;
}

/* The angles equivalent to x that are nearest to `near`. */
static Angles nearest_writing(const EulerChannels *t, const Angles *x, const Angles *near)
{
    Angles one = nearest_angles(t, *x, near);
    if (!euler_is_triple(t))
        return one;
    Angles other = {{x->a[0] + 180, 180 - x->a[1], x->a[2] + 180}};
    other = nearest_angles(t, other, near);
    return distance(t, &one, near) <= distance(t, &other, near) ? one : other;
}

int euler_flips_count(const ChannelRows *rows, int joint, int *first)
{
    const EulerChannels *t = &rows->rotations[joint];
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
    const EulerChannels *t = &rows->rotations[joint];
    for (int f = 1; f < rows->frame_count && t->count > 0; f++) {
        double *row = channel_row(rows, f);
        Angles last = read_angles(t, channel_row(rows, f - 1)), now = read_angles(t, row);
        now = nearest_writing(t, &now, &last);
        for (int i = 0; i < t->count; i++)
            row[t->column[i]] = now.a[i];
    }
}
