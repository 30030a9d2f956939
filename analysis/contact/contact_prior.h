/* Prior: what the motion does not determine but people have in common. How the load passes from foot to foot, how two
 * feet push against each other, and where the pressure under a foot lies. Fitted to force plates (data/contact.tsv).
 *
 * It requires a first estimate of the forces, whose loads show when one foot takes over from the other and how similar
 * an interval is to gait. The less similar it is, the weaker the prior; the rest is the least effort of the cost. */
#ifndef KANE_CONTACT_CONTACT_PRIOR_H
#define KANE_CONTACT_CONTACT_PRIOR_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/math/vec.h"

/* Prior position of the pressure under a foot in gait: along the foot by its roll-over, across it by a
 * fraction of the COM's offset. */
typedef struct FootPressure {
    Vec3 ball;    /* L, contact axes: under the toe joint */
    Vec3 axis[2]; /* unit: forward and outward */
    double at[2]; /* L, from the ball along these directions */
} FootPressure;

struct ContactPrior {
    int first[FOOT_COUNT];   /* first point of each foot: two of the heel, two of the ball, the toe */
    double *left_fraction;   /* [frame] fraction of the load on the left foot, 0 .. 1 */
    double *sure;            /* [frame] 1: the fraction is that of a load transfer; 0: that of the first estimate */
    double *load;            /* [frame] body weights on both feet, 1 at most */
    double *lean;            /* [frame] that forces in gait lean further forward for the impulse of the motion */
    FootPressure *pressure;  /* [frame][foot] */
    double offset[2];        /* L: mean offset of the pressure in this clip, along and across the foot */
    Vec3 *row;               /* [point] scratch */
};

/* Derives the prior from the first estimate force[frame][point], body weights; closes the points of a foot before it
 * takes over and after it has handed over (penalty), and sets gait. *out is NULL if the body does not have two feet.
 * All memory belongs to the arena. */
Status contact_prior_find(ContactProblem *problem, Vec3 *force, Arena *arena, ContactPrior **out);

#define CONTACT_MIN_SUM 0.3 /* body weights: with less on both feet there is no transfer */

/* Adds weight (sum coefficient . f - target)^2 / 2 over the candidates among the points of a foot, or of both
 * (FOOT_COUNT). */
typedef struct PriorRow {
    int foot;
    double weight, target;
    Vec3 coefficient[FOOT_COUNT][FOOT_POINTS];
} PriorRow;

/* Receives the prior's equations one by one. */
typedef struct PriorSink {
    void (*add)(void *to, const PriorRow *row);
    void *to;
} PriorSink;

/* Emits the equations of the prior in a frame; none if prior is NULL. */
void contact_prior_rows(const ContactPrior *prior, const ContactProblem *problem, size_t frame, const PriorSink *sink);

#endif
