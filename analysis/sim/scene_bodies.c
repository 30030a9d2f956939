/* Converts the bodies of a model into skeleton and body of a clip. */
#include <math.h>
#include <stdio.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/sim/scene_clip.h"

Quat scene_up_turn(const Model *m, const char **up)
{
    static const struct { Vec3 axis; const char *name; } ups[] = {
        {{0, 0, 1}, "Z"},   {{0, 1, 0}, "Y"},   {{1, 0, 0}, "X"},
        {{0, 0, -1}, "-Z"}, {{0, -1, 0}, "-Y"}, {{-1, 0, 0}, "-X"}};
    double size = vec3_norm(m->gravity);
    size_t found = 0;
    for (size_t k = 0; k < sizeof ups / sizeof *ups; k++)
        if (size > 0 && vec3_dot(ups[k].axis, m->gravity) < -0.999999 * size)
            found = k;
    *up = ups[found].name;
    return quat_between(ups[found].axis, vec3(0, 1, 0));
}

int scene_translates(const Model *m, int body)
{
    const ModelBody *b = &m->body[body];
    for (int j = b->joint_start; j < b->joint_start + b->joint_count; j++)
        if (m->joint[j].kind == MODEL_SLIDE || m->joint[j].kind == MODEL_FREE || vec3_norm(m->joint[j].anchor) > 0)
            return 1;
    return 0;
}

static int is_leaf(const Model *m, int body)
{
    for (int b = body + 1; b < m->body_count; b++)
        if (m->body[b].parent == body)
            return 0;
    return body > 0 && vec3_norm(m->body[body].com) > 0;
}

static Status fill_skeleton(const Model *m, Skeleton *s, Error *err)
{
    int ends = 0;
    for (int b = 0; b < m->body_count; b++)
        ends += is_leaf(m, b);
    Status status = skeleton_init(s, m->body_count, ends, err);
    ends = 0;
    for (int b = 0; !status && b < m->body_count; b++) {
        char number[32];
        snprintf(number, sizeof number, "body%d", b);
        status = skeleton_set_name(s, b, *m->body[b].name ? m->body[b].name : number, err);
        s->parent[b] = m->body[b].parent;
        s->offset[b] = m->body[b].position;
        if (!status && is_leaf(m, b)) { /* end site: twice the distance from the joint to the centre of mass */
            s->end_parent[ends] = b;
            s->end_offset[ends++] = vec3_scale(m->body[b].com, 2);
        }
    }
    return status;
}

Status scene_clip_bodies(const Model *m, Clip *out, Error *err)
{
    *out = (Clip){0};
    Status status = fill_skeleton(m, &out->skeleton, err);
    if (!status)
        status = body_init(&out->body, m->body_count, err);
    for (int b = 1; !status && b < m->body_count; b++) {
        out->body.mass[b] = m->body[b].mass;
        out->body.com[b] = m->body[b].com;
        out->body.inertia[b] = m->body[b].inertia;
        out->body.total_mass += m->body[b].mass;
    }
    if (status) {
        clip_free(out);
        return status;
    }
    snprintf(out->body.model, sizeof out->body.model, "scene");
    out->has_body = 1;
    return STATUS_OK;
}

/* ---- Degrees of freedom ---- */

/* Name of a degree of freedom: "elbow"; of a ball "wrist_x", of a free joint "trunk_tx", "trunk_rx". A joint without a
 * name has that of its body, with a number if the body has several. */
static Status name_row(const Model *m, const ModelJoint *j, int place, Dofs *d, Error *err)
{
    static const char *const suffix[MODEL_JOINT_KIND_COUNT][DOFS_PER_FREE] = {
        [MODEL_HINGE] = {""}, [MODEL_SLIDE] = {""}, [MODEL_BALL] = {"_x", "_y", "_z"},
        [MODEL_FREE] = {"_tx", "_ty", "_tz", "_rx", "_ry", "_rz"}};
    const ModelBody *body = &m->body[j->body];
    char name[128], number[16] = "";
    if (!*j->name && body->joint_count > 1)
        snprintf(number, sizeof number, "%d", (int)(j - m->joint) - body->joint_start + 1);
    if (*j->name)
        snprintf(name, sizeof name, "%.100s%s", j->name, suffix[j->kind][place]);
    else if (*body->name)
        snprintf(name, sizeof name, "%.90s%s%s", body->name, number, suffix[j->kind][place]);
    else
        snprintf(name, sizeof name, "body%d%s%s", j->body, number, suffix[j->kind][place]);
    return dofs_set_name(d, j->v_start + place, name, err);
}

static void put_limits(const ModelJoint *j, int row, Dofs *d)
{
    double *range = d->range + (size_t)DOF_BOUNDS * (size_t)row, *effort = d->effort_limit + DOF_BOUNDS * (size_t)row;
    if (j->limited && j->kind != MODEL_BALL) {
        range[0] = j->least;
        range[1] = j->most;
    }
    if (j->force_limited) {
        effort[0] = j->force_least;
        effort[1] = j->force_most;
    }
}

static void put_row(const Model *m, const ModelJoint *j, int place, Dofs *d)
{
    static const DofKind kind[] = {[MODEL_HINGE] = DOF_HINGE, [MODEL_SLIDE] = DOF_SLIDE, [MODEL_BALL] = DOF_BALL,
                                   [MODEL_FREE] = DOF_FREE};
    int row = j->v_start + place, along = place % DOFS_PER_BALL;
    d->joint[row] = j->body;
    d->kind[row] = kind[j->kind];
    d->axis[row] = j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE ? j->axis
                                                                     : vec3(along == 0, along == 1, along == 2);
    d->anchor[row] = j->kind == MODEL_FREE ? vec3(0, 0, 0) : j->anchor;
    d->zero[row] = j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE ? j->reference : 0;
    d->rest_rotation[row] = j->kind == MODEL_FREE ? QUAT_IDENTITY : m->body[j->body].orientation;
    d->armature[row] = j->armature;
    put_limits(j, row, d);
}

/* An equality between a joint and another one, or a constant, which locks it. */
static void put_coupling(const Model *m, const ModelEquality *e, Dofs *d)
{
    int row = m->joint[e->first].v_start;
    if (e->kind != MODEL_COUPLE || m->off.no_equality)
        return;
    d->locked[row] = e->second < 0;
    d->coupled_to[row] = e->second < 0 ? -1 : m->joint[e->second].v_start;
    for (int k = 0; k < DOF_TERMS && e->second >= 0; k++)
        d->coupling[DOF_TERMS * row + k] = e->polynomial[k];
}

Status scene_clip_dofs(const Model *m, int frames, Clip *out, Error *err)
{
    static const char *const moving[] = {"position", "velocity", "acceleration"};
    Status status = dofs_init(&out->dof, frames, m->v_count, err);
    out->has_dof = !status;
    for (size_t i = 0; i < sizeof moving / sizeof *moving && !status; i++)
        status = group_add(GROUP_DOF, &out->dof, moving[i], err);
    for (int i = 0; i < m->joint_count; i++)
        for (int k = 0; k < model_joint_speeds(m->joint[i].kind) && !status; k++) {
            put_row(m, &m->joint[i], k, &out->dof);
            status = name_row(m, &m->joint[i], k, &out->dof, err);
        }
    for (int i = 0; i < m->equality_count && !status; i++)
        put_coupling(m, &m->equality[i], &out->dof);
    return status;
}
