#include "pipeline/stages/uncertainty.h"

#include <stdlib.h>

#include "analysis/anatomy/neutral_pose.h"
#include "analysis/body/body_model.h"
#include "analysis/signal/smoothing.h"
#include "pipeline/stages/contact_def.h"
#include "pipeline/stages/history_read.h"

const char *const torque_uncertainty_names[] = {"none", "fast", "full", NULL};

static Status uncertainty_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_choice.parse(option, text, value, err);
}

/* Containers whose torques have no uncertainty are as they were before there was a choice. */
static void uncertainty_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (*(const TorqueUncertainty *)value != UNCERTAINTY_NONE)
        option_choice.format(option, value, text, size);
}

const OptionKind option_uncertainty = {uncertainty_parse, uncertainty_format};

/* Cutoff that the motion was filtered with, Hz; 0: with none that has one. */
static Status find_cutoff(const Clip *clip, double *cutoff, Error *err)
{
    OptionValues values;
    char file[8];
    *cutoff = 0;
    if (!history_has(clip, &stage_smooth))
        return STATUS_OK;
    Status status = history_read(clip, &stage_smooth, &values, file, sizeof file, err);
    const SmoothDef *def = (const SmoothDef *)&values;
    if (status == STATUS_OK && (def->method == SMOOTH_BUTTERWORTH || def->method == SMOOTH_SPRING))
        *cutoff = def->cutoff;
    return status;
}

static Status find_difference(const Clip *clip, DifferenceDef *def, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_diff, &values, file, sizeof file, err);
    if (status == STATUS_OK)
        *def = *(const DifferenceDef *)&values;
    return status == STATUS_OK ? stage_lanes(&def->lanes, err) : status;
}

static GroundSource ground_source(const Clip *clip, int measured)
{
    if (measured || history_line_has(clip, &stage_contact, "--external "))
        return GROUND_MEASURED;
    return clip->has_contact && clip->contact.point_count > 0 ? GROUND_ESTIMATED : GROUND_NONE;
}

Status uncertainty_contact_of(const Clip *clip, UncertaintyDef *def, uint8_t **bridged, Error *err)
{
    OptionValues values;
    char file[8];
    Status status = history_read(clip, &stage_contact, &values, file, sizeof file, err);
    if (status == STATUS_OK)
        status = contact_def_find(&values, clip, &def->contact, bridged, err);
    def->ground_height = clip->contact.ground_height;
    return status;
}

/* Masses from a table lie where it says; a pose that was given is not doubted. */
static Status widen_by_pose(const Clip *clip, UncertaintyDef *def, Error *err)
{
    if (history_line_has(clip, &stage_body, " --neutral-pose "))
        return STATUS_OK;
    Arena arena = {0};
    NeutralPose neutral;
    ClipView view = clip_view(clip);
    Status status = neutral_pose_of_motion(&neutral, &view, &arena, err);
    if (status == STATUS_OK) {
        NeutralDoubt doubt = neutral_pose_doubt(&neutral);
        spread_terms_widen(body_model_of(&clip->body) == BODY_DELEVA ? doubt.trunk : 0, doubt.foot, def->size);
    }
    arena_free(&arena);
    return status;
}

Status uncertainty_def_of(TorqueUncertainty how, const Clip *clip, int measured, UncertaintyDef *def, Error *err)
{
    GroundSource ground = ground_source(clip, measured);
    *def = uncertainty_default_def(how == UNCERTAINTY_FULL && ground == GROUND_ESTIMATED ? SPREAD_FULL : SPREAD_FAST);
    def->ground = ground;
    Status status = find_cutoff(clip, &def->filter.cutoff, err);
    if (status == STATUS_OK)
        status = widen_by_pose(clip, def, err);
    return status == STATUS_OK ? find_difference(clip, &def->filter.difference, err) : status;
}

Status uncertainty_add(TorqueUncertainty how, Clip *clip, const Loads *loads, int measured, Error *err)
{
    UncertaintyDef def;
    Loads borne = {0};
    uint8_t *bridged = NULL;
    if (how == UNCERTAINTY_NONE)
        return STATUS_OK;
    ClipView view = clip_view(clip);
    Status status = uncertainty_def_of(how, clip, measured, &def, err);
    def.borne = measured ? loads : &borne;
    if (status == STATUS_OK && clip->has_contact && !measured)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &borne, err);
    if (status == STATUS_OK && def.method == SPREAD_FULL)
        status = uncertainty_contact_of(clip, &def, &bridged, err);
    if (status == STATUS_OK)
        status = torque_uncertainty(&view, loads, &def, &clip->dynamics, err);
    loads_free(&borne);
    free(bridged);
    return status;
}
