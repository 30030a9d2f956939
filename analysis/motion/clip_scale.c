/* See clip_scale.h. */
#include "analysis/motion/clip_scale.h"

#include "analysis/clip/clip.h"

static void scale_all(double factor, Vec3 *v, size_t count)
{
    for (size_t i = 0; v && i < count; i++)
        v[i] = vec3_scale(v[i], factor);
}

static void skeleton_scale(double length, Skeleton *s)
{
    scale_all(length, s->offset, (size_t)s->joint_count);
    scale_all(length, s->end_offset, (size_t)s->end_count);
}

static void motion_scale(const ClipScale *scale, Motion *m)
{
    size_t frames = (size_t)m->frame_count;
    scale_all(scale->length, m->root_position, frames);
    scale_all(scale->length, m->translation, frames * (size_t)m->joint_count);
    m->frame_time *= scale->time;
    for (size_t f = 0; f < frames; f++)
        m->time[f] *= scale->time;
}

static void body_scale(const ClipScale *scale, Body *b)
{
    double inertia = scale->mass * scale->length * scale->length;
    scale_all(scale->length, b->com, (size_t)b->joint_count);
    for (int j = 0; j < b->joint_count; j++) {
        b->mass[j] *= scale->mass;
        b->inertia[j] = sym3_scale(b->inertia[j], inertia);
    }
    b->total_mass *= scale->mass;
    b->stature *= scale->length;
}

/* Scales what has the dimension of a length, mass or torque; angles, angular limits and angular velocities are
 * independent of size. */
static void dofs_scale(const ClipScale *scale, Dofs *d)
{
    double couple = scale->mass * scale->length;
    scale_all(scale->length, d->anchor, (size_t)d->count);
    for (int f = 0; d->moving_velocity && f < d->frame_count; f++)
        for (int i = 0; i < d->count; i++)
            if (dofs_is_rotation(d, i)) /* a translation per unit of a length is a ratio */
                d->moving_velocity[dofs_index(d, f, i)] =
                    vec3_scale(d->moving_velocity[dofs_index(d, f, i)], scale->length);
    for (int i = 0; i < d->count; i++) {
        int is_rotation = dofs_is_rotation(d, i);
        d->armature[i] *= is_rotation ? couple * scale->length : scale->mass;
        d->zero[i] *= is_rotation ? 1 : scale->length;
        for (int l = 0; l < DOF_LIMIT_COUNT; l++)
            for (int k = 0; k < dof_limits[l].numbers; k++)
                dofs_limit(d, l, i)[k] *= dof_limits[l].quantity == DOF_EFFORT ? (is_rotation ? couple : scale->mass)
                                                                               : (is_rotation ? 1 : scale->length);
    }
}

void clip_scale(const ClipScale *scale, Clip *clip)
{
    if (clip->has_dof)
        dofs_scale(scale, &clip->dof);
    skeleton_scale(scale->length, &clip->skeleton);
    motion_scale(scale, &clip->motion);
    if (clip->has_body)
        body_scale(scale, &clip->body);
}

void contact_scale(const ClipScale *scale, Contact *c)
{
    size_t feet = (size_t)c->frame_count * FOOT_COUNT, all = (size_t)c->frame_count * (size_t)c->point_count;
    double couple = scale->mass * scale->length;
    scale_all(scale->length, c->point_position, (size_t)c->point_count);
    scale_all(scale->mass, c->force, all);
    scale_all(couple, c->moment, all);
    scale_all(scale->mass, c->foot_force, feet);
    scale_all(scale->length, c->foot_cop, feet);
    scale_all(couple, c->foot_free_moment, feet);
    c->ground_height *= scale->length;
}
