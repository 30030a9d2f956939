/* See check_plates.h. */
#include "pipeline/cli/check_plates.h"

#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"
#include "analysis/contact/plate_errors.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/plates.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

static const FindingInfo plate_info[PLATE_ERROR_KINDS] = {
    [PLATES_EXCHANGED] = {.name = "plates-exchanged", .meaning = "the table has the plates of the feet swapped"},
    [PLATES_APART] = {.name = "plates-apart", .meaning = "plates and feet are loaded at different times"},
    [PLATES_DOWNWARD] = {.name = "plates-downward", .meaning = "the forces are on the plates, not on the feet"},
    [PLATES_ALONG_SIGN] = {.name = "plates-along-sign", .meaning = "fore-aft forces contradict the motion"},
    [PLATES_SIDE_SIGN] = {.name = "plates-side-sign", .meaning = "side forces contradict the motion"},
    [PLATES_TURNED] = {.name = "plates-turned", .meaning = "plates and motion have different horizontal axes"},
    [PLATES_LATE] = {.name = "plates-late", .meaning = "plates and motion are not synchronized"},
    [PLATES_SCALE] = {.name = "plates-scale", .meaning = "the vertical impulse of the plates differs from that of the "
                                                         "body"},
    [PLATES_FOOT_SCALE] = {.name = "plates-foot-scale", .meaning = "the plates have different scales"},
    [PLATES_PRESSURE_ALONG] = {.name = "plates-pressure-along", .meaning = "plates are shifted fore-aft"},
    [PLATES_PRESSURE_SIDE] = {.name = "plates-pressure-side", .meaning = "plates are shifted sideways"},
    [PLATES_OFF_SOLE] = {.name = "plates-off-sole", .meaning = "forces act outside the feet"},
    [PLATES_OFFSET] = {.name = "plates-offset", .meaning = "the plate was not zeroed"},
    [PLATES_UNIT] = {.name = "plates-unit", .meaning = "forces are not in N"},
    [PLATES_UPRIGHT] = {.name = "plates-upright", .meaning = "table and motion have different vertical axes"},
};

const FindingInfo *check_plates_info(const char *name, size_t length)
{
    for (int i = 0; i < PLATE_ERROR_KINDS; i++)
        if (strlen(plate_info[i].name) == length && !strncmp(plate_info[i].name, name, length))
            return &plate_info[i];
    return NULL;
}

static void report_warnings(const Clip *clip, CheckPlatesReport report, void *context)
{
    char text[512];
    for (const char *line = clip->provenance.warnings; line && *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), kind = strcspn(line, ":");
        const FindingInfo *info = kind < length ? check_plates_info(line, kind) : NULL;
        if (info) {
            snprintf(text, sizeof text, "%.*s", (int)(length - kind - 2), line + kind + 2);
            report(context, info, text);
        }
        line += length;
    }
}

/* STATUS_BAD_INPUT if the stage has noted that plates and motion were not compared. */
static Status refuse_silence(const Notes *notes, Error *err)
{
    for (int i = 0; i < notes->count; i++)
        if (!strncmp(notes->note[i].text, PLATES_NOT_COMPARED, strlen(PLATES_NOT_COMPARED)))
            return error_set(err, STATUS_BAD_INPUT, "%s", notes->note[i].text);
    return STATUS_OK;
}

static Status judge(Pipeline *pipeline, Clip *clip, Error *err)
{
    Notes notes = {0};
    int is_run = clip->has_body && clip->has_kinematics;
    Status status = is_run ? stage_apply(&stage_contact, &pipeline->stage[pipeline->length - 1], clip, &notes, err)
                           : pipeline_run(pipeline, clip, &notes, err);
    if (!status)
        status = refuse_silence(&notes, err);
    notes_free(&notes);
    return status;
}

Status check_plates(Pipeline *pipeline, const char *external, const char *path, CheckPlatesReport report, void *context,
                    Error *err)
{
    Clip clip = {0};
    pipeline_end_with(pipeline, &stage_contact);
    OptionValues *contact = &pipeline->stage[pipeline->length - 1];
    const Option *option = option_find(stage_contact.command.options, "external");
    memcpy(contact->bytes + option->offset, &external, sizeof external);
    Status status = pipeline_open(pipeline, path, &clip, NULL, err);
    if (!status)
        status = judge(pipeline, &clip, err);
    if (!status)
        report_warnings(&clip, report, context);
    clip_free(&clip);
    return status;
}
