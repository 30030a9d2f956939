/* kane import and kane run: BVH files into containers, as they are and through the chain. */
#include <stdio.h>
#include <string.h>

#include "pipeline/cli/command_line.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/stage_chain.h"

/* One command over many files. */
typedef struct Conversion {
    const char *verb;
    StageChain chain;
    OutputOptions given;
    Output output;
} Conversion;

static Status convert(Conversion *c, const char *path, Error *err)
{
    Clip clip;
    Notes read = {0}, made = {0};
    Status status = stage_chain_import(&c->chain, path, &clip, &read, err);
    message_notes(c->verb, path, &read, NULL);
    if (status == STATUS_OK)
        status = stage_chain_run(&c->chain, &clip, &made, err);
    if (status == STATUS_OK)
        message_notes(c->verb, path, &made, &clip);
    if (status == STATUS_OK)
        status = output_put(&c->output, &clip, &c->chain.container, err);
    clip_free(&clip);
    notes_free(&read);
    notes_free(&made);
    return status;
}

static int convert_all(Conversion *c, char *const *paths, int count)
{
    int code = 0;
    for (int i = 0; i < count && code < status_exit_code(STATUS_USAGE); i++) {
        Error err = {0};
        if (convert(c, paths[i], &err) != STATUS_OK)
            code = exit_code_worse(code, message_error(c->verb, paths[i], &err));
    }
    return code;
}

static int convert_main(const Command *command, int length, int argc, char **argv)
{
    Conversion c = {.verb = command->name, .chain = stage_chain_defaults(), .given.target = "-"};
    OptionGroup groups[1 + CHAIN_GROUPS] = {{NULL, output_options, &c.given}};
    Error err = {0};
    c.chain.length = length;
    int group_count = 1 + stage_chain_groups(&c.chain, groups + 1);
    for (int i = 0; i < group_count; i++)
        if (groups[i].options == command->options) /* those of its own have no prefix */
            groups[i].prefix = NULL;
    int first = command_line_parse(command, groups, group_count, argc, argv);
    int count = argc - first;
    if (count == 0)
        return message_usage(command->name, "expected %s", command->arguments);
    if (output_open(&c.given, argc, argv, &c.output, &err) != STATUS_OK)
        return message_error(command->name, NULL, &err);
    if (count > 1 && !c.output.is_folder && strcmp(c.output.target, "-")) {
        int code = message_usage(command->name, "%d clips do not fit into %s: give -o FOLDER/", count, c.output.target);
        return output_close(&c.output, command->name, code);
    }
    return output_close(&c.output, command->name, convert_all(&c, argv + first, count));
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
    .summary = "BVH to joint torques: import, body, smooth, diff, contact, torque and anatomy in one go",
    .arguments = "FILE.bvh...",
    .description = "Runs the whole chain. An option of a stage is given with the stage's name in front, as in "
                   "--smooth-method none --body-mass 62. The container equals that of the stages in a pipe.",
};

const Verb verb_import = {&import_command, import_main};
const Verb verb_run = {&run_command, run_main};
