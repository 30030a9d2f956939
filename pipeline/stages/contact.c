/* kane contact: ground reaction forces, estimated or measured, and the check of measured forces against the motion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/contact/foot_load.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_check.h"
#include "analysis/contact/residual.h"
#include "analysis/contact/support.h"
#include "analysis/detect/positions.h"
#include "analysis/math/elementary.h"
#include "analysis/quality/artifact_bridge.h"
#include "formats/tables/body_tables.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"

#define OFFSET_MOST 0.1   /* body weights; above: the foot is loaded, not an offset of the plate */
#define MOST_OF_LOAD 0.9  /* fraction of the load outside the sole; above: positions of the table are wrong */

void plates_forget(Clip *clip)
{
    for (int kind = 0; kind < PLATE_ERROR_KINDS; kind++)
        clip_drop_warnings(clip, plate_error_name((PlateErrorKind)kind));
    if (clip->has_trust)
        trust_clear(&clip->trust, TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED);
}

/* ---- Messages ---- */

static const char *const feet[] = {[FOOT_LEFT] = "the left foot", [FOOT_RIGHT] = "the right foot",
                                   [FOOT_COUNT] = "both feet"};

/* Errors that concern the whole table. */
static void word_table(const PlateError *error, char *text, size_t size)
{
    double percent = 100 * error->value;
    if (error->kind == PLATES_EXCHANGED)
        snprintf(text, size, "plates: left and right foot are swapped between table and motion");
    else if (error->kind == PLATES_UNIT)
        snprintf(text, size, "plates: forces on %s are %.4f times those required by the motion: use N, not kN",
                 feet[error->foot], error->value);
    else if (error->kind == PLATES_UPRIGHT)
        snprintf(text, size, "plates: the load is along a horizontal axis (%.0f %% vertical): use axes with Y up, as "
                 "the imported motion", percent);
    else if (error->kind == PLATES_APART)
        snprintf(text, size, "plates: in %.0f %% of the loaded frames the motion has another foot on the ground, or "
                 "none: check times and joints of the table", 100 - percent);
    else
        snprintf(text, size, "plates: vertical forces point into the ground: use the forces on the foot");
}

/* Returns whether the body mass may be the default: the clip does not store where it came from, and --mass may be given
 * the default value. */
static int may_be_default(const Body *body) { return body->total_mass == BODY_HUMAN_MASS; }

static void word_forces(const PlateError *error, const Body *body, char *text, size_t size)
{
    const char *of = feet[error->foot];
    double value = error->value, mass = body->total_mass;
    if (error->kind == PLATES_ALONG_SIGN || error->kind == PLATES_SIDE_SIGN)
        snprintf(text, size, "plates: the %s force on %s has the opposite sign of that required by the motion",
                 error->kind == PLATES_ALONG_SIGN ? "fore-aft" : "side", of);
    else if (error->kind == PLATES_TURNED)
        snprintf(text, size, "plates: forces are rotated by %.0f degrees about the vertical relative to the motion",
                 value * 180 / PI);
    else if (error->kind == PLATES_LATE)
        snprintf(text, size, "plates: forces on %s are %.0f ms %s the motion", of, 1000 * fabs(value),
                 value > 0 ? "behind" : "ahead of");
    else if (error->kind == PLATES_SCALE)
        snprintf(text, size, "plates: the forces support %.2f of the weight of %.1f kg%s: check the scale of the "
                 "forces, or set the mass to %.1f kg", value, mass,
                 may_be_default(body) ? " (the default, unless body's --mass gave it)" : "", value * mass);
    else
        snprintf(text, size, "plates: forces on %s are %.2f times those required by the motion and the other plate",
                 of, value);
}

/* A plate that is not zeroed reads a small force; a large force means that a foot is on it. */
static void word_offset(const PlateError *error, const Body *body, char *text, size_t size)
{
    int is_load = error->value > OFFSET_MOST * body->total_mass * GRAVITY;
    snprintf(text, size, "plates: %.0f N under %s while it is in the air: %s", error->value,
             feet[error->foot], is_load ? "check times and joints of the table, and the motion of the foot"
                                        : "subtract the offset");
}

static void word_positions(const PlateError *error, const Body *body, char *text, size_t size)
{
    const char *of = feet[error->foot];
    double cm = 100 * fabs(error->value);
    if (error->kind == PLATES_PRESSURE_ALONG)
        snprintf(text, size, "plates: the centre of pressure of %s is %.1f cm %s the estimate", of, cm,
                 error->value > 0 ? "ahead of" : "behind");
    else if (error->kind == PLATES_PRESSURE_SIDE)
        snprintf(text, size, "plates: the centre of pressure of %s is %.1f cm %s of the estimate", of, cm,
                 error->value > 0 ? "outward" : "inward");
    else if (error->kind == PLATES_OFF_SOLE)
        snprintf(text, size, "plates: the centre of pressure is outside the sole of %s for %.0f %% of its load%s", of,
                 cm, error->value > MOST_OF_LOAD ? ": check unit, axes and origin of positions" : "");
    else
        word_offset(error, body, text, size);
}

static Status keep_error(const PlateError *error, Clip *clip, Notes *notes, Error *err)
{
    char text[256], whole[320];
    switch (error->kind) {
    case PLATES_EXCHANGED: case PLATES_APART: case PLATES_DOWNWARD: case PLATES_UNIT: case PLATES_UPRIGHT:
        word_table(error, text, sizeof text);
        break;
    case PLATES_PRESSURE_ALONG: case PLATES_PRESSURE_SIDE: case PLATES_OFF_SOLE: case PLATES_OFFSET:
        word_positions(error, &clip->body, text, sizeof text);
        break;
    default:
        word_forces(error, &clip->body, text, sizeof text);
    }
    snprintf(whole, sizeof whole, "%s (certainty %.2f)", text, floor(100 * error->certainty) / 100);
    return notes_warn(notes, clip, plate_error_name(error->kind), whole, err);
}

/* ---- Comparison ---- */

/* Warns that nothing was compared, lest the absence of warnings be taken for agreement. */
static Status note_not_compared(const char *why, Notes *notes, Error *err)
{
    char text[160];
    snprintf(text, sizeof text, PLATES_NOT_COMPARED ": %s", why);
    return notes_add(notes, (Note){NOTE_WARNING, 0, 0, text}, err);
}

static void mark(const PlateReport *report, Trust *trust)
{
    for (int f = 0; f < trust->frame_count; f++) {
        trust->reason[f] |= report->is_unseen[f] ? TRUST_OFF_PLATES : 0;
        trust->reason[f] |= report->is_doubted[f] ? TRUST_PLATES_DOUBTED : 0;
    }
}

static Status compare(const PlateCase *c, Clip *clip, Notes *notes, Error *err)
{
    Arena arena = {0};
    PlateReport report;
    Status status = plate_check(c, &report, &arena, err);
    for (int i = 0; !status && i < report.errors.count; i++)
        status = keep_error(&report.errors.error[i], clip, notes, err);
    if (!status && !report.errors.count && !(report.measures.time > PLATES_LEAST_TIME))
        status = note_not_compared("plates and motion are loaded together for less than 0.2 s", notes, err);
    if (!status && clip->has_trust)
        mark(&report, &clip->trust);
    arena_free(&arena);
    return status;
}

static int has_feet(const Skeleton *skeleton)
{
    return skeleton_find_role(skeleton, ROLE_LEFT_ANKLE) >= 0 && skeleton_find_role(skeleton, ROLE_RIGHT_ANKLE) >= 0;
}

/* Returns whether any row acts on a foot: harness or seat forces alone give no information about the feet. */
static int has_foot_rows(const ExternalRows *rows, const Skeleton *skeleton)
{
    for (int i = 0; i < rows->row_count; i++)
        if (foot_of_segment(skeleton->segment[rows->joint[i]]) != FOOT_COUNT)
            return 1;
    return 0;
}

static Status can_compare(const Clip *clip, const ExternalRows *rows, int *can, Error *err)
{
    int no_path = 0;
    *can = clip->has_body && clip->body.total_mass > 0 && clip->kinematics.com && has_feet(&clip->skeleton) &&
           has_foot_rows(rows, &clip->skeleton);
    Status status = *can ? root_path_find_missing(&clip->skeleton, &clip->motion, &no_path, err) : STATUS_OK;
    *can = *can && !no_path;
    return status;
}

/* Estimates the GRFs as the contact stage does by default. */
static Status estimate(Clip *clip, Contact *out, LaneWidth *lanes, Error *err)
{
    OptionValues values;
    ContactEstimateDef def;
    uint8_t *bridged;
    stage_defaults(&stage_contact, &values);
    Status status = contact_def_find(&values, clip, &def, &bridged, err);
    if (status)
        return status;
    ClipView view = clip_view(clip);
    *lanes = def.lanes;
    status = contact_estimate(&view, &def, out, err);
    free(bridged);
    return status;
}

Status plates_judge(const ExternalRows *rows, const Contact *contact, Clip *clip, Notes *notes, Error *err)
{
    Loads table = {0};
    Contact estimated = {0};
    LaneWidth lanes = LANES_AUTO;
    int can;
    Status status = can_compare(clip, rows, &can, err);
    if (status || !can)
        return status ? status
                      : note_not_compared("requires forces on feet, masses and a translating root", notes, err);
    ClipView view = clip_view(clip);
    status = estimate(clip, &estimated, &lanes, err);
    if (!status)
        status = loads_from_external(rows, &clip->motion, &table, err);
    PlateCase of = {.clip = &view, .plates = contact, .table = &table, .estimate = &estimated, .lanes = lanes,
                    .mass_is_given = !may_be_default(&clip->body)};
    if (!status && estimated.point_count > 0)
        status = compare(&of, clip, notes, err);
    loads_free(&table);
    contact_free(&estimated);
    return status;
}

Status plates_judge_table(const char *path, Clip *clip, Notes *notes, Error *err)
{
    ExternalRows rows;
    Contact contact = {0};
    MeasuredDef def = measured_default_def();
    ClipView view = clip_view(clip);
    Status status = error_of_file(err, path, external_read(path, &clip->skeleton, &rows, err));
    if (status)
        return status;
    plates_forget(clip);
    status = contact_from_external(&rows, &view, &def, &contact, err);
    if (!status)
        status = plates_judge(&rows, &contact, clip, notes, err);
    contact_free(&contact);
    external_rows_free(&rows);
    return status;
}

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
    int no_root_path; /* a result, not an option: the root does not translate, so no ground height is reported */
} ContactOptions;

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
static const Option options[] = {
    {.name = "method", .argument = "estimate|none|external",
     .help = "Ground forces: estimated from the motion, none, or measured (table of --external)",
     .kind = &option_choice, .offset = FIELD(method), .choices = methods},
    {.name = "external", .argument = "FILE.tsv",
     .help = "Table of measured forces, columns time joint fx fy fz px py pz tx ty tz",
     .kind = &option_file, .offset = FIELD(external)},
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

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    ContactOptions *given = (ContactOptions *)values;
    if (given->external) {
        given->method = CONTACT_EXTERNAL;
        given->ground = isnan(given->ground) ? 0 : given->ground;
    } else if (given->method == CONTACT_EXTERNAL) {
        return error_set(err, STATUS_USAGE, "--method external requires --external FILE.tsv");
    } else if (given->threshold != measured_default_def().threshold) {
        return error_set(err, STATUS_USAGE, "--external-threshold requires --external FILE.tsv");
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
        if (!(load > SUPPORT_LEAST_LOAD))
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
