/* Corrects overlapping bodies, and joints beyond their ranges, before the first step. */
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_rows.h"
#include "analysis/sim/scene_softness.h"

/* Number of iterations, each of which removes the fraction of overlap that contact_closes pushes out per step; and the
 * tolerances that end them: overlap beyond the slop, m, and joints beyond their ranges, rad or m, more than the
 * rounding of a keyframe. */
enum { ROUNDS = 200 };
#define CLOSE 1e-9
#define LIMIT_CLOSE 1e-6

/* Each iteration is a step of one second from rest without gravity: its speeds are the displacements. */
static const ContactRule round_rule = {.ahead = 1};

/* A compliant limit may be exceeded. */
static void measure_limit(const Scene *s, int joint, double beyond, SceneOverlap *o)
{
    if (scene_soft_limit(s, joint, 0, 0).alpha > 0)
        return;
    o->limit_count += beyond > LIMIT_CLOSE;
    if (beyond > o->beyond) {
        o->beyond = beyond;
        o->joint = joint;
    }
}

static void measure_limits(const Scene *s, SceneOverlap *o)
{
    for (int i = 0; i < s->model->joint_count && !s->model->off.no_limits; i++)
        if (s->model->joint[i].limited)
            measure_limit(s, i, -scene_limit_gap(&s->model->joint[i], s->q), o);
    for (int i = 0; i < s->def.angle_limit_count; i++)
        measure_limit(s, s->def.angle_limits[i].joint, -scene_angle_gap(s, &s->def.angle_limits[i], s->q), o);
}

static Status measure(Scene *s, SceneOverlap *o, Error *err)
{
    Status status = scene_find_contacts(s, s->q, &round_rule, err);
    *o = (SceneOverlap){0};
    measure_limits(s, o);
    for (int k = 0; !status && k < s->contacts.count; k++) {
        const SceneContact *c = &s->contacts.contact[k];
        int may_give_way = s->def.compliance_count || !(s->def.softness > 0); /* reported for all contacts */
        int gives_way = may_give_way && scene_soft_contact(s, c->geom[0], c->geom[1]).alpha > 0;
        double deep = gives_way ? 0 : -c->at.gap;
        o->count += deep > CONTACT_SLOP + CLOSE;
        if (deep > o->deepest) {
            o->deepest = deep;
            o->first = c->first;
            o->second = c->second;
        }
    }
    return status;
}

/* Without friction, so that bodies do not jam. */
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

/* Sum of overlap, rad and m, as a measure of progress. */
static double overlap_depth(const SceneOverlap *o)
{
    return (o->count ? o->deepest : 0) + (o->limit_count ? o->beyond : 0);
}

/* Iterates until nothing overlaps. Without progress, the initial pose stays. */
static Status part(Scene *s, SceneOverlap *out, Error *err)
{
    Error why = {0};
    SceneOverlap now = *out;
    Status status = STATUS_OK;
    memcpy(s->q_before, s->q, (size_t)s->model->q_count * sizeof *s->q);
    for (int k = 0; !status && k < ROUNDS && now.count + now.limit_count; k++) {
        status = part_once(s, &why);
        if (!status)
            status = measure(s, &now, &why);
    }
    int failed = status == STATUS_NO_RESULT || !(overlap_depth(&now) < overlap_depth(out));
    if (failed)
        memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
    out->left = failed ? out->deepest : now.count ? now.deepest : 0;
    out->beyond_left = failed ? out->beyond : now.limit_count ? now.beyond : 0;
    if (!status || status == STATUS_NO_RESULT)
        return STATUS_OK;
    if (err)
        *err = why;
    return status;
}

/* Without friction; if contacts are compliant, the joints alone. */
static Status part_freely(Scene *s, SceneOverlap *out, Error *err)
{
    double friction = s->def.friction;
    int pairs = s->pair_count;
    SceneOverlap after = *out;
    s->def.friction = s->kick = 0;
    if (s->def.softness > 0)
        s->pair_count = after.count = 0;
    Status status = part(s, &after, err);
    s->def.friction = friction;
    s->pair_count = pairs;
    out->left = s->def.softness > 0 ? out->deepest : after.left;
    out->beyond_left = after.beyond_left;
    return status;
}

/* STATUS_LIMIT for so many overlaps that solving them takes minutes and gigabytes: N bodies in one place have N^2. */
static Status check_overlaps(const Scene *s, const SceneOverlap *o, Error *err)
{
    char first[128] = "the world", second[128] = "the world";
    if (o->count <= SCENE_OVERLAPS_MAX)
        return STATUS_OK;
    if (o->first)
        scene_body_name(s->model, o->first, first, sizeof first);
    if (o->second)
        scene_body_name(s->model, o->second, second, sizeof second);
    return error_set(err, STATUS_LIMIT, "bodies overlap at the start in %d contacts, more than the limit of %d; the "
                     "deepest are %s and %s: move them apart", o->count, SCENE_OVERLAPS_MAX, first, second);
}

Status scene_part_overlaps(Scene *s, SceneOverlap *out, Error *err)
{
    memset(s->v_before, 0, (size_t)s->model->v_count * sizeof *s->v_before);
    Status status = measure(s, out, err);
    if (!status)
        status = check_overlaps(s, out, err);
    int is_soft = s->def.softness > 0;
    out->left = out->deepest;
    out->beyond_left = out->beyond;
    if (status || (out->limit_count == 0 && (out->count == 0 || is_soft)))
        return status;
    s->parts = 1;
    status = part_freely(s, out, err);
    s->parts = 0;
    s->start_count = 0;
    s->unsettled = (UnsettledSweeps){0};
    return status;
}
