/* kane torque: inverse dynamics. */
#include <stddef.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/torque_loads.h"
#include "pipeline/stages/uncertainty.h"

#define ERROR_LIMIT 0.5 /* N m/kg; docs/validation/uncertainty.md */

typedef struct TorqueOptions {
    TorqueTables tables;
    TorqueUncertainty uncertainty;
    double error_limit; /* N m/kg */
} TorqueOptions;

_Static_assert(sizeof(TorqueOptions) <= sizeof(OptionValues), "a stage's options have their place");

static void defaults(OptionValues *values)
{
    TorqueOptions *o = (TorqueOptions *)values;
    o->uncertainty = UNCERTAINTY_FAST;
    o->error_limit = ERROR_LIMIT;
}

static const char *const uncertainty_names[] = {"none", "fast", "full", NULL};

static const Option options[] = {
    {.name = "external", .argument = "FILE",
     .help = "Measured forces if the contact stage was skipped, as contact's --external",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.external)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Table of ligaments, tendons and bushings, columns name kind joint_a ax ay az joint_b bx by bz stiffness "
             "damping rest",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.springs)},
    {.name = "spring-laws", .argument = "FILE.tsv",
     .help = "Table of spring laws, columns law length rate force; springs name them in a column law",
     .kind = &option_file, .offset = offsetof(TorqueOptions, tables.spring_laws)},
    {.name = "uncertainty", .argument = "none|fast|full",
     .help = "Torque standard deviations: fast = linear propagation, full = also re-estimates ground forces for 8 "
             "perturbed cases",
     .kind = &option_choice, .offset = offsetof(TorqueOptions, uncertainty), .choices = uncertainty_names},
    {.name = "error-limit", .argument = "NM_KG",
     .help = "Expected error above which a torque is flagged as uncertain, N m/kg",
     .kind = &option_positive, .offset = offsetof(TorqueOptions, error_limit)},
    {0},
};

/* Warns if the clip has no valid or no trusted frame. */
static Status warn_of_frames(Clip *clip, Notes *notes, Error *err)
{
    const Kinematics *k = &clip->kinematics;
    int valid = 0, trusted = 0;
    clip_drop_warnings(clip, "no-valid-frames");
    clip_drop_warnings(clip, "no-trusted-frames");
    for (int f = 0; f < k->frame_count; f++) {
        valid += k->valid[f] != 0;
        trusted += k->valid[f] && clip->has_trust && clip->trust.reason[f] == 0;
    }
    if (valid == 0)
        return notes_warn(notes, clip, "no-valid-frames", "no valid frame: the clip is too short for derivatives",
                          err);
    if (clip->has_trust && trusted == 0)
        return notes_warn(notes, clip, "no-trusted-frames", "no frame passed the quality checks; the clip is excluded "
                                                            "from statistics",
                          err);
    return STATUS_OK;
}

static Status judge(const MeasuredFile *measured, Clip *clip, Notes *notes, Error *err)
{
    plates_forget(clip);
    Status status = measured_file_tell(measured, clip, notes, err);
    return status ? status : plates_judge_table(measured, clip, notes, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TorqueOptions *o = (const TorqueOptions *)values;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    MeasuredFile measured = {0};
    Status status = stage_lanes(&def.lanes, err);
    if (!status)
        status = spring_laws_check(o->tables.springs, o->tables.spring_laws, err);
    if (!status && o->tables.external)
        status = torque_loads_of_table(o->tables.external, clip, &measured, &loads, err);
    else if (!status && clip->has_contact)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (!status && o->tables.external)
        status = judge(&measured, clip, notes, err);
    if (!status && o->tables.springs)
        status = torque_loads_add_springs(&o->tables, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    if (!status)
        status = uncertainty_add(o->uncertainty, clip, &loads, &o->tables, err);
    clip->dynamics.error_limit = o->error_limit;
    loads_free(&loads);
    measured_file_free(&measured);
    return status ? status : warn_of_frames(clip, notes, err);
}

const Stage stage_torque = {
    .command = {
        .name = "torque",
        .group = COMMANDS_PIPELINE,
        .summary = "Compute joint torques by inverse dynamics",
        .arguments = "[FILE.h5...]",
        .description = "Fills /dynamics: net torque and force of each parent on its child, joint power, and the "
                       "residual wrench at the floating base.",
        .example = "kane torque contact.h5 -o torque.h5",
        .options = options,
    },
    .needs = CLIP_BODY | CLIP_KINEMATICS,
    .fills = CLIP_DYNAMICS,
    .defaults = defaults,
    .apply = apply,
};
