/* kane torque: inverse dynamics. */
#include "analysis/dynamics/inverse_dynamics.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/torque_loads.h"
#include "pipeline/stages/uncertainty.h"

typedef struct TorqueOptions {
    const char *external;
    const char *springs;
    TorqueUncertainty uncertainty;
} TorqueOptions;

_Static_assert(sizeof(TorqueOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option options[] = {
    {.name = "external", .argument = "FILE.tsv",
     .help = "Measured forces where there was no contact stage: time joint fx fy fz px py pz tx ty tz",
     .kind = &option_file, .offset = offsetof(TorqueOptions, external)},
    {.name = "springs", .argument = "FILE.tsv",
     .help = "Ligaments, tendons and bushings that carry part of the torque: "
             "name kind joint_a ax ay az joint_b bx by bz stiffness damping rest",
     .kind = &option_file, .offset = offsetof(TorqueOptions, springs)},
    {.name = "uncertainty", .argument = "none|fast|full",
     .help = "Standard deviations of the torques from what is not known of body, joints, filter and ground forces: "
             "fast, to first order; full, with ground forces estimated anew for eight members; default none",
     .kind = &option_uncertainty, .offset = offsetof(TorqueOptions, uncertainty), .choices = torque_uncertainty_names},
    {0},
};

/* A clip that says nothing in the end. */
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
        return notes_warn(notes, clip, "no-valid-frames", "0 valid frames: the clip is too short for its derivatives",
                          err);
    if (clip->has_trust && trusted == 0)
        return notes_warn(notes, clip, "no-trusted-frames", "0 trusted frames: no figure of the clip rests on any",
                          err);
    return STATUS_OK;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const TorqueOptions *o = (const TorqueOptions *)values;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Loads loads = {0};
    Status status = stage_lanes(&def.lanes, err);
    if (status == STATUS_OK && o->external)
        status = torque_loads_of_table(o->external, clip, &loads, err);
    else if (status == STATUS_OK && clip->has_contact)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    if (status == STATUS_OK && o->external)
        status = plates_judge_table(o->external, clip, notes, err);
    if (status == STATUS_OK && o->springs)
        status = torque_loads_add_springs(o->springs, clip, &loads, err);
    ClipView view = clip_view(clip);
    if (status == STATUS_OK)
        status = inverse_dynamics(&view, &loads, &def, &clip->dynamics, err);
    if (status == STATUS_OK)
        status = uncertainty_add(o->uncertainty, clip, &loads, o->external != NULL, err);
    loads_free(&loads);
    return status == STATUS_OK ? warn_of_frames(clip, notes, err) : status;
}

const Stage stage_torque = {
    .command = {
        .name = "torque",
        .summary = "Joint torques, forces and powers by inverse dynamics",
        .arguments = "[FILE.h5...]",
        .description = "Fills /dynamics: net torque and force that each parent exerts on its child, joint power, and "
                       "the residual that the floating base would still need.",
        .options = options,
    },
    .needs = CLIP_BODY | CLIP_KINEMATICS,
    .fills = CLIP_DYNAMICS,
    .apply = apply,
};
