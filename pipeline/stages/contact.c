/* kane contact: forces of the ground on the body. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/residual.h"
#include "analysis/contact/support.h"
#include "analysis/detect/positions.h"
#include "analysis/quality/artifact_bridge.h"
#include "formats/tables/body_tables.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/pipeline.h"

typedef enum ContactMethod { CONTACT_ESTIMATE = 0, CONTACT_NONE, CONTACT_EXTERNAL } ContactMethod;

typedef enum Support { SUPPORT_AUTO = 0, SUPPORT_NONE } Support;

typedef struct ContactOptions {
    ContactMethod method;
    const char *external;
    double threshold; /* N */
    double friction;
    double ground; /* m; NaN: from the clip */
    Support support;
    int reduce_residual;
    int no_root_path; /* found, no option: nobody knows where the body is, so nothing is said of the ground */
} ContactOptions;

static const char *const supports[] = {"auto", "none", NULL};
static const char *const methods[] = {"estimate", "none", "external", NULL};

/* NaN stands for "auto". */
static Status ground_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (strcmp(text, "auto"))
        return option_real.parse(option, text, value, err);
    *(double *)value = NAN;
    return STATUS_OK;
}

static void ground_format(const Option *option, const void *value, char *text, size_t size)
{
    if (isnan(*(const double *)value))
        snprintf(text, size, "auto");
    else
        option_real.format(option, value, text, size);
}

static const OptionKind option_ground = {ground_parse, ground_format};

static Status support_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_choice.parse(option, text, value, err);
}

/* The history tells what was chosen, as containers were before there was a choice. */
static void support_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (*(const Support *)value != SUPPORT_AUTO)
        option_choice.format(option, value, text, size);
}

static const OptionKind option_support = {support_parse, support_format};

_Static_assert(sizeof(ContactOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(ContactOptions, member)
static const Option options[] = {
    {.name = "method", .argument = "estimate|none|external",
     .help = "Forces from the motion alone, none, or those of --external",
     .kind = &option_choice, .offset = FIELD(method), .choices = methods},
    {.name = "external", .argument = "FILE.tsv",
     .help = "Measured forces from a table instead: time joint fx fy fz px py pz tx ty tz",
     .kind = &option_file, .offset = FIELD(external)},
    {.name = "external-threshold", .argument = "NEWTONS",
     .help = "A measured foot whose force stays below this is off the ground: noise of the plate",
     .kind = &option_real, .offset = FIELD(threshold), .with = "external"},
    {.name = "friction", .argument = "MU",
     .help = "Friction coefficient of the ground",
     .kind = &option_positive, .offset = FIELD(friction), .with = "estimate"},
    {.name = "ground", .argument = "METRES|auto",
     .help = "Height of the ground; auto: from the clip, 0 under measured forces",
     .kind = &option_ground, .offset = FIELD(ground), .with = "estimate|external"},
    {.name = "support", .argument = "auto|none",
     .help = "A seat or a hand rail that nobody recorded: auto, where pose and motion say so, or none; default auto",
     .kind = &option_support, .offset = FIELD(support), .choices = supports, .with = "estimate"},
    {.name = "reduce-residual",
     .help = "Add accelerations, at most 1 m/s2 to the body and 10 rad/s2 to the trunk, so that "
             "momentum and forces agree",
     .kind = &option_flag, .offset = FIELD(reduce_residual), .with = "estimate|external"},
    {0},
};

static void defaults(OptionValues *values)
{
    *(ContactOptions *)values = (ContactOptions){.threshold = measured_default_def().threshold,
                                                .friction = contact_estimate_default_def().friction, .ground = NAN};
}

Status contact_def_find(const OptionValues *values, const Clip *clip, ContactEstimateDef *def, uint8_t **bridged,
                        Error *err)
{
    const ContactOptions *given = (const ContactOptions *)values;
    *bridged = NULL;
    *def = contact_estimate_default_def();
    Status status = stage_lanes(&def->lanes, err);
    if (status)
        return status;
    def->friction = given->friction;
    if (!isnan(given->ground))
        def->ground = (GroundDef){.has_height = 1, .height = given->ground};
    if (clip->has_trust && artifact_bridge_needed(&clip->trust)) {
        if (!(*bridged = malloc((size_t)clip->trust.frame_count)))
            return error_no_memory(err);
        artifact_bridge_frames(&clip->trust, clip->motion.frame_time, *bridged);
    }
    def->ground.bridged = *bridged;
    def->ground.no_support = given->support == SUPPORT_NONE;
    return STATUS_OK;
}

static Status estimated(const OptionValues *values, Clip *clip, const Notes *notes, Error *err)
{
    ContactEstimateDef def;
    uint8_t *bridged;
    Status status = contact_def_find(values, clip, &def, &bridged, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    def.progress = notes && notes->progress ? &notes->progress->part : NULL;
    status = contact_estimate(&view, &def, &clip->contact, err);
    free(bridged);
    return status;
}

/* How far measured or reduced forces explain the motion. */
static Status rate(Clip *clip, Error *err)
{
    LaneWidth lanes;
    Status status = stage_lanes(&lanes, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    return confidence_rate(&view, lanes, &clip->contact, err);
}

static Status measured(const ContactOptions *given, Clip *clip, Notes *notes, Error *err)
{
    ExternalRows rows;
    Status status = error_of_file(err, given->external, external_read(given->external, &clip->skeleton, &rows, err));
    if (status)
        return status;
    ClipView view = clip_view(clip);
    MeasuredDef def = {.ground = given->ground, .threshold = given->threshold};
    status = contact_from_external(&rows, &view, &def, &clip->contact, err);
    if (!status && clip->has_body && clip->kinematics.com)
        status = rate(clip, err);
    if (!status)
        status = plates_judge(&rows, &clip->contact, clip, notes, err);
    external_rows_free(&rows);
    return status;
}

static Status reduce(Clip *clip, Error *err)
{
    ResidualReductionDef def = residual_reduction_default_def();
    Status status = stage_lanes(&def.lanes, err);
    if (status)
        return status;
    if (!clip->kinematics.com)
        return error_set(err, STATUS_BAD_INPUT, "has no /kinematics/com: residual reduction needs body, then diff");
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

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    ContactOptions *given = (ContactOptions *)values;
    if (given->external) {
        given->method = CONTACT_EXTERNAL;
        given->ground = isnan(given->ground) ? 0 : given->ground;
    } else if (given->method == CONTACT_EXTERNAL) {
        return error_set(err, STATUS_USAGE, "the method external needs --external FILE.tsv");
    } else if (given->threshold != measured_default_def().threshold) {
        return error_set(err, STATUS_USAGE, "--external-threshold needs --external FILE.tsv");
    }
    if (given->reduce_residual && given->method == CONTACT_NONE)
        return error_set(err, STATUS_USAGE, "--reduce-residual needs forces, there are none with the method none");
    if (clip && clip->has_contact && clip->contact.linear_reduction > 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "its accelerations were changed by --reduce-residual: run kane diff again");
    if (!clip || given->method != CONTACT_ESTIMATE)
        return STATUS_OK;
    Status status = root_path_find_missing(&clip->skeleton, &clip->motion, &given->no_root_path, err);
    if (given->no_root_path)
        given->method = CONTACT_NONE;
    return status;
}

static Status note_no_root_path(Clip *clip, Notes *notes, Error *err)
{
    return notes_warn(notes, clip, "no-root-path", "no root path: forces of the ground are not estimated", err);
}

/* What is presumed to bear is told, never hidden: from when to when, and how much. */
static Status note_support(Clip *clip, SupportKind kind, Notes *notes, Error *err)
{
    ClipView view = clip_view(clip);
    double sum = 0, first = 0, last = 0;
    int count = 0;
    char text[128];
    for (int f = 0; f < clip->contact.frame_count; f++) {
        double load = support_load(&view, &clip->contact, f, kind);
        if (!(load > SUPPORT_LEAST_LOAD))
            continue;
        first = count ? first : clip->motion.time[f];
        last = clip->motion.time[f];
        sum += load;
        count++;
    }
    if (!count)
        return STATUS_OK;
    snprintf(text, sizeof text, "a %s bears %.2f of the weight in %d frame%s from %.2f to %.2f s",
             kind == SUPPORT_OF_HIPS ? "seat" : "hand rail", sum / count, count, count == 1 ? "" : "s", first, last);
    return notes_warn(notes, clip, support_name(kind), text, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ContactOptions *given = (const ContactOptions *)values;
    Status status;
    clip_drop_warnings(clip, "no-root-path");
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
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_CONTACT,
    .needs_with = needs_with,
    .check = check,
    .apply = apply,
};
