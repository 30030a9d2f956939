/* See scene_rates.h. */
#include "analysis/sim/scene_rates.h"

#include <math.h>
#include <string.h>

enum { PART_COUNT = sizeof(SceneParts) / sizeof(double *) };

static double **part_at(SceneParts *p, int i)
{
    double **const all[PART_COUNT] = {&p->actuator,   &p->passive, &p->applied,
                                         &p->constraint, &p->contact, &p->joint_passive, &p->joint_constraint};
    return all[i];
}

SceneInstant scene_instant_new(const Model *model, Arena *memory)
{
    return (SceneInstant){arena_array(memory, (size_t)model->q_count, 1, sizeof(double)),
                          arena_array(memory, (size_t)model->v_count, 1, sizeof(double)),
                          scene_parts_new(model, memory)};
}

void scene_instant_take(Scene *s, const Model *m, SceneInstant *out)
{
    memcpy(out->q, scene_q(s), (size_t)m->q_count * sizeof *out->q);
    memcpy(out->v, scene_v(s), (size_t)m->v_count * sizeof *out->v);
    scene_parts(s, &out->parts);
}

SceneRates scene_rates_new(const Model *model, Arena *memory)
{
    return (SceneRates){arena_array(memory, (size_t)model->v_count, 1, sizeof(double)),
                        scene_parts_new(model, memory)};
}

static void mix_parts(const Model *model, double t, const SceneParts *from, SceneParts *to)
{
    SceneParts source = *from;
    for (int i = 0; i < PART_COUNT; i++)
        for (int k = 0; k < model->v_count; k++) {
            double *value = *part_at(to, i) + k;
            *value = (1 - t) * *value + t * (*part_at(&source, i))[k];
        }
}

void scene_rates_mix(const Model *model, double t, const SceneRates *from, SceneRates *to)
{
    for (int k = 0; k < model->v_count; k++)
        to->a[k] = (1 - t) * to->a[k] + t * from->a[k];
    mix_parts(model, t, &from->parts, &to->parts);
}

void scene_rates_at(const Model *model, double step, const SceneInstant *before, const SceneInstant *at,
                    const SceneInstant *after, SceneRates *out)
{
    const SceneInstant *first = before ? before : at, *last = after ? after : at;
    double span = step * ((before != NULL) + (after != NULL));
    mix_parts(model, 1, &at->parts, &out->parts);
    for (int k = 0; k < model->v_count; k++) {
        out->a[k] = span > 0 ? (last->v[k] - first->v[k]) / span : 0;
        if (!after)
            continue;
        double share = before ? 0.5 : 1;
        out->parts.constraint[k] = lerp(at->parts.constraint[k], after->parts.constraint[k], share);
        out->parts.contact[k] = lerp(at->parts.contact[k], after->parts.contact[k], share);
        out->parts.joint_constraint[k] = lerp(at->parts.joint_constraint[k], after->parts.joint_constraint[k], share);
    }
}

/* Whether a step had forces of limits, equalities or contacts. */
static int is_held(const Model *model, const SceneInstant *state)
{
    for (int k = 0; k < model->v_count; k++)
        if (state->parts.constraint[k] != 0 || state->parts.contact[k] != 0)
            return 1;
    return 0;
}

void scene_rates_first(const Model *model, double step, const SceneInstant state[3], SceneRates *out)
{
    scene_rates_at(model, step, NULL, &state[0], &state[1], out);
    if (is_held(model, &state[1]) || is_held(model, &state[2]))
        return;
    for (int k = 0; k < model->v_count; k++)
        out->a[k] = (-1.5 * state[0].v[k] + 2 * state[1].v[k] - 0.5 * state[2].v[k]) / step;
}
