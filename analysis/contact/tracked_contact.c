/* See tracked_contact.h. */
#include "analysis/contact/tracked_contact.h"

#include "analysis/contact/foot_load.h"

/* Forces and couples of one kind, [step][joint]; NULL: none. */
typedef struct Wrenches {
    const Vec3 *force, *moment;
    size_t frames, joints;
} Wrenches;

static int is_loaded(const Wrenches *w, size_t joint)
{
    for (size_t f = 0; w->force && f < w->frames; f++)
        if (vec3_dot(w->force[f * w->joints + joint], w->force[f * w->joints + joint]) > 0)
            return 1;
    return 0;
}

static int count_loaded(const Wrenches *w)
{
    int count = 0;
    for (size_t j = 0; j < w->joints; j++)
        count += is_loaded(w, j);
    return count;
}

/* Adds the points of one kind from number `point` on; returns the number of the next. */
static int add_points(const Wrenches *w, Contact *out, int point)
{
    for (size_t j = 0; j < w->joints; j++) {
        if (!is_loaded(w, j))
            continue;
        out->point_joint[point] = (int)j;
        for (size_t f = 0; f < w->frames; f++) {
            size_t from = f * w->joints + j, to = f * (size_t)out->point_count + (size_t)point;
            out->force[to] = w->force[from];
            out->moment[to] = w->moment[from];
            out->state[to] = vec3_dot(out->force[to], out->force[to]) > 0;
        }
        point++;
    }
    return point;
}

Status tracked_contact(const TrackedBody *of, Contact *out, int *pushed, Error *err)
{
    const TrackingRun *run = of->run;
    size_t frames = (size_t)of->pose->frame_count, joints = (size_t)of->skeleton->joint_count;
    Wrenches touched = {run->contact_force, run->contact_moment, frames, joints};
    Wrenches pushes = {run->push_force, run->push_moment, frames, joints};
    *pushed = count_loaded(&touched);
    Status status = contact_init(out, of->pose->frame_count, *pushed + count_loaded(&pushes), 1, err);
    if (status)
        return status;
    if (of->ground && of->ground->point_count > 0) {
        out->ground_height = of->ground->ground_height;
        out->ground_normal = of->ground->ground_normal;
    }
    add_points(&touched, out, 0);
    foot_summarize(of->skeleton, of->pose, out); /* of what touches the ground, not of pushes */
    add_points(&pushes, out, *pushed);
    return STATUS_OK;
}
