/* kane info: prints the contents of a clip file, or what import decides of a motion file. */
#include <stddef.h>
#include <stdio.h>

#include "analysis/clip/clip.h"
#include "formats/export/export_c3d.h"
#include "formats/export/info.h"
#include "formats/tables/plate_file.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct InfoOptions {
    int json, all_frames;
} InfoOptions;

static const Option info_options[] = {
    {.name = "json",
     .help = "Output as one JSON object per clip",
     .kind = &option_flag, .offset = offsetof(InfoOptions, json)},
    {.name = "all-frames",
     .help = "Include frames with bad recordings in the metrics, which the index leaves out",
     .kind = &option_flag, .offset = offsetof(InfoOptions, all_frames)},
    {0},
};

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const InfoOptions *given = context;
    FrameChoice choice = given->all_frames ? FRAMES_VALID : FRAMES_SOUND;
    OptionValues values;
    Status status = STATUS_OK;
    (void)path;
    stage_defaults(&stage_body, &values);
    if (!*clip->provenance.kane_version) /* a motion file */
        status = stage_apply(&stage_body, &values, clip, NULL, err);
    if (status)
        return status;
    return given->json ? info_json(clip, choice, stdout, err) : info_text(clip, choice, stdout, err);
}

/* Shows each file by itself: a C3D file has no clip. */
static int show_all(const Command *command, InfoOptions *given, const ImportOptions *import, char **paths, int count)
{
    int code = 0;
    for (int i = 0; i < count; i++) {
        Error err = {0};
        if (!plate_file_is_c3d(paths[i]))
            code = exit_code_worse(code, clips_visit_motion(command->name, paths + i, 1, show, given,
                                                            (MotionReading){import, 1}));
        else if (c3d_info(paths[i], given->json, stdout, &err))
            code = exit_code_worse(code, message_error(command->name, paths[i], &err));
    }
    return code;
}

static int info_main(const Command *command, int argc, char **argv)
{
    InfoOptions given = {0};
    ImportOptions import = import_defaults();
    OptionGroup groups[] = {{NULL, command->options, &given}, {&import_command, import_command.options, &import}};
    int first = command_line_parse(command, groups, 2, argc, argv);
    for (int i = first; i < argc; i++)
        if (plate_file_is_c3d(argv[i]))
            return show_all(command, &given, &import, argv + first, argc - first);
    return clips_visit_motion(command->name, argv + first, argc - first, show, &given, (MotionReading){&import, 1});
}

static const Command info_command = {
    .name = "info",
    .group = COMMANDS_INSPECT,
    .summary = "Show what a clip file contains, or how a motion file is read",
    .arguments = "[FILE.h5|{motion-files}...]",
    .description = "Prints source, detected unit and axes with their evidence, skeleton, roles, groups, quality "
                   "metrics and history. Of a motion file it prints what import decides, and why.",
    .example = "kane info walk.h5",
    .options = info_options,
};

const CliCommand cli_info = {&info_command, info_main};
