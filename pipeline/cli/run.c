/* kane import, run, resample, scale, retarget and simulate: motion files and scenes to clip files, and stages over clip
 * files with recomputation. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/stages/retarget_options.h"
#include "pipeline/stages/simulate.h"
#include "pipeline/stages/stage.h"

/* State of one command over many files. */
typedef struct Conversion {
    const char *verb;
    Pipeline chain;
    OutputOptions given;
    Output output;
} Conversion;

static Status convert(Conversion *c, const char *path, Error *err)
{
    Clip clip;
    Notes read = {0}, made = {0};
    Status status = pipeline_import(&c->chain, path, &clip, &read, err);
    message_notes(c->verb, path, &read, NULL, c->given.manner.quiet);
    if (!status)
        status = pipeline_run(&c->chain, &clip, &made, err);
    if (!status)
        message_notes(c->verb, path, &made, &clip, c->given.manner.quiet);
    if (!status)
        status = output_put(&c->output, &clip, &c->chain.container, err);
    clip_free(&clip);
    notes_free(&read);
    notes_free(&made);
    return status;
}

static int convert_all(Conversion *c, const FoundFiles *files)
{
    int code = 0;
    for (size_t i = 0; i < files->count && code < status_exit_code(STATUS_USAGE); i++) {
        Error err = {0};
        if (convert(c, files->file[i].path, &err))
            code = exit_code_worse(code, message_error(c->verb, files->file[i].path, &err));
    }
    return code;
}

/* Lists every take of every path. */
static Status find_takes(const Conversion *c, char *const *paths, int count, FoundFiles *files, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = found_files_take(files, paths[i], err);
    return status ? status : found_files_split_takes(files, &c->chain.import.limits, err);
}

/* Converts the files into the open output. */
static int convert_into(Conversion *c, const FoundFiles *files)
{
    if (files->count > 1 && !c->output.is_folder && strcmp(c->output.target, "-"))
        return message_usage(c->verb, "%zu clips cannot be written to %s; give -o DIR/", files->count,
                             c->output.target);
    return convert_all(c, files);
}

static int convert_main(const Command *command, int length, int argc, char **argv)
{
    Conversion c = {.verb = command->name, .chain = pipeline_defaults(), .given.target = "-"};
    OptionGroup groups[1 + CHAIN_GROUPS] = {{NULL, output_options, &c.given}};
    Error err = {0};
    c.chain.length = length;
    int group_count = 1 + pipeline_groups(&c.chain, groups + 1);
    for (int i = 0; i < group_count; i++)
        if (groups[i].options == command->options) /* options of the command itself have no prefix */
            groups[i].stage = NULL;
    int first = command_line_parse(command, groups, group_count, argc, argv);
    int count = argc - first;
    if (count == 0)
        return message_usage(command->name, "expected %s", command->arguments);
    if (output_open(&c.given, argc, argv, &c.output, &err))
        return message_error(command->name, NULL, &err);
    FoundFiles files = {0};
    int code = find_takes(&c, argv + first, count, &files, &err) ? message_error(command->name, NULL, &err)
                                                                 : convert_into(&c, &files);
    found_files_free(&files);
    return output_close(&c.output, command->name, code);
}

static int import_main(const Command *command, int argc, char **argv)
{
    return convert_main(command, 0, argc, argv);
}

static int run_main(const Command *command, int argc, char **argv)
{
    return convert_main(command, CHAIN_LENGTH, argc, argv);
}

static const Command run_command = {
    .name = "run",
    .group = COMMANDS_PIPELINE,
    .summary = "Process BVH files: all stages",
    .arguments = "FILE.bvh...",
    .description = "Runs all stages: import, body, smooth, kinematics, contact, torque, angles; with "
                   "--retarget-to also retarget. Options of a stage have its name as a prefix: --smooth-cutoff 6, "
                   "--body-mass 62. The result is byte-identical to that of the stages in a pipe.",
    .example = "kane run walk.bvh --body-mass 62 -o walk.h5",
};

const Verb verb_import = {&import_command, import_main};
const Verb verb_run = {&run_command, run_main};

/* kane scale: applies the stage to clip files and recomputes what was computed from the motion. */

static int scale_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_scale);
    (void)command;
    mapping.work = scale_and_rerun;
    return mapping_main(&mapping, argc, argv);
}

const Verb verb_scale = {&stage_scale.command, scale_main};

/* kane retarget: applies the stage to clip files; prints what was detected in the target skeleton, or its map. */

/* What to print instead of retargeting. */
typedef struct Printing {
    int map, contacts;
} Printing;

static const Option own_options[] = {
    {.name = "print-map",
     .help = "Print the joint map and exit",
     .kind = &option_flag,
     .offset = offsetof(Printing, map)},
    {.name = "print-contacts",
     .help = "Print the table of contacts and exit",
     .kind = &option_flag,
     .offset = offsetof(Printing, contacts)},
    {0},
};

static Status print_contacts(void *context, const char *path, Clip *clip, Error *err)
{
    (void)path;
    return retarget_write_contacts(context, clip, stdout, err);
}

static Status print_map(void *context, const char *path, Clip *clip, Error *err)
{
    (void)path;
    return retarget_write_map(context, clip, stdout, err);
}

/* Prints the detections of the target skeleton once; returns an error if it cannot be read. */
static int tell_character(const RetargetOptions *given)
{
    const char *verb = stage_retarget.command.name;
    Clip character = {0};
    Notes notes = {0};
    Error err = {0};
    Status status = retarget_read_character(given, &character, &notes, &err);
    for (int i = 0; i < notes.count && !status; i++)
        if (notes.note[i].kind == NOTE_DECISION)
            message_note(verb, given->to, "%s", notes.note[i].text);
    clip_free(&character);
    notes_free(&notes);
    return status ? message_error(verb, NULL, &err) : 0;
}

static int retarget_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_retarget);
    RetargetOptions *given = (RetargetOptions *)&mapping.values;
    OptionGroup groups[MAPPING_GROUPS];
    struct stat kind;
    Printing print = {0};
    mapping_groups(&mapping, (OptionGroup){NULL, own_options, &print}, groups);
    int first = command_line_parse(command, groups, MAPPING_GROUPS, argc, argv);
    if (!given->to || !strcmp(given->to, "-"))
        return message_usage(command->name, "expected --to FILE, the target skeleton");
    if (!stat(given->to, &kind) && S_ISFIFO(kind.st_mode)) /* it is read for every clip */
        return message_usage(command->name, "--to %s: expected a file, found a pipe", given->to);
    int code = tell_character(given);
    if (code)
        return code;
    if (print.map || print.contacts)
        return clips_visit_motion(command->name, argv + first, argc - first,
                                  print.map ? print_map : print_contacts, given, mapping.given.manner.quiet);
    return mapping_run(&mapping, first, argc, argv);
}

const Verb verb_retarget = {&stage_retarget.command, retarget_main};

/* kane simulate: simulates scenes, or the torques of clips, into clip files. */

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
        return message_usage(command->name, "expected %s", command->arguments);
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

const Verb verb_simulate = {&simulate_command, simulate_main};

/* kane resample: applies the stage to clip files and recomputes what was computed from the motion. */

static int resample_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_resample);
    (void)command;
    mapping.work = resample_and_rerun;
    return mapping_main(&mapping, argc, argv);
}

const Verb verb_resample = {&stage_resample.command, resample_main};
