#include "analysis/clip/body.h"

#include "analysis/base/memory.h"

Status body_init(Body *b, int joint_count, Error *err)
{
    size_t joints = (size_t)joint_count;
    *b = (Body){.joint_count = joint_count};
    b->mass = array_new(joints, 1, sizeof *b->mass);
    b->com = array_new(joints, 1, sizeof *b->com);
    b->inertia = array_new(joints, 1, sizeof *b->inertia);
    if (!b->mass || !b->com || !b->inertia) {
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
