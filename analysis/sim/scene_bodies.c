/* The bodies of a model as skeleton and body of a clip. */
#include <stdio.h>

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
        if (!status && is_leaf(m, b)) { /* as far beyond the centre of mass as that is from the joint */
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
