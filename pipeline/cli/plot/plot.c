/* kane plot: joints over time or over gait cycles, drawn by gnuplot. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "formats/plot/plot_figure.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/plot/plot_clips.h"
#include "pipeline/cli/plot_output.h"
#include "pipeline/cli/commands.h"

enum { SMALLEST_SIDE = 100, LARGEST_SIDE = 20000 }; /* pixels */

typedef struct PlotOptions {
    PlotWish wish;
    PlotDef def;
    PlotResult result;
    const char *output;
    OutputManner manner;
} PlotOptions;

typedef struct Plot {
    PlotOptions given;
    FileKind kind;
    OutputCall call;
    PlotClip *clip; /* [count] owned */
    int count;
} Plot;

static Status add_joint(PlotJoints *joints, const char *name, Role role, Coordinate coordinate, Error *err)
{
    if (joints->count == PLOT_MAX_JOINTS)
        return error_set(err, STATUS_USAGE, "expected at most %d joints", PLOT_MAX_JOINTS);
    joints->item[joints->count].name = name;
    joints->item[joints->count].coordinate = coordinate;
    joints->item[joints->count++].role = role;
    return STATUS_OK;
}

static Status joint_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    return add_joint(value, text, ROLE_NONE, COORDINATE_NONE, err);
}

/* Adds the joint of each word of a list; words have at most 63 characters. */
static Status parse_words(const char *text, PlotJoints *joints,
                          Status (*add)(PlotJoints *joints, const char *word, Error *err), Error *err)
{
    Status status = STATUS_OK;
    for (const char *at = text; !status; at++) {
        char word[64];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, at);
        status = add(joints, word, err);
        at += length;
        if (!*at)
            break;
    }
    return status;
}

static Status add_role(PlotJoints *joints, const char *word, Error *err)
{
    char near[256];
    Role role = role_from_name(word);
    if (role != ROLE_NONE)
        return add_joint(joints, NULL, role, COORDINATE_NONE, err);
    did_you_mean_role(word, near, sizeof near);
    return error_set(err, STATUS_USAGE, "unknown role \"%s\"%s", word,
                     *near ? near : "; expected roles such as left_knee,right_knee");
}

static Status add_coordinate(PlotJoints *joints, const char *word, Error *err)
{
    const char *names[COORDINATE_COUNT];
    char near[256];
    Coordinate coordinate = coordinate_from_name(word);
    if (coordinate != COORDINATE_NONE)
        return add_joint(joints, NULL, coordinate_role(coordinate), coordinate, err);
    for (int c = 0; c < COORDINATE_COUNT; c++)
        names[c] = coordinate_name((Coordinate)c);
    did_you_mean(word, names, COORDINATE_COUNT, near, sizeof near);
    return error_set(err, STATUS_USAGE, "unknown coordinate \"%s\"%s", word,
                     *near ? near : "; expected coordinates such as left_knee_flexion");
}

static Status role_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    return parse_words(text, value, add_role, err);
}

static Status coordinate_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    return parse_words(text, value, add_coordinate, err);
}

static void joints_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option, (void)value;
    snprintf(text, size, "%s", ""); /* the help states the default */
}

static Status size_parse(const Option *option, const char *text, void *value, Error *err)
{
    PlotDef *def = value;
    char *by, *end;
    long width = strtol(text, &by, 10), height = *by == 'x' ? strtol(by + 1, &end, 10) : 0;
    if (*by != 'x' || *end || width < SMALLEST_SIDE || height < SMALLEST_SIDE || width > LARGEST_SIDE ||
        height > LARGEST_SIDE)
        return error_set(err, STATUS_USAGE, "expected %s in pixels, %d to %d, found \"%s\"", option->argument,
                         SMALLEST_SIDE, LARGEST_SIDE, text);
    def->width = (int)width;
    def->height = (int)height;
    def->may_grow = 0;
    return STATUS_OK;
}

static void size_format(const Option *option, const void *value, char *text, size_t size)
{
    const PlotDef *def = value;
    (void)option;
    text[0] = 0; /* the help states the default */
    if (!def->may_grow)
        snprintf(text, size, "%dx%d", def->width, def->height);
}

static const OptionKind option_joint = {joint_parse, joints_format};
static const OptionKind option_role = {role_parse, joints_format};
static const OptionKind option_coordinate = {coordinate_parse, joints_format};
static const OptionKind option_size = {size_parse, size_format};

static const char *const quantities[] = {"torque", "power", "angular-velocity", "contact-force",
                                         "angle",  "moment", "utilization",      NULL};
static const char *const quantities_old[] = {"", "", "", "", "", "", "use"};
static const char *const components[] = {"norm", "x", "y", "z", NULL};
static const char *const cycles[] = {"none", "left", "right", NULL};
static const char *const results[] = {"auto", "svg", "png", "gnuplot", NULL};

#define FIELD(member) offsetof(PlotOptions, member)
static const Option options[] = {
    {.name = "role", .argument = "ROLE,...",
     .help = "Roles of the joints (default: both knees; for contact-force ankles and toes)",
     .kind = &option_role, .offset = FIELD(wish.joints)},
    {.name = "joint", .argument = "NAME",
     .help = "Joint by name; repeatable",
     .kind = &option_joint, .offset = FIELD(wish.joints)},
    {.name = "coordinate", .argument = "NAME,...",
     .help = "Anatomical coordinates, such as left_knee_flexion",
     .kind = &option_coordinate, .offset = FIELD(wish.joints)},
    {.name = "quantity", .argument = "torque|power|angular-velocity|contact-force|angle|moment|utilization",
     .help = "Quantity; angle, moment and utilization are about anatomical axes",
     .choices = quantities, .old_choices = quantities_old,
     .kind = &option_choice, .offset = FIELD(wish.quantity)},
    {.name = "component", .argument = "norm|x|y|z",
     .help = "Magnitude, or component along a world axis", .choices = components,
     .kind = &option_choice, .offset = FIELD(wish.component)},
    {.name = "per-kg",
     .help = "Divide by body mass",
     .kind = &option_flag, .offset = FIELD(wish.per_kg)},
    {.name = "all-frames",
     .help = "Include frames that are not trusted",
     .kind = &option_flag, .offset = FIELD(wish.frames)},
    {.name = "cycle", .argument = "none|left|right",
     .help = "Mean and standard deviation over the gait cycles of this foot", .choices = cycles,
     .kind = &option_choice, .offset = FIELD(wish.cycle)},
    {.name = "format", .argument = "auto|svg|png|gnuplot",
     .help = "Output format; auto = by file extension, else svg; gnuplot = the script (.gp)",
     .choices = results, .kind = &option_choice, .offset = FIELD(result)},
    {.name = "size", .argument = "WIDTHxHEIGHT",
     .help = "Size in pixels (default: adapted to the number of curves and clips)",
     .kind = &option_size, .offset = FIELD(def)},
    {.name = "output", .key = 'o', .argument = "FILE|-",
     .help = "Output file; - is standard output",
     .kind = &option_text, .offset = FIELD(output), .unrecorded = 1},
    OUTPUT_MANNER(PlotOptions, manner),
    {0},
};

/* Takes ownership of the clip. */
static Status plot_visit(void *context, const char *path, Clip *clip, Error *err)
{
    Plot *plot = context;
    if (!array_grow(&plot->clip, plot->count, sizeof *plot->clip))
        return error_no_memory(err);
    PlotClip *taken = &plot->clip[plot->count];
    if (!(taken->path = strdup(path)))
        return error_no_memory(err);
    taken->clip = *clip;
    plot->count++;
    *clip = (Clip){0};
    return STATUS_OK;
}

static void plot_free(Plot *plot)
{
    for (int i = 0; i < plot->count; i++) {
        free(plot->clip[i].path);
        clip_free(&plot->clip[i].clip);
    }
    free(plot->clip);
    output_call_free(&plot->call);
}

static Status draw(const Plot *plot, const PlotFigure *figure, Error *err)
{
    const PlotOptions *given = &plot->given;
    FILE *script = tmpfile();
    Status status = script ? STATUS_OK
                           : error_set(err, STATUS_IO, "cannot create a temporary file: %s", strerror(errno));
    OutputOrigin origin = {0};
    for (int i = 0; i < plot->count; i++)
        output_origin_add(&origin, &plot->clip[i].clip.provenance);
    PlotOutput out = {&plot->call, given->output, plot->kind, given->result == RESULT_GNUPLOT, output_origin(&origin)};
    if (!status)
        status = plot_script(figure, &given->def, script, err);
    if (!status)
        status = plot_output_put(&out, script, err);
    if (script)
        fclose(script);
    return status;
}

/* Sets the result type from the extension of the output, or from --format. */
static Status settle_result(Plot *plot, Error *err)
{
    const OutputEnding *entry = plot_endings;
    Status status = STATUS_OK;
    if (plot->given.result == RESULT_AUTO)
        status = output_ending(plot->given.output, plot_endings, &entry, err);
    else
        while (entry->ending && entry->value != (int)plot->given.result)
            entry++;
    plot->given.result = (PlotResult)entry->value;
    plot->kind = entry->kind;
    return status;
}

/* Adds the default joints: knees, or for contact forces ankles and toes (optional: not every skeleton has them). */
static void add_usual_joints(PlotWish *wish)
{
    static const Role knees[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    static const Role feet[] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE, ROLE_LEFT_TOE, ROLE_RIGHT_TOE};
    PlotJoints *joints = &wish->joints;
    int is_contact = wish->quantity == QUANTITY_CONTACT_FORCE;
    for (int i = 0; i < (is_contact ? 4 : 2); i++) {
        joints->item[i].role = is_contact ? feet[i] : knees[i];
        joints->item[i].coordinate = COORDINATE_NONE;
        joints->item[i].is_optional = i >= 2;
        joints->count++;
    }
}

/* Resolves defaults; returns an error message for contradictory options, else NULL. */
static const char *resolve(PlotOptions *given)
{
    PlotWish *wish = &given->wish;
    given->def.format = given->result == RESULT_PNG ? PLOT_PNG : PLOT_SVG;
    if (wish->joints.count == 0)
        add_usual_joints(wish);
    for (int i = 0; i < wish->joints.count; i++)
        if (wish->joints.item[i].coordinate != COORDINATE_NONE && wish->quantity < QUANTITY_COUNT) {
            if (wish->quantity != QUANTITY_TORQUE)
                return "--coordinate requires --quantity angle, moment or use";
            wish->quantity = QUANTITY_MOMENT;
        }
    if ((wish->quantity == QUANTITY_POWER || wish->quantity >= QUANTITY_COUNT) && wish->component != COMPONENT_NORM)
        return wish->quantity == QUANTITY_POWER ? "power has no components"
                                                : "--component does not apply to anatomical quantities; choose the "
                                                  "axis with --coordinate";
    if (wish->per_kg && (wish->quantity == QUANTITY_ANGULAR_VELOCITY || wish->quantity == QUANTITY_ANGLE ||
                         wish->quantity == QUANTITY_USE))
        return "--per-kg requires torque, moment, power or force";
    if (given->result == RESULT_PNG && !strcmp(given->output, "-") && isatty(STDOUT_FILENO))
        return "an image cannot be written to a terminal: give -o FILE or a pipe";
    return NULL;
}

static int plot_all(const char *command, const Plot *plot)
{
    PlotFigure figure = {0};
    Error err = {0};
    int failed;
    Status status = plot_clips(plot->clip, plot->count, &plot->given.wish, &figure, &failed, &err);
    const char *blamed = plot->clip[failed].path;
    if (!status) {
        blamed = NULL;
        status = draw(plot, &figure, &err);
    }
    plot_figure_free(&figure);
    return status ? message_error(command, blamed, &err) : 0;
}

static int plot_main(const Command *command, int argc, char **argv)
{
    Plot plot = {.given = {.def = plot_default_def(), .output = "-"}};
    OptionGroup group = {NULL, command->options, &plot.given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    Error err = {0};
    Status status = settle_result(&plot, &err);
    const char *nonsense = status ? NULL : resolve(&plot.given);
    if (nonsense)
        return message_usage(command->name, "%s", nonsense);
    if (!status)
        status = output_call_init(&plot.call, plot.given.manner, argc, argv, &err);
    if (!status)
        status = output_file_check(&plot.call, plot.given.output, plot.kind, &err);
    int code = status ? message_error(command->name, NULL, &err)
                      : clips_visit(command->name, argv + first, argc - first, plot_visit, &plot);
    if (code == 0)
        code = plot_all(command->name, &plot);
    plot_free(&plot);
    return code;
}

static const Command plot_command = {
    .name = "plot",
    .group = COMMANDS_INSPECT,
    .summary = "Plot joint quantities over time or gait cycle",
    .arguments = "[FILE.h5...]",
    .description = "Draws one figure of all clips, with gnuplot. Bars show foot contact; shading shows frames that "
                   "are not trusted.",
    .example = "kane plot walk.h5 --role left_knee,right_knee -o knees.svg",
    .options = options,
};

const CliCommand cli_plot = {&plot_command, plot_main};
