/* kane contact: ground reaction forces, estimated or measured. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/contact/measured.h"
#include "analysis/contact/residual.h"
#include "analysis/contact/support.h"
#include "analysis/detect/root_position.h"
#include "analysis/math/lane_width.h"
#include "pipeline/stages/contact_options.h"
#include "pipeline/stages/measured_file.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

static const double ground_error = 0.15; /* m: detected heights of sound clips are closer */

/* Warns of a stated height at which the clip does not touch the ground. */
static Status warn_ground(double stated, double found, Clip *clip, Notes *notes, Error *err)
{
    char text[160];
    if (!(fabs(stated - found) > ground_error))
        return STATUS_OK;
    snprintf(text, sizeof text, "--ground %.4g: the clip touches the ground at %.3g m", stated, found);
    return notes_warn(notes, clip, "ground", text, err);
}

static Status estimated(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    double stated = ((const ContactOptions *)values)->ground, found = NAN;
    ContactEstimateDef def;
    uint8_t *bridged;
    Status status = contact_def_find(values, clip, &def, &bridged, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    def.progress = notes && notes->progress ? &notes->progress->part : NULL;
    def.ground.found = &found;
    status = contact_estimate(&view, &def, &clip->contact, err);
    free(bridged);
    return status ? status : warn_ground(stated, found, clip, notes, err);
}

/* Fills in how well measured or reduced forces explain the motion. */
static Status rate(Clip *clip, Error *err)
{
    LaneWidth lanes;
    Status status = stage_lanes(&lanes, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    return confidence_rate(&view, lanes, &clip->contact, err);
}

static Status use_measured(ContactOptions *given, const MeasuredFile *file, Clip *clip, Notes *notes, Error *err)
{
    given->ground = isnan(given->ground) ? file->ground : given->ground;
    ClipView view = clip_view(clip);
    MeasuredDef def = {.ground = given->ground, .threshold = given->threshold};
    Status status = contact_from_external(&file->rows, &view, &def, &clip->contact, err);
    if (!status && clip->has_body && clip->kinematics.com)
        status = rate(clip, err);
    return status ? status : plates_judge(file, &clip->contact, clip, notes, err);
}

static Status measured(ContactOptions *given, Clip *clip, Notes *notes, Error *err)
{
    MeasuredFile file;
    Status status = measured_file_read(given->external, &given->measured, clip, &file, err);
    if (!status)
        status = measured_file_tell(&file, clip, notes, err);
    if (!status)
        status = use_measured(given, &file, clip, notes, err);
    if (!status && file.markers.marker_count > 0) {
        clip->markers = file.markers;
        file.markers = (Markers){0};
        clip->has_markers = 1;
    }
    measured_file_free(&file);
    return status;
}

static Status reduce(Clip *clip, Error *err)
{
    ResidualReductionDef def = residual_reduction_default_def();
    Status status = stage_lanes(&def.lanes, err);
    if (status)
        return status;
    if (!clip->kinematics.com)
        return error_set(err, STATUS_BAD_INPUT,
                         "has no /kinematics/com: --reduce-residual requires kane body, then kane kinematics");
    ClipView view = clip_view(clip);
    status = residual_reduce(&view, &def, &clip->contact, &clip->kinematics, err);
    return status ? status : rate(clip, err);
}

static unsigned needs_with(const OptionValues *values)
{
    const ContactOptions *given = (const ContactOptions *)values;
    if (given->method == CONTACT_NONE)
        return 0;
    return given->method == CONTACT_ESTIMATE || given->reduce_residual ? CLIP_BODY | CLIP_KINEMATICS : CLIP_KINEMATICS;
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    ContactOptions *given = (ContactOptions *)values;
    if (given->external) {
        given->method = CONTACT_EXTERNAL;
    } else if (given->method == CONTACT_EXTERNAL) {
        return error_set(err, STATUS_USAGE, "--method external requires --external FILE");
    } else if (given->threshold != measured_default_def().threshold) {
        return error_set(err, STATUS_USAGE, "--external-threshold requires --external FILE");
    }
    if (given->reduce_residual && given->method == CONTACT_NONE)
        return error_set(err, STATUS_USAGE, "--reduce-residual excludes --method none");
    if (clip && clip->has_contact && clip->contact.linear_reduction > 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "its accelerations are already changed by --reduce-residual: run kane kinematics again");
    if (!clip || given->method != CONTACT_ESTIMATE)
        return STATUS_OK;
    Status status = root_path_find_missing(&clip->skeleton, &clip->motion, &given->no_root_path, err);
    if (given->no_root_path)
        given->method = CONTACT_NONE;
    return status;
}

static Status note_no_root_path(Clip *clip, Notes *notes, Error *err)
{
    return notes_warn(notes, clip, "no-root-path", "the root does not translate; ground forces not estimated", err);
}

/* Warns of a presumed support: mean load, count of frames and interval. */
static Status note_support(Clip *clip, SupportKind kind, Notes *notes, Error *err)
{
    ClipView view = clip_view(clip);
    double sum = 0, first = 0, last = 0;
    int count = 0;
    char text[128];
    for (int f = 0; f < clip->contact.frame_count; f++) {
        double load = support_load(&view, &clip->contact, f, kind);
        if (!(load > SUPPORT_MIN_LOAD))
            continue;
        first = count ? first : clip->motion.time[f];
        last = clip->motion.time[f];
        sum += load;
        count++;
    }
    if (!count)
        return STATUS_OK;
    snprintf(text, sizeof text, "detected an unrecorded %s: supports %.2f of body weight in %d frame%s from %.2f to "
                                "%.2f s",
             kind == SUPPORT_OF_HIPS ? "seat" : "handrail", sum / count, count, count == 1 ? "" : "s", first, last);
    return notes_warn(notes, clip, support_name(kind), text, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    ContactOptions *given = (ContactOptions *)values;
    Status status;
    clip_drop_warnings(clip, "no-root-path");
    clip_drop_warnings(clip, "ground");
    plates_forget(clip);
    for (int kind = 0; kind < SUPPORT_KINDS; kind++)
        clip_drop_warnings(clip, support_name(kind));
    if (given->method == CONTACT_EXTERNAL)
        status = measured(given, clip, notes, err);
    else if (given->method == CONTACT_ESTIMATE)
        status = estimated(values, clip, notes, err);
    else
        status = contact_init(&clip->contact, clip->motion.frame_count, 0, 0, err);
    if (!status && given->no_root_path)
        return note_no_root_path(clip, notes, err);
    for (int kind = 0; !status && given->method == CONTACT_ESTIMATE && kind < SUPPORT_KINDS; kind++)
        status = note_support(clip, kind, notes, err);
    return !status && given->reduce_residual ? reduce(clip, err) : status;
}

const Stage stage_contact = {
    .command = {
        .name = "contact",
        .group = COMMANDS_PIPELINE,
        .summary = "Estimate or import ground reaction forces",
        .arguments = "[FILE.h5...]",
        .description = "Fills /contact: ground reaction forces estimated from the motion, measured by force plates, "
                       "or none.",
        .example = "kane contact kinematics.h5 --external plates.tsv -o contact.h5",
        .options = contact_options,
    },
    .defaults = contact_defaults,
    .fills = CLIP_CONTACT,
    .needs_with = needs_with,
    .check = check_options,
    .apply = apply,
};
