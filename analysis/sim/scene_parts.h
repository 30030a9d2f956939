/* The forces on the speeds of a scene by their origin, as the solver uses them: the sum of all and of gravity and
 * inertia is zero, M v' = sum of the parts - bias. In MuJoCo's terms: qfrc_actuator, qfrc_passive, qfrc_applied, and
 * qfrc_constraint, which here is `constraint` and `contact`. */
#ifndef KANE_SIM_SCENE_PARTS_H
#define KANE_SIM_SCENE_PARTS_H

#include "analysis/sim/scene.h"

/* [v_count] each, N m or N. Actuator, passive and applied are those of the present state; constraint and contact are
 * means over the last step. */
typedef struct SceneParts {
    double *actuator;   /* actuators, drives and tabulated joint torques */
    double *passive;    /* springs and dampers of joints, tendons, springs between bodies, particles */
    double *applied;    /* tabulated wrenches on bodies */
    double *constraint; /* limits, dry friction of joints, equalities, paths and given joints */
    double *contact;
    double *joint_passive;    /* the part of passive from the spring and damper of the joint itself */
    double *joint_constraint; /* the part of constraint from its limit, dry friction, path or given motion */
} SceneParts;

/* Force of the joint itself on speed k: without tendons, springs between bodies and equalities. */
static inline double scene_parts_own(const SceneParts *p, int k)
{
    return p->actuator[k] + p->joint_passive[k] + p->joint_constraint[k];
}

/* Allocates zeros in the arena, which is checked by the caller. */
SceneParts scene_parts_new(const Model *model, Arena *memory);

void scene_parts(Scene *s, SceneParts *out);

#endif
