#include "analysis/anatomy/clip_body.h"

#include "analysis/anatomy/neutral_angles.h"
#include "analysis/body/roles.h"

int body_is_measured(const ClipView *clip, const BodyDef *def)
{
    return clip->motion && clip->motion->frame_count > 0 && roles_are_human(clip->skeleton) &&
           (def->model == BODY_AUTO || def->model == BODY_DELEVA);
}

/* Where there are no legs with a length the model's own error says so. */
static Status measure(const ClipView *clip, BodyDef *def, NeutralDoubt *doubt, Arena *arena, Error *err)
{
    NeutralPose neutral;
    Quat *turn = arena_array(arena, (size_t)clip->skeleton->joint_count, 1, sizeof *turn);
    if (arena->failed)
        return error_no_memory(err);
    Status status = def->neutral ? neutral_pose_given(&neutral, clip, def->neutral, arena, err)
                                 : neutral_pose_of_motion(&neutral, clip, arena, err);
    if (status == STATUS_OK) {
        neutral_pose_turns(&neutral, turn);
        def->turn = turn;
        if (doubt)
            *doubt = neutral_pose_doubt(&neutral);
    }
    return status == STATUS_BAD_INPUT ? STATUS_OK : status;
}

Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err)
{
    Arena arena = {0};
    BodyDef own = *def;
    if (doubt)
        *doubt = (NeutralDoubt){0, 0};
    Status status = body_is_measured(clip, def) ? measure(clip, &own, doubt, &arena, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = body_from_skeleton(clip->skeleton, &own, out, err);
    arena_free(&arena);
    return status;
}
