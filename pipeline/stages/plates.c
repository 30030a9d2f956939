/* See plates.h. */
#include "pipeline/stages/plates.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/body/body_model.h"
#include "analysis/contact/foot_load.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_check.h"
#include "analysis/detect/root_position.h"
#include "analysis/math/elementary.h"
#include "pipeline/stages/contact_options.h"
#include "pipeline/stages/stage.h"

#define OFFSET_MAX 0.1    /* body weights; above: the foot is loaded, not an offset of the plate */
#define MAX_LOAD_FRACTION 0.9 /* fraction of the load outside the sole; above: positions of the table are wrong */

void plates_forget(Clip *clip)
{
    for (int kind = 0; kind < PLATE_ERROR_KINDS; kind++)
        clip_drop_warnings(clip, plate_error_name((PlateErrorKind)kind));
    measured_file_forget(clip);
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
    int is_load = error->value > OFFSET_MAX * body->total_mass * GRAVITY;
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
                 cm, error->value > MAX_LOAD_FRACTION ? ": check unit, axes and origin of positions" : "");
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
    if (!status && !report.errors.count && !(report.measures.time > PLATES_MIN_TIME))
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

Status plates_judge(const MeasuredFile *file, const Contact *contact, Clip *clip, Notes *notes, Error *err)
{
    const ExternalRows *rows = &file->rows;
    Loads table = {0};
    Contact own = {0};
    LaneWidth lanes = LANES_AUTO;
    int can, is_found = file->estimate.point_count > 0;
    Status status = can_compare(clip, rows, &can, err);
    if (status || !can)
        return status ? status
                      : note_not_compared("requires forces on feet, masses and a translating root", notes, err);
    ClipView view = clip_view(clip);
    status = is_found ? stage_lanes(&lanes, err) : contact_estimated(clip, &own, &lanes, err);
    const Contact *estimated = is_found ? &file->estimate : &own;
    if (!status)
        status = loads_from_external(rows, &clip->motion, &table, err);
    PlateCase of = {.clip = &view, .plates = contact, .table = &table, .estimate = estimated, .lanes = lanes,
                    .mass_is_given = !may_be_default(&clip->body)};
    if (!status && estimated->point_count > 0)
        status = compare(&of, clip, notes, err);
    loads_free(&table);
    contact_free(&own);
    return status;
}

Status plates_judge_table(const MeasuredFile *file, Clip *clip, Notes *notes, Error *err)
{
    Contact contact = {0};
    MeasuredDef def = measured_default_def();
    ClipView view = clip_view(clip);
    def.ground = file->ground;
    Status status = contact_from_external(&file->rows, &view, &def, &contact, err);
    if (!status)
        status = plates_judge(file, &contact, clip, notes, err);
    contact_free(&contact);
    return status;
}
