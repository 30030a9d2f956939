/* kane gait: steps, strides and curves over the gait cycle, as tables or as a figure. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "formats/export/gait_table.h"
#include "formats/plot/plot_figure.h"
#include "formats/plot/gait_norms.h"
#include "formats/plot/gait_figure.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/plot_output.h"
#include "pipeline/cli/commands.h"

typedef enum GaitFormat { GAIT_TSV, GAIT_JSON } GaitFormat;

typedef struct GaitOptions {
    GaitTableKind table;
    GaitFormat format;
    GaitDef def;
    const char *figure; /* NULL: tables */
    const char *norms, *speed;
    OutputManner manner;
} GaitOptions;

/* State of one call. */
typedef struct GaitCall {
    GaitOptions given;
    int has_head;    /* 1: the header was printed */
    int figures;     /* number of figures made */
    OutputCall call;
    PlotResult result;
    FileKind kind;
    GaitNorms norms;
} GaitCall;

static const char *const tables[] = {"strides", "steps", "curves", NULL};
static const char *const formats[] = {"tsv", "json", NULL};
static const char *const normals[] = {"mass", "mass-height", NULL};

#define FIELD(member) offsetof(GaitOptions, member)
static const Option options[] = {
    {.name = "table", .argument = "strides|steps|curves",
     .help = "Table of the tsv format; curves = mean and standard deviation at 0 to 100 % of the gait cycle",
     .kind = &option_choice, .offset = FIELD(table), .choices = tables},
    {.name = "format", .argument = "tsv|json",
     .help = "Output format: one table, or all three as one JSON object per clip",
     .kind = &option_choice, .offset = FIELD(format), .choices = formats},
    {.name = "normalize", .old_name = "normalise", .argument = "mass|mass-height",
     .help = "Normalization of moments and powers: per kg, or dimensionless (by m g h and m g^1.5 h^0.5)",
     .kind = &option_choice, .offset = FIELD(def.normal), .choices = normals},
    {.name = "all-frames",
     .help = "Include strides with frames that are not trusted",
     .kind = &option_flag, .offset = FIELD(def.choice)},
    {.name = "figure", .argument = "FILE.svg|FILE.png|FILE.gp",
     .help = "Output figure of one clip: hip, knee and ankle, left and right (.gp: gnuplot script)",
     .kind = &option_text, .offset = FIELD(figure), .unrecorded = 1},
    {.name = "norms", .argument = "FILE.tsv",
     .help = "Table of normal ranges for the figure, columns speed quantity axis percent low high, or coordinate "
             "quantity percent low high",
     .kind = &option_file, .offset = FIELD(norms)},
    {.name = "norms-speed", .argument = "NAME",
     .help = "Speed within the table of --norms (default: Free, else the first)",
     .kind = &option_text, .offset = FIELD(speed)},
    OUTPUT_MANNER(GaitOptions, manner),
    {0},
};

static Status put_figure(const GaitCall *call, const Gait *gait, const Provenance *origin, Error *err)
{
    PlotDef def = gait_figure_default_def();
    PlotOutput out = {&call->call, call->given.figure, call->kind, call->result == RESULT_GNUPLOT,
                      origin};
    FILE *script = tmpfile();
    if (!script)
        return error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    def.format = call->result == RESULT_PNG ? PLOT_PNG : PLOT_SVG;
    Status status = gait_figure_script(gait, call->given.def.normal, call->norms.count ? &call->norms : NULL, &def,
                                       script, err);
    if (!status)
        status = plot_output_put(&out, script, err);
    fclose(script);
    return status;
}

static void put_tables(GaitCall *call, const Gait *gait, const char *title)
{
    const GaitOptions *given = &call->given;
    if (given->format == GAIT_JSON) {
        gait_json(gait, given->def.normal, title, stdout);
        return;
    }
    if (!call->has_head)
        gait_table_head(given->table, stdout);
    call->has_head = 1;
    gait_table_rows(gait, given->table, given->def.normal, title, stdout);
}

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    GaitCall *call = context;
    const char *title = clip->provenance.title ? clip->provenance.title : "";
    Gait gait;
    (void)path;
    if (call->given.figure && call->figures++ > 0)
        return error_set(err, STATUS_USAGE, "--figure is for one clip");
    Status status = gait_init(&gait, clip, &call->given.def, err);
    if (status)
        return status;
    if (call->given.figure)
        status = put_figure(call, &gait, &clip->provenance, err);
    else
        put_tables(call, &gait, title);
    gait_free(&gait);
    return status;
}

/* Prepares the figure and checks its output before any clip is read. */
static Status prepare(GaitCall *call, int argc, char **argv, Error *err)
{
    const GaitOptions *given = &call->given;
    const OutputEnding *ending;
    Status status = output_call_init(&call->call, given->manner, argc, argv, err);
    if (!status)
        status = output_ending(given->figure, plot_endings, &ending, err);
    if (status)
        return status;
    call->result = (PlotResult)ending->value;
    call->kind = ending->kind;
    status = output_file_check(&call->call, given->figure, call->kind, err);
    if (!status && given->norms)
        status = error_of_file(err, given->norms, gait_norms_read(given->norms, given->speed, &call->norms, err));
    return status;
}

/* Returns an error message for contradictory options, else NULL. */
static const char *nonsense(const GaitOptions *given)
{
    if ((given->norms || given->speed) && !given->figure)
        return "--norms and --norms-speed require --figure";
    if (given->norms && given->def.normal != GAIT_PER_MASS)
        return "--norms requires --normalize mass";
    return NULL;
}

static int gait_main(const Command *command, int argc, char **argv)
{
    GaitCall call = {0};
    Error err = {0};
    OptionGroup group = {NULL, command->options, &call.given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    if (nonsense(&call.given))
        return message_usage(command->name, "%s", nonsense(&call.given));
    Status status = call.given.figure ? prepare(&call, argc, argv, &err) : STATUS_OK;
    int code = status ? message_error(command->name, NULL, &err)
                       : clips_visit(command->name, argv + first, argc - first, show, &call);
    gait_norms_free(&call.norms);
    output_call_free(&call.call);
    return code;
}

static const Command gait_command = {
    .name = "gait",
    .group = COMMANDS_INSPECT,
    .summary = "Measure steps, strides and gait-cycle curves",
    .arguments = "[FILE.h5...]",
    .description = "Prints times, lengths, speed, cadence and stance of steps and strides, or curves of the "
                   "anatomical angles, moments and powers over the gait cycle.",
    .example = "kane gait walk.h5 --table strides",
    .options = options,
};

const CliCommand cli_gait = {&gait_command, gait_main};
