#include "pipeline/stages/plates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/body/anthropometry.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/plate_check.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/detect/positions.h"
#include "analysis/math/elementary.h"
#include "formats/tables/body_tables.h"
#include "pipeline/stages/pipeline.h"

#define OFFSET_MOST 0.1   /* body weights: more is a load */
#define MOST_OF_LOAD 0.9  /* of it off the sole: no foot stands so */

void plates_forget(Clip *clip)
{
    for (int kind = 0; kind < PLATE_FAULT_KINDS; kind++)
        clip_drop_warnings(clip, plate_fault_name((PlateFaultKind)kind));
    if (clip->has_trust)
        trust_clear(&clip->trust, TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED);
}

/* ---- Words ---- */

static const char *const feet[] = {[FOOT_LEFT] = "the left foot", [FOOT_RIGHT] = "the right foot",
                                   [FOOT_COUNT] = "both feet"};

/* Faults of the whole table. */
static void word_table(const PlateFault *fault, char *text, size_t size)
{
    double percent = 100 * fault->value;
    if (fault->kind == PLATES_EXCHANGED)
        snprintf(text, size, "plates: left and right foot are exchanged between table and motion");
    else if (fault->kind == PLATES_UNIT)
        snprintf(text, size, "plates: forces on %s are %.4f of those the motion needs: give them in N, not kN",
                 feet[fault->foot], fault->value);
    else if (fault->kind == PLATES_UPRIGHT)
        snprintf(text, size, "plates: the load lies along a horizontal axis, %.0f %% of it is vertical: give the table "
                 "in axes with Y up, as the motion is after import", percent);
    else if (fault->kind == PLATES_APART)
        snprintf(text, size, "plates: in %.0f %% of their loaded frames the motion has another foot on the ground, or "
                 "none: check times and joints of the table", 100 - percent);
    else
        snprintf(text, size, "plates: vertical forces point into the ground: give the forces on the foot");
}

/* Whether the mass may be none that anybody gave: a clip has the mass alone, and --mass may name the default. */
static int may_be_default(const Body *body) { return body->total_mass == BODY_HUMAN_MASS; }

static void word_forces(const PlateFault *fault, const Body *body, char *text, size_t size)
{
    const char *of = feet[fault->foot];
    double value = fault->value, mass = body->total_mass;
    if (fault->kind == PLATES_ALONG_SIGN || fault->kind == PLATES_SIDE_SIGN)
        snprintf(text, size, "plates: the %s force on %s has the opposite sign of the motion's",
                 fault->kind == PLATES_ALONG_SIGN ? "fore-aft" : "side", of);
    else if (fault->kind == PLATES_TURNED)
        snprintf(text, size, "plates: forces are rotated by %.0f degrees about the vertical against the motion",
                 value * 180 / PI);
    else if (fault->kind == PLATES_LATE)
        snprintf(text, size, "plates: forces on %s are %.0f ms %s the motion", of, 1000 * fabs(value),
                 value > 0 ? "behind" : "ahead of");
    else if (fault->kind == PLATES_SCALE)
        snprintf(text, size, "plates: they carry %.2f of the weight of %.1f kg%s: the forces are scaled, or the mass "
                 "is %.1f kg; plates alone do not show which", value, mass,
                 may_be_default(body) ? " (the default, unless body's --mass gave it)" : "", value * mass);
    else
        snprintf(text, size, "plates: forces on %s are %.2f of what the motion and the other foot's plate leave for it",
                 of, value);
}

/* A plate that is not zeroed reads a little; one that reads a load has a foot on it. */
static void word_offset(const PlateFault *fault, const Body *body, char *text, size_t size)
{
    int is_load = fault->value > OFFSET_MOST * body->total_mass * GRAVITY;
    snprintf(text, size, "plates: %.0f N are read under %s while the motion has it in the air: %s", fault->value,
             feet[fault->foot], is_load ? "check times and joints of the table, and the motion of the foot"
                                        : "subtract the offset");
}

static void word_positions(const PlateFault *fault, const Body *body, char *text, size_t size)
{
    const char *of = feet[fault->foot];
    double cm = 100 * fabs(fault->value);
    if (fault->kind == PLATES_PRESSURE_ALONG)
        snprintf(text, size, "plates: the centre of pressure of %s lies %.1f cm %s the estimate's", of, cm,
                 fault->value > 0 ? "ahead of" : "behind");
    else if (fault->kind == PLATES_PRESSURE_SIDE)
        snprintf(text, size, "plates: the centre of pressure of %s lies %.1f cm %s of the estimate's", of, cm,
                 fault->value > 0 ? "outward" : "inward");
    else if (fault->kind == PLATES_OFF_SOLE)
        snprintf(text, size, "plates: the centre of pressure lies outside the motion's sole of %s for %.0f %% of its "
                 "load%s", of, cm, fault->value > MOST_OF_LOAD ? ": check unit, axes and origin of positions" : "");
    else
        word_offset(fault, body, text, size);
}

static Status keep_fault(const PlateFault *fault, Clip *clip, Notes *notes, Error *err)
{
    char text[256], whole[320];
    switch (fault->kind) {
    case PLATES_EXCHANGED: case PLATES_APART: case PLATES_DOWNWARD: case PLATES_UNIT: case PLATES_UPRIGHT:
        word_table(fault, text, sizeof text);
        break;
    case PLATES_PRESSURE_ALONG: case PLATES_PRESSURE_SIDE: case PLATES_OFF_SOLE: case PLATES_OFFSET:
        word_positions(fault, &clip->body, text, sizeof text);
        break;
    default:
        word_forces(fault, &clip->body, text, sizeof text);
    }
    snprintf(whole, sizeof whole, "%s (certainty %.2f)", text, floor(100 * fault->certainty) / 100);
    return notes_warn(notes, clip, plate_fault_name(fault->kind), whole, err);
}

/* ---- Comparison ---- */

/* Nobody should take silence for agreement. */
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
    for (int i = 0; !status && i < report.faults.count; i++)
        status = keep_fault(&report.faults.fault[i], clip, notes, err);
    if (!status && !report.faults.count && !(report.measures.time > PLATES_LEAST_TIME))
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

/* A harness or a seat alone says nothing of the feet. */
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

/* As the contact stage would with its defaults. */
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
        return status ? status : note_not_compared("needs forces on feet, masses and a root path", notes, err);
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
