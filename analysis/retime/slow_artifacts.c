/* See slow_artifacts.h. */
#include "analysis/retime/slow_artifacts.h"

#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"

#define OF_SPEED (TRUST_TELEPORT | TRUST_FLIP | TRUST_FLICKER)

/* Clears those bits of `reason` that `slow` does not have. */
static void confirm(uint32_t *reason, const uint32_t *slow, size_t count)
{
    for (size_t i = 0; i < count; i++)
        reason[i] &= slow[i] | ~(uint32_t)OF_SPEED;
}

static Status mark_slow(const Clip *clip, double rate, Trust *slow, Error *err)
{
    Artifacts found = {0};
    Motion motion = clip->motion;
    motion.frame_time /= rate;
    Status status = artifacts_find(&clip->skeleton, &motion, &found, err);
    if (!status)
        status = artifacts_mark(&clip->skeleton, &found, slow, err);
    artifacts_free(&found);
    return status;
}

Status artifacts_confirm(Clip *clip, double rate, Error *err)
{
    Trust slow, *own = &clip->trust;
    size_t frames = (size_t)clip->motion.frame_count, joints = (size_t)clip->motion.joint_count;
    if (!clip->has_trust)
        return STATUS_OK;
    Status status = trust_init(&slow, clip->motion.frame_count, clip->motion.joint_count, 1, err);
    if (status)
        return status;
    status = mark_slow(clip, rate, &slow, err);
    if (!status) {
        confirm(own->reason, slow.reason, frames);
        if (own->joint_reason)
            confirm(own->joint_reason, slow.joint_reason, frames * joints);
        trust_settle(own);
    }
    trust_free(&slow);
    return status;
}
