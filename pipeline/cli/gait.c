/* kane gait: steps, strides and curves over the gait cycle, as tables. */
#include <stdio.h>

#include "formats/export/gait_table.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/verbs.h"

typedef enum GaitFormat { GAIT_TSV, GAIT_JSON } GaitFormat;

typedef struct GaitOptions {
    GaitTableKind table;
    GaitFormat format;
    GaitDef def;
    int has_head; /* no option: the column names are out */
} GaitOptions;

static const char *const tables[] = {"strides", "steps", "curves", NULL};
static const char *const formats[] = {"tsv", "json", NULL};
static const char *const normals[] = {"mass", "mass-height", NULL};

#define FIELD(member) offsetof(GaitOptions, member)
static const Option options[] = {
    {.name = "table", .argument = "strides|steps|curves",
     .help = "Which table, of tsv; curves have mean and deviation over the strides at 0 to 100 % of the cycle",
     .kind = &option_choice, .offset = FIELD(table), .choices = tables},
    {.name = "format", .argument = "tsv|json",
     .help = "A table, or all three as one JSON object a line and clip",
     .kind = &option_choice, .offset = FIELD(format), .choices = formats},
    {.name = "normalise", .argument = "mass|mass-height",
     .help = "Moments and powers per kilogram, or without unit (over m g h and m g^1.5 h^0.5)",
     .kind = &option_choice, .offset = FIELD(def.normal), .choices = normals},
    {.name = "all-frames",
     .help = "Strides also of frames that are not trusted (/trust)",
     .kind = &option_flag, .offset = FIELD(def.choice)},
    {0},
};

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    GaitOptions *given = context;
    const char *title = clip->provenance.title ? clip->provenance.title : "";
    Gait gait;
    (void)path;
    Status status = gait_init(&gait, clip, &given->def, err);
    if (status != STATUS_OK)
        return status;
    if (given->format == GAIT_JSON) {
        gait_json(&gait, given->def.normal, title, stdout);
    } else {
        if (!given->has_head)
            gait_table_head(given->table, stdout);
        given->has_head = 1;
        gait_table_rows(&gait, given->table, given->def.normal, title, stdout);
    }
    gait_free(&gait);
    return STATUS_OK;
}

static int gait_main(const Command *command, int argc, char **argv)
{
    GaitOptions given = {0};
    OptionGroup group = {NULL, command->options, &given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    return clips_visit(command->name, argv + first, argc - first, show, &given);
}

static const Command gait_command = {
    .name = "gait",
    .summary = "Steps, strides and curves over the gait cycle",
    .arguments = "[FILE.h5...]",
    .description = "Times, lengths, speed, cadence and stance of steps and strides, and every anatomical angle, moment "
                   "and power from strike to strike of the foot of its side.",
    .options = options,
};

const Verb verb_gait = {&gait_command, gait_main};
