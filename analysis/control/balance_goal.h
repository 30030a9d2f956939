/* The goal of a balance in every step: from the plan of the reference, the steps that depart from it, and the present
 * state. */
#ifndef KANE_CONTROL_BALANCE_GOAL_H
#define KANE_CONTROL_BALANCE_GOAL_H

#include "analysis/control/steps.h"

typedef struct BalanceAim {
    BalancePlan plan;
    Steps steps;
    char *loaded;       /* [point] now */
    BalanceTask *task; /* [point and joint] of the last goal */
    Arena memory;
} BalanceAim;

/* are_steps_allowed: as in Steps. */
Status balance_aim_init(BalanceAim *b, const BalancePlanDef *def, int are_steps_allowed, Error *err);
void balance_aim_free(BalanceAim *b);

/* The goal of a step in the state of the plant. It points into *b, until the next call. */
BalanceGoal balance_aim_goal(BalanceAim *b, const ControlPlant *plant, int step);

#endif
