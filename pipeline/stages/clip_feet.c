/* See clip_feet.h. */
#include "pipeline/stages/clip_feet.h"

#include "pipeline/stages/retarget_residual.h"

Status clip_feet(const Clip *clip, Clip *seen, StandingFeet *out, Arena *arena, Error *err)
{
    int has_contact = clip->has_contact && clip->has_kinematics;
    Error none = {0};
    *seen = (Clip){0};
    Status status = has_contact ? STATUS_OK : retarget_run_pipeline(clip, PIPELINE_TO_CONTACT, seen, &none);
    if (status == STATUS_NO_MEMORY)
        return error_no_memory(err);
    const Clip *read = has_contact ? clip : seen;
    ClipView view = clip_view(clip);
    view.kinematics = &read->kinematics;
    return standing_feet_init(out, &view, status ? NULL : &read->contact, arena, err);
}

Status clip_usable_frames(const Clip *clip, uint8_t **usable, Arena *arena, Error *err)
{
    int frames = clip->has_trust ? clip->trust.frame_count : 0, count = 0;
    *usable = NULL;
    if (!clip->has_trust)
        return STATUS_OK;
    uint8_t *mark = arena_array(arena, (size_t)frames, 1, 1);
    for (int f = 0; mark && f < frames; f++)
        count += mark[f] = !(clip->trust.reason[f] & TRUST_SOURCE & ~(uint32_t)TRUST_NO_ROOT_PATH);
    *usable = 2 * count >= frames ? mark : NULL;
    return mark ? STATUS_OK : error_no_memory(err);
}
