#include "analysis/mend/channel_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

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

/* to = the pose at fraction u of the way from a to b; last is the row before `to`. */
static void interpolate(const Track *t, const double *a, const double *b, double u, const double *last, double *to)
{
    if (!t->turns) {
        double step = b[t->column] - a[t->column];
        if (t->is_angle)
            step -= 360 * rint(step / 360);
        to[t->column] = a[t->column] + u * step;
        return;
    }
    Quat q = quat_slerp(rotation(t->turns, a), rotation(t->turns, b), u);
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

/* Frames first .. stop-1 are missing; either side may lack. */
static void fill_run(const ChannelRows *rows, const Track *t, int first, int stop)
{
    int has_before = first > 0, has_behind = stop < rows->frame_count;
    for (int f = first; f < stop; f++) {
        double *to = channel_row(rows, f);
        if (has_before && has_behind)
            interpolate(t, channel_row(rows, first - 1), channel_row(rows, stop),
                        (double)(f - first + 1) / (stop - first + 1), channel_row(rows, f - 1), to);
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
