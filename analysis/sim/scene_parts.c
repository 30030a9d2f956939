/* See scene_parts.h. */
#include "analysis/sim/scene_parts.h"

#include <string.h>

#include "analysis/sim/scene_state.h"

SceneParts scene_parts_new(const Model *model, Arena *memory)
{
    SceneParts p = {0};
    double **const part[] = {&p.actuator, &p.passive, &p.applied, &p.constraint, &p.contact,
                             &p.joint_passive, &p.joint_constraint};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = arena_array(memory, (size_t)model->v_count, 1, sizeof(double));
    return p;
}

/* Adds J' of the loads on the bodies. */
static void take_loads(Scene *s, double *force)
{
    size_t bodies = (size_t)s->model->body_count * sizeof(Vec3);
    model_add_wrenches(s->model, s->motion.speed, &s->loads, force);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
}

static void add_contacts(Scene *s, double *force)
{
    for (int b = 0; b < s->model->body_count; b++) {
        s->loads.force[b] = s->contact_force[b];
        s->loads.moment[b] = s->contact_moment[b];
    }
    take_loads(s, force);
}

void scene_parts(Scene *s, SceneParts *out)
{
    const Model *m = s->model;
    size_t n = (size_t)m->v_count, bytes = n * sizeof(double), bodies = (size_t)m->body_count * sizeof(Vec3);
    double **const part[] = {&out->actuator, &out->passive, &out->applied, &out->contact};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        memset(*part[i], 0, bytes);
    scene_motion(s);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
    scene_add_actuators(s, s->q, s->v, out->actuator); /* first: it bounds what is there */
    scene_add_driven(s, s->time, out->actuator);
    take_loads(s, out->applied);
    model_add_passive(m, s->q, s->v, out->passive);
    for (size_t i = 0; i < n; i++) {
        double limits = s->row_impulse[i] / s->def.step, held = s->equality_impulse[i] / s->def.step;
        out->joint_passive[i] = out->passive[i];
        out->joint_constraint[i] = limits + s->drive_impulse[i] / s->def.step;
        out->constraint[i] = limits + held;
    }
    scene_add_springs(s);
    scene_add_particles(s);
    take_loads(s, out->passive);
    add_contacts(s, out->contact);
    for (int b = 1; b < m->body_count; b++) /* a suspended body has no loads */
        for (int k = 0; s->waits[b] && k < model_joint_speeds(MODEL_FREE); k++)
            out->actuator[m->body[b].v_start + k] = out->passive[m->body[b].v_start + k] =
                out->joint_passive[m->body[b].v_start + k] = 0;
}
