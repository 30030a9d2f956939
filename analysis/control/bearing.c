/* See bearing.h. */
#include "analysis/control/bearing.h"

#include <math.h>

#define IN_CONTACT 0.2   /* state of a contact point, or */
#define LOADED 0.02 /* force in body weights, of one that supports */
#define LOW 0.015   /* m above the ground and */
#define SLOW 0.5    /* m/s, of a point that supports where the clip does not say */

static Vec3 point_velocity(const Kinematics *k, size_t row, int joint, Vec3 position)
{
    size_t at = row + (size_t)joint;
    Vec3 arm = vec3_sub(position, k->position[at]);
    return vec3_add(k->velocity[at], vec3_cross(k->angular_velocity[at], arm));
}

static int point_is_loaded(const BearingDef *d, int step, int point)
{
    const Contact *c = d->contact;
    const Kinematics *k = d->reference;
    size_t row = (size_t)step * (size_t)k->joint_count;
    if (c && c->point_count == d->ground->count && c->frame_count > 0) {
        int frame = (int)lround(step * d->dt / d->contact_frame_time);
        frame = frame < c->frame_count ? frame : c->frame_count - 1;
        size_t at = (size_t)frame * (size_t)c->point_count + (size_t)point;
        return c->state[at] > IN_CONTACT || vec3_norm(c->force[at]) > LOADED * d->weight;
    }
    int joint = d->ground->joint[point];
    Vec3 at = footing_position(d->ground, k, row, point);
    return footing_height(d->ground, at) < LOW && vec3_norm(point_velocity(k, row, joint, at)) < SLOW;
}

void bearing_find(const BearingDef *def, char *loaded)
{
    for (int s = 0; s < def->reference->frame_count; s++)
        for (int i = 0; i < def->ground->count; i++)
            loaded[(size_t)s * (size_t)def->ground->count + (size_t)i] = (char)point_is_loaded(def, s, i);
}
