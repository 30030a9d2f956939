/* What a balance aims at along a reference: centre of mass, angular momentum and bearing points of every step, and the
 * targets of a step from the present state. */
#ifndef KANE_CONTROL_BALANCE_PLAN_H
#define KANE_CONTROL_BALANCE_PLAN_H

#include "analysis/base/arena.h"
#include "analysis/control/balance.h"
#include "analysis/control/preview.h"
#include "analysis/control/support_polygon.h"
#include "analysis/control/whole_state.h"

typedef struct BalancePlanDef {
    const Body *body;
    const Kinematics *reference; /* of the simulated bodies, a frame per step; borrowed */
    const Footing *ground;       /* borrowed */
    double dt;                   /* s */
    const char *loaded;           /* [step][point of the ground] 1: supports in the reference (bearing.h); borrowed */
    double gravity;              /* m/s2, along the normal */
    double stiffness;            /* 1/s2, of the feedback on height and angular momentum, critically damped */
    int is_carried;              /* 1: springs hold the root, so the body follows the reference without preview */
} BalancePlanDef;

/* Of one step of the reference, along the axes of the ground: two tangents and the normal. */
typedef struct PlannedStep {
    Vec3 acceleration;  /* m/s2, world, of the centre of mass over the step that begins here */
    Vec3 spin_rate;     /* N m, world */
    double pull;        /* 1/s2, of the inverted pendulum: acceleration per distance from the centre of pressure */
    double pressure[2]; /* m, centre of pressure that the reference takes, */
    double shift[2];    /* and from there to the nearest point of its support */
    PreviewStep axis[3];
} PlannedStep;

typedef struct BalancePlan {
    BalancePlanDef def;
    int step_count;
    WholeState *state;       /* [step] of the reference */
    PlannedStep *step;       /* [step] */
    Vec3 tangent[3];         /* of the ground; the last one is its normal */
    const char *loaded;       /* [step][point] */
    double *lift;            /* [step][joint] m along the normal, from a supporting body in the reference to where its
                                lowest bearing point is on the ground; linear while none does */
    char *supports;          /* [joint] 1: some point of its body supports in some step */
    Arena memory;            /* owns the arrays */
} BalancePlan;

Status balance_plan_init(BalancePlan *p, const BalancePlanDef *def, Error *err);
void balance_plan_free(BalancePlan *p);

/* Support in the ground's tangents by the points marked, in a row of these kinematics. */
Support balance_plan_support(const BalancePlan *p, const Kinematics *k, size_t row, const char *loaded);

/* Whether some point of a body supports in a step. */
int balance_plan_loads(const BalancePlan *p, int step, int joint);

#endif
