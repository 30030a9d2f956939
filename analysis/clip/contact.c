#include "analysis/clip/contact.h"

#include "analysis/base/memory.h"

Status contact_init(Contact *c, int frame_count, int point_count, int has_moment, Error *err)
{
    size_t frames = (size_t)frame_count, points = (size_t)point_count;
    *c = (Contact){.frame_count = frame_count, .point_count = point_count, .ground_normal = {0, 1, 0}};
    int failed = 0;
    c->point_joint = array_need(&failed, points, 1, sizeof *c->point_joint);
    c->point_position = array_need(&failed, points, 1, sizeof *c->point_position);
    c->force = array_need(&failed, frames, points, sizeof *c->force);
    if (has_moment)
        c->moment = array_need(&failed, frames, points, sizeof *c->moment);
    c->state = array_need(&failed, frames, points, sizeof *c->state);
    c->foot_force = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_force);
    c->foot_cop = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_cop);
    c->foot_free_moment = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_free_moment);
    c->confidence = array_need(&failed, frames, 1, sizeof *c->confidence);
    if (failed) {
        contact_free(c);
        return error_no_memory(err);
    }
    for (int f = 0; f < frame_count; f++)
        c->confidence[f] = 1;
    return STATUS_OK;
}

void contact_free(Contact *c)
{
    if (!c)
        return;
    free(c->point_joint);
    free(c->point_position);
    free(c->force);
    free(c->moment);
    free(c->state);
    free(c->foot_force);
    free(c->foot_cop);
    free(c->foot_free_moment);
    free(c->confidence);
    *c = (Contact){0};
}
