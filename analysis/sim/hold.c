/* See hold.h. */
#include "analysis/sim/hold.h"

#include <math.h>
#include <string.h>

#include "analysis/sim/contact_rows.h"

/* Direction k of the friction cone as components along the two tangents. */
#define HALF_ROOT 0.70710678118654752440
static const double direction[CONE_DIRECTIONS][2] = {
    {1, 0},  {HALF_ROOT, HALF_ROOT},   {0, 1},  {-HALF_ROOT, HALF_ROOT},
    {-1, 0}, {-HALF_ROOT, -HALF_ROOT}, {0, -1}, {HALF_ROOT, -HALF_ROOT},
};

double cone_direction(int k, int component) { return direction[k][component]; }

static double along(int k, const double tangents[2])
{
    return direction[k][0] * tangents[0] + direction[k][1] * tangents[1];
}

double cone_along(int k, const double tangents[2]) { return along(k, tangents); }

static int is_in(const Hold *h, int k) { return h->mask >> k & 1; }

/* Sums over the directions of a mask: their number, their mean, and P = sum of d d' - count mean mean'. */
typedef struct Fan {
    int count, first, last;
    double mean[2], xx, xy, yy;
} Fan;

static Fan hold_fan(const Hold *h)
{
    Fan f = {.first = -1};
    for (int k = 0; k < CONE_DIRECTIONS; k++) {
        if (!is_in(h, k))
            continue;
        f.first = f.first < 0 ? k : f.first;
        f.last = k;
        f.count++;
        f.mean[0] += direction[k][0];
        f.mean[1] += direction[k][1];
        f.xx += direction[k][0] * direction[k][0];
        f.xy += direction[k][0] * direction[k][1];
        f.yy += direction[k][1] * direction[k][1];
    }
    f.mean[0] /= f.count;
    f.mean[1] /= f.count;
    f.xx -= f.count * f.mean[0] * f.mean[0];
    f.xy -= f.count * f.mean[0] * f.mean[1];
    f.yy -= f.count * f.mean[1] * f.mean[1];
    return f;
}

static void unit_unknowns(Hold *h, int count)
{
    h->unknowns = count;
    for (int i = 0; i < count; i++)
        h->column[i][i] = h->row[i][i] = 1;
}

/* Fills the columns of a sliding contact. The normal impulse theta also pushes along the mean direction. With two
 * directions, a second unknown moves impulse from one to the other; with more, the impulse along both tangents is free,
 * with compliance c P^-1. */
static void relate_sliding(Hold *h)
{
    Fan f = hold_fan(h);
    double determinant = f.xx * f.yy - f.xy * f.xy;
    if (f.count > 2)
        unit_unknowns(h, 3);
    else
        unit_unknowns(h, 1);
    h->column[0][1] = h->friction * f.mean[0];
    h->column[0][2] = h->friction * f.mean[1];
    if (f.count == 2) {
        h->unknowns = 2;
        for (int i = 0; i < 2; i++)
            h->column[1][1 + i] = h->row[1][1 + i] = direction[f.first][i] - direction[f.last][i];
        h->compliance[1][1] = 2 * h->soft[1];
    } else if (f.count > 2) {
        h->compliance[1][1] = h->soft[1] * f.yy / determinant;
        h->compliance[2][2] = h->soft[1] * f.xx / determinant;
        h->compliance[1][2] = h->compliance[2][1] = -h->soft[1] * f.xy / determinant;
    }
}

/* The compliance of a joint's dry friction acts on the impulse from its lower bound, that of a contact's on the
 * impulse. */
static double soft_start(const Hold *h) { return h->kind == HOLD_DRY ? h->bound : 0; }

static void relate_dry(Hold *h)
{
    if (h->state == HOLD_SLIDES) {
        h->fixed[0] = h->mask ? h->bound : -h->bound;
        return;
    }
    unit_unknowns(h, 1);
    h->compliance[0][0] = h->soft[0];
    h->target[0] = -h->soft[0] * soft_start(h);
}

void hold_bind(Hold *h, double normal_impulse)
{
    h->bound = h->friction * normal_impulse;
    if (h->state == HOLD_SLIDES)
        h->fixed[0] = h->mask ? h->bound : -h->bound;
}

void hold_relate(Hold *h)
{
    h->unknowns = 0;
    memset(h->fixed, 0, sizeof h->fixed);
    memset(h->column, 0, sizeof h->column);
    memset(h->row, 0, sizeof h->row);
    memset(h->compliance, 0, sizeof h->compliance);
    memset(h->target, 0, sizeof h->target);
    memset(h->unknown, 0, sizeof h->unknown);
    if (hold_is_dry(h)) {
        relate_dry(h);
        return;
    }
    if (h->state == HOLD_FREE)
        return;
    if (h->state == HOLD_SLIDES) {
        relate_sliding(h);
    } else {
        unit_unknowns(h, h->kind == HOLD_CONTACT && h->friction > 0 ? 3 : 1);
        for (int i = 1; i < h->unknowns; i++)
            h->compliance[i][i] = 0.5 * h->soft[1];
    }
    h->compliance[0][0] = h->soft[0];
    h->target[0] = h->min;
}

void hold_set_impulse(Hold *h)
{
    for (int i = 0; i < 3; i++) {
        h->impulse[i] = h->fixed[i];
        for (int k = 0; k < h->unknowns; k++)
            h->impulse[i] += h->column[k][i] * h->unknown[k];
    }
}

void hold_residual(const Hold *h, double residual[3])
{
    for (int i = 0; i < h->unknowns; i++) {
        residual[i] = h->target[i];
        for (int k = 0; k < 3; k++)
            residual[i] -= h->row[i][k] * h->speed[k];
        for (int k = 0; k < h->unknowns; k++)
            residual[i] -= h->compliance[i][k] * h->unknown[k];
    }
}

static void become(Hold *h, HoldState state, unsigned mask)
{
    h->state = state;
    h->mask = mask;
}

/* The direction nearest to an impulse, or opposite to a slip. */
static int nearest(const double tangents[2], double sign)
{
    int best = 0;
    for (int k = 1; k < CONE_DIRECTIONS; k++)
        if (sign * along(k, tangents) > sign * along(best, tangents))
            best = k;
    return best;
}

static int change_limit(Hold *h, const HoldTolerance *zero)
{
    if (h->state == HOLD_FREE ? h->speed[0] - h->min >= -zero->speed : h->unknown[0] >= -zero->impulse)
        return 0;
    become(h, h->state == HOLD_FREE ? HOLD_HELD : HOLD_FREE, 0);
    return 1;
}

/* Checks a dry friction that holds: the impulse is within its bounds. If it slides, the speed is not negative at the
 * lower bound and not positive at the upper one. */
static int change_dry(Hold *h, const HoldTolerance *zero)
{
    if (h->state == HOLD_SLIDES) {
        double slip = h->speed[0] + h->soft[0] * (soft_start(h) + (h->mask ? h->bound : -h->bound));
        if ((h->mask ? -slip : slip) >= -zero->speed || (h->kind == HOLD_TURN && h->bound <= zero->impulse))
            return 0;
        become(h, HOLD_HELD, 0);
        return 1;
    }
    if (fabs(h->unknown[0]) <= h->bound + zero->impulse)
        return 0;
    become(h, HOLD_SLIDES, h->unknown[0] > 0);
    return 1;
}

static int change_held(Hold *h, const HoldTolerance *zero)
{
    const double *tangents = h->impulse + 1;
    double sum = 0;
    for (int k = 0; k < CONE_DIRECTIONS; k++)
        sum += 0.5 * fmax(0, along(k, tangents));
    if (h->unknowns == 1 || sum <= h->friction * h->unknown[0] + zero->impulse)
        return 0;
    unsigned mask = 0;
    for (int k = 0; k < CONE_DIRECTIONS; k++)
        mask |= (unsigned)(along(k, tangents) > 1e-9 * sum) << k;
    become(h, HOLD_SLIDES, mask);
    return 1;
}

/* Impulse along a direction of the mask. */
static double fan_share(const Hold *h, const Fan *f, int k)
{
    double share = h->friction * h->unknown[0] / f->count;
    if (f->count == 2)
        return k == f->first ? share + h->unknown[1] : share - h->unknown[1];
    if (f->count == 1)
        return share;
    double determinant = f->xx * f->yy - f->xy * f->xy, x = h->unknown[1], y = h->unknown[2];
    return share + (along(k, (double[2]){f->yy * x - f->xy * y, f->xx * y - f->xy * x}) -
                    f->mean[0] * (f->yy * x - f->xy * y) - f->mean[1] * (f->xx * y - f->xy * x)) / determinant;
}

/* Adds the adjacent direction that opposes the slip more than those in the mask do. If no adjacent one does, the mask
 * becomes the single direction that opposes the slip most. */
static unsigned widen(const Hold *h, const double *slip, double speed, const HoldTolerance *zero)
{
    int beside = -1, worst = nearest(slip, -1);
    for (int k = 0; k < CONE_DIRECTIONS; k++) {
        int is_beside = is_in(h, (k + 1) % CONE_DIRECTIONS) || is_in(h, (k + CONE_DIRECTIONS - 1) % CONE_DIRECTIONS);
        if (!is_in(h, k) && is_beside && along(k, slip) + speed < -zero->speed &&
            (beside < 0 || along(k, slip) < along(beside, slip)))
            beside = k;
    }
    if (beside >= 0)
        return h->mask | 1u << beside;
    return is_in(h, worst) || along(worst, slip) + speed >= -zero->speed ? h->mask : 1u << worst;
}

static int change_sliding(Hold *h, const HoldTolerance *zero)
{
    Fan f = hold_fan(h);
    const double *slip = h->speed + 1;
    double speed = -f.mean[0] * slip[0] - f.mean[1] * slip[1] - h->soft[1] * h->friction * h->unknown[0] / f.count;
    if (speed < -zero->speed) {
        become(h, HOLD_HELD, 0);
        return 1;
    }
    unsigned kept = 0;
    for (int k = 0; k < CONE_DIRECTIONS; k++)
        if (is_in(h, k) && fan_share(h, &f, k) >= -zero->impulse)
            kept |= 1u << k;
    if (kept != h->mask && kept) {
        h->mask = kept;
        return 1;
    }
    unsigned before = h->mask;
    h->mask = widen(h, slip, speed, zero);
    return h->mask != before;
}

/* A contact that closes holds, or slides if its slip is fast. A contact whose state returns takes the other of the
 * two. */
static void close_contact(Hold *h, const double speed[3])
{
    double along = sqrt(speed[1] * speed[1] + speed[2] * speed[2]);
    int slides = h->friction > 0 && along > h->friction * (h->min - speed[0]);
    if (h->friction > 0 && h->closings++ % 2)
        slides = !slides;
    become(h, slides ? HOLD_SLIDES : HOLD_HELD, slides ? 1u << nearest(speed + 1, -1) : 0);
}

int hold_change(Hold *h, const HoldTolerance *zero)
{
    if (h->kind == HOLD_LIMIT)
        return change_limit(h, zero);
    if (hold_is_dry(h))
        return change_dry(h, zero);
    if (h->state == HOLD_FREE) {
        if (h->speed[0] - h->min >= -zero->speed)
            return 0;
        close_contact(h, h->speed);
        return 1;
    }
    if (h->unknown[0] < -zero->impulse) {
        become(h, HOLD_FREE, 0);
        return 1;
    }
    return h->state == HOLD_HELD ? change_held(h, zero) : change_sliding(h, zero);
}

void hold_guess(Hold *h)
{
    if (hold_is_dry(h) || h->min <= h->speed_before[0])
        become(h, hold_is_dry(h) ? HOLD_HELD : HOLD_FREE, 0);
    else if (h->kind == HOLD_LIMIT)
        become(h, HOLD_HELD, 0);
    else
        close_contact(h, h->speed_before);
}

static void exchange(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Gaussian elimination with partial pivoting, for up to 3 unknowns. */
static int solve_small(int n, double a[3][3], double b[3])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        if (!(fabs(a[pivot][k]) > 0))
            return 0;
        for (int j = 0; j < n; j++)
            exchange(&a[k][j], &a[pivot][j]);
        exchange(&b[k], &b[pivot]);
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    return 1;
}

/* Whether a solution is consistent with its state. */
static int try_alone(Hold *h, const double *mobility, const double before[3], const HoldTolerance *zero)
{
    double a[3][3], b[3];
    hold_relate(h);
    hold_set_impulse(h);
    for (int i = 0; i < 3; i++)
        h->speed[i] = before[i] + mobility[3 * i] * h->fixed[0];
    hold_residual(h, b);
    for (int i = 0; i < h->unknowns; i++)
        for (int j = 0; j < h->unknowns; j++) {
            a[i][j] = h->compliance[i][j];
            for (int k = 0; k < 9; k++)
                a[i][j] += h->row[i][k / 3] * mobility[k] * h->column[j][k % 3];
        }
    if (!solve_small(h->unknowns, a, b))
        return 0;
    memcpy(h->unknown, b, (size_t)h->unknowns * sizeof *b);
    hold_set_impulse(h);
    for (int i = 0; i < 3; i++)
        h->speed[i] = before[i] + mobility[3 * i] * h->impulse[0] + mobility[3 * i + 1] * h->impulse[1] +
                      mobility[3 * i + 2] * h->impulse[2];
    Hold changed = *h;
    return !hold_change(&changed, zero);
}

/* Masks of one to four adjacent directions. */
static unsigned bit_mask(int first, int count)
{
    unsigned mask = ((1u << count) - 1) << first;
    return (mask | mask >> CONE_DIRECTIONS) & ((1u << CONE_DIRECTIONS) - 1);
}

int hold_solve_alone(Hold *h, const double *mobility, const double before[3], const HoldTolerance *zero)
{
    if (try_alone(h, mobility, before, zero))
        return 1;
    for (int state = HOLD_FREE; state <= HOLD_HELD; state++) {
        become(h, (HoldState)state, 0);
        if (try_alone(h, mobility, before, zero))
            return 1;
    }
    for (int count = 1; count <= 4 && h->kind != HOLD_LIMIT; count++)
        for (int first = 0; first < CONE_DIRECTIONS; first++) {
            become(h, HOLD_SLIDES, hold_is_dry(h) ? (unsigned)first & 1 : bit_mask(first, count));
            if (try_alone(h, mobility, before, zero))
                return 1;
        }
    return 0;
}

void hold_take_rows(Hold *h, const double *z)
{
    unsigned mask = 0;
    if (hold_is_dry(h)) {
        int slides = z[0] <= 0 || z[1] > 0;
        become(h, slides ? HOLD_SLIDES : HOLD_HELD, slides && z[1] > 0);
        return;
    }
    for (int k = 0; k < CONE_DIRECTIONS && h->kind == HOLD_CONTACT; k++)
        mask |= (unsigned)(z[1 + k] > 0) << k;
    int slides = h->kind == HOLD_CONTACT && z[CONE_CONTACT_ROWS - 1] > 0 && mask;
    become(h, z[0] <= 0 ? HOLD_FREE : slides ? HOLD_SLIDES : HOLD_HELD, z[0] > 0 && slides ? mask : 0);
}
