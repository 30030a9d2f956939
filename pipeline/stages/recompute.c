/* See recompute.h. */
#include "pipeline/stages/recompute.h"

#include <stdio.h>
#include <string.h>

#include "analysis/quality/trust_marks.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/stage_list.h"

static const struct {
    const Stage *stage;
    ClipGroup group;
} computed[RECOMPUTED_STAGES] = {
    {&stage_kinematics, CLIP_KINEMATICS}, {&stage_contact, CLIP_CONTACT}, {&stage_torque, CLIP_DYNAMICS},
    {&stage_angles, CLIP_ANGLES},
};

static Status note_file(const Stage *stage, const char *file, const Recompute *recompute, Clip *clip, Notes *notes,
                        Error *err)
{
    char text[512];
    snprintf(text, sizeof text, "kane %s used %s, which is not in the clip: run it again with a table for the %s clip",
             stage->command.name, file, recompute->change);
    return notes_warn(notes, clip, "left-out", text, err);
}

static void take_measured(Clip *clip, Recompute *out, const char *file)
{
    snprintf(out->measured_line, sizeof out->measured_line, "contact --method external --external %s # %s", file,
             out->change);
    out->measured = clip->contact;
    out->measured.linear_reduction = out->measured.angular_reduction = 0;
    clip->contact = (Contact){0};
    clip->has_contact = 0;
}

Status recompute_plan(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err)
{
    unsigned there = clip_groups(clip);
    *out = (Recompute){.change = change};
    for (int i = 0; i < RECOMPUTED_STAGES; i++) {
        char file[200];
        if (!(there & computed[i].group))
            continue;
        const Stage *stage = computed[i].stage;
        Status status = history_read(clip, stage, &out->values[out->count], file, sizeof file, err);
        if (!status && *file && stage != &stage_contact)
            return note_file(stage, file, out, clip, notes, err);
        if (status)
            return status;
        if (*file)
            take_measured(clip, out, file);
        out->stage[out->count++] = *file ? NULL : stage;
    }
    return STATUS_OK;
}

Status recompute_plan_estimated(const char *change, Clip *clip, Recompute *out, Notes *notes, Error *err)
{
    int torques = 0;
    char text[160];
    Status status = recompute_plan(change, clip, out, notes, err);
    for (int i = 0; i < out->count && !status; i++) {
        torques |= out->stage[i] == &stage_torque;
        if (out->stage[i])
            continue;
        out->stage[i] = &stage_contact;
        stage_defaults(&stage_contact, &out->values[i]);
        snprintf(text, sizeof text, "measured forces belong to the motion that was measured: ground forces of the %s "
                 "clip are estimated", change);
        status = notes_warn(notes, clip, "estimated", text, err);
    }
    if (!status && !torques)
        status = error_set(err, STATUS_BAD_INPUT, "its torques cannot be computed again: a table that kane torque or "
                           "kane angles read is not in the clip");
    return status;
}

/* Restores the scaled measured forces in place of the contact stage. */
static Status put_measured(Recompute *recompute, const ClipScale *scale, Clip *clip, Error *err)
{
    contact_scale(scale, &recompute->measured);
    clip->contact = recompute->measured;
    recompute->measured = (Contact){0};
    clip_hold(clip, CLIP_CONTACT);
    Status status = trust_judge(clip, CLIP_CONTACT, err);
    return status ? status : clip_add_history(clip, recompute->measured_line, err);
}

/* Scales the ground height, the only length among the options; NaN if it is detected. */
static void scale_ground(const Stage *stage, double length, OptionValues *values)
{
    const Option *ground = option_find(stage->command.options, "ground");
    double height;
    if (!ground)
        return;
    memcpy(&height, values->bytes + ground->offset, sizeof height);
    height *= length;
    memcpy(values->bytes + ground->offset, &height, sizeof height);
}

Status recompute_apply(Recompute *recompute, const ClipScale *scale, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < recompute->count && !status; i++) {
        const Stage *stage = recompute->stage[i];
        if (stage) {
            scale_ground(stage, scale->length, &recompute->values[i]);
            status = stage_apply(stage, &recompute->values[i], clip, notes, err);
        } else {
            status = put_measured(recompute, scale, clip, err);
        }
    }
    return status;
}

void recompute_free(Recompute *recompute)
{
    contact_free(&recompute->measured);
}
