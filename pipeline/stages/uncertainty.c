/* See uncertainty.h. */
#include "pipeline/stages/uncertainty.h"

#include <stdint.h>
#include <stdlib.h>

#include "analysis/angles/neutral_pose.h"
#include "analysis/body/body_model.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/motion_cutoff.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/recording_noise.h"
#include "analysis/uncertainty/spread_terms.h"
#include "pipeline/stages/contact_options.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/smooth_options.h"
#include "pipeline/stages/stage_list.h"

/* Finds the filter's cutoff in Hz, 0 if there is none, and the recording noise if it was measured. */
static Status find_filter(const Clip *clip, UncertaintyDef *def, Error *err)
{
    OptionValues values;
    char file[8];
    def->filter.cutoff = 0;
    if (!history_has(clip, &stage_smooth))
        return STATUS_OK;
    Status status = history_read(clip, &stage_smooth, &values, file, sizeof file, err);
    const SmoothOptions *smooth = (const SmoothOptions *)&values;
    if (!status && smoother_find(smooth->def.method)->has_cutoff)
        def->filter.cutoff = smooth->def.cutoff;
    double time = clip->motion.frame_time, *noise = &def->size[SPREAD_NOISE];
    if (!status && smooth->noise > 0)
        *noise = recording_noise_size(cutoff_noise_angle(smooth->noise, 1 / time), *noise, def->filter.cutoff, time);
    return status;
}

static Status find_difference(const Clip *clip, DifferenceDef *def, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_kinematics, &values, file, sizeof file, err);
    if (!status)
        *def = *(const DifferenceDef *)&values;
    return status ? status : stage_lanes(&def->lanes, err);
}

static GroundSource ground_source(const Clip *clip, int measured)
{
    if (measured || history_line_has(clip, &stage_contact, "--external "))
        return GROUND_MEASURED;
    return clip->has_contact && clip->contact.point_count > 0 ? GROUND_ESTIMATED : GROUND_NONE;
}

Status uncertainty_contact(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_contact, &values, file, sizeof file, err);
    if (!status)
        status = contact_def_find(&values, clip, &def->contact, bridged, err);
    def->ground_height = clip->contact.ground_height;
    return status;
}

/* Widens the uncertainty of the segments by that of the neutral pose, unless an option set the pose. */
static Status widen_by_pose(const Clip *clip, UncertaintyDef *def, Error *err)
{
    if (history_line_has(clip, &stage_body, " --neutral-pose "))
        return STATUS_OK;
    Arena arena = {0};
    NeutralPose neutral;
    ClipView view = clip_view(clip);
    Status status = neutral_pose_of_motion(&neutral, &view, &arena, err);
    if (!status) {
        NeutralDoubt doubt = neutral_pose_doubt(&neutral);
        spread_terms_widen(body_model_find(&clip->body) == BODY_DELEVA ? doubt.trunk : 0, doubt.foot, def->size);
    }
    arena_free(&arena);
    return status;
}

Status uncertainty_def(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err)
{
    GroundSource ground = ground_source(clip, measured);
    *def = uncertainty_default_def(how == UNCERTAINTY_FULL && ground == GROUND_ESTIMATED ? SPREAD_FULL : SPREAD_FAST);
    def->ground = ground;
    Status status = find_filter(clip, def, err);
    if (!status)
        status = widen_by_pose(clip, def, err);
    return status ? status : find_difference(clip, &def->filter.difference, err);
}

Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, const TorqueTables *tables, Error *err)
{
    UncertaintyDef def;
    Loads ground_loads = {0};
    uint8_t *bridged = NULL;
    if (how == UNCERTAINTY_NONE)
        return STATUS_OK;
    ClipView view = clip_view(clip);
    Status status = uncertainty_def(how, clip, tables->external != NULL, &def, err);
    def.ground_loads = tables->springs && !tables->external ? &ground_loads : loads;
    if (!status && def.ground_loads == &ground_loads && clip->has_contact)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &ground_loads, err);
    if (!status && def.method == SPREAD_FULL)
        status = uncertainty_contact(clip, &def, &bridged, err);
    if (!status)
        status = torque_uncertainty(&view, loads, &def, &clip->dynamics, err);
    loads_free(&ground_loads);
    free(bridged);
    return status;
}
