#include "analysis/clip/body.h"

#include <string.h>

#include "analysis/base/memory.h"

Status body_init(Body *b, int joint_count, Error *err)
{
    size_t joints = (size_t)joint_count;
    *b = (Body){.joint_count = joint_count};
    int failed = 0;
    b->mass = array_need(&failed, joints, 1, sizeof *b->mass);
    b->com = array_need(&failed, joints, 1, sizeof *b->com);
    b->inertia = array_need(&failed, joints, 1, sizeof *b->inertia);
    if (failed) {
        body_free(b);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void body_free(Body *b)
{
    if (!b)
        return;
    free(b->mass);
    free(b->com);
    free(b->inertia);
    *b = (Body){0};
}

Status body_copy(Body *to, const Body *from, Error *err)
{
    size_t joints = (size_t)from->joint_count;
    Body copy = *from;
    Status status = body_init(to, from->joint_count, err);
    if (status)
        return status;
    copy.mass = memcpy(to->mass, from->mass, joints * sizeof *to->mass);
    copy.com = memcpy(to->com, from->com, joints * sizeof *to->com);
    copy.inertia = memcpy(to->inertia, from->inertia, joints * sizeof *to->inertia);
    *to = copy;
    return STATUS_OK;
}
