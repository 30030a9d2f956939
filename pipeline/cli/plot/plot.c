/* kane plot: joints over time or over gait cycles, drawn by gnuplot. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/base/grow.h"
#include "formats/plot/plot_figure.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/cli/plot/plot_clips.h"

enum { SMALLEST_SIDE = 100, LARGEST_SIDE = 20000 }; /* pixels */

typedef enum PlotResult { RESULT_AUTO, RESULT_SVG, RESULT_PNG, RESULT_GNUPLOT } PlotResult;

typedef struct PlotOptions {
    PlotWish wish;
    PlotDef def;
    PlotResult result;
    const char *output;
    int forced;
} PlotOptions;

typedef struct Plot {
    PlotOptions given;
    FileKind kind;
    OutputCall call;
    PlotClip *clip; /* [count] owned */
    int count;
} Plot;

static Status add_joint(PlotJoints *joints, const char *name, Role role, Error *err)
{
    if (joints->count == PLOT_MOST_JOINTS)
        return error_set(err, STATUS_USAGE, "expected at most %d joints", PLOT_MOST_JOINTS);
    joints->item[joints->count].name = name;
    joints->item[joints->count++].role = role;
    return STATUS_OK;
}

static Status joint_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    return add_joint(value, text, ROLE_NONE, err);
}

static Status role_parse(const Option *option, const char *text, void *value, Error *err)
{
    Status status = STATUS_OK;
    (void)option;
    for (const char *at = text; status == STATUS_OK; at++) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, at);
        Role role = role_from_name(name);
        status = role == ROLE_NONE
                     ? error_set(err, STATUS_USAGE, "expected roles such as left_knee,right_knee, found \"%.*s\"",
                                 (int)(length < 100 ? length : 100), at)
                     : add_joint(value, NULL, role, err);
        at += length;
        if (!*at)
            break;
    }
    return status;
}

static void joints_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option, (void)value;
    snprintf(text, size, "%s", ""); /* what stands where none is named, the help says */
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
    snprintf(text, size, "%dx%d", def->width, def->height);
}

static const OptionKind option_joint = {joint_parse, joints_format};
static const OptionKind option_role = {role_parse, joints_format};
static const OptionKind option_size = {size_parse, size_format};

static const char *const quantities[] = {"torque", "power", "angular-velocity", "contact-force", NULL};
static const char *const components[] = {"norm", "x", "y", "z", NULL};
static const char *const cycles[] = {"none", "left", "right", NULL};
static const char *const results[] = {"auto", "svg", "png", "gnuplot", NULL};

#define FIELD(member) offsetof(PlotOptions, member)
static const Option options[] = {
    {.name = "role", .argument = "ROLE,...",
     .help = "Joints by role; without --role and --joint both knees, for contact-force ankles and toes",
     .kind = &option_role, .offset = FIELD(wish.joints)},
    {.name = "joint", .argument = "NAME",
     .help = "A joint by name; again for another",
     .kind = &option_joint, .offset = FIELD(wish.joints)},
    {.name = "quantity", .argument = "torque|power|angular-velocity|contact-force",
     .help = "What to draw", .choices = quantities,
     .kind = &option_choice, .offset = FIELD(wish.quantity)},
    {.name = "component", .argument = "norm|x|y|z",
     .help = "Magnitude, or the component along a world axis", .choices = components,
     .kind = &option_choice, .offset = FIELD(wish.component)},
    {.name = "per-kg",
     .help = "Divide by the mass of the body",
     .kind = &option_flag, .offset = FIELD(wish.per_kg)},
    {.name = "all-frames",
     .help = "Also frames that are not trusted (/trust)",
     .kind = &option_flag, .offset = FIELD(wish.frames)},
    {.name = "cycle", .argument = "none|left|right",
     .help = "Mean and standard deviation over gait cycles, from strike to strike of this foot", .choices = cycles,
     .kind = &option_choice, .offset = FIELD(wish.cycle)},
    {.name = "format", .argument = "auto|svg|png|gnuplot",
     .help = "Form of the result: auto goes by the ending of the output's name, svg without one; gnuplot is the script "
             "(.gp), to be changed",
     .choices = results, .kind = &option_choice, .offset = FIELD(result)},
    {.name = "size", .argument = "WIDTHxHEIGHT",
     .help = "Size of the picture, pixels; without it higher where many curves or clips ask for it",
     .kind = &option_size, .offset = FIELD(def)},
    {.name = "output", .key = 'o', .argument = "FILE|-",
     .help = "Where the picture goes",
     .kind = &option_text, .offset = FIELD(output), .unrecorded = 1},
    OUTPUT_FORCE(PlotOptions, forced),
    {0},
};

/* Takes the clip over. */
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

static Status copy_stream(FILE *from, FILE *to, Error *err)
{
    char bytes[65536];
    size_t got;
    rewind(from);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, got, to) != got)
            break;
    if (ferror(from) || ferror(to) || fflush(to))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* The whole result to standard output or into its file. */
static Status deliver(const Plot *plot, FILE *result, Error *err)
{
    OutputFile file;
    FILE *stream = NULL;
    const char *path = plot->given.output;
    if (!strcmp(path, "-"))
        return copy_stream(result, stdout, err);
    Status status = output_file_open(&plot->call, path, plot->kind, NULL, &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (status == STATUS_OK) {
        status = error_of_file(err, path, copy_stream(result, stream, err));
        fclose(stream);
    }
    if (status == STATUS_OK)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* "gnuplot -d -": default settings, so that no start-up file of the user changes the picture. */
static Status start_gnuplot(int script, int picture, int messages, pid_t *child, Error *err)
{
    char *arguments[] = {"gnuplot", "-d", "-", NULL};
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files))
        return error_no_memory(err);
    int failed = posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    failed = failed ? failed : posix_spawnp(child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed == ENOENT)
        return error_set(err, STATUS_IO, "gnuplot is missing, which draws the plots (Debian: gnuplot-nox)");
    return failed ? error_set(err, STATUS_IO, "gnuplot does not start: %s", strerror(failed)) : STATUS_OK;
}

/* The line of its messages that says what is wrong. */
static Status complain(FILE *messages, Error *err)
{
    char line[256], said[256] = "no picture";
    rewind(messages);
    while (fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = '\0';
        if (strspn(line, " ^") < strlen(line))
            memcpy(said, line, sizeof said);
    }
    return error_set(err, STATUS_IO, "gnuplot: %s", said);
}

/* gnuplot as a child process, without a shell: runs the script from its beginning, with the picture going to an open
 * regular file. STATUS_IO where gnuplot is missing, fails or draws nothing; its first words are in err. */
static Status run_gnuplot(FILE *script, FILE *picture, Error *err)
{
    pid_t child = -1;
    int state = 0;
    struct stat drawn = {0};
    FILE *messages = tmpfile();
    if (!messages)
        return error_set(err, STATUS_IO, "no temporary file: %s", strerror(errno));
    rewind(script);
    Status status = start_gnuplot(fileno(script), fileno(picture), fileno(messages), &child, err);
    if (status == STATUS_OK) {
        while (waitpid(child, &state, 0) < 0 && errno == EINTR)
            ;
        fstat(fileno(picture), &drawn);
        if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || drawn.st_size == 0)
            status = complain(messages, err);
    }
    fclose(messages);
    return status;
}

/* Draws into files without a name, so that nothing half-written is left. */
static Status draw(const Plot *plot, const PlotFigure *figure, Error *err)
{
    const PlotOptions *given = &plot->given;
    FILE *script = tmpfile(), *picture = tmpfile();
    Status status = script && picture ? STATUS_OK : error_set(err, STATUS_IO, "no temporary file: %s", strerror(errno));
    int is_script = given->result == RESULT_GNUPLOT;
    if (status == STATUS_OK)
        status = plot_script(figure, &given->def, script, err);
    if (status == STATUS_OK && !is_script)
        status = run_gnuplot(script, picture, err);
    if (status == STATUS_OK)
        status = deliver(plot, is_script ? script : picture, err);
    if (script)
        fclose(script);
    if (picture)
        fclose(picture);
    return status;
}

static const OutputEnding endings[] = {
    {"svg", RESULT_SVG, FILE_SVG},         {"png", RESULT_PNG, FILE_PNG}, {"gp", RESULT_GNUPLOT, FILE_GNUPLOT},
    {"gnuplot", RESULT_GNUPLOT, FILE_GNUPLOT}, {NULL, RESULT_SVG, FILE_SVG},
};

/* Settles the result by the ending of the name, or by what was asked for. */
static Status settle_result(Plot *plot, Error *err)
{
    const OutputEnding *entry = endings;
    Status status = STATUS_OK;
    if (plot->given.result == RESULT_AUTO)
        status = output_ending(plot->given.output, endings, &entry, err);
    else
        while (entry->ending && entry->value != (int)plot->given.result)
            entry++;
    plot->given.result = (PlotResult)entry->value;
    plot->kind = entry->kind;
    return status;
}

/* Where none is named: knees, or what the ground touches, of which not every skeleton has toes. */
static void add_usual_joints(PlotWish *wish)
{
    static const Role knees[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE};
    static const Role feet[] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE, ROLE_LEFT_TOE, ROLE_RIGHT_TOE};
    PlotJoints *joints = &wish->joints;
    int is_contact = wish->quantity == QUANTITY_CONTACT_FORCE;
    for (int i = 0; i < (is_contact ? 4 : 2); i++) {
        joints->item[i].role = is_contact ? feet[i] : knees[i];
        joints->item[i].is_optional = i >= 2;
        joints->count++;
    }
}

/* Decides what was left open; NULL, or what makes no sense. */
static const char *resolve(PlotOptions *given)
{
    PlotWish *wish = &given->wish;
    given->def.format = given->result == RESULT_PNG ? PLOT_PNG : PLOT_SVG;
    if (wish->joints.count == 0)
        add_usual_joints(wish);
    if (wish->quantity == QUANTITY_POWER && wish->component != COMPONENT_NORM)
        return "power has no components";
    if (wish->quantity == QUANTITY_ANGULAR_VELOCITY && wish->per_kg)
        return "an angular velocity does not go by mass: --per-kg is for torque, power and force";
    if (given->result == RESULT_PNG && !strcmp(given->output, "-") && isatty(STDOUT_FILENO))
        return "a picture is not for a terminal: give -o FILE or a pipe";
    return NULL;
}

static int plot_all(const char *verb, const Plot *plot)
{
    PlotFigure figure = {0};
    Error err = {0};
    int failed;
    Status status = plot_clips(plot->clip, plot->count, &plot->given.wish, &figure, &failed, &err);
    const char *blamed = plot->clip[failed].path;
    if (status == STATUS_OK) {
        blamed = NULL;
        status = draw(plot, &figure, &err);
    }
    plot_figure_free(&figure);
    return status == STATUS_OK ? 0 : message_error(verb, blamed, &err);
}

static int plot_main(const Command *command, int argc, char **argv)
{
    Plot plot = {.given = {.def = plot_default_def(), .output = "-"}};
    OptionGroup group = {NULL, command->options, &plot.given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    Error err = {0};
    Status status = settle_result(&plot, &err);
    const char *nonsense = status == STATUS_OK ? resolve(&plot.given) : NULL;
    if (nonsense)
        return message_usage(command->name, "%s", nonsense);
    if (status == STATUS_OK)
        status = output_call_init(&plot.call, plot.given.forced, argc, argv, &err);
    if (status == STATUS_OK)
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
    .summary = "Draw joints over time or over gait cycles, as SVG or PNG",
    .arguments = "[FILE.h5...]",
    .description = "Draws one picture of all clips, with gnuplot. Shaded: which foot is on the ground, and frames "
                   "that are not trusted. Where clips are several, each has its own bars of foot contact.",
    .options = options,
};

const Verb verb_plot = {&plot_command, plot_main};
