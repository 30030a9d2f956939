/* See limb_cone.h. */
#include "analysis/solve/limb_cone.h"

#include <stdlib.h>

#include "analysis/math/elementary.h"

void limb_octagon_init(LimbOctagon *o, double friction)
{
    *o = (LimbOctagon){.friction = friction, .inner = friction * elementary_cos(PI / CONE_SIDES),
                       .half = friction * elementary_sin(PI / CONE_SIDES)};
    for (int k = 0; k < CONE_SIDES; k++) {
        elementary_sincos(2 * PI * k / CONE_SIDES, &o->corner[k][1], &o->corner[k][0]);
        elementary_sincos(2 * PI * (k + 0.5) / CONE_SIDES, &o->side[k][1], &o->side[k][0]);
    }
}

static double across(const double unit[2], const double *f) { return unit[0] * f[1] - unit[1] * f[0]; }

/* The side whose sector contains f: from the signs of its components and whether the second is larger. */
static int sector(const double *f)
{
    static const int side[8] = {0, 1, 7, 6, 3, 2, 4, 5};
    return side[4 * (f[0] < 0) + 2 * (f[1] < 0) + (fabs(f[1]) > fabs(f[0]))];
}

/* The part of the octagon of vertical force y nearest to f. `outside` is the distance of f beyond this part, `reach`
 * the radius of the part per unit of vertical force. */
typedef struct NearestPart {
    int cone;
    double reach, outside;
} NearestPart;

static NearestPart nearest_part(const LimbOctagon *o, const double *f, double y)
{
    int k = sector(f);
    double aside = across(o->side[k], f), outside = limb_force_along(o->side[k], f) - o->inner * y;
    if (outside <= 0)
        return (NearestPart){.cone = FACE_INTERIOR};
    if (fabs(aside) <= o->half * y)
        return (NearestPart){FACE_FACET + k, o->inner, outside};
    int corner = aside > 0 ? (k + 1) % CONE_SIDES : k;
    return (NearestPart){FACE_EDGE + corner, o->friction, limb_force_along(o->corner[corner], f) - o->friction * y};
}

/* Moves f onto the given part of the octagon of y. */
static void move_onto(const LimbOctagon *o, int cone, double y, double *f)
{
    if (cone >= FACE_FACET) {
        const double *n = o->side[cone - FACE_FACET];
        double aside = across(n, f);
        f[0] = o->inner * y * n[0] - aside * n[1];
        f[1] = o->inner * y * n[1] + aside * n[0];
    } else if (cone >= FACE_EDGE) {
        f[0] = o->friction * y * o->corner[cone - FACE_EDGE][0];
        f[1] = o->friction * y * o->corner[cone - FACE_EDGE][1];
    }
}

/* Sum of max(0, y_i + lift) over the open points; *count: number of positive terms. */
static double lifted_sum(const QpLimb *limb, const double *y, double lift, int *count)
{
    double sum = 0;
    *count = 0;
    for (int i = 0; i < limb->points; i++)
        if (limb->open >> i & 1 && y[i] + lift > 0) {
            sum += y[i] + lift;
            ++*count;
        }
    return sum;
}

/* Solves sum max(0, y_i + q(Y)) = Y for the optimal Y = sum y, where q = ratio reach outside is the gain from a larger
 * octagon. The left side is decreasing and piecewise linear: Newton's method with a bracket. Returns q. */
static double balance_lift(const LimbOctagon *o, const QpLimb *limb, double ratio, const double *x, double low)
{
    enum { MAX_STEPS = 60 };
    double high = INFINITY, y = low, lift = 0;
    const double *f = x + limb->points;
    for (int step = 0; step < MAX_STEPS; step++) {
        int count;
        NearestPart part = nearest_part(o, f, y);
        lift = ratio * part.reach * part.outside;
        double excess = lifted_sum(limb, x, lift, &count) - y;
        if (excess > 0)
            low = y;
        else
            high = y;
        double next = y + excess / (1 + count * ratio * part.reach * part.reach);
        if (!(next >= low && next <= high))
            next = isinf(high) ? 2 * low + 1 : 0.5 * (low + high);
        if (fabs(next - y) <= 1e-15 * y)
            break;
        y = next;
    }
    return lift;
}

LimbFace limb_project(const LimbOctagon *o, const QpLimb *limb, double ratio, double *x)
{
    int points = limb->points, count;
    double *f = x + points;
    if (limb->grip)
        return (LimbFace){limb_open_points(limb), FACE_INTERIOR};
    double sum = lifted_sum(limb, x, 0, &count), lift = 0;
    double reach = o->inner * sum;
    if (!(f[0] * f[0] + f[1] * f[1] < reach * reach) && nearest_part(o, f, sum).cone != FACE_INTERIOR)
        lift = balance_lift(o, limb, ratio, x, sum);
    LimbFace face = {0, FACE_APEX};
    sum = 0;
    for (int i = 0; i < points; i++) {
        double raised = x[i] + lift;
        x[i] = limb->open >> i & 1 && raised > 0 ? raised : 0;
        face.free |= (uint8_t)((x[i] > 0) << i);
        sum += x[i];
    }
    if (!(sum > 0)) {
        f[0] = f[1] = 0;
        return face;
    }
    face.cone = (uint8_t)(lift > 0 ? nearest_part(o, f, sum).cone : FACE_INTERIOR);
    move_onto(o, face.cone, sum, f);
    return face;
}
