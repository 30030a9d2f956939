#include "analysis/mend/euler_flips.h"

#include <math.h>

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
