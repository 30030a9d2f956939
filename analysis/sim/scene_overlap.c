/* Bodies that overlap before anything has moved. */
#include <math.h>
#include <string.h>

#include "analysis/sim/scene_state.h"

/* Rounds, each of which takes back a share of what contact_closes pushes out in a step; and the overlap, m beyond the
 * slop, at which they end. */
enum { ROUNDS = 200 };
#define CLOSE 1e-9

/* A step of one second from rest, without gravity: its speeds are the displacements of a round. */
static const ContactRule round_rule = {.ahead = 1};

static Status measure(Scene *s, SceneOverlap *o, Error *err)
{
    Status status = scene_find_contacts(s, s->q, &round_rule, err);
    *o = (SceneOverlap){0};
    for (int k = 0; !status && k < s->contact_count; k++) {
        const SceneContact *c = &s->contact[k];
        double deep = -c->at.gap;
        o->count += deep > CONTACT_SLOP + CLOSE;
        if (deep > o->deepest) {
            o->deepest = deep;
            o->first = c->first;
            o->second = c->second;
        }
    }
    return status;
}

/* Without friction, so that nothing jams. */
static Status part_once(Scene *s, Error *err)
{
    int held;
    ArenaMark mark = arena_mark(&s->scratch);
    memset(s->probe_v, 0, (size_t)s->model->v_count * sizeof *s->probe_v);
    Status status = scene_constrain(s, s->q, &round_rule, s->probe_v, &held, err);
    if (!status)
        scene_move(s, 1, s->probe_v, s->q);
    arena_return(&s->scratch, mark);
    return status;
}

/* Until nothing overlaps, or parting leads nowhere: then all stays where it was. */
static Status part(Scene *s, SceneOverlap *out, Error *err)
{
    Error why = {0};
    SceneOverlap now = *out;
    Status status = STATUS_OK;
    memcpy(s->q_before, s->q, (size_t)s->model->q_count * sizeof *s->q);
    for (int k = 0; !status && k < ROUNDS && now.count; k++) {
        status = part_once(s, &why);
        if (!status)
            status = measure(s, &now, &why);
    }
    int failed = status == STATUS_NO_RESULT || !(now.deepest < out->deepest);
    if (failed)
        memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
    out->left = failed ? out->deepest : now.count ? now.deepest : 0;
    if (!status || status == STATUS_NO_RESULT)
        return STATUS_OK;
    if (err)
        *err = why;
    return status;
}

Status scene_part_overlaps(Scene *s, SceneOverlap *out, Error *err)
{
    double friction = s->def.friction;
    memset(s->v_before, 0, (size_t)s->model->v_count * sizeof *s->v_before);
    Status status = measure(s, out, err);
    out->left = out->deepest;
    if (status || out->count == 0 || s->def.softness > 0)
        return status;
    s->def.friction = 0;
    status = part(s, out, err);
    s->def.friction = friction;
    s->start_count = 0;
    s->unsettled = (UnsettledSweeps){0};
    return status;
}
