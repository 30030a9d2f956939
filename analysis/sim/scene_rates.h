/* Accelerations and force parts of a scene at its states, at second order in the step: the acceleration at a state is
 * the central difference of the speeds around it, and forces that are known as means over steps are means of the two
 * steps. The two are independent of each other: the equations of motion check them (kane explain --equations). */
#ifndef KANE_SIM_SCENE_RATES_H
#define KANE_SIM_SCENE_RATES_H

#include "analysis/sim/scene_parts.h"

/* A state, and the forces at it and over the step that led to it. */
typedef struct SceneInstant {
    double *q, *v;
    SceneParts parts;
} SceneInstant;

SceneInstant scene_instant_new(const Model *model, Arena *memory);
void scene_instant_take(Scene *s, const Model *model, SceneInstant *out);

typedef struct SceneRates {
    double *a; /* [v_count] */
    SceneParts parts;
} SceneRates;

SceneRates scene_rates_new(const Model *model, Arena *memory);

/* Rates at a state from its neighbours, a step apart. Without the state before, those of the step after it; without the
 * one after, those of the step before. */
void scene_rates_at(const Model *model, double step, const SceneInstant *before, const SceneInstant *at,
                    const SceneInstant *after, SceneRates *out);

/* Rates at the first state from those of the first two steps: extrapolated, unless something touches or holds. */
void scene_rates_first(const Model *model, double step, const SceneInstant state[3], SceneRates *out);

/* to = (1 - t) to + t from */
void scene_rates_mix(const Model *model, double t, const SceneRates *from, SceneRates *to);

#endif
