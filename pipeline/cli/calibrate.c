/* kane calibrate: estimates segment masses of one subject from several clips. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/contact/mass_equations.h"
#include "analysis/contact/mass_fit.h"
#include "formats/base/bytes.h"
#include "formats/base/new_file.h"
#include "formats/tables/body_table.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/commands.h"

/* Largest relative difference of segment masses between clips of one subject. The fit is in fractions of each mass, so
 * small differences between sessions are allowed. */
#define SAME_MASS 0.1

typedef struct CalibrateOptions {
    const char *output;
    OutputManner manner;
} CalibrateOptions;

static const OutputEnding segment_endings[] = {{"tsv", 0, FILE_TEXT}, {"txt", 0, FILE_TEXT}, {NULL, 0, FILE_TEXT}};

static const Option options[] = {
    {.name = "output", .key = 'o', .argument = "FILE.tsv",
     .help = "Output table for kane body --segments",
     .kind = &option_text, .offset = offsetof(CalibrateOptions, output)},
    OUTPUT_MANNER(CalibrateOptions, manner),
    {0},
};

/* The source interval of a clip's frames. */
typedef struct CalibrationClip {
    char source[65]; /* SHA-256; "" if unknown */
    double begin, end; /* s, source time */
} CalibrationClip;

/* The data of all clips of one subject. */
typedef struct Calibration {
    Skeleton skeleton; /* of the first clip, with its body */
    Body body;
    double part_mass[BODY_PARTS + 1]; /* kg, of body */
    MassEquations *clip; /* [count] owned */
    CalibrationClip *take;          /* [count] owned */
    int count;
    OutputOrigin origin;
} Calibration;

static Status check_same(const Calibration *c, const Clip *clip, Error *err)
{
    if (clip->skeleton.joint_count != c->skeleton.joint_count)
        return error_set(err, STATUS_BAD_INPUT, "has %d joints, the first clip %d: not the same subject",
                         clip->skeleton.joint_count, c->skeleton.joint_count);
    for (int j = 0; j < c->skeleton.joint_count; j++) {
        if (strcmp(clip->skeleton.name[j], c->skeleton.name[j]))
            return error_set(err, STATUS_BAD_INPUT, "has joint \"%s\" where the first clip has \"%s\"",
                             clip->skeleton.name[j], c->skeleton.name[j]);
        if (!(fabs(clip->body.mass[j] - c->body.mass[j]) <= SAME_MASS * c->body.mass[j]))
            return error_set(err, STATUS_BAD_INPUT,
                             "segment \"%s\" has %.3g kg, in the first clip %.3g: not the same body",
                             c->skeleton.name[j], clip->body.mass[j], c->body.mass[j]);
    }
    return STATUS_OK;
}

static CalibrationClip calibration_clip(const Clip *clip)
{
    CalibrationClip out = {{0}, 0, 0};
    if (clip->motion.frame_count == 0)
        return out;
    out.begin = clip->motion.time[0];
    out.end = clip->motion.time[clip->motion.frame_count - 1];
    snprintf(out.source, sizeof out.source, "%s", clip->provenance.source_sha256);
    return out;
}

/* STATUS_BAD_INPUT if the clip shares frames with an earlier one: in leave-one-out validation, duplicate frames would
 * confirm themselves. */
static Status check_new(const Calibration *c, const CalibrationClip *take, Error *err)
{
    for (int i = 0; i < c->count; i++)
        if (*take->source && !strcmp(take->source, c->take[i].source) && take->begin < c->take[i].end &&
            c->take[i].begin < take->end)
            return error_set(err, STATUS_BAD_INPUT, "contains the same frames as clip %d; give each clip once",
                             i + 1);
    return STATUS_OK;
}

static Status take_body(Calibration *c, const Clip *clip, Error *err)
{
    for (int j = 0; j < clip->body.joint_count; j++)
        c->part_mass[segment_body_part(clip->skeleton.segment[j])] += clip->body.mass[j];
    if (!(c->part_mass[PART_TRUNK] > 0))
        return error_set(err, STATUS_BAD_INPUT, "has no trunk segment with mass: not a human body");
    Status status = skeleton_copy(&c->skeleton, &clip->skeleton, err);
    return status ? status : body_copy(&c->body, &clip->body, err);
}

static Status visit(void *context, const char *path, Clip *clip, Error *err)
{
    Calibration *c = context;
    MassEquations equations;
    (void)path;
    Status status = mass_equations_find(clip, &equations, err);
    if (!status)
        status = c->count ? check_same(c, clip, err) : take_body(c, clip, err);
    if (status)
        return status;
    CalibrationClip take = calibration_clip(clip);
    output_origin_add(&c->origin, &clip->provenance);
    status = check_new(c, &take, err);
    if (status)
        return status;
    if (!array_grow(&c->clip, c->count, sizeof *c->clip) || !array_grow(&c->take, c->count, sizeof *c->take))
        return error_no_memory(err);
    c->take[c->count] = take;
    c->clip[c->count++] = equations;
    return STATUS_OK;
}

/* Prints why nothing was found, or how much the residual decreases. */
static void print_result(const char *command, const Calibration *c, const MassFit *fit)
{
    if (fit->clips < 2) {
        message_note(command, NULL, "not enough data: %d of %d clip%s a flight phase or measured forces; at least 2 "
                                    "are required", fit->clips, c->count, fit->clips == 1 ? "s has" : "s have");
        return;
    }
    message_note(command, NULL, "%s: the residual of held-out clips %s by %.1f %%, and falls in %d of %d clips",
                 fit->is_found ? "masses estimated" : "masses not improved", fit->gain < 0 ? "rises" : "falls",
                 100 * fabs(fit->gain), fit->better, fit->clips);
    if (!fit->is_found && 2 * fit->at_bound >= BODY_PARTS)
        message_note(command, NULL, "warning: %d of %d segment masses are at the bound; the clips do not determine the "
                                 "masses",
                     fit->at_bound, BODY_PARTS);
    for (int part = 0; part < BODY_PARTS && fit->is_found; part++)
        message_note(command, NULL, "%s %+.1f %%", body_part_name((BodyPart)part), 100 * fit->change[part]);
}

/* Writes the body table; err has the path. */
static Status write_segments(const OutputCall *call, const char *path, Calibration *c, Error *err)
{
    OutputFile file;
    FILE *stream;
    Status status = output_file_open(call, path, FILE_TEXT, output_origin(&c->origin), &file, err);
    if (status)
        return status;
    status = new_file_stream(&file.file, &stream, err);
    if (!status) {
        status = segments_write(&c->skeleton, &c->body, stream, err);
        if (fclose(stream) && !status)
            status = error_set(err, STATUS_IO, "cannot write");
    }
    status = error_of_file(err, path, status);
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Fits the masses to the clips and writes the result. */
static int calibrate(const char *command, const OutputCall *call, const char *path, Calibration *c)
{
    MassFit found;
    Error err;
    MassFitDef def = mass_fit_default_def();
    Status status = mass_fit(c->clip, c->count, c->part_mass, &def, &found, &err);
    if (status)
        return message_error(command, NULL, &err);
    print_result(command, c, &found);
    if (!found.is_found)
        return 1;
    body_parts_scale(&c->skeleton, found.change, &c->body);
    status = write_segments(call, path, c, &err);
    return status ? message_error(command, NULL, &err) : 0;
}

static int calibrate_main(const Command *command, int argc, char **argv)
{
    CalibrateOptions given = {.output = "-"};
    OptionGroup group = {NULL, command->options, &given};
    const OutputEnding *ending;
    OutputCall call = {0};
    Calibration c = {0};
    Error err;
    int first = command_line_parse(command, &group, 1, argc, argv);
    Status status = output_ending(given.output, segment_endings, &ending, &err);
    if (!status)
        status = output_call_init(&call, given.manner, argc, argv, &err);
    if (!status)
        status = output_file_check(&call, given.output, FILE_TEXT, &err);
    int code = status ? message_error(command->name, NULL, &err)
                       : clips_visit(command->name, argv + first, argc - first, visit, &c);
    if (code == 0)
        code = calibrate(command->name, &call, given.output, &c);
    output_call_free(&call);
    skeleton_free(&c.skeleton);
    body_free(&c.body);
    free(c.clip);
    free(c.take);
    return code;
}

static const Command calibrate_command = {
    .name = "calibrate",
    .group = COMMANDS_EXCHANGE,
    .summary = "Estimate segment masses from several clips",
    .arguments = "[FILE.h5...]",
    .description = "Fits segment masses, within 15 % and at constant total mass, to flight phases (ballistic centre "
                   "of mass, constant angular momentum) and to measured forces, over all clips of one subject. Writes "
                   "them only if they reduce the residual of held-out clips; otherwise exit code 1.",
    .example = "kane calibrate jump.h5 run.h5 -o segments.tsv",
    .options = options,
};

const CliCommand cli_calibrate = {&calibrate_command, calibrate_main};
