/* Steps that differ from those of the reference: where the feet of a pushed body land, and steps of its own.
 *
 * Every foot stands at an offset from the reference; the plan follows the offset of the feet that support. A foot in
 * the air lands further by the error that the capture point (Pratt et al., Capture point: a step toward humanoid push
 * recovery, 2006) will have at its landing, and otherwise nearer to the reference. A body whose feet all support takes
 * a step of its own once its capture point leaves the support: the foot farther from it swings to where it will be. */
#ifndef KANE_CONTROL_STEPS_H
#define KANE_CONTROL_STEPS_H

#include "analysis/control/balance_plan.h"

/* Along the two tangents of the ground. */
typedef struct FootOffset {
    double at[2], rate[2]; /* m, m/s */
} FootOffset;

typedef struct Steps {
    const BalancePlan *plan;
    int are_allowed;       /* 0: the feet land where the reference has them */
    FootOffset *foot;      /* [joint] of supporting bodies */
    double body[2];        /* m, offset of the body's plan */
    int swing;             /* joint of a foot in a step of its own; -1: none */
    int ticks;             /* steps taken: time goes on where the reference has ended */
    double start, pause;   /* s, of that step; until then no other begins */
    double from[2], goal[2]; /* m, its offsets */
    int count;             /* steps that were adapted by more than STEPS_NOTED, or taken */
    char *is_noted;        /* [joint] of the present swing */
    Arena memory;
} Steps;

#define STEPS_NOTED 0.05 /* m */

Status steps_init(Steps *s, const BalancePlan *plan, int are_allowed, Error *err);
void steps_free(Steps *s);

/* Moves the offsets on. support: of the points that support now; it may be empty. */
void steps_update(Steps *s, const ControlPlant *plant, int step, const WholeState *now, const Support *support);

/* Whether a foot is in the air in a step of its own. */
int steps_swings(const Steps *s, int joint);

/* Height of a foot over the reference in a step of its own, m. */
double steps_lift(const Steps *s, int joint);

/* Adds the offsets of a foot in the air to its position and velocity in the reference. */
void steps_move(const Steps *s, int joint, Vec3 *position, Vec3 *velocity);

#endif
