/* Segment masses of a body in motion (clip_body.h). */
#include "analysis/angles/clip_body.h"

#include "analysis/angles/neutral_angles.h"
#include "analysis/base/arena.h"
#include "analysis/body/roles.h"
#include "analysis/math/quat.h"

int body_is_measured(const ClipView *clip, const BodyDef *def)
{
    return clip->motion && clip->motion->frame_count > 0 && roles_are_human(clip->skeleton) &&
           (def->model == BODY_AUTO || def->model == BODY_DELEVA);
}

/* Without legs of a length the pose fails; body_from_skeleton then reports the error of the model. */
static Status measure(const ClipView *clip, BodyDef *def, NeutralDoubt *doubt, Arena *arena, Error *err)
{
    NeutralPose neutral;
    Quat *rotation = arena_array(arena, (size_t)clip->skeleton->joint_count, 1, sizeof *rotation);
    if (arena->failed)
        return error_no_memory(err);
    Status status = def->neutral ? neutral_pose_given(&neutral, clip, def->neutral, arena, err)
                                 : neutral_pose_of_motion(&neutral, clip, arena, err);
    if (!status) {
        neutral_pose_orientations(&neutral, rotation);
        def->orientation = rotation;
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
    if (!status)
        status = body_from_skeleton(clip->skeleton, &own, out, err);
    arena_free(&arena);
    return status;
}
