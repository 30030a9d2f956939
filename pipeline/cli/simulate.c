/* kane simulate: simulates scenes, or the torques of clips, into clip files. */
#include <string.h>

#include "analysis/clip/clip.h"
#include "formats/container/container.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/simulate.h"
#include "pipeline/stages/simulate_options.h"
#include "pipeline/stages/simulate_torques.h"

static Status simulate_one(const SimulateOptions *given, const char *path, Output *output, Error *err)
{
    Clip clip;
    Notes notes = {0};
    ContainerDef container = container_default_def();
    Status status = simulate_scene(given, path, &clip, &notes, err);
    message_notes(simulate_command.name, path, &notes, clip.motion.frame_count > 0 ? &clip : NULL,
                  output->call.manner.quiet);
    if (clip.motion.frame_count > 0) {
        Status put = output_put(output, &clip, &container, status ? NULL : err);
        status = status ? status : put;
    }
    clip_free(&clip);
    notes_free(&notes);
    return status;
}

/* Parameters of the simulation of clips. */
typedef struct ClipPlayer {
    const SimulateOptions *given;
    Output *output;
} ClipPlayer;

static Status play_one(void *context, const char *path, Clip *clip, Error *err)
{
    const ClipPlayer *p = context;
    Notes notes = {0};
    ContainerDef container = container_default_def();
    Error flown;
    Status status = simulate_torques(p->given, clip, &notes, &flown, err);
    message_notes(simulate_command.name, path, &notes, clip, p->output->call.manner.quiet);
    if (!status)
        status = output_put(p->output, clip, &container, err);
    notes_free(&notes);
    if (status || !flown.status)
        return status;
    *err = flown;
    return flown.status;
}

static int play_torques(const SimulateOptions *given, Output *output)
{
    ClipPlayer player = {given, output};
    char *path = (char *)given->torques;
    return clips_visit(simulate_command.name, &path, 1, play_one, &player);
}

static int simulate_main(const Command *command, int argc, char **argv)
{
    SimulateOptions given = simulate_defaults();
    OutputOptions target = {.target = "-"};
    OptionGroup groups[] = {{NULL, output_options, &target}, {NULL, command->options, &given}};
    Output output;
    Error err = {0};
    int first = command_line_parse(command, groups, 2, argc, argv), code = 0;
    if (first == argc && !given.torques)
        return message_missing(command->name, command->arguments);
    if (output_open(&target, argc, argv, &output, &err))
        return message_error(command->name, NULL, &err);
    if (argc - first > 1 && !output.is_folder && strcmp(output.target, "-") != 0)
        return message_usage(command->name, "%d clips cannot be written to %s; give -o DIR/", argc - first,
                             output.target);
    if (first == argc)
        code = play_torques(&given, &output);
    for (int i = first; i < argc && code < status_exit_code(STATUS_USAGE); i++) {
        err = (Error){0};
        if (simulate_one(&given, argv[i], &output, &err))
            code = exit_code_worse(code, message_error(command->name, argv[i], &err));
    }
    return output_close(&output, command->name, code);
}

const CliCommand cli_simulate = {&simulate_command, simulate_main};
