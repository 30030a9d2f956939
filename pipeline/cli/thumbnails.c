/* kane thumbnails: a contact sheet of one or two clips. */
#include <stdio.h>
#include <string.h>

#include "formats/picture/contact_grid.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/commands.h"

enum { MAX_CLIPS = 2, MAX_FRAMES = 1000, MAX_SIZE = 2000 };

typedef struct PictureOptions {
    RowWriterDef sheet;
    const char *output;
    OutputManner manner;
} PictureOptions;

static const char *const styles[] = {"mannequin", "lines", NULL};

#define FIELD(member) offsetof(PictureOptions, member)
static const Option options[] = {
    {.name = "frames", .argument = "N",
     .help = "Number of frames per clip, equally spaced",
     .kind = &option_count, .offset = FIELD(sheet.frames)},
    {.name = "columns", .argument = "N",
     .help = "Frames per row",
     .kind = &option_count, .offset = FIELD(sheet.columns)},
    {.name = "size", .argument = "PIXELS",
     .help = "Width and height of a frame in pixels",
     .kind = &option_count, .offset = FIELD(sheet.size)},
    {.name = "angle", .argument = "DEGREES",
     .help = "Camera azimuth in degrees: 0 from +z, 90 from +x",
     .kind = &option_real, .offset = FIELD(sheet.angle)},
    {.name = "style", .argument = "mannequin|lines",
     .help = "Bodies: a mannequin, which shows the way it faces, or bones as lines",
     .kind = &option_choice, .offset = FIELD(sheet.style), .choices = styles},
    {.name = "controller", .old_name = "run", .argument = "CONTROLLER|clip",
     .help = "Motion of a clip with /tracking: that of a controller, or the clip's own (default: the first controller)",
     .kind = &option_text, .offset = FIELD(sheet.run)},
    {.name = "output", .key = 'o', .argument = "FILE.png",
     .help = "Output file; - is standard output",
     .kind = &option_text, .offset = FIELD(output), .unrecorded = 1},
    OUTPUT_MANNER(PictureOptions, manner),
    {0},
};

/* The clips of a sheet, kept until all are read. */
typedef struct Picture {
    PictureOptions given;
    OutputCall call;
    Clip clip[MAX_CLIPS];
    int count;
} Picture;

static Status keep_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Picture *picture = context;
    const char *run;
    if (picture->count == MAX_CLIPS)
        return error_set(err, STATUS_USAGE, "expected one or two clips");
    Status status = contact_grid_run(clip, &picture->given.sheet, &run, err);
    if (status)
        return status;
    if (clip->has_tracking && !picture->given.sheet.run)
        message_note("thumbnails", path,
                     "shows the simulated motion of controller %s; select another with --controller, the clip's own "
                     "with --controller=clip", run);
    picture->clip[picture->count++] = *clip;
    *clip = (Clip){0};
    return STATUS_OK;
}

static Status write_sheet(Picture *picture, const Raster *raster, Error *err)
{
    OutputFile file = OUTPUT_FILE_NONE;
    OutputOrigin origin = {0};
    FILE *stream;
    for (int i = 0; i < picture->count; i++)
        output_origin_add(&origin, &picture->clip[i].provenance);
    Status status = output_file_open(&picture->call, picture->given.output, FILE_PNG, output_origin(&origin), &file,
                                     err);
    if (status)
        return status;
    status = new_file_stream(&file.file, &stream, err);
    if (!status) {
        status = png_write(raster, stream, err);
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

static Status draw(Picture *picture, Error *err)
{
    const Clip *clip[MAX_CLIPS] = {&picture->clip[0], &picture->clip[1]};
    Raster raster = {0};
    Status status = contact_grid_draw(clip, picture->count, &picture->given.sheet, &raster, err);
    if (!status)
        status = write_sheet(picture, &raster, err);
    raster_free(&raster);
    return status;
}

static const char *nonsense_in(const PictureOptions *given)
{
    if (!given->output || !strcmp(given->output, "-"))
        return "expected -o FILE.png";
    if (given->sheet.frames > MAX_FRAMES || given->sheet.columns > MAX_FRAMES || given->sheet.size > MAX_SIZE)
        return "at most 1000 frames of at most 2000 pixels";
    return NULL;
}

static int thumbnails_main(const Command *command, int argc, char **argv)
{
    Picture picture = {.given.sheet = row_writer_default_def()};
    Error err = {0};
    OptionGroup group = {NULL, command->options, &picture.given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    const char *nonsense = nonsense_in(&picture.given);
    if (nonsense)
        return message_usage(command->name, "%s", nonsense);
    if (output_call_init(&picture.call, picture.given.manner, argc, argv, &err))
        return message_error(command->name, NULL, &err);
    int code = clips_visit_motion(command->name, argv + first, argc - first, keep_clip, &picture,
                                  (MotionReading){NULL, picture.given.manner.quiet});
    if (code == 0 && draw(&picture, &err))
        code = message_error(command->name, NULL, &err);
    for (int i = 0; i < picture.count; i++)
        clip_free(&picture.clip[i]);
    output_call_free(&picture.call);
    return code;
}

static const Command thumbnails_command = {
    .name = "thumbnails",
    .old_name = "picture",
    .group = COMMANDS_INSPECT,
    .summary = "Draw thumbnails of a clip (PNG)",
    .arguments = "[FILE.h5|{motion-files}...]",
    .description = "Draws frames of a clip side by side, of two clips in rows at the same fractions of their length. "
                   "Left limbs are red, right limbs blue, the ball of kane track orange. The time of each frame is "
                   "below it. Figures are as large whatever the root does.",
    .example = "kane thumbnails walk.h5 --frames 8 -o walk.png",
    .options = options,
};

const CliCommand cli_thumbnails = {&thumbnails_command, thumbnails_main};
