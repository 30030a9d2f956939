/* See motion_evidence.h. */
#include "analysis/evidence/motion_evidence.h"

void motion_take_off_belt(Motion *motion, Vec3 belt)
{
    for (int f = 0; f < motion->frame_count; f++)
        motion->root_position[f] = vec3_mad(motion->root_position[f], -f * motion->frame_time, belt);
}

static void restore_path(BodyTrack *track, Vec3 belt)
{
    for (int f = 0; f < track->frame_count; f++) {
        Vec3 *point = track->point + (size_t)f * (size_t)track->point_count;
        double time = f * track->frame_time;
        track->com[f] = vec3_mad(track->com[f], -time, belt);
        for (int p = 0; p < track->point_count; p++)
            point[p] = vec3_mad(point[p], -time, belt);
    }
}

Status motion_evidence_judge(const Skeleton *skeleton, BodyTrack *track, const MotionEvidenceDef *def,
                             MotionEvidence *out, Error *err)
{
    *out = (MotionEvidence){.rate = {.fps = 1 / track->frame_time, .factor = 1, .evidence.confidence = 1},
                            .lean = {.up = def->up, .evidence.confidence = 1}, .facing.evidence.confidence = 1,
                            .locomotion = {.path = 1, .evidence.confidence = 1}};
    if (track->frame_count < 2) {
        out->facing = facing_judge(track, def->up, 1, def->sides);
        return STATUS_OK;
    }
    out->legs_lack = locomotion_legs_lack(skeleton);
    Status status = locomotion_judge(track, def->up, &out->locomotion, err);
    if (!status && out->locomotion.kind == LOCOMOTION_TREADMILL)
        restore_path(track, out->locomotion.belt);
    RateDef rate = {def->up, def->metre, def->rate_is_unstated};
    if (!status && !def->rate_is_given)
        status = rate_judge(track, &rate, &out->rate, err);
    double factor = out->rate.is_contradicted || def->rate_is_unstated ? out->rate.factor : 1;
    int has_path = out->locomotion.kind == LOCOMOTION_PATH || out->locomotion.kind == LOCOMOTION_TREADMILL;
    if (!status && has_path)
        status = lean_judge(track, def->up, factor, &out->lean, err);
    if (!status)
        out->facing = facing_judge(track, def->up, factor, def->sides);
    return status;
}
