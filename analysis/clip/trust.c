#include "analysis/clip/trust.h"

#include "analysis/base/memory.h"

static const char *const names[] = {
    "edge",        "teleport",     "flip",             "held",         "interpolated",
    "unexplained", "lost_contact", "airborne_support", "no_root_path", "neighbour",
};
_Static_assert(sizeof names / sizeof *names == TRUST_REASON_COUNT, "every reason has its name");
_Static_assert(TRUST_NEIGHBOUR == 1 << (TRUST_REASON_COUNT - 1), "names stand in the order of their bits");

Status trust_init(Trust *t, int frame_count, int joint_count, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *t = (Trust){.frame_count = frame_count, .joint_count = joint_count};
    t->reason = array_new(frames, 1, sizeof *t->reason);
    t->joint_reason = array_new(frames, joints, sizeof *t->joint_reason);
    if (!t->reason || !t->joint_reason) {
        trust_free(t);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void trust_free(Trust *t)
{
    if (!t)
        return;
    free(t->reason);
    free(t->joint_reason);
    *t = (Trust){0};
}

const char *trust_reason_name(int number)
{
    return number >= 0 && number < TRUST_REASON_COUNT ? names[number] : "";
}

const char *trust_first_name(uint32_t reason)
{
    return reason ? trust_reason_name(__builtin_ctz(reason)) : "";
}

void trust_clear(Trust *t, uint32_t bits)
{
    size_t count = (size_t)t->frame_count * (size_t)t->joint_count;
    for (int f = 0; f < t->frame_count; f++)
        t->reason[f] &= ~bits;
    for (size_t i = 0; i < count; i++)
        t->joint_reason[i] &= ~bits;
}
