/* kane run and kane import: motion files to clip files, through all stages or none. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"
#include "formats/tables/role_table.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/clip_memory.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

/* What import prints instead of a clip. */
typedef struct Printing {
    int map;
} Printing;

static const Option print_options[] = {
    {.name = "print-map",
     .help = "Print the roles of joints, a table for --roles, and exit",
     .kind = &option_flag, .offset = offsetof(Printing, map)},
    {0},
};

/* State of one command over many files. */
typedef struct Conversion {
    const char *command;
    int strict;
    long long memory; /* bytes */
    Pipeline pipeline;
    OutputOptions given;
    Printing print;
    Output output;
} Conversion;

static const Option memory_options[] = {
    {.name = "memory", .argument = "BYTES",
     .help = "Memory limit, for example 8G; arrays of a clip that needs more are in an unnamed file beside the output",
     .kind = &option_bytes, .offset = offsetof(Conversion, memory), .unrecorded = 1},
    {0},
};

static const Option strict_options[] = {
    {.name = "strict",
     .help = "Refuse clips whose motion contradicts the file or a stated value: rate, level, sides, mass, cutoff, "
             "ground",
     .kind = &option_flag, .offset = offsetof(Conversion, strict), .unrecorded = 1},
    {0},
};

/* Kinds of warnings in which the motion contradicts what is stated. */
static const char *const contradictions[] = {"rate", "lean", "sides", "mass", "cutoff", "ground"};

static Status refuse_contradictions(const Clip *clip, Error *err)
{
    const char *line = clip->provenance.warnings;
    while (line && *line) {
        size_t kind = strcspn(line, ":"), length = strcspn(line, "\n");
        for (size_t k = 0; k < sizeof contradictions / sizeof *contradictions; k++)
            if (strlen(contradictions[k]) == kind && !strncmp(line, contradictions[k], kind))
                return error_set(err, STATUS_BAD_INPUT, "--strict refuses the clip: %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return STATUS_OK;
}

static Status process(Conversion *c, const char *path, Error *err)
{
    Clip clip;
    Notes read = {0}, made = {0};
    Status status = pipeline_import(&c->pipeline, path, &clip, &read, err);
    message_notes(c->command, path, &read, NULL, c->given.manner.quiet);
    if (!status)
        status = pipeline_run(&c->pipeline, &clip, &made, err);
    if (!status)
        message_notes(c->command, path, &made, &clip, c->given.manner.quiet);
    if (!status && c->strict)
        status = refuse_contradictions(&clip, err);
    if (!status)
        status = output_put(&c->output, &clip, &c->pipeline.container, err);
    clip_free(&clip);
    notes_free(&read);
    notes_free(&made);
    return status;
}

static Status convert(Conversion *c, const char *path, Error *err)
{
    char folder[PATH_MAX];
    output_folder(&c->output, folder, sizeof folder);
    clip_memory_limit(path, c->memory, c->pipeline.container.float32, folder);
    Status status = process(c, path, err);
    clip_memory_unlimit();
    return status;
}

static int convert_all(Conversion *c, const FoundFiles *files)
{
    int code = 0;
    for (size_t i = 0; i < files->count && code < status_exit_code(STATUS_USAGE); i++) {
        Error err = {0};
        if (convert(c, files->file[i].path, &err))
            code = exit_code_worse(code, message_error(c->command, files->file[i].path, &err));
    }
    return code;
}

/* Lists every take of every path. */
static Status find_takes(const Conversion *c, char *const *paths, int count, FoundFiles *files, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = found_files_take(files, paths[i], err);
    return status ? status : found_files_split_takes(files, &c->pipeline.import.limits, err);
}

/* Converts the files into the open output. */
static int convert_into(Conversion *c, const FoundFiles *files)
{
    if (files->count > 1 && !c->output.is_folder && strcmp(c->output.target, "-"))
        return message_usage(c->command, "%zu clips cannot be written to %s; give -o DIR/", files->count,
                             c->output.target);
    return convert_all(c, files);
}

static Status print_map(const Conversion *c, const char *path, Error *err)
{
    Clip clip;
    ImportGuess guess;
    Status status = import_judge(&c->pipeline.import, path, &clip, &guess, err);
    if (!status)
        status = role_table_write(&clip.skeleton, guess.role_judgement.likelihood, stdout, err);
    clip_free(&clip);
    return status;
}

static int print_maps(const Conversion *c, const FoundFiles *files)
{
    int code = 0;
    for (size_t i = 0; i < files->count && code < status_exit_code(STATUS_USAGE); i++) {
        Error err = {0};
        if (print_map(c, files->file[i].path, &err))
            code = exit_code_worse(code, message_error(c->command, files->file[i].path, &err));
    }
    return code;
}

static int convert_main(const Command *command, int length, int argc, char **argv)
{
    Conversion c = {.command = command->name, .pipeline = pipeline_defaults(), .given.target = "-",
                    .memory = CLIP_MEMORY_DEFAULT};
    OptionGroup groups[4 + PIPELINE_GROUPS] = {{NULL, output_options, &c.given}, {NULL, strict_options, &c}};
    Error err = {0};
    int group_count = 2;
    c.pipeline.length = length;
    if (length == 0)
        groups[group_count++] = (OptionGroup){NULL, print_options, &c.print};
    else
        groups[group_count++] = (OptionGroup){NULL, memory_options, &c};
    group_count += pipeline_groups(&c.pipeline, groups + group_count);
    for (int i = 0; i < group_count; i++)
        if (groups[i].options == command->options) /* options of the command itself have no prefix */
            groups[i].stage = NULL;
    int first = command_line_parse(command, groups, group_count, argc, argv);
    int count = argc - first;
    if (count == 0)
        return message_missing(command->name, command->arguments);
    FoundFiles files = {0};
    if (c.print.map) {
        int code = find_takes(&c, argv + first, count, &files, &err) ? message_error(command->name, NULL, &err)
                                                                     : print_maps(&c, &files);
        found_files_free(&files);
        return code;
    }
    if (output_open(&c.given, argc, argv, &c.output, &err))
        return message_error(command->name, NULL, &err);
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
    return convert_main(command, PIPELINE_LENGTH, argc, argv);
}

static const Command run_command = {
    .name = "run",
    .group = COMMANDS_PIPELINE,
    .summary = "Process motion files: all stages",
    .arguments = "{motion-files}...",
    .description = "Runs all stages: import, body, smooth, kinematics, contact, torque, angles; with "
                   "--retarget-to also retarget. Options of a stage have its name as a prefix: --smooth-cutoff 6, "
                   "--body-mass 62. The result is byte-identical to that of the stages in a pipe.",
    .example = "kane run walk.bvh --body-mass 62 -o walk.h5",
};

const CliCommand cli_import = {&import_command, import_main};
const CliCommand cli_run = {&run_command, run_main};
