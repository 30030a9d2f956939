/* The complementarity problem of contacts, limits and dry friction (docs/sources.md, notes 0.5 to 0.8 and 0.10) by what
 * each of them does: a contact is free, it holds, or it slides along some directions of its cone.
 *
 * In a given state a contact of ten rows (contact_rows.h) has three unknowns at most. The directions of a held contact
 * that push add up to an impulse -2/c u along the tangents, of compliance c, whatever the slip u. The directions of a
 * sliding one share mu theta. The states of the solution are those of the ten rows, and so is the solution. */
#ifndef KANE_SIM_CONTACT_STATES_H
#define KANE_SIM_CONTACT_STATES_H

#include "analysis/base/status.h"

typedef enum HoldKind { HOLD_CONTACT, HOLD_LIMIT, HOLD_DRY } HoldKind;
typedef enum HoldState { HOLD_FREE, HOLD_HELD, HOLD_SLIDES } HoldState;

/* Along the normal and two tangents of a contact; along the speed of a limit or of dry friction, in the first
 * number. */
typedef struct Hold {
    HoldKind kind;
    HoldState state;
    unsigned mask;       /* of what slides: directions of the cone by bits; of dry friction 1: the upper bound */
    int closings;        /* how often it came to be held or to slide */
    double friction;     /* mu */
    double soft[2];      /* compliance along the normal, along each direction of friction */
    double least;        /* m/s or rad/s, of separation */
    double bound;        /* Ns or Nms, of dry friction */
    double speed_before[3], speed[3]; /* without impulses, with them */
    double impulse[3];
    /* in this state: impulse = fixed + column unknown, row . speed + compliance unknown = target */
    int unknowns;
    double fixed[3], column[3][3], row[3][3], compliance[3][3], target[3], unknown[3];
} Hold;

static inline int hold_width(const Hold *h) { return h->kind == HOLD_CONTACT ? 3 : 1; }

/* Fills the lower part for the state and its mask. */
void hold_relate(Hold *h);

/* The impulse of the unknowns. */
void hold_set_impulse(Hold *h);

/* target - row . speed - compliance unknown */
void hold_residual(const Hold *h, double residual[3]);

/* What counts as zero: of impulses and of speeds. */
typedef struct HoldTolerance {
    double impulse, speed;
} HoldTolerance;

/* Puts what contradicts its state into another one. Returns whether that was so. */
int hold_change(Hold *h, const HoldTolerance *zero);

/* Solves for one alone, whose speeds are `before` without its impulse and answer it by mobility[3][3]: state, unknowns,
 * impulse and speed. 0 where no state fits. */
int hold_solve_alone(Hold *h, const double *mobility, const double before[3], const HoldTolerance *zero);

/* Its state in a solution z of its rows (contact_rows.h). */
void hold_take_rows(Hold *h, const double *z);

/* Direction k of a cone along its tangents: a component, and the product with a vector of tangents. */
double cone_direction(int k, int component);
double cone_along(int k, const double tangents[2]);

/* A first state of a contact from the speeds without impulses. */
void hold_guess(Hold *h);

#endif
