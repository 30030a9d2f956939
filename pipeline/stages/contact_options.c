/* See contact_options.h. */
#include "pipeline/stages/contact_options.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/measured.h"
#include "analysis/quality/artifact_bridge.h"
#include "pipeline/stages/stage.h"

static const char *const supports[] = {"auto", "none", NULL};
static const char *const methods[] = {"estimate", "none", "external", NULL};

/* NaN: "auto". */
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

/* Writes the option to the history only if it is not the default, as in files written before the option existed. */
static void support_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (*(const Support *)value != SUPPORT_AUTO)
        option_choice.format(option, value, text, size);
}

static const OptionKind option_support = {support_parse, support_format};

_Static_assert(sizeof(ContactOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(ContactOptions, member)
const Option contact_options[] = {
    {.name = "method", .argument = "estimate|none|external",
     .help = "Ground forces: estimated from the motion, none, or measured (table of --external)",
     .kind = &option_choice, .offset = FIELD(method), .choices = methods},
    {.name = "external", .argument = "FILE",
     .help = "Measured forces: a C3D file, a table with columns time joint fx fy fz px py pz tx ty tz, or MOT, STO or "
             "CSV with a column per component",
     .kind = &option_file, .offset = FIELD(external)},
    MEASURED_OPTIONS(ContactOptions, measured),
    {.name = "external-threshold", .argument = "NEWTONS",
     .help = "Measured forces below this are treated as no contact, in N",
     .kind = &option_real, .offset = FIELD(threshold), .with = "external"},
    {.name = "friction", .argument = "MU",
     .help = "Friction coefficient of the ground",
     .kind = &option_positive, .offset = FIELD(friction), .with = "estimate"},
    {.name = "ground", .argument = "METRES|auto",
     .help = "Ground height in m; auto = from the motion, 0 with measured forces",
     .kind = &option_ground, .offset = FIELD(ground), .with = "estimate|external"},
    {.name = "support", .argument = "auto|none",
     .help = "Unrecorded seat or handrail: auto = added where pose and motion indicate it, or none (default auto)",
     .kind = &option_support, .offset = FIELD(support), .choices = supports, .with = "estimate"},
    {.name = "reduce-residual",
     .help = "Residual reduction: adjust accelerations by at most 1 m/s2 (body) and 10 rad/s2 (trunk)",
     .kind = &option_flag, .offset = FIELD(reduce_residual), .with = "estimate|external"},
    {0},
};

void contact_defaults(OptionValues *values)
{
    *(ContactOptions *)values = (ContactOptions){.measured = measured_options(),
                                                .threshold = measured_default_def().threshold,
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

Status contact_estimated(const Clip *clip, Contact *out, LaneWidth *lanes, Error *err)
{
    OptionValues values;
    ContactEstimateDef def;
    uint8_t *bridged;
    contact_defaults(&values);
    Status status = contact_def_find(&values, clip, &def, &bridged, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    *lanes = def.lanes;
    status = contact_estimate(&view, &def, out, err);
    free(bridged);
    return status;
}
